"""One scene, every face, one screen: each viewer's own camera, and the plate in each (LH 3.11).

A camera stands where its viewer stands and looks a little down, so that round things look round.
Everything is one matrix a face: hologram space to pixels, perspective and mirror included.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin
from typing import Final

import numpy as np

from holodesk.display.optics import Array, Face, Layout
from holodesk.display.scene import BOTTOM, Label, Plate, Scene
from holodesk.display.trace import picture_size

PITCH_DEG: Final = 9.0
"""How far a camera looks down, beyond the elevation of the eye."""
CAMERA: Final = 6.5
"""Units from the camera to the axis."""
PIVOT: Final = 0.75
"""The height about which a camera is raised, in units."""
PLATE_HEIGHT: Final = 0.082
PLATE_BASE: Final = -0.2
PLATE_COLOUR: Final = (0.52, 0.70, 0.77)
DIMMED: Final = {"stale": 0.45, "refused": 0.35}
"""A head that is not live is never shown as bright as one that is."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How one viewer sees hologram space.

    `camera` (4, 4) takes (x, y, z, 1) to (column w, row w, depth, w), depth growing toward the
    viewer; `picture` (3, 3) takes units of the picture plane to pixels; `toward` points to the
    viewer; `unit_px` is a unit in pixels.
    """

    viewer: int
    camera: Array
    picture: Array
    toward: Array
    right: Array
    unit_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What goes on the screen: a layout, a view for each face, and one scene or one a view."""

    layout: Layout
    views: tuple[View, ...]
    scenes: tuple[Scene, ...]
    plate: Label | None
    light: float = 1.0
    flat: bool = False
    """Seen straight on and over all of every face, as pictures to set up with are."""

    def groups(self) -> list[tuple[Scene, list[int]]]:
        """Each scene, with the numbers of the views that see it."""
        if len(self.scenes) == 1:
            return [(self.scenes[0], list(range(len(self.views))))]
        return [(scene, [number]) for number, scene in enumerate(self.scenes)]


def sheet(scene: Scene, made: Layout, plate: Plate | None = None, *, breath: float = 0.0) -> Sheet:
    """Lay a scene out; `breath` 0..1 lifts the plate when a new head arrives."""
    scenes: tuple[Scene, ...] = (scene,)
    if scene.facing:
        scenes = tuple(_toward(scene, face.azimuth_deg) for face in made.faces)
    if plate is None:
        return Sheet(made, views(made), scenes, None)
    light = DIMMED.get(plate.word, 1.0)
    return Sheet(made, views(made), scenes, plate_label(plate, breath), light)


def _toward(scene: Scene, azimuth_deg: float) -> Scene:
    """A scene whose flat things look to the viewer at this azimuth."""
    angle = radians(azimuth_deg + 90.0)
    way = np.array([[cos(angle), -sin(angle), 0], [sin(angle), cos(angle), 0], [0, 0, 1]])
    turned = tuple(
        replace(flat, points=(flat.points @ way.T).astype(np.float32)) for flat in scene.facing
    )
    return replace(scene, dots=scene.dots + turned, facing=())


def plate_label(plate: Plate, breath: float = 0.0) -> Label:
    """The line that names the head, where every view shows it: on the picture, under the feet."""
    lift = 1.0 + 1.4 * breath
    red, green, blue = (part * lift for part in PLATE_COLOUR)
    return Label(
        plate.words,
        (0.0, 0.0, PLATE_BASE),
        PLATE_HEIGHT,
        (red, green, blue),
        mono=True,
        fit=1.9,
        glow=0.12 + 0.5 * breath,
    )


@lru_cache(maxsize=64)
def views(made: Layout, flat: bool = False) -> tuple[View, ...]:
    """A view for each face that is there; `flat` ones look straight, without perspective."""
    return tuple(_view(made, face, flat) for face in made.faces)


def _view(made: Layout, face: Face, flat: bool) -> View:
    unit = min(made.box.width_mm, made.box.height_mm) / 2
    to_mm = np.array(
        [
            [unit, 0.0, 0.0],
            [0.0, unit, made.box.bottom_mm - BOTTOM * unit],
            [0.0, 0.0, 1.0],
        ]
    )
    picture = face.pixels @ to_mm
    azimuth = radians(face.azimuth_deg)
    out = np.array([cos(azimuth), sin(azimuth), 0.0])
    right = np.array([-sin(azimuth), cos(azimuth), 0.0])
    tilt = 0.0 if flat else radians(PITCH_DEG + made.rig.eye_elevation_deg)
    up = np.array([-sin(tilt) * out[0], -sin(tilt) * out[1], cos(tilt)])
    toward = np.array([cos(tilt) * out[0], cos(tilt) * out[1], sin(tilt)])
    depth = np.append(toward, -toward[2] * PIVOT)
    if flat:
        share = np.array([0.0, 0.0, 0.0, 1.0])
    else:
        share = np.append(-depth[:3] / CAMERA, 1 - depth[3] / CAMERA)
    placing = np.vstack(
        [np.append(right, 0.0), np.append(up, -up[2] * PIVOT) + PIVOT * share, share]
    )
    placed = picture @ placing
    camera = np.vstack([placed[0], placed[1], depth, placed[2]])
    return View(face.viewer, camera, picture, toward, right, _unit_px(picture))


def _unit_px(picture: Array) -> float:
    """How many pixels a unit is, at the middle of the box."""
    middle = np.array([0.0, BOTTOM + 1.0, 1.0])
    at = picture @ middle
    moved = [picture @ (middle + step) for step in (np.array([0.01, 0, 0]), np.array([0, 0.01, 0]))]
    ways = [(one[:2] / one[2] - at[:2] / at[2]) / 0.01 for one in moved]
    return float(abs(ways[0][0] * ways[1][1] - ways[0][1] * ways[1][0]) ** 0.5)


@lru_cache(maxsize=64)
def upright(made: Layout, viewer: int, height_px: int | None = None) -> Layout:
    """The picture that a viewer is meant to see, as a screen of its own: exactly the picture box.

    Raises:
        Refused: that viewer has no face.
    """
    face = made.face(viewer)
    rows, columns = picture_size(made, height_px)
    box = made.box
    across, down = columns / box.width_mm, rows / box.height_mm
    pixels = np.array(
        [
            [across, 0.0, columns / 2],
            [0.0, -down, (box.bottom_mm + box.height_mm) * down],
            [0.0, 0.0, 1.0],
        ]
    )
    cell = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float64)
    plain = replace(face, pixels=pixels, cell=cell)
    screen = replace(made.screen, width_px=columns, height_px=rows, px_per_mm=down)
    return replace(made, rig=made.rig.plain, screen=screen, faces=(plain,))
