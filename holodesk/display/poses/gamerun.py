"""A game run: the last presses as a wheel of buttons, the trail of moves under it (LH 3.11)."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.lantern import Triple, sides
from holodesk.display.poses.light import PALE, WARM, hue, items, member, number, ring, text
from holodesk.display.scene import F4, Dots, Label, Scene, Strokes, Values, dots, strokes

SLOTS: Final = 24
WHEEL: Final = 0.66
HUB: Final = 0.92
"""Height of the wheel."""
LAST: Final = 1.27
"""Height of the last press."""
ASKANCE: Final = -0.8
"""A mark faces a little downward, so that one that stands edge-on is dark."""
MAP: Final = 0.10
"""Height of the trail of moves."""
MOVES: Final[dict[str, tuple[int, int]]] = {
    "up": (0, 1),
    "down": (0, -1),
    "left": (-1, 0),
    "right": (1, 0),
}
HUES: Final[dict[str, float]] = {"a": 140.0, "b": 5.0, "start": 45.0, "select": 280.0}
Flat = tuple[tuple[float, float], ...]
SHAPES: Final[dict[str, tuple[Flat, ...]]] = {
    "up": (((-0.62, 0.0), (0.0, 0.72), (0.62, 0.0)), ((0.0, 0.66), (0.0, -0.75))),
    "down": (((-0.62, 0.0), (0.0, -0.72), (0.62, 0.0)), ((0.0, -0.66), (0.0, 0.75))),
    "left": (((0.0, -0.62), (-0.72, 0.0), (0.0, 0.62)), ((-0.66, 0.0), (0.75, 0.0))),
    "right": (((0.0, -0.62), (0.72, 0.0), (0.0, 0.62)), ((0.66, 0.0), (-0.75, 0.0))),
    "a": (((-0.55, -0.7), (0.0, 0.75), (0.55, -0.7)), ((-0.34, -0.16), (0.34, -0.16))),
    "b": (
        ((-0.42, -0.7), (-0.42, 0.7), (0.18, 0.7), (0.42, 0.48), (0.42, 0.24), (0.18, 0.03)),
        ((-0.42, 0.03), (0.22, 0.03), (0.48, -0.2), (0.48, -0.46), (0.22, -0.7), (-0.42, -0.7)),
    ),
    "start": (((-0.4, -0.62), (0.62, 0.0), (-0.4, 0.62), (-0.4, -0.62)),),
    "select": (((-0.62, -0.4), (0.62, -0.4), (0.62, 0.4), (-0.62, 0.4), (-0.62, -0.4)),),
}
OTHER: Final[tuple[Flat, ...]] = (((-0.4, 0), (0, 0.4), (0.4, 0), (0, -0.4), (-0.4, 0)),)


def gamerun(object: Mapping[str, object], life: Life) -> Scene:
    """The wheel, the press in its middle, the badges, the trail, and what is being attempted."""
    gain = 1 + 0.5 * float(np.clip(life.glow, -1, 1))
    presses = _presses(object)
    turn = 9.0 * life.seconds + life.turn
    return (
        _wheel(presses, turn, gain)
        + _hub(presses, life, gain)
        + _trail(object, life.seconds, gain)
        + _progress(object, life.seconds, gain)
        + Scene(labels=tuple(_words(object)))
    )


def _presses(object: Mapping[str, object]) -> list[str]:
    """The last single presses, oldest first."""
    found: list[str] = []
    for each in items(object.get("recent"), SLOTS):
        if isinstance(each, Mapping):
            found += [text(name, 12).lower() for name in items(each.get("buttons"), 8)]
    if not found:
        last = member(object, "last")
        found = [text(name, 12).lower() for name in items(last.get("buttons"), 8)]
    return [name for name in found if name][-SLOTS:]


def _colour(name: str) -> F4:
    return hue(np.float32(HUES.get(name, 195.0 if name in MOVES else 225.0)))


def _pieces(name: str) -> list[F4]:
    """The straight pieces of a button's mark, each (2, 2), in shares of its size."""
    return [
        np.array([one, two], np.float32)
        for run in SHAPES.get(name, OTHER)
        for one, two in pairwise(run)
    ]


