"""What is drawn side by side: one moving shape as points, as lines and as triangles."""

from collections.abc import Callable
from typing import Final

import numpy as np

from holodesk.display.scene import F4, Scene, dots, facets, strokes

COLOUR: Final = (0.20, 0.62, 0.80)
POINT: Final = 0.006
LINE: Final = 0.007
"""Radius of a point and width of a line, in units."""
HEIGHT: Final = 0.78
REACH: Final = 0.24

Moving = Callable[[float], F4]
"""The places of a shape at a moment, in units."""


def moving(model: str, count: int) -> Moving:
    """`count` primitives: points (n, 3), lines (n, 2, 3) or triangles (n, 3, 3)."""
    if model == "mesh":
        return lambda moment: _tube(count, moment)
    along = np.linspace(0, 2 * np.pi, count + 1, dtype=np.float32)[:-1]
    if model == "points":
        return lambda moment: _knot(along, moment)
    return lambda moment: _pairs(_knot(along, moment))


def scene(model: str, places: F4) -> Scene:
    """The shape as the display draws it."""
    if model == "points":
        return Scene(dots=(dots(places, radius=POINT, colour=COLOUR),))
    if model == "lines":
        return Scene(strokes=(strokes(places, width=LINE, colour=COLOUR),))
    return Scene(facets=(facets(places, colour=COLOUR, closed=True),))


def _pairs(points: F4) -> F4:
    return np.stack([points, np.roll(points, -1, axis=0)], axis=1)


def _knot(along: F4, moment: float) -> F4:
    ring = 2 + np.cos(3 * along + moment)
    places = [ring * np.cos(2 * along), ring * np.sin(2 * along), np.sin(3 * along + moment)]
    return np.stack(places, axis=-1).astype(np.float32) * np.float32(REACH) + _lift()


def _tube(count: int, moment: float) -> F4:
    around = max(3, round((count / 2 / 6) ** 0.5))
    along = -(-count // (2 * around))
    a, b = np.meshgrid(
        np.linspace(0, 2 * np.pi, along + 1), np.linspace(0, 2 * np.pi, around + 1), indexing="ij"
    )
    thick = 1 + 0.25 * np.sin(4 * a + moment)
    ring = 2 + thick * np.cos(b)
    grid = np.stack([ring * np.cos(a), ring * np.sin(a), thick * np.sin(b)], axis=-1)
    places: F4 = grid.astype(np.float32) * np.float32(REACH) + _lift()
    one, two, three, four = places[:-1, :-1], places[1:, :-1], places[1:, 1:], places[:-1, 1:]
    halves = np.stack([np.stack([one, two, three], 2), np.stack([one, three, four], 2)], 2)
    return np.ascontiguousarray(halves.reshape(-1, 3, 3)[:count])


def _lift() -> F4:
    return np.array([0, 0, HEIGHT], np.float32)
