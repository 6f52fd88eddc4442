"""What the next pass carries: the slush key by key, and the present as the caller reads it.

(LH 3.5; TC 2.2.) Both are the host's own assembly, shown as text and never as markup.
"""

import json

from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.lines import Line, LineList
from holodesk.gui.parts.panel import Empty, row
from holodesk.gui.parts.words import counted, heading, say, shortened, small
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.host.messages import Offered


class SlushPanel(QWidget):
    """One row a key, with its size; below, what the readers gave."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.total = small()
        self.list = LineList("What the next pass carries")
        self.empty = Empty(
            "What the next pass carries would be here.",
            "Choose a lens: what it leaves as slush is carried into the pass after it.",
        )
        self.present = QPlainTextEdit()
        self.present.setReadOnly(True)
        self.present.document().setDocumentMargin(BETWEEN)
        self.present.setAccessibleName("The present, as the caller reads it")
        self._lower = QWidget()
        lower = QVBoxLayout(self._lower)
        lower.setContentsMargins(0, 0, 0, 0)
        lower.setSpacing(STEP)
        lower.addWidget(heading("Present"))
        lower.addWidget(self.present, 1)
        upper_holder = QWidget()
        upper = QVBoxLayout(upper_holder)
        upper.setContentsMargins(0, 0, 0, 0)
        upper.setSpacing(STEP)
        upper.addLayout(row(self.total))
        upper.addWidget(self.list, 1)
        upper.addWidget(self.empty, 1)
        split = QSplitter()
        split.setOrientation(split.orientation().Vertical)
        split.setHandleWidth(BETWEEN)
        split.setChildrenCollapsible(False)
        split.addWidget(upper_holder)
        split.addWidget(self._lower)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, BETWEEN, 0, 0)
        outer.addWidget(split)
        self.list.hide()
        self._lower.hide()
        bridge.offered.connect(self._show)

    def _show(self, offer: Offered) -> None:
        lines, total = [], 0
        for name, value in sorted(offer.slush.items()):
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            octets = len(text.encode())
            total += octets + len(name) + 4
            lines.append(Line(name, shortened(text, 400), right=f"{octets:,} B".replace(",", " ")))
        self.list.rows.show(lines)
        self.list.setVisible(bool(lines))
        self.empty.setVisible(not lines)
        say(self.total, f"{counted(len(lines), 'key')}, about {total / 1024:.1f} of 64 KiB")
        self.total.setVisible(bool(lines))
        self.present.setPlainText(offer.present)
        self._lower.setVisible(bool(offer.present))
