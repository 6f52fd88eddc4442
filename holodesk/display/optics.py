"""Every viewer sees the picture upright and unmirrored, by construction (LH 3.11).

World in millimetres: x east, y north, z up; the front viewer stands in the south. A picture has
X to the viewer's right and Y up. Screen millimetres (u, v) start at the centre, u right and v down.
A single reflection mirrors, so every matrix below mirrors once too; at 45 degrees it is a rotation
and a mirror, at any other slope or for a near eye it is the homography through the mirrored eye.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import cos, radians, sin, sqrt, tan
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.rig import GAP_SHARE, Rig, Screen
from holodesk.errors import Refused

Array = npt.NDArray[np.float64]
ROUNDS: Final = 4
"""The eye looks at the middle of the box, and the box depends on the eye: until both rest."""


@dataclass(frozen=True, slots=True)
class Box:
    """The picture box: millimetres of the upright picture; `bottom` is above the picture origin."""

    width_mm: float
    height_mm: float
    bottom_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Plate3:
    """The plane of a face: a point on it, its unit normal, and the way out from the axis."""

    point: Array
    normal: Array
    forward: Array
    side: Array


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face: whom it serves, and how that viewer's picture lies on the screen.

    `matrix` takes (X, Y, 1) mm to (u, v, 1) mm up to scale, `pixels` to (column, row, 1), where
    whole numbers are the corners of pixels. The trapezoid is `corners` in (u, v) mm and `cell`
    in pixels, both (4, 2): a trim moves the picture, `pixels`, and never the plate.
    """

    viewer: int
    azimuth_deg: float
    matrix: Array
    pixels: Array
    corners: Array
    cell: Array
    plane: Plate3
    origin: Array
    """The picture's origin in the world."""
    right: Array
    """The viewer's right, in the world; the picture's up is z."""
    eye: Array


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A rig on a screen: the resolved measures, the picture box and every face that is there."""

    rig: Rig
    screen: Screen
    gap_mm: float
    half_mm: float
    height_mm: float
    screen_z: float
    box: Box
    faces: tuple[Face, ...]

    def face(self, viewer: int) -> Face:
        """The face that serves a viewer.

        Raises:
            Refused: that viewer has no face.
        """
        for face in self.faces:
            if face.viewer == viewer:
                return face
        there = ", ".join(str(face.viewer) for face in self.faces)
        raise Refused("display rig", f"viewer: expected one of {there}, found {viewer}")


@lru_cache(maxsize=64)
def layout(rig: Rig, screen: Screen) -> Layout:
    """Place a rig on a screen.

    Raises:
        Refused: no picture at all can be seen in this rig from this eye.
    """
    short = min(screen.width_px, screen.height_px) / 2 / screen.px_per_mm
    half = rig.half_mm or short * (sqrt(2) if rig.corner else 1)
    gap = rig.gap_mm if rig.gap_mm is not None else half * GAP_SHARE
    if gap >= half:
        raise Refused("display rig", f"gap: expected less than {half:.1f} mm, found {gap:.1f}")
    height = (half - gap) * tan(radians(rig.slope_deg))
    box = Box(gap, gap, 0.0)
    made: Layout | None = None
    for _ in range(ROUNDS):
        faces = tuple(_face(rig, screen, (gap, half, height), box, who) for who in rig.viewers)
        made = Layout(rig, screen, gap, half, height, _screen_z(rig, height), box, faces)
        box = largest_box(np.vstack([visible_lines(made, face) for face in faces]), rig.aspect)
        _check_light(made, box)
    assert made is not None
    faces = tuple(_set_right(face, rig, screen, box) for face in made.faces)
    return Layout(rig, screen, gap, half, height, made.screen_z, box, faces)


def _set_right(face: Face, rig: Rig, screen: Screen, box: Box) -> Face:
    """The picture as it was set right by hand; as built, not a number changes."""
    if rig.trim(face.viewer).still and not rig.mirror and rig.drift_mm == (0.0, 0.0):
        return face
    drift = np.eye(3)
    drift[:2, 2] = np.array(rig.drift_mm) * screen.px_per_mm
    return replace(face, pixels=drift @ face.pixels @ moved(rig, face.viewer, box))


def moved(rig: Rig, viewer: int, box: Box) -> Array:
    """(3, 3), where a viewer's picture as set right by hand has what it had as built, in mm.

    Raises:
        Refused: the pinned corners cross each other.
    """
    move = rig.trim(viewer).matrix(box.width_mm, box.height_mm, box.bottom_mm)
    return np.asarray(move @ np.diag([-1.0, 1.0, 1.0])) if rig.mirror else move


def _check_light(made: Layout, box: Box) -> None:
    """The ray through the middle of the picture must leave the plate toward the screen."""
    face = made.faces[0]
    middle = face.origin + np.array([0.0, 0.0, box.bottom_mm + box.height_mm / 2])
    ray = middle - face.eye
    ray /= np.linalg.norm(ray)
    bounced = ray - 2 * (ray @ face.plane.normal) * face.plane.normal
    if bounced[2] * (1 if made.rig.kind == "B" else -1) < 1e-3:
        raise Refused("display rig", "no picture can be seen in this rig from this eye")


def _screen_z(rig: Rig, height: float) -> float:
    return height if rig.kind == "B" else 0.0


def _face(
    rig: Rig, screen: Screen, sizes: tuple[float, float, float], box: Box, viewer: int
) -> Face:
    gap, half, height = sizes
    azimuth = radians(rig.azimuth_deg(viewer))
    out = np.array([_exactly(cos(azimuth)), _exactly(sin(azimuth)), 0.0])
    right = np.array([-out[1], out[0], 0.0])
    plane = _plane(rig, sizes, out)
    origin = {"A": gap, "B": half - height, "C": -half}[rig.kind] * out
    middle = origin + np.array([0.0, 0.0, box.bottom_mm + box.height_mm / 2])
    lift = radians(rig.eye_elevation_deg)
    eye = middle + rig.eye_distance_mm * (cos(lift) * out + sin(lift) * np.array([0.0, 0.0, 1.0]))
    if rig.slope_deg == 45.0:
        matrix = _exact(rig, sizes, out, right)
    else:
        matrix = _homography(rig, _screen_z(rig, height), plane, (eye, origin, right))
    matrix = _turn(rig) @ matrix
    to_pixels = np.array(
        [
            [screen.px_per_mm, 0.0, screen.width_px / 2],
            [0.0, screen.px_per_mm, screen.height_px / 2],
            [0.0, 0.0, 1.0],
        ]
    )
    corners = [
        _turn(rig) @ _on_screen(rig, d * plane.forward + s * plane.side)
        for d, s in (
            (gap, -gap * rig.spread),
            (gap, gap * rig.spread),
            (half, half * rig.spread),
            (half, -half * rig.spread),
        )
    ]
    return Face(
        viewer=viewer,
        azimuth_deg=rig.azimuth_deg(viewer),
        matrix=matrix,
        pixels=to_pixels @ matrix,
        corners=np.array(corners)[:, :2],
        cell=(np.array(corners) @ to_pixels.T)[:, :2],
        plane=plane,
        origin=origin,
        right=right,
        eye=eye,
    )


def _exactly(value: float) -> float:
    """Quarter turns are exact: cos(90 degrees) is 0, not 6e-17."""
    return float(round(value)) if abs(value - round(value)) < 1e-12 else value


def _plane(rig: Rig, sizes: tuple[float, float, float], out: Array) -> Plate3:
    gap, half, height = sizes
    slope = radians(rig.slope_deg)
    forward = -out if rig.kind == "C" else out
    lean = {"A": -cos(slope), "B": cos(slope), "C": cos(slope)}[rig.kind]
    point = (half if rig.kind == "C" else gap) * forward
    if rig.kind == "B":
        point = point + np.array([0.0, 0.0, height])
    normal = sin(slope) * forward + np.array([0.0, 0.0, lean])
    side = np.array([-forward[1], forward[0], 0.0])
    return Plate3(point, normal, forward, side)


def _on_screen(rig: Rig, place: Array) -> Array:
    """(u, v, 1) mm of a direction or place in the plan; B's screen faces down."""
    return np.array([place[0], place[1] if rig.kind == "B" else -place[1], 1.0])


