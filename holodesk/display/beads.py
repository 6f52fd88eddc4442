"""A scene cut into short straight pieces, discs and triangles, and seen by every face (LH 3.11).

Both renderers start from `Pieces`, the scene without any face. `Beads` are the same, seen by every
face in its pixels; from here on only pixels matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.scene import F4, Dots, Scene, Strokes, dots
from holodesk.display.sheet import View

DEPTH_CUE: Final = np.float32(0.62)
"""How much brighter light is a unit nearer to the viewer."""
FAINTEST: Final = np.float32(0.25)
BRIGHTEST: Final = np.float32(1.6)
TURN_AWAY: Final = (np.float32(0.12), np.float32(0.5))
"""Light with a normal fades out as it turns away: (shift, span) over the cosine."""
INVISIBLE: Final = np.float32(0.004)
SHARPEST: Final = np.float32(1.02)
"""The most that the end of a piece is cut aslant: the tangent of half a turn."""

Row = tuple[F4, F4, F4, F4, F4, F4, F4, npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """n pieces from `a` to `b` (n, 3), each a stroke or, where they are equal, a disc.

    `half` (n,) is half the width or the radius in units; `core` is 0 where only bloom is drawn.
    """

    a: F4
    b: F4
    half: F4
    colour: F4
    glow: F4
    normal: F4
    turned: npt.NDArray[np.bool_]
    core: F4
    joined: npt.NDArray[np.bool_]
    """The next piece goes on where this one ends."""
    discs: int
    """The last `discs` pieces are discs."""


@dataclass(frozen=True, slots=True, eq=False)
class Beads:
    """n pieces as faces see them. Pixels are those of the screen; `face` numbers the views.

    `colour` is (3, n); a negative `length` is a disc. `bend` (2, n) is how each end is cut so that
    it meets its neighbour: the tangent of half the turn, toward the left of the way it goes.
    """

    face: npt.NDArray[np.intp]
    x: F4
    y: F4
    along_x: F4
    along_y: F4
    length: F4
    bend: F4
    half: F4
    depth: F4
    colour: F4
    glow: F4
    core: F4

    def some(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> "Beads":
        """Only these."""
        return Beads(*(getattr(self, name)[..., chosen] for name in Beads.__slots__))


def pieces(scene: Scene, unit_px: float) -> Pieces:
    """Cut every stroke so that no piece is much longer on the screen than it is wide."""
    rows = [_cut(bundle, unit_px) for bundle in scene.strokes if bundle.points.shape[1] > 1]
    whole = [_whole(bundle) for bundle in scene.dots if bundle.points.shape[0]]
    discs = sum(len(row[0]) for row in whole)
    rows += whole
    if not rows:
        rows = [_whole(dots(np.zeros((0, 3)), radius=0.0, colour=0.0))]
    joined = [np.concatenate(column) for column in zip(*rows, strict=True)]
    a, b, half, colour, glow, normal, core, goes_on = joined
    turned = np.abs(normal).sum(axis=1) > 0
    return Pieces(a, b, half, colour, glow, normal, turned, core, goes_on, discs)


def longest_piece(half_px: float) -> tuple[int, float]:
    """The window that suits a stroke of this half width, and the longest piece that fits it.

    The window is 2 k pixels square about the middle of a piece, and holds all of its light.
    """
    k = int(np.ceil(half_px + 2.2))
    reach = half_px + 0.5
    return k, max(1.0, 2 * ((k * k - reach * reach) ** 0.5 - 0.5))


def _cut(bundle: Strokes, unit_px: float) -> Row:
    step = np.diff(bundle.points, axis=1)
    longest = float(np.sqrt((step * step).sum(axis=2).max(initial=0.0))) * unit_px
    _, fits = longest_piece(float(bundle.width.max(initial=0.0)) * unit_px / 2)
    parts = int(min(64, max(1, np.ceil(longest / fits))))
    points = _refine(bundle.points, parts)
    values = [_refine(value, parts) for value in (bundle.width, bundle.colour, bundle.glow)]
    width, colour, glow = ((value[:, :-1] + value[:, 1:]) * np.float32(0.5) for value in values)
    count = width.size
    goes_on = np.ones(width.shape, np.bool_)
    goes_on[:, -1] = False
    if bundle.normal is None:
        normal = np.zeros((count, 3), np.float32)
    else:
        normal = _refine(bundle.normal, parts)[:, :-1].reshape(-1, 3)
    return (
        points[:, :-1].reshape(-1, 3),
        points[:, 1:].reshape(-1, 3),
        width.reshape(-1) * np.float32(0.5),
        colour.reshape(-1, 3),
        glow.reshape(-1),
        normal,
        np.ones(count, np.float32),
        goes_on.reshape(-1),
    )


def _refine(values: F4, parts: int) -> F4:
    """The same polylines with `parts` pieces for each one."""
    if parts == 1:
        return values
    share = (np.arange(parts, dtype=np.float32) / np.float32(parts)).reshape(
        (1, 1, parts) + (1,) * (values.ndim - 2)
    )
    start, step = values[:, :-1, None], np.diff(values, axis=1)[:, :, None]
    filled = (start + step * share).reshape(values.shape[0], -1, *values.shape[2:])
    return np.concatenate([filled, values[:, -1:]], axis=1)


def _whole(bundle: Dots) -> Row:
    count = bundle.points.shape[0]
    normal = np.zeros((count, 3), np.float32) if bundle.normal is None else bundle.normal
    core = np.full(count, 0.0 if bundle.mist else 1.0, np.float32)
    at, alone = bundle.points, np.zeros(count, np.bool_)
    return at, at, bundle.radius, bundle.colour, bundle.glow, normal, core, alone


def seen(cut: Pieces, views: Sequence[View]) -> Beads:
    """What every face sees of the pieces, in its pixels; what sends no light is left out."""
    cameras = np.array([view.camera for view in views], dtype=np.float32)
    ax, ay, adepth, aw = _project(cameras, cut.a)
    if cut.discs == len(cut.a):
        bx, by, bw = ax, ay, aw
    else:
        bx, by, _, bw = _project(cameras, cut.b)
    unit = np.array([view.unit_px for view in views], dtype=np.float32)[:, None]
    shade = np.clip(1 + DEPTH_CUE * adepth, FAINTEST, BRIGHTEST)
    if cut.turned.any():
        toward = np.array([view.toward for view in views], dtype=np.float32)
        facing = np.zeros_like(shade)
        for axis in range(3):
            facing += toward[:, axis, None] * cut.normal[None, :, axis]
        facing = np.clip((facing + TURN_AWAY[0]) / TURN_AWAY[1], 0, 1)
        shade = np.where(cut.turned, shade * facing, shade)
    dx, dy = bx - ax, by - ay
    length = np.sqrt(dx * dx + dy * dy)
    lit = (shade * cut.colour.max(axis=1, initial=0.0) > INVISIBLE) & (aw > 0.05) & (bw > 0.05)
    face, piece = np.nonzero(lit)
    along = np.maximum(length, np.float32(1e-6))
    along_x, along_y = dx / along, dy / along
    bend = _bend(along_x, along_y, cut.joined)
    disc = piece >= len(cut.a) - cut.discs
    straight = ~disc & (length[lit] > 1e-6)
    return Beads(
        face=face,
        x=(ax[lit] + bx[lit]) * np.float32(0.5),
        y=(ay[lit] + by[lit]) * np.float32(0.5),
        along_x=np.where(straight, along_x[lit], np.float32(1)),
        along_y=np.where(straight, along_y[lit], np.float32(0)),
        length=np.where(disc, np.float32(-1), length[lit]),
        bend=bend[:, lit],
        half=cut.half[piece] * (unit / aw)[lit],
        depth=adepth[lit],
        colour=cut.colour.T[:, piece] * shade[lit],
        glow=cut.glow[piece],
        core=cut.core[piece],
    )


def _bend(x: F4, y: F4, joined: npt.NDArray[np.bool_]) -> F4:
    """Half-turn tangents at the start and the end of each piece, (2, faces, n)."""
    bend = np.zeros((2, *x.shape), np.float32)
    cross = x[:, :-1] * y[:, 1:] - y[:, :-1] * x[:, 1:]
    straight = 1 + x[:, :-1] * x[:, 1:] + y[:, :-1] * y[:, 1:]
    half = np.clip(cross / np.maximum(straight, np.float32(1e-3)), -SHARPEST, SHARPEST)
    half *= joined[:-1]
    bend[1, :, :-1] = half
    bend[0, :, 1:] = half
    return bend


def _project(cameras: F4, points: F4) -> tuple[F4, F4, F4, F4]:
    """Columns, rows, depths and w of points (n, 3) by cameras (f, 4, 4): four arrays (f, n)."""
    x, y, z = (np.ascontiguousarray(points[:, axis]) for axis in range(3))
    column, row, depth, w = (
        cameras[:, line, 0, None] * x
        + cameras[:, line, 1, None] * y
        + cameras[:, line, 2, None] * z
        + cameras[:, line, 3, None]
        for line in range(4)
    )
    return column / w, row / w, depth, w
