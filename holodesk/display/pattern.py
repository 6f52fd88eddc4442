"""The test picture: if a viewer reads their own name the right way round, the rig is right.

(LH 3.11.) One look settles turn, mirror and order at once. Everything is inside the faces: their
outlines, a grid in millimetres, a ruler, steps of grey, and a letter that has no mirror image.
"""

from math import ceil, log
from typing import Final

import numpy as np

from holodesk.display.optics import Face, Layout, moved
from holodesk.display.poses.light import hue
from holodesk.display.scene import (
    BOTTOM,
    F4,
    Dots,
    Facets,
    Label,
    Scene,
    Strokes,
    dots,
    facets,
    strokes,
)
from holodesk.display.sheet import Sheet, views

LINE: Final = (0.05, 0.16, 0.19)
EDGE: Final = (0.16, 0.62, 0.68)
MARK: Final = (1.1, 1.0, 0.8)
STEPS: Final = 16
NEAR_BLACK: Final = (0, 1, 2, 3, 5)
"""Levels of 255 that a good screen can tell apart."""
MIDDLE_GREY: Final = 128
BESIDE: Final = (64, 192)
GLYPH: Final = (
    ((-0.30, -0.55), (-0.30, 0.55), (0.38, 0.55)),
    ((-0.30, 0.08), (0.20, 0.08)),
    ((0.38, 0.55), (0.38, 0.34)),
)
"""An F with a notch: no turn and no mirror leaves it as it is."""


def pattern_sheet(made: Layout, chosen: int | None = None, told: str = "") -> Sheet:
    """The test picture of every face; the chosen viewer's is brighter and says what is `told`."""
    scenes = tuple(
        _scene(made, face, told if face.viewer == chosen else None) for face in made.faces
    )
    return Sheet(made, views(made, flat=True), scenes, None, flat=True)


def _scene(made: Layout, face: Face, told: str | None) -> Scene:
    """Drawn on the picture plane of one viewer, where units are exact."""
    unit = min(made.box.width_mm, made.box.height_mm) / 2
    low = BOTTOM
    high = BOTTOM + made.box.height_mm / unit
    half = made.box.width_mm / unit / 2
    flat = _Plane(face.right.astype(np.float32))
    name = made.rig.viewer_name(face.viewer).upper()
    middle = (low + high) / 2
    tone = tuple(float(part) * 1.2 for part in hue(np.float32(37 + face.azimuth_deg)))
    colour = (tone[0], tone[1], tone[2])
    frame = [(-half, low), (half, low), (half, high), (-half, high), (-half, low)]
    lines = [
        flat.run([*_outline(made, face), _outline(made, face)[0]], EDGE, 0.030),
        flat.run(frame, EDGE if told is None else MARK, 0.030 if told is None else 0.05),
        *_grid(flat, half, (low, high), unit),
        *(
            flat.run([(x * 0.60, middle + 0.14 + y * 0.60) for x, y in run], colour, 0.11)
            for run in GLYPH
        ),
        *_hand(flat, face, (0.66, low + 0.25), colour),
    ]
    words = f"rig {made.rig.kind} · {made.rig.faces} · {face.azimuth_deg + 90:g}°"
    words += " · mirrored by hand" if made.rig.mirror else ""
    labels = (
        flat.words(name, (0, high - 0.26), 0.17),
        flat.words(told or f"viewer {face.viewer}", (0, high - 0.42), 0.085),
        flat.words(words, (0, middle - 0.37), 0.08),
    )
    return Scene(tuple(lines), (_greys(flat, half, low),), (), labels)


def _outline(made: Layout, face: Face) -> list[tuple[float, float]]:
    """The edge of the plate on the picture plane, a little inside it, in units."""
    middle = face.corners.mean(axis=0)
    inset = middle + (face.corners - middle) * 0.985
    drawn = face.matrix @ moved(made.rig, face.viewer, made.box)
    placed = np.column_stack([inset, np.ones(4)]) @ np.linalg.inv(drawn).T
    unit = min(made.box.width_mm, made.box.height_mm) / 2
    across = placed[:, 0] / placed[:, 2] / unit
    above = (placed[:, 1] / placed[:, 2] - made.box.bottom_mm) / unit + BOTTOM
    return [(float(x), float(z)) for x, z in zip(across, above, strict=True)]


def _hand(
    flat: "_Plane", face: Face, at: tuple[float, float], colour: tuple[float, float, float]
) -> list[Strokes]:
    """A hand that points where this viewer stands, as on a plan with the front at the bottom."""
    angle = np.radians(face.azimuth_deg)
    x, z = at
    tip = (x + 0.16 * float(np.cos(angle)), z + 0.16 * float(np.sin(angle)))
    around = [
        (x + 0.2 * float(np.cos(k)), z + 0.2 * float(np.sin(k))) for k in np.arange(33) * np.pi / 16
    ]
    return [flat.run([at, tip], colour, 0.06), flat.run(around, EDGE, 0.026)]


