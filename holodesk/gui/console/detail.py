"""One frame in full, section by section, and its replay at will with the verdict in a word."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.parts.panel import Empty, row
from holodesk.gui.parts.press import press
from holodesk.gui.parts.words import Role, say, small, words
from holodesk.gui.theme import BODY, SMALL, STEP, Theme, mono, sans
from holodesk.host.messages import Detail, Replayed

MOST: Final = 20_000
"""Characters of one section that are shown."""
VERDICTS: Final[dict[str, tuple[str, Role]]] = {
    "valid": ("✓ valid", "holds"),
    "invalid": ("✗ invalid", "refused"),
    "undetermined": ("? undetermined", "pending"),
}


class FrameDetail(Dressed, QWidget):
    """The selected frame."""

    replay_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.seq: int | None = None
        self._detail: Detail | None = None
        self.title = words(weight="medium")
        self.replay = press("replay it now", name="Replay this tile now")
        self.replay.clicked.connect(self._ask)
        self.verdict = words(weight="medium")
        self.sentence = small(wrap=True)
        self.page = QTextBrowser()
        self.page.setOpenLinks(False)
        self.page.setAccessibleName("What the selected frame says")
        self.page.document().setDocumentMargin(0)
        self.empty = Empty(
            "What one frame says would be here.", "Select a row, or press a “since frame” link."
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(STEP)
        head = row(self.title)
        head.addStretch(1)
        head.addWidget(self.verdict)
        head.addWidget(self.replay)
        column.addLayout(head)
        column.addWidget(self.sentence)
        column.addWidget(self.page, 1)
        column.addWidget(self.empty, 1)
        self.clear()

    def clear(self) -> None:
        """No frame is selected."""
        self.seq, self._detail = None, None
        self._show_only(there=False)

    def _show_only(self, *, there: bool) -> None:
        self.title.setVisible(there)
        self.page.setVisible(there)
        self.replay.hide()
        self.verdict.hide()
        self.sentence.hide()
        self.empty.setVisible(not there)

    def wait_for(self, seq: int) -> None:
        """A frame was asked for."""
        self.seq, self._detail = seq, None
        self._show_only(there=True)
        say(self.title, f"frame {seq}")
        self.page.clear()

    def show_sentence(self, sentence: str) -> None:
        """The frame cannot be told, and why."""
        say(self.sentence, sentence, "refused")
        self.sentence.show()

    def show_detail(self, detail: Detail) -> None:
        """Tell a frame."""
        self.seq, self._detail = detail.seq, detail
        self._show_only(there=True)
        say(self.title, f"frame {detail.seq} · {detail.kind}")
        self.replay.setVisible(detail.kind == "tile")
        self.replay.setEnabled(True)
        self._write(detail)

    def _ask(self) -> None:
        if self.seq is not None:
            self.replay.setEnabled(False)
            say(self.verdict, "replaying", "pending")
            self.verdict.show()
            self.sentence.hide()
            self.replay_asked.emit(self.seq)

    def show_verdict(self, replayed: Replayed) -> None:
        """What replay came to, if its frame is still the one shown."""
        if replayed.seq != self.seq:
            return
        self.replay.setEnabled(True)
        word, role = VERDICTS.get(replayed.verdict, (replayed.verdict, "pending"))
        say(self.verdict, word, role)
        say(self.sentence, replayed.sentence, role if role != "holds" else "quiet")
        self.verdict.show()
        self.sentence.setVisible(bool(replayed.sentence))

    def _write(self, detail: Detail) -> None:
        self.page.clear()
        cursor = QTextCursor(self.page.document())
        block = QTextBlockFormat()
        name, text = QTextCharFormat(), QTextCharFormat()
        name.setForeground(self.theme.colour("quiet"))
        name.setFont(sans(SMALL, "semibold"))
        text.setForeground(self.theme.colour("text"))
        for place, (title, told) in enumerate(detail.sections):
            block.setTopMargin(8 if place else 0)
            if place:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            cursor.insertText(title, name)
            block.setTopMargin(2)
            cursor.insertBlock(block)
            text.setFont(mono(SMALL) if _is_digits(told) else sans(BODY))
            cursor.insertText(told[:MOST], text)
            if len(told) > MOST:
                cursor.insertText(f" … and {len(told) - MOST} characters more", name)
        self.page.moveCursor(QTextCursor.MoveOperation.Start)

    def dress(self, theme: Theme) -> None:
        super().dress(theme)
        if self._detail is not None:
            self._write(self._detail)


def _is_digits(text: str) -> bool:
    """Is it an address, JSON or code, which the mono face suits better?"""
    lines = text.splitlines()
    first = text.lstrip()[:1]
    return first in ("{", "[") or len(lines) > 2 or (" " not in text and len(text) > 24)
