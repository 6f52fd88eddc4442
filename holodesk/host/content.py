"""What ships with the program: lenses, agents and the genesis of each kind (decisions 8)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodesk.agent.source import AgentSource, read
from holodesk.errors import NotCanonical, Place, Refused, Unavailable, Usage
from holodesk.hologram.controls import Setting, defaults, parse_setting
from holodesk.rapp.canonical import Json, parse

PACKAGE: Final = Path(__file__).resolve().parent.parent
KINDS: Final = ("creature", "card", "world", "gamerun", "story", "model")
MAX_FILE: Final = 64 << 20
GENESIS: Final = "genesis.json"
SELF_LENS: Final = "self_lens.py"


@dataclass(frozen=True, slots=True)
class Starter:
    """What a new hologram of a kind begins with."""

    object: Json
    controls: dict[str, Setting]
    self_lens: AgentSource | None
    lenses: Path


def shipped(name: str) -> Path:
    """A folder that ships: inside the installed package, or beside it in a checkout.

    Raises:
        Unavailable: it is in neither place.
    """
    for folder in (PACKAGE / "content" / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise Unavailable("content", f"expected the folder {name} to ship with the program")


def starter(kind: str) -> Starter:
    """The starter of one kind, from `lenses/KIND/`.

    Raises:
        Usage: no such kind.
        Unavailable: its files are not there.
    """
    if kind not in KINDS:
        raise Usage("kind", f"expected one of {', '.join(KINDS)}, found {kind[:40]}")
    folder = shipped("lenses") / kind
    try:
        given = parse((folder / GENESIS).read_bytes())
        self_lens = folder / SELF_LENS
        source = self_lens.read_bytes() if self_lens.is_file() else None
    except OSError as problem:
        raise Unavailable("content", f"{kind}: {problem.strerror or problem}") from problem
    if not isinstance(given, dict):
        raise Unavailable("content", f"{kind}: expected an object in {GENESIS}")
    return Starter(
        object=given["object"],
        controls=_controls(given.get("controls", {})),
        self_lens=None if source is None else read(source, SELF_LENS),
        lenses=folder,
    )


def _controls(given: Json) -> dict[str, Setting]:
    controls = defaults()
    if isinstance(given, dict):
        for name, value in given.items():
            controls[name] = parse_setting(name, value, None, Place(file=GENESIS))
    return controls


def read_json_file(path: Path) -> Json:
    """A person's JSON file, strictly read.

    Raises:
        Unavailable: the file cannot be read.
        NotCanonical: not lawful JSON (rapp/1 4).
    """
    try:
        return parse(read_octets(path))
    except NotCanonical as problem:
        raise NotCanonical(problem.rule, problem.message, Place(file=path.name)) from problem


def read_octets(path: Path) -> bytes:
    """A person's file, at most `MAX_FILE` octets of it.

    Raises:
        Refused: a larger file.
        Unavailable: it cannot be read.
    """
    where = Place(file=path.name)
    try:
        with path.open("rb") as octets:
            read = octets.read(MAX_FILE + 1)
    except OSError as problem:
        told = f"the file cannot be read: {problem.strerror or problem}"
        raise Unavailable("file", told, where) from problem
    if len(read) > MAX_FILE:
        raise Refused("file", f"expected at most {MAX_FILE} octets, found more", where)
    return read


def write_whole(path: Path, octets: bytes) -> None:
    """Write a file whole or not at all. Raises Unavailable: the disk refuses."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_bytes(octets)
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        told = f"the file cannot be written: {problem.strerror or problem}"
        raise Unavailable("file", told, Place(file=path.name)) from problem
