"""The process that reads a stranger's model file: alone, limited, ended in time (decisions 7).

Started as `python -m holodesk.host.shaping FILE UP`. Its answer on standard output is `ok` and the
model in its normal form, or `no` and one sentence. Time, memory and processor have an end here, so
that a file can only ever cost a refusal.
"""

import importlib.util
import io
import json
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from holodesk.display.model import MOST_POINTS, MOST_TRIANGLES, Model, encode
from holodesk.errors import Refused
from holodesk.host.machine.locks import limit
from holodesk.host.reeling import VIDEOS, Unreelable, gif_reel, video_reel

SECONDS: Final = 5
VIDEO_SECONDS: Final = 120
"""A long video is decoded whole; a broken one is refused as soon as it is opened."""
OCTETS: Final = 500 << 20
PALE: Final = (205, 226, 238)
IMAGES: Final = frozenset({".png", ".jpg", ".jpeg", ".gif"})
GRID: Final = 108
"""Points of an image's longer side."""
FAINT: Final = 10
MOST_PIXELS: Final = 40_000_000
FARTHEST: Final = 1e30
CLOSED_MOST: Final = 200_000
FACES: Final = re.compile(rb"^[ \t]*[flp][ \t].*$", re.MULTILINE)
GLB: Final = b"glTF"
DRACO: Final = "KHR_draco_mesh_compression"

Array = npt.NDArray[np.float64]
Part = tuple[Array, npt.NDArray[np.int64], npt.NDArray[np.uint8]]
"""Places, triangles of place numbers, and colours."""


class Unshapely(Exception):
    """Why a file is no model, in a sentence."""


def shape(path: Path, up: str) -> bytes:
    """The model or the reel in a file, in its normal form. Raises Unshapely, Unreelable."""
    kind = path.suffix.lower()
    if kind in VIDEOS:
        return video_reel(path)
    if kind in IMAGES:
        return _moving(path) or encode(_fitted([_image(path)], "z"))
    return encode(_body(path, up))


def _moving(path: Path) -> bytes | None:
    """The reel of an image that moves."""
    from PIL import Image

    with Image.open(path) as image:
        if image.width * image.height > MOST_PIXELS:
            raise Unshapely(f"it has {image.width * image.height} pixels, more than {MOST_PIXELS}")
        return gif_reel(image, GRID)


def _body(path: Path, up: str) -> Model:
    _check_draco(path)
    parts = [part for part in _parts(path) if len(part[0])]
    if not parts:
        raise Unshapely("it holds nothing that can be drawn")
    faces, count = sum(len(part[1]) for part in parts), sum(len(part[0]) for part in parts)
    if faces > MOST_TRIANGLES:
        raise Unshapely(f"it holds {faces} triangles, more than {MOST_TRIANGLES}")
    if not faces and count > MOST_POINTS:
        raise Unshapely(f"it holds {count} points, more than {MOST_POINTS}")
    return _fitted(parts, up)


