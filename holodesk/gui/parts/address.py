"""The head, named: how fresh, which frame, whether signed; a press copies its whole address.

(LH 3.11: a display must name the head that it shows.) Colour and shape and word all say the same.
"""

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.parts.words import Role, say, words
from holodesk.gui.theme import BETWEEN, EMERGENCY, HEADING, INSIDE

ROLES: Final[dict[str, Role]] = {"live": "holds", "stale": "pending", "refused": "refused"}
"""What colour each freshness wears; anything else is quiet."""
COPIED_MS: Final = 1600


def short(frame_hash: str) -> str:
    """The eight digits by which people name a frame."""
    return frame_hash[:8]


class Mark(Dressed, QWidget):
    """A filled dot when live, a ring when stale, a cross when refused."""

    def __init__(self) -> None:
        super().__init__()
        self.freshness = ""
        self.setFixedSize(QSize(16, 16))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_freshness(self, freshness: str) -> None:
        """Take the shape and colour of a freshness."""
        self.freshness = freshness
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self.theme.colour(ROLES.get(self.freshness, "quiet"))
        room = QRectF(3, 3, 10, 10)
        if self.freshness == "live":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(room)
        elif self.freshness == "refused":
            painter.setPen(QPen(colour, 3, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(room.topLeft(), room.bottomRight())
            painter.drawLine(room.topRight(), room.bottomLeft())
        else:
            painter.setPen(QPen(colour, 2))
            painter.drawEllipse(room)
        painter.end()


class HeadAddress(QPushButton):
    """Mark, freshness, short hash, frame and signature of the head."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "head")
        self.setAutoDefault(False)
        self.address = ""
        self._signed = ""
        self.mark = Mark()
        self.freshness = words("no head yet", "quiet", weight="medium")
        self.hash = words(size=HEADING, weight="medium", digits=True)
        self.frame = words(weight="medium")
        self.signed = words(role="quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(BETWEEN, 0, INSIDE, 0)
        row.setSpacing(INSIDE)
        for widget in (self.mark, self.freshness, self.hash, self.frame, self.signed):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(widget)
        row.setSpacing(INSIDE)
        self.setMinimumHeight(EMERGENCY)
        self._back = QTimer(self)
        self._back.setSingleShot(True)
        self._back.timeout.connect(lambda: say(self.signed, self._signed))
        self.clicked.connect(self.copy)
        self.setEnabled(False)
        self.setAccessibleName("No head yet")

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_head(self, frame_hash: str, seq: int, freshness: str, *, signed: bool) -> None:
        """Name a head."""
        self.address = frame_hash
        self._signed = "signed" if signed else "unsigned"
        self.mark.show_freshness(freshness)
        say(self.freshness, freshness, ROLES.get(freshness, "quiet"))
        say(self.hash, short(frame_hash))
        say(self.frame, f"frame {seq}")
        say(self.signed, self._signed, "quiet" if signed else "pending")
        self.setEnabled(True)
        self.setAccessibleName(
            f"Head {short(frame_hash)}, frame {seq}, {freshness}, {self._signed}. "
            "Press to copy the whole address"
        )
        self.setToolTip(f"{frame_hash}\nPress to copy the whole address")
        self.updateGeometry()

    def copy(self) -> None:
        """Copy the whole address, and say so for a moment."""
        if self.address:
            QGuiApplication.clipboard().setText(self.address)
            say(self.signed, "copied")
            self._back.start(COPIED_MS)
