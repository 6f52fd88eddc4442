"""A small world: a terrain of points under its own light, and those who live on it (LH 3.11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.poses.light import hue, items, member, number, ring, text
from holodesk.display.scene import F4, Dots, Label, Scene, Strokes, dots, strokes

HALF: Final = 0.80
"""Half the width of the ground, in units."""
LOW: Final = 0.20
TALL: Final = 0.66
FINEST: Final = 30
"""Rows of points at most, each way; a finer terrain is thinned."""
MOST_BODIES: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Heights on a grid, 0..1, (rows, columns); row 0 is the front."""

    heights: F4

    def at(self, x: F4, y: F4) -> F4:
        """Height in units above places in units."""
        rows, columns = self.heights.shape
        column = np.clip((x / HALF + 1) / 2 * (columns - 1), 0, columns - 1)
        row = np.clip((y / HALF + 1) / 2 * (rows - 1), 0, rows - 1)
        i = np.minimum(row.astype(np.intp), max(0, rows - 2))
        j = np.minimum(column.astype(np.intp), max(0, columns - 2))
        down, right = row - i, column - j
        k, m = np.minimum(i + 1, rows - 1), np.minimum(j + 1, columns - 1)
        h = self.heights
        near = h[i, j] * (1 - right) + h[i, m] * right
        far = h[k, j] * (1 - right) + h[k, m] * right
        return np.asarray(LOW + TALL * (near * (1 - down) + far * down), np.float32)


def world(object: Mapping[str, object], life: Life) -> Scene:
    """Terrain, inhabitants, and the lamp that lights them."""
    ground = _ground(member(object, "terrain"))
    lamp = number(object.get("light"), 60, 0, 100) / 100
    gain = 1 + 0.5 * float(np.clip(life.glow, -1, 1))
    age = number(object.get("age"), 0, 0, 1e12)
    course = np.radians(40 + 11 * (age % 36) + 2 * np.sin(0.2 * life.seconds))
    sun = np.array([0.62 * np.cos(course), 0.62 * np.sin(course), 1.43], np.float32)
    land, rims = _land(ground, lamp, sun, life.seconds, gain)
    people, marks, labels = _bodies(object, ground, life, gain)
    name = text(object.get("name"), 28)
    if name:
        labels.append(Label(name, (0.0, 0.0, -0.03), 0.066, (0.55, 0.68, 0.76), fit=1.7))
    light = np.array([1.0, 0.86, 0.58], np.float32) * np.float32((0.35 + 1.1 * lamp) * gain)
    orb = dots(sun, radius=0.065, colour=light, glow=1.8)
    halo = dots(sun, radius=0.13, colour=light * 0.5, glow=1.2, mist=True)
    return Scene((*rims, *marks), (land, orb, halo, *people), (), tuple(labels))


def _ground(terrain: Mapping[str, object]) -> Ground:
    heights = terrain.get("heights")
    wide = int(number(terrain.get("width"), 0, 0, 4096))
    deep = int(number(terrain.get("depth"), 0, 0, 4096))
    if not isinstance(heights, list | tuple) or wide < 2 or deep < 2:
        return Ground(np.full((2, 2), 0.1, np.float32))
    given = [number(each, 0, 0, 100) / 100 for each in heights[: wide * deep]]
    given += [0.0] * (wide * deep - len(given))
    grid = np.array(given, np.float32).reshape(deep, wide)
    return Ground(grid)


def _land(
    ground: Ground, lamp: float, sun: F4, seconds: float, gain: float
) -> tuple[Dots, tuple[Strokes, ...]]:
    """Points on the ground, lit by the lamp; lines along it so that hills are seen as hills."""
    rows, columns = (min(FINEST, max(14, size)) for size in ground.heights.shape)
    across = np.linspace(-HALF, HALF, columns, dtype=np.float32)
    along = np.linspace(-HALF, HALF, rows, dtype=np.float32)
    x, y = (part.astype(np.float32) for part in np.meshgrid(across, along))
    z = ground.at(x, y)
    slope_y, slope_x = np.gradient(z, along, across)
    ray = sun - np.stack([x, y, z], axis=-1)
    ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
    size = np.sqrt(slope_x**2 + slope_y**2 + 1)
    lit = np.clip((ray[..., 2] - slope_x * ray[..., 0] - slope_y * ray[..., 1]) / size, 0, 1)
    share = (z - LOW) / TALL
    wave = 0.5 + 0.5 * np.sin(0.9 * seconds + 5 * x - 3.1 * y)
    wet = share < 0.16
    shade = np.where(wet, 212 + 10 * wave, 150 - 95 * share)
    strength = (0.10 + 0.95 * lamp * lit**1.3) * np.where(wet, 0.45 + 0.35 * wave, 0.75) * gain
    white = np.clip((share - 0.72) * 3, 0, 1)[..., None]
    colour = hue(shade, strength)
    colour = colour + white * (strength[..., None] * np.float32(0.9) - colour)
    points = np.stack([x, y, z], axis=-1)
    land = dots(
        points.reshape(-1, 3),
        radius=(0.0125 + 0.004 * share).reshape(-1),
        colour=colour.reshape(-1, 3),
        glow=1.2,
    )
    lines = [
        strokes(points[::2], width=0.012, colour=colour[::2] * np.float32(0.24), glow=0.7),
        strokes(
            points.transpose(1, 0, 2)[::2],
            width=0.012,
            colour=colour.transpose(1, 0, 2)[::2] * np.float32(0.24),
            glow=0.7,
        ),
    ]
    edge = _edge(ground)
    shore = strokes(edge, width=0.02, colour=hue(200.0, 0.30 * gain), glow=1.0)
    foot = strokes(
        edge * np.array([1, 1, 0], np.float32) + np.array([0, 0, LOW - 0.06], np.float32),
        width=0.016,
        colour=hue(210.0, 0.14 * gain),
    )
    return land, (*lines, shore, foot)