class _Plane:
    """The picture plane through the axis, facing one viewer."""

    def __init__(self, right: F4) -> None:
        self.right = right

    def place(self, points: list[tuple[float, float]]) -> F4:
        """Places in space of (across, above) in units."""
        flat = np.array(points, np.float32)
        up = np.array([0, 0, 1], np.float32)
        return np.asarray(flat[:, :1] * self.right + flat[:, 1:] * up, np.float32)

    def run(
        self, points: list[tuple[float, float]], colour: tuple[float, float, float], width: float
    ) -> Strokes:
        """A line through places."""
        return strokes(self.place(points), width=width, colour=colour, glow=0.15)

    def patch(self, across: tuple[float, float], above: tuple[float, float], level: int) -> Facets:
        """A rectangle of one level of 255."""
        (left, right), (low, high) = across, above
        a, b, c, d = self.place([(left, low), (right, low), (right, high), (left, high)])
        light = -log(1 - min(level, 254.4) / 255)
        return facets(np.array([[a, b, c], [a, c, d]]), colour=(light, light, light))

    def words(self, words: str, at: tuple[float, float], height: float) -> Label:
        """Words lying on the plane."""
        x, y, z = (float(part) for part in self.place([at])[0])
        right = (float(self.right[0]), float(self.right[1]), 0.0)
        return Label(words, (x, y, z), height, MARK, right=right, glow=0.1, fit=1.8)


def _grid(flat: _Plane, half: float, span: tuple[float, float], unit: float) -> list[Strokes]:
    """Lines every 10 mm from the middle and the foot; short ones every 5 mm along the foot."""
    low, high = span
    ten = 10 / unit
    across = [k * ten for k in range(-ceil(half / ten) + 1, ceil(half / ten))]
    above = [low + k * ten for k in range(1, ceil((high - low) / ten))]
    lines = [flat.run([(x, low), (x, high)], LINE, 0.026) for x in across]
    lines += [flat.run([(-half, z), (half, z)], LINE, 0.026) for z in above]
    five = [k * ten / 2 for k in range(-2 * ceil(half / ten) + 1, 2 * ceil(half / ten))]
    lines += [flat.run([(x, low), (x, low + 0.06)], MARK, 0.026) for x in five if abs(x) < half]
    return lines


def _greys(flat: _Plane, half: float, low: float) -> Dots:
    """Sixteen steps of grey and five of near-black, as discs in two rows."""
    grey = np.arange(STEPS) / (STEPS - 1) * 254.4
    dark = np.array(NEAR_BLACK, np.float64)
    levels = np.concatenate([grey, dark])
    light = -np.log(1 - levels / 255)
    reach = half * 0.86
    across = np.concatenate(
        [np.linspace(-reach, reach, STEPS), np.linspace(-0.75, -0.25, len(dark))]
    )
    above = np.concatenate([np.full(STEPS, low + 0.48), np.full(len(dark), low + 0.22)])
    points = flat.place([(float(x), float(z)) for x, z in zip(across, above, strict=True)])
    return dots(points, radius=0.046, colour=light[:, None], glow=0.0)


def balance_sheet(made: Layout) -> Sheet:
    """Patches that are alike in every face: turn the gains until they look alike.

    A field of middle grey with a darker and a brighter one beside it, and the near-black levels in
    a row, so that the black crush and the gamma can be chosen in the dark room itself.
    """
    scenes = tuple(_balance(made, face) for face in made.faces)
    return Sheet(made, views(made, flat=True), scenes, None, flat=True)


def _balance(made: Layout, face: Face) -> Scene:
    unit = min(made.box.width_mm, made.box.height_mm) / 2
    high = BOTTOM + made.box.height_mm / unit
    flat = _Plane(face.right.astype(np.float32))
    patches = [flat.patch((-0.4, 0.4), (high - 1.25, high - 0.45), MIDDLE_GREY)]
    for level, x in zip(BESIDE, (-0.62, 0.62), strict=True):
        patches.append(flat.patch((x - 0.18, x + 0.18), (high - 1.25, high - 0.45), level))
    for level, x in zip(NEAR_BLACK, np.linspace(-0.64, 0.64, len(NEAR_BLACK)), strict=True):
        patches.append(flat.patch((x - 0.15, x + 0.15), (BOTTOM + 0.12, BOTTOM + 0.42), level))
    name = made.rig.viewer_name(face.viewer).upper()
    gain = f"gain {made.rig.trim(face.viewer).gain:.2f}"
    labels = (
        flat.words(name, (0, high - 0.22), 0.15),
        flat.words(gain, (0, high - 0.38), 0.085),
    )
    return Scene((), (), tuple(patches), labels)
