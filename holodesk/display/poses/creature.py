"""A deep-water animal drawn in light, and never the same from two sides (LH 3.11).

A bell of ribs that breathes, one beaded arm on its left only, one eye that looks where it faces,
cilia, drifting motes. Temper moves hue, tempo and spread; growth adds ribs and beads; what it
remembers hangs on the arm in order; a trail of beads shows where it has been.
"""

from collections.abc import Mapping

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.body import (
    LIFT,
    RADIUS,
    RIM,
    STAGE,
    TALL,
    Body,
    Curve,
    embody,
    placed,
    skin,
)
from holodesk.display.poses.light import WARM, floor_ring, hue, items, member, number, ring, taper
from holodesk.display.scene import F4, Dots, Label, Scene, Strokes, dots, strokes


def creature(object: Mapping[str, object], life: Life) -> Scene:
    """The animal, its trail and what it remembers."""
    body = embody(object, life)
    arm = _arm_line(body)
    parts = Scene(
        (*_bell(body), *_eye_strokes(body), *_arm(body, arm), *_cilia(body), *_pool(body)),
        (*_heart(body), *_eye_dots(body), *_beads(body, arm), *_motes(body)),
    )
    memories = items(object.get("memories"), 12)
    whole = parts + _memories(body, arm, memories) + _trail(body, object) + _wake(body, life)
    if life.words:
        at = body.centre + np.array([0, 0, RIM + TALL + 0.06])
        place = (float(at[0]), float(at[1]), float(min(1.62, at[2])))
        spoken = Label(life.words[:40], place, 0.075, (0.9, 0.86, 0.7))
        whole += Scene(labels=(spoken,))
    return whole


def _rib_angles(body: Body) -> F4:
    """About a dozen, parted in front to leave room for the eye."""
    count = 10 + round(8 * body.growth)
    even = (np.arange(count, dtype=np.float32) + 0.5) / count * 2 * np.pi
    return np.asarray(even + 0.30 * np.sin(even), np.float32)


def _bell(body: Body) -> tuple[Strokes, ...]:
    u = _rib_angles(body)[:, None]
    steps = 18
    v = np.linspace(0.035, 1.0, steps, dtype=np.float32)[None]
    points = skin(body, u + 0.05 * np.sin(2.2 * v + body.seconds * 0.6 + u), v + 0 * u)
    wave = np.sin(5.5 * v - 1.7 * body.phase / (1 + body.energy) - 1.6 * u) ** 4
    strength = (0.34 + 0.5 * v**1.6 + 0.55 * wave * v) * body.bright
    shade = body.hue + 34 * v - 18 * wave + 9 * np.sin(u)
    width = (0.016 + 0.021 * np.sin(np.pi * v**0.8)) * taper(steps, 0.25, 0.75)
    ribs = strokes(points, width=width, colour=hue(shade, strength), glow=1.0)
    around = np.linspace(0, 2 * np.pi, 73, dtype=np.float32)
    scallop = 1.0 - 0.035 * np.abs(np.sin(around * len(u) / 2))
    rim = strokes(
        skin(body, around, scallop),
        width=0.017,
        colour=hue(body.hue + 40, 0.40 * body.bright),
        glow=1.0,
    )
    bands = np.array([[0.34], [0.66]], np.float32)
    veil = strokes(
        skin(body, around[None] + 0 * bands, bands + 0.012 * np.sin(around * 5)[None]),
        width=0.012,
        colour=hue(body.hue + 12, 0.11 * body.bright),
        glow=1.0,
    )
    return ribs, rim, veil


