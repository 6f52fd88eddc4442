"""What each viewer sees, found by following rays over the real output (LH 3.11; display.md E1 2).

About ten times a second while somebody looks, from the very pixels that are on the screen.
"""

from typing import Final, Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from holodesk.display.trace import trace
from holodesk.gui.parts.hit import Hit, hit_in_picture
from holodesk.gui.parts.output import Output, image_of
from holodesk.gui.parts.picture import Plan, ScreenPicture, Seen, ViewersPicture
from holodesk.gui.theme import BETWEEN

BEAT_MS: Final = 100
PLAN_WIDE: Final = 400
"""Pixels of the plan, at least: it is small, so that not every pixel of the screen is in it."""


class Preview(QWidget):
    """One way to look at the output: as its viewers do, or as it is.

    What a pointer does in a viewer's picture it does to the ghost itself.
    """

    pointed = Signal(object)
    poked = Signal(object)
    left = Signal()

    def __init__(self, output: Output, way: Literal["viewers", "screen"]) -> None:
        super().__init__()
        self._output = output
        self.picture: ViewersPicture | ScreenPicture
        self.picture = ViewersPicture() if way == "viewers" else ScreenPicture()
        if isinstance(self.picture, ViewersPicture):
            self.picture.pointed.connect(lambda *at: self.pointed.emit(self._hit(*at)))
            self.picture.poked.connect(lambda *at: self.poked.emit(self._hit(*at)))
            self.picture.left.connect(self.left)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.addWidget(self.picture)
        self._beat = QTimer(self)
        self._beat.setInterval(BEAT_MS)
        self._beat.timeout.connect(self.look)

    def _hit(self, number: int, across: float, down: float) -> Hit:
        made = self._output.layout_now
        faces = made.faces
        return hit_in_picture(made, faces[min(number, len(faces) - 1)].viewer, across, down)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()
        self._beat.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()

    @property
    def seen(self) -> list[Seen]:
        """What each viewer was last seen to see."""
        return self.picture.seen if isinstance(self.picture, ViewersPicture) else []

    @property
    def looking(self) -> bool:
        """Does it look again and again?"""
        return self._beat.isActive()

    def show_note(self, note: str) -> None:
        """ "stale" while the head is; "" when it is live."""
        self.picture.show_note(note)

    def look(self) -> None:
        """Look at the output once."""
        pixels = self._output.sheet_pixels()
        if isinstance(self.picture, ScreenPicture):
            rows, columns = pixels.shape[:2]
            self.picture.show_picture(image_of(pixels), columns, rows)
            return
        tall = self.picture.tall
        made = self._output.layout_now
        seen = []
        for face in made.faces:
            traced = trace(made, face.viewer, pixels, tall)
            name = made.rig.viewer_name(face.viewer)
            seen.append(Seen(name, face.azimuth_deg, image_of(traced.picture), traced.share))
        faces = tuple(
            (made.rig.viewer_name(face.viewer), tuple((float(x), float(y)) for x, y in face.cell))
            for face in made.faces
        )
        rows, columns = pixels.shape[:2]
        every = max(1, columns // PLAN_WIDE)
        self.picture.show_seen(seen, Plan(image_of(pixels[::every, ::every]), columns, rows, faces))
