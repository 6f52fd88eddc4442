"""What lies in the watched folder, and what became of it: presence is ability (LH 4.1)."""

from typing import Final

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.lines import Line, LineList
from holodesk.gui.parts.panel import Empty, Panel
from holodesk.gui.parts.words import counted, small
from holodesk.gui.theme import INSIDE, STEP
from holodesk.host.messages import Folder, FolderFile

MARKS: Final = {"offered": "holds", "set aside": "refused", "duplicate": "pending"}
"""The colour of a status; the others are quiet."""


class FolderPanel(Panel):
    """One row a file: its lens, its status, and why."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__("Folder", inside=INSIDE)
        self.body.setContentsMargins(STEP, INSIDE, STEP, STEP)
        self.head.setContentsMargins(2 * STEP, 0, 2 * STEP, 0)
        self.count = small()
        self.head.addWidget(self.count)
        self.list = LineList("Files in the watched folder")
        self.empty = Empty(
            "No lens file is in the folder.",
            "Put a *_agent.py file into the desk's lenses folder; it is offered on the next pass.",
        )
        self.body.setSpacing(STEP)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.list, 1)
        self.list.hide()
        bridge.folder.connect(self._show)

    def _show(self, folder: Folder) -> None:
        self.list.rows.show([line_of(file) for file in folder.files])
        self.list.setVisible(bool(folder.files))
        self.empty.setVisible(not folder.files)
        offered = sum(1 for file in folder.files if file.status == "offered")
        self.count.setText(f"{offered} of {counted(len(folder.files), 'file')} offered")
        self.count.setVisible(bool(folder.files))


def line_of(file: FolderFile) -> Line:
    """A file as a row."""
    place = f"line {file.line}" if file.line else ""
    below = ": ".join(part for part in (place, file.reason) if part)
    return Line(
        title=file.lens or file.file,
        below=below,
        right=file.status,
        mark=MARKS.get(file.status, "quiet"),
        key=file.file,
    )
