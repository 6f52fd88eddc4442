"""The light of each piece: small windows of weights, added pixel by pixel (LH 3.11).

A piece of a stroke covers the pixels between its two ends, each for the part that it truly covers,
so that pieces laid end to end neither overlap nor leave a gap. Weights are of the middle of a
pixel; a window that leaves its field is cut.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.beads import Beads
from holodesk.display.scene import F4

Index = npt.NDArray[np.intp]
Weigh = Callable[[Beads, F4, F4], F4]
SOFT: Final = np.float32(0.62)
"""How much of the half width of a stroke is its soft side."""
WINDOWS: Final = (3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 26, 34, 46, 64, 96, 140)
"""Half sizes of windows; a piece takes the smallest that holds it."""
CHUNK: Final = 100_000
"""Weights that are worked on at a time, so that they stay near the processor."""


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
    which = np.searchsorted(np.array(WINDOWS, np.float32), reach)
    for weigh, chosen in ((_strip, shown & ~disc), (_disc, shown & disc)):
        for number in np.unique(which[chosen]):
            k = WINDOWS[number]
            kept = np.flatnonzero(chosen & (which == number))
            step = max(1, CHUNK // (4 * k * k))
            for start in range(0, len(kept), step):
                yield _window(beads.some(kept[start : start + step]), field, k, weigh)


def _window(part: Beads, field: Field, k: int, weigh: Weigh) -> Stamp:
    """Windows of (rows, columns, pieces): pieces last, so that long runs lie side by side."""
    left = np.floor(part.x + np.float32(0.5)).astype(np.intp) - k
    top = np.floor(part.y + np.float32(0.5)).astype(np.intp) - k
    steps = np.arange(2 * k, dtype=np.float32)[:, None]
    dx = steps + (left - part.x + np.float32(0.5)).astype(np.float32)
    dy = steps + (top - part.y + np.float32(0.5)).astype(np.float32)
    weight = weigh(part, dx, dy)
    within = (left >= 0) & (top >= 0)
    within &= (left + 2 * k <= field.columns) & (top + 2 * k <= field.rows)
    if not within.all():
        columns = left + np.arange(2 * k)[:, None]
        rows = top + np.arange(2 * k)[:, None]
        weight *= (columns >= 0) & (columns < field.columns)
        weight *= ((rows >= 0) & (rows < field.rows))[:, None]
    start = (part.face * field.rows + top) * field.columns + left
    grid = (np.arange(2 * k)[:, None] * field.columns + np.arange(2 * k))[:, :, None]
    lit = np.flatnonzero(weight > 0)
    light = np.empty((3, lit.size), np.float32)
    for channel in range(3):
        np.take((weight * part.colour[channel]).reshape(-1), lit, out=light[channel])
    return Stamp((start + grid).reshape(-1)[lit], light)


def _disc(part: Beads, dx: F4, dy: F4) -> F4:
    away = np.add((dx * dx)[None, :, :], (dy * dy)[:, None, :])
    np.sqrt(away, out=away)
    return _profile(away, part.half)


def _strip(part: Beads, dx: F4, dy: F4) -> F4:
    """How much of a piece's light each pixel of its window gets: the part between its ends.

    Each end is cut along the line that halves the turn to its neighbour.
    """
    across = np.subtract((dy * part.along_x)[:, None, :], (dx * part.along_y)[None, :, :])
    along = np.add((dx * part.along_x)[None, :, :], (dy * part.along_y)[:, None, :])
    start = across * part.bend[0]
    np.subtract(along, start, out=start)
    along += across * part.bend[1]
    np.negative(along, out=along)
    np.minimum(along, start, out=along)
    along += part.length * np.float32(0.5) + np.float32(0.5)
    np.minimum(along, np.minimum(part.length, np.float32(1)), out=along)
    np.maximum(along, np.float32(0), out=along)
    np.abs(across, out=across)
    weight = _profile(across, part.half)
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
    area = np.where(
        beads.length < 0,
        np.float32(np.pi) * beads.half * beads.half,
        2 * beads.half * np.maximum(beads.length, 0),
    )
    strength = beads.glow * area / np.float32(coarse * coarse)
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
