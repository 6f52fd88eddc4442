"""The naive ways to fill a pyramid's screen: a painter's loop, and four scene widgets.

They do less than the output window: no plate, no bloom, and the widgets neither mirror nor mask.
"""

from typing import Any, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QSize
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QApplication, QGridLayout, QWidget

from holodesk.cli.benches.subjects import COLOUR, HEIGHT
from holodesk.display.optics import Layout
from holodesk.display.scene import F4
from holodesk.display.sheet import View, views

WIDE_PX: Final = 2.0
INK: Final = QColor(*(round(255 * part) for part in COLOUR))


class PainterLoop(QWidget):
    """A picture painted primitive by primitive, for each face in turn, and shown."""

    def __init__(self, model: str, made: Layout) -> None:
        super().__init__()
        self._model, self._views = model, views(made)
        size = QSize(made.screen.width_px, made.screen.height_px)
        self._image = QImage(size, QImage.Format.Format_RGB32)
        self.resize(size)

    def draw(self, places: F4) -> None:
        """Paint the shape at these places and show it."""
        self._image.fill(0)
        painter = QPainter(self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(INK)
        pen.setWidthF(WIDE_PX)
        painter.setPen(pen)
        for view in self._views:
            flat, depth = _placed(places, view)
            if self._model == "points":
                for x, y in flat.tolist():
                    painter.drawPoint(QPointF(x, y))
            elif self._model == "lines":
                for (x1, y1), (x2, y2) in flat.tolist():
                    painter.drawLine(QLineF(x1, y1, x2, y2))
            else:
                _triangles(painter, places, flat, depth, view)
        painter.end()
        self.repaint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """The picture as it is."""
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()


def _placed(places: F4, view: View) -> tuple[F4, F4]:
    camera = view.camera.astype(np.float32)
    ahead = places @ camera[:, :3].T + camera[:, 3]
    return ahead[..., :2] / ahead[..., 3:], ahead[..., 2]


def _triangles(painter: QPainter, places: F4, flat: F4, depth: F4, view: View) -> None:
    """From the farthest to the nearest, each with its own shade."""
    normal = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    light = 0.3 + 0.7 * np.abs(normal @ view.toward.astype(np.float32))
    shades = [QColor(*(round(step / 255 * 255 * part) for part in COLOUR)) for step in range(256)]
    order = np.argsort(depth.mean(axis=1))
    steps = np.minimum(255, light * 255).astype(int)[order].tolist()
    painter.setPen(QPen(QColor(0, 0, 0, 0)))
    for step, corners in zip(steps, flat[order].tolist(), strict=True):
        painter.setBrush(shades[step])
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))


class SceneWidgets(QWidget):
    """Four pyqtgraph scene widgets side by side, the shape given to each anew for each picture."""

    def __init__(self, model: str, made: Layout) -> None:
        from pyqtgraph import opengl

        super().__init__()
        self._model = model
        self._painted = 0
        self._shared: tuple[Any, Any] | None = None
        self._items: list[Any] = []
        self._scenes: list[Any] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for number in range(4):
            widget = self._watched(opengl.GLViewWidget)
            widget.setCameraPosition(distance=4, elevation=9, azimuth=90 * number - 90)
            item = self._item(opengl)
            widget.addItem(item)
            self._items.append(item)
            self._scenes.append(widget)
            grid.addWidget(widget, number // 2, number % 2)
        self.resize(made.screen.width_px, made.screen.height_px)

    def draw(self, places: F4) -> None:
        """Give every widget the shape and wait until each has painted it."""
        moved = places - np.array([0, 0, HEIGHT], np.float32)
        for item in self._items:
            if self._model == "points":
                item.setData(pos=moved)
            elif self._model == "lines":
                item.setData(pos=moved.reshape(-1, 3))
            else:
                self._give_mesh(item, moved)
        wanted = self._painted + len(self._scenes)
        for widget in self._scenes:
            widget.update()
        while self._painted < wanted:
            QApplication.processEvents()

    def _watched(self, kind: Any) -> Any:
        outer = self

        class Watched(kind):  # type: ignore[misc]
            def paintGL(self, *words: Any, **named: Any) -> None:  # noqa: N802
                super().paintGL(*words, **named)
                outer._painted += 1

        return Watched()

    def _item(self, opengl: Any) -> Any:
        start = np.zeros((3, 3), np.float32)
        if self._model == "points":
            return opengl.GLScatterPlotItem(pos=start, size=WIDE_PX, color=(*COLOUR, 1.0))
        if self._model == "lines":
            colour = (*COLOUR, 1.0)
            return opengl.GLLinePlotItem(
                pos=start[:2], mode="lines", width=WIDE_PX, color=colour, antialias=True
            )
        start[1, 0] = start[2, 1] = 1.0
        corners = np.array([[0, 1, 2]])
        return opengl.GLMeshItem(
            vertexes=start, faces=corners, shader="shaded", color=(*COLOUR, 1.0)
        )

    def _give_mesh(self, item: Any, moved: F4) -> None:
        """The mesh with its shared corners, and everything else as the widget has it by itself."""
        flat = moved.reshape(-1, 3)
        if self._shared is None:
            _, first, number = np.unique(flat, axis=0, return_index=True, return_inverse=True)
            self._shared = first, number.reshape(-1, 3)
        first, corners = self._shared
        item.setMeshData(vertexes=flat[first], faces=corners)