def _mark(
    name: str, centre: Values, right: F4, size: float, light: Values, width: float
) -> Strokes:
    flat = np.stack(_pieces(name)) * np.float32(size)
    up = np.array([0, 0, 1], np.float32)
    points = np.asarray(centre, np.float32) + flat[..., :1] * right + flat[..., 1:] * up
    facing = np.array([right[1], -right[0], ASKANCE], np.float32)
    return strokes(points, width=width, colour=light, glow=0.9, normal=facing)


def _wheel(presses: list[str], turn: float, gain: float) -> Scene:
    """Buttons standing round a rim, facing outward; the newest is the largest."""
    rim_light = hue(210.0, 0.22 * gain)
    marks: list[Strokes] = []
    coins: list[F4] = []
    lights: list[F4] = []
    for place, name in enumerate(reversed(presses)):
        angle = np.radians(turn - 90 - 360 * place / SLOTS)
        facing = np.array([np.cos(angle), np.sin(angle), 0], np.float32)
        right = np.array([-np.sin(angle), np.cos(angle), 0], np.float32)
        fresh = float(np.exp(-place / 7.0))
        light = _colour(name) * np.float32((0.30 + 0.85 * fresh) * gain)
        centre = facing * WHEEL + np.array([0, 0, HUB], np.float32)
        size = 0.044 + 0.018 * fresh
        marks.append(_mark(name, centre, right, size, light, 0.020 + 0.007 * fresh))
        reach = size * 1.5
        coins.append(ring(centre, right * reach, (0, 0, reach), 22))
        lights.append(light * np.float32(0.30))
    rims = [
        strokes(ring((0, 0, z), (WHEEL, 0, 0), (0, WHEEL, 0), 60), width=0.016, colour=rim_light)
        for z in (HUB - 0.15, HUB + 0.15)
    ]
    idle: tuple[Dots, ...] = ()
    if len(presses) < SLOTS:
        empty = np.radians(turn - 90 - 360 * np.arange(len(presses), SLOTS) / SLOTS)
        free = np.stack([WHEEL * np.cos(empty), WHEEL * np.sin(empty), 0 * empty + HUB], axis=1)
        idle = (dots(free, radius=0.013, colour=hue(205.0, 0.42 * gain), glow=1.0),)
    if coins:
        marks.append(strokes(np.stack(coins), width=0.014, colour=np.stack(lights)[:, None]))
    return Scene((*rims, *marks), idle)


def _hub(presses: list[str], life: Life, gain: float) -> Scene:
    """The last press, large, turned to every side."""
    if not presses:
        return Scene()
    beat = 1 + 0.05 * np.sin(2.4 * life.seconds)
    light = _colour(presses[-1]) * np.float32(0.95 * gain)
    marks = []
    for side in sides(0.07, life.turn):
        centre = side.middle + np.array([0, 0, LAST], np.float32)
        marks.append(_mark(presses[-1], centre, side.right, 0.15 * beat, light, 0.040))
    mist = dots((0, 0, LAST), radius=0.2, colour=light * np.float32(0.25), glow=1.0, mist=True)
    return Scene(tuple(marks), (mist,))


