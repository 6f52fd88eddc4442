"""Shaded triangles with depth: what is nearer hides what is farther (LH 3.11).

A triangle is filled row by row: from its left to its right edge, the middles of pixels that lie in
it, so that two that share an edge neither overlap nor leave a gap. Every pixel keeps the nearest
triangle as one number, depth above and colour's place below, so that order never matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from holodesk.display.beads import BRIGHTEST, DEPTH_CUE, FAINTEST
from holodesk.display.ground import Ground
from holodesk.display.scene import F4, Facets
from holodesk.display.sheet import Sheet, View
from holodesk.display.stamps import Field, Index

AMBIENT: Final = 0.28
BIAS: Final = np.float32(0.02)
"""Units that light may lie behind a surface and still be on it."""
DEEPEST: Final = 16.0
FINE: Final = float(1 << 26)
"""Depths are kept in whole steps of 1 / FINE from -DEEPEST on; 0 is nothing."""
NEAREST_W: Final = 0.05
CHUNK: Final = 400_000
"""Pixels that are worked on at a time."""

Whole = npt.NDArray[np.intp]
Kept = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Depths:
    """The nearest depth of every pixel of a field, -inf where there is no triangle."""

    field: Field
    nearest: F4

    def shows(self, face: Index, x: F4, y: F4, depth: F4) -> npt.NDArray[np.bool_]:
        """Which places are not hidden; a place outside its rectangle is not."""
        column = np.clip(x.astype(np.intp), 0, self.field.columns - 1)
        row = np.clip(y.astype(np.intp), 0, self.field.rows - 1)
        index = (face * self.field.rows + row) * self.field.columns + column
        return np.asarray(depth + BIAS >= self.nearest[index])


def cover(
    bundles: Sequence[Facets], sheet: Sheet, numbers: Sequence[int], ground: Ground, light: F4
) -> Depths | None:
    """Take the light of every triangle that shows from `light`; the depths they leave, or None."""
    many = [bundle for bundle in bundles if bundle.corners.size]
    if not many:
        return None
    corners = np.concatenate([bundle.corners for bundle in many])
    colour = np.concatenate([bundle.colour for bundle in many])
    closed = np.concatenate([np.full(len(bundle.corners), bundle.closed) for bundle in many])
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1, keepdims=True)), np.float32(1e-20))
    lines = np.ascontiguousarray(corners.transpose(2, 1, 0))
    field = ground.field
    size = field.count * field.rows * field.columns
    nearest = np.zeros(size, np.uint64)
    shades = []
    base = 0
    for number in numbers:
        view = sheet.views[number]
        x, y, depth, w = _placed(lines, view)
        x -= np.float32(ground.left[number])
        y -= np.float32(ground.top[number])
        shades.append(colour * _shade(normal, depth, view)[:, None])
        seen = _shown(x, y, w, field)
        if closed.any():
            seen &= ~(closed & _turned_away(x, y, view))
        shown = np.flatnonzero(seen)
        _fill((x[:, shown], y[:, shown], depth[:, shown]), shown + base, number, field, nearest)
        base += len(corners)
    lit = np.flatnonzero(nearest)
    packed = nearest[lit]
    which = (packed & np.uint64(0xFFFFFFFF)).astype(np.intp)
    shade = np.concatenate(shades) * np.float32(sheet.light)
    for channel in range(3):
        light[channel][lit] -= np.ascontiguousarray(shade[:, channel])[which]
    depths = np.full(size, -np.inf, np.float32)
    depths[lit] = (packed >> np.uint64(32)) / FINE - DEEPEST
    return Depths(field, depths)


def _placed(lines: F4, view: View) -> tuple[F4, F4, F4, F4]:
    """Columns, rows, depths and w, each (3, m), of corners given as (axis, corner, m)."""
    camera = view.camera.astype(np.float32)
    column, row, depth, w = (
        camera[line, 0] * lines[0]
        + camera[line, 1] * lines[1]
        + camera[line, 2] * lines[2]
        + camera[line, 3]
        for line in range(4)
    )
    share = 1 / np.maximum(w, np.float32(NEAREST_W))
    return column * share, row * share, depth, w


def _shown(x: F4, y: F4, w: F4, field: Field) -> npt.NDArray[np.bool_]:
    """Which triangles are before the camera and reach into the field; none that is not finite."""
    shown = _least(w) > NEAREST_W
    shown &= (_most(x) > 0) & (_least(x) < field.columns)
    shown &= (_most(y) > 0) & (_least(y) < field.rows)
    return np.asarray(shown & (_most(np.abs(x)) < 1e6) & (_most(np.abs(y)) < 1e6))


def _least(values: F4) -> F4:
    return np.asarray(np.minimum(np.minimum(values[0], values[1]), values[2]), np.float32)


def _most(values: F4) -> F4:
    return np.asarray(np.maximum(np.maximum(values[0], values[1]), values[2]), np.float32)


def _turned_away(x: F4, y: F4, view: View) -> npt.NDArray[np.bool_]:
    """Which triangles show their back; mirrored views turn the other way round."""
    up = np.cross(view.toward, view.right)
    camera = view.camera
    test = np.array([[0, 0, 0.75], view.right * 0.01 + [0, 0, 0.75], up * 0.01 + [0, 0, 0.75]])
    ahead = test @ camera[:, :3].T + camera[:, 3]
    flat = ahead[:, :2] / ahead[:, 3:]
    way = np.sign(_area(flat[:, 0], flat[:, 1]))
    return np.asarray(_area(x, y) * np.float32(way) < 0)


def _area(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]))


def _shade(normal: F4, depth: F4, view: View) -> F4:
    """Brighter toward the viewer; both sides of a triangle are lit."""
    facing = np.abs(normal @ view.toward.astype(np.float32))
    middle = (depth[0] + depth[1] + depth[2]) * np.float32(1 / 3)
    near = np.clip(1 + DEPTH_CUE * middle, FAINTEST, BRIGHTEST)
    return np.asarray((AMBIENT + (1 - AMBIENT) * facing) * near, dtype=np.float32)


def _fill(
    corners: tuple[F4, F4, F4], which: Whole, number: int, field: Field, nearest: Kept
) -> None:
    """Let every triangle of one face claim its pixels; columns, rows and depths are (3, m)."""
    across, down = _slopes(*corners)
    (xa, ya, deep), (xb, yb, _), (xc, yc, _) = _from_top(*corners)
    first = np.clip(np.ceil(ya - np.float32(0.5)), 0, field.rows).astype(np.intp)
    rows = np.clip(np.ceil(yc - np.float32(0.5)), 0, field.rows).astype(np.intp) - first
    triangle, step = _spread(rows)
    y = (first[triangle] + step + np.float32(0.5)).astype(np.float32)
    fall = np.maximum(yc - ya, np.float32(1e-9))
    upper, lower = np.maximum(yb - ya, np.float32(1e-9)), np.maximum(yc - yb, np.float32(1e-9))
    slope = (xc - xa) / fall, (xb - xa) / upper, (xc - xb) / lower
    from_top = y - ya[triangle]
    long = xa[triangle] + from_top * slope[0][triangle]
    above = y < yb[triangle]
    short = np.where(
        above,
        xa[triangle] + from_top * slope[1][triangle],
        xb[triangle] + (y - yb[triangle]) * slope[2][triangle],
    )
    left = np.ceil(np.minimum(long, short) - np.float32(0.5))
    right = np.ceil(np.maximum(long, short) - np.float32(0.5))
    left = np.clip(left, 0, field.columns).astype(np.intp)
    wide = np.clip(right, 0, field.columns).astype(np.intp) - left
    lean = across[triangle]
    start = deep[triangle] + down[triangle] * from_top
    start += lean * (left + np.float32(0.5) - xa[triangle])
    place = (number * field.rows + first[triangle] + step) * field.columns + left
    lines = _Lines(place, wide, start, lean, which[triangle].astype(np.uint64))
    _claim(lines, nearest)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Runs of pixels: place of the first, how many, its depth, depth a pixel, whose they are."""

    place: Whole
    wide: Whole
    depth: F4
    lean: F4
    which: Kept


