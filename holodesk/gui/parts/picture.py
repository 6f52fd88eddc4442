"""Pictures on black, each with its name below; what is stale is dimmed and says so (LH 3.11)."""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.theme import BETWEEN, CORNER, DARK, SMALL, sans

CAPTION: Final = 20
DIM: Final = 0.4
LEAST: Final = 32.0
"""Pixels of a picture below which there is no point in it."""
PLAN_SHARE: Final = 0.3
RING_WINS: Final = 1.2
"""A row must make the pictures this much larger before it is preferred to the true sides."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one viewer sees: a name, where they stand (degrees, -90 the front), the picture."""

    name: str
    azimuth_deg: float
    picture: QImage
    share: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The screen from above, and the outline of each face on it, in pixels of the screen."""

    picture: QImage
    wide: int
    high: int
    faces: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]


class _OnBlack(Dressed, QWidget):
    """Paints pictures in black rooms with round corners."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.note = ""

    def sizeHint(self) -> QSize:
        return QSize(480, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 160)

    def show_note(self, note: str) -> None:
        """A word over every picture ("stale"), or "" when they are as they should be."""
        if note != self.note:
            self.note = note
            self.update()

    def _paint_picture(self, painter: QPainter, room: QRectF, picture: QImage) -> None:
        painter.save()
        outline = QPainterPath()
        outline.addRoundedRect(room, CORNER, CORNER)
        painter.setClipPath(outline)
        painter.fillRect(room, QColor(0, 0, 0))
        if not picture.isNull():
            painter.setOpacity(DIM if self.note else 1.0)
            painter.drawImage(_inside(room, picture.width(), picture.height()), picture)
            painter.setOpacity(1.0)
        painter.setClipping(False)
        painter.setPen(QPen(self.theme.colour("line"), self.theme.line_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(room, CORNER, CORNER)
        if self.note:
            painter.setPen(DARK.colour("pending"))
            painter.setFont(sans(SMALL, "semibold"))
            painter.drawText(room.adjusted(8, 8, -8, -8), Qt.AlignmentFlag.AlignTop, self.note)
        painter.restore()

    def _caption(self, painter: QPainter, room: QRectF, text: str) -> None:
        painter.setPen(self.theme.colour("quiet"))
        painter.setFont(sans(SMALL))
        align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, align, text)


class ViewersPicture(_OnBlack):
    """The viewers where they stand, and a plan of the screen beside them.

    `pointed` and `poked` tell where in which viewer's picture: its number, and 0..1 from its left
    and from above; `left` that the pointer is in none.
    """

    pointed = Signal(int, float, float)
    poked = Signal(int, float, float)
    left = Signal()

    def __init__(self) -> None:
        super().__init__("What each viewer sees, and the screen from above")
        self.setMouseTracking(True)
        self.seen: list[Seen] = []
        self.plan: Plan | None = None

    @property
    def tall(self) -> int:
        """Pixels that a viewer's picture needs, top to bottom."""
        azimuths = [one.azimuth_deg for one in self.seen] or [-90.0, 0.0, 90.0, 180.0]
        rooms, _ = places(azimuths, self.width(), self.height())
        size = rooms[0].height() * self.devicePixelRatioF() if rooms else 0
        return int(min(480, max(96, -(-size // 16) * 16)))

    def show_seen(self, seen: list[Seen], plan: Plan) -> None:
        """Show what is seen now."""
        self.seen, self.plan = seen, plan
        names = ", ".join(f"{one.name} {one.share:.0%} visible" for one in seen)
        self.setAccessibleDescription(names)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        rooms, plan_room = places(
            [one.azimuth_deg for one in self.seen], self.width(), self.height()
        )
        for one, room in zip(self.seen, rooms, strict=True):
            self._paint_picture(painter, room, one.picture)
            part = "" if one.share > 0.995 else f" · {one.share:.0%} visible"
            below = QRectF(room.left() - 20, room.bottom(), room.width() + 40, CAPTION)
            self._caption(painter, below, f"{one.name}{part}")
        if self.plan is not None:
            self._paint_plan(painter, plan_room, self.plan)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._tell(event, self.pointed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._tell(event, self.poked)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.left.emit()

    def _tell(self, event: QMouseEvent, signal: SignalInstance) -> None:
        rooms, _ = places([one.azimuth_deg for one in self.seen], self.width(), self.height())
        for number, room in enumerate(rooms):
            if room.contains(event.position()):
                at = event.position() - room.topLeft()
                signal.emit(number, at.x() / room.width(), at.y() / room.height())
                return
        self.left.emit()

    def _paint_plan(self, painter: QPainter, room: QRectF, plan: Plan) -> None:
        wide, high = plan.wide, plan.high
        screen = _inside(room.adjusted(0, 0, 0, -CAPTION), wide, high)
        self._paint_picture(painter, screen, plan.picture)
        scale = screen.width() / max(1, wide)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        edge = DARK.colour("quiet")
        edge.setAlpha(150)
        painter.setPen(QPen(edge, 1))
        for _, corners in plan.faces:
            outline = [
                QPointF(screen.left() + x * scale, screen.top() + y * scale) for x, y in corners
            ]
            painter.drawPolygon(QPolygonF(outline))
        below = QRectF(room.left(), screen.bottom(), room.width(), CAPTION)
        self._caption(painter, below, "the screen")


class ScreenPicture(_OnBlack):
    """The raw output, as it is on the screen."""

    def __init__(self) -> None:
        super().__init__("The raw output, as it is on the screen")
        self.picture = QImage()
        self._size = (16, 9)

    def show_picture(self, picture: QImage, wide: int, high: int) -> None:
        """Show the output as it is now; its screen has so many pixels."""
        self.picture, self._size = picture, (wide, high)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        wide, high = self._size
        room = _inside(QRectF(0, 0, self.width(), self.height() - CAPTION), wide, high)
        self._paint_picture(painter, room, self.picture)
        if not self.picture.isNull():
            below = QRectF(0, room.bottom(), self.width(), CAPTION)
            self._caption(painter, below, f"{wide} × {high} pixels, exactly what the screen shows")
        painter.end()


class Portrait(_OnBlack):
    """One picture with its name below, as wide as it is high."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.picture = QImage()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(160, 160 + CAPTION)

    def minimumSizeHint(self) -> QSize:
        return QSize(96, 96 + CAPTION)

    def show_picture(self, picture: QImage) -> None:
        """Show another picture."""
        self.picture = picture
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        room = _inside(QRectF(0, 0, self.width(), self.height() - CAPTION), 1, 1)
        self._paint_picture(painter, room, self.picture)
        below = QRectF(0, room.bottom(), self.width(), CAPTION)
        self._caption(painter, below, self.accessibleName().lower())
        painter.end()


def _inside(room: QRectF, wide: int, high: int) -> QRectF:
    """The largest rectangle of that shape in the middle of a room."""
    scale = min(room.width() / max(1, wide), room.height() / max(1, high))
    size = (wide * scale, high * scale)
    return QRectF(
        room.center().x() - size[0] / 2, room.center().y() - size[1] / 2, size[0], size[1]
    )


def places(azimuths: list[float], width: int, height: int) -> tuple[list[QRectF], QRectF]:
    """Rooms for the viewers and for the plan beside them, as large as the room allows.

    Each viewer on the side where they stand, left and right between back and front; where the room
    is too flat for that, all in a row from the left to the back.
    """
    plan_wide = max(96.0, min(height - CAPTION, width * PLAN_SHARE))
    room_wide = width - plan_wide - 2 * BETWEEN
    ring = _ring(azimuths, room_wide, height)
    strip = _strip(azimuths, room_wide, height)
    if not strip or (ring and ring[0].width() * RING_WINS >= strip[0].width()):
        rooms = ring
    else:
        rooms = strip
        plan_wide = min(plan_wide, strip[0].height() * 16 / 9)
    right = max((room.right() for room in rooms), default=0.0)
    left = min((room.left() for room in rooms), default=0.0)
    gap = 3 * BETWEEN
    shift = max(0.0, (width - (right - left) - plan_wide - gap) / 2) - left
    plan_left = shift + right + gap
    plan = QRectF(plan_left, 0, max(40.0, min(plan_wide, width - plan_left)), height)
    return [room.translated(shift, 0) for room in rooms], plan


def _strip(azimuths: list[float], width: float, height: float) -> list[QRectF]:
    """All in a row, beginning at the left and going round by the front."""
    count = len(azimuths)
    size = min((width - (count - 1) * BETWEEN) / max(1, count), height - CAPTION)
    if size < LEAST:
        return []
    order = sorted(range(count), key=lambda place: (azimuths[place] + 540) % 360)
    top = (height - size - CAPTION) / 2
    rooms = [QRectF()] * count
    for number, place in enumerate(order):
        rooms[place] = QRectF(number * (size + BETWEEN), top, size, size)
    return rooms


def _ring(azimuths: list[float], width: float, height: float) -> list[QRectF]:
    """Each on its own side: the largest that do not meet."""
    size = float(min(width, height))
    while size >= LEAST:
        rooms = _around(azimuths, size, width, height)
        if _apart(rooms) and all(_within(room, width, height) for room in rooms):
            return rooms
        size -= 4
    return []


def _around(azimuths: list[float], size: float, width: float, height: float) -> list[QRectF]:
    middle = (width / 2, height / 2)
    across = max(0.0, min((width - size) / 2, size + 2 * BETWEEN))
    down = max(0.0, (height - size - CAPTION) / 2)
    rooms = []
    for azimuth in azimuths:
        x = middle[0] + cos(radians(azimuth)) * across
        y = middle[1] - sin(radians(azimuth)) * down
        rooms.append(QRectF(x - size / 2, y - (size + CAPTION) / 2, size, size))
    return rooms


def _apart(rooms: list[QRectF]) -> bool:
    grown = [room.adjusted(-4, 0, 4, CAPTION) for room in rooms]
    return not any(
        one.intersects(other) for place, one in enumerate(grown) for other in grown[place + 1 :]
    )


def _within(room: QRectF, width: float, height: float) -> bool:
    inside = room.left() >= 0 and room.right() <= width and room.top() >= 0
    return inside and room.bottom() + CAPTION <= height