def _heart(body: Body) -> tuple[Dots, ...]:
    """What shines inside: the skin as mist, a warm heart, and a light at the end of each rib."""
    count = 170
    k = np.arange(count, dtype=np.float32)
    v = np.sqrt((k + 0.5) / count)
    film = dots(
        skin(body, k * np.float32(2.399963), v),
        radius=0.030,
        colour=hue(body.hue + 25 * v, (0.20 + 0.25 * v) * body.bright),
        glow=1.0,
        mist=True,
    )
    beat = 0.5 + 0.5 * np.sin(2 * body.phase)
    lobes = np.arange(4) * np.pi / 2 + 0.6
    reach = 0.105 + 0.012 * beat
    heart = dots(
        placed(body, reach * np.cos(lobes), reach * np.sin(lobes), RIM + 0.30 + 0 * lobes),
        radius=0.052 + 0.008 * beat,
        colour=hue(body.hue + 130, (0.30 + 0.22 * beat) * body.bright, 0.2),
        glow=2.2,
    )
    u = _rib_angles(body)
    ends = dots(
        skin(body, u, 1.0 + 0 * u),
        radius=0.026,
        colour=hue(body.hue + 58, (0.8 + 0.3 * np.sin(u * 3 - body.phase)) * body.bright, 0.25),
        glow=1.3,
    )
    crown = dots(
        skin(body, np.zeros(1, np.float32), np.zeros(1, np.float32)),
        radius=0.026,
        colour=hue(body.hue + 8, 0.8 * body.bright, 0.3),
    )
    back = np.pi + np.array([[-0.17], [0.17]], np.float32)
    rows = np.linspace(0.30, 0.80, 5, dtype=np.float32)
    marks = dots(
        skin(body, back * (1 + 0 * rows), rows + 0 * back).reshape(-1, 3),
        radius=np.tile(0.015 + 0.012 * rows, 2),
        colour=hue(body.hue - 62, 0.75 * body.bright, 0.1),
        normal=-body.forward,
    )
    return film, heart, ends, crown, marks


def _eye(body: Body) -> tuple[F4, F4, F4, float, float]:
    """Its middle, the way it lies (left, up), how far it is open, and its radius."""
    radius = 0.118 * (1 + 0.12 * body.startle)
    middle = skin(body, np.zeros(1, np.float32), np.full(1, 0.60, np.float32))[0]
    middle = middle + np.float32(0.035) * body.forward
    tall = body.up - np.float32(0.22) * body.forward
    since = np.mod(body.seconds * (0.7 + 0.5 * body.energy) + 2.2, 5.3)
    blink = 1 - np.exp(-(((since - 0.2) / 0.11) ** 2))
    opened = body.mood.eye * (0.12 + 0.88 * blink) * (1 + 0.25 * body.startle)
    return middle, body.left, tall, float(min(1.25, opened)), radius


def _eye_strokes(body: Body) -> tuple[Strokes, ...]:
    middle, left, tall, opened, radius = _eye(body)
    look = _gaze(body)
    lid = strokes(
        ring(middle, left * radius * 1.12, tall * radius * min(1.0, opened) * 0.98, 64),
        width=0.028,
        colour=hue(body.hue + 30, 1.30 * body.bright, 0.45),
        glow=0.7,
        normal=body.forward,
    )
    centre = middle + (look[0] * left + look[1] * tall) * radius + 0.012 * body.forward
    shares = np.array([0.30, 0.40, 0.50], np.float32)
    half = radius * min(1.0, opened)
    iris = strokes(
        np.stack([ring(centre, left * radius * k, tall * half * k, 26) for k in shares]),
        width=0.017,
        colour=np.array(WARM, np.float32) * np.float32(1.25 * body.bright),
        glow=1.4,
        normal=body.forward,
    )
    return lid, iris


def _gaze(body: Body) -> tuple[float, float]:
    """Small jumps of the eye, then rest: shares of its radius."""
    beat = np.floor(body.seconds * 0.55)
    away = 0.24 if body.mood.tilt > 0.1 else 0.14
    return float(away * np.sin(beat * 12.9898)), float(0.10 * np.sin(beat * 78.233))


def _eye_dots(body: Body) -> tuple[Dots, ...]:
    middle, left, tall, opened, radius = _eye(body)
    glint = middle + radius * (0.30 * left + 0.34 * min(1.0, opened) * tall) + 0.02 * body.forward
    return (
        dots(
            glint,
            radius=0.024,
            colour=np.float32(2.2 * body.bright),
            glow=1.4,
            normal=body.forward,
        ),
    )


def _arm_line(body: Body) -> F4:
    """The one long arm: from the left of the rim down, and curled up at its tip, (p, 3).

    A path of even steps whose direction turns: it sways on the way down, then winds inward.
    """
    s = np.linspace(0, 1, 44, dtype=np.float32)
    t, sway = body.seconds, body.mood.sway
    wind = np.clip((s - 0.58) / 0.42, 0, 1) ** 1.7 * (5.3 + 0.35 * np.sin(0.7 * t))
    angle = 0.30 * sway * np.sin(3.0 * s - 0.9 * t) * s - 0.28 * np.cos(2.6 * s) + wind
    plane = 0.45 + 0.5 * s + 0.25 * np.sin(0.31 * t)
    reach = (RIM - 0.06 + 0.9 * body.centre[2]) * 1.30 / (len(s) - 1)
    inward = np.cumsum(np.sin(angle)) * reach
    above = RIM - 0.01 - np.cumsum(np.cos(angle)) * reach
    above = np.maximum(above, 0.11 - 0.9 * body.centre[2])
    out = RADIUS * body.spread * (0.93 - 0.06 * body.breath)
    return placed(body, inward * np.sin(plane), out - inward * np.cos(plane) * 0.8, above)


