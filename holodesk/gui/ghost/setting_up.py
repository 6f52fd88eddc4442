"""The pattern in every face, and keys that set the pictures right where one looks (LH 3.11).

C begins and ends. Everything is as the viewer of the chosen face sees it: the right arrow moves the
picture to that viewer's right.
"""

from dataclasses import replace
from typing import Final, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from holodesk.display.optics import Layout
from holodesk.display.pattern import balance_sheet, pattern_sheet
from holodesk.display.rig import Rig
from holodesk.display.sheet import Sheet
from holodesk.display.trim import Pair, Trim
from holodesk.errors import Refused

Key = Qt.Key
FAR: Final = 10
"""How many steps one is with Shift."""
SCALE_STEP: Final = 0.005
TURN_STEP: Final = 0.1
GAIN_STEP: Final = 0.05
GAMMA_STEP: Final = 0.05
FEATHER_STEP: Final = 0.5
KEEP_MS: Final = 400
TOPIC: Final = "setting up"
ARROWS: Final[dict[int, Pair]] = {
    Key.Key_Left: (-1.0, 0.0),
    Key.Key_Right: (1.0, 0.0),
    Key.Key_Up: (0.0, 1.0),
    Key.Key_Down: (0.0, -1.0),
}
CORNERS: Final = {Key.Key_1: 0, Key.Key_2: 1, Key.Key_3: 2, Key.Key_4: 3, Key.Key_0: None}
CORNER_NAMES: Final = ("bottom left", "bottom right", "top right", "top left")
OF_ONE: Final[dict[int, tuple[str, float]]] = {
    Key.Key_Plus: ("scale", SCALE_STEP),
    Key.Key_Equal: ("scale", SCALE_STEP),
    Key.Key_Minus: ("scale", -SCALE_STEP),
    Key.Key_Underscore: ("scale", -SCALE_STEP),
    Key.Key_BracketLeft: ("turn_deg", TURN_STEP),
    Key.Key_BraceLeft: ("turn_deg", TURN_STEP),
    Key.Key_BracketRight: ("turn_deg", -TURN_STEP),
    Key.Key_BraceRight: ("turn_deg", -TURN_STEP),
    Key.Key_Period: ("gain", GAIN_STEP),
    Key.Key_Greater: ("gain", GAIN_STEP),
    Key.Key_Comma: ("gain", -GAIN_STEP),
    Key.Key_Less: ("gain", -GAIN_STEP),
}
"""Keys for a number of the chosen face, and how far one press goes."""


class Settable(Protocol):
    """The window whose rig is set right."""

    rig: Rig

    @property
    def layout_now(self) -> Layout: ...
    def take_rig(self, rig: Rig) -> None: ...
    def redraw(self) -> None: ...
    def tell(self, topic: str, sentence: str) -> None: ...


