"""The lineage, newest first: who chose what, through which lens; and any frame in full (LH 3.3)."""

from typing import Final

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QSplitter, QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.detail import FrameDetail
from holodesk.gui.parts.choices import Choices
from holodesk.gui.parts.lineage_table import LineageTable
from holodesk.gui.parts.panel import Empty, row
from holodesk.gui.parts.rows import PAGE, LineageRows
from holodesk.gui.parts.words import counted, small
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.host.messages import Detail, HeadMoved, Refusal, Replayed
from holodesk.host.messages import LineageRows as Rows

KINDS: Final = ("every kind", "genesis", "lens", "tile", "control", "reflex", "lease")
ENOUGH: Final = 100
"""A filter that has found this many rows looks no further down by itself."""


class Lineage(QWidget):
    """Filter, table, and the frame that is selected."""

    selected = Signal(int)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._stream = ""
        self._pages: dict[int, int] = {}
        self._wanted_seq: int | None = None
        self.rows = LineageRows()
        self.table = LineageTable(self.rows)
        self.detail = FrameDetail()
        self._build()
        self.table.in_sight.connect(self._want_rows)
        self.table.selectionModel().currentRowChanged.connect(self._select)
        self.detail.replay_asked.connect(self._replay)
        self._ask_soon = QTimer(self)
        self._ask_soon.setSingleShot(True)
        self._ask_soon.setInterval(40)
        self._ask_soon.timeout.connect(self._ask_detail)
        self._replays: dict[int, int] = {}
        self._details: set[int] = set()
        bridge.head_moved.connect(self._show_head)
        bridge.lineage.connect(self._show_rows)
        bridge.detail.connect(self._show_detail)
        bridge.replayed.connect(self._show_verdict)
        bridge.refused.connect(self._show_refusal)
        bridge.host_lost.connect(self._show_loss)

    def _build(self) -> None:
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("filter: words, a name, a hash")
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName("Filter the lineage by words")
        self.filter.textChanged.connect(self._narrow)
        self.kind = Choices("Filter the lineage by kind of frame")
        self.kind.addItems(KINDS)
        self.kind.setFixedWidth(120)
        self.kind.currentIndexChanged.connect(self._narrow)
        self.found = small()
        self.found.hide()
        self.empty = Empty("No frame is here yet.", "The lineage appears with the first head.")
        top = QWidget()
        column = QVBoxLayout(top)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(row(self.filter, self.kind))
        column.addWidget(self.found)
        column.addWidget(self.empty, 1)
        column.addWidget(self.table, 1)
        self.table.hide()
        self.split = QSplitter()
        self.split.setOrientation(self.split.orientation().Vertical)
        self.split.setHandleWidth(BETWEEN)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(top)
        self.split.addWidget(self.detail)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        self.split.setSizes([340, 220])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, BETWEEN, 0, 0)
        outer.addWidget(self.split)

    # -------------------------------------------------------------- rows

    def show_frame(self, seq: int) -> None:
        """Select a frame, wherever it stands; a filter that hides it is taken away."""
        if self.rows.place_of(seq) is None:
            self.filter.clear()
            self.kind.setCurrentIndex(0)
        place = self.rows.place_of(seq)
        if place is None:
            return
        index = self.rows.index(place, 0)
        self.table.scrollTo(index, LineageTable.ScrollHint.PositionAtCenter)
        self.table.setCurrentIndex(index)
        self._want_rows(place, place)

    def _show_head(self, head: HeadMoved) -> None:
        first = head.stream_id != self._stream
        if first:
            self._stream = head.stream_id
            self._pages, self._details = {}, set()
            self._ask(head.seq + 1, PAGE)
            self.rows.begin_again(head.seq)
            self.detail.clear()
        added = 0 if first else self.rows.move_head(head.seq)
        self.table.setVisible(head.seq >= 0)
        self.empty.setVisible(head.seq < 0)
        if added:
            self._ask(head.seq + 1, min(added, PAGE))
            self.table.slide_in(head.seq - added + 1)

    def _ask(self, before: int, count: int) -> None:
        self._pages[self._bridge.ask_lineage(before, count)] = before

    def _want_rows(self, top: int, bottom: int) -> None:
        """Ask for the pages of what is in sight and not here."""
        for place in (top, bottom):
            if not 0 <= place < self.rows.rowCount():
                continue
            seq = self.rows.seq_at(place)
            if seq in self.rows.rows:
                continue
            before = min(self.rows.head + 1, (seq // PAGE + 1) * PAGE)
            if before not in self._pages.values():
                self._ask(before, PAGE)

    def _show_rows(self, told: Rows) -> None:
        self._pages.pop(told.id, None)
        self.rows.keep(told.rows)
        self._tell_found()
        self._look_further()

    def _narrow(self) -> None:
        kind = "" if self.kind.currentIndex() == 0 else self.kind.currentText()
        self.rows.narrow(self.filter.text(), kind)
        self._tell_found()
        self._look_further()

    def _look_further(self) -> None:
        """A filter that has found little asks for older rows, page by page."""
        matching = self.rows.matching
        if matching is None or len(matching) >= ENOUGH or self._pages:
            return
        lowest = self.rows.lowest_unknown()
        if lowest is not None:
            self._ask(lowest + 1, 1000)

    def _tell_found(self) -> None:
        matching = self.rows.matching
        self.found.setVisible(matching is not None)
        if matching is not None:
            lowest = self.rows.lowest_unknown()
            down = "the genesis" if lowest is None else f"frame {lowest + 1}"
            self.found.setText(f"{counted(len(matching), 'frame')} found, down to {down}")

    # -------------------------------------------------------------- one frame

    @property
    def current(self) -> int | None:
        """The seq of the selected frame."""
        index = self.table.currentIndex()
        return self.rows.seq_at(index.row()) if index.isValid() else None

    def _select(self, index: QModelIndex) -> None:
        if index.isValid():
            seq = self.rows.seq_at(index.row())
            if seq != self.detail.seq:
                self._wanted_seq = seq
                self._ask_soon.start()
                self.selected.emit(seq)

    def _ask_detail(self) -> None:
        if self._wanted_seq is not None:
            self.detail.wait_for(self._wanted_seq)
            self._details.add(self._bridge.ask_detail(self._wanted_seq))

    def _show_detail(self, detail: Detail) -> None:
        self._details.discard(detail.id)
        if detail.seq == self._wanted_seq:
            self.detail.show_detail(detail)

    def _replay(self, seq: int) -> None:
        self._replays[self._bridge.replay_now(seq)] = seq

    def _show_verdict(self, replayed: Replayed) -> None:
        self._replays.pop(replayed.id, None)
        self.detail.show_verdict(replayed)

    def _show_refusal(self, refusal: Refusal) -> None:
        seq = self._replays.pop(refusal.id, None)
        if seq is not None:
            self.detail.show_verdict(Replayed(refusal.id, seq, "undetermined", refusal.sentence))
        elif refusal.id in self._details:
            self._details.discard(refusal.id)
            self.detail.show_sentence(refusal.sentence)
        elif refusal.id in self._pages:
            del self._pages[refusal.id]

    def _show_loss(self, _: str) -> None:
        self._pages, self._details = {}, set()
        for seq in self._replays.values():
            self.detail.show_verdict(
                Replayed(0, seq, "undetermined", "the host ended before it answered")
            )
        self._replays = {}
