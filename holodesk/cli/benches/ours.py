"""The output window's own renderers, drawing one picture when asked, at full resolution."""

import time
from typing import Final

from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from holodesk.cli.benches.subjects import scene
from holodesk.display.optics import Layout
from holodesk.display.scene import F4, Plate
from holodesk.display.sheet import sheet
from holodesk.errors import Unavailable
from holodesk.gui.ghost.choose import probe
from holodesk.gui.ghost.gl import GLView
from holodesk.gui.ghost.pace import Pace
from holodesk.gui.ghost.painter import RasterView

PLATE: Final = Plate("0" * 64, 0, "live")
LATEST_SECONDS: Final = 5.0


class Steady(Pace):
    """Never coarser: every picture at full resolution."""

    def took(self, milliseconds: float) -> bool:
        return False


class Ours(QWidget):
    """A window with one of our renderers in it."""

    def __init__(self, model: str, made: Layout, renderer: str) -> None:
        super().__init__()
        self._model, self._made = model, made
        self._swapped = 0
        self._gl: GLView | None = None
        self._raster: RasterView | None = None
        column = QHBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        if renderer == "gl":
            self._gl = GLView(self, es=probe().es)
            self._gl.surface.frameSwapped.connect(self._swap)
            column.addWidget(self._gl)
            self._gl.take_layout(made)
        else:
            self._raster = RasterView(self)
            self._raster.pace = Steady()
            column.addWidget(self._raster)
            self._raster.take_layout(made)
        self.resize(made.screen.width_px, made.screen.height_px)

    def draw(self, places: F4) -> None:
        """Draw the shape at these places, plate and all, and put it on the screen."""
        laid = sheet(scene(self._model, places), self._made, PLATE)
        if self._raster is not None:
            self._raster.show_sheet(laid)
            self._raster.repaint()
        elif self._gl is not None:
            self._gl.show_sheet(laid)
            self._wait(self._swapped + 1)

    def swap(self) -> float:
        """Milliseconds of an empty picture of the GPU."""
        assert self._gl is not None
        start = time.perf_counter()
        self._gl.go_dark()
        self._wait(self._swapped + 1)
        return (time.perf_counter() - start) * 1000

    def _swap(self) -> None:
        self._swapped += 1

    def _wait(self, wanted: int) -> None:
        end = time.perf_counter() + LATEST_SECONDS
        while self._swapped < wanted:
            QApplication.processEvents()
            if time.perf_counter() > end:
                raise Unavailable("renderer", "the GPU showed no picture within 5 s")
