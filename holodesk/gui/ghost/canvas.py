"""What the output window draws on: the one surface for all faces, and black around it (LH 3.11)."""

from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from holodesk.display.optics import Layout
from holodesk.display.sheet import Sheet
from holodesk.gui.ghost.choose import choose
from holodesk.gui.ghost.painter import RasterView

Pixels = npt.NDArray[np.uint8]
TITLE = "holodesk output"


class Painter(Protocol):
    """What draws sheets: `RasterView` or `GLView`, both widgets of the output window."""

    name: str
    events: QObject

    def take_layout(self, made: Layout) -> None: ...
    def show_sheet(self, sheet: Sheet) -> None: ...
    def go_dark(self) -> None: ...
    def sheet_pixels(self) -> Pixels: ...
    def setGeometry(self, place: QRect, /) -> None: ...
    def setCursor(self, shape: Qt.CursorShape, /) -> None: ...
    def show(self) -> None: ...
    def close(self) -> bool: ...
    def deleteLater(self) -> None: ...


def make_view(window: QWidget, wanted: str) -> Painter:
    """The surface that was asked for, or the best there is.

    Raises:
        Unavailable: the one that was asked for cannot run here.
    """
    chosen, found = choose(wanted)
    if chosen == "gl":
        from holodesk.gui.ghost.gl import GLView

        return GLView(window, es=found.es)
    return RasterView(window)


def blacken(window: QWidget) -> None:
    """Black from the first picture on, whatever the theme says."""
    window.setWindowTitle(TITLE)
    window.setMouseTracking(True)
    colours = QPalette()
    colours.setColor(QPalette.ColorRole.Window, QColor(0, 0, 0))
    window.setPalette(colours)
    window.setAutoFillBackground(True)
    window.setStyleSheet("background: #000000;")
    window.setAccessibleName("Output for the pyramid")
