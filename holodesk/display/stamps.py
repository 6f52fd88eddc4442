"""The light of each piece: small windows of weights, added pixel by pixel (LH 3.11).

A piece of a stroke covers the pixels between its two ends, each for the part that it truly covers,
so that pieces laid end to end neither overlap nor leave a gap. Weights are of the middle of a
pixel; a window that leaves its field is cut. Of very many pieces the smallest are drawn on three by
three pixels, and each gives its bloom to one coarse pixel: detail goes before pictures do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.beads import Beads
from holodesk.display.scene import F4

Index = npt.NDArray[np.intp]
Weigh = Callable[[F4, F4, F4], F4]
SOFT: Final = np.float32(0.62)
"""How much of the half width of a stroke is its soft side."""
WINDOWS: Final = np.array([3, 4, 5, 6, 8, 12, 16, 20, 26, 34, 46, 64, 96, 140], np.float32)
"""Half sizes of windows; a piece takes the smallest that holds it."""
ROWS: Final = ("x", "y", "along_x", "along_y", "length", "half")
CHUNK: Final = 100_000
"""Weights that are worked on at a time, so that they stay near the processor."""
DENSE: Final = 9_000
"""So many small pieces for each face, and they are drawn plainly."""
SMALL: Final = np.float32(1.5)
"""Half width in pixels of a small piece, and how long it may be."""


@dataclass(frozen=True, slots=True)
class Field:
    """Equal rectangles of light, one for each face, in one flat array: `count` x rows x columns."""

    count: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False)
class Stamp:
    """Where light falls: flat places in a field, and the light there, (3, m)."""

    index: Index
    light: F4


def stamps(beads: Beads, field: Field) -> Iterator[Stamp]:
    """The core light of pieces whose x and y are places in their face's rectangle."""
    disc = beads.length < 0
    wide = beads.half + np.float32(0.5)
    slant = wide * np.abs(beads.bend).max(axis=0, initial=0.0)
    reach = np.hypot(beads.length * np.float32(0.5) + np.float32(0.5) + slant, wide)
    reach = np.where(disc, wide, reach)
    shown = (
        (beads.core > 0)
        & (reach < WINDOWS[-1])
        & (beads.x > -reach)
        & (beads.x < field.columns + reach)
        & (beads.y > -reach)
        & (beads.y < field.rows + reach)
    )
    small = shown & (beads.half <= SMALL) & (beads.length <= SMALL)
    if np.count_nonzero(small) > DENSE * field.count:
        shown &= ~small
        yield _plain(beads.some(np.flatnonzero(small)), field)
    which = np.searchsorted(WINDOWS, reach)
    kind = np.where(shown, which * 2 + disc, -1)
    table = np.stack([getattr(beads, name) for name in ROWS] + [*beads.bend, *beads.colour])
    for number in np.unique(kind[shown]):
        kept = np.flatnonzero(kind == number)
        k = int(WINDOWS[number // 2])
        step = max(1, CHUNK // (4 * k * k))
        for start in range(0, len(kept), step):
            some = kept[start : start + step]
            weigh = _disc if number % 2 else _strip
            yield _window(table[:, some], beads.face[some], field, k, weigh)


def _plain(beads: Beads, field: Field) -> Stamp:
    """Small pieces on three by three pixels, as much light as they truly have."""
    left, top = np.floor(beads.x).astype(np.intp), np.floor(beads.y).astype(np.intp)
    inside = (left > 0) & (top > 0) & (left < field.columns - 1) & (top < field.rows - 1)
    if not inside.all():
        beads, left, top = beads.some(inside), left[inside], top[inside]
    area = _area(beads)
    across, down = _thirds(beads.x - left), _thirds(beads.y - top)
    down *= area
    weight = np.minimum(down[:, None] * across[None], np.float32(1)).reshape(9, -1)
    start = (beads.face * field.rows + top) * field.columns + left
    steps = (np.arange(-1, 2)[:, None] * field.columns + np.arange(-1, 2)).reshape(9, 1)
    light = np.empty((3, weight.size), np.float32)
    for channel in range(3):
        np.multiply(weight, beads.colour[channel], out=light[channel].reshape(weight.shape))
    return Stamp((steps + start).reshape(-1), light)


def _thirds(place: F4) -> F4:
    """Shares (3, n) of the pixel before, the pixel itself and the one after; `place` is 0..1."""
    place = place.astype(np.float32)
    before = np.float32(0.5) * (1 - place) ** 2
    after = np.float32(0.5) * place**2
    return np.stack([before, 1 - before - after, after])


def _area(beads: Beads) -> F4:
    """Pixels that each piece covers."""
    return np.where(
        beads.length < 0,
        np.float32(np.pi) * beads.half * beads.half,
        2 * beads.half * np.maximum(beads.length, 0),
    )


def _window(rows_of: F4, face: Index, field: Field, k: int, weigh: Weigh) -> Stamp:
    """Windows of (rows, columns, pieces): pieces last, so that long runs lie side by side."""
    x, y = rows_of[0], rows_of[1]
    left = np.floor(x + np.float32(0.5)).astype(np.intp) - k
    top = np.floor(y + np.float32(0.5)).astype(np.intp) - k
    steps = np.arange(2 * k, dtype=np.float32)[:, None]
    dx = steps + (left - x + np.float32(0.5)).astype(np.float32)
    dy = steps + (top - y + np.float32(0.5)).astype(np.float32)
    weight = weigh(rows_of, dx, dy)
    within = (left >= 0) & (top >= 0)
    within &= (left + 2 * k <= field.columns) & (top + 2 * k <= field.rows)
    if not within.all():
        columns = left + np.arange(2 * k)[:, None]
        rows = top + np.arange(2 * k)[:, None]
        weight *= (columns >= 0) & (columns < field.columns)
        weight *= ((rows >= 0) & (rows < field.rows))[:, None]
    start = (face * field.rows + top) * field.columns + left
    grid = (np.arange(2 * k)[:, None] * field.columns + np.arange(2 * k))[:, :, None]
    lit = np.flatnonzero(weight > 0)
    light = np.empty((3, lit.size), np.float32)
    for channel, colour in enumerate(rows_of[-3:]):
        np.take((weight * colour).reshape(-1), lit, out=light[channel])
    return Stamp((start + grid).reshape(-1)[lit], light)


def _disc(rows: F4, dx: F4, dy: F4) -> F4:
    away = np.add((dx * dx)[None, :, :], (dy * dy)[:, None, :])
    np.sqrt(away, out=away)
    return _profile(away, rows[5])


def _strip(rows: F4, dx: F4, dy: F4) -> F4:
    """How much of a piece's light each pixel of its window gets: the part between its ends.

    Each end is cut along the line that halves the turn to its neighbour.
    """
    _, _, along_x, along_y, length, half, bend_a, bend_b = rows[:8]
    across = np.subtract((dy * along_x)[:, None, :], (dx * along_y)[None, :, :])
    along = np.add((dx * along_x)[None, :, :], (dy * along_y)[:, None, :])
    start = across * bend_a
    np.subtract(along, start, out=start)
    along += across * bend_b
    np.negative(along, out=along)
    np.minimum(along, start, out=along)
    along += length * np.float32(0.5) + np.float32(0.5)
    np.minimum(along, np.minimum(length, np.float32(1)), out=along)
    np.maximum(along, np.float32(0), out=along)
    np.abs(across, out=across)
    weight = _profile(across, half)
    weight *= along
    return weight


def _profile(away: F4, half: F4) -> F4:
    """Full in the middle, soft to the side, nothing half a pixel beyond the edge."""
    soft = np.maximum(half * SOFT, np.float32(1))
    thin = np.minimum(half * 2, np.float32(1))
    np.subtract(half + np.float32(0.5), away, out=away)
    np.multiply(away, thin / soft, out=away)
    np.minimum(away, thin, out=away)
    np.maximum(away, np.float32(0), out=away)
    return away


def seeds(beads: Beads, field: Field, coarse: int) -> Stamp:
    """Light for the bloom: each piece's whole light, shared by the four coarse pixels about it.

    The field is the coarse one; x and y are still in fine pixels.
    """
    area = _area(beads)
    strength = beads.glow * area / np.float32(coarse * coarse)
    if len(beads.x) > DENSE * field.count:
        return _gathered(beads, strength, field, np.float32(coarse))
    x = beads.x / np.float32(coarse) - np.float32(0.5)
    y = beads.y / np.float32(coarse) - np.float32(0.5)
    kept = np.flatnonzero(
        (strength > 1e-5) & (x >= 0) & (y >= 0) & (x < field.columns - 1) & (y < field.rows - 1)
    )
    x, y = x[kept], y[kept]
    column, row = x.astype(np.intp), y.astype(np.intp)
    right, down = x - column.astype(np.float32), y - row.astype(np.float32)
    start = (beads.face[kept] * field.rows + row) * field.columns + column
    light = beads.colour[:, kept] * strength[kept]
    lower = light * down
    upper = light - lower
    lower_right, upper_right = lower * right, upper * right
    return Stamp(
        np.concatenate([start, start + 1, start + field.columns, start + field.columns + 1]),
        np.concatenate(
            [upper - upper_right, upper_right, lower - lower_right, lower_right], axis=1
        ),
    )


def _gathered(beads: Beads, strength: F4, field: Field, coarse: np.float32) -> Stamp:
    """Each piece's light in the one coarse pixel that it lies in."""
    column, row = (beads.x / coarse).astype(np.intp), (beads.y / coarse).astype(np.intp)
    kept = (strength > 1e-5) & (beads.x >= 0) & (beads.y >= 0)
    kept &= (column < field.columns) & (row < field.rows)
    place = (beads.face * field.rows + row) * field.columns + column
    size = field.count * field.rows * field.columns
    chosen = np.flatnonzero(kept)
    place, strength = place[chosen], strength[chosen]
    light = np.empty((3, size), np.float32)
    for channel in range(3):
        light[channel] = np.bincount(place, beads.colour[channel][chosen] * strength, size)
    lit = np.flatnonzero(np.bincount(place, minlength=size))
    return Stamp(lit, light[:, lit])
