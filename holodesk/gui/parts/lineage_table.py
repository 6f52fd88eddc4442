"""The table of the lineage: three columns of two lines; rows that are new slide in once."""

from typing import Final

from PySide6.QtCore import (
    QEasingCurve,
    QRect,
    QSize,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.parts.lines import Index, paint_ground, write
from holodesk.gui.parts.rows import ROW, LineageRows
from holodesk.gui.theme import BODY, DARK, SMALL, STEP, Theme, mono, sans
from holodesk.host.messages import Row

HIGH: Final = 44
SLIDE_MS: Final = 240


class LineageInk(QStyledItemDelegate):
    """Paints one cell: a line, and a quieter one below it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme: Theme = DARK
        self.new_from: int | None = None
        self.slid = 1.0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(64, HIGH)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> None:
        row: Row | None = index.data(ROW)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QRect(rect)
        if index.column() > 0:
            ground.setLeft(rect.left() - 12)
        if index.column() < 2:
            ground.setRight(rect.right() + 12)
        painter.setClipRect(rect)
        paint_ground(painter, ground, option, self.theme)
        if row is not None and self.new_from is not None and row.seq >= self.new_from:
            painter.setOpacity(self.slid)
            painter.translate(0, round((self.slid - 1) * 16))
        above, below = _words(row, index)
        inner = rect.adjusted(8 if index.column() == 0 else 4, STEP, -4, -STEP)
        first = mono(BODY) if index.column() == 0 else sans(BODY)
        quiet = self.theme.colour("quiet")
        write(painter, inner, above, first, self.theme.colour("text") if row else quiet)
        write(painter, inner.adjusted(0, 20, 0, 0), below, sans(SMALL), quiet)
        painter.restore()


def _words(row: Row | None, index: Index) -> tuple[str, str]:
    if row is None:
        return str(index.data()), ""
    kind, _, who = row.caller.partition(": ")
    return (
        (f"{row.seq}", row.kind),
        (row.title, row.summary),
        (who or kind, f"{kind} {_time(row.utc)}" if who else _time(row.utc)),
    )[index.column()]


def _time(utc: str) -> str:
    """The time of day in a utc text."""
    _, _, time = utc.partition("T")
    return time[:8]


class LineageTable(Dressed, QTableView):
    """The rows; `in_sight` says which of them are looked at."""

    in_sight = Signal(int, int)

    def __init__(self, rows: LineageRows) -> None:
        super().__init__()
        self._ink = LineageInk(self)
        self.setModel(rows)
        self.setItemDelegate(self._ink)
        self.setAccessibleName("The lineage, newest first")
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setAccessibleName("Rows")
        self.horizontalHeader().setAccessibleName("Columns of the lineage")
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(HIGH)
        across = self.horizontalHeader()
        across.setHighlightSections(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        across.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        across.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        self.setColumnWidth(0, 68)
        self.setColumnWidth(2, 100)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._slide = QVariantAnimation(self)
        self._slide.setDuration(SLIDE_MS)
        self._slide.setStartValue(0.0)
        self._slide.setEndValue(1.0)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.valueChanged.connect(self._move)
        self.verticalScrollBar().valueChanged.connect(self._tell)

    def slide_in(self, seq: int) -> None:
        """Rows from `seq` on are new: let them slide in."""
        self._ink.new_from = seq
        self._slide.stop()
        self._slide.start()

    def _move(self, share: float) -> None:
        self._ink.slid = float(share)
        self.viewport().update()

    def _tell(self) -> None:
        top = self.rowAt(0)
        bottom = self.rowAt(self.viewport().height() - 1)
        last = self.model().rowCount() - 1
        if last >= 0:
            self.in_sight.emit(max(0, top), last if bottom < 0 else bottom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space is the window's: it appends the choice."""
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def dress(self, theme: Theme) -> None:
        super().dress(theme)
        self._ink.theme = theme
        self.viewport().update()
