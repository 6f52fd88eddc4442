"""What a viewer sees is found by following rays, never by trusting the matrices (LH 3.11).

From the eye through every point of the wanted picture: meet the plate, reflect, meet the screen,
look up the pixel there. A ray that misses the plate or the screen sees nothing.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from holodesk.display.optics import Array, Face, Layout

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """Where each point of a viewer's picture lies on the screen, and which rays arrive."""

    index: npt.NDArray[np.intp]
    met: npt.NDArray[np.bool_]
    rows: int
    columns: int

    @property
    def share(self) -> float:
        """How much of the picture box this viewer can see, 0..1."""
        return float(np.mean(self.met))


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The upright picture a viewer sees, (rows, columns, 3), and its visible share, 0..1."""

    picture: Pixels
    share: float


def picture_size(made: Layout, height_px: int | None = None) -> tuple[int, int]:
    """Rows and columns of the picture box; None is the density of the screen itself."""
    if height_px is None:
        rows = round(made.box.height_mm * made.screen.px_per_mm)
        return max(1, rows), max(1, round(made.box.width_mm * made.screen.px_per_mm))
    return height_px, max(1, round(height_px * made.box.width_mm / made.box.height_mm))


@lru_cache(maxsize=32)
def rays(made: Layout, viewer: int, height_px: int | None = None) -> Rays:
    """Follow every ray of a viewer once; the same for every picture on that screen.

    Raises:
        Refused: that viewer has no face.
    """
    face = made.face(viewer)
    rows, columns = picture_size(made, height_px)
    box = made.box
    across = ((np.arange(columns) + 0.5) / columns - 0.5) * box.width_mm
    up = box.bottom_mm + (1 - (np.arange(rows) + 0.5) / rows) * box.height_mm
    targets = (
        face.origin
        + across[None, :, None] * face.right
        + up[:, None, None] * np.array([0.0, 0.0, 1.0])
    )
    met, place = _screen_places(made, face, targets.reshape(-1, 3))
    turned = _pixel_places(made, place)
    column = np.floor(turned[:, 0]).astype(np.intp)
    row = np.floor(turned[:, 1]).astype(np.intp)
    wide, high = made.screen.width_px, made.screen.height_px
    met &= (column >= 0) & (column < wide) & (row >= 0) & (row < high)
    index = np.where(met, row * wide + column, 0)
    return Rays(index, met, rows, columns)


def _screen_places(made: Layout, face: Face, targets: Array) -> tuple[npt.NDArray[np.bool_], Array]:
    """Eye to plate to screen: which rays arrive, and where."""
    plane = face.plane
    ray = targets - face.eye
    ray /= np.linalg.norm(ray, axis=1, keepdims=True)
    toward = ray @ plane.normal
    reach = ((plane.point - face.eye) @ plane.normal) / toward
    hit = face.eye + reach[:, None] * ray
    out = hit @ plane.forward
    met = reach > 0
    met &= (out >= made.gap_mm - 1e-9) & (out <= made.half_mm + 1e-9)
    met &= np.abs(hit @ plane.side) <= out * made.rig.spread + 1e-9
    bounced = ray - 2 * toward[:, None] * plane.normal
    with np.errstate(divide="ignore", invalid="ignore"):
        fall = (made.screen_z - hit[:, 2]) / bounced[:, 2]
        met &= np.isfinite(fall) & (fall >= -1e-9)
        place = hit + np.where(met, fall, 0.0)[:, None] * bounced
    return met, place


def _pixel_places(made: Layout, place: Array) -> Array:
    """World places on the screen plane as pixels, with the turn of the whole picture."""
    u = place[:, 0]
    v = place[:, 1] if made.rig.kind == "B" else -place[:, 1]
    for _ in range(made.rig.turn_deg // 90):
        u, v = -v, u
    if made.rig.corner:
        u, v = (u - v) * sqrt(0.5), (u + v) * sqrt(0.5)
    density = made.screen.px_per_mm
    return np.column_stack(
        [
            u * density + made.screen.width_px / 2,
            v * density + made.screen.height_px / 2,
        ]
    )


def trace(made: Layout, viewer: int, framebuffer: Pixels, height_px: int | None = None) -> Seen:
    """What a viewer sees of a framebuffer, (height, width, 3 or 4).

    Raises:
        Refused: that viewer has no face.
    """
    followed = rays(made, viewer, height_px)
    flat = framebuffer.reshape(-1, framebuffer.shape[-1])
    picture = flat[followed.index, :3]
    picture[~followed.met] = 0
    return Seen(picture.reshape(followed.rows, followed.columns, 3), followed.share)
