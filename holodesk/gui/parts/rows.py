"""The lineage as rows, newest first; only what was looked at is here (LH 3.3).

Row 0 is the head. Rows are asked for in pages as they come into sight; a filter looks at the rows
that are here, and the panel asks for older ones until enough are found or none is left.
"""

from collections.abc import Iterable
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from holodesk.host.messages import Row

Index = QModelIndex | QPersistentModelIndex
COLUMNS: Final = ("Frame", "What", "Who")
ROW: Final = Qt.ItemDataRole.UserRole
PAGE: Final = 200


class LineageRows(QAbstractTableModel):
    """Rows by seq, under a head that moves; `matching` is what a filter leaves, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.head = -1
        self.rows: dict[int, Row] = {}
        self.matching: list[int] | None = None
        self._text, self._kind = "", ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.isValid():
            return 0
        return self.head + 1 if self.matching is None else len(self.matching)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return COLUMNS[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        seq = self.seq_at(index.row())
        row = self.rows.get(seq)
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if row is None:
                return f"{seq}" if index.column() == 0 else "…"
            return (
                f"{seq} {row.kind}",
                f"{row.title} {row.summary}".strip(),
                f"{row.caller} {row.utc}",
            )[index.column()]
        return None

    def seq_at(self, place: int) -> int:
        """The frame that stands in a row."""
        return self.head - place if self.matching is None else self.matching[place]

    def place_of(self, seq: int) -> int | None:
        """The row in which a frame stands, or None."""
        if self.matching is None:
            return self.head - seq if 0 <= seq <= self.head else None
        return self.matching.index(seq) if seq in self.matching else None

    # -------------------------------------------------------------- what arrives

    def move_head(self, seq: int) -> int:
        """The head is at `seq`; how many rows that puts on top."""
        added = seq - self.head
        if added <= 0:
            if added < 0:
                self.begin_again(seq)
            return 0
        if self.matching is None:
            self.beginInsertRows(QModelIndex(), 0, added - 1)
            self.head = seq
            self.endInsertRows()
        else:
            self.head = seq
        return added

    def begin_again(self, seq: int) -> None:
        """Another stream, or another desk: nothing that is here holds."""
        self.beginResetModel()
        self.rows = {}
        self.head = seq
        self.matching = None if self.matching is None else []
        self.endResetModel()

    def keep(self, rows: Iterable[Row]) -> None:
        """Keep rows that arrived, and show those in sight."""
        new = {row.seq: row for row in rows if row.seq <= self.head}
        self.rows.update(new)
        if not new:
            return
        if self.matching is not None:
            self._match(new.values())
            return
        top, bottom = self.head - max(new), self.head - min(new)
        self.dataChanged.emit(self.index(top, 0), self.index(bottom, len(COLUMNS) - 1))

    def lowest_unknown(self) -> int | None:
        """The newest frame whose row is not here, going down from the head; None: all are here."""
        if len(self.rows) > self.head:
            return None
        return next((seq for seq in range(self.head, -1, -1) if seq not in self.rows), None)

    # -------------------------------------------------------------- filter

    def narrow(self, text: str, kind: str) -> None:
        """Show only rows that contain the words and are of the kind; "" asks for nothing."""
        self._text, self._kind = text.casefold().strip(), kind
        self.beginResetModel()
        if not self._text and not kind:
            self.matching = None
        else:
            self.matching = sorted(filter(self._matches, self.rows), reverse=True)
        self.endResetModel()

    def _matches(self, seq: int) -> bool:
        row = self.rows[seq]
        if self._kind and row.kind != self._kind:
            return False
        told = f"{row.seq} {row.kind} {row.title} {row.summary} {row.caller} {row.frame_hash}"
        return all(word in told.casefold() for word in self._text.split())

    def _match(self, new: Iterable[Row]) -> None:
        assert self.matching is not None
        found = [row.seq for row in new if row.seq not in self.matching and self._matches(row.seq)]
        for seq in sorted(found, reverse=True):
            place = sum(1 for other in self.matching if other > seq)
            self.beginInsertRows(QModelIndex(), place, place)
            self.matching.insert(place, seq)
            self.endInsertRows()
