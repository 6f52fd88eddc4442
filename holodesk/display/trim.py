"""What eye and hand set right on a real pyramid: pictures, and how light is told (LH 3.11).

A trim moves a picture as its viewer sees it, before the exact matrix; the plate stays where it is,
so light that leaves the face is cut off. Neutral values change not a single number.
"""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.errors import Place, Refused

Array = npt.NDArray[np.float64]
Pair = tuple[float, float]
UNPINNED: Final[tuple[Pair, Pair, Pair, Pair]] = ((0.0, 0.0),) * 4
MOST_SHIFT_MM: Final = 500.0
LEAST_SCALE, MOST_SCALE = 0.1, 4.0
LEAST_GAIN, MOST_GAIN = 0.1, 4.0
MOST_CRUSH: Final = 64
LEAST_GAMMA, MOST_GAMMA = 0.4, 3.0
LEVELS: Final = 256


def within(name: str, value: float, least: float, most: float) -> None:
    """A measure lies in its range.

    Raises:
        Refused: it does not.
    """
    if not least <= value <= most:
        raise refused(name, f"{least:g} to {most:g}", value)


def refused(name: str, expected: str, found: object) -> Refused:
    """The one sentence about a measure that cannot be."""
    return Refused("display rig", f"{name}: expected {expected}, found {found}", Place(field=name))


@dataclass(frozen=True, slots=True)
class Trim:
    """How one viewer's picture is moved, and how bright it is.

    Raises:
        Refused: a measure out of its range.
    """

    shift_mm: Pair = (0.0, 0.0)
    """To the viewer's right, and up."""
    scale: float = 1.0
    turn_deg: float = 0.0
    """Counter-clockwise, as the viewer sees it, about the middle of the picture box."""
    pin_mm: tuple[Pair, Pair, Pair, Pair] = UNPINNED
    """How far each corner of the box is pulled: bottom left, bottom right, top right, top left."""
    gain: float = 1.0
    """Times its light."""

    def __post_init__(self) -> None:
        for part in self.shift_mm:
            within("shift", part, -MOST_SHIFT_MM, MOST_SHIFT_MM)
        within("scale", self.scale, LEAST_SCALE, MOST_SCALE)
        within("turn of a picture", self.turn_deg, -180, 180)
        if len(self.pin_mm) != 4:
            raise refused("pin", "four corners", len(self.pin_mm))
        for corner in self.pin_mm:
            for part in corner:
                within("pin", part, -MOST_SHIFT_MM, MOST_SHIFT_MM)
        within("gain", self.gain, LEAST_GAIN, MOST_GAIN)

    @property
    def still(self) -> bool:
        """The picture is where the optics alone put it."""
        stands = self.shift_mm == (0.0, 0.0) and self.scale == 1.0 and self.turn_deg == 0.0
        return stands and self.pin_mm == UNPINNED

    def matrix(self, wide: float, high: float, bottom: float) -> Array:
        """(3, 3), picture millimetres to picture millimetres, for a box of this size and place.

        Raises:
            Refused: the pinned corners cross each other.
        """
        middle = bottom + high / 2
        c, s = cos(radians(self.turn_deg)) * self.scale, sin(radians(self.turn_deg)) * self.scale
        right, up = self.shift_mm
        move = np.array([[c, -s, right + s * middle], [s, c, up + middle - c * middle], [0, 0, 1]])
        if self.pin_mm == UNPINNED:
            return move
        half = wide / 2
        box = np.array(
            [(-half, bottom), (half, bottom), (half, bottom + high), (-half, bottom + high)]
        )
        return np.asarray(move @ _pinned(box, box + np.array(self.pin_mm)))


NEUTRAL: Final = Trim()


@dataclass(frozen=True, slots=True)
class Tone:
    """How levels of light become levels of the screen.

    `crush`: this level of 255 and those below become 0, the others use the whole range.
    `gamma`: above 1 lifts what is dim, below 1 deepens it.

    Raises:
        Refused: a measure out of its range.
    """

    crush: int = 0
    gamma: float = 1.0

    def __post_init__(self) -> None:
        within("black crush", self.crush, 0, MOST_CRUSH)
        within("gamma", self.gamma, LEAST_GAMMA, MOST_GAMMA)

    @property
    def neutral(self) -> bool:
        """Every level stays as it is."""
        return self.crush == 0 and self.gamma == 1.0

    @property
    def levels(self) -> npt.NDArray[np.uint8]:
        """The level of the screen for each level of light, (256,); 0 stays 0 and 255 stays 255."""
        level = np.arange(LEVELS, dtype=np.float64)
        share = np.maximum(level - self.crush, 0) / (LEVELS - 1 - self.crush)
        return np.round(share ** (1 / self.gamma) * (LEVELS - 1)).astype(np.uint8)


PLAIN_TONE: Final = Tone()


def _pinned(of: Array, to: Array) -> Array:
    """The homography that takes four corners to four others."""
    ways = np.roll(to, -1, axis=0) - to
    turns = ways[:, 0] * np.roll(ways[:, 1], -1) - ways[:, 1] * np.roll(ways[:, 0], -1)
    if turns.min() <= 1e-9:
        raise refused("pin", "four corners that go round without crossing", to.tolist())
    rows, right = [], []
    for (x, y), (u, v) in zip(of, to, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    solved = np.linalg.solve(np.array(rows), np.array(right))
    return np.append(solved, 1.0).reshape(3, 3)
