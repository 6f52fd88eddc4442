"""Rows of two lines in a list: a mark with its word, a title, and quieter words below it.

A mark is never alone: what it says is in the words as well (look.md: never colour alone).
"""

from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.theme import BETWEEN, BODY, CORNER, SMALL, STEP, Theme, mono, sans

Index = QModelIndex | QPersistentModelIndex
LINE: Final = Qt.ItemDataRole.UserRole
WRAP: Final = int(Qt.TextFlag.TextWordWrap)


@dataclass(frozen=True, slots=True)
class Line:
    """One row: `right` stands at the end of the first line, `mark` names a colour of the theme."""

    title: str
    below: str = ""
    right: str = ""
    mark: str = ""
    key: str = ""
    digits: bool = False

    @property
    def spoken(self) -> str:
        """The row as a screen reader says it."""
        return ", ".join(part for part in (self.title, self.right, self.below) if part)


class LineRows(QAbstractListModel):
    """Lines in order."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.lines[index.row()]
        if role == LINE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line.spoken
        return None

    def show(self, lines: list[Line]) -> None:
        """Show other lines."""
        if lines != self.lines:
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()

    def put_first(self, line: Line, most: int) -> None:
        """Put one line before the others, of which at most `most` stay."""
        self.beginInsertRows(QModelIndex(), 0, 0)
        self.lines.insert(0, line)
        self.endInsertRows()
        if len(self.lines) > most:
            self.beginRemoveRows(QModelIndex(), most, len(self.lines) - 1)
            del self.lines[most:]
            self.endRemoveRows()


class LineInk(QStyledItemDelegate):
    """Paints lines; words below wrap where `wraps`."""

    def __init__(self, parent: QWidget, *, wraps: bool) -> None:
        super().__init__(parent)
        self.theme: Theme | None = None
        self._wraps = wraps

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = index.data(LINE)
        view = self.parent()
        assert isinstance(view, QListView)
        width = view.viewport().width()
        high = 2 * STEP + _height(
            _title_font(line),
            line.title,
            width - _indent(line) - 8,
            wrap=(self._wraps and not line.right),
        )
        if line.below:
            high += _height(sans(SMALL), line.below, width - _indent(line) - 8, wrap=self._wraps)
        return QSize(width, max(32, high))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self.theme is None:
            return
        theme, line = self.theme, index.data(LINE)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, rect, option, theme)
        inner = rect.adjusted(_indent(line), STEP, -BETWEEN, -STEP)
        if line.mark:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(line.mark))
            painter.drawEllipse(QRectF(rect.x() + 8, inner.y() + 5, 8, 8))
        self._paint_words(painter, inner, line, theme)
        painter.restore()

    def _paint_words(self, painter: QPainter, inner: QRect, line: Line, theme: Theme) -> None:
        taken = 0
        if line.right:
            font = sans(SMALL)
            taken = QFontMetrics(font).horizontalAdvance(line.right) + BETWEEN
            colour = theme.colour(line.mark or "quiet")
            write(painter, inner, line.right, font, colour, Qt.AlignmentFlag.AlignRight)
        font = _title_font(line)
        wrap = self._wraps and not line.right
        room = inner.adjusted(0, 0, -taken, 0)
        write(painter, room, line.title, font, theme.colour("text"), wrap=wrap)
        if line.below:
            high = _height(font, line.title, room.width(), wrap=wrap)
            below = inner.adjusted(0, high, 0, 0)
            write(painter, below, line.below, sans(SMALL), theme.colour("quiet"), wrap=self._wraps)


def paint_ground(
    painter: QPainter, rect: QRect, option: QStyleOptionViewItem, theme: Theme
) -> None:
    """What stands behind a row: nothing, or the mark of a selected or a focused one."""
    state: QStyle.StateFlag = option.state
    if state & QStyle.StateFlag.State_Selected:
        painter.setPen(
            QPen(theme.colour("accent"), theme.line_width)
            if state & QStyle.StateFlag.State_HasFocus or theme.name == "contrast"
            else Qt.PenStyle.NoPen
        )
        painter.setBrush(theme.colour("line" if theme.name != "contrast" else "panel"))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5), CORNER, CORNER)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.setPen(Qt.PenStyle.NoPen)
        shade = QColor(theme.colour("line"))
        shade.setAlpha(90)
        painter.setBrush(shade)
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 1.5, -0.5, -1.5), CORNER, CORNER)


def write(
    painter: QPainter,
    rect: QRect,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    *,
    wrap: bool = False,
) -> None:
    """Write words at the top of a rectangle; what does not fit on one line ends in an ellipsis."""
    painter.setFont(font)
    painter.setPen(colour)
    if wrap:
        painter.drawText(rect, int(align) | WRAP, text)
        return
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
    painter.drawText(rect, int(align | Qt.AlignmentFlag.AlignTop), shown)


def _title_font(line: Line) -> QFont:
    return mono(BODY) if line.digits else sans(BODY)


def _indent(line: Line) -> int:
    return 28 if line.mark else BETWEEN


def _height(font: QFont, text: str, width: int, *, wrap: bool) -> int:
    metrics = QFontMetrics(font)
    if not wrap:
        return metrics.height()
    return metrics.boundingRect(QRect(0, 0, max(40, width), 10_000), WRAP, text).height()


class LineList(Dressed, QListView):
    """A list of lines."""

    def __init__(self, name: str, *, wraps: bool = True) -> None:
        super().__init__()
        self.rows = LineRows()
        self.setModel(self.rows)
        self._ink = LineInk(self, wraps=wraps)
        self.setItemDelegate(self._ink)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QListView.SelectionMode.SingleSelection)
        self._ink.theme = self.theme

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
