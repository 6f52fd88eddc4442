"""The screen under the pyramid: chosen, remembered, measured, and set right (LH 3.11).

It joins the output window to what is known of its screen. Where that is kept is not its business.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QMenu

from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Kind, Rig
from holodesk.errors import HolodeskError, Usage
from holodesk.gui.ghost.identify import Number, show_numbers
from holodesk.gui.ghost.placing import Placing
from holodesk.gui.ghost.ruler import Ruler, true_density
from holodesk.gui.ghost.screens import Listed, listed_screen
from holodesk.gui.ghost.window import GhostWindow

OUTPUT: Final = (1280, 720)
UNKNOWN_SIZE: Final = "this screen does not tell its size: press R on the output and measure it"
MIRRORED: Final = "mirrored once more by hand"


class Keeper(Protocol):
    """Keeps profiles: `holodesk.host.profiles.Shelf`."""

    note: str

    def find(self, screen: Bound) -> Profile | None: ...
    def keep(self, profile: Profile) -> None: ...


class NoKeeper:
    """Remembers nothing."""

    note = ""

    def find(self, _: Bound) -> Profile | None:
        """Nothing is known."""
        return None

    def keep(self, profile: Profile) -> None:
        """It is forgotten with the window."""


class Stage(QObject):
    """Brings the output to its screen and what is known of that screen to the output."""

    def __init__(
        self,
        output: GhostWindow,
        console_screen: Callable[[], QScreen | None],
        keeper: Keeper,
        kind: Kind | None = None,
    ) -> None:
        super().__init__(output)
        self.output = output
        self.placing = Placing(output, console_screen)
        self.profile: Profile | None = None
        self.numbers: list[Number] = []
        self.ruler: Ruler | None = None
        self._console_screen = console_screen
        self._keeper = keeper
        self._plain = output.rig
        self._kind = kind
        self._menu = QMenu("Screens")
        self._fill(self._menu)
        self.placing.settled.connect(self.take)
        output.setting_up.changed.connect(self._keep_rig)
        output.menu_asked.connect(self._pop)
        output.ruler_asked.connect(self.measure)

    # ------------------------------------------------------------------ where it is

    def open(self, named: QScreen | None, room: QRect, only: Profile | None = None) -> None:
        """On the screen that was named or is remembered; else a window in a corner of the room.

        `only` is the profile that was asked for; its screen may be missing just now.
        """
        primary = self._console_screen()
        if named is None and only is None:
            named = self._remembered()
        if only is not None and named is None and QGuiApplication.platformName() != "offscreen":
            self.placing.choose(only.screen)
        elif named is not None and named is not primary:
            self.placing.choose(listed_screen(named).bound)
        else:
            size = (only.screen.width_px, only.screen.height_px) if only is not None else OUTPUT
            corner = (room.right() + 1 - size[0], room.bottom() + 1 - size[1])
            self.output.setGeometry(max(0, corner[0]), max(0, corner[1]), *size)
            if primary is not None:
                self.take(listed_screen(primary), unasked=only is None)
            self.output.show()

    def _remembered(self) -> QScreen | None:
        """A screen that was set up before and is not the console's."""
        console = self._console_screen()
        for screen in QGuiApplication.screens():
            if screen is not console and self._keeper.find(listed_screen(screen).bound):
                return screen
        return None

    def take(self, listed: Listed, *, unasked: bool = False) -> None:
        """Take what is known of a screen; `unasked` keeps quiet about what is not."""
        bound = listed.bound
        found = self._keeper.find(bound)
        self.profile = found or Profile(bound, self._plain)
        rig = self.profile.rig
        if self._kind is not None:
            rig = replace(rig, kind=self._kind)
        self.output.measured = self.profile.density(bound.width_px)
        self.output.pixel_shift = self.profile.pixel_shift
        self.output.tell("profile", self._keeper.note)
        unknown = self.output.measured is None and not listed.measured and not unasked
        self.output.tell("measure", UNKNOWN_SIZE if unknown else "")
        self._set(rig)

    def _set(self, rig: Rig) -> None:
        try:
            self.output.take_rig(rig)
        except HolodeskError as problem:
            self.output.tell("profile", problem.message)
        self.output.tell("mirror", MIRRORED if self.output.rig.mirror else "")

    # ------------------------------------------------------------------ what is kept

    def _keep_rig(self, rig: Rig) -> None:
        self.output.tell("mirror", MIRRORED if rig.mirror else "")
        if self.profile is not None:
            self._keep(replace(self.profile, rig=replace(rig, drift_mm=(0.0, 0.0))))

    def _keep(self, profile: Profile) -> None:
        self.profile = profile
        try:
            self._keeper.keep(profile)
        except HolodeskError as problem:
            self.output.tell("profile", problem.message)

    def take_measure(self, px_per_mm: float) -> None:
        """So many device pixels are a millimetre on this screen, from now on."""
        self.output.measured = px_per_mm
        self.output.tell("measure", "")
        self._set(self.output.rig)
        if self.profile is not None:
            wide = self.profile.screen.width_px
            here = self.placing.find(self.profile.screen)
            now = listed_screen(here).width_px if here is not None else wide
            self._keep(replace(self.profile, px_per_mm=px_per_mm * wide / now))

    def take_length(self, length_mm: float) -> None:
        """The bar of 100 mm was found to be so long.

        Raises:
            Usage: no screen is like that.
        """
        try:
            density = true_density(self.output.layout_now.screen.px_per_mm, length_mm)
        except ValueError as problem:
            raise Usage("--measured", str(problem)) from problem
        self.take_measure(density)

    # ------------------------------------------------------------------ what a person does

    def measure(self) -> None:
        """Lay the bar over the output and ask how long it is."""
        ruler = Ruler(self.output.layout_now.screen.px_per_mm)
        ruler.setScreen(self.output.screen())
        ruler.setGeometry(self.output.geometry())
        ruler.measured.connect(self.take_measure)
        ruler.destroyed.connect(self._ruler_gone)
        self.ruler = ruler
        ruler.show()
        ruler.activateWindow()

    def _ruler_gone(self) -> None:
        self.ruler = None

    def identify(self) -> None:
        """A number on every screen, for a moment."""
        self.numbers = show_numbers(QGuiApplication.screens())

    def choose(self, listed: Listed) -> None:
        """Put the output on this screen and remember it."""
        self.placing.choose(listed.bound)
        if self.profile is not None and self.profile.screen.fits(listed.bound):
            self._keep(self.profile)

    def be_window(self) -> None:
        """A window on the console's screen."""
        screen = self._console_screen()
        room = screen.availableGeometry() if screen is not None else QRect(0, 0, *OUTPUT)
        wide, high = min(OUTPUT[0], room.width()), min(OUTPUT[1], room.height())
        self.placing.be_window(QRect(room.right() + 1 - wide, room.bottom() + 1 - high, wide, high))

    def add_to(self, menu: QMenu) -> None:
        """The same choices in a menu of the console."""
        menu.addSeparator()
        self._fill(menu.addMenu("Screens"))

    def _fill(self, menu: QMenu) -> None:
        menu.setAccessibleName("Screens")
        menu.aboutToShow.connect(lambda: self._list(menu))
        self._list(menu)

    def _list(self, menu: QMenu) -> None:
        menu.clear()
        for place, listed in enumerate(self.placing.choices(), 1):
            action = menu.addAction(f"&{place}  {listed.title}")
            wanted = self.placing.wanted
            action.setCheckable(True)
            action.setChecked(wanted is not None and wanted.fits(listed.bound))
            action.triggered.connect(lambda _=False, listed=listed: self.choose(listed))
        menu.addSeparator()
        menu.addAction("&Window").triggered.connect(lambda _=False: self.be_window())
        menu.addAction("&Identify screens").triggered.connect(lambda _=False: self.identify())
        menu.addAction("Set &up (C)").triggered.connect(
            lambda _=False: self.output.setting_up.toggle()
        )
        menu.addAction("&Measure (R)").triggered.connect(lambda _=False: self.measure())

    def _pop(self, place: QPoint) -> None:
        self._menu.popup(place)
