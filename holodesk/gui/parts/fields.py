"""One field of a form: its name, the way to give it, its own description, and what is wrong.

(LH 3.2: descriptions are the interface.) The description stands under the field, never in a hint
that must be found first; a problem stands under the description.
"""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from holodesk.gui.parts.flow import Flow
from holodesk.gui.parts.inputs import Input, JsonInput, NumberInput, OneOf, TextInput, told
from holodesk.gui.parts.panel import emptied, row
from holodesk.gui.parts.press import Answers, press
from holodesk.gui.parts.words import say, small, words
from holodesk.gui.theme import BETWEEN, INSIDE, STEP

Schema = dict[str, Any]


class Field(QWidget):
    """A named value of an object. What is left out is not given at all."""

    changed = Signal()

    def __init__(self, name: str, schema: Schema, *, path: str, required: bool) -> None:
        super().__init__()
        schema, self._null = _without_null(schema)
        self.name, self.path, self.required = name, path, required and not self._null
        self._always = required
        self.input = make_input(schema, name=path, required=self.required)
        self.input.changed.connect(self.changed)
        self._use: QPushButton | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        column.addLayout(self._head(schema))
        column.addWidget(_widget(self.input))
        self.description = small(str(schema.get("description", "")), wrap=True)
        self.description.setVisible(bool(self.description.text()))
        column.addWidget(self.description)
        self.problem = small("", "refused", wrap=True)
        self.problem.hide()
        column.addWidget(self.problem)
        _widget(self.input).setAccessibleDescription(self.description.text())

    def _head(self, schema: Schema) -> QHBoxLayout:
        title = schema.get("title")
        label = words(title if isinstance(title, str) else self.name, weight="medium")
        head = row(label)
        if not self.required:
            if isinstance(self.input, NumberInput | Several | Group):
                self._use = press("give it", "answer", name=f"give {self.path}")
                self._use.setCheckable(True)
                self._use.toggled.connect(self._used)
                head.addWidget(self._use)
                self._use.setChecked("default" in schema)
                self._used(self._use.isChecked())
            else:
                head.addWidget(small("may be empty" if self._null else "may be left out"))
        head.addStretch(1)
        if isinstance(self.input, NumberInput) and "x-rest" in schema:
            head.addWidget(small(f"rest {told(schema['x-rest'])}"))
        return head

    def _used(self, used: bool) -> None:
        _widget(self.input).setEnabled(used)
        self.changed.emit()

    @property
    def given(self) -> bool:
        """Is there a value to send?"""
        return self._filled or (self._null and self._always)

    @property
    def _filled(self) -> bool:
        return self.input.given and (self._use is None or self._use.isChecked())

    def value(self) -> Any:
        """The value; null where there is none and null is lawful."""
        return None if self._null and not self._filled else self.input.value()

    def fill(self, value: Any) -> bool:
        """Take a value if it fits."""
        if value is None and self._null:
            return True
        if self._use is not None:
            self._use.setChecked(True)
        return self.input.fill(value)

    def show_problem(self, message: str) -> None:
        """Say what is wrong here; "" when nothing is."""
        say(self.problem, message)
        self.problem.setVisible(bool(message))
        _widget(self.input).setAccessibleDescription(f"{self.description.text()} {message}".strip())

    def fields(self) -> "list[Field]":
        """This field and every field in it."""
        inner = self.input.fields() if isinstance(self.input, Group | Several) else []
        return [self, *inner]


