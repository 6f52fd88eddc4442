"""What is known of one screen under a pyramid: which it is, its measure, and how it was set right.

(LH 3.11.) A screen is known by its serial number; one without is known by name and resolution.
"""

from dataclasses import dataclass

from holodesk.display.rig import Rig, Screen
from holodesk.display.trim import refused, within

LEAST_DENSITY, MOST_DENSITY = 0.1, 200.0


@dataclass(frozen=True, slots=True)
class Bound:
    """Which screen; its resolution is in device pixels."""

    serial: str
    name: str
    width_px: int
    height_px: int

    def __post_init__(self) -> None:
        for told in (self.serial, self.name):
            if len(told) > 200 or not all(letter.isprintable() for letter in told):
                raise refused("screen", "one line of at most 200 letters", repr(told[:40]))
        Screen(self.width_px, self.height_px)

    def fits(self, other: "Bound") -> bool:
        """Is this the same screen? A serial number decides where both have one."""
        if self.serial or other.serial:
            return self.serial == other.serial
        size = (self.width_px, self.height_px) == (other.width_px, other.height_px)
        return size and self.name == other.name


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that is set for one screen.

    Raises:
        Refused: a measure out of its range.
    """

    screen: Bound
    rig: Rig
    px_per_mm: float | None = None
    """Measured by hand; None is what the screen itself says."""
    pixel_shift: bool = False
    """Move the picture a little all the time, to spare a screen that burns in."""

    def __post_init__(self) -> None:
        if self.px_per_mm is not None:
            within("pixels for a millimetre", self.px_per_mm, LEAST_DENSITY, MOST_DENSITY)

    def density(self, width_px: int) -> float | None:
        """Pixels for a millimetre when the screen now has so many: the glass stays as it is."""
        if self.px_per_mm is None:
            return None
        return self.px_per_mm * width_px / self.screen.width_px