def _arm(body: Body, arm: F4) -> tuple[Strokes, ...]:
    s = np.linspace(0, 1, len(arm), dtype=np.float32)
    return (
        strokes(
            arm,
            width=0.040 - 0.020 * s,
            colour=hue(body.hue + 50 + 36 * s, (0.60 - 0.2 * s) * body.bright, 0.12),
            glow=0.9,
        ),
    )


def _beads(body: Body, arm: F4) -> tuple[Dots, ...]:
    """Beads on the arm, the last one a lantern; a light runs down them now and then."""
    count = 9 + round(9 * body.growth)
    s = (np.arange(count, dtype=np.float32) + 1) / count
    run = np.exp(-(((s - np.mod(body.phase / (2 * np.pi), 1.6)) / 0.10) ** 2))
    places = _along(arm, s)
    size = (0.036 - 0.013 * s) * (1 + 0.25 * run)
    size[-1] = 0.046
    strength = (0.75 + 0.7 * run) * body.bright
    strength[-1] = 1.5 * body.bright
    shade = body.hue + 60 + 30 * s
    return (dots(places, radius=size, colour=hue(shade, strength, 0.22), glow=1.3),)


def _along(arm: F4, share: Curve) -> F4:
    at = np.clip(share, 0, 1) * (len(arm) - 1)
    low = np.minimum(at.astype(np.intp), len(arm) - 2)
    part = (at - low)[:, None]
    return np.asarray(arm[low] * (1 - part) + arm[low + 1] * part, np.float32)


def _cilia(body: Body) -> tuple[Strokes, ...]:
    """Short hairs all round the rim, and four longer frills under the bell."""
    count = 34 + round(14 * body.growth)
    k = np.arange(count, dtype=np.float32)[:, None]
    u = (k + 0.5 * np.sin(k * 7.1)) / count * 2 * np.pi
    s = np.linspace(0, 1, 6, dtype=np.float32)[None]
    long = 0.13 + 0.055 * np.sin(k * 12.99) ** 2
    drift = 0.05 * s * np.sin(2.0 * body.seconds * (0.5 + body.energy) + u * 3 + 2 * s)
    out = RADIUS * body.spread * (0.985 - 0.10 * body.breath - 0.16 * s * s) + drift
    hairs = strokes(
        placed(body, out * np.cos(u + drift), out * np.sin(u + drift), RIM - long * s),
        width=0.0165 - 0.005 * s,
        colour=hue(body.hue + 44 + 20 * s, (0.42 - 0.32 * s) * body.bright),
        glow=0.8,
    )
    u = np.array([[0.5], [2.2], [3.6], [5.3]], np.float32)
    s = np.linspace(0, 1, 22, dtype=np.float32)[None]
    wave = np.sin(9 * s - 1.2 * body.seconds * (0.6 + body.energy) + 2 * u)
    out = 0.10 + 0.05 * s + 0.045 * s * wave
    turn = u + 0.9 * s + 0.25 * np.sin(0.3 * body.seconds)
    frills = strokes(
        placed(body, out * np.cos(turn), out * np.sin(turn), RIM + 0.26 - 0.66 * s),
        width=(0.030 - 0.016 * s) * (1 + 0.35 * wave),
        colour=hue(body.hue + 100 + 30 * s, (0.34 - 0.24 * s) * body.bright, 0.15),
        glow=1.2,
    )
    return hairs, frills


def _motes(body: Body) -> tuple[Dots, ...]:
    """A few lit specks that drift about, each on its own path."""
    k = np.arange(16, dtype=np.float32)
    t = body.seconds
    x = 0.86 * np.sin(k * 2.4 + 0.06 * t * (1 + 0.3 * np.sin(k)))
    y = 0.70 * np.cos(k * 1.7 + 0.05 * t)
    z = np.mod(0.21 * k + 0.022 * t * (1 + 0.4 * np.cos(3 * k)), 1.45) + 0.12
    light = 0.32 * (0.5 + 0.5 * np.sin(1.1 * t + k * 2.1)) * np.sin(np.pi * (z - 0.12) / 1.45)
    return (
        dots(
            np.stack([x, y, z], axis=1),
            radius=0.011 + 0.006 * np.sin(k * 5.3) ** 2,
            colour=hue(body.hue + 20 * np.sin(k), light * body.bright, 0.4),
            glow=1.6,
        ),
    )


