"""What the console asks of the output window, and no more (LH 3.11)."""

from typing import Protocol

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from holodesk.display.optics import Layout

Pixels = npt.NDArray[np.uint8]


class Output(Protocol):
    """The window on the pyramid's screen: `holodesk.gui.ghost.window.GhostWindow`."""

    frozen: bool
    dark: bool
    note: str

    @property
    def layout_now(self) -> Layout: ...

    @property
    def renderer_name(self) -> str: ...

    @property
    def fps(self) -> float: ...

    def sheet_pixels(self) -> Pixels: ...


def image_of(pixels: Pixels) -> QImage:
    """Pixels (rows, columns, 3), red green blue, as a picture that owns its octets."""
    tight = np.ascontiguousarray(pixels)
    rows, columns = tight.shape[:2]
    made = QImage(tight.data, columns, rows, 3 * columns, QImage.Format.Format_RGB888)
    return made.copy()
