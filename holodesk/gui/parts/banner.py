"""A sentence across the window that something is not as it should be; never a dialog (look.md)."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from holodesk.gui.parts.press import press
from holodesk.gui.parts.words import assign_role, say, words
from holodesk.gui.theme import BETWEEN, INSIDE, STEP


class Banner(QFrame):
    """Hidden until it has something to say; with at most one thing to do about it."""

    pressed = Signal()

    def __init__(self, act: str = "") -> None:
        super().__init__()
        self.setProperty("role", "banner")
        self.told = words(weight="medium", wrap=True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.button = press(act or "nothing to do here")
        self.button.setVisible(bool(act))
        self.button.clicked.connect(self.pressed)
        line = QHBoxLayout(self)
        line.setContentsMargins(INSIDE, STEP, BETWEEN, STEP)
        line.setSpacing(INSIDE)
        line.addWidget(self.told, 1)
        line.addWidget(self.button)
        self.setMinimumHeight(40)
        self.hide()

    def tell(self, sentence: str, *, alarm: bool = False) -> None:
        """Say it; "" says nothing and takes no room."""
        assign_role(self, "alarm" if alarm else "banner")
        say(self.told, sentence)
        self.setVisible(bool(sentence))