def _edge(ground: Ground) -> F4:
    run = np.linspace(-HALF, HALF, 25, dtype=np.float32)
    level = np.full(25, HALF, np.float32)
    x = np.concatenate([run, level, -run, -level])
    y = np.concatenate([-level, run, level, -run])
    return np.stack([x, y, ground.at(x, y)], axis=1)


def _bodies(
    object: Mapping[str, object], ground: Ground, life: Life, gain: float
) -> tuple[list[Dots], list[Strokes], list[Label]]:
    """Each inhabitant is a lantern on a stem, over a ring on the ground, with its name.

    It goes about, bobs and brightens as its own reflexes say.
    """
    seconds = life.seconds
    bodies = [
        each for each in items(object.get("bodies"), MOST_BODIES) if isinstance(each, Mapping)
    ]
    if not bodies:
        return [], [], []
    lives = [life.many.get(text(body.get("id"), 64), Life()) for body in bodies]
    shifts = np.array([(own.shift_x, own.shift_y) for own in lives], np.float32)
    places = [[number(body.get(axis), 0, -100, 100) for axis in "xy"] for body in bodies]
    x, y = np.clip(np.array(places, np.float32) + shifts, -130, 130).T * np.float32(0.0072)
    signs = np.array([(own.squash, own.glow, own.startle) for own in lives], np.float32).T
    shade = np.array([number(body.get("hue"), 40, -1e6, 1e6) for body in bodies], np.float32)
    z = ground.at(x, y)
    k = np.arange(len(bodies), dtype=np.float32)
    rise = 0.20 + 0.018 * np.sin(1.4 * seconds + 2.1 * k) - 0.09 * signs[0] + 0.05 * signs[2]
    light = hue(shade, np.float32(1.25 * gain) * (1 + 0.6 * signs[1] + 0.35 * signs[2]), 0.16)
    heads = np.stack([x, y, z + rise], axis=1)
    feet = np.stack([x, y, z + 0.01], axis=1)
    stems = strokes(
        np.stack([feet, (feet + heads) / 2, heads], axis=1),
        width=np.array([0.012, 0.022, 0.034], np.float32),
        colour=light[:, None] * np.float32(0.7),
        glow=1.0,
    )
    pulse = 0.062 + 0.008 * np.sin(1.4 * seconds + 2.1 * k)
    circles = np.stack(
        [ring(foot, (r, 0, 0), (0, r, 0), 24) for foot, r in zip(feet, pulse, strict=True)]
    )
    rings = strokes(circles, width=0.016, colour=light[:, None] * np.float32(0.55))
    lamps = dots(heads, radius=0.046, colour=light, glow=1.5)
    turn = np.radians(np.array([own.turn for own in lives], np.float32))
    ahead = np.stack([np.sin(turn), -np.cos(turn), 0 * turn], axis=1)
    eyes = dots(
        heads + 0.03 * ahead + np.array([0.0, 0.0, 0.012], np.float32),
        radius=0.016,
        colour=np.float32(1.8 * gain),
        normal=ahead,
    )
    labels = []
    for number_, body in enumerate(bodies):
        name = text(body.get("name"), 16) or text(body.get("id"), 16)
        if name and len(bodies) <= 10:
            at = (float(x[number_]), float(y[number_]), float(z[number_]) + 0.31)
            red, green, blue = (float(part) * 0.7 for part in light[number_])
            labels.append(Label(name, at, 0.048, (red, green, blue), glow=0.2))
        if lives[number_].words:
            at = (float(x[number_]), float(y[number_]), float(z[number_]) + 0.40)
            labels.append(Label(text(lives[number_].words, 40), at, 0.055, (0.9, 0.86, 0.7)))
    return [lamps, eyes], [stems, rings], labels
