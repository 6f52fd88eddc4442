"""A form drawn from a lens's parameters block: its fields are its descriptions (LH 3.2).

It gives what a person chose, and shows at each field what the host found wrong with it. It checks
nothing by itself: the host judges every choice like anybody's.
"""

import re
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from holodesk.gui.parts.fields import Field, Group
from holodesk.gui.parts.words import say, small, words
from holodesk.gui.theme import BETWEEN

_STEPS_UP: Final = re.compile(r"(\.[^.\[\]]+|\[\d+\])$")


class Form(QWidget):
    """The parameters of one lens."""

    changed = Signal()

    def __init__(self, parameters: dict[str, Any]) -> None:
        super().__init__()
        self.parameters = parameters
        self.group = Group(parameters)
        self.group.changed.connect(self._change)
        self.problem = small("", "refused", wrap=True)
        self.problem.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(BETWEEN)
        if not self.group.members:
            column.addWidget(words("This lens asks for nothing more.", "quiet", wrap=True))
        column.addWidget(self.group)
        column.addWidget(self.problem)
        column.addStretch(1)

    @property
    def fields(self) -> list[Field]:
        """Every field at any depth, in order."""
        return self.group.fields()

    def params(self) -> dict[str, Any]:
        """What is chosen."""
        return self.group.value()

    def fill(self, params: dict[str, Any]) -> None:
        """Put back what was chosen before, as far as it still fits."""
        self.group.fill(params)

    def _change(self) -> None:
        self.changed.emit()

    def clear_problems(self) -> None:
        """Nothing is wrong."""
        self.show_problems([])

    def show_problems(self, problems: list[str]) -> None:
        """Show each "path: message" at its field, and what belongs to none of them below."""
        by_path = {field.path: field for field in self.fields}
        told: dict[str, list[str]] = {}
        for problem in problems:
            path, separator, message = problem.partition(": ")
            place = _nearest(path, by_path) if separator else None
            if place is None:
                told.setdefault("", []).append(message if path == "params" else problem)
            else:
                told.setdefault(place, []).append(message if place == path else problem)
        for path, field in by_path.items():
            field.show_problem("; ".join(told.get(path, [])))
        say(self.problem, "; ".join(told.get("", [])))
        self.problem.setVisible("" in told)


def _nearest(path: str, known: dict[str, Field]) -> str | None:
    """The field of a path, or the one around it."""
    while path not in known:
        shorter = _STEPS_UP.sub("", path)
        if shorter == path:
            return None
        path = shorter
    return path
