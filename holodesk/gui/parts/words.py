"""Words on the screen: always plain text, whoever wrote them (TC 2.2: data, never markup)."""

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from holodesk.gui.theme import BODY, SMALL, Weight, mono, sans

Role = Literal["", "quiet", "accent", "pending", "refused", "holds"]


def words(
    text: str = "",
    role: Role = "",
    *,
    size: int = BODY,
    weight: Weight = "regular",
    wrap: bool = False,
    digits: bool = False,
) -> QLabel:
    """A label. `digits` sets it in the mono face; `wrap` lets it take as many lines as it needs."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setProperty("role", role)
    label.setFont(mono(size, weight) if digits else sans(size, weight))
    label.setWordWrap(wrap)
    if wrap:
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return label


def small(text: str = "", role: Role = "quiet", *, wrap: bool = False) -> QLabel:
    """Small words, quiet unless they say something else."""
    return words(text, role, size=SMALL, wrap=wrap)


def heading(text: str) -> QLabel:
    """The name of a panel: small capitals with room between them."""
    label = words(text.upper(), "quiet", size=SMALL, weight="semibold")
    font = QFont(label.font())
    font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1.0)
    label.setFont(font)
    label.setAccessibleName(text)
    return label


def assign_role(widget: QWidget, role: str) -> None:
    """Give a widget another role, and let the style sheet see it."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def say(label: QLabel, text: str, role: Role | None = None) -> None:
    """Change what a label says, and its role if given; nothing is redrawn when nothing changed."""
    if label.text() != text:
        label.setText(text)
    if role is not None:
        assign_role(label, role)


def rule() -> QFrame:
    """A one-pixel line across."""
    line = QFrame()
    line.setProperty("role", "rule")
    line.setFixedHeight(1)
    return line


def shortened(text: str, most: int = 80) -> str:
    """One line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 refusal", "2 refusals"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}".replace(",", " ")
