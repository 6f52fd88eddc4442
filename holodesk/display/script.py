"""Words stamped on a field: each glyph of a label, wherever and however it lies (LH 3.11).

A label without a way of its own faces each viewer on the picture plane; one that lies in space goes
through the camera like everything else. Either way a glyph is a small parallelogram of pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from holodesk.display.beads import BRIGHTEST, DEPTH_CUE, FAINTEST
from holodesk.display.ground import Ground
from holodesk.display.letters import Atlas, set_line, size
from holodesk.display.optics import Array
from holodesk.display.scene import F4, Label
from holodesk.display.sheet import View
from holodesk.display.stamps import Index

Key = TypeVar("Key")
Value = TypeVar("Value")
KEPT: Final = 64
KEPT_PAGES: Final = 8
"""Labels for each view, and pages, whose stamps are kept from one picture to the next."""
BOLD: Final = np.float32(0.12)
"""Pixels that light adds to either side of a letter, so that small words do not starve."""


AWRY: Final = (0.25, 0.35)
"""Words that lie in space fade before they are too slanted to read: (start, span) of a cosine."""


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A label on one face: flat places in its field, and how much of the light each gets."""

    index: Index
    weight: F4
    light: float
    """What distance and turning away leave of the label's light, 0 and up."""


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """Many labels on many faces, ready to add: light (3, m) by place, and the same for the bloom.

    Each coarse place is there once.
    """

    index: Index
    light: F4
    coarse: Index
    coarse_light: F4


NOTHING: Final = Script(np.zeros(0, np.intp), np.zeros(0, np.float32), 0.0)


class Pages:
    """Stamps labels for one ground. Words mostly stand still, and are then stamped only once."""

    def __init__(self, ground: Ground, letters: Atlas) -> None:
        self._ground = ground
        self._letters = letters
        self._scripts: dict[tuple[Label, int], Script] = {}
        self._pages: dict[tuple[tuple[Label, ...], tuple[int, ...]], Page] = {}

    def of(self, labels: tuple[Label, ...], views: Sequence[View], numbers: list[int]) -> Page:
        """The labels as the views of these numbers see them; the same page for the same labels."""
        key = (labels, tuple(numbers))
        kept = self._pages.get(key)
        if kept is None:
            kept = page(self._written(labels, views, numbers), self._ground)
            _keep(self._pages, key, kept, KEPT_PAGES)
        return kept

    def _written(
        self, labels: tuple[Label, ...], views: Sequence[View], numbers: list[int]
    ) -> list[tuple[Label, Script]]:
        written = []
        for label in labels:
            plain = replace(label, colour=(0.0, 0.0, 0.0), glow=0.0)
            for number in numbers:
                kept = self._scripts.get((plain, number))
                if kept is None:
                    kept = script(plain, views[number], number, self._ground, self._letters)
                    _keep(self._scripts, (plain, number), kept, KEPT * len(views))
                written.append((label, kept))
        return written


def _keep(kept: dict[Key, Value], key: Key, value: Value, most: int) -> None:
    """Keep a value, and let the oldest go."""
    while len(kept) >= most:
        del kept[next(iter(kept))]
    kept[key] = value


def page(written: Sequence[tuple[Label, Script]], ground: Ground) -> Page:
    """Put labels that were stamped together."""
    if not written:
        none = np.zeros((3, 0), np.float32)
        return Page(NOTHING.index, none, NOTHING.index, none)
    index = np.concatenate([stamped.index for _, stamped in written])
    light = np.concatenate(
        [
            np.outer(label.colour, stamped.weight * np.float32(stamped.light))
            for label, stamped in written
        ],
        axis=1,
    ).astype(np.float32)
    glow = np.concatenate(
        [np.full(stamped.index.size, label.glow, np.float32) for label, stamped in written]
    )
    places, which = np.unique(_coarse(index, ground), return_inverse=True)
    share = glow / np.float32(ground.cell**2)
    gathered = np.stack([np.bincount(which, part * share, len(places)) for part in light])
    return Page(index, light, places, gathered.astype(np.float32))


