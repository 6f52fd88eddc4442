"""Every key, in one table: the menus, the shortcuts and the sheet on F1 all read it (look.md)."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from holodesk.gui.parts.panel import row
from holodesk.gui.parts.press import press
from holodesk.gui.parts.words import heading, words
from holodesk.gui.theme import BETWEEN, HEADING, INSIDE
from holodesk.hologram.controls import CONTROLS


@dataclass(frozen=True, slots=True)
class Key:
    """One thing to do: its name, the menu it is in, and the keys that do it, the first shown."""

    act: str
    menu: str
    told: str
    keys: tuple[str, ...] = ()


KEYS: Final[tuple[Key, ...]] = (
    Key("panic", "Output", "PANIC: the output goes black", ("P", "Ctrl+P")),
    Key("relight", "Output", "Light the output again", ("Shift+P",)),
    Key("freeze", "Output", "Freeze the output, or let it go on", ("F",)),
    Key("full_screen", "Output", "Output full screen, or a window", ("F11",)),
    Key("poke", "Output", "Poke the body, as the front viewer does", ("K",)),
    Key("append", "Pass", "Append the choice", ("Space",)),
    Key("preview", "Pass", "Preview the choice", ("Ctrl+Return",)),
    Key("next_lens", "Pass", "Next lens", ("Ctrl+Down",)),
    Key("previous_lens", "Pass", "Previous lens", ("Ctrl+Up",)),
    Key("hold", "Pass", "Hold the tempo, or let it go on", ("H",)),
    *(
        Key(f"control_{place}", "Controls", f"{control.label}, then the arrow keys", (str(place),))
        for place, control in enumerate(CONTROLS.values(), 1)
    ),
    Key("lineage", "Show", "Lineage", ("L",)),
    Key("filter", "Show", "Filter the lineage", ("Ctrl+F",)),
    Key("slush", "Show", "Slush", ("S",)),
    Key("refusals", "Show", "Refusals", ("R",)),
    Key("viewers", "Show", "What each viewer sees", ("Ctrl+1",)),
    Key("screen", "Show", "The raw output", ("Ctrl+2",)),
    Key("object", "Show", "The object", ("Ctrl+3",)),
    Key("timeline", "Show", "The timeline", ("Ctrl+4",)),
    Key("body", "Show", "The body, tick by tick", ("Ctrl+5",)),
    Key("theme", "Show", "Next theme: dark, light, high contrast", ("Ctrl+T",)),
    Key("copy", "Desk", "Copy the head's address", ("Ctrl+Shift+C",)),
    Key("quit", "Desk", "Leave", ("Ctrl+Q",)),
    Key("keys", "Help", "All keys", ("F1",)),
)
MENUS: Final = ("Desk", "Pass", "Controls", "Output", "Show", "Help")


class KeySheet(QFrame):
    """All keys on one sheet over the window; not a dialog, and nothing stops behind it."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "sheet")
        self.setAccessibleName("All keys")
        self.close_button = press("close", name="Close the sheet of keys")
        self.close_button.clicked.connect(self.put_away)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * INSIDE, 2 * INSIDE, 2 * INSIDE, 2 * INSIDE)
        column.setSpacing(INSIDE)
        head = row(words("Keys", size=HEADING, weight="medium"))
        head.addStretch(1)
        head.addWidget(words("Esc closes this", "quiet"))
        head.addWidget(self.close_button)
        column.addLayout(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * INSIDE)
        grid.setVerticalSpacing(INSIDE)
        for place, menus in enumerate(
            (("Pass", "Controls"), ("Show",), ("Output", "Desk", "Help"))
        ):
            inner = QVBoxLayout()
            inner.setSpacing(BETWEEN)
            for number, menu in enumerate(menus):
                inner.addSpacing(BETWEEN if number else 0)
                inner.addWidget(heading(menu))
                inner.addLayout(_rows(menu))
            inner.addStretch(1)
            grid.addLayout(inner, 0, place)
        column.addLayout(grid)
        self.hide()

    def open(self) -> None:
        """Show it, in the middle of the window."""
        self.adjustSize()
        parent = self.parentWidget()
        if parent is not None:
            self.move(
                max(0, (parent.width() - self.width()) // 2 // 4 * 4),
                max(0, (parent.height() - self.height()) // 2 // 4 * 4),
            )
        self.show()
        self.raise_()
        self.close_button.setFocus()

    def put_away(self) -> None:
        """Hide it."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        else:
            super().keyPressEvent(event)


def _rows(menu: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(INSIDE)
    grid.setVerticalSpacing(4)
    grid.setColumnMinimumWidth(0, 104)
    grid.setColumnStretch(1, 1)
    for place, key in enumerate(key for key in KEYS if key.menu == menu):
        grid.addWidget(words(" or ".join(key.keys), digits=True, size=12), place, 0)
        grid.addWidget(words(key.told, "quiet"), place, 1)
    return grid
