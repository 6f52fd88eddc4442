"""The six controls, as their one table says (LH 3.7): what is in force, and since which frame."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.control import ControlRow
from holodesk.gui.parts.panel import Panel, Scroll
from holodesk.gui.parts.words import small
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.hologram.controls import CONTROLS
from holodesk.host.messages import Appended, Folder, HeadMoved, Offered, Refusal

ROOMY: Final = (320, 620)
"""Width and height from which every question is shown."""


class Controls(Panel):
    """Six rows; each asks for itself."""

    since_asked = Signal(int)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__("Controls")
        self._bridge = bridge
        self._asked: dict[int, str] = {}
        self.note = small("", "pending")
        self.note.hide()
        self.head.addWidget(self.note)
        self.rows = {name: ControlRow(control) for name, control in CONTROLS.items()}
        self._scroll = Scroll("The six controls")
        self._scroll.rows.setSpacing(STEP)
        self.body.setSpacing(STEP)
        self.body.addWidget(self._scroll, 1)
        for row in self.rows.values():
            row.turned.connect(self._turn)
            row.listed.connect(self._list)
            row.since_asked.connect(self.since_asked)
            self._scroll.rows.addWidget(row)
        self._scroll.rows.addStretch(1)
        bridge.head_moved.connect(self._show_head)
        bridge.offered.connect(self._show_offer)
        bridge.folder.connect(self._show_folder)
        bridge.refused.connect(self._show_refusal)
        bridge.appended.connect(self._show_appended)
        bridge.host_lost.connect(self._show_loss)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._show_focus)

    def focus_control(self, number: int) -> None:
        """Put the focus on control 1 to 6."""
        list(self.rows.values())[number - 1].track.setFocus()

    def turn(self, name: str, value: int) -> None:
        """Ask for a value, as if the row itself had been turned."""
        row = self.rows[name]
        row.number.setValue(value)
        row.settle()

    def _turn(self, name: str, value: int) -> None:
        self._asked[self._bridge.turn(name, value)] = name

    def _list(self, name: str, detail: dict[str, object]) -> None:
        state = self.rows[name].state
        if state is not None:
            self._asked[self._bridge.turn(name, state.value, detail)] = name

    def _show_head(self, head: HeadMoved) -> None:
        for state in head.controls:
            if state.name in self.rows:
                self.rows[state.name].show_state(state, writable=head.writable)
        self.note.setVisible(not head.writable)
        self.note.setText("read only")
        self.note.setAccessibleDescription(head.why_not)

    def _show_offer(self, offer: Offered) -> None:
        self.rows["slush"].show_names(sorted(offer.slush))

    def _show_folder(self, folder: Folder) -> None:
        found = [file.lens for file in folder.files if file.lens and file.status != "set aside"]
        self.rows["lens"].show_names(list(dict.fromkeys(found)))

    def _show_refusal(self, refusal: Refusal) -> None:
        name = self._asked.pop(refusal.id, None)
        if name is not None:
            self.rows[name].refuse(refusal.sentence)
            self._scroll.ensureWidgetVisible(self.rows[name].problem)

    def _show_appended(self, appended: Appended) -> None:
        self._asked.pop(appended.id, None)

    def _show_loss(self, _: str) -> None:
        for name in self._asked.values():
            self.rows[name].refuse("the host ended before it answered", passing=True)
        self._asked = {}

    def _show_focus(self, _: object, focused: object) -> None:
        for row in self.rows.values():
            row.show_focus(focused)  # type: ignore[arg-type]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        roomy = self.width() >= ROOMY[0] and self.height() >= ROOMY[1]
        self._scroll.rows.setSpacing(2 * BETWEEN if roomy else STEP)
        for row in self.rows.values():
            row.show_roomy(roomy=roomy)
