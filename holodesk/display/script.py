"""Words stamped on a field: each glyph of a label, wherever and however it lies (LH 3.11).

A label without a way of its own faces each viewer on the picture plane; one that lies in space goes
through the camera like everything else. Either way a glyph is a small parallelogram of pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from holodesk.display.beads import BRIGHTEST, DEPTH_CUE, FAINTEST, TURN_AWAY
from holodesk.display.ground import Ground
from holodesk.display.letters import Atlas, set_line, size
from holodesk.display.optics import Array
from holodesk.display.scene import F4, Label
from holodesk.display.sheet import View
from holodesk.display.stamps import Index

BOLD: Final = np.float32(0.12)
"""Pixels that light adds to either side of a letter, so that small words do not starve."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A label on one face: flat places in its field, and how much of the light each gets."""

    index: Index
    weight: F4
    light: float
    """What distance and turning away leave of the label's light, 0 and up."""
    coarse: Index
    coarse_weight: F4
    """The same gathered for the bloom; each place once."""


NOTHING: Final = Script(
    np.zeros(0, np.intp),
    np.zeros(0, np.float32),
    0.0,
    np.zeros(0, np.intp),
    np.zeros(0, np.float32),
)


def script(label: Label, view: View, number: int, ground: Ground, letters: Atlas) -> Script:
    """Stamp a label on the face of this number."""
    line = set_line(label.words, label.mono, letters)
    begin, way, down, light = _ways(label, view, letters, line.width)
    if light <= 0 or not line.glyphs.size:
        return NOTHING
    turn = np.column_stack([way, down])
    det = turn[0, 0] * turn[1, 1] - turn[0, 1] * turn[1, 0]
    if abs(det) < 1e-6:
        return NOTHING
    back = np.linalg.inv(turn)
    density = float(abs(det) ** 0.5)
    cells = letters.cells[line.glyphs].astype(np.intp)
    wide = int(np.ceil(np.abs(turn).sum(axis=1).max() * (cells[:, 2:].max() + 2)))
    origin = (
        begin
        + np.outer(line.pen + letters.place[line.glyphs, 0], way)
        - np.outer(letters.place[line.glyphs, 1], down)
    )
    middle = origin + 0.5 * (np.outer(cells[:, 2], way) + np.outer(cells[:, 3], down))
    field = ground.field
    left, top = int(ground.left[number]), int(ground.top[number])
    corner = np.floor(middle - wide / 2).astype(np.intp)
    steps = np.arange(wide) + 0.5
    x = corner[:, 0, None] + steps - origin[:, 0, None]
    y = corner[:, 1, None] + steps - origin[:, 1, None]
    s = _plus(back[0, 0] * x, back[0, 1] * y)
    t = _plus(back[1, 0] * x, back[1, 1] * y)
    distance = _lookup(letters, cells, s, t)
    weight = np.clip(distance * np.float32(density) + np.float32(0.5) + BOLD, 0, 1)
    columns = corner[:, 0, None] + np.arange(wide) - left
    rows = corner[:, 1, None] + np.arange(wide) - top
    weight *= ((columns >= 0) & (columns < field.columns))[:, None, :]
    weight *= ((rows >= 0) & (rows < field.rows))[:, :, None]
    flat = (number * field.rows + rows)[:, :, None] * field.columns + columns[:, None, :]
    lit = np.flatnonzero(weight)
    index, weight = flat.reshape(-1)[lit], weight.reshape(-1)[lit]
    return Script(index, weight, light, *_gather(index, weight, ground))


def _gather(index: Index, weight: F4, ground: Ground) -> tuple[Index, F4]:
    """The same light on the coarse grid."""
    field, coarse = ground.field, ground.coarse
    face, place = np.divmod(index, field.rows * field.columns)
    row, column = np.divmod(place, field.columns)
    at = (face * coarse.rows + row // ground.cell) * coarse.columns + column // ground.cell
    places, which = np.unique(at, return_inverse=True)
    light = np.bincount(which, weight, len(places)) / ground.cell**2
    return places, light.astype(np.float32)


def _ways(
    label: Label, view: View, letters: Atlas, wide: float
) -> tuple[Array, Array, Array, float]:
    """The pen's start, and one atlas pixel along and down the line, all in pixels; the light."""
    unit = size(label, letters)
    shift = {-1: 0.0, 0: -wide / 2, 1: -wide}[label.align]
    at = np.array([*label.at, 1.0])
    if label.right is not None:
        right, up = np.array(label.right), np.array(label.up)
        placed, along, above = (
            _pixel(view.camera, at + np.append(step, 0.0))
            for step in (np.zeros(3), right * 0.05, up * 0.05)
        )
        facing = np.cross(right, up) @ view.toward
        light = float(np.clip((facing + TURN_AWAY[0]) / TURN_AWAY[1], 0, 1)) if facing > 0 else 0.0
        light *= _shade(view, at)
    else:
        flat = _on_picture(view, at)
        placed, along, above = (
            _flat(view.picture, flat + np.array(step))
            for step in ((0.0, 0.0, 0.0), (0.05, 0.0, 0.0), (0.0, 0.05, 0.0))
        )
        light = 1.0
    way = (along - placed) / 0.05 * unit
    down = -(above - placed) / 0.05 * unit
    return placed + way * shift, way, down, light


def _on_picture(view: View, at: Array) -> Array:
    """A place as (X, Y, 1) of the picture plane; on the axis, its height is its own."""
    if at[0] == 0.0 and at[1] == 0.0:
        return np.array([0.0, at[2], 1.0])
    pixel = np.append(_pixel(view.camera, at), 1.0)
    found = np.linalg.solve(view.picture, pixel)
    return np.asarray(found / found[2])


def _shade(view: View, at: Array) -> float:
    depth = view.camera[2] @ at
    return float(np.clip(1 + DEPTH_CUE * depth, FAINTEST, BRIGHTEST))


def _pixel(camera: Array, at: Array) -> Array:
    column, row, _, w = camera @ at
    return np.array([column / w, row / w])


def _flat(picture: Array, at: Array) -> Array:
    column, row, w = picture @ at
    return np.array([column / w, row / w])


def _plus(across: Array, along: Array) -> F4:
    """(n, rows, columns) from a part that changes along columns and one that changes along rows."""
    return (across[:, None, :] + along[:, :, None]).astype(np.float32)


def _lookup(letters: Atlas, cells: Index, s: F4, t: F4) -> F4:
    """Distances between the middles of atlas pixels; far outside beyond a glyph's own cell."""
    column, row, wide, high = (cells[:, part, None, None] for part in range(4))
    within = (s > 0.5) & (t > 0.5) & (s < wide - 0.5) & (t < high - 0.5)
    s = np.clip(s - np.float32(0.5), 0, np.maximum(wide - 2, 0)).astype(np.float32)
    t = np.clip(t - np.float32(0.5), 0, np.maximum(high - 2, 0)).astype(np.float32)
    i, j = s.astype(np.intp), t.astype(np.intp)
    s, t = s - i, t - j
    stride = letters.distance.shape[1]
    flat = letters.distance.reshape(-1)
    at = (row + j) * stride + column + i
    at = np.minimum(at, flat.size - stride - 2)
    upper = flat[at] * (1 - s) + flat[at + 1] * s
    lower = flat[at + stride] * (1 - s) + flat[at + stride + 1] * s
    return np.where(within, upper * (1 - t) + lower * t, np.float32(-1e3))
