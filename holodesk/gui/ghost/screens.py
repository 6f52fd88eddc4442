"""Which screen lies under the pyramid: listed, named, measured and taken (LH 3.11).

A screen is known by its name or its serial number, since a plug alone can change either.
"""

from dataclasses import dataclass
from math import hypot
from typing import Final

from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from holodesk.display.profile import Bound
from holodesk.display.rig import PX_PER_MM
from holodesk.errors import Place, Unavailable

LEAST_DPI: Final = 40.0
MOST_DPI: Final = 1000.0
SMALLEST_MM: Final = 70.0
SHAPES: Final = {(16, 9), (16, 10), (160, 90), (160, 100), (1600, 900), (1600, 1000)}
"""Sizes that are a shape and no measure."""
ASKEW: Final = 0.03
"""How much the two densities of a true screen may differ."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A screen as a person may choose it."""

    name: str
    maker: str
    serial: str
    width_px: int
    height_px: int
    px_per_mm: float
    measured: bool
    """The screen's own word on its size can be believed."""

    @property
    def bound(self) -> Bound:
        """What a profile is bound to."""
        return Bound(_line(self.serial), _line(self.name), self.width_px, self.height_px)

    @property
    def title(self) -> str:
        """One line for a list."""
        maker = f" {self.maker}" if self.maker else ""
        return f"{self.name}{maker}, {self.width_px} x {self.height_px}"


def _line(words: str) -> str:
    """A name as a screen tells it, without what cannot be printed."""
    return "".join(letter for letter in words if letter.isprintable())[:200]


def listed() -> tuple[Listed, ...]:
    """Every screen that is there, the primary one first."""
    return tuple(listed_screen(screen) for screen in _screens())


def _screens() -> list[QScreen]:
    primary = QGuiApplication.primaryScreen()
    return sorted(QGuiApplication.screens(), key=lambda screen: screen is not primary)


def listed_screen(screen: QScreen) -> Listed:
    """One screen as a person may choose it."""
    ratio, size = screen.devicePixelRatio(), screen.size()
    density, measured = px_per_mm(screen)
    return Listed(
        screen.name(),
        " ".join(part for part in (screen.manufacturer(), screen.model()) if part),
        screen.serialNumber(),
        round(size.width() * ratio),
        round(size.height() * ratio),
        density,
        measured,
    )


def find_screen(name: str) -> QScreen:
    """The screen of this name, serial number or model.

    Raises:
        Unavailable: there is no such screen; the sentence names those that are there.
    """
    screens = _screens()
    for screen in screens:
        if name in (screen.name(), screen.serialNumber(), screen.model()):
            return screen
    there = ", ".join(screen.name() or "a screen without a name" for screen in screens) or "none"
    told = f"the screen {name[:60]} is not there; there is {there}"
    raise Unavailable("screen", told, Place(field="screen"))


def px_per_mm(screen: QScreen | None) -> tuple[float, bool]:
    """Device pixels for a millimetre, and whether the screen itself could be believed.

    Many screens tell nonsense (0 mm, 1 mm, 16 x 9): such a word is not taken.
    """
    if screen is None:
        return PX_PER_MM, False
    size, pixels, ratio = screen.physicalSize(), screen.size(), screen.devicePixelRatio()
    wide, high = size.width(), size.height()
    if not plausible(wide, high, pixels.width() * ratio, pixels.height() * ratio):
        return PX_PER_MM, False
    return (pixels.width() * ratio / wide + pixels.height() * ratio / high) / 2, True


def plausible(wide_mm: float, high_mm: float, wide_px: float, high_px: float) -> bool:
    """Can a screen of so many pixels be so many millimetres?"""
    if min(wide_mm, high_mm) <= 0 or (wide_mm, high_mm) in SHAPES:
        return False
    if hypot(wide_mm, high_mm) < SMALLEST_MM:
        return False
    across, down = wide_px / wide_mm * 25.4, high_px / high_mm * 25.4
    in_range = LEAST_DPI <= across <= MOST_DPI and LEAST_DPI <= down <= MOST_DPI
    return in_range and abs(across - down) <= ASKEW * max(across, down)


def place(window: QWidget, screen: QScreen) -> None:
    """Cover that screen with the window, and nothing else."""
    window.setScreen(screen)
    window.setGeometry(screen.geometry())
    window.showFullScreen()
