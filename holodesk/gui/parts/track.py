"""A slider that can show two values: what is in force, filled, and what is pending, outlined.

(LH 3.7; look.md "pending and in force".) It also marks the value of rest, and stops by name.
"""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.theme import TARGET

KNOB: Final = 8.0
"""Radius of the knob, in device-independent pixels."""
GROOVE: Final = 4.0


class Track(Dressed, QAbstractSlider):
    """`value` is where the knob stands; `in_force` how far the groove is filled."""

    let_go = Signal()
    """The mouse let go of the knob."""

    def __init__(self, low: int, high: int, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(low, high)
        self.setPageStep(max(1, (high - low) // 10))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self.in_force: int | None = None
        self.rest: int | None = None
        self.stops = False
        """Mark every value on the groove."""

    def sizeHint(self) -> QSize:
        return QSize(120, TARGET)

    def minimumSizeHint(self) -> QSize:
        return QSize(64, TARGET)

    def show_in_force(self, value: int | None) -> None:
        """Fill the groove up to `value`; None: the knob itself is in force."""
        if value != self.in_force:
            self.in_force = value
            self.update()

    @property
    def pending(self) -> bool:
        """Does the knob stand elsewhere than what is in force?"""
        return self.in_force is not None and self.in_force != self.value()

    # -------------------------------------------------------------- hand

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setSliderPosition(self._value_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self.setSliderPosition(self._value_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown() and event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self.let_go.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whatever scrolls around this."""
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # -------------------------------------------------------------- paint

    def _room(self) -> tuple[float, float]:
        return KNOB + 2, max(1.0, self.width() - 2 * (KNOB + 2))

    def _at(self, value: int) -> float:
        left, width = self._room()
        span = max(1, self.maximum() - self.minimum())
        return left + width * (value - self.minimum()) / span

    def _value_at(self, x: float) -> int:
        left, width = self._room()
        share = min(1.0, max(0.0, (x - left) / width))
        return round(self.minimum() + share * (self.maximum() - self.minimum()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        self._paint_groove(painter)
        self._paint_marks(painter)
        self._paint_knob(painter)
        painter.end()

    def _paint_groove(self, painter: QPainter) -> None:
        left, width = self._room()
        top = self.height() / 2 - GROOVE / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.colour("line"))
        painter.drawRoundedRect(QRectF(left, top, width, GROOVE), 2, 2)
        filled = self._at(self.value() if self.in_force is None else self.in_force)
        painter.setBrush(self.theme.colour("accent"))
        painter.drawRoundedRect(QRectF(left, top, filled - left, GROOVE), 2, 2)

    def _paint_marks(self, painter: QPainter) -> None:
        middle = self.height() / 2
        painter.setPen(QPen(self.theme.colour("quiet"), 1))
        if self.stops:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("quiet"))
            for value in range(self.minimum(), self.maximum() + 1):
                painter.drawEllipse(QPointF(self._at(value), middle + 10), 1.5, 1.5)
        if self.rest is not None and self.minimum() <= self.rest <= self.maximum():
            painter.setPen(QPen(self.theme.colour("text"), 2))
            x = self._at(self.rest)
            painter.drawLine(QPointF(x, middle + 5), QPointF(x, middle + 12))

    def _paint_knob(self, painter: QPainter) -> None:
        middle = QPointF(self._at(self.value()), self.height() / 2)
        if self.hasFocus():
            painter.setPen(QPen(self.theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(middle, KNOB + 1.5, KNOB + 1.5)
        if self.pending:
            assert self.in_force is not None
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("accent"))
            painter.drawEllipse(QPointF(self._at(self.in_force), middle.y()), 5, 5)
            painter.setPen(QPen(self.theme.colour("pending"), 2))
            painter.setBrush(self.theme.colour("panel"))
            painter.drawEllipse(middle, KNOB - 2, KNOB - 2)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.colour("text"))
            painter.drawEllipse(middle, KNOB - 1, KNOB - 1)
