"""Where each face's rectangle of light lies on the screen, and what of it is the face (LH 3.11).

Outside the faces nothing is ever lit; a pixel whose middle lies on the seam of two faces belongs to
one of them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.bloom import coarseness
from holodesk.display.optics import Array, Face, Layout
from holodesk.display.scene import F4
from holodesk.display.stamps import Field, Index

ROOM: Final = 0.0
"""How far a face's rectangle reaches beyond the picture box, as a share of the box."""
FEATHER: Final = 0.14
"""Units over which bloom fades out before the edge of its rectangle or face."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Where each face's rectangle of light lies on the screen, and what of it is the face."""

    field: Field
    coarse: Field
    cell: int
    """Pixels of a coarse pixel, each way."""
    left: Index
    top: Index
    owned: npt.NDArray[np.int32]
    """(faces, rows, columns): all ones inside the face, 0 outside."""
    feather: F4
    """(faces, coarse rows, coarse columns): 0..1 for the bloom."""
    area: tuple[int, int, int, int]
    """Top, left, rows and columns of the part of the screen that is ever lit."""
    apart: bool
    """No two rectangles overlap."""
    gain: F4
    """(faces,): times the light of each."""
    seams: npt.NDArray[np.uint8] | None
    """(faces, rows, columns): how much of the light stays near a seam, of 255; None is all."""


@lru_cache(maxsize=16)
def ground(made: Layout, whole: bool = False) -> Ground:
    """The rectangles of a layout; `whole` takes all of every face, not only about the box."""
    bounds = np.array([_bounds(made, face, whole) for face in made.faces])
    unit_px = min(made.box.width_mm, made.box.height_mm) / 2 * made.screen.px_per_mm
    cell = coarseness(unit_px)
    step = cell * 2
    rows = int(-(-(bounds[:, 3] - bounds[:, 1]).max() // step) * step)
    columns = int(-(-(bounds[:, 2] - bounds[:, 0]).max() // step) * step)
    left, top = bounds[:, 0].astype(np.intp), bounds[:, 1].astype(np.intp)
    field = Field(len(made.faces), rows, columns)
    coarse = Field(len(made.faces), rows // cell, columns // cell)
    owned = np.zeros((field.count, rows, columns), np.int32)
    feather = np.zeros((field.count, coarse.rows, coarse.columns), np.float32)
    fading = made.rig.feather_mm * made.screen.px_per_mm
    seams = np.full(owned.shape, 255, np.uint8) if fading else None
    for number, face in enumerate(made.faces):
        start = (int(left[number]), int(top[number]))
        inside = _inside(made, face, start, (rows, columns), 1)
        owned[number] = np.where(inside > 0, -1, 0)
        if seams is not None:
            away = _from_seams(face, start, (rows, columns))
            seams[number] = np.round(_smooth(away / fading) * 255).astype(np.uint8)
        edge = _inside(made, face, start, (coarse.rows, coarse.columns), cell)
        frame = _frame(coarse.rows, coarse.columns) * cell
        feather[number] = _smooth(np.minimum(edge, frame) / (FEATHER * unit_px))
    first_top, first_left = max(0, int(top.min())), max(0, int(left.min()))
    last_row = min(made.screen.height_px, int(top.max()) + rows)
    last_column = min(made.screen.width_px, int(left.max()) + columns)
    area = (first_top, first_left, last_row - first_top, last_column - first_left)
    apart = all(
        abs(int(left[i] - left[j])) >= columns or abs(int(top[i] - top[j])) >= rows
        for i in range(field.count)
        for j in range(i)
    )
    gain = np.array([made.rig.trim(face.viewer).gain for face in made.faces], np.float32)
    return Ground(field, coarse, cell, left, top, owned, feather, area, apart, gain, seams)


def _smooth(share: Array) -> Array:
    """From 0 to 1 without a corner."""
    held = np.clip(share, 0, 1)
    return np.asarray(held * held * (3 - 2 * held))


def _from_seams(face: Face, start: tuple[int, int], size: tuple[int, int]) -> Array:
    """How far each pixel's middle is from the nearer seam with a neighbour, in pixels."""
    x = start[0] + np.arange(size[1]) + 0.5
    y = start[1] + np.arange(size[0]) + 0.5
    away = np.full(size, np.inf)
    for one, two in ((face.cell[1], face.cell[2]), (face.cell[3], face.cell[0])):
        way = (two - one) / np.hypot(*(two - one))
        across = (x - one[0])[None, :] * way[1] - (y - one[1])[:, None] * way[0]
        away = np.minimum(away, np.abs(across))
    return away


def _bounds(made: Layout, face: Face, whole: bool) -> Array:
    """Left, top, right and bottom pixel of a face's rectangle."""
    low, high = face.cell.min(axis=0), face.cell.max(axis=0)
    if not whole:
        box = made.box
        half = box.width_mm * (0.5 + ROOM)
        bottom = box.bottom_mm - box.height_mm * ROOM
        top = box.bottom_mm + box.height_mm * (1 + ROOM)
        corners = np.array([[x, y, 1.0] for x in (-half, half) for y in (bottom, top)])
        placed = corners @ face.pixels.T
        placed = placed[:, :2] / placed[:, 2:]
        low, high = np.maximum(low, placed.min(axis=0)), np.minimum(high, placed.max(axis=0))
    screen = np.array([made.screen.width_px, made.screen.height_px])
    low = np.clip(np.floor(low), 0, screen - 1)
    high = np.clip(np.ceil(high), low + 1, screen)
    return np.concatenate([low, high])


def _inside(
    made: Layout, face: Face, start: tuple[int, int], size: tuple[int, int], step: int
) -> Array:
    """How far inside its face each pixel's middle is, in pixels; not positive outside.

    Between two faces a middle that lies exactly on the seam belongs to one of them only.
    """
    x = start[0] + (np.arange(size[1]) + 0.5) * step
    y = start[1] + (np.arange(size[0]) + 0.5) * step
    corners = face.cell
    middle = corners.mean(axis=0)
    deep = np.full(size, np.inf)
    for number, one in enumerate(corners):
        two = corners[(number + 1) % len(corners)]
        way = two - one
        if np.hypot(*way) < 1e-9:
            continue
        normal = np.array([-way[1], way[0]]) / np.hypot(*way)
        if normal @ (middle - one) < 0:
            normal = -normal
        away = (x - one[0])[None, :] * normal[0] + (y - one[1])[:, None] * normal[1]
        seam = 1e-7 if number == 1 else -1e-7
        deep = np.minimum(deep, away + seam)
    across = np.minimum(x, made.screen.width_px - x)
    down = np.minimum(y, made.screen.height_px - y)
    return np.asarray(np.minimum(deep, np.minimum(across[None, :], down[:, None])))


def _frame(rows: int, columns: int) -> Array:
    """Distance of each pixel's middle from the edge of a rectangle."""
    x = np.minimum(np.arange(columns) + 0.5, columns - np.arange(columns) - 0.5)
    y = np.minimum(np.arange(rows) + 0.5, rows - np.arange(rows) - 0.5)
    return np.asarray(np.minimum(x[None, :], y[:, None]))