def _trail(object: Mapping[str, object], seconds: float, gain: float) -> Scene:
    """Steps from the presses, drawn backward from where it stands: up is away from the front."""
    at, steps = np.zeros(2), [np.zeros(2)]
    for each in reversed(items(object.get("recent"), SLOTS)):
        if not isinstance(each, Mapping):
            continue
        for name in reversed(items(each.get("buttons"), 8)):
            move = MOVES.get(text(name, 12).lower())
            if move:
                at = at - np.array(move)
                steps.append(at)
    string = np.array(steps[::-1])
    scale = min(0.095, 0.70 / max(1.0, float(np.abs(string).max())))
    points = np.concatenate([string * scale, np.full((len(string), 1), MAP)], axis=1)
    age = np.linspace(0.15, 1, len(points), dtype=np.float32)
    light = np.array(WARM, np.float32) * (age * np.float32(0.75 * gain))[:, None]
    made: list[Strokes] = []
    if len(points) > 1:
        made.append(strokes(points, width=0.016 + 0.012 * age, colour=light * 0.55, glow=0.9))
    beads: list[Dots] = [dots(points, radius=0.014 + 0.012 * age, colour=light, glow=1.1)]
    reach = 0.055 + 0.012 * np.sin(2.0 * seconds)
    here = ring((0, 0, MAP), (reach, 0, 0), (0, reach, 0), 26)
    made.append(strokes(here, width=0.018, colour=np.array(WARM) * 1.1 * gain))
    lines = np.linspace(-0.72, 0.72, 9, dtype=np.float32)
    grid = [[[x, -0.72, MAP - 0.02], [x, 0.72, MAP - 0.02]] for x in lines]
    grid += [[[-0.72, y, MAP - 0.02], [0.72, y, MAP - 0.02]] for y in lines]
    made.append(strokes(grid, width=0.012, colour=hue(215.0, 0.075 * gain), glow=0.8))
    return Scene(tuple(made), tuple(beads))


def _progress(object: Mapping[str, object], seconds: float, gain: float) -> Scene:
    """Eight lamps in a crown, lit for each badge; keys and the hall as brighter ones above."""
    progress = member(object, "progress")
    badges = int(number(progress.get("badge_count"), 0, 0, 8))
    angle = np.radians(-90 + 45 * np.arange(8) + 22.5)
    crown = np.stack([0.34 * np.cos(angle), 0.34 * np.sin(angle), np.full(8, 1.53)], axis=1)
    lit = np.arange(8) < badges
    glow = 0.85 + 0.2 * np.sin(1.7 * seconds + np.arange(8))
    light = np.where(lit[:, None], np.array(WARM) * glow[:, None], np.array([0.10, 0.14, 0.18]))
    lamps = dots(crown, radius=np.where(lit, 0.040, 0.026), colour=light * gain, glow=1.2)
    made = [lamps]
    if progress.get("hall_of_fame") is True:
        made.append(dots((0, 0, 1.60), radius=0.06, colour=np.array(PALE) * 1.4, glow=1.8))
    band = ring((0, 0, 1.53), (0.34, 0, 0), (0, 0.34, 0), 40)
    return Scene((strokes(band, width=0.012, colour=hue(40.0, 0.16 * gain)),), tuple(made))


def _words(object: Mapping[str, object]) -> list[Label]:
    """What it is doing, under the wheel; each side is told the same."""
    last, guidance = member(object, "last"), member(object, "guidance")
    made = []
    outcome = text(last.get("outcome"), 32)
    if outcome:
        made.append(_line(outcome, 0.585, 0.060, (0.80, 0.92, 1.0)))
    phase = text(object.get("phase"), 34)
    if phase:
        made.append(_line(phase, 0.475, 0.050, (1.0, 0.74, 0.42)))
    told = text(guidance.get("text"), 44) or text(guidance.get("map"), 30)
    if told:
        made.append(_line(told, 0.385, 0.044, (0.48, 0.58, 0.64)))
    count = int(number(object.get("decisions"), 0, 0, 1e12))
    progress = member(object, "progress")
    caught = int(number(progress.get("pokedex_caught"), 0, 0, 999))
    made.append(_line(f"{count} decisions  ·  {caught} caught", -0.05, 0.050, (0.46, 0.56, 0.62)))
    return made


def _line(words: str, above: float, height: float, colour: Triple) -> Label:
    return Label(words, (0.0, 0.0, above), height, colour, glow=0.2, fit=1.75)