def _coarse(index: Index, ground: Ground) -> Index:
    """The coarse place of each fine one."""
    field, coarse = ground.field, ground.coarse
    face, place = np.divmod(index, field.rows * field.columns)
    row, column = np.divmod(place, field.columns)
    at = (face * coarse.rows + row // ground.cell) * coarse.columns + column // ground.cell
    return np.asarray(at, np.intp)


def script(label: Label, view: View, number: int, ground: Ground, letters: Atlas) -> Script:
    """Stamp a label on the face of this number."""
    line = set_line(label.words, label.mono, letters)
    begin, way, down, light = _ways(label, view, letters, line.width)
    turn = np.column_stack([way, down])
    det = turn[0, 0] * turn[1, 1] - turn[0, 1] * turn[1, 0]
    if light <= 0 or not line.glyphs.size or abs(det) < 1e-6:
        return NOTHING
    density = float(abs(det) ** 0.5)
    cells = letters.cells[line.glyphs].astype(np.intp)
    origin = (
        begin
        + np.outer(line.pen + letters.place[line.glyphs, 0], way)
        - np.outer(letters.place[line.glyphs, 1], down)
    )
    spans = cells[:, 2:] @ np.abs(turn).T + 2
    order = np.argsort(spans[:, 0] * spans[:, 1], kind="stable")
    flat, weights = [], []
    for some in np.array_split(order, min(len(order), 3)):
        index, weight = _stamped(origin[some], turn, cells[some], (number, ground), letters)
        np.clip(weight * np.float32(density) + np.float32(0.5) + BOLD, 0, 1, out=weight)
        lit = np.flatnonzero((weight > 0) & (index >= 0))
        flat.append(index[lit])
        weights.append(weight[lit])
    return Script(np.concatenate(flat), np.concatenate(weights), light)


def _stamped(
    origin: Array, turn: Array, cells: Index, face: tuple[int, Ground], letters: Atlas
) -> tuple[Index, F4]:
    """Places (-1 outside the field) and distances to the outline, about each glyph; glyphs last."""
    number, ground = face
    field = ground.field
    wide, high = (int(np.ceil(part)) for part in (cells[:, 2:] @ np.abs(turn).T + 1).max(axis=0))
    middle = origin + 0.5 * cells[:, 2:] @ turn.T
    corner = np.floor(middle - np.array([wide, high]) / 2).astype(np.intp)
    back = np.linalg.inv(turn).astype(np.float32)
    x = (corner[:, 0] - origin[:, 0] + 0.5 + np.arange(wide)[:, None]).astype(np.float32)
    y = (corner[:, 1] - origin[:, 1] + 0.5 + np.arange(high)[:, None]).astype(np.float32)
    s = (back[0, 0] * x)[None] + (back[0, 1] * y)[:, None]
    t = (back[1, 0] * x)[None] + (back[1, 1] * y)[:, None]
    distance = _lookup(letters, cells, s, t)
    columns = corner[:, 0] - int(ground.left[number]) + np.arange(wide)[:, None]
    rows = corner[:, 1] - int(ground.top[number]) + np.arange(high)[:, None]
    inside = ((columns >= 0) & (columns < field.columns))[None]
    inside = inside & ((rows >= 0) & (rows < field.rows))[:, None]
    places = ((number * field.rows + rows) * field.columns)[:, None] + columns[None]
    return np.where(inside, places, -1).reshape(-1), distance.reshape(-1)


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
        light = float(np.clip((facing - AWRY[0]) / AWRY[1], 0, 1))
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


def _lookup(letters: Atlas, cells: Index, s: F4, t: F4) -> F4:
    """Distances between the middles of atlas pixels; far outside beyond a glyph's own cell."""
    column, row, wide, high = (cells[:, part] for part in range(4))
    half, none = np.float32(0.5), np.float32(0)
    right, foot = (np.maximum(part - 2, 0).astype(np.float32) for part in (wide, high))
    within = (s > half) & (t > half) & (s < right + 1.5) & (t < foot + 1.5)
    s = np.minimum(np.maximum(s - half, none), right + np.float32(0.999))
    t = np.minimum(np.maximum(t - half, none), foot + np.float32(0.999))
    i, j = s.astype(np.int32), t.astype(np.int32)
    s, t = s - i, t - j
    stride = letters.distance.shape[1]
    flat = letters.distance.reshape(-1)
    at = np.minimum((j * stride + i) + (row * stride + column), flat.size - stride - 2)
    upper, lower = flat[at], flat[at + stride]
    upper += (flat[at + 1] - upper) * s
    lower += (flat[at + stride + 1] - lower) * s
    upper += (lower - upper) * t
    return np.where(within, upper, np.float32(-1e3))