def _pool(body: Body) -> tuple[Strokes, ...]:
    """Its light on the floor."""
    x, y = float(body.centre[0]), float(body.centre[1])
    wide = 0.34 * body.spread * (1 - 0.05 * body.breath)
    inner = floor_ring(x, y, wide * 0.52, hue(body.hue + 20, 0.20 * body.bright), 0.018)
    outer = floor_ring(x, y, wide, hue(body.hue + 10, 0.13 * body.bright), 0.022)
    return inner, outer


def _memories(body: Body, arm: F4, memories: list[object]) -> Scene:
    """Small marks that hang on the arm, the oldest highest; heavier ones are larger."""
    count = len(memories)
    if not count:
        return Scene()
    share = 0.06 + 0.60 * (np.arange(count, dtype=np.float32) + 0.5) / max(5, count)
    places = _along(arm, share)
    weights = [number(member({"m": each}, "m").get("weight"), 2, 1, 5) for each in memories]
    size = (0.015 + 0.005 * np.array(weights, np.float32))[:, None]
    swing = 0.3 * np.sin(1.1 * body.seconds + 1.7 * np.arange(count))[:, None]
    down = np.array([0, 0, -1], np.float32)
    hang = body.left * 0.75 + down * 0.65 + swing * body.forward
    ends = places + hang * (0.045 + size)
    side = body.forward * 0.8 - 0.5 * down
    corners = np.array([[-1, 0], [0, -1], [1, 0], [0, 1], [-1, 0]], np.float32)
    loop = corners[None, :, 0, None] * hang[:, None] + corners[None, :, 1, None] * side
    warm = np.array(WARM, np.float32)
    stems = strokes(
        np.stack([places, (places + ends) / 2, ends - hang * size], axis=1),
        width=0.012,
        colour=warm * np.float32(0.45 * body.bright),
    )
    marks = strokes(
        ends[:, None] + loop * size[:, :, None],
        width=0.017,
        colour=warm * np.float32(1.0 * body.bright),
        glow=0.8,
    )
    return Scene((stems, marks))


def _wake(body: Body, life: Life) -> Scene:
    """The water it just went through: a thread that fades behind it, from the last few seconds."""
    if len(life.wake) < 2:
        return Scene()
    ago = np.array([*life.wake, (life.shift_x, life.shift_y)], np.float32)
    ago -= np.array([life.shift_x, life.shift_y], np.float32)
    string = np.zeros((len(ago), 3), np.float32)
    string[:, :2] = body.centre[:2] + ago / 100 * STAGE
    string[:, 2] = RIM - 0.10 + body.centre[2]
    age = np.linspace(0, 1, len(string), dtype=np.float32)
    shade = body.hue + 70 - 30 * age
    thread = strokes(
        string,
        width=0.006 + 0.014 * age,
        colour=hue(shade, 0.42 * age**1.5 * body.bright, 0.15),
        glow=1.2,
    )
    return Scene((thread,))


def _trail(body: Body, object: Mapping[str, object]) -> Scene:
    """Where it has been, oldest faintest: a string of beads at the height of its heart."""
    places = []
    for each in items(object.get("trail"), 24):
        if isinstance(each, list | tuple) and len(each) == 3:
            x, y, z = (number(part, 0, -100, 100) / 100 for part in each)
            places.append([x * STAGE, y * STAGE, 0.34 + z * 0.5 * LIFT])
    if not places:
        return Scene()
    here = [float(body.centre[0]), float(body.centre[1]), 0.34 + float(body.centre[2]) * 0.5]
    string = np.array([*places, here], np.float32)
    age = np.linspace(0, 1, len(string), dtype=np.float32)
    thread = strokes(
        string,
        width=0.010 + 0.008 * age,
        colour=hue(body.hue - 30, (0.05 + 0.22 * age) * body.bright),
    )
    beads = dots(
        string[:-1],
        radius=0.016 + 0.016 * age[:-1],
        colour=hue(body.hue - 30, (0.10 + 0.55 * age[:-1]) * body.bright, 0.2),
        glow=1.2,
    )
    return Scene((thread,), (beads,))
