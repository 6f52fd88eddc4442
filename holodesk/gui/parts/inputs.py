"""Ways to give one JSON value: a number, one of several, text, or JSON itself (LH 3.2).

Each is a widget with four members: `changed` (signal), `given` (is there a value?), `value()` and
`fill(value)`, which takes what fits and says whether it did.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeGuard

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from holodesk.gui.parts.choices import Choices
from holodesk.gui.parts.number import INT_RANGE, Real, Whole, as_json
from holodesk.gui.parts.press import Answers
from holodesk.gui.parts.track import Track
from holodesk.gui.parts.words import say, small
from holodesk.gui.theme import BETWEEN, STEP, mono

SHORT_TEXT: Final = 80
"""Text of at most this length is written on one line."""
ROW_OF_ANSWERS: Final = 48
"""Answers whose words are longer than this in all stand in a list, not in a row."""


class Input(Protocol):
    """What a form asks of a widget that gives one value."""

    @property
    def changed(self) -> SignalInstance: ...

    @property
    def given(self) -> bool: ...

    def value(self) -> Any: ...

    def fill(self, value: Any) -> bool: ...


class NumberInput(QWidget):
    """A number; with both bounds a slider beside it, on which the value of rest is marked."""

    changed = Signal()
    given = True

    def __init__(self, schema: dict[str, Any], *, name: str) -> None:
        super().__init__()
        low, high = _bound(schema, "minimum"), _bound(schema, "maximum")
        self.whole = schema.get("type") == "integer"
        self.number = _number_box(low, high, whole=self.whole, name=name)
        self.track: Track | None = None
        self._scale = 1.0
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BETWEEN)
        if low is not None and high is not None and high > low:
            self.track = self._add_track(layout, low, high, name)
            rest = schema.get("x-rest")
            self.track.rest = self._step_of(rest) if _is_number(rest) else None
        layout.addWidget(self.number)
        if self.track is None:
            layout.addStretch(1)
        self._start(schema, low, high)
        self.number.valueChanged.connect(self._typed)

    def _start(self, schema: dict[str, Any], low: float | None, high: float | None) -> None:
        for name in ("default", "x-rest"):
            if _is_number(schema.get(name)):
                self.fill(schema[name])
                return
        least = self.number.minimum() if low is None else low
        most = self.number.maximum() if high is None else high
        self.fill(min(max(0, least), most))

    def _add_track(self, layout: QHBoxLayout, low: float, high: float, name: str) -> Track:
        steps = high - low if self.whole and high - low <= INT_RANGE[1] else 1000
        self._low, self._scale = low, (high - low) / steps
        track = Track(0, int(steps), name=f"{name}, slider")
        track.valueChanged.connect(self._slid)
        for widget in (small(_told(low)), track, small(_told(high))):
            layout.addWidget(widget, 1 if widget is track else 0)
        return track

    def _step_of(self, value: float) -> int:
        return round((value - self._low) / self._scale)

    def _slid(self, step: int) -> None:
        value = self._low + step * self._scale
        if self._step_of(self.number.value()) != step:
            self.number.setValue(round(value) if self.whole else round(value, 6))  # type: ignore[arg-type]

    def _typed(self) -> None:
        if self.track is not None:
            self.track.setValue(self._step_of(self.number.value()))
        self.changed.emit()

    def value(self) -> Any:
        return as_json(self.number.value())

    def fill(self, value: Any) -> bool:
        if not _is_number(value) or (self.whole and not float(value).is_integer()):
            return False
        fits = bool(self.number.minimum() <= value <= self.number.maximum())
        within = min(max(value, self.number.minimum()), self.number.maximum())
        self.number.setValue(int(within) if self.whole else float(within))  # type: ignore[arg-type]
        if self.track is not None:
            self.track.setValue(self._step_of(self.number.value()))
        return fits


class OneOf(QWidget):
    """One of several values: a row of answers, or a list where they need more room."""

    changed = Signal()

    def __init__(self, values: Sequence[Any], *, name: str, required: bool) -> None:
        super().__init__()
        self._values = list(values)
        texts = [told(value) for value in values]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.answers: Answers | None = None
        self.list: Choices | None = None
        if sum(len(text) + 2 for text in texts) <= ROW_OF_ANSWERS:
            pairs = list(zip(texts, values, strict=True))
            self.answers = Answers(pairs, name=name, may_be_none=not required)
            self.answers.answered.connect(self.changed)
            layout.addWidget(self.answers)
            return
        self.list = Choices(name)
        self.list.setPlaceholderText("choose one")
        if not required:
            self.list.addItem("(left out)")
        self.list.addItems(texts)
        self.list.setCurrentIndex(-1 if required else 0)
        self.list.currentIndexChanged.connect(self.changed)
        layout.addWidget(self.list, 0, Qt.AlignmentFlag.AlignLeft)
        self._first = 0 if required else 1

    @property
    def given(self) -> bool:
        if self.answers is not None:
            return self.answers.given
        assert self.list is not None
        return self.list.currentIndex() >= self._first

    def value(self) -> Any:
        if self.answers is not None:
            return self.answers.answer()
        assert self.list is not None
        return self._values[self.list.currentIndex() - self._first] if self.given else None

    def fill(self, value: Any) -> bool:
        if self.answers is not None:
            return self.answers.choose(value)
        assert self.list is not None
        if value not in self._values:
            return False
        self.list.setCurrentIndex(self._values.index(value) + self._first)
        return True


class TextInput(QWidget):
    """Text, with what is written counted against what fits. Left empty it is not given."""

    changed = Signal()

    def __init__(self, schema: dict[str, Any], *, name: str, required: bool) -> None:
        super().__init__()
        most = schema.get("maxLength")
        self._most = most if isinstance(most, int) else None
        self._required = required
        self._least = schema.get("minLength") or 0
        self.line: QLineEdit | None = None
        self.page: QPlainTextEdit | None = None
        self.counter: QLabel = small()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(STEP)
        if self._most is not None and self._most > SHORT_TEXT:
            self.page = QPlainTextEdit()
            self.page.setTabChangesFocus(True)
            _settle_page(self.page)
            self.page.textChanged.connect(self._written)
            field: QWidget = self.page
        else:
            self.line = QLineEdit()
            self.line.textChanged.connect(self._written)
            field = self.line
        field.setAccessibleName(name)
        self.setFocusProxy(field)
        layout.addWidget(field)
        layout.addWidget(self.counter, 0, Qt.AlignmentFlag.AlignRight)
        if isinstance(schema.get("default"), str):
            self.fill(schema["default"])
        self._written()

    def _written(self) -> None:
        length = len(self.value())
        if self._most is None:
            self.counter.hide()
        else:
            over = length > self._most
            say(
                self.counter,
                f"{length} of {self._most}" + (", too long" if over else ""),
                "refused" if over else "quiet",
            )
        self.changed.emit()

    @property
    def given(self) -> bool:
        return bool(self.value()) or (self._required and self._least == 0)

    def value(self) -> str:
        if self.line is not None:
            return self.line.text()
        assert self.page is not None
        return self.page.toPlainText()

    def fill(self, value: Any) -> bool:
        if not isinstance(value, str):
            return False
        if self.line is not None:
            self.line.setText(value)
        elif self.page is not None:
            self.page.setPlainText(value)
        return True


class JsonInput(QWidget):
    """A value of any shape, written as JSON."""

    changed = Signal()

    def __init__(self, schema: dict[str, Any], *, name: str) -> None:
        super().__init__()
        self.page = QPlainTextEdit()
        self.page.setFont(mono())
        self.page.setTabChangesFocus(True)
        _settle_page(self.page)
        self.page.setAccessibleName(f"{name}, written as JSON")
        self.page.textChanged.connect(self._written)
        self.problem = small("", "refused")
        self.problem.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(STEP)
        layout.addWidget(self.page)
        layout.addWidget(self.problem)
        if "default" in schema:
            self.fill(schema["default"])

    def _written(self) -> None:
        told = ""
        if self.page.toPlainText().strip():
            try:
                json.loads(self.page.toPlainText())
            except ValueError as problem:
                told = f"expected JSON: {problem}"
        self.problem.setVisible(bool(told))
        say(self.problem, told)
        self.changed.emit()

    @property
    def given(self) -> bool:
        return bool(self.page.toPlainText().strip())

    def value(self) -> Any:
        text = self.page.toPlainText()
        try:
            return json.loads(text)
        except ValueError:
            return text

    def fill(self, value: Any) -> bool:
        self.page.setPlainText(json.dumps(value, ensure_ascii=False))
        return True


def told(value: Any) -> str:
    """A value as a person reads it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _settle_page(page: QPlainTextEdit) -> None:
    page.setFixedHeight(76)
    page.document().setDocumentMargin(BETWEEN)


def _told(number: float) -> str:
    return f"{as_json(number)}".replace("-", "−")


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bound(schema: dict[str, Any], name: str) -> float | None:
    """A bound that the field may take; an exclusive one of whole numbers is one further in."""
    bounds = [float(schema[name])] if _is_number(schema.get(name)) else []
    exclusive = schema.get("exclusive" + name.capitalize())
    if _is_number(exclusive):
        inner = (1 if name == "minimum" else -1) if schema.get("type") == "integer" else 0
        bounds.append(float(exclusive) + inner)
    if not bounds:
        return None
    return max(bounds) if name == "minimum" else min(bounds)


def _number_box(low: float | None, high: float | None, *, whole: bool, name: str) -> Whole | Real:
    if not whole:
        return Real(low, high, name=name)
    if low is None or high is None or low < INT_RANGE[0] or high > INT_RANGE[1]:
        return Real(low, high, name=name, places=0)
    return Whole(int(low), int(high), name=name)
