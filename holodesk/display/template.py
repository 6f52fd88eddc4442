"""The pyramid to cut, in millimetres, and the angle of the one you have (LH 3.11; display A3, A4).

A face is a trapezoid. Unfolded, the faces of one pyramid lie as a fan around the apex: outlines
are cut, the lines between two faces are folded.
"""

from dataclasses import dataclass
from math import asin, cos, degrees, hypot, pi, radians, sin, sqrt, tan
from typing import Final, Literal

from holodesk.display.optics import layout
from holodesk.display.rig import Rig, Screen
from holodesk.errors import Refused

RULE: Final = "display template"
Third = Literal["edge", "slant", "height"]
Point = tuple[float, float]
TAB_MM: Final = 6.0
"""The width of the flap by which the fan is glued."""


@dataclass(frozen=True, slots=True)
class Pyramid:
    """Faces, the two parallel edges of each, and the slope from the horizontal in degrees."""

    faces: int
    inner_mm: float
    outer_mm: float
    slope_deg: float

    @property
    def run_mm(self) -> float:
        """How far a face reaches outwards, seen from above."""
        return (self.outer_mm - self.inner_mm) / 2 / tan(pi / self.faces)

    @property
    def slant_mm(self) -> float:
        """The height of the trapezoid, measured along the face."""
        return self.run_mm / cos(radians(self.slope_deg))

    @property
    def edge_mm(self) -> float:
        """The edge where two faces meet."""
        return hypot(self.slant_mm, (self.outer_mm - self.inner_mm) / 2)

    @property
    def height_mm(self) -> float:
        """How high it stands."""
        return self.run_mm * tan(radians(self.slope_deg))

    @property
    def base_angle_deg(self) -> float:
        """The angle at the trapezoid's long edge."""
        return degrees(asin(self.slant_mm / self.edge_mm))


def of_rig(rig: Rig, screen: Screen) -> Pyramid:
    """The pyramid that a rig stands for on a screen."""
    made = layout(rig, screen)
    spread = 2 * rig.spread
    faces = rig.faces if rig.faces > 2 else 4
    return Pyramid(faces, made.gap_mm * spread, made.half_mm * spread, rig.slope_deg)


def measured(
    inner_mm: float, outer_mm: float, third_mm: float, third: Third, faces: int = 4
) -> Pyramid:
    """The pyramid of three lengths: the two parallel edges, and one more.

    `third` says what the third length is: the `edge` where two faces meet, the `slant` along the
    middle of a face, or the `height` of the whole pyramid.

    Raises:
        Refused: a length of nothing, or faces that cannot close.
    """
    for name, value in (("inner edge", inner_mm), ("outer edge", outer_mm), (third, third_mm)):
        if not 0 < value < 1e5:
            raise Refused(RULE, f"{name}: expected a length in millimetres, found {value:g}")
    if not inner_mm < outer_mm or not 3 <= faces <= 8:
        told = "expected 3 to 8 faces and an inner edge shorter than the outer"
        raise Refused(RULE, f"{told}, found {faces} faces, {inner_mm:g} and {outer_mm:g} mm")
    half = (outer_mm - inner_mm) / 2
    run = half / tan(pi / faces)
    if third == "height":
        return Pyramid(faces, inner_mm, outer_mm, degrees(_atan(third_mm, run)))
    slant = third_mm if third == "slant" else sqrt(max(0.0, third_mm * third_mm - half * half))
    if slant <= run:
        least = run if third == "slant" else hypot(run, half)
        told = f"these cannot close: expected the {third} to be over {least:.1f} mm"
        raise Refused(RULE, f"{told}, found {third_mm:g}")
    rise = sqrt(slant * slant - run * run)
    return Pyramid(faces, inner_mm, outer_mm, degrees(_atan(rise, run)))


def _atan(rise: float, run: float) -> float:
    return asin(rise / hypot(rise, run))


@dataclass(frozen=True, slots=True)
class Net:
    """What to draw, in mm with y down: lines to cut, lines to fold, and the size of the sheet."""

    cut: tuple[tuple[Point, ...], ...]
    fold: tuple[tuple[Point, Point], ...]
    width_mm: float
    height_mm: float
    words: tuple[str, ...]


