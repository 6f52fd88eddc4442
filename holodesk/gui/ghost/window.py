"""The output: one surface that is black from the first picture on, and names the head it shows.

(LH 3.11.) It shows the object it was last given; what moves between heads is time and what
reflexes tell. Panic is all black within one picture, freeze holds the picture and says so.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from holodesk.display.drift import drift_mm
from holodesk.display.life import Life, between_lives
from holodesk.display.optics import Layout, layout
from holodesk.display.pose import between, pose, same_schema
from holodesk.display.rig import Rig, Screen
from holodesk.display.scene import Plate
from holodesk.display.sheet import Sheet, sheet
from holodesk.errors import HolodeskError, Unavailable
from holodesk.gui.ghost.awake import Awake
from holodesk.gui.ghost.canvas import Painter, Pixels, blacken, make_view
from holodesk.gui.ghost.screens import px_per_mm
from holodesk.gui.ghost.setting_up import SettingUp
from holodesk.gui.ghost.touch import Touch

BEAT_MS: Final = 16
EASE_SECONDS: Final = 0.4
BREATH_SECONDS: Final = 1.4
TICK_SECONDS: Final = 0.05
PAINT_SECONDS: Final = 0.003
CURSOR_MS: Final = 2000
SPARE_MS: Final = 5000
LEAST_PX: Final = 16


class GhostWindow(QWidget):
    """The window on the pyramid's screen.

    Raises:
        Unavailable: the renderer that was asked for cannot run here.
    """

    full_screen_asked = Signal()
    menu_asked = Signal(QPoint)
    ruler_asked = Signal()

    def __init__(
        self, rig: Rig | str = "A", renderer: str = "auto", *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.rig = rig if isinstance(rig, Rig) else Rig(kind=_kind(rig))
        self.frames = 0
        """Pictures drawn since it was made."""
        self.beats = 0
        """Times it asked itself for a picture: it grows as long as the window lives."""
        self.note = ""
        """What is not as one would expect, in a sentence for each: the screen, the renderer."""
        self._notes: dict[str, str] = {}
        self.measured: float | None = None
        """Device pixels for a millimetre as somebody measured them."""
        self.pixel_shift = False
        self.next_tick: Callable[[], float | None] = lambda: None
        """When the body's next tick is due, in seconds of `perf_counter`."""
        self._took = 0.0
        self.awake = Awake()
        self.setting_up = SettingUp(self)
        self.touch = Touch(self)
        self._object: Any = None
        self._before: Any = None
        self._plate: Plate | None = None
        self._waiting: tuple[Any, Plate] | None = None
        self._arrived = self._breathed = -1e9
        self._fresh = True
        self._frozen = self._dark = self._held = False
        self._still = 0.0
        self._told: tuple[Life, Life, float] = (Life(), Life(), -1e9)
        self._times: list[float] = []
        self._started = perf_counter()
        self._sheet: Sheet | None = None
        blacken(self)
        self._layout = self._laid_out()
        self._view = self._make_view(renderer)
        self._cursor = QTimer(self, singleShot=True, interval=CURSOR_MS)
        self._cursor.timeout.connect(lambda: self._point(Qt.CursorShape.BlankCursor))
        self._beat = QTimer(self, interval=BEAT_MS)
        self._beat.setTimerType(Qt.TimerType.PreciseTimer)
        self._beat.timeout.connect(self._on_beat)
        self._spare = QTimer(self, interval=SPARE_MS)
        self._spare.timeout.connect(self._move_on)

    # ------------------------------------------------------------------ what is shown

    def show_object(self, object: Any, plate: Plate) -> None:
        """Show this object under this head; a new one eases in. Frozen, it waits."""
        if self._frozen:
            self._waiting = (object, plate)
            return
        now = self._now()
        moved = self._plate is None or plate.frame_hash != self._plate.frame_hash
        if moved or object != self._object:
            self._before = self._shown_object(now) if self._plate is not None else None
            self._fresh = not same_schema(self._before, object)
            self._arrived = now
        if moved:
            self._breathed = now
        self._object, self._plate = object, plate

    def set_life(self, life: Life) -> None:
        """What reflexes tell at a tick; pictures move between the last two."""
        now = self._now()
        self._told = (self._life(now), life, now)
        if self._beat.isActive():
            self._beat.start()
            self.advance()

    @property
    def frozen(self) -> bool:
        """The picture stands still, and its plate says so."""
        return self._frozen

    @frozen.setter
    def frozen(self, frozen: bool) -> None:
        if frozen == self._frozen:
            return
        self._still = self._now()
        self._frozen, self._held = frozen, False
        waiting, self._waiting = self._waiting, None
        if not frozen:
            self._started += perf_counter() - self._started - self._still
            if waiting is not None:
                self.show_object(*waiting)
        self.advance()

    @property
    def dark(self) -> bool:
        """All black."""
        return self._dark

    @dark.setter
    def dark(self, dark: bool) -> None:
        self._dark, self._held = dark, False
        if dark:
            self._view.go_dark()
            self.frames += 1
        else:
            self.advance()

    # ------------------------------------------------------------------ what others may know

    @property
    def layout_now(self) -> Layout:
        """Where every face is, in device pixels."""
        return self._layout

    @property
    def renderer_name(self) -> str:
        """ "gl" or "raster"."""
        return str(self._view.name)

    @property
    def fps(self) -> float:
        """Pictures in the last second."""
        now = perf_counter()
        self._times = [at for at in self._times if now - at < 1.0]
        return float(len(self._times))

    def sheet_pixels(self) -> Pixels:
        """What is on the screen now, (rows, columns, 3) red, green, blue: a copy."""
        if self._dark or not (self._plate is not None or self.setting_up.on):
            screen = self._layout.screen
            return np.zeros((screen.height_px, screen.width_px, 3), np.uint8)
        return self._view.sheet_pixels()

    # ------------------------------------------------------------------ drawing

    def _on_beat(self) -> None:
        """A picture is not begun where it would hold up a tick: it is drawn right after it."""
        due, now = self.next_tick(), perf_counter()
        if due is None or not now - TICK_SECONDS < due < now + self._took + PAINT_SECONDS:
            self.advance()

    def advance(self) -> None:
        """Draw the next picture, unless there is nothing new to see."""
        self.beats += 1
        begun = perf_counter()
        if self._dark or self._held:
            return
        if self.setting_up.on:
            self._sheet = self.setting_up.sheet(self._layout)
            self._held = True
        elif self._plate is not None:
            self._sheet = self._sheet_at(self._now(), self._plate)
            self._held = self._frozen
        else:
            return
        try:
            self._view.show_sheet(self._sheet)
            self._took = max(0.9 * self._took, perf_counter() - begun)
        except Unavailable as problem:
            self._fall_back(problem)
            return
        self.frames += 1
        self._times.append(perf_counter())
        if len(self._times) > 240:
            del self._times[:120]

    def _sheet_at(self, now: float, plate: Plate) -> Sheet:
        scene = pose(self._shown_object(now), self._life(now))
        breath = max(0.0, 1 - (now - self._breathed) / BREATH_SECONDS) ** 2
        if self._frozen:
            plate = replace(plate, word="frozen")
        laid = sheet(scene, self._layout, plate, breath=breath)
        if self._fresh:
            laid = replace(laid, light=laid.light * (0.1 + 0.9 * self._eased(now)))
        return laid

    def _shown_object(self, now: float) -> Any:
        if self._fresh:
            return self._object
        return between(self._before, self._object, self._eased(now))

    def _eased(self, now: float) -> float:
        share = min(1.0, max(0.0, (now - self._arrived) / EASE_SECONDS))
        return share * share * (3 - 2 * share)

    def _life(self, now: float) -> Life:
        before, after, at = self._told
        share = min(1.0, max(0.0, (now - at) / TICK_SECONDS))
        return between_lives(before, after, share, now)

    def _now(self) -> float:
        return self._still if self._frozen else perf_counter() - self._started

    # ------------------------------------------------------------------ the window itself

    def _make_view(self, wanted: str) -> Painter:
        view = make_view(self, wanted)
        view.setGeometry(self.rect())
        view.take_layout(self._layout)
        view.events.installEventFilter(self)
        return view

    def _fall_back(self, problem: HolodeskError) -> None:
        """The GPU went away or is too slow: go on in software, and say so."""
        self.tell("renderer", f"drawing in software: {problem.message}")
        gone, self._view = self._view, self._make_view("raster")
        gone.close()
        gone.deleteLater()
        self._held = False
        self._view.show()

    def _laid_out(self) -> Layout:
        ratio = self.devicePixelRatioF()
        density = self.measured or px_per_mm(self.screen())[0]
        wide = max(LEAST_PX, round(self.width() * ratio))
        high = max(LEAST_PX, round(self.height() * ratio))
        return layout(self.rig, Screen(wide, high, density))

    def take_rig(self, rig: Rig, measured: float | None = None) -> None:
        """Lay out for another rig or another measure of the screen.

        Raises:
            Refused: no picture can be seen so; everything is as it was.
        """
        before, self.rig = (self.rig, self.measured), rig
        self.measured = measured or self.measured
        try:
            self.lay_out()
        except HolodeskError:
            self.rig, self.measured = before
            raise

    def lay_out(self) -> None:
        """Lay the faces out anew, as the screen and the rig now are."""
        self._layout = self._laid_out()
        self._view.setGeometry(self.rect())
        self._view.take_layout(self._layout)
        self.redraw()

    def redraw(self) -> None:
        """Draw the next picture even where nothing moves."""
        self._held = False
        if self.isVisible():
            self.advance()

    def tell(self, topic: str, sentence: str) -> None:
        """Say what is not as one would expect; nothing takes it back."""
        self._notes.pop(topic, None)
        if sentence:
            self._notes[topic] = sentence
        self.note = "; ".join(self._notes.values())

    def _move_on(self) -> None:
        """The next pixel of the way round that spares the screen."""
        on = self.pixel_shift and not self.setting_up.on and not self._frozen
        density = self._layout.screen.px_per_mm
        drift = drift_mm(perf_counter() - self._started, density) if on else (0.0, 0.0)
        if drift != self.rig.drift_mm:
            self.take_rig(replace(self.rig, drift_mm=drift))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the faces out anew."""
        super().resizeEvent(event)
        self.lay_out()

    def event(self, event: QEvent) -> bool:
        """A change of scale is a change of pixels."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.lay_out()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._beat.start()
        self._spare.start()
        self._cursor.start()
        self.awake.hold()

    def hideEvent(self, event: QEvent) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]
        self._rest()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._rest()
        super().closeEvent(event)

    def _rest(self) -> None:
        self._beat.stop()
        self._spare.stop()
        self.awake.release()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab is a key like any other: there is nothing to go to."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """C sets up, R measures, F11 is full screen and back, Escape is back."""
        if self.setting_up.press(event):
            return
        if event.key() == Qt.Key.Key_R:
            self.ruler_asked.emit()
        elif event.key() == Qt.Key.Key_F11:
            self.toggle_full_screen()
        elif event.key() == Qt.Key.Key_Escape and self.isFullScreen():
            self.showNormal()
        else:
            super().keyPressEvent(event)

    def toggle_full_screen(self) -> None:
        """Full screen, or a window again."""
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The pointer shows itself when it is moved, and keys of the surface are the window's."""
        if event.type() == QEvent.Type.MouseMove:
            self._wake()
        self.touch.take(event, self._layout, idle=self.setting_up.on or self._dark)
        pressed = event.type() == QEvent.Type.MouseButtonPress
        if (
            pressed
            and isinstance(event, QMouseEvent)
            and event.button() == Qt.MouseButton.RightButton
        ):
            self.menu_asked.emit(event.globalPosition().toPoint())
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def mouseMoveEvent(self, event: Any) -> None:
        super().mouseMoveEvent(event)
        self._wake()

    def _wake(self) -> None:
        self._point(Qt.CursorShape.ArrowCursor)
        self._cursor.start()

    def _point(self, shape: Qt.CursorShape) -> None:
        if self.cursor().shape() != shape:
            self.setCursor(shape)
            self._view.setCursor(shape)


def _kind(name: str) -> Any:
    """Rig refuses any other kind by name."""
    return name