class SettingUp(QObject):
    """Whether the window shows the pattern, which face is chosen, and what keys do to it."""

    changed = Signal(object)
    """The rig, a moment after the last key, to be kept."""

    def __init__(self, window: "Settable") -> None:
        super().__init__(window if isinstance(window, QWidget) else None)
        self._window = window
        self.on = False
        self.balance = False
        self.viewer = 0
        self.corner: int | None = None
        self._keep = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._keep.timeout.connect(self._tell_changed)

    def sheet(self, made: Layout) -> Sheet:
        """The picture to set up with."""
        if self.balance:
            return balance_sheet(made)
        return pattern_sheet(made, self.viewer, self.told)

    @property
    def told(self) -> str:
        """What is set for the chosen face, in a few words."""
        if self.corner is not None:
            right, up = self._trim.pin_mm[self.corner]
            return f"{CORNER_NAMES[self.corner]} {right:+.2f} {up:+.2f} mm"
        trim = self._trim
        right, up = trim.shift_mm
        place = f"{right:+.2f} {up:+.2f} mm"
        return f"{place} · {trim.scale * 100:.1f} % · {trim.turn_deg:+.1f}°"

    def toggle(self) -> None:
        """Begin, or go back to the hologram and keep what was set."""
        self.on = not self.on
        self.balance, self.corner = False, None
        there = self._window.rig.viewers
        self.viewer = self.viewer if self.viewer in there else there[0]
        if not self.on and self._keep.isActive():
            self._tell_changed()
        self._window.tell(TOPIC, "the pattern is on the output" if self.on else "")
        rig = self._window.rig
        if rig.drift_mm != (0.0, 0.0):
            self._window.take_rig(replace(rig, drift_mm=(0.0, 0.0)))
        self._window.redraw()

    def press(self, event: QKeyEvent) -> bool:
        """Take a key of this mode; False leaves it to the window."""
        key = event.key()
        if key == Key.Key_C:
            self.toggle()
            return True
        if not self.on:
            return False
        if key == Key.Key_Escape:
            self.toggle()
            return True
        far = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return self._choose(key) or self._turn(key, far) or self._set_all(key, far)

    # ------------------------------------------------------------------ what keys do

    @property
    def _trim(self) -> Trim:
        return self._window.rig.trim(self.viewer)

    def _choose(self, key: int) -> bool:
        there = self._window.rig.viewers
        if key in (Key.Key_Tab, Key.Key_Backtab):
            step = 1 if key == Key.Key_Tab else -1
            self.viewer = there[(there.index(self.viewer) + step) % len(there)]
            self.corner = None
        elif key in CORNERS:
            self.corner = CORNERS[Key(key)]
        elif key == Key.Key_B:
            self.balance = not self.balance
        else:
            return False
        self._window.redraw()
        return True

    def _turn(self, key: int, far: bool) -> bool:
        """A key for the chosen face."""
        trim, steps = self._trim, FAR if far else 1
        if key in ARROWS:
            px_mm = steps / self._window.layout_now.screen.px_per_mm
            right, up = (part * px_mm for part in ARROWS[Key(key)])
            self._take(lambda: _nudged(trim, self.corner, right, up))
        elif key in OF_ONE:
            name, step = OF_ONE[Key(key)]
            value = round(getattr(trim, name) + step * steps, 4)
            self._take(lambda: replace(trim, **{name: value}))
        elif key == Key.Key_Backspace:
            self._take(Trim)
        else:
            return False
        return True

    def _set_all(self, key: int, far: bool) -> bool:
        """A key for every face: black, gamma, edges, the mirror by hand. Shift is less."""
        rig, way = self._window.rig, -1 if far else 1
        tone = rig.tone
        try:
            if key == Key.Key_D:
                rig = replace(rig, tone=replace(tone, crush=tone.crush + way))
            elif key == Key.Key_G:
                gamma = round(tone.gamma + way * GAMMA_STEP, 4)
                rig = replace(rig, tone=replace(tone, gamma=gamma))
            elif key == Key.Key_E:
                rig = replace(rig, feather_mm=max(0.0, rig.feather_mm + way * FEATHER_STEP))
            elif key == Key.Key_M:
                rig = replace(rig, mirror=not rig.mirror)
            else:
                return False
            self._take_rig(rig)
        except Refused as problem:
            self._window.tell(TOPIC, problem.message)
        return True

    def _take(self, made: "type[Trim] | Maker") -> None:
        """Set the chosen face so; what cannot be is said and changes nothing."""
        try:
            self._take_rig(self._window.rig.with_trim(self.viewer, made()))
        except Refused as problem:
            self._window.tell(TOPIC, problem.message)

    def _take_rig(self, rig: Rig) -> None:
        self._window.take_rig(rig)
        self._window.tell(TOPIC, "the pattern is on the output")
        self._keep.start()

    def _tell_changed(self) -> None:
        self._keep.stop()
        self.changed.emit(self._window.rig)


class Maker(Protocol):
    """Makes a trim, or refuses it."""

    def __call__(self) -> Trim: ...


def _nudged(trim: Trim, corner: int | None, right: float, up: float) -> Trim:
    """The whole picture moved, or one corner of it pulled."""
    if corner is None:
        x, y = trim.shift_mm
        return replace(trim, shift_mm=(round(x + right, 6), round(y + up, 6)))
    pins = list(trim.pin_mm)
    x, y = pins[corner]
    pins[corner] = (round(x + right, 6), round(y + up, 6))
    return replace(trim, pin_mm=(pins[0], pins[1], pins[2], pins[3]))