def _claim(lines: _Lines, nearest: Kept) -> None:
    ends = np.cumsum(lines.wide)
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.searchsorted(ends, np.arange(CHUNK, total + CHUNK, CHUNK), side="right") + 1
    start = 0
    for cut in cuts.tolist():
        some = slice(start, cut)
        start = cut
        line, step = _spread(lines.wide[some])
        if not len(line):
            continue
        deep = lines.depth[some][line] + lines.lean[some][line] * step.astype(np.float32)
        steps = np.clip((deep + np.float32(DEEPEST)) * np.float32(FINE), 1, 2.0**31)
        packed = steps.astype(np.uint64)
        packed <<= np.uint64(32)
        packed |= lines.which[some][line]
        np.maximum.at(nearest, lines.place[some][line] + step, packed)


def _spread(counts: Whole) -> tuple[Whole, Whole]:
    """For each of `counts` things in a row: which it belongs to, and its number there."""
    counts = np.maximum(counts, 0)
    owner = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - np.repeat(begins, counts)


def _from_top(x: F4, y: F4, depth: F4) -> list[tuple[F4, F4, F4]]:
    """The three corners of every triangle from its highest to its lowest."""
    a, b, c = ((x[corner], y[corner], depth[corner]) for corner in range(3))
    a, b = _swapped(a, b)
    b, c = _swapped(b, c)
    a, b = _swapped(a, b)
    return [a, b, c]


def _swapped(
    one: tuple[F4, F4, F4], two: tuple[F4, F4, F4]
) -> tuple[tuple[F4, F4, F4], tuple[F4, F4, F4]]:
    below = one[1] > two[1]
    upper = tuple(np.where(below, b, a) for a, b in zip(one, two, strict=True))
    lower = tuple(np.where(below, a, b) for a, b in zip(one, two, strict=True))
    return (upper[0], upper[1], upper[2]), (lower[0], lower[1], lower[2])


def _slopes(x: F4, y: F4, depth: F4) -> tuple[F4, F4]:
    """How depth grows with each pixel to the right and downward; flat for a sliver."""
    one_x, two_x, one_y, two_y = x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]
    deep_one, deep_two = depth[1] - depth[0], depth[2] - depth[0]
    area = one_x * two_y - one_y * two_x
    fine = np.abs(area) > np.float32(1e-6)
    share = np.where(fine, 1 / np.where(fine, area, 1), 0).astype(np.float32)
    across = (deep_one * two_y - deep_two * one_y) * share
    down = (deep_two * one_x - deep_one * two_x) * share
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
