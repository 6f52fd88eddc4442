"""Things to press: a link, and a row of answers of which at most one holds."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from holodesk.gui.parts.flow import Flow
from holodesk.gui.theme import SMALL, STEP, sans


def press(text: str, role: str = "", *, name: str = "", hint: str = "") -> QPushButton:
    """A button. `name` is what a screen reader says where the text alone is not enough."""
    button = QPushButton(text.replace("&", "&&"))
    button.setProperty("role", role)
    button.setAccessibleName(name or text)
    button.setAccessibleDescription(hint)
    button.setAutoDefault(False)
    if hint:
        button.setToolTip(hint)
    return button


def link(text: str = "", *, name: str = "") -> QPushButton:
    """A button that looks like words: it leads somewhere."""
    button = press(text, "link", name=name)
    button.setFont(sans(SMALL))
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return button


class Answers(QWidget):
    """A row of answers; at most one holds. `may_be_none` lets a press take the answer back."""

    answered = Signal()

    def __init__(
        self, answers: Sequence[tuple[str, Any]], *, name: str, may_be_none: bool = False
    ) -> None:
        super().__init__()
        self._answers = list(answers)
        self._may_be_none = may_be_none
        self._chosen: int | None = None
        self.setAccessibleName(name)
        flow = Flow(self, STEP)
        self.buttons: list[QPushButton] = []
        for place, (text, _) in enumerate(self._answers):
            button = press(text, "answer", name=f"{name}: {text}")
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, place=place: self._press(place))
            flow.addWidget(button)
            self.buttons.append(button)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def given(self) -> bool:
        """Does any answer hold?"""
        return self._chosen is not None

    def answer(self) -> Any:
        """The answer that holds, or None."""
        return None if self._chosen is None else self._answers[self._chosen][1]

    def choose(self, value: Any) -> bool:
        """Let the answer hold whose value this is; False when there is none."""
        for place, (_, answer) in enumerate(self._answers):
            if answer == value and isinstance(answer, bool) == isinstance(value, bool):
                self._hold(place)
                return True
        return False

    def clear(self) -> None:
        """Let no answer hold."""
        self._hold(None)

    def _press(self, place: int) -> None:
        again = place == self._chosen
        self._hold(None if again and self._may_be_none else place)
        self.answered.emit()

    def _hold(self, place: int | None) -> None:
        self._chosen = place
        for index, button in enumerate(self.buttons):
            button.setChecked(index == place)
