"""The sheet drawn by the GPU, by the raster's own rules, with Qt's own classes (LH 3.11).

Every face has its rectangle of light in one floating-point surface; pieces are added to it, the
bloom is blurred on a coarse one, and a last step turns light into colour inside each face.
"""

from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject
from PySide6.QtGui import QHideEvent, QImage, QOpenGLFunctions
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLWindow
from PySide6.QtWidgets import QHBoxLayout, QWidget

from holodesk.display.ground import Ground, ground
from holodesk.display.optics import Layout
from holodesk.display.script import Pages
from holodesk.display.sheet import Sheet
from holodesk.errors import Unavailable
from holodesk.gui.ghost.choose import surface_format
from holodesk.gui.ghost.glyphs import letters
from holodesk.gui.ghost.passes import Passes

Pixels = npt.NDArray[np.uint8]
SLOW_MS: Final = 100.0
COLOUR_BIT: Final = 0x4000


class Surface(QOpenGLWindow):
    """One window of the GPU's, black until it has a sheet."""

    def __init__(self, *, es: bool) -> None:
        super().__init__()
        self.setFormat(surface_format(es=es))
        self.sheet: Sheet | None = None
        self.failed = ""
        self._passes: Passes | None = None
        self._ground: Ground | None = None
        self._pages: Pages | None = None
        self._slow = 0

    def initializeGL(self) -> None:
        """Make every program; a GPU that cannot is told at the next picture."""
        try:
            self._passes = Passes(self.context())
        except Unavailable as problem:
            self.failed = problem.message

    def let_go(self) -> None:
        """Give back everything made in this context; the next picture makes it anew."""
        if self._passes is not None and self.isValid():
            self.makeCurrent()
            self._passes.let_go()
            self.doneCurrent()

    def paintGL(self) -> None:
        """Black, and the sheet on it."""
        self._paint(self.defaultFramebufferObject())

    def picture(self) -> QImage:
        """The sheet as a picture: drawn once more, since a shown buffer may not be read."""
        size = self.size() * self.devicePixelRatio()
        if not self.isValid() or self.sheet is None:
            empty = QImage(size, QImage.Format.Format_RGB32)
            empty.fill(0)
            return empty
        self.makeCurrent()
        target = QOpenGLFramebufferObject(size)
        target.bind()
        self._paint(target.handle())
        image = target.toImage()
        target.release()
        del target
        self.doneCurrent()
        return image

    def _paint(self, target: int) -> None:
        plain: QOpenGLFunctions = self.context().functions()
        plain.glClearColor(0.0, 0.0, 0.0, 1.0)
        plain.glClear(COLOUR_BIT)
        if self.sheet is None or self._passes is None or self.failed:
            return
        begun = perf_counter()
        laid = ground(self.sheet.layout, self.sheet.flat)
        if laid is not self._ground or self._pages is None:
            self._ground, self._pages = laid, Pages(laid, letters())
        try:
            self._passes.draw(self.sheet, laid, self._pages, target)
        except Unavailable as problem:
            self.failed = problem.message
        late = (perf_counter() - begun) * 1000 > SLOW_MS
        self._slow = self._slow + 1 if late else 0
        if self._slow > 2:
            self.failed = "the GPU takes more than 100 ms for a picture"


class GLView(QWidget):
    """The surface as a widget of the output window."""

    name = "gl"

    def __init__(self, parent: QWidget, *, es: bool) -> None:
        super().__init__(parent)
        self.surface = Surface(es=es)
        self.events: QObject = self.surface
        column = QHBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(QWidget.createWindowContainer(self.surface, self))
        self._layout: Layout | None = None
        self.shown = 0

    def take_layout(self, made: Layout) -> None:
        """Draw for this layout from now on."""
        self._layout = made
        self.surface.sheet = None
        self.surface.update()

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet as soon as the screen is ready.

        Raises:
            Unavailable: the GPU could not draw the one before.
        """
        if self.surface.failed:
            raise Unavailable("renderer", self.surface.failed)
        self.surface.sheet = sheet
        self.surface.update()
        self.shown += 1

    def go_dark(self) -> None:
        """Nothing at all, at once."""
        self.surface.sheet = None
        self.surface.update()
        self.shown += 1

    def sheet_pixels(self) -> Pixels:
        """What is on the screen, (rows, columns, 3): a copy."""
        image = self.surface.picture().convertToFormat(QImage.Format.Format_RGB888)
        rows, columns = image.height(), image.width()
        octets = np.frombuffer(image.constBits(), np.uint8).reshape(rows, image.bytesPerLine())
        return octets[:, : columns * 3].reshape(rows, columns, 3).copy()

    def hideEvent(self, event: QHideEvent) -> None:
        """Give back what the GPU holds while its context still lives."""
        self.surface.let_go()
        super().hideEvent(event)

    def setCursor(self, shape: Any) -> None:
        """The surface has a pointer of its own."""
        super().setCursor(shape)
        self.surface.setCursor(shape)
