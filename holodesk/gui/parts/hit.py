"""Where a pointer meets a viewer's picture: the same on the output and in the console (LH 3.6)."""

from dataclasses import dataclass

import numpy as np

from holodesk.display.optics import Face, Layout
from holodesk.display.scene import BOTTOM


@dataclass(frozen=True, slots=True)
class Hit:
    """In the picture of the viewer at this azimuth: `across` -1..1 to their right, `up` in units
    from the floor of the hologram."""

    viewer: int
    azimuth_deg: float
    across: float
    up: float


def hit_on_screen(made: Layout, column: float, row: float) -> Hit | None:
    """What lies under a device pixel of the output; None outside every picture."""
    for face in made.faces:
        found = _in_face(made, face, column, row)
        if found is not None:
            return found
    return None


def hit_in_picture(made: Layout, viewer: int, across: float, down: float) -> Hit:
    """What lies in a viewer's upright picture, at 0..1 from its left and from above."""
    box = made.box
    unit = min(box.width_mm, box.height_mm) / 2
    right = (across - 0.5) * box.width_mm / unit
    up = BOTTOM + (1 - down) * box.height_mm / unit
    return Hit(viewer, made.face(viewer).azimuth_deg, right, up)


def _in_face(made: Layout, face: Face, column: float, row: float) -> Hit | None:
    x, y, w = np.linalg.inv(face.pixels) @ np.array([column, row, 1.0])
    if w <= 0:
        return None
    box = made.box
    across, down = x / w / box.width_mm + 0.5, 1 - (y / w - box.bottom_mm) / box.height_mm
    if not (0 <= across <= 1 and 0 <= down <= 1):
        return None
    return hit_in_picture(made, face.viewer, float(across), float(down))
