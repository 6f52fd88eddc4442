"""The output stays on its screen, through unplugging, plugging, and a change of mode (LH 3.11).

When its screen is gone it hides and says so; it never covers the console. It is back within two
seconds of the screen.
"""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QScreen

from holodesk.display.profile import Bound
from holodesk.gui.ghost.screens import Listed, listed_screen, place
from holodesk.gui.ghost.window import GhostWindow

SETTLE_MS: Final = 150
"""Screens change in several steps; only the last one counts."""
LOOK_MS: Final = 1000
"""Some platforms tell nothing: then looking is the only way."""
TOPIC: Final = "screen"


class Screens(Protocol):
    """Which screens there are now."""

    def __call__(self) -> Iterable[QScreen]: ...


class Placing(QObject):
    """Keeps one window on one screen. `settled` tells which screen it is on after any change."""

    settled = Signal(object)

    def __init__(
        self,
        window: GhostWindow,
        console_screen: Callable[[], QScreen | None],
        screens: Screens = QGuiApplication.screens,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._console_screen = console_screen
        self._screens = screens
        self._wanted: Bound | None = None
        self._room = QRect()
        self._known: set[int] = set()
        self._later = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._later.timeout.connect(self.settle)
        self._look = QTimer(self, interval=LOOK_MS)
        self._look.timeout.connect(self._glance)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenAdded.connect(self._came)
        application.screenRemoved.connect(self._went)
        application.primaryScreenChanged.connect(self._soon)
        for screen in screens():
            self._follow(screen)

    @property
    def wanted(self) -> Bound | None:
        """The screen that the output belongs on; None is a window."""
        return self._wanted

    def choose(self, screen: Bound) -> None:
        """Put the output on this screen, now or as soon as it is there."""
        self._wanted = screen
        self._look.start()
        self.settle()

    def be_window(self, place: QRect) -> None:
        """A window like any other, on whatever screen."""
        self._wanted = None
        self._look.stop()
        self._window.tell(TOPIC, "")
        self._window.showNormal()
        self._window.setGeometry(place)

    def settle(self) -> None:
        """Bring the output where it belongs, or hide it and say why."""
        if self._wanted is None:
            return
        screen = self.find(self._wanted)
        if screen is None:
            self._miss()
            return
        self._room = screen.geometry()
        if screen is self._console_screen():
            told = f"the output is a window, since the console is on {screen.name()}"
            self._window.tell(TOPIC, told)
            if self._window.isFullScreen() or not self._window.isVisible():
                self._window.showNormal()
        else:
            self._window.tell(TOPIC, "")
            place(self._window, screen)
        self.settled.emit(listed_screen(screen))

    def find(self, wanted: Bound) -> QScreen | None:
        """The screen itself; a mode may have changed, a serial number may not."""
        return next((screen for screen in self._screens() if _is_it(screen, wanted)), None)

    def choices(self) -> list[Listed]:
        """Every screen that is there, as a person may choose it."""
        return [listed_screen(screen) for screen in self._screens()]

    def _miss(self) -> None:
        assert self._wanted is not None
        name = self._wanted.name or self._wanted.serial
        self._window.hide()
        self._window.tell(TOPIC, f"screen missing: {name} is not there, the output is hidden")
        self._room = QRect()

    def _came(self, screen: QScreen) -> None:
        self._follow(screen)
        self._later.start()

    def _went(self, screen: QScreen) -> None:
        """At once: Qt would put the window over the console."""
        self._known.discard(id(screen))
        wanted = self._wanted
        if wanted is not None and _is_it(screen, wanted):
            self._miss()
        self._later.start()

    def _follow(self, screen: QScreen) -> None:
        if id(screen) in self._known:
            return
        self._known.add(id(screen))
        screen.geometryChanged.connect(self._soon)
        screen.logicalDotsPerInchChanged.connect(self._soon)

    def _soon(self, _: object = None) -> None:
        self._later.start()

    def _glance(self) -> None:
        """Has anything changed that nobody told?"""
        if self._wanted is None:
            return
        screen = self.find(self._wanted)
        room = screen.geometry() if screen is not None else QRect()
        if room != self._room:
            self._later.start()


def _is_it(screen: QScreen, wanted: Bound) -> bool:
    if wanted.serial:
        return screen.serialNumber() == wanted.serial
    return screen.name() == wanted.name
