"""Passes and controls over seq: what happened when, and under which steering (LH 3.7)."""

import re
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.panel import Empty
from holodesk.gui.parts.shapes import Steps, TimelinePlot
from holodesk.gui.parts.words import small
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.hologram.controls import CONTROLS
from holodesk.host.messages import HeadMoved, LineageRows, Row

ROOMY: Final = 240
"""The height from which there is room to say how the plot is used."""
BEAT_MS: Final = 100
LANES: Final = ("genesis", "lens", "tile", "control", "reflex", "lease")
_CHANGE: Final = re.compile(r"^(-?\d+) → (-?\d+)")
"""How the lineage tells a turn: before, arrow, after."""


class Timeline(QWidget):
    """The plot, fed by whatever rows of the lineage have arrived."""

    pressed = Signal(int)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._stream = ""
        self._head: HeadMoved | None = None
        self._frames: dict[int, str] = {}
        self._turns: dict[str, dict[int, tuple[int, int]]] = {name: {} for name in CONTROLS}
        self.plot = TimelinePlot()
        self.plot.pressed.connect(self.pressed)
        self.empty = Empty("Passes and controls over time.", "They appear with the first head.")
        self.told = small("Press a mark to see its frame; drag to move, wheel to zoom.")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.empty, 1)
        column.addWidget(self.plot, 1)
        column.addWidget(self.told)
        self.plot.hide()
        self.told.hide()
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(BEAT_MS)
        self._soon.timeout.connect(self.draw)
        bridge.head_moved.connect(self._show_head)
        bridge.lineage.connect(self._show_rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_use()

    def _tell_use(self) -> None:
        self.told.setVisible(self._head is not None and self.height() >= ROOMY)

    def _show_head(self, head: HeadMoved) -> None:
        if head.stream_id != self._stream:
            self._stream = head.stream_id
            self._frames = {}
            self._turns = {name: {} for name in CONTROLS}
        self._head = head
        self._frames[head.seq] = head.kind
        self._draw_soon()

    def _show_rows(self, told: LineageRows) -> None:
        for row in told.rows:
            self._frames[row.seq] = row.kind
            self._keep_turn(row)
        self._draw_soon()

    def _keep_turn(self, row: Row) -> None:
        found = _CHANGE.match(row.summary)
        if row.kind == "control" and row.title in self._turns and found:
            self._turns[row.title][row.seq] = (int(found[1]), int(found[2]))

    def _draw_soon(self) -> None:
        """Draw a moment later, and only while somebody looks."""
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.draw()

    def draw(self) -> None:
        """Draw what is known."""
        if self._head is None:
            return
        self.empty.hide()
        self.plot.show()
        self._tell_use()
        first = min(self._frames)
        found = set(self._frames.values())
        kinds = [lane for lane in LANES if lane in found]
        steps = [self._steps(name, first) for name in CONTROLS]
        self.plot.show_frames(self._frames, steps, self._head.seq, kinds)

    def _steps(self, name: str, first: int) -> Steps:
        """A control's value over seq, as far back as its turns are known."""
        assert self._head is not None
        control = CONTROLS[name]
        turns = sorted(self._turns[name].items())
        now = next((c for c in self._head.controls if c.name == name), None)
        values = [(seq, after) for seq, (_, after) in turns]
        if turns:
            values.insert(0, (first, turns[0][1][0]))
        elif now is not None:
            values.append((first, now.value))
        if now is not None and turns and now.since > turns[-1][0]:
            values.append((now.since, now.value))
        span = max(1, control.high - control.low)
        return Steps(
            control.label,
            [seq for seq, _ in values] or [first],
            [(value - control.low) / span for _, value in values] or [0.0],
        )
