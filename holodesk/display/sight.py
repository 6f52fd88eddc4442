"""How much of a face a viewer sees from a given eye height (display A3)."""

from math import cos, radians, sin
from typing import Final

import numpy as np

from holodesk.display.optics import Array, Face, Layout, layout
from holodesk.display.rig import FAR_MM, Rig, Screen

FEW: Final = 0.6
"""Below this share of a face a viewer is warned."""
UP: Final = np.array([0.0, 0.0, 1.0])
SAMPLE_SCREEN: Final = Screen(800, 800, 4.0)


def share_of_face(rig: Rig, eye_deg: float, steps: int = 2000) -> float:
    """What share of a face's height on the screen reaches a far eye at `eye_deg`, 0 to 1.

    Every point of the face's middle line on the screen is mirrored in the face; it is seen when
    the line from the eye to its mirror image goes through the face.
    """
    flat = Rig(rig.kind, rig.faces, slope_deg=rig.slope_deg, gap_mm=rig.gap_mm, half_mm=rig.half_mm)
    made = layout(flat, SAMPLE_SCREEN)
    face = made.faces[0]
    patch = _middle(made, face, steps)
    plane = face.plane
    mirrored = patch - 2 * ((patch - plane.point) @ plane.normal)[:, None] * plane.normal
    outward = np.array([face.right[1], -face.right[0], 0.0])
    eye = FAR_MM * 100 * (cos(radians(eye_deg)) * outward + sin(radians(eye_deg)) * UP)
    ray = mirrored - eye
    reach = ((plane.point - eye) @ plane.normal) / (ray @ plane.normal)
    hit = eye + reach[:, None] * ray
    out = hit @ plane.forward
    seen = (reach > 0) & (out >= made.gap_mm) & (out <= made.half_mm)
    return float(np.mean(seen))


def _middle(made: Layout, face: Face, steps: int) -> Array:
    """Points spread evenly along the middle line of a face's patch of the screen, mm, (n, 3)."""
    shares = (np.arange(steps) + 0.5) / steps
    out = made.gap_mm + shares * (made.half_mm - made.gap_mm)
    points = out[:, None] * face.plane.forward
    points[:, 2] = made.screen_z
    return points