def net(pyramid: Pyramid, margin_mm: float = 12.0) -> Net:
    """The fan of all faces with its flap, in words and lines, inside a margin."""
    grown = pyramid.outer_mm / (pyramid.outer_mm - pyramid.inner_mm)
    far = pyramid.edge_mm * grown
    near = far - pyramid.edge_mm
    step = 2 * asin(pyramid.outer_mm / 2 / far)
    start = pi / 2 - step * pyramid.faces / 2

    def at(radius: float, number: float) -> Point:
        angle = start + step * number
        return radius * cos(angle), radius * sin(angle)

    edges = range(pyramid.faces + 1)
    outline = (
        *(at(far, n) for n in edges),
        *_flap(at(far, pyramid.faces), at(near, pyramid.faces)),
        *(at(near, n) for n in reversed(edges)),
        at(far, 0),
    )
    folds = tuple((at(near, n), at(far, n)) for n in edges[1:])
    return _placed(outline, folds, margin_mm, _words(pyramid))


def _flap(outer: Point, inner: Point) -> tuple[Point, Point]:
    """The two free corners of the flap beside the last edge, drawn in at both ends."""
    along = (inner[0] - outer[0], inner[1] - outer[1])
    length = hypot(*along)
    aside = (along[1] / length * TAB_MM, -along[0] / length * TAB_MM)
    draw = min(TAB_MM / length, 0.25)
    return (
        (outer[0] + along[0] * draw + aside[0], outer[1] + along[1] * draw + aside[1]),
        (inner[0] - along[0] * draw + aside[0], inner[1] - along[1] * draw + aside[1]),
    )


def _placed(
    outline: tuple[Point, ...],
    folds: tuple[tuple[Point, Point], ...],
    margin: float,
    words: tuple[str, ...],
) -> Net:
    left, top = min(x for x, _ in outline), min(y for _, y in outline)
    room = margin + 7 * len(words) + 12

    def moved(point: Point) -> Point:
        return point[0] - left + margin, point[1] - top + margin

    wide = max(x for x, _ in outline) - left
    high = max(y for _, y in outline) - top
    ruler_y = high + margin * 1.5
    ruler = ((margin, ruler_y), (margin + 100, ruler_y))
    ticks = tuple(
        ((margin + at, ruler_y - (3 if at % 50 == 0 else 1.5)), (margin + at, ruler_y))
        for at in range(0, 101, 10)
    )
    return Net(
        cut=(tuple(moved(point) for point in outline),),
        fold=(*tuple((moved(one), moved(two)) for one, two in folds), ruler, *ticks),
        width_mm=max(wide, 130) + 2 * margin,
        height_mm=high + margin + room,
        words=words,
    )


def _words(pyramid: Pyramid) -> tuple[str, ...]:
    return (
        f"{pyramid.faces} faces at {pyramid.slope_deg:.1f} degrees from the horizontal",
        (
            f"inner edge {pyramid.inner_mm:.2f} mm, outer edge {pyramid.outer_mm:.2f} mm, "
            f"slant {pyramid.slant_mm:.2f} mm"
        ),
        (
            f"edge {pyramid.edge_mm:.2f} mm, height {pyramid.height_mm:.2f} mm, "
            f"base angle {pyramid.base_angle_deg:.1f} degrees"
        ),
        "print at 100 %: the ruler is 100 mm; cut solid lines, fold dashed ones",
    )


def ghost_offset_mm(thickness_mm: float, incidence_deg: float = 45.0, index: float = 1.49) -> float:
    """How far the second surface's picture lies beside the first's, in mm (display A6)."""
    sine = sin(radians(incidence_deg))
    return thickness_mm * sin(radians(2 * incidence_deg)) / sqrt(index * index - sine * sine)


def thinnest_ghost_mm(px_per_mm: float, incidence_deg: float = 45.0, index: float = 1.49) -> float:
    """The sheet at which the second picture lies one pixel off; a thinner one is sharper."""
    return 1 / px_per_mm / ghost_offset_mm(1.0, incidence_deg, index)
