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
    field = ground.field
    size = field.count * field.rows * field.columns
    nearest = np.zeros(size, np.uint64)
    shades = []
    base = 0
    for number in numbers:
        view = sheet.views[number]
        placed, depth, w = _placed(corners, view)
        placed -= np.array([ground.left[number], ground.top[number]], np.float32)
        shades.append(colour * _shade(normal, depth, view)[:, None])
        shown = np.flatnonzero(_shown(placed, w, field) & ~(closed & _turned_away(placed, view)))
        _fill(placed[shown], depth[shown], shown + base, number, field, nearest)
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


def _placed(corners: F4, view: View) -> tuple[F4, F4, F4]:
    """Pixels (m, 3, 2), depths (m, 3) and w (m, 3) of corners."""
    camera = view.camera.astype(np.float32)
    ahead = corners.reshape(-1, 3) @ camera[:, :3].T + camera[:, 3]
    ahead = ahead.reshape(-1, 3, 4)
    w = ahead[..., 3]
    flat = ahead[..., :2] / np.maximum(w, np.float32(NEAREST_W))[..., None]
    return flat, ahead[..., 2], w


def _shown(placed: F4, w: F4, field: Field) -> npt.NDArray[np.bool_]:
    """Which triangles are before the camera and reach into the field."""
    x, y = placed[..., 0], placed[..., 1]
    shown = (w > NEAREST_W).all(axis=1) & np.isfinite(placed).all(axis=(1, 2))
    shown &= (x.max(axis=1) > 0) & (x.min(axis=1) < field.columns)
    return np.asarray(shown & (y.max(axis=1) > 0) & (y.min(axis=1) < field.rows))


def _turned_away(placed: F4, view: View) -> npt.NDArray[np.bool_]:
    """Which triangles show their back; mirrored views turn the other way round."""
    side = view.toward
    up = np.cross(side, view.right)
    camera = view.camera
    test = np.array([[0, 0, 0.75], view.right * 0.01 + [0, 0, 0.75], up * 0.01 + [0, 0, 0.75]])
    ahead = test @ camera[:, :3].T + camera[:, 3]
    way = np.sign(_area((ahead[:, :2] / ahead[:, 3:])[None]))[0]
    return np.asarray(_area(placed) * np.float32(way) < 0)


def _area(placed: npt.NDArray[Any]) -> npt.NDArray[Any]:
    a, b, c = placed[:, 0], placed[:, 1], placed[:, 2]
    return np.asarray(
        (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    )


def _shade(normal: F4, depth: F4, view: View) -> F4:
    """Brighter toward the viewer; both sides of a triangle are lit."""
    facing = np.abs(normal @ view.toward.astype(np.float32))
    middle = (depth[:, 0] + depth[:, 1] + depth[:, 2]) * np.float32(1 / 3)
    near = np.clip(1 + DEPTH_CUE * middle, FAINTEST, BRIGHTEST)
    return np.asarray((AMBIENT + (1 - AMBIENT) * facing) * near, dtype=np.float32)


def _fill(placed: F4, depth: F4, which: Whole, number: int, field: Field, nearest: Kept) -> None:
    """Let every triangle of one face claim its pixels."""
    rank = np.argsort(placed[:, :, 1], axis=1)[:, :, None]
    placed = np.take_along_axis(placed, rank, axis=1)
    depth = np.take_along_axis(depth, rank[:, :, 0], axis=1)
    (xa, ya), (xb, yb), (xc, yc) = (placed[:, corner].T for corner in range(3))
    first = np.clip(np.ceil(ya - np.float32(0.5)), 0, field.rows).astype(np.intp)
    rows = np.clip(np.ceil(yc - np.float32(0.5)), 0, field.rows).astype(np.intp) - first
    across, down = _slopes(placed, depth)
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
    start = depth[triangle, 0] + down[triangle] * from_top
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


def _slopes(placed: F4, depth: F4) -> tuple[F4, F4]:
    """How depth grows with each pixel to the right and downward; flat for a sliver."""
    one, two = placed[:, 1] - placed[:, 0], placed[:, 2] - placed[:, 0]
    deep_one, deep_two = depth[:, 1] - depth[:, 0], depth[:, 2] - depth[:, 0]
    area = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    fine = np.abs(area) > 1e-6
    share = np.where(fine, 1 / np.where(fine, area, 1), 0).astype(np.float32)
    across = (deep_one * two[:, 1] - deep_two * one[:, 1]) * share
    down = (deep_two * one[:, 0] - deep_one * two[:, 0]) * share
    return np.asarray(across, np.float32), np.asarray(down, np.float32)
