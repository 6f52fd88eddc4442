"""The object at the head as a tree; what was open stays open when the head moves (LH 3.1)."""

from typing import Any, Final

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHeaderView, QTreeView, QVBoxLayout, QWidget

from holodesk.errors import Unavailable
from holodesk.gui.bridge import Bridge
from holodesk.gui.console.portrait import portrait
from holodesk.gui.parts.panel import Empty, Scroll, row
from holodesk.gui.parts.picture import Portrait
from holodesk.gui.parts.press import press
from holodesk.gui.parts.tree import ObjectRows
from holodesk.gui.parts.words import say, small, words
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.host.messages import HeadMoved, Previewed
from holodesk.view.words import difference

FEW: Final = 8
"""An object of at most this many members is open at first."""
TOLD: Final = 40
"""Changes that a preview tells."""


class ObjectPanel(QWidget):
    """The object; or, after a preview, what it would become, until that is put away."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._object: Any = None
        self._schema: Any = None
        self._since = 0
        self._shown = False
        self.rows = ObjectRows()
        self.tree = QTreeView()
        self.tree.setModel(self.rows)
        self.tree.setAccessibleName("The object")
        self.tree.header().setAccessibleName("Columns of the object")
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(16)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.empty = Empty("No object yet.", "It appears with the first verified head.")
        self.title = words(weight="medium")
        self.told = small()
        self.put_away = press("put away", name="Put the preview away")
        self.put_away.clicked.connect(self.show_object)
        self._build_preview()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.setSpacing(STEP)
        head = row(self.title, self.told)
        head.addStretch(1)
        head.addWidget(self.put_away)
        column.addLayout(head)
        column.addWidget(self.preview, 1)
        column.addWidget(self.tree, 1)
        column.addWidget(self.empty, 1)
        for widget in (self.tree, self.put_away, self.preview):
            widget.hide()
        bridge.head_moved.connect(self._show_head)
        bridge.previewed.connect(self._show_preview)

    def _build_preview(self) -> None:
        self.now, self.then = Portrait("As it is"), Portrait("As it would be")
        self.changes = words("", wrap=True)
        scroll = Scroll("What would change")
        scroll.rows.addWidget(self.changes)
        scroll.rows.addStretch(1)
        self.preview = QWidget()
        across = row(self.now, self.then, spacing=BETWEEN)
        across.addSpacing(BETWEEN)
        across.addWidget(scroll, 1)
        self.preview.setLayout(across)

    def _show_head(self, head: HeadMoved) -> None:
        self._object = head.object
        schema = head.object.get("schema") if isinstance(head.object, dict) else None
        self._schema = schema or "an object without schema"
        self._since = head.object_seq
        self.show_object()

    def show_object(self) -> None:
        """Show the object itself."""
        say(self.title, str(self._schema))
        say(self.told, f"since frame {self._since}", "quiet")
        self.put_away.hide()
        self.preview.hide()
        self.empty.hide()
        self.tree.show()
        self._fill_tree(self._object)

    def _show_preview(self, previewed: Previewed) -> None:
        say(self.title, "Preview")
        say(self.told, "nothing was appended", "pending")
        lines = difference(self._object, previewed.object).splitlines()
        told = "\n".join(lines[:TOLD]) + ("\n…" if len(lines) > TOLD else "")
        say(self.changes, told or "Nothing would change.")
        self.now.show_picture(_picture(self._object))
        self.then.show_picture(_picture(previewed.object))
        self.preview.show()
        self.put_away.show()
        self.tree.hide()
        self.empty.hide()

    def _fill_tree(self, value: Any) -> None:
        opened = self._opened() if self._shown else self._small_ones(value)
        self._shown = True
        place = self.tree.verticalScrollBar().value()
        self.rows.show(value)
        for path in opened:
            index = self.rows.find(path)
            if index.isValid():
                self.tree.setExpanded(index, True)
        self.tree.verticalScrollBar().setValue(place)

    def _small_ones(self, value: Any) -> list[tuple[str, ...]]:
        """The branches that are open at first: objects of a few members."""
        if not isinstance(value, dict):
            return []
        return [(n,) for n, v in value.items() if isinstance(v, dict) and len(v) <= FEW]

    def _opened(self) -> list[tuple[str, ...]]:
        """The paths of the branches that are open, outer ones first."""
        found: list[tuple[str, ...]] = []
        waiting = [self.rows.index(n, 0) for n in range(self.rows.rowCount())]
        while waiting:
            index = waiting.pop(0)
            if self.tree.isExpanded(index):
                found.append(self.rows.node(index).path)
                inner = range(self.rows.rowCount(index))
                waiting += [self.rows.index(n, 0, index) for n in inner]
        return found


def _picture(object: Any) -> QImage:
    """A portrait; none where the letters are missing, which the output itself will say."""
    try:
        return portrait(object)
    except Unavailable:
        return QImage()
