"""A panel: a framed room with a name, and what it says while it is empty (look.md)."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from holodesk.gui.parts.words import heading, words
from holodesk.gui.theme import BETWEEN, INSIDE, STEP


class Panel(QFrame):
    """A framed panel; `head` is the row of its name, `body` what is in it."""

    def __init__(self, title: str, *, inside: int = INSIDE) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAccessibleName(title)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(inside, inside, inside, inside)
        self.body.setSpacing(BETWEEN)
        self.head = QHBoxLayout()
        self.head.setSpacing(BETWEEN)
        if title:
            self.head.addWidget(heading(title))
            self.head.addStretch(1)
            self.body.addLayout(self.head)


class Scroll(QScrollArea):
    """Room that scrolls downwards only and has no frame of its own."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        self.rows = QVBoxLayout(inner)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(BETWEEN)
        self.setWidget(inner)


class Empty(QWidget):
    """What would be here, and the one thing to do."""

    def __init__(self, what: str, act: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        column.setSpacing(STEP)
        column.addStretch(1)
        self._what = words(what, weight="medium", wrap=True)
        self._act = words(act, "quiet", wrap=True)
        for label in (self._what, self._act):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addStretch(1)

    def say(self, what: str, act: str) -> None:
        """Say it in other words."""
        self._what.setText(what)
        self._act.setText(act)


def row(*widgets: QWidget, spacing: int = BETWEEN) -> QHBoxLayout:
    """Widgets side by side, without a margin."""
    layout = QHBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def emptied(layout: QLayout) -> None:
    """Take every widget out of a layout, and let it go."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            emptied(inner)
