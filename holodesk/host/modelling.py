"""A person's model file becomes media and an object; media become bodies that can be shown.

The file is read by a process of its own (`host.shaping`); what it gives is checked like a
stranger's (decisions 7). Media are read by their address and checked against it, never written to.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from holodesk.display.model import Model, encode, thinned
from holodesk.display.reel import Reel
from holodesk.display.shelf import opened
from holodesk.errors import HolodeskError, Place, Refused, Unavailable, Usage
from holodesk.host.desks import DESK_FILE, MEDIA
from holodesk.host.reeling import VIDEOS
from holodesk.rapp.canonical import Json
from holodesk.store.media import TAG, Media

__all__ = ["TAG", "Shaped", "begin_object", "fetch", "media_of", "read_body", "shaped"]

SCHEMA: Final = "model/1"
SUFFIXES: Final = {
    ".glb": "y",
    ".gltf": "y",
    ".obj": "y",
    ".ply": "y",
    ".stl": "z",
    ".off": "z",
    ".xyz": "z",
    ".png": "z",
    ".jpg": "z",
    ".jpeg": "z",
    ".gif": "z",
    **dict.fromkeys(sorted(VIDEOS), "z"),
}
"""The files that are read, and which way is up in them unless said otherwise."""
MOST_OCTETS: Final = 64 << 20
MOST_VIDEO_OCTETS: Final = 2 << 30
WAIT_SECONDS: Final = 20.0
VIDEO_WAIT_SECONDS: Final = 130.0
WINDOW_TRIANGLES: Final = 6_000
"""How much of a mesh the window draws many times a second; a still picture takes more."""
LONGEST_NAME: Final = 28
ENDED_LATE: Final = frozenset({-14, -24, -9})
"""What a process ends with whose time is over: its alarm, its processor time, or killed."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """What a file becomes: its octets in the normal form, its body, and its reel if it moves."""

    octets: bytes
    model: Model
    reel: Reel | None = None


def shaped(path: Path, up: str | None = None) -> Shaped:
    """Read a model file, contained.

    Raises:
        Usage: a kind of file that is not read.
        Refused: not a model, or one too large to show, in one sentence.
        Unavailable: the file cannot be read.
    """
    where = Place(file=path.name)
    natural = SUFFIXES.get(path.suffix.lower())
    if natural is None:
        known = ", ".join(sorted(SUFFIXES))
        raise Usage("--model", f"expected a file ending in one of {known}", where)
    try:
        size = path.stat().st_size
        with path.open("rb"):
            pass
    except OSError as problem:
        told = f"the file cannot be read: {problem.strerror or problem}"
        raise Unavailable("file", told, where) from problem
    film = path.suffix.lower() in VIDEOS
    most = MOST_VIDEO_OCTETS if film else MOST_OCTETS
    if size > most:
        raise Refused("model", f"expected at most {most} octets, found {size}", where)
    answer = _answer(path, up or natural, where, VIDEO_WAIT_SECONDS if film else WAIT_SECONDS)
    found = opened(answer)
    if isinstance(found, Reel):
        return Shaped(answer, found.body, found)
    return Shaped(answer, found)


def _answer(path: Path, up: str, where: Place, wait: float) -> bytes:
    words = [sys.executable, "-m", "holodesk.host.shaping", str(path.resolve()), up]
    surroundings = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=wait,
            env=surroundings,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise Refused("model", "the file takes too long to read", where) from problem
    except OSError as problem:
        told = f"no process could be started to read it: {problem.strerror or problem}"
        raise Unavailable("model", told, where) from problem
    verdict, _, rest = done.stdout.partition(b"\n")
    if verdict == b"ok" and done.returncode == 0:
        return rest
    if verdict == b"no":
        told = f"the file is no model that can be shown: {rest.decode(errors='replace')}"
        raise Refused("model", told, where)
    if done.returncode in ENDED_LATE:
        raise Refused("model", "the file takes more than 5 s to read", where)
    raise Refused("model", "the file needs more than it may use to be read", where)


def begin_object(shape: Shaped, address: str, name: str, given: dict[str, Json]) -> Json:
    """The object of a new model, from what a kind begins with."""
    moving: dict[str, Json] = {}
    if shape.reel is not None:
        moving = {"frames": shape.reel.frames, "frame_ms": shape.reel.frame_ms}
    return {
        **given,
        **moving,
        "name": " ".join(name.replace("_", " ").split())[:LONGEST_NAME],
        "media": address,
        "triangles": len(shape.model.triangles),
        "points": len(shape.model.points),
    }


def media_of(object: Any) -> str | None:
    """The address of the media that an object names, if it is a model."""
    if isinstance(object, dict) and object.get("schema") == SCHEMA:
        address = object.get("media")
        return address if isinstance(address, str) and address else None
    return None


def media_folder(path: Path) -> Path:
    """Where the media of a desk are, or those beside a chain file."""
    return path / MEDIA if path.is_dir() and (path / DESK_FILE).exists() else path.parent / MEDIA


def read_body(folder: Path, address: str) -> Model | Reel:
    """The body or the reel of an address, as finely as it is shown.

    Raises:
        Refused: not an address, or octets that do not have it, or no model.
        Unavailable: no such media here.
    """
    found = opened(Media(folder).read(address))
    return found if isinstance(found, Reel) else thinned(found)


def window_body(folder: Path, address: str) -> tuple[str, bytes]:
    """Its kind and its octets as the window draws it: a mesh is thinner, so that it moves well.

    Raises as `read_body`.
    """
    octets = Media(folder).read(address)
    found = opened(octets)
    if isinstance(found, Reel):
        return "reel", octets
    return "model", encode(thinned(found, WINDOW_TRIANGLES))


def carry(object: Any, out: Path, into: Path) -> str:
    """Take the media that an object names from one folder to another; "" or why they stay.

    Octets that do not have their address are never taken.
    """
    address = media_of(object)
    if address is None or out.resolve() == into.resolve():
        return ""
    try:
        Media(into).keep(Media(out).read(address))
    except HolodeskError as problem:
        return f"its media do not go with it: {problem.message}"
    return ""


def fetch(path: Path, object: Any) -> str:
    """Put the body that an object names where poses find it; "" or why it cannot be shown."""
    from holodesk.display.shelf import keep

    address = media_of(object)
    if address is None:
        return ""
    try:
        keep(address, read_body(media_folder(path), address))
    except HolodeskError as problem:
        return problem.message
    return ""
