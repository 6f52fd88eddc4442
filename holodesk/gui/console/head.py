"""The line above everything: the head first, then the desk, then the three emergency presses."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenuBar, QPushButton, QSizePolicy

from holodesk.gui.parts.address import HeadAddress
from holodesk.gui.parts.press import press
from holodesk.gui.parts.words import say, words
from holodesk.gui.theme import BETWEEN, HEADING
from holodesk.host.messages import HeadMoved


class HeadLine(QFrame):
    """Names the head; Hold, Freeze and PANIC are always in sight."""

    hold = Signal()
    freeze = Signal()
    panic = Signal()

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__()
        self.setProperty("role", "status")
        self.address = HeadAddress()
        self.desk = words(size=HEADING, weight="medium")
        self.desk.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.hold_button = _emergency("Hold", "Hold: no pass starts by itself. Key H", self.hold)
        self.freeze_button = _emergency("Freeze", "Freeze the output. Key F", self.freeze)
        self.panic_button = press("PANIC", "panic", name="PANIC: the output goes black. Key P")
        self.panic_button.setCheckable(True)
        self.panic_button.clicked.connect(self._panic)
        menus.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(BETWEEN)
        row.addWidget(self.address)
        row.addWidget(self.desk, 1)
        row.addWidget(menus)
        for button in (self.hold_button, self.freeze_button, self.panic_button):
            row.addWidget(button)

    def _panic(self) -> None:
        self.panic_button.setChecked(True)
        self.panic.emit()

    def show_head(self, head: HeadMoved, freshness: str) -> None:
        """Name the head, with the freshness that holds for this window."""
        self.address.show_head(head.frame_hash, head.seq, freshness, signed=head.signed)
        say(self.desk, head.desk)
        tempo = next((c.value for c in head.controls if c.name == "tempo"), None)
        self.hold_button.setEnabled(head.writable)
        self.show_held(held=tempo == 0)

    def show_held(self, *, held: bool) -> None:
        """Is the tempo 0?"""
        self.hold_button.setChecked(held)
        self.hold_button.setText("Held" if held else "Hold")

    def show_output(self, *, frozen: bool, dark: bool) -> None:
        """What the output does: the words on the buttons say it."""
        self.freeze_button.setChecked(frozen)
        self.freeze_button.setText("Frozen" if frozen else "Freeze")
        self.panic_button.setChecked(dark)
        self.panic_button.setText("DARK" if dark else "PANIC")


def _emergency(text: str, name: str, signal: object) -> QPushButton:
    button = press(text, "emergency", name=name)
    button.setCheckable(True)
    button.clicked.connect(signal)
    return button
