"""What was refused, newest first: the sentence, and behind it the rule and the place in small.

(house II.9: refused whole, said once, never a dialog.)
"""

from typing import Final

from PySide6.QtCore import QDateTime, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.lines import Line, LineList
from holodesk.gui.parts.panel import Empty
from holodesk.gui.theme import BETWEEN
from holodesk.host.messages import Refusal

MOST: Final = 200


class Refusals(QWidget):
    """Refusals of this session."""

    counted = Signal(int)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.count = 0
        self.list = LineList("Refusals, newest first")
        self.empty = Empty(
            "Nothing was refused.", "What is refused appears here, with its rule and its place."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.addWidget(self.empty, 1)
        column.addWidget(self.list, 1)
        self.list.hide()
        bridge.refused.connect(self._show)

    def _show(self, refusal: Refusal) -> None:
        self.count += 1
        at = QDateTime.currentDateTime().toString("HH:mm:ss")
        self.list.rows.put_first(line_of(refusal, at), MOST)
        self.list.show()
        self.empty.hide()
        self.counted.emit(self.count)


def line_of(refusal: Refusal, at: str) -> Line:
    """A refusal as a row."""
    told = not refusal.step or "step" in refusal.rule
    step = "" if told else f"step {refusal.step}"
    parts = (refusal.family, refusal.rule, step, refusal.place, at)
    small = " · ".join(part for part in parts if part)
    below = "\n".join(part for part in (small, refusal.advice) if part)
    mark = "refused" if refusal.family == "Refused" else "pending"
    return Line(refusal.sentence, below, mark=mark)