class Group(QFrame):
    """An object: its fields, one under the other."""

    changed = Signal()
    given = True

    def __init__(self, schema: Schema, *, path: str = "") -> None:
        super().__init__()
        if path:
            self.setProperty("role", "inner")
        column = QVBoxLayout(self)
        column.setContentsMargins(INSIDE if path else 0, 0, 0, 0)
        column.setSpacing(INSIDE)
        required = schema.get("required", [])
        self.members: list[Field] = []
        for name, inner in schema.get("properties", {}).items():
            at = f"{path}.{name}" if path else name
            field = Field(name, inner, path=at, required=name in required)
            field.changed.connect(self.changed)
            column.addWidget(field)
            self.members.append(field)

    def value(self) -> dict[str, Any]:
        return {field.name: field.value() for field in self.members if field.given}

    def fill(self, value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        fits = [field.fill(value[field.name]) for field in self.members if field.name in value]
        return all(fits)

    def fields(self) -> list[Field]:
        """Every field at any depth."""
        return [inner for field in self.members for inner in field.fields()]


class Several(QWidget):
    """A list. Of a few known values: presses that are added in order; of others: one field each."""

    changed = Signal()
    given = True

    def __init__(self, schema: Schema, *, name: str) -> None:
        super().__init__()
        self._schema, self._name = schema, name
        inner = schema.get("items")
        self._items: Schema = inner if isinstance(inner, dict) else {}
        self._most = schema.get("maxItems")
        self._known = self._items.get("enum")
        self.values: list[Any] = []
        self.members: list[Field] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        self._places = Flow() if self._known else QVBoxLayout()
        self._places.setSpacing(STEP if self._known else BETWEEN)
        self._count = small()
        self.adds: list[QPushButton] = []
        self.chips: list[QPushButton] = []
        self.removes: list[QPushButton] = []
        if self._known:
            offered = Flow()
            for value in self._known:
                offered.addWidget(self._adder(f"+ {told(value)}", value))
            column.addLayout(offered)
            column.addLayout(self._places)
            column.addWidget(self._count)
        else:
            column.addLayout(self._places)
            foot = row(self._adder("+ one more", None), self._count)
            foot.addStretch(1)
            column.addLayout(foot)
        if isinstance(schema.get("default"), list):
            self.fill(schema["default"])
        self._tell()

    def _adder(self, text: str, value: Any) -> QPushButton:
        named = f"add to {self._name}" if value is None else f"add {told(value)} to {self._name}"
        button = press(text, "answer", name=named)
        button.clicked.connect(lambda: self._add(value))
        self.adds.append(button)
        return button

    def _add(self, value: Any) -> None:
        if self._known:
            self.values.append(value)
            self._draw_known()
        else:
            self._add_member(None)
        self._tell()
        self.changed.emit()

    def _draw_known(self) -> None:
        emptied(self._places)
        self.chips = []
        for place, value in enumerate(self.values):
            chip = press(
                f"{told(value)}  ×", "chip", name=f"remove {told(value)}, item {place + 1}"
            )
            chip.clicked.connect(lambda _=False, place=place: self._remove(place))
            self._places.addWidget(chip)
            self.chips.append(chip)

    def _add_member(self, value: Any) -> None:
        place = len(self.members)
        path = f"{self._name}[{place}]"
        field = Field(f"{place + 1}", self._items, path=path, required=True)
        field.changed.connect(self.changed)
        if value is not None:
            field.fill(value)
        if place:
            field.description.hide()  # the same words again
        remove = press("remove", "answer", name=f"remove {path}")
        remove.clicked.connect(lambda: self._remove_member(field))
        self._places.addWidget(_beside(field, remove))
        self.removes.append(remove)
        self.members.append(field)

    def _remove_member(self, gone: Field) -> None:
        kept = [field.value() for field in self.members if field is not gone]
        self.fill(kept)
        self.changed.emit()

    def _remove(self, place: int) -> None:
        del self.values[place]
        self._draw_known()
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        found = len(self.value())
        most = f"at most {self._most}" if isinstance(self._most, int) else "as many as needed"
        say(self._count, f"{found} given, {most}")
        full = isinstance(self._most, int) and found >= self._most
        for button in self.adds:
            button.setEnabled(not full)

    def value(self) -> list[Any]:
        if self._known:
            return list(self.values)
        return [field.value() for field in self.members]

    def fill(self, value: Any) -> bool:
        if not isinstance(value, list):
            return False
        kept = value if not isinstance(self._most, int) else value[: self._most]
        if self._known:
            self.values = [item for item in kept if item in self._known]
            self._draw_known()
            self._tell()
            return self.values == value
        emptied(self._places)
        self.members, self.removes = [], []
        for item in kept:
            self._add_member(item)
        self._tell()
        return len(kept) == len(value)

    def fields(self) -> list[Field]:
        """The fields of a list whose items are written one by one."""
        return [inner for field in self.members for inner in field.fields()]


def _without_null(schema: Schema) -> tuple[Schema, bool]:
    """A schema of one type, and whether null is lawful beside it."""
    names = schema.get("type")
    if not isinstance(names, list) or "null" not in names:
        return schema, False
    others = [name for name in names if name != "null"]
    return {**schema, "type": others[0] if len(others) == 1 else others}, True


def _beside(field: Field, button: QPushButton) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(BETWEEN)
    line.addWidget(field, 1)
    line.addWidget(button)
    return holder


def _widget(made: Input) -> QWidget:
    assert isinstance(made, QWidget)
    return made


def make_input(schema: Schema, *, name: str, required: bool) -> Input:
    """The way to give a value that this schema describes."""
    if "const" in schema:
        only = OneOf([schema["const"]], name=name, required=required)
        if required:
            only.fill(schema["const"])
        return only
    if isinstance(schema.get("enum"), list):
        chosen = OneOf(schema["enum"], name=name, required=required)
        for source in ("default", "x-rest"):
            if source in schema and chosen.fill(schema[source]):
                break
        return chosen
    match schema.get("type"):
        case "integer" | "number":
            return NumberInput(schema, name=name)
        case "boolean":
            return _yes_or_no(schema, name=name, required=required)
        case "string":
            return TextInput(schema, name=name, required=required)
        case "array" if isinstance(schema.get("items"), dict):
            return Several(schema, name=name)
        case "object" if schema.get("properties"):
            return Group(schema, path=name)
        case _:
            return JsonInput(schema, name=name)


class YesOrNo(Answers):
    """A truth value, answered in words."""

    def __init__(self, *, name: str, required: bool) -> None:
        super().__init__([("yes", True), ("no", False)], name=name, may_be_none=not required)

    @property
    def changed(self) -> Any:
        return self.answered

    def value(self) -> Any:
        return self.answer()

    def fill(self, value: Any) -> bool:
        return isinstance(value, bool) and self.choose(value)


def _yes_or_no(schema: Schema, *, name: str, required: bool) -> YesOrNo:
    made = YesOrNo(name=name, required=required)
    made.fill(schema.get("default"))
    return made
