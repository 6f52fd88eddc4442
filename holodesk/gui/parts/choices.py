"""A list that opens, with an arrow that every theme shows."""

from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.theme import SMALL, sans

MOST: Final = 420
"""Pixels: words longer than this end in an ellipsis; the open list shows them whole."""


class Choices(Dressed, QComboBox):
    """A list of which one item is chosen."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMaximumWidth(MOST)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whatever scrolls around this."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setFont(sans(SMALL))
        painter.setPen(self.theme.colour("quiet"))
        room = QRect(self.width() - 24, 0, 16, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, "▾")
        painter.end()
