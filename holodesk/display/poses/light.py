"""Colours of light and a few shapes that every pose shares (LH 3.11)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from holodesk.display.scene import F4, Strokes, Values, strokes

WARM: Final = (1.0, 0.72, 0.38)
PALE: Final = (0.78, 0.92, 1.0)
QUIET: Final = (0.30, 0.42, 0.50)
GOOD: Final = (0.36, 1.0, 0.58)
BAD: Final = (1.0, 0.34, 0.34)
STEPS: Final = 1440
LUMA: Final = np.array([0.26, 0.62, 0.12], np.float32)


def hue(degrees: Values, strength: Values = 1.0, white: float = 0.08) -> F4:
    """Light of a hue, (..., 3): about equally bright all round, a little white in it."""
    steps = np.asarray(degrees, np.float32) * np.float32(STEPS / 360)
    place = np.mod(steps.astype(np.int64), STEPS)
    light = _wheel(white)[place]
    return np.asarray(light * np.asarray(strength, np.float32)[..., None], np.float32)


@lru_cache(maxsize=32)
def _wheel(white: float) -> F4:
    """Every hue in quarter degrees, (STEPS, 3)."""
    turn = (np.arange(STEPS, dtype=np.float32) * np.float32(6 / STEPS))[:, None]
    rgb = np.clip(np.abs(np.mod(turn + np.array([0, 4, 2], np.float32), 6) - 3) - 1, 0, 1)
    rgb = rgb * rgb * (3 - 2 * rgb)
    rgb = rgb * np.float32(1 - white) + np.float32(white)
    level = (rgb * LUMA).sum(axis=-1, keepdims=True)
    rgb = rgb + np.float32(0.30) * np.maximum(np.float32(0.45) - level, 0)
    return np.asarray(rgb * (np.float32(0.98) / (level + np.float32(0.5))), np.float32)


def ring(centre: Values, across: Values, along: Values, count: int = 40, whole: float = 1.0) -> F4:
    """Points (count + 1, 3) round a centre; `across` and `along` are half axes, `whole` a share."""
    angle = np.linspace(0, 2 * np.pi * whole, count + 1, dtype=np.float32)[:, None]
    return np.asarray(
        np.asarray(centre, np.float32)
        + np.cos(angle) * np.asarray(across, np.float32)
        + np.sin(angle) * np.asarray(along, np.float32),
        np.float32,
    )


def line(one: Values, two: Values, count: int = 12) -> F4:
    """Points (count, 3) on a straight line."""
    share = np.linspace(0, 1, count, dtype=np.float32)[:, None]
    start, end = np.asarray(one, np.float32), np.asarray(two, np.float32)
    return np.asarray(start + (end - start) * share, np.float32)


def taper(count: int, begin: float = 0.3, end: float = 0.3) -> F4:
    """Widths along a stroke, thinner at both ends: shares of the full width, (count,)."""
    share = np.linspace(0, 1, count, dtype=np.float32)
    low = begin + (1 - begin) * np.minimum(1, share * 5)
    high = end + (1 - end) * np.minimum(1, (1 - share) * 5)
    return np.asarray(np.minimum(low, high), np.float32)


def floor_ring(x: float, y: float, radius: float, colour: Values, width: float = 0.016) -> Strokes:
    """A circle of light on the floor."""
    points = ring((x, y, 0.0), (radius, 0, 0), (0, radius, 0), 56)
    return strokes(points, width=width, colour=colour, glow=0.9)


def number(value: object, default: float, least: float, most: float) -> float:
    """A number from an object, kept in its range; anything else is the default."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    if value != value:
        return default
    return float(min(most, max(least, value)))


def member(value: object, name: str) -> Mapping[str, object]:
    """A member that is an object, or an empty one."""
    if isinstance(value, Mapping):
        found = value.get(name)
        if isinstance(found, Mapping):
            return found
    return {}


def text(value: object, most: int = 60) -> str:
    """A short line from a member; anything but text is nothing."""
    if not isinstance(value, str):
        return ""
    flat = " ".join(value[: most * 4].split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def items(value: object, most: int) -> list[object]:
    """The last items of a list, or none."""
    return list(value[-most:]) if isinstance(value, list | tuple) else []
