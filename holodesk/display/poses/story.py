"""A story as a lit page that turns: the open page on every side, the others behind it (LH 3.11).

A long page is shown in parts, one after the other, so that words are never too small to read.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.lantern import Side, sides, wrap
from holodesk.display.poses.light import PALE, WARM, floor_ring, hue, items, number, taper, text
from holodesk.display.scene import F4, Label, Scene, Strokes, strokes

MOODS: Final[dict[str, float]] = {
    "calm": 200.0,
    "curious": 170.0,
    "playful": 45.0,
    "shy": 280.0,
    "startled": 10.0,
    "sad": 230.0,
    "happy": 55.0,
    "dark": 260.0,
    "warm": 30.0,
}
HALF: Final = 0.68
REACH: Final = 0.62
FOOT: Final = 0.22
HEAD: Final = 1.52
CAPITAL: Final = 0.062
ROWS: Final = 8
PART_SECONDS: Final = 9.0
"""How long one part of a long page stands."""


def story(object: Mapping[str, object], life: Life) -> Scene:
    """The open page, the pages behind it, and the title above."""
    pages = items(object.get("pages"), 4096)
    open_ = int(number(object.get("page"), 0, 0, max(0, len(pages) - 1)))
    page = pages[open_] if pages else {}
    mood = text(page.get("mood"), 20) if isinstance(page, Mapping) else ""
    words = text(page.get("text"), 600) if isinstance(page, Mapping) else text(page, 600)
    shade = MOODS.get(mood, 38.0 if not mood else float(sum(map(ord, mood)) * 37 % 360))
    bright = 0.85 * (1 + 0.5 * float(np.clip(life.glow, -1, 1)))
    light = hue(np.float32(shade), np.float32(bright), 0.2)
    still = hue(np.float32(shade), np.float32(0.85), 0.2)
    around = sides(REACH, life.turn)
    lines = wrap(words, HALF * 1.7, CAPITAL, 64) or ["…"]
    parts = [lines[k : k + ROWS] for k in range(0, len(lines), ROWS)]
    now = int(life.seconds / PART_SECONDS) % len(parts)
    labels: list[Label] = []
    for side in around:
        labels += _words(side, object, parts[now], still)
        place = f"{open_ + 1} / {max(1, len(pages))}" + (
            f"  ·  {'•' * (now + 1)}{'·' * (len(parts) - now - 1)}" if len(parts) > 1 else ""
        )
        labels.append(side.words(place, (0, FOOT + 0.075), 0.044, (0.45, 0.5, 0.55)))
    behind = min(4, max(1, len(pages) - 1))
    return Scene(
        (
            *_sheets(around, behind, light, life.seconds),
            *_ribbon(life),
            floor_ring(0, 0, 0.44, light * 0.22, 0.02),
        ),
        (),
        (),
        tuple(labels),
    )


def _words(side: Side, object: Mapping[str, object], lines: list[str], light: F4) -> list[Label]:
    red, green, blue = (float(part) for part in light)
    title = text(object.get("title"), 44) or "a story"
    heading = side.words(title, (0, HEAD - 0.17), 0.068, (red, green, blue))
    labels = [heading]
    middle = (HEAD - 0.24 + FOOT + 0.14) / 2
    top = middle + (len(lines) - 1) * 0.0575
    for row, words in enumerate(lines):
        labels.append(side.words(words, (0, top - 0.115 * row - 0.03), CAPITAL, PALE))
    return labels


def _sheets(
    around: tuple[Side, ...], behind: int, light: F4, seconds: float
) -> tuple[Strokes, ...]:
    """The edge of the open page on each side, and the leaves behind it, one of them lifting."""
    made: list[Strokes] = []
    edge = _edge()
    for side in around:
        lift = np.maximum(0, np.sin(0.33 * seconds + side.facing[0])) ** 8
        points = _bent(side, edge, 0.0, 0.05)
        made.append(strokes(points, width=0.032, colour=light * 0.95, glow=1.1, normal=side.facing))
        for leaf in range(1, behind + 1):
            curl = 0.05 + (0.30 * lift if leaf == 1 else 0.0)
            shrunk = _bent(side, edge * (1 - 0.015 * leaf), -0.05 * leaf, curl)
            made.append(
                strokes(
                    shrunk,
                    width=0.014,
                    colour=light * (0.34 / leaf),
                    glow=0.8,
                    normal=side.facing,
                )
            )
        spine = np.array(
            [side.middle * 1.0 + np.array([0, 0, z]) for z in np.linspace(FOOT, FOOT + 0.04, 3)]
        )
        made.append(strokes(spine, width=0.02 * taper(3), colour=light * 0.4, normal=side.facing))
    return tuple(made)


def _ribbon(life: Life) -> tuple[Strokes, ...]:
    """The bookmark: one ribbon, hanging at one corner, so that no two sides are alike."""
    s = np.linspace(0, 1, 22, dtype=np.float32)
    corner = np.radians(-47.0 + life.turn)
    out = 0.93 + 0.04 * np.sin(3.4 * s + 0.7 * life.seconds) * s
    drift = corner + 0.05 * s * np.sin(2.6 * s + 0.5 * life.seconds)
    above = HEAD + 0.05 - (HEAD - 0.12) * s * (1.02 + 0.05 * s)
    run = np.stack([out * np.cos(drift), out * np.sin(drift), above], axis=1)
    colour = np.array(WARM, np.float32) * np.float32(0.62)
    return (
        strokes(run, width=0.034 * taper(22, 0.5, 0.6), colour=colour, glow=0.9),
        strokes(run[-2:], width=0.060, colour=colour, glow=0.9),
    )


def _edge() -> F4:
    """Across and above round a page, (p, 2), -1..1 each."""
    run = np.linspace(-1, 1, 15)
    rows = [
        np.stack([run, 0 * run + 1], axis=1),
        np.stack([0 * run + 1, -run], axis=1),
        np.stack([-run, 0 * run - 1], axis=1),
        np.stack([0 * run - 1, run], axis=1),
    ]
    return np.concatenate(rows).astype(np.float32)


def _bent(side: Side, edge: F4, back: float, curl: float) -> F4:
    """A page in space: bowed outward at its fore edge, a little dipped in the middle."""
    across, above = edge[:, 0], edge[:, 1]
    bow = curl * (across * across - 0.4) - 0.5 * curl * (across > 0.3) * (across - 0.3)
    height = (FOOT + HEAD) / 2 + above * (HEAD - FOOT) / 2 - 0.02 * across * across * (above > 0)
    up = np.array([0, 0, 1], np.float32)
    return np.asarray(
        side.middle
        + across[:, None] * HALF * side.right
        + (back + bow)[:, None] * side.facing
        + height[:, None] * up,
        np.float32,
    )
