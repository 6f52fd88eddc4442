"""Where a pointer meets the ghost on the output: what a body hears of (LH 3.6)."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from holodesk.display.optics import Layout
from holodesk.gui.parts.hit import hit_on_screen


class Touch(QObject):
    """Signals of hits: the pointer is there, it presses, it is gone."""

    pointed = Signal(object)
    poked = Signal(object)
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def take(self, event: QEvent, made: Layout, *, idle: bool) -> None:
        """An event of the surface; `idle` when nobody can be touched."""
        kind = event.type()
        if kind == QEvent.Type.Leave:
            self.left.emit()
            return
        if kind not in (QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress):
            return
        assert isinstance(event, QMouseEvent)
        ratio, at = self._window.devicePixelRatioF(), event.position()
        hit = None if idle else hit_on_screen(made, at.x() * ratio, at.y() * ratio)
        if hit is None:
            self.left.emit()
        elif kind == QEvent.Type.MouseMove:
            self.pointed.emit(hit)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.poked.emit(hit)
