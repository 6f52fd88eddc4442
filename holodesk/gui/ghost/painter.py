"""The sheet drawn in software, put on the screen as one image; no GPU is needed (LH 3.11).

Only the part of the screen that can ever be lit is drawn and shown again; around it is black from
the first picture on.
"""

from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from holodesk.display.optics import Layout, layout
from holodesk.display.raster import Raster
from holodesk.display.sheet import Sheet, views
from holodesk.gui.ghost.glyphs import letters
from holodesk.gui.ghost.pace import Pace

Pixels = npt.NDArray[np.uint8]
FINEST_PX: Final = 16


class RasterView(QWidget):
    """Shows sheets of the layout it was last given."""

    name = "raster"

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.events: QObject = self
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pace = Pace()
        self._layout: Layout | None = None
        self._raster: Raster | None = None
        self._image = QImage()
        self._edge = QPainterPath()
        self._dark = True
        self._flat = False
        self.shown = 0

    def take_layout(self, made: Layout) -> None:
        """Draw for this layout from now on."""
        self._layout = made
        self._make()
        self.update()

    def show_sheet(self, sheet: Sheet) -> None:
        """Draw a sheet of the layout and show it as soon as the screen is ready."""
        raster = self._raster
        if raster is None:
            return
        begun = perf_counter()
        if sheet.flat != self._flat:
            self._flat = sheet.flat
            raster = self._make()
            self.update()
        drawn = replace(sheet, layout=raster.layout, views=views(raster.layout, flat=sheet.flat))
        raster.draw(drawn)
        if self._dark:
            self._dark = False
            self.update()
        self.update(self._lit())
        self.shown += 1
        if not sheet.flat and self.pace.took((perf_counter() - begun) * 1000):
            self._make()
            self.show_sheet(sheet)

    def go_dark(self) -> None:
        """Nothing at all, at once."""
        self._dark = True
        self.shown += 1
        self.repaint()

    def sheet_pixels(self) -> Pixels:
        """What is on the screen, (rows, columns, 3): a copy."""
        if self._layout is None:
            return np.zeros((FINEST_PX, FINEST_PX, 3), np.uint8)
        screen = self._layout.screen
        if self._raster is None or self._dark:
            return np.zeros((screen.height_px, screen.width_px, 3), np.uint8)
        if self._raster.layout is self._layout:
            return self._raster.screen()
        image = QImage(screen.width_px, screen.height_px, QImage.Format.Format_RGB32)
        image.fill(QColor(0, 0, 0))
        painter = QPainter(image)
        self._put(painter, 1.0)
        painter.end()
        octets = np.frombuffer(image.constBits(), np.uint8)
        tall = octets.reshape(screen.height_px, image.bytesPerLine())[:, : screen.width_px * 4]
        return tall.reshape(screen.height_px, screen.width_px, 4)[:, :, 2::-1].copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The lit part; the rest only when all of it is asked for."""
        painter = QPainter(self)
        lit = self._lit()
        whole = self._scale == 1.0 and lit.contains(event.rect())
        if self._dark or self._raster is None or not whole:
            painter.fillRect(self.rect(), QColor(0, 0, 0))
        if not self._dark and self._raster is not None:
            self._put(painter, self.devicePixelRatioF())
        painter.end()

    def _make(self) -> Raster:
        assert self._layout is not None
        made, scale = self._layout, self._scale
        self._edge = _faces(made)
        if scale != 1.0:
            screen = made.screen
            coarse = replace(
                screen,
                width_px=max(FINEST_PX, round(screen.width_px * scale)),
                height_px=max(FINEST_PX, round(screen.height_px * scale)),
                px_per_mm=screen.px_per_mm * scale,
            )
            made = layout(replace(made.rig, half_mm=made.half_mm, gap_mm=made.gap_mm), coarse)
        self._raster = Raster(made, letters(), whole=self._flat)
        rows, columns = self._raster.pixels.shape[:2]
        self._image = QImage(
            self._raster.pixels.data, columns, rows, columns * 4, QImage.Format.Format_RGB32
        )
        return self._raster

    @property
    def _scale(self) -> float:
        """Pictures to set up with are always drawn as fine as the screen is."""
        return 1.0 if self._flat else self.pace.scale

    def _place(self) -> QRectF:
        """Where the image goes, in pixels of the layout."""
        assert self._raster is not None
        assert self._layout is not None
        drawn, whole = self._raster.layout.screen, self._layout.screen
        across, down = whole.width_px / drawn.width_px, whole.height_px / drawn.height_px
        top, left, rows, columns = self._raster.ground.area
        return QRectF(left * across, top * down, columns * across, rows * down)

    def _lit(self) -> QRect:
        """Where the image goes, in the widget's own pixels, rounded outward."""
        if self._raster is None:
            return QRect()
        place, ratio = self._place(), self.devicePixelRatioF()
        inner = QRectF(
            place.x() / ratio, place.y() / ratio, place.width() / ratio, place.height() / ratio
        )
        return inner.toAlignedRect()

    def _put(self, painter: QPainter, ratio: float) -> None:
        painter.save()
        painter.scale(1 / ratio, 1 / ratio)
        if self._scale != 1.0:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setClipPath(self._edge)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.drawImage(self._place(), self._image)
        painter.restore()


def _faces(made: Layout) -> QPainterPath:
    """All that may ever be lit, in pixels of the layout: a coarse picture is cut to it."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for face in made.faces:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in face.cell.tolist()]))
    return path
