"""The output stays on its screen: unplugged, plugged in again, and never over the console."""

from typing import Any

import pytest

from tests.gui.screens import on_two_screens

CHILD = """
import json, sys
from PySide6.QtCore import QRect
from PySide6.QtTest import QTest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

app = QApplication([])
from holodesk.display.rig import Rig
from holodesk.gui.ghost.placing import Placing
from holodesk.gui.ghost.screens import listed_screen
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import CREATURE
from holodesk.display.scene import Plate

told = {}
there = list(QGuiApplication.screens())
first, second = there
window = GhostWindow(Rig("A"), "raster")
console = QWidget()
console.setGeometry(first.geometry())
console.show()
placing = Placing(window, lambda: console.screen(), lambda: list(there))
settled = []
placing.settled.connect(settled.append)

def state():
    room = window.geometry()
    return {
        "shown": window.isVisible(),
        "place": [room.x(), room.y(), room.width(), room.height()],
        "full": window.isFullScreen(),
        "note": window.note,
        "pixels": list(window.sheet_pixels().shape[:2]),
        "over_console": window.isVisible() and window.screen() is first and window.isFullScreen(),
    }

def wait(ms, until=lambda: False):
    for _ in range(ms // 20):
        if until():
            return
        QTest.qWait(20)

wanted = listed_screen(second).bound
placing.choose(wanted)
told["chosen"] = state()
told["black"] = int(window.sheet_pixels().max())
window.show_object(CREATURE, Plate("9f3c2a71d5e8b406", 412, "live"))
QTest.qWait(300)
told["lit"] = int(window.sheet_pixels().max())
there.remove(second)
app.screenRemoved.emit(second)
told["unplugged at once"] = state()
QTest.qWait(400)
told["unplugged"] = state()
told["console"] = console.isVisible()
there.append(second)
app.screenAdded.emit(second)
wait(2000, lambda: window.isVisible())
told["back"] = state()
window.setGeometry(QRect(0, 0, 640, 480))
second.geometryChanged.emit(second.geometry())
wait(2000, lambda: window.geometry() == second.geometry())
told["mode"] = state()
there.remove(second)
wait(2500, lambda: not window.isVisible())
told["vanished untold"] = state()
there.append(second)
wait(2500, lambda: window.isVisible())
told["back untold"] = state()
there.reverse()
app.primaryScreenChanged.emit(first)
QTest.qWait(300)
told["swapped"] = state()
placing.choose(listed_screen(first).bound)
told["console's screen"] = state()
placing.be_window(QRect(10, 20, 480, 640))
told["window"] = state()
told["settled"] = [screen.name for screen in settled]
window.close()
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What happened to the output on two screens."""
    return on_two_screens(CHILD, tmp_path_factory.mktemp("screens"), (1024, 768))


@pytest.mark.complaint(15, 22)
def test_it_covers_the_chosen_screen_and_is_black_at_first(told: dict[str, Any]) -> None:
    assert told["chosen"]["place"] == [1280, 0, 1024, 768]
    assert told["chosen"]["full"]
    assert told["chosen"]["pixels"] == [768, 1024]
    assert told["black"] == 0
    assert told["lit"] > 100


@pytest.mark.complaint(20)
def test_without_its_screen_it_hides_at_once_and_says_so(told: dict[str, Any]) -> None:
    for when in ("unplugged at once", "unplugged", "vanished untold"):
        assert not told[when]["shown"]
        assert "screen missing: PYRAMID-2" in told[when]["note"]
    assert told["console"]


@pytest.mark.complaint(18)
def test_it_is_back_within_two_seconds_of_its_screen(told: dict[str, Any]) -> None:
    for when in ("back", "back untold"):
        assert told[when]["shown"]
        assert told[when]["full"]
        assert told[when]["place"] == [1280, 0, 1024, 768]
        assert told[when]["note"] == ""


@pytest.mark.complaint(21)
def test_a_change_of_mode_covers_the_screen_anew(told: dict[str, Any]) -> None:
    assert told["mode"]["place"] == [1280, 0, 1024, 768]
    assert told["mode"]["pixels"] == [768, 1024]


@pytest.mark.complaint(14)
def test_screens_in_another_order_change_nothing(told: dict[str, Any]) -> None:
    assert told["swapped"]["place"] == [1280, 0, 1024, 768]


@pytest.mark.complaint(18)
def test_it_never_covers_the_console(told: dict[str, Any]) -> None:
    assert not any(state["over_console"] for state in told.values() if isinstance(state, dict))
    assert told["console's screen"]["shown"]
    assert not told["console's screen"]["full"]
    assert "window" in told["console's screen"]["note"]


def test_it_can_be_a_window_of_any_shape(told: dict[str, Any]) -> None:
    assert told["window"]["place"][2:] == [480, 640]
    assert told["window"]["pixels"] == [640, 480]
    assert told["window"]["note"] == ""


def test_every_change_of_screen_is_told(told: dict[str, Any]) -> None:
    assert told["settled"][0] == "PYRAMID-2"
    assert told["settled"][-1] == "CONSOLE-1"
