"""A model as light can draw it: places, colours and triangles in a plain normal form (decisions 7).

The largest side is 1, the middle stands on the axis, the lowest point on the floor; z is up, and
the front looks toward the front viewer. As octets: a mark, counts, then the arrays, little-endian.
"""

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from holodesk.display.scene import F4
from holodesk.errors import Refused

MARK: Final = b"holodesk model/1"
HEAD: Final = struct.Struct("<16sIII")
MOST_POINTS: Final = 1_000_000
MOST_TRIANGLES: Final = 500_000
SHOWN_TRIANGLES: Final = 12_000
SHOWN_POINTS: Final = 12_000
"""How much of a model is drawn; a finer one is thinned, and stays as fine in what is kept."""
FINEST_CELLS: Final = 512

U1 = npt.NDArray[np.uint8]
U4 = npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """`points` and `normals` (n, 3), `colours` (n, 3) of 0..255, `triangles` (m, 3) of points.

    Without triangles it is a cloud of points; a normal of zeros is one that nobody knows.
    A `closed` one has no rim, and its triangles go counter-clockwise seen from outside.
    """

    points: F4
    normals: F4
    colours: U1
    triangles: U4
    closed: bool = False


def encode(model: Model) -> bytes:
    """The one form of a model as octets."""
    head = HEAD.pack(MARK, len(model.points), len(model.triangles), int(model.closed))
    parts = (
        model.points.astype("<f4"),
        model.normals.astype("<f4"),
        model.triangles.astype("<u4"),
        model.colours.astype("u1"),
    )
    return head + b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def decode(octets: bytes) -> Model:
    """A model from its octets.

    Raises:
        Refused: anything else, or numbers out of their range.
    """
    if len(octets) < HEAD.size:
        raise _strange("too few octets")
    mark, count, faces, closed = HEAD.unpack_from(octets)
    if mark != MARK or closed > 1:
        raise _strange("another mark")
    if count > MOST_POINTS or faces > MOST_TRIANGLES:
        raise _strange(f"{count} points and {faces} triangles")
    if len(octets) != HEAD.size + count * 27 + faces * 12:
        raise _strange("octets that do not fit the counts")
    at = HEAD.size
    points = np.frombuffer(octets, "<f4", count * 3, at).reshape(-1, 3)
    normals = np.frombuffer(octets, "<f4", count * 3, at + count * 12).reshape(-1, 3)
    triangles = np.frombuffer(octets, "<u4", faces * 3, at + count * 24).reshape(-1, 3)
    colours = np.frombuffer(octets, "u1", count * 3, at + count * 24 + faces * 12).reshape(-1, 3)
    if not (np.isfinite(points).all() and np.isfinite(normals).all()):
        raise _strange("a number that is not finite")
    if np.abs(points).max(initial=0.0) > 1.001 or triangles.max(initial=0) >= max(count, 1):
        raise _strange("a place or a corner outside the model")
    return Model(points, normals, colours, triangles, bool(closed))


def _strange(found: str) -> Refused:
    return Refused("media", f"expected a model in its normal form, found {found}")


def thinned(model: Model, triangles: int = SHOWN_TRIANGLES, points: int = SHOWN_POINTS) -> Model:
    """The same body with at most so many triangles, or points where it has none.

    Points that share a cell of a grid become one, in the middle of them; always the same way.
    """
    if not len(model.triangles):
        return model if len(model.points) <= points else _gathered(model, points)
    if len(model.triangles) <= triangles:
        return model
    cells = (triangles / 3.2) ** 0.5
    made = _clustered(model, cells)
    for _ in range(5):
        found = len(made.triangles)
        if 0.8 * triangles <= found <= triangles:
            break
        cells = min(FINEST_CELLS, cells * (0.9 * triangles / max(found, 1)) ** 0.5)
        made = _clustered(model, cells)
    while len(made.triangles) > triangles:
        cells *= 0.85
        made = _clustered(model, cells)
    return made


def _gathered(model: Model, most: int) -> Model:
    """Every so manieth point, evenly over the list."""
    chosen = np.linspace(0, len(model.points) - 1, most).astype(np.intp)
    return Model(
        model.points[chosen], model.normals[chosen], model.colours[chosen], model.triangles
    )


def _clustered(model: Model, cells: float) -> Model:
    grid = np.floor((model.points + 1.0) * cells).astype(np.int64)
    key = (grid[:, 0] * 4096 + grid[:, 1]) * 4096 + grid[:, 2]
    _, number = np.unique(key, return_inverse=True)
    count = int(number.max()) + 1
    weight = np.bincount(number, minlength=count)[:, None]

    def middle(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        sums = [np.bincount(number, values[:, axis], count) for axis in range(3)]
        return np.asarray(np.stack(sums, axis=1) / weight)

    corners = number[model.triangles.astype(np.intp)]
    one, two, three = corners.T
    corners = corners[(one != two) & (two != three) & (three != one)]
    ordered = np.sort(corners, axis=1)
    key = (ordered[:, 0] * count + ordered[:, 1]) * count + ordered[:, 2]
    _, first = np.unique(key, return_index=True)
    return Model(
        middle(model.points).astype(np.float32),
        middle(model.normals).astype(np.float32),
        np.round(middle(model.colours)).astype(np.uint8),
        corners[np.sort(first)].astype(np.uint32),
    )
