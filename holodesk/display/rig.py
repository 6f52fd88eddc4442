"""How screen and pyramid stand, in millimetres; nothing else may say it (LH 3.11).

Three rigs. In A the pyramid stands apex down on a flat screen, in B the screen hangs over a pyramid
whose apex is up, in C the pyramid stands on the screen like a tent and its far face reflects.
Angles are degrees. Azimuths run counter-clockwise seen from above; -90 is the front.
"""

from dataclasses import dataclass, field
from math import pi, tan
from typing import Final, Literal

from holodesk.errors import Place, Refused

Kind = Literal["A", "B", "C"]
KINDS: Final[dict[Kind, str]] = {
    "A": "pyramid stands on the screen",
    "B": "screen over the pyramid",
    "C": "tent on the screen",
}
TURNS: Final = (0, 90, 180, 270)
MOST_FACES: Final = 8
FAR_MM: Final = 5000.0
"""The distance of a far viewer."""
GAP_SHARE: Final = 0.1
"""The gap where nobody measured it, as a share of the half width."""
PX_PER_MM: Final = 96 / 25.4
"""The density of a screen that nobody measured."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The pixels that are drawn on, and how many of them make a millimetre."""

    width_px: int
    height_px: int
    px_per_mm: float = PX_PER_MM

    def __post_init__(self) -> None:
        _within("screen width in pixels", self.width_px, 16, 16384)
        _within("screen height in pixels", self.height_px, 16, 16384)
        _within("pixels for a millimetre", self.px_per_mm, 0.1, 200)


@dataclass(frozen=True, slots=True)
class Rig:
    """Screen and pyramid as built. One and two faces are four with the others not there.

    Raises:
        Refused: a measure out of its range.
    """

    kind: Kind = "A"
    faces: int = 4
    off: frozenset[int] = field(default_factory=frozenset)
    """Viewers whose face is not there."""
    turn_deg: int = 0
    """How far the whole picture is turned on the screen, clockwise as one looks at it."""
    slope_deg: float = 45.0
    """Of a face, from the horizontal."""
    gap_mm: float | None = None
    """Centre to the inner edge of a face; None is a tenth of the half width."""
    half_mm: float | None = None
    """Centre to the outer edge of a face; None is half the short side of the screen."""
    aspect: float = 1.0
    """Width of the picture box over its height."""
    eye_elevation_deg: float = 0.0
    eye_distance_mm: float = FAR_MM

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise _refused("kind", "one of A, B, C", self.kind)
        if self.turn_deg not in TURNS:
            raise _refused("turn", "one of 0, 90, 180, 270", self.turn_deg)
        _within("number of faces", self.faces, 1, MOST_FACES)
        _within("slope", self.slope_deg, 20, 75)
        _within("aspect of the picture", self.aspect, 0.2, 5)
        _within("eye elevation", self.eye_elevation_deg, -60, 80)
        _within("eye distance", self.eye_distance_mm, 50, 1e6)
        for name, value in (("gap", self.gap_mm), ("half width", self.half_mm)):
            if value is not None:
                _within(name, value, 0.1, 10000)
        if self.gap_mm is not None and self.half_mm is not None and self.gap_mm >= self.half_mm:
            raise _refused("gap", f"less than the half width {self.half_mm}", self.gap_mm)
        if not set(self.viewers):
            raise _refused("faces", "at least one that is there", "none")

    @property
    def viewers(self) -> tuple[int, ...]:
        """The viewers who have a face: 0 is the front, then counter-clockwise from above."""
        return tuple(viewer for viewer in range(self.faces) if viewer not in self.off)

    @property
    def spread(self) -> float:
        """Half the width of a face at unit distance from the axis: tan(pi / N)."""
        return tan(pi / (self.faces if self.faces > 2 else 4))

    def azimuth_deg(self, viewer: int) -> float:
        """Where a viewer stands."""
        return -90.0 + 360.0 * viewer / self.faces

    def viewer_name(self, viewer: int) -> str:
        """What to call a viewer: a side where there is one, else the angle from the front."""
        angle = 360.0 * viewer / self.faces
        return NAMES.get(angle, f"{angle:g} degrees")


NAMES: Final[dict[float, str]] = {0.0: "front", 90.0: "right", 180.0: "back", 270.0: "left"}


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise _refused(name, f"{least:g} to {most:g}", value)


def _refused(name: str, expected: str, found: object) -> Refused:
    return Refused("display rig", f"{name}: expected {expected}, found {found}", Place(field=name))