def _exact(rig: Rig, sizes: tuple[float, float, float], out: Array, right: Array) -> Array:
    """45 degrees: where picture-right, picture-up and the origin go on the screen."""
    gap, half, _ = sizes
    up = -out if rig.kind == "B" else out
    origin = {"A": gap, "B": half, "C": -half}[rig.kind] * out
    matrix = np.column_stack([_on_screen(rig, way) for way in (right, up, origin)])
    matrix[2, :2] = 0.0
    return matrix


def _homography(
    rig: Rig, screen_z: float, plane: Plate3, seen: tuple[Array, Array, Array]
) -> Array:
    """Any slope and eye: mirror the eye in the face, then project the picture onto the screen."""
    eye, origin, right = seen
    normal = plane.normal

    def mirrored(way: Array) -> Array:
        return way - 2 * (way @ normal) * normal

    eye_image = plane.point + mirrored(eye - plane.point)
    origin_image = plane.point + mirrored(origin - plane.point)
    a = np.column_stack(
        [mirrored(right), mirrored(np.array([0.0, 0.0, 1.0])), origin_image - eye_image]
    )
    drop = screen_z - eye_image[2]
    rows = np.vstack([eye_image[0] * a[2] + drop * a[0], eye_image[1] * a[2] + drop * a[1], a[2]])
    if rig.kind != "B":
        rows[1] = -rows[1]
    return np.asarray(rows / rows[2, 2])


