"""A JSON value as a tree whose branches are made when they are opened."""

import json
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from holodesk.gui.parts.words import counted, shortened

Index = QModelIndex | QPersistentModelIndex
MOST: Final = 2000
"""Members of one branch that are shown; the last row says how many are not."""


class Node:
    """One member: where it hangs, what it is called, what it is."""

    __slots__ = ("above", "inner", "name", "place", "value")

    def __init__(self, name: str, value: Any, above: "Node | None", place: int) -> None:
        self.name, self.value, self.above, self.place = name, value, above, place
        self.inner: list[Node] | None = None

    def open(self) -> "list[Node]":
        """The members, made once."""
        if self.inner is None:
            named = _members(self.value)
            shown = named[:MOST]
            if len(named) > MOST:
                shown.append(("…", f"{len(named) - MOST} more"))
            self.inner = [Node(n, v, self, place) for place, (n, v) in enumerate(shown)]
        return self.inner

    @property
    def path(self) -> tuple[str, ...]:
        """The names from the root to here."""
        return () if self.above is None else (*self.above.path, self.name)


class ObjectRows(QAbstractItemModel):
    """Two columns, name and value; the root itself is not shown."""

    def __init__(self) -> None:
        super().__init__()
        self._root = self._before = Node("", {}, None, 0)

    def show(self, value: Any) -> None:
        """Show another value."""
        self.beginResetModel()
        self._before = self._root  # Qt may still hold pointers into it until the reset is done
        self._root = Node("", value if isinstance(value, dict | list) else {"": value}, None, 0)
        self.endResetModel()

    def node(self, index: Index) -> Node:
        """The member at an index; the root where there is none."""
        node = index.internalPointer() if index.isValid() else self._root
        assert isinstance(node, Node)
        return node

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        inner = self.node(parent).open()
        if not 0 <= row < len(inner) or not 0 <= column < 2:
            return QModelIndex()
        return self.createIndex(row, column, inner[row])

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        above = self.node(index).above
        if above is None or above.above is None:
            return QModelIndex()
        return self.createIndex(above.place, 0, above)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if parent.column() > 0:
            return 0
        node = self.node(parent)
        return len(node.open()) if isinstance(node.value, dict | list) else 0

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        if parent.column() > 0:
            return False
        value = self.node(parent).value
        return isinstance(value, dict | list) and bool(value)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return ("Member", "Value")[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        node = self.node(index)
        return node.name if index.column() == 0 else told(node.value)

    def find(self, path: tuple[str, ...]) -> QModelIndex:
        """The index of a path, or an invalid one."""
        index = QModelIndex()
        for name in path:
            inner = self.node(index).open()
            node = next((node for node in inner if node.name == name), None)
            if node is None:
                return QModelIndex()
            index = self.createIndex(node.place, 0, node)
        return index


def _members(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [(str(name), inner) for name, inner in value.items()]
    if isinstance(value, list):
        return [(str(place), inner) for place, inner in enumerate(value)]
    return []


def told(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return counted(len(value), "member") if value else "{}"
    if isinstance(value, list):
        if value and all(isinstance(item, int | float | bool) for item in value):
            return shortened(json.dumps(value), 60)
        return counted(len(value), "item") if value else "[]"
    return shortened(value if isinstance(value, str) else json.dumps(value), 200)
