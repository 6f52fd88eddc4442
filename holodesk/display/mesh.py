"""Shaded triangles with depth: what is nearer hides what is farther (LH 3.11).

Every pixel keeps the nearest triangle as one number, depth above and colour's place below, so that
order never matters. Large triangles are quartered until they fit a small window.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.beads import BRIGHTEST, DEPTH_CUE, FAINTEST
from holodesk.display.ground import Ground
from holodesk.display.scene import F4, Facets
from holodesk.display.sheet import Sheet, View
from holodesk.display.stamps import Field, Index

WINDOWS: Final = (4, 8, 16, 32)
CHUNK: Final = 120_000
AMBIENT: Final = 0.28
BIAS: Final = np.float32(0.02)
"""Units that light may lie behind a surface and still be on it."""


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
    field = ground.field
    size = field.count * field.rows * field.columns
    nearest = np.zeros(size, np.uint64)
    shades = []
    base = 0
    for number in numbers:
        view = sheet.views[number]
        placed, depth = _placed(corners, view)
        placed -= np.array([ground.left[number], ground.top[number]], np.float32)
        shades.append(colour * _shade(corners, depth, view)[:, None])
        _nearest(placed, depth, base, number, field, nearest)
        base += len(corners)
    lit = np.flatnonzero(nearest)
    packed = nearest[lit]
    which = (packed & np.uint64(0xFFFFFFFF)).astype(np.intp)
    shade = np.concatenate(shades) * np.float32(sheet.light)
    for channel in range(3):
        light[channel][lit] -= shade[which, channel]
    depths = np.full(size, -np.inf, np.float32)
    depths[lit] = _unpack((packed >> np.uint64(32)).astype(np.uint32))
    return Depths(field, depths)


def _placed(corners: F4, view: View) -> tuple[F4, F4]:
    camera = view.camera.astype(np.float32)
    ahead = np.einsum("rc,mkc->mkr", camera[:, :3], corners) + camera[:, 3]
    return ahead[..., :2] / ahead[..., 3:], ahead[..., 2]


def _shade(corners: F4, depth: F4, view: View) -> F4:
    """Brighter toward the viewer; both sides of a triangle are lit."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.maximum(np.linalg.norm(normal, axis=1), 1e-9)
    facing = np.abs(normal @ view.toward.astype(np.float32)) / size
    near = np.clip(1 + DEPTH_CUE * depth.mean(axis=1), FAINTEST, BRIGHTEST)
    return np.asarray((AMBIENT + (1 - AMBIENT) * facing) * near, dtype=np.float32)


def _nearest(
    placed: F4, depth: F4, base: int, number: int, field: Field, nearest: npt.NDArray[np.uint64]
) -> None:
    """Let every triangle of one face claim its pixels."""
    which = np.arange(base, base + len(placed), dtype=np.uint64)
    while len(placed):
        low, high = placed.min(axis=1), placed.max(axis=1)
        shown = (high > 0).all(axis=1) & (low[:, 0] < field.columns) & (low[:, 1] < field.rows)
        shown &= np.isfinite(placed).all(axis=(1, 2))
        size = (high - low).max(axis=1) + 2
        small = shown & (size <= WINDOWS[-1])
        last = 0
        for window in WINDOWS:
            chosen = np.flatnonzero(small & (size > last) & (size <= window))
            last = window
            step = max(1, CHUNK // (window * window))
            for start in range(0, len(chosen), step):
                some = chosen[start : start + step]
                _claim(placed[some], depth[some], which[some], number, field, nearest, window)
        large = shown & ~small
        placed, depth, which = _quarter(placed[large], depth[large], which[large])


def _quarter(
    placed: F4, depth: F4, which: npt.NDArray[np.uint64]
) -> tuple[F4, F4, npt.NDArray[np.uint64]]:
    def split(corners: F4) -> F4:
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        half = np.float32(0.5)
        ab, bc, ca = (a + b) * half, (b + c) * half, (c + a) * half
        parts = ([a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca])
        return np.concatenate([np.stack(list(part), axis=1) for part in parts])

    return split(placed), split(depth), np.tile(which, 4)


def _claim(
    placed: F4,
    depth: F4,
    which: npt.NDArray[np.uint64],
    number: int,
    field: Field,
    nearest: npt.NDArray[np.uint64],
    window: int,
) -> None:
    corner = np.floor(placed.min(axis=1)).astype(np.intp)
    steps = np.arange(window, dtype=np.float32) + np.float32(0.5)
    x = corner[:, 0, None].astype(np.float32) + steps
    y = corner[:, 1, None].astype(np.float32) + steps
    a, b, c = placed[:, 0], placed[:, 1], placed[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    area = np.where(np.abs(area) < 1e-9, np.float32(1e-9), area)
    shares = []
    for one, two in ((b, c), (c, a), (a, b)):
        way = (two - one) / area[:, None]
        across = -way[:, 1, None] * (x - one[:, 0, None])
        along = way[:, 0, None] * (y - one[:, 1, None])
        shares.append(across[:, None, :] + along[:, :, None])
    edge = np.float32(-1e-4)
    hit = (shares[0] >= edge) & (shares[1] >= edge) & (shares[2] >= edge)
    columns = corner[:, 0, None] + np.arange(window)
    rows = corner[:, 1, None] + np.arange(window)
    hit &= ((columns >= 0) & (columns < field.columns))[:, None, :]
    hit &= ((rows >= 0) & (rows < field.rows))[:, :, None]
    lit = np.flatnonzero(hit)
    triangle = lit // (window * window)
    deep = sum(shares[k].reshape(-1)[lit] * depth[triangle, k] for k in range(3))
    flat = (number * field.rows + rows)[:, :, None] * field.columns + columns[:, None, :]
    packed = _pack(np.asarray(deep, np.float32)).astype(np.uint64) << np.uint64(32)
    np.maximum.at(nearest, flat.reshape(-1)[lit], packed | which[triangle])


def _pack(depth: F4) -> npt.NDArray[np.uint32]:
    """Floats as whole numbers in the same order, never 0."""
    bits = np.ascontiguousarray(depth, np.float32).view(np.uint32)
    negative = bits >> np.uint32(31) == 1
    return np.where(negative, ~bits, bits | np.uint32(0x80000000)) | np.uint32(1)


def _unpack(order: npt.NDArray[np.uint32]) -> F4:
    negative = order >> np.uint32(31) == 0
    bits = np.where(negative, ~order, order & np.uint32(0x7FFFFFFF)).astype(np.uint32)
    return bits.view(np.float32)
