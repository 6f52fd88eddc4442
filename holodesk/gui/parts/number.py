"""A number to type: the same point and minus sign on every machine, and no letters swallowed."""

from typing import Final

from PySide6.QtCore import QEvent, QLocale, QSize, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from holodesk.gui.theme import TARGET, mono

INT_RANGE: Final = (-(2**31), 2**31 - 1)
"""What Qt's whole-number field can hold."""
EXACT: Final = float(2**53 - 1)
"""The largest whole number that every JSON reader keeps."""


def _settle(box: QAbstractSpinBox, name: str) -> None:
    box.setAccessibleName(name)
    box.setLocale(QLocale.c())
    box.setKeyboardTracking(False)
    box.setFont(mono())
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.lineEdit().setTextMargins(0, 0, 6, 0)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _is_letter(event: QEvent) -> bool:
    """Is it a key that no number contains, so that a one-letter shortcut may have it?"""
    return (
        isinstance(event, QKeyEvent)
        and event.type() == QEvent.Type.ShortcutOverride
        and not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        and event.text().isalpha()
        and event.text().lower() != "e"
    )


class Whole(QSpinBox):
    """A whole number within Qt's range."""

    def __init__(self, low: int, high: int, *, name: str) -> None:
        super().__init__()
        _settle(self, name)
        self.setRange(low, high)

    def sizeHint(self) -> QSize:
        return QSize(72, TARGET)

    def event(self, event: QEvent) -> bool:
        if _is_letter(event):
            event.ignore()
            return False
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whatever scrolls around this."""
        event.ignore()


class Real(QDoubleSpinBox):
    """A number with up to six places, or a whole one too large for `Whole`."""

    def __init__(
        self, low: float | None, high: float | None, *, name: str, places: int = 6
    ) -> None:
        super().__init__()
        _settle(self, name)
        self.setDecimals(places)
        self.setRange(-EXACT if low is None else low, EXACT if high is None else high)

    def sizeHint(self) -> QSize:
        return QSize(104, TARGET)

    def textFromValue(self, value: float) -> str:
        return (
            f"{value:.{self.decimals()}f}".rstrip("0").rstrip(".")
            if self.decimals()
            else (f"{value:.0f}")
        )

    def event(self, event: QEvent) -> bool:
        if _is_letter(event):
            event.ignore()
            return False
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whatever scrolls around this."""
        event.ignore()


def as_json(value: float) -> int | float:
    """A number as JSON has it: whole where it is whole."""
    return int(value) if float(value).is_integer() else float(value)
