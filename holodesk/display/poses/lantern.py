"""A four-sided lantern: each side turned to its own viewer, with words on it (LH 3.11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from holodesk.display.poses.light import line, taper
from holodesk.display.scene import F4, Dots, Label, Strokes, Values, dots, strokes

Triple = tuple[float, float, float]
SIDES: Final = 4
CHARACTER: Final = 0.84
"""A character's usual width over the height of a capital."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side: its middle at the floor, the way its words run, and the way it faces."""

    middle: F4
    right: F4
    facing: F4

    def place(self, across: float, above: float) -> Triple:
        """A place on the side, from its middle and the floor."""
        x, y, _ = self.middle + self.right * np.float32(across)
        return float(x), float(y), float(above)

    def words(self, words: str, at: tuple[float, float], height: float, colour: Triple) -> Label:
        """A line of words lying on the side, centred."""
        x, y, z = (float(part) for part in self.right)
        return Label(words, self.place(*at), height, colour, right=(x, y, z), glow=0.22)


def sides(half: float, turn: float = 0.0) -> tuple[Side, ...]:
    """Front, right, back and left, `half` units from the axis, turned by degrees."""
    made = []
    for number in range(SIDES):
        angle = np.radians(-90 + 90 * number + turn)
        facing = np.array([np.cos(angle), np.sin(angle), 0], np.float32)
        right = np.array([-np.sin(angle), np.cos(angle), 0], np.float32)
        made.append(Side(facing * np.float32(half), right, facing))
    return tuple(made)


def panel(side: Side, half: float, span: tuple[float, float], corner: float = 0.13) -> F4:
    """The outline of a side with rounded corners, (p, 3); `span` is its foot and its head."""
    low, high = span
    centres = ((half, high, 0), (-half, high, 1), (-half, low, 2), (half, low, 3))
    angles = np.linspace(0, np.pi / 2, 10, dtype=np.float32)
    rows = []
    for x, z, quarter in centres:
        turn = angles + quarter * np.pi / 2
        across = x - np.sign(x) * corner + corner * np.cos(turn)
        above = z - corner * (1 if quarter < 2 else -1) + corner * np.sin(turn)
        rows.append(np.stack([across, above], axis=1))
    flat = np.concatenate([*rows, rows[0][:1]])
    even = _evenly(flat)
    up = np.array([0, 0, 1], np.float32)
    return np.asarray(side.middle + even[:, :1] * side.right + even[:, 1:] * up, np.float32)


def _evenly(flat: F4, step: float = 0.05) -> F4:
    """The same outline in steps of about this length."""
    length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(flat, axis=0).T))])
    at = np.linspace(0, length[-1], int(np.ceil(length[-1] / step)) + 1)
    return np.stack([np.interp(at, length, flat[:, k]) for k in (0, 1)], axis=1).astype(np.float32)


def frame(
    around: Sequence[Side], half: float, span: tuple[float, float], colour: Values, seconds: float
) -> tuple[Strokes, ...]:
    """The lit outline of every side, with a light that runs round it; dark from behind."""
    outlines = np.stack([panel(side, half, span) for side in around])
    facing = np.stack([side.facing for side in around])[:, None]
    step = np.linspace(0, 2 * np.pi, outlines.shape[1], dtype=np.float32)
    run = (0.5 + 0.5 * np.cos(step - 0.7 * seconds)) ** 12
    light = np.asarray(colour, np.float32) * (0.86 + 0.6 * run)[:, None]
    return (strokes(outlines, width=0.034, colour=light, glow=1.0, normal=facing),)


def veil(around: Sequence[Side], half: float, span: tuple[float, float], colour: Values) -> Dots:
    """A faint light over every side, so that words stand on something."""
    across = np.linspace(-half * 0.85, half * 0.85, 8, dtype=np.float32)
    above = np.linspace(span[0] + 0.1, span[1] - 0.1, 8, dtype=np.float32)
    grid = np.stack(np.meshgrid(across, above), axis=-1).reshape(-1, 2)
    up = np.array([0, 0, 1], np.float32)
    points = [side.middle + grid[:, :1] * side.right + grid[:, 1:] * up for side in around]
    facing = np.repeat(np.stack([side.facing for side in around]), len(grid), axis=0)
    return dots(
        np.concatenate(points), radius=0.045, colour=colour, glow=1.0, normal=facing, mist=True
    )


def rule(side: Side, half: float, above: float, colour: Values) -> Strokes:
    """A thin line across a side."""
    points = line(side.place(-half, above), side.place(half, above), 9)
    return strokes(points, width=0.016 * taper(9), colour=colour, glow=0.6, normal=side.facing)


def wrap(words: str, width: float, height: float, most: int) -> list[str]:
    """Words in lines no wider than about `width`, at most so many; the last may end in dots."""
    room = max(6, int(width / (height * CHARACTER)))
    lines: list[str] = []
    for word in words.split():
        part = word
        while len(part) > room:
            lines.append(part[: room - 1] + "-")
            part = part[room - 1 :]
        if lines and len(lines[-1]) + 1 + len(part) <= room and not lines[-1].endswith("-"):
            lines[-1] = f"{lines[-1]} {part}"
        else:
            lines.append(part)
    if len(lines) > most:
        lines = lines[:most]
        lines[-1] = lines[-1][: room - 1].rstrip() + "…"
    return lines
