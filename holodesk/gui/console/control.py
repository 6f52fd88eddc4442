"""One control: its question, its value in force and, outlined, the one that is pending (LH 3.7).

A dragged slider asks once, when it is let go; keys and typed numbers ask when they have rested for
a moment. Nothing here says that a control has changed: only a head that moved does.
"""

from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from holodesk.gui.parts.allowed import NameList
from holodesk.gui.parts.number import Whole
from holodesk.gui.parts.panel import row
from holodesk.gui.parts.press import link
from holodesk.gui.parts.track import Track
from holodesk.gui.parts.words import assign_role, say, small, words
from holodesk.gui.theme import SMALL, STEP
from holodesk.hologram.controls import Control
from holodesk.host.messages import ControlState

REST_MS: Final = 600
"""How long keys must rest before a value is asked for."""


class ControlRow(QWidget):
    """Shows and asks for one of the six."""

    turned = Signal(str, int)
    listed = Signal(str, object)
    since_asked = Signal(int)

    def __init__(self, control: Control) -> None:
        super().__init__()
        self.control = control
        self.state: ControlState | None = None
        self.wanted: int | None = None
        self.asked = False
        self._roomy = False
        self._passing = False
        self._names: list[str] = []
        self._build()
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(self.settle)
        self.track.valueChanged.connect(self._moved)
        self.track.let_go.connect(self.settle)
        self.number.valueChanged.connect(self._moved)
        self.number.lineEdit().returnPressed.connect(self.settle)
        self.since.clicked.connect(self._ask_since)
        self.setEnabled(False)
        self._draw()

    def _build(self) -> None:
        control = self.control
        self.label = words(control.label, weight="medium")
        self.in_force = _chip("inforce")
        self.pending = _chip("pendingchip")
        self.since = link(name=f"{control.label}: since which frame it is in force")
        self.list_link = link(name=f"{control.label}: its list")
        self.track = Track(control.low, control.high, name=control.label)
        self.track.setAccessibleDescription(control.question)
        self.track.stops = bool(control.detents)
        self.number = Whole(control.low, control.high, name=f"{control.label}, number")
        self.number.setFixedWidth(64)
        self.question = small(control.question, wrap=True)
        self.problem = small("", "refused", wrap=True)
        self.names: NameList | None = None
        top = row(self.label, self.in_force, self.pending, spacing=STEP)
        top.addStretch(1)
        top.addWidget(self.list_link)
        top.addWidget(self.since)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addLayout(row(self.track, self.number))
        column.addWidget(self.question)
        column.addWidget(self.problem)
        if control.list_name is not None:
            self._build_names(column)
        self.list_link.setVisible(self.names is not None)
        self.label.setMinimumHeight(32)

    def _build_names(self, column: QVBoxLayout) -> None:
        allow = self.control.list_name == "allow"
        told = "Only what is lit may be offered." if allow else "What is lit is left behind."
        self.names = NameList(told, all_is_none=allow)
        self.names.hide()
        self.names.recorded.connect(self._record_names)
        self.names.left.connect(self.names.hide)
        self.list_link.clicked.connect(self._open_names)
        column.addWidget(self.names)

    # -------------------------------------------------------------- what is in force

    def show_state(self, state: ControlState, *, writable: bool) -> None:
        """A head moved: this is in force."""
        before, self.state = self.state, state
        self.setEnabled(True)
        self.track.setEnabled(writable)
        self.number.setEnabled(writable)
        self.list_link.setEnabled(writable)
        if self._passing:
            self.problem.hide()
        moved = before is None or before.since != state.since
        if moved and self.asked:
            self.asked, self.wanted = False, None
            self.problem.hide()
        if self.wanted == state.value and not self.track.isSliderDown():
            self.wanted = None
        self._draw()

    def show_names(self, names: list[str]) -> None:
        """The names that its list may take in or leave out."""
        self._names = names
        if self.names is not None and self.names.isHidden():
            self._draw()

    def refuse(self, sentence: str, *, passing: bool = False) -> None:
        """What was asked for is refused; `passing`: said only until a head moves."""
        self._passing = passing
        self.asked, self.wanted = False, None
        say(self.problem, sentence)
        self.problem.setVisible(bool(sentence))
        self._draw()

    # -------------------------------------------------------------- what a person wants

    def _moved(self, value: int) -> None:
        if self.state is None:
            return
        self.wanted = None if value == self.state.value and not self.asked else value
        self.problem.hide()
        if not self.track.isSliderDown():
            self._resting.start()
        self._draw()

    def settle(self) -> None:
        """Ask for the value that was turned to."""
        self._resting.stop()
        if self.wanted is None or self.state is None:
            return
        if self.asked or self.wanted != self.state.value:
            self.asked = True
            self.turned.emit(self.control.name, self.wanted)
        self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.wanted is not None and not self.asked:
            self._resting.stop()
            self.wanted = None
            self._draw()
            return
        super().keyPressEvent(event)

    def _ask_since(self) -> None:
        if self.state is not None:
            self.since_asked.emit(self.state.since)

    def _open_names(self) -> None:
        if self.names is None or self.state is None or self.control.list_name is None:
            return
        listed = (self.state.detail or {}).get(self.control.list_name)
        chosen = listed if self.control.list_name == "allow" else listed or []
        self.names.show_names(self._names, chosen)
        self.names.setVisible(self.names.isHidden())

    def _record_names(self, chosen: list[str] | None) -> None:
        assert self.names is not None
        self.names.hide()
        self.listed.emit(self.control.name, {self.control.list_name: chosen})

    # -------------------------------------------------------------- draw

    def show_roomy(self, *, roomy: bool) -> None:
        """Is there room for every question? Else only the focused control shows its own."""
        self._roomy = roomy
        self._draw()

    def show_focus(self, focused: QObject | None) -> None:
        """The focus is there."""
        inside = isinstance(focused, QWidget) and self.isAncestorOf(focused)
        self.question.setVisible(self._roomy or inside)

    def _draw(self) -> None:
        state = self.state
        self.question.setVisible(self._roomy or self.track.hasFocus() or self.number.hasFocus())
        if state is None:
            for chip in (self.in_force, self.pending, self.problem, self.since, self.list_link):
                chip.hide()
            return
        waiting = self.wanted is not None
        shown = state.value if self.wanted is None else self.wanted
        for widget in (self.track, self.number):
            if not (widget is self.track and self.track.isSliderDown()):
                widget.blockSignals(True)
                widget.setValue(shown)
                widget.blockSignals(False)
        self.track.show_in_force(state.value if waiting else None)
        say(self.in_force, f"{state.value}" if waiting else self.told(state.value))
        say(
            self.pending,
            f"{self.told(shown)} pending" if not self.control.detents else (self.told(shown)),
        )
        self.in_force.show()
        self.pending.setVisible(waiting)
        self.since.setVisible(not waiting)
        who = f" · {state.by.replace('&', '&&')}" if self._roomy and state.by else ""
        self.since.setText(
            f"since frame {state.since}{who}" if self._roomy else (f"since {state.since}")
        )
        self.since.setAccessibleName(
            f"{self.control.label} in force since frame {state.since}, by {state.by}: show it"
        )
        self._draw_list_link(waiting=waiting)
        told = f"{self.told(state.value)} in force"
        self.track.setAccessibleDescription(
            f"{self.control.question} {told}{f', {self.told(shown)} pending' if waiting else ''}"
        )

    def _draw_list_link(self, *, waiting: bool) -> None:
        if self.names is None or self.state is None or self.control.list_name is None:
            return
        listed = (self.state.detail or {}).get(self.control.list_name)
        allow = self.control.list_name == "allow"
        if listed is None:
            text = "all ▾" if allow else "drop ▾"
        else:
            text = f"only {len(listed)} ▾" if allow else f"{len(listed)} dropped ▾"
        self.list_link.setText(text)
        self.list_link.setAccessibleName(
            f"{self.control.label}: which may be offered" if allow else "Which keys are dropped"
        )
        self.list_link.setVisible(not waiting)

    def told(self, value: int) -> str:
        """A value with its unit, or its name."""
        if self.control.detents:
            return self.control.detents[value - self.control.low]
        unit = self.control.unit
        if value == 1:
            unit = unit.removesuffix("es" if unit.endswith("ses") else "s")
        return f"{value} {unit}".strip()


def _chip(role: str) -> QLabel:
    label = words(size=SMALL, weight="medium")
    assign_role(label, role)
    label.setFixedHeight(20)
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return label