def _check_draco(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(1 << 20)
    if start.startswith(GLB):
        length = int.from_bytes(start[12:16], "little")
        start = start[20 : 20 + length]
    elif path.suffix.lower() != ".gltf":
        return
    try:
        required = json.loads(start).get("extensionsRequired", [])
    except (ValueError, AttributeError):
        return
    if DRACO in required and importlib.util.find_spec("DracoPy") is None:
        raise Unshapely("it is Draco-compressed, and the package DracoPy is not installed here")


def _parts(path: Path) -> list[Part]:
    import trimesh

    kind = path.suffix.lower().lstrip(".")
    if kind == "obj":
        from trimesh.resolvers import FilePathResolver

        beside: Any = FilePathResolver(str(path))
        text = io.BytesIO(_counted(_text(path.read_bytes())))
        found: Any = trimesh.load(text, file_type=kind, resolver=beside, process=False)
    else:
        found = trimesh.load(str(path), file_type=kind, process=False)
    if not isinstance(found, trimesh.Scene):
        return [_part(found, np.eye(4))]
    parts = []
    for node in sorted(found.graph.nodes_geometry):
        way, name = found.graph[node]
        parts.append(_part(found.geometry[name], np.asarray(way, np.float64)))
    return parts


def _text(octets: bytes) -> bytes:
    """Text as UTF-8, whatever it was written in."""
    if octets.startswith((b"\xff\xfe", b"\xfe\xff")):
        return octets.decode("utf-16", errors="replace").encode()
    try:
        octets.decode()
    except UnicodeDecodeError:
        return octets.decode("latin-1").encode()
    return octets


def _counted(octets: bytes) -> bytes:
    """An OBJ whose faces name their points from the first on, where some count back from the last.

    A negative number counts back from the newest point before its own line.
    """
    if b"-" not in b"".join(FACES.findall(octets)):
        return octets
    seen = {b"v": 0, b"vt": 0, b"vn": 0}
    lines = octets.replace(b"\\\n", b" ").split(b"\n")
    for number, line in enumerate(lines):
        words = line.split()
        if not words:
            continue
        if words[0] in seen:
            seen[words[0]] += 1
        elif words[0] in (b"f", b"l", b"p") and b"-" in line:
            tops = tuple(seen.values())
            lines[number] = b" ".join([words[0], *(_forward(word, tops) for word in words[1:])])
    return b"\n".join(lines)


def _forward(word: bytes, tops: tuple[int, ...]) -> bytes:
    """One corner `place/texture/normal` with every number counted from the first."""
    parts = word.split(b"/")
    for place, (part, top) in enumerate(zip(parts, tops, strict=False)):
        if part.startswith(b"-") and part[1:].isdigit():
            parts[place] = b"%d" % (top + 1 + int(part))
    return b"/".join(parts)


def _part(geometry: Any, way: Array) -> Part:
    """One body of a scene, where the scene puts it; what is not finite is left out."""
    places = np.asarray(geometry.vertices, np.float64).reshape(-1, 3)
    faces = np.asarray(getattr(geometry, "faces", ()), np.int64).reshape(-1, 3)
    colours = _colours(geometry, len(places))
    with np.errstate(all="ignore"):
        places = places @ way[:3, :3].T + way[:3, 3]
    near = np.isfinite(places) & (np.abs(places) < FARTHEST)
    fine = near[:, 0] & near[:, 1] & near[:, 2]
    if np.linalg.det(way[:3, :3]) < 0:
        faces = faces[:, ::-1]
    faces = faces[((faces >= 0) & (faces < len(places))).all(axis=1)]
    if not fine.all():
        faces = faces[fine[faces].all(axis=1)]
        places[~fine] = places[fine][0] if fine.any() else 0.0
    if len(faces):
        used, number = np.unique(faces, return_inverse=True)
        return places[used], number.reshape(-1, 3), colours[used]
    return places[fine], faces, colours[fine]


def _colours(geometry: Any, count: int) -> npt.NDArray[np.uint8]:
    """Colours by point; a file that has none is pale."""
    pale = np.tile(np.array(PALE, np.uint8), (count, 1))
    try:
        visual = geometry.visual
        if visual.kind is None:
            return pale
        if visual.kind == "texture":
            visual = visual.to_color()
        given = np.asarray(visual.vertex_colors)[:, :3].astype(np.uint8)
    except Exception:  # noqa: BLE001 -- a broken picture leaves a pale body, never none
        try:
            given = np.asarray(geometry.colors)[:, :3].astype(np.uint8)
        except Exception:  # noqa: BLE001
            return pale
    return given if given.shape == pale.shape else pale


def _image(path: Path) -> Part:
    """The first picture of an image as a card of points; what is dark or clear is left out."""
    from PIL import Image

    with Image.open(path) as image:
        card = image.convert("RGBA")
        card.thumbnail((GRID, GRID))
        pixels = np.asarray(card)
    rows, columns = pixels.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns]
    lit = (pixels[..., 3] > FAINT) & (pixels[..., :3].max(axis=2) > FAINT)
    if not lit.any():
        raise Unshapely("the image is all dark or clear")
    places = np.stack([x - columns / 2, np.zeros_like(x), rows - y], axis=-1)[lit]
    return places.astype(np.float64), np.zeros((0, 3), np.int64), pixels[lit][:, :3]


