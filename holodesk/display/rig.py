"""How screen and pyramid stand, in millimetres; nothing else may say it (LH 3.11).

Three rigs. In A the pyramid stands apex down on a flat screen, in B the screen hangs over a pyramid
whose apex is up, in C the pyramid stands on the screen like a tent and its far face reflects.
Angles are degrees. Azimuths run counter-clockwise seen from above; -90 is the front.
"""

from dataclasses import dataclass, field, replace
from math import pi, tan
from typing import Final, Literal

from holodesk.display.trim import NEUTRAL, PLAIN_TONE, Pair, Tone, Trim, refused, within

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
MOST_DRIFT_MM: Final = 1.0
PX_PER_MM: Final = 96 / 25.4
"""The density of a screen that nobody measured."""


@dataclass(frozen=True, slots=True)
class Screen:
    """The pixels that are drawn on, and how many of them make a millimetre."""

    width_px: int
    height_px: int
    px_per_mm: float = PX_PER_MM

    def __post_init__(self) -> None:
        within("screen width in pixels", self.width_px, 16, 16384)
        within("screen height in pixels", self.height_px, 16, 16384)
        within("pixels for a millimetre", self.px_per_mm, 0.1, 200)


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
    corner: bool = False
    """The faces look at the corners of the screen: all is turned by 45 degrees more."""
    mirror: bool = False
    """Mirror once more, by hand; never needed where light is reflected once."""
    trims: tuple[Trim, ...] = ()
    """What is set right for each viewer, from the front on; those after are as built."""
    tone: Tone = PLAIN_TONE
    feather_mm: float = 0.0
    """Over how much light fades out before the seam of two faces."""
    drift_mm: Pair = (0.0, 0.0)
    """How far all pictures are moved on the screen just now, right and down, to spare it."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise refused("kind", "one of A, B, C", self.kind)
        if self.turn_deg not in TURNS:
            raise refused("turn", "one of 0, 90, 180, 270", self.turn_deg)
        within("number of faces", self.faces, 1, MOST_FACES)
        within("slope", self.slope_deg, 20, 75)
        within("aspect of the picture", self.aspect, 0.2, 5)
        within("eye elevation", self.eye_elevation_deg, -60, 80)
        within("eye distance", self.eye_distance_mm, 50, 1e6)
        for name, value in (("gap", self.gap_mm), ("half width", self.half_mm)):
            if value is not None:
                within(name, value, 0.1, 10000)
        if self.gap_mm is not None and self.half_mm is not None and self.gap_mm >= self.half_mm:
            raise refused("gap", f"less than the half width {self.half_mm}", self.gap_mm)
        if not set(self.viewers):
            raise refused("faces", "at least one that is there", "none")
        within("number of trims", len(self.trims), 0, MOST_FACES)
        within("feather", self.feather_mm, 0, 50)
        for part in self.drift_mm:
            within("drift", part, -MOST_DRIFT_MM, MOST_DRIFT_MM)

    @property
    def plain(self) -> "Rig":
        """The same as built, with nothing set right by hand."""
        none = (0.0, 0.0)
        return replace(self, mirror=False, trims=(), tone=PLAIN_TONE, feather_mm=0.0, drift_mm=none)

    def trim(self, viewer: int) -> Trim:
        """What is set right on the picture of a viewer."""
        return self.trims[viewer] if viewer < len(self.trims) else NEUTRAL

    def with_trim(self, viewer: int, trim: Trim) -> "Rig":
        """The same with another trim for one viewer."""
        trims = [self.trim(who) for who in range(max(len(self.trims), viewer + 1))]
        trims[viewer] = trim
        return replace(self, trims=tuple(trims))

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
