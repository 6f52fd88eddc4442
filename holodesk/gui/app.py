"""Starts Qt, opens the two windows and the host behind them, and ends cleanly (decisions 8a).

The console goes on the primary screen. The output goes on the screen that was named, whole; with a
single screen it is a window like any other.
"""

import gc
import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from PySide6.QtCore import (
    QEventLoop,
    QMessageLogContext,
    QObject,
    QRect,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMenu

from holodesk.display.life import Life
from holodesk.display.profile import Profile
from holodesk.display.rig import Kind
from holodesk.display.scene import Plate
from holodesk.display.shelf import keep, opened
from holodesk.errors import NOWHERE, Held, HolodeskError, Place, Refused, Unavailable
from holodesk.gui.bridge import Bridge, Dial
from holodesk.gui.console.window import ConsoleWindow
from holodesk.gui.ghost.screens import find_screen
from holodesk.gui.ghost.window import GhostWindow
from holodesk.gui.parts.output import image_of
from holodesk.gui.pulse import Pulse
from holodesk.gui.stage import Keeper, NoKeeper, Stage
from holodesk.gui.theme import THEMES, Theme, dress
from holodesk.host.messages import HeadMoved, Media, Refusal

log = logging.getLogger(__name__)

FIRST_HEAD_SECONDS: Final = 120.0
"""How long a run off screen waits for its first head: the lens machine may have to be made."""
CONSOLE: Final = (1440, 900)
EMERGENCIES: Final = {
    "P": "panic",
    "Ctrl+P": "panic",
    "Shift+P": "relight",
    "F": "freeze",
}
"""Keys that the output window takes as well, and what the console does then."""
FAMILIES: Final = {"Held": Held, "Unavailable": Unavailable}
"""What a refusal of the desk is on this side; anything else is Refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to show and how. `dial` starts a host for the desk."""

    dial: Dial
    renderer: str = "auto"
    rig: str = "A"
    asked: Kind | None = None
    """The kind of rig that was asked for now: it counts more than the screen's profile."""
    screen: str = ""
    theme: str = "dark"
    script: str = ""
    keeper: Keeper = field(default_factory=NoKeeper)
    profile: Profile | None = None
    """The profile that was asked for, whatever the screen."""
    measured: float | None = None
    """How long the bar of 100 mm was found to be."""
    console: tuple[int, int] = CONSOLE
    """Off screen: how large the console is."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What a run off screen leaves: pictures by name, and a few figures."""

    pictures: dict[str, str]
    figures: dict[str, Any]


class Show(QObject):
    """The two windows and the bridge between them and the host."""

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.head: HeadMoved | None = None
        self.freshness = ""
        """live, stale or refused, as the plate says it; empty before the first head."""
        self._asked_to_live = False
        self.refusals: list[Refusal] = []
        self._wanted = wanted
        theme = chosen_theme(wanted.theme)
        self._screen = find_screen(wanted.screen) if wanted.screen else None
        dress(application(), theme)
        self.bridge = Bridge(wanted.dial)
        self.output = GhostWindow(wanted.rig, wanted.renderer)
        self.console = ConsoleWindow(self.bridge, self.output, theme)
        self.stage = Stage(self.output, self.console.screen, wanted.keeper, wanted.asked)
        for menu in self.console.findChildren(QMenu):
            if menu.accessibleName() == "Output":
                self.stage.add_to(menu)
        self.pulse = Pulse(self.bridge, self)
        self.output.next_tick = lambda: self.pulse.next_tick
        self.pulse.lived.connect(self._show_life)
        self.console.body.attach(self.pulse)
        for felt in (self.output.touch, self.console.viewers):
            felt.pointed.connect(self.pulse.point)
            felt.poked.connect(self.pulse.poke)
            felt.left.connect(self.pulse.leave)
        self.bridge.head_moved.connect(self._show_head)
        self.bridge.media.connect(self._keep_media)
        self.bridge.host_lost.connect(self._show_loss)
        self.bridge.refused.connect(self.refusals.append)
        self.console.full_screen_asked.connect(self.output.toggle_full_screen)
        for keys, act in EMERGENCIES.items():
            QShortcut(QKeySequence(keys), self.output, getattr(self.console, act))
        QShortcut(QKeySequence("K"), self.output, self.console.body.poke_it)

    def open(self) -> None:
        """Open both windows, then start the host."""
        self._place()
        self.bridge.open()
        if self._wanted.script:
            self.bridge.set_caller("script", self._wanted.script)

    def close(self) -> None:
        """Leave the host, with what was lived until now, and close both windows."""
        self.pulse.finish()
        self.bridge.close()
        self.output.close()
        self.console.close()

    def _place(self) -> None:
        primary = QGuiApplication.primaryScreen()
        room = primary.availableGeometry() if primary is not None else QRect(0, 0, *CONSOLE)
        self.stage.open(self._screen, room, self._wanted.profile)
        if self._wanted.measured is not None:
            self.stage.take_length(self._wanted.measured)
        if QGuiApplication.platformName() == "offscreen":
            room = QRect(0, 0, *self._wanted.console)
            self.console.resize(room.size())
        else:
            self.console.resize(min(CONSOLE[0], room.width()), min(CONSOLE[1], room.height()))
        self.console.move(room.topLeft())
        self.console.show()

    def _show_head(self, head: HeadMoved) -> None:
        first, self.head, self.freshness = self.head is None, head, head.freshness
        self.output.show_object(head.object, Plate(head.frame_hash, head.seq, head.freshness))
        if not self._asked_to_live:
            self._asked_to_live = True
            self.bridge.live()
        if first:
            QTimer.singleShot(0, keep_what_is_here)

    def _keep_media(self, media: Media) -> None:
        """Put a body where poses find it; the next picture shows it."""
        keep(media.address, opened(media.octets))

    def _show_life(self, life: Life) -> None:
        self.output.set_life(life)

    def _show_loss(self, _: str) -> None:
        self._asked_to_live = False
        if self.head is not None:
            self.freshness = "stale"
            plate = Plate(self.head.frame_hash, self.head.seq, "stale")
            self.output.show_object(self.head.object, plate)

    def tell_bug(
        self, kind: type[BaseException], bug: BaseException, trace: TracebackType | None
    ) -> None:
        """An error nobody foresaw is logged whole, and said to be a bug of this program."""
        log.error("a bug in this program", exc_info=(kind, bug, trace))
        told = f"{kind.__name__}: {bug}"
        advice = "This is a bug in this program; the chain is as it was."
        self.bridge.show(Refusal(0, "Bug", told, "program", "", "", [], advice))


def application() -> QApplication:
    """The running application, or a new one."""
    running = QApplication.instance()
    if isinstance(running, QApplication):
        return running
    qInstallMessageHandler(tell_qt)
    made = QApplication(sys.argv[:1])
    made.setApplicationName("holodesk")
    made.setDesktopFileName("holodesk")
    made.setQuitOnLastWindowClosed(False)
    return made


def tell_qt(kind: QtMsgType, _: QMessageLogContext, message: str) -> None:
    """What Qt says goes to the log; what a platform merely cannot do is no warning."""
    idle = message.startswith("This plugin does not support")
    known = {QtMsgType.QtWarningMsg: logging.WARNING, QtMsgType.QtCriticalMsg: logging.ERROR}
    log.log(logging.DEBUG if idle else known.get(kind, logging.DEBUG), "Qt: %s", message)


def chosen_theme(name: str) -> Theme:
    """The theme of that name.

    Raises:
        Refused: there is no such theme.
    """
    theme = next((theme for theme in THEMES.values() if theme.name == name), None)
    if theme is None:
        raise Refused("theme", f"expected one of {', '.join(THEMES)}; found {name[:40]}")
    return theme


def keep_what_is_here() -> None:
    """What the windows are made of stays: let the collector never walk over it again."""
    gc.collect()
    gc.freeze()


def show(wanted: Wanted) -> int:
    """Show until the console is closed; the exit code.

    Raises:
        Unavailable: the screen that was named is not there, or a typeface is missing.
    """
    app = application()
    made = Show(wanted)
    made.console.closed.connect(app.quit)
    sys.excepthook = made.tell_bug
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: app.quit())
    made.open()
    try:
        return app.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        made.close()


