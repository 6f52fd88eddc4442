"""A large number on every screen for a moment, so that nobody must guess (LH 3.11)."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QScreen
from PySide6.QtWidgets import QWidget

SHOWN_MS: Final = 3000
SIZE: Final = (320, 240)


class Number(QWidget):
    """One number in the middle of one screen; it goes by itself."""

    def __init__(self, number: int, screen: QScreen) -> None:
        kind = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint
        super().__init__(None, kind | Qt.WindowType.WindowStaysOnTopHint)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.number = number
        self.name = screen.name()
        self.setAccessibleName(f"Screen {number}: {self.name}")
        room = screen.geometry()
        self.setScreen(screen)
        corner = (room.center().x() - SIZE[0] // 2, room.center().y() - SIZE[1] // 2)
        self.setGeometry(*corner, *SIZE)
        QTimer.singleShot(SHOWN_MS, self, self.close)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0))
        painter.setPen(QColor("#5CE1E6"))
        font = QFont(self.font())
        font.setPixelSize(SIZE[1] * 5 // 8)
        painter.setFont(font)
        upper = self.rect().adjusted(0, 0, 0, -48)
        painter.drawText(upper, Qt.AlignmentFlag.AlignCenter, str(self.number))
        font.setPixelSize(18)
        painter.setFont(font)
        lower = self.rect().adjusted(0, SIZE[1] - 60, 0, -16)
        painter.drawText(lower, Qt.AlignmentFlag.AlignCenter, self.name)
        painter.end()


def show_numbers(screens: Iterable[QScreen]) -> list[Number]:
    """Number every screen, in the order of the menu, for three seconds."""
    made = [Number(place, screen) for place, screen in enumerate(screens, 1)]
    for number in made:
        number.show()
    return made