def _fitted(parts: list[Part], up: str) -> Model:
    """All parts as one, on the floor about the axis, the largest side 1."""
    base, faces = 0, []
    for places, corners, _ in parts:
        faces.append(corners + base)
        base += len(places)
    places = np.concatenate([part[0] for part in parts])
    corners = np.concatenate(faces)
    colours = np.concatenate([part[2] for part in parts])
    if up == "y":
        places = places @ np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    low, high = places.min(axis=0), places.max(axis=0)
    size = float((high - low).max())
    middle = (low + high) / 2
    middle[2] = low[2]
    fitted = (places - middle) / (size if size > 0 else 1.0)
    normals = _normals(fitted, corners)
    closed = _closed(fitted, corners)
    return Model(
        fitted.astype(np.float32),
        normals.astype(np.float32),
        colours.astype(np.uint8),
        corners.astype(np.uint32),
        closed,
    )


def _normals(places: Array, corners: npt.NDArray[np.int64]) -> Array:
    """At each point the mean of its triangles' normals, larger ones counting more."""
    sums = np.zeros_like(places)
    if len(corners):
        a, b, c = (places[corners[:, k]] for k in range(3))
        way = np.cross(b - a, c - a)
        for k in range(3):
            np.add.at(sums, corners[:, k], way)
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-30))


def _closed(places: Array, corners: npt.NDArray[np.int64]) -> bool:
    """Has the body no rim, and does every triangle go round the same way, seen from outside?"""
    if not 4 <= len(corners) <= CLOSED_MOST:
        return False
    _, number = np.unique(np.round(places * 1e6).astype(np.int64), axis=0, return_inverse=True)
    welded = number.reshape(-1)[corners]
    welded = welded[(welded != np.roll(welded, 1, axis=1)).all(axis=1)]
    ways = np.concatenate([welded[:, [0, 1]], welded[:, [1, 2]], welded[:, [2, 0]]])
    there = np.sort(ways[:, 0] * (len(places) + 1) + ways[:, 1])
    back = np.sort(ways[:, 1] * (len(places) + 1) + ways[:, 0])
    if len(there) != len(np.unique(there)) or (there != back).any():
        return False
    a, b, c = (places[corners[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) > 0


def main(words: list[str]) -> int:
    """Shape one file within the limits; 0 whatever comes of it."""
    import trimesh  # noqa: F401 -- read from disk before the clock starts

    warnings.simplefilter("ignore")
    film = Path(words[0]).suffix.lower() in VIDEOS
    limit(
        [
            ("RLIMIT_CORE", 0),
            ("RLIMIT_FSIZE", 0),
            ("RLIMIT_DATA", OCTETS),
            ("RLIMIT_CPU", VIDEO_SECONDS if film else 12),
        ]
    )
    if hasattr(signal, "alarm"):
        signal.alarm(VIDEO_SECONDS if film else SECONDS)
    try:
        answer = b"ok\n" + shape(Path(words[0]), words[1])
    except (Unshapely, Unreelable) as problem:
        answer = b"no\n" + str(problem).encode()
    except Refused as problem:
        answer = b"no\n" + f"it moves too long or too finely: {problem.message}".encode()
    except MemoryError:
        answer = b"no\n" + f"it needs more than {OCTETS >> 20} MB".encode()
    except Exception as problem:  # noqa: BLE001 -- a strange file ends in a sentence
        told = " ".join(f"{type(problem).__name__}: {problem}".split())[:160]
        answer = b"no\n" + f"it cannot be read ({told})".encode()
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    sys.stdout.buffer.write(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
