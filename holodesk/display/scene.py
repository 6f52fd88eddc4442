"""What is drawn, as light in hologram space, and the head that it shows (LH 3.11).

x to the right, y to the back, z up, as the front viewer sees it. One unit is half the width of the
picture box; the floor is z = 0, and a body reaches BODY high. Colours are red, green, blue of
emitted light, about 0..2 each, where 1 is bright and more turns white-hot. Everything is float32.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

F4 = npt.NDArray[np.float32]
Values = npt.ArrayLike

BOTTOM: Final = -0.27
"""The height of the lower edge of the picture box; the plate stands between it and the floor."""
BODY: Final = 1.6
"""How high a body reaches: 80 % of the box."""
SHORT: Final = 8
"""Characters of a hash that a plate shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """k polylines of p points: `points` (k, p, 3), `width` and `glow` (k, p), `colour` (k, p, 3).

    `width` is the whole width in units. `glow` is how much of the light blooms. `normal`, where
    there is one, is (k, p, 3): light goes out that way and is dark from behind.
    """

    points: F4
    width: F4
    colour: F4
    glow: F4
    normal: F4 | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """n soft discs: `points` (n, 3), `radius` and `glow` (n,), `colour` (n, 3), `normal` (n, 3).

    A mist is the same, and only its bloom is drawn.
    """

    points: F4
    radius: F4
    colour: F4
    glow: F4
    normal: F4 | None = None
    mist: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Facets:
    """m triangles, opaque and shaded: `corners` (m, 3, 3), `colour` (m, 3).

    Of a `closed` body, whose corners go counter-clockwise seen from outside, no back ever shows.
    """

    corners: F4
    colour: F4
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """Words at a place. Without `right` they face every viewer; with it they lie in space.

    `height` is that of a capital. `align` is -1 (begins here), 0 (centred) or 1 (ends here).
    `mono` chooses the typeface for addresses and numbers; `fit` is the widest the line may be,
    and smaller capitals are taken where it would be wider.
    """

    words: str
    at: tuple[float, float, float]
    height: float
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    align: int = 0
    right: tuple[float, float, float] | None = None
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    mono: bool = False
    glow: float = 0.3
    fit: float | None = None


@dataclass(frozen=True, slots=True)
class Plate:
    """The head that is shown, in words: hash, seq, and live, stale, refused or frozen."""

    frame_hash: str
    seq: int
    word: str

    @property
    def words(self) -> str:
        """The one line under the feet."""
        return f"{self.frame_hash[:SHORT]} · {self.seq} · {self.word}"


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that stands in the hologram."""

    strokes: tuple[Strokes, ...] = ()
    dots: tuple[Dots, ...] = ()
    facets: tuple[Facets, ...] = ()
    labels: tuple[Label, ...] = ()
    facing: tuple[Dots, ...] = ()
    """Flat things, as the front viewer sees them: they turn their front to every viewer."""

    def __add__(self, other: "Scene") -> "Scene":
        """Both together."""
        return Scene(
            self.strokes + other.strokes,
            self.dots + other.dots,
            self.facets + other.facets,
            self.labels + other.labels,
            self.facing + other.facing,
        )


def strokes(
    points: Values,
    *,
    width: Values,
    colour: Values,
    glow: Values = 1.0,
    normal: Values | None = None,
) -> Strokes:
    """Strokes from whatever broadcasts to the shapes of `Strokes`; one polyline may be (p, 3)."""
    placed = _f4(points)
    if placed.ndim == 2:
        placed = placed[None]
    flat = placed.shape[:2]
    return Strokes(
        placed,
        _filled(width, flat),
        _filled(colour, placed.shape),
        _filled(glow, flat),
        None if normal is None else _filled(normal, placed.shape),
    )


def dots(
    points: Values,
    *,
    radius: Values,
    colour: Values,
    glow: Values = 1.0,
    normal: Values | None = None,
    mist: bool = False,
) -> Dots:
    """Dots from whatever broadcasts to the shapes of `Dots`."""
    placed = _f4(points).reshape(-1, 3)
    count = placed.shape[0]
    return Dots(
        placed,
        _filled(radius, (count,)),
        _filled(colour, (count, 3)),
        _filled(glow, (count,)),
        None if normal is None else _filled(normal, (count, 3)),
        mist,
    )


def facets(corners: Values, *, colour: Values, closed: bool = False) -> Facets:
    """Triangles from whatever broadcasts to the shapes of `Facets`."""
    placed = _f4(corners).reshape(-1, 3, 3)
    return Facets(placed, _filled(colour, (placed.shape[0], 3)), closed)


def _f4(values: Values) -> F4:
    return np.asarray(values, dtype=np.float32)


def _filled(values: Values, shape: tuple[int, ...]) -> F4:
    """An array of this shape, from whatever broadcasts to it."""
    given = _f4(values)
    if given.shape == shape:
        return given
    filled = np.empty(shape, np.float32)
    filled[...] = given
    return filled
