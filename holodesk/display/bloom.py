"""Bloom: light that spreads about whatever emits it, near and wide, on a coarse grid (LH 3.11).

Pixels are gathered four by four, blurred there, and spread out again without steps.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from holodesk.display.scene import F4

NEAR: Final = 0.042
WIDE: Final = 0.15
"""Standard deviations of the two parts of the bloom, in units."""
FINE: Final = 1.26
"""Coarse pixels in a standard deviation of the near part."""
NEAR_SHARE: Final = np.float32(0.62)
WIDE_SHARE: Final = np.float32(0.5)
"""How much of a piece's light goes into each part, for a glow of 1."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The blur of one size of picture: taps of both parts, on the coarse grid and half of it."""

    near: tuple[float, ...]
    wide: tuple[float, ...]


def coarseness(unit_px: float) -> int:
    """Pixels of a coarse pixel, each way: as large as the near part of the bloom allows."""
    return max(1, round(NEAR * unit_px / FINE))


@lru_cache(maxsize=32)
def kernel(unit_px: float, coarse: int) -> Kernel:
    """The taps for a unit of this many pixels; each half-kernel begins at the middle."""
    return Kernel(_taps(NEAR * unit_px / coarse), _taps(WIDE * unit_px / coarse / 2))


def _taps(deviation: float) -> tuple[float, ...]:
    spread = max(0.35, deviation)
    reach = int(np.ceil(2.7 * spread))
    taps = np.exp(-0.5 * (np.arange(reach + 1) / spread) ** 2)
    return tuple(float(tap) for tap in taps / (2 * taps.sum() - taps[0]))


def bloom(seeds: F4, taps: Kernel) -> F4:
    """Blur light gathered on the coarse grid: (..., rows, columns), both even."""
    half = (
        seeds[..., 0::2, 0::2]
        + seeds[..., 1::2, 0::2]
        + seeds[..., 0::2, 1::2]
        + seeds[..., 1::2, 1::2]
    ) * np.float32(0.25)
    wide = spread(_blur(half, taps.wide), 2)
    near = _blur(seeds, taps.near)
    near *= NEAR_SHARE
    wide *= WIDE_SHARE
    near += wide
    return near


def _blur(light: F4, taps: tuple[float, ...]) -> F4:
    for axis in (-1, -2):
        out = light * np.float32(taps[0])
        size = light.shape[axis]
        for step, tap in enumerate(taps[1:], start=1):
            if step >= size:
                break
            part = light * np.float32(tap)
            low = _along(axis, slice(None, -step))
            high = _along(axis, slice(step, None))
            out[low] += part[high]
            out[high] += part[low]
        light = out
    return light


def _along(axis: int, part: slice) -> tuple[Any, ...]:
    return (..., part) if axis == -1 else (..., part, slice(None))


def spread(light: F4, times: int, out: F4 | None = None) -> F4:
    """Straight lines between the middles of coarse pixels; `times` finer each way.

    `out` must be contiguous. The second way goes plane by plane, so that each stays near the
    processor.
    """
    rows, columns = light.shape[-2:]
    if out is None:
        out = np.empty((*light.shape[:-2], rows * times, columns * times), np.float32)
    planes = np.ascontiguousarray(light.reshape(-1, rows, columns).transpose(0, 2, 1))
    turned = np.empty((len(planes), columns * times, rows), np.float32)
    _lines(planes, turned)
    wide = np.ascontiguousarray(turned.transpose(0, 2, 1))
    fine = out.reshape(-1, rows * times, columns * times)
    for plane, tall in zip(wide, fine, strict=True):
        _lines(plane, tall)
    return out


def _lines(light: F4, finer: F4) -> None:
    """Rows between rows: finer (..., rows * times, columns) from light (..., rows, columns).

    Each finer row is the one before it and one step more; beyond the outer middles it stays level.
    """
    rows, columns = light.shape[-2:]
    times = finer.shape[-2] // rows
    middle = times // 2
    step = (light[..., 1:, :] - light[..., :-1, :]) / np.float32(times)
    inner = finer[..., middle : middle + (rows - 1) * times, :]
    between = inner.reshape(*light.shape[:-2], rows - 1, times, columns)
    if times % 2:
        between[..., 0, :] = light[..., :-1, :]
    else:
        np.add(light[..., :-1, :], step * np.float32(0.5), out=between[..., 0, :])
    for phase in range(1, times):
        np.add(between[..., phase - 1, :], step, out=between[..., phase, :])
    finer[..., :middle, :] = light[..., :1, :]
    finer[..., middle + (rows - 1) * times :, :] = light[..., -1:, :]
