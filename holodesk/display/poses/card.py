"""A unit of work as a lit frame: its title and status on every side (LH 3.8, 3.11).

Each side adds what its viewer may want: what must hold, where it belongs, how it went, the proof.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.lantern import Side, frame, rule, sides, veil, wrap
from holodesk.display.poses.light import PALE, floor_ring, hue, items, ring, text
from holodesk.display.scene import F4, Dots, Label, Scene, Strokes, dots, strokes

COLUMNS: Final[dict[str, float]] = {
    "Backlog": 215.0,
    "Ready": 185.0,
    "Building": 40.0,
    "QA": 275.0,
    "Review": 230.0,
    "Blocked": 358.0,
    "Done": 140.0,
}
"""The seven columns in their order, and the hue of each."""
HALF: Final = 0.66
REACH: Final = 0.70
SPAN: Final = (0.16, 1.58)
SOFT: Final = (0.55, 0.66, 0.74)


def card(object: Mapping[str, object], life: Life) -> Scene:
    """The lantern, its words, and a bead for each column."""
    status = text(object.get("status"), 16) or "Backlog"
    shade = COLUMNS.get(status, 200.0)
    breath = 0.5 + 0.5 * np.sin(1.1 * life.seconds)
    bright = (0.85 + 0.12 * breath) * (1 + 0.5 * float(np.clip(life.glow, -1, 1)))
    light = hue(np.float32(shade), np.float32(bright))
    still = hue(np.float32(shade), np.float32(0.95))
    around = sides(REACH, life.turn)
    marks, labels = _marks(around, status, life.seconds), []
    for number, side in enumerate(around):
        labels += _words(side, object, status, still, number)
    rules = [rule(side, HALF * 0.78, 1.02, light * 0.4) for side in around]
    pool = floor_ring(0, 0, 0.42, light * 0.22, 0.02)
    return Scene(
        (*frame(around, HALF, SPAN, light, life.seconds), *rules, pool, *marks[0]),
        (veil(around, HALF, SPAN, light * 0.09), *marks[1]),
        (),
        tuple(labels),
    )


def _words(
    side: Side, object: Mapping[str, object], status: str, light: F4, number: int
) -> list[Label]:
    red, green, blue = (float(part) * 1.05 for part in light)
    labels = [side.words(status.upper(), (0, 1.40), 0.085, (red, green, blue))]
    title = text(object.get("title"), 90) or "untitled"
    capital = 0.082
    lines = wrap(title, HALF * 1.72, capital, 9)
    if len(lines) > 2:
        capital = 0.062
        lines = wrap(title, HALF * 1.72, capital, 3)
    top = 1.155 + (len(lines) - 1) * 0.82 * capital
    for row, words in enumerate(lines):
        labels.append(side.words(words, (0, top - 1.62 * capital * row), capital, PALE))
    heading, told = _side_story(object, number)
    if told:
        labels.append(side.words(heading, (0, 0.90), 0.044, (red * 0.7, green * 0.7, blue * 0.7)))
    for row, words in enumerate(told[:4]):
        labels.append(side.words(words, (0, 0.79 - 0.105 * row), 0.056, SOFT))
    return labels


def _side_story(object: Mapping[str, object], number: int) -> tuple[str, list[str]]:
    """The heading and the lines that only this side shows."""
    if number == 2:
        told: list[str] = []
        for each in reversed(items(object.get("history"), 4)):
            if isinstance(each, Mapping):
                note, at = text(each.get("note"), 60), text(each.get("status"), 16)
                more = wrap(f"{at}: {note}" if note else at, HALF * 1.75, 0.056, 2)
                if len(told) + len(more) <= 4:
                    told = more + told
        return "how it went", told
    name, heading = (
        ("acceptance", "done when"),
        ("repository", "belongs to"),
        ("", ""),
        ("evidence", "evidence"),
    )[number]
    return heading, wrap(text(object.get(name), 140), HALF * 1.75, 0.056, 4)


def _marks(
    around: tuple[Side, ...], status: str, seconds: float
) -> tuple[tuple[Strokes, ...], tuple[Dots, ...]]:
    """A bead for each column along the foot of each side; the one it is in is ringed."""
    names = list(COLUMNS)
    at = np.linspace(-HALF * 0.66, HALF * 0.66, len(names))
    rings: list[Strokes] = []
    places, colours, sizes, facing = [], [], [], []
    for side in around:
        for name, across in zip(names, at, strict=True):
            here = name == status
            places.append(side.place(float(across), 0.32))
            colours.append(hue(np.float32(COLUMNS[name]), np.float32(1.2 if here else 0.30)))
            sizes.append(0.034 if here else 0.022)
            facing.append(side.facing)
            if here:
                reach = 0.062 + 0.006 * np.sin(2.2 * seconds)
                points = ring(places[-1], side.right * reach, (0, 0, reach), 28)
                light = hue(np.float32(COLUMNS[name]), np.float32(0.8))
                rings.append(strokes(points, width=0.016, colour=light, normal=side.facing))
    beads = dots(
        np.array(places), radius=sizes, colour=np.stack(colours), glow=1.0, normal=np.stack(facing)
    )
    return tuple(rings), (beads,)