def _turn(rig: Rig) -> Array:
    """Clockwise on the screen, where v runs down; a quarter turn is exact."""
    quarters = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
    c, s = quarters[rig.turn_deg]
    if rig.corner:
        c, s = (c - s) * sqrt(0.5), (c + s) * sqrt(0.5)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def visible_lines(made: Layout, face: Face) -> Array:
    """What of the picture plane this viewer sees: rows (a, b, c) with a X + b Y + c >= 0.

    Three things bound it: the plate itself as seen from the eye, its footprint on the screen,
    and the edges of the screen.
    """
    spread = made.rig.spread
    plane, eye = face.plane, face.eye
    bottom, top = _heights(made)
    corners = []
    for d, z in ((made.gap_mm, bottom), (made.half_mm, top)):
        for sign in (-1, 1):
            place = d * plane.forward + sign * d * spread * plane.side + np.array([0.0, 0.0, z])
            corners.append(_onto_picture(face, eye, place))
    plate = _around([corners[0], corners[1], corners[3], corners[2]])
    w, h = made.screen.width_px, made.screen.height_px
    on_screen = np.vstack(
        [_around(list(face.cell)), _around([np.array(p) for p in ((0, 0), (w, 0), (w, h), (0, h))])]
    )
    pulled = on_screen @ face.pixels
    rows = np.vstack([plate, pulled])
    return np.asarray(rows / np.hypot(rows[:, 0], rows[:, 1])[:, None])


def _heights(made: Layout) -> tuple[float, float]:
    """Heights of a face at its inner and its outer edge."""
    low_inside = made.rig.kind == "A"
    return (0.0, made.height_mm) if low_inside else (made.height_mm, 0.0)


def _onto_picture(face: Face, eye: Array, place: Array) -> Array:
    """Where the line from the eye through a place meets the picture plane, as (X, Y)."""
    out = np.array([face.right[1], -face.right[0], 0.0])
    along = ((face.origin - eye) @ out) / ((place - eye) @ out)
    met = eye + along * (place - eye) - face.origin
    return np.array([met @ face.right, met[2]])


def _around(corners: list[Array]) -> Array:
    """The edges of a convex polygon as lines, positive inside."""
    middle = np.append(np.mean(corners, axis=0), 1.0)
    lines = []
    for one, two in zip(corners, corners[1:] + corners[:1], strict=True):
        line = np.cross(np.append(one, 1.0), np.append(two, 1.0))
        if np.hypot(line[0], line[1]) > 1e-9:
            lines.append(line if line @ middle > 0 else -line)
    return np.array(lines)


def largest_box(lines: Array, aspect: float) -> Box:
    """The largest box of this aspect, centred on X = 0, inside every line (a X + b Y + c >= 0).

    Exact: two unknowns, height and bottom, so the best is where two of the bounds meet.

    Raises:
        Refused: there is none.
    """
    bounds = []
    for a, b, c in np.unique(np.round(lines, 12), axis=0):
        half = -abs(a) * aspect / 2
        bounds += [(half, b, c), (half + b, b, c)]
    rows = np.unique(np.round(np.array([*bounds, (1.0, 0.0, 0.0)]), 12), axis=0)
    pairs = np.array(list(combinations(range(len(rows)), 2)))
    one, two = rows[pairs[:, 0]], rows[pairs[:, 1]]
    det = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    fit = np.abs(det) > 1e-12
    one, two, det = one[fit], two[fit], det[fit]
    height = (one[:, 1] * two[:, 2] - two[:, 1] * one[:, 2]) / det
    bottom = (two[:, 0] * one[:, 2] - one[:, 0] * two[:, 2]) / det
    inside = np.all(
        np.outer(height, rows[:, 0]) + np.outer(bottom, rows[:, 1]) + rows[:, 2] >= -1e-6, axis=1
    )
    height, bottom = height[inside], bottom[inside]
    if not height.size or height.max() < 1e-3:
        raise Refused("display rig", "no picture can be seen in this rig from this eye")
    best = int(np.lexsort((bottom, -np.round(height, 6)))[0])
    tall, low = float(height[best]), float(bottom[best])
    return Box(tall * aspect, tall, 0.0 if abs(low) < 1e-9 else low)
