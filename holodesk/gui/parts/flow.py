"""A layout that puts widgets side by side and begins a new line where there is no more room."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from holodesk.gui.theme import STEP


class Flow(QLayout):
    """Left to right, then down; every line as high as its highest widget."""

    def __init__(self, parent: QWidget | None = None, spacing: int = STEP) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """All of it on one line."""
        hints = [item.sizeHint() for item in self._items]
        gaps = self.spacing() * max(0, len(hints) - 1)
        high = max((hint.height() for hint in hints), default=0)
        return QSize(sum(hint.width() for hint in hints) + gaps, high)

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, high = rect.x(), rect.y(), 0
        for item in self._items:
            wanted = item.sizeHint()
            width = min(wanted.width(), rect.width())
            if x > rect.x() and x + width > rect.right() + 1:
                x, y, high = rect.x(), y + high + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), QSize(width, wanted.height())))
            x += width + self.spacing()
            high = max(high, wanted.height())
        return y + high - rect.y()
