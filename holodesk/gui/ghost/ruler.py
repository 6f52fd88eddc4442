"""A bar that claims its length, to be measured by hand: no screen's own word is needed (LH 3.11).

Beside it lies a bank card, 85.60 x 53.98 mm, for whoever has no ruler: the keys + and - make both
larger and smaller until a real card fits.
"""

from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from holodesk.display.profile import LEAST_DENSITY, MOST_DENSITY

CLAIMED_MM: Final = 100.0
SHORTER_MM: Final = (100.0, 50.0, 20.0)
CARD_MM: Final = (85.60, 53.98)
LEAST_MM, MOST_MM = 5.0, 1000.0
ROOM: Final = 0.8
STEP: Final = 1.005
INK: Final = QColor("#E6EDF3")
STYLE: Final = """
QWidget { background: #000000; color: #E6EDF3; font-size: 18px; }
QLineEdit { border: 1px solid #5CE1E6; padding: 6px; min-width: 120px; }
"""


class Ruler(QWidget):
    """Asks how long the bar really is; `measured` tells the true pixels for a millimetre."""

    measured = Signal(float)

    def __init__(self, density: float) -> None:
        super().__init__(None, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        self.density = density
        """Device pixels for a millimetre, as claimed."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(STYLE)
        self.setAccessibleName("Measure the screen")
        self.field = QLineEdit()
        self.field.setAccessibleName("The length of the bar in millimetres, as you measure it")
        self.field.setPlaceholderText("100.0")
        self.field.returnPressed.connect(self._take)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.field)
        line.addWidget(QLabel("mm"))
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.addStretch(3)
        column.addWidget(self.told)
        column.addLayout(line)
        column.addStretch(1)
        self._say("")
        self.field.setFocus()

    @property
    def claimed_mm(self) -> float:
        """How long the bar says it is: 100 mm wherever that fits."""
        wide = self.width() * self.devicePixelRatioF() * ROOM
        fits = (length for length in SHORTER_MM if length * self.density <= wide)
        return next(fits, SHORTER_MM[-1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus fit the card, Return takes it, Escape leaves everything as it was."""
        if event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._scale(STEP)
        elif event.key() == Qt.Key.Key_Minus:
            self._scale(1 / STEP)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def bar(self) -> QRect:
        """The bar in device pixels of this window."""
        length = round(self.claimed_mm * self.density)
        wide = round(self.width() * self.devicePixelRatioF())
        high = round(self.height() * self.devicePixelRatioF())
        return QRect((wide - length) // 2, high // 10, length, 12)

    def card(self) -> QRect:
        """The outline of a bank card in device pixels, under the bar."""
        across, down = (round(length * self.density) for length in CARD_MM)
        bar = self.bar()
        return QRect(bar.center().x() - across // 2, bar.bottom() + 24, across, down)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        ratio = self.devicePixelRatioF()
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(0, 0, 0))
        painter.scale(1 / ratio, 1 / ratio)
        painter.fillRect(self.bar(), INK)
        painter.setPen(INK)
        painter.drawRect(self.card().adjusted(0, 0, -1, -1))
        font = QFont(self.font())
        font.setPixelSize(round(16 * ratio))
        painter.setFont(font)
        words = f"a bank card, {CARD_MM[0]:.2f} x {CARD_MM[1]:.2f} mm: + and - until yours fits"
        painter.drawText(self.card().adjusted(16, 16, -16, -16), Qt.TextFlag.TextWordWrap, words)
        painter.end()

    def _scale(self, times: float) -> None:
        self.density = min(MOST_DENSITY, max(LEAST_DENSITY, self.density * times))
        self._say("")
        self.update()

    def _take(self) -> None:
        """The length that was typed; nothing typed means that the card fits."""
        typed = self.field.text().strip().replace(",", ".")
        try:
            length = float(typed) if typed else self.claimed_mm
        except ValueError:
            self._say(f"Expected a length in millimetres, found {typed[:20]}.")
            return
        try:
            density = true_density(self.density, length, self.claimed_mm)
        except ValueError as problem:
            self._say(f"{problem}.")
            return
        self.measured.emit(density)
        self.close()

    def _say(self, problem: str) -> None:
        asked = f"The bar claims {self.claimed_mm:g} mm. How long is it really?"
        self.told.setText(problem or f"{asked} Return keeps it, Esc leaves it.")


def true_density(density: float, length_mm: float, claimed_mm: float = CLAIMED_MM) -> float:
    """Pixels for a millimetre, where a bar that claims to be so long is really `length_mm`.

    Raises:
        ValueError: no screen is like that.
    """
    if not LEAST_MM <= length_mm <= MOST_MM:
        raise ValueError(f"Expected {LEAST_MM:g} to {MOST_MM:g} mm, found {length_mm:g}")
    true = density * claimed_mm / length_mm
    if not LEAST_DENSITY <= true <= MOST_DENSITY:
        raise ValueError(f"Expected a screen of {LEAST_DENSITY:g} to {MOST_DENSITY:g} pixels a mm")
    return true