def shoot(wanted: Wanted, seconds: float, out: Path) -> Shot:
    """Show off screen for `seconds` from the first head on, and save what both windows show.

    Raises:
        HolodeskError: the host refused the desk, or no head came.
    """
    application()
    made = Show(wanted)
    made.open()
    try:
        wait(FIRST_HEAD_SECONDS, until=lambda: made.head is not None or bool(made.refusals))
        if made.head is None:
            raise _why_not(made)
        wait(seconds)
        return _save(made, out)
    finally:
        made.close()


def wait(seconds: float, until: Callable[[], bool] = lambda: False) -> None:
    """Let the windows live for a while, or until something is so."""
    loop = QEventLoop()
    end, beat = QTimer(), QTimer()
    end.setSingleShot(True)
    end.timeout.connect(loop.quit)
    beat.timeout.connect(lambda: loop.quit() if until() else None)
    end.start(int(seconds * 1000))
    beat.start(20)
    loop.exec()


def _why_not(made: Show) -> HolodeskError:
    """Why no head came, as the error that it was on the host's side."""
    if not made.refusals:
        return Unavailable("host", f"no head came within {FIRST_HEAD_SECONDS:.0f} s")
    refusal = made.refusals[0]
    family = FAMILIES.get(refusal.family, Refused)
    place = Place(file=refusal.place) if refusal.place else NOWHERE
    return family(refusal.rule, refusal.sentence, place, step=refusal.step or None)


def _save(made: Show, out: Path) -> Shot:
    assert made.head is not None
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        told = f"the folder for pictures cannot be made: {problem.strerror or problem}"
        raise Unavailable("disk", told, Place(file=str(out))) from problem
    images = {
        "output": image_of(made.output.sheet_pixels()),
        "console": made.console.grab().toImage(),
    }
    pictures = {name: str(out / f"{name}.png") for name in images}
    for name, image in images.items():
        if not image.save(pictures[name]):
            raise Unavailable("disk", "the picture cannot be written", Place(file=pictures[name]))
    figures: dict[str, Any] = {
        "renderer": made.output.renderer_name,
        "pictures_drawn": made.output.frames,
        "fps": round(made.output.fps, 1),
        "desk": made.head.desk,
        "seq": made.head.seq,
        "frame_hash": made.head.frame_hash,
        "freshness": made.freshness,
        "note": made.output.note,
        "refusals": [refusal.sentence for refusal in made.refusals[-20:]],
    }
    return Shot(pictures, figures)
