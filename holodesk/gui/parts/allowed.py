"""A list of names, each of which may be taken in or left out: what may be offered, or not carried.

Presses are gathered and recorded as one change; taking every name in means "not limited".
"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from holodesk.gui.parts.flow import Flow
from holodesk.gui.parts.panel import emptied, row
from holodesk.gui.parts.press import press
from holodesk.gui.parts.words import small
from holodesk.gui.theme import STEP


class NameList(QWidget):
    """Names to press. `chosen` are those pressed in; None of them may mean all of them."""

    recorded = Signal(object)
    """A list of names, or None for "not limited"."""
    left = Signal()

    def __init__(self, told: str, *, all_is_none: bool) -> None:
        super().__init__()
        self._all_is_none = all_is_none
        self._names: list[str] = []
        self._chosen: set[str] = set()
        self._flow = Flow()
        self.record = press("record", "primary")
        self.leave = press("leave as it is")
        self.record.clicked.connect(self._record)
        self.leave.clicked.connect(self.left)
        self.buttons: dict[str, QPushButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2 * STEP, 0, STEP)
        column.setSpacing(STEP)
        column.addWidget(small(told, wrap=True))
        column.addLayout(self._flow)
        foot = row(self.record, self.leave)
        foot.addStretch(1)
        column.addLayout(foot)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_names(self, names: Sequence[str], chosen: Sequence[str] | None) -> None:
        """Show which names there are and which are in; None: all of them."""
        self._names = list(dict.fromkeys([*names, *(chosen or ())]))
        self._chosen = set(self._names if chosen is None else chosen)
        emptied(self._flow)
        self.buttons = {}
        for name in self._names:
            button = press(name, "chip", name=name)
            button.setCheckable(True)
            button.setChecked(name in self._chosen)
            button.toggled.connect(lambda on, name=name: self._press(name, on=on))
            self._flow.addWidget(button)
            self.buttons[name] = button
        self.record.setEnabled(False)

    def _press(self, name: str, *, on: bool) -> None:
        (self._chosen.add if on else self._chosen.discard)(name)
        self.record.setEnabled(True)

    def _record(self) -> None:
        chosen = [name for name in self._names if name in self._chosen]
        everything = len(chosen) == len(self._names)
        unlimited = everything if self._all_is_none else not chosen
        self.recorded.emit(None if unlimited else chosen)
