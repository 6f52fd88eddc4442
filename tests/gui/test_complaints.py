"""What hurt people in other programs of this kind, and has no place in another file."""

import subprocess
import sys
from functools import partial

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from holodesk.display.rig import Rig
from holodesk.display.scene import Plate
from holodesk.gui.ghost.window import GhostWindow
from tests.conftest import ROOT
from tests.unit.display.looking import CREATURE, sees_rightly, stand

LIVE = Plate("9f3c2a71d5e8b406", 412, "live")


@pytest.fixture
def window(qtbot: QtBot) -> GhostWindow:
    made = GhostWindow(renderer="raster")
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    made.show_object(CREATURE, LIVE)
    qtbot.waitUntil(lambda: made.frames > 10, timeout=10_000)
    return made


@pytest.mark.complaint(1)
def test_another_rig_is_right_from_its_first_picture_on(window: GhostWindow) -> None:
    from holodesk.display.sheet import sheet
    from tests.unit.display.looking import PLATE

    for rig in (Rig("B"), Rig("C", 3), Rig("A", 6, turn_deg=90), Rig("A")):
        frames = window.frames
        window.take_rig(rig)
        assert window.frames == frames + 1
        made = window.layout_now
        scene = stand(CREATURE)
        window._view.show_sheet(sheet(scene, made, PLATE))
        assert sees_rightly(made, window.sheet_pixels(), scene) == []


@pytest.mark.complaint(27)
def test_thousands_of_pictures_leave_nothing_behind() -> None:
    words = ["--frames", "1600", "--size", "320x240", "--limit", "6"]
    ran = subprocess.run(
        [sys.executable, str(ROOT / "fuzz" / "soak_display.py"), *words],
        capture_output=True,
        text=True,
        timeout=240,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.complaint(30)
def test_all_faces_are_one_surface(window: GhostWindow) -> None:
    for rig in (Rig("A"), Rig("A", 8)):
        window.take_rig(rig)
        drawn: list[object] = [part for part in window.findChildren(QWidget) if part.isVisible()]
        assert drawn == [window._view]


@pytest.mark.complaint(33)
def test_a_watchdog_can_tell_a_living_window_from_a_hanging_one(
    window: GhostWindow, qtbot: QtBot
) -> None:
    def lives(least: int) -> bool:
        return window.beats > least

    for still in ("frozen", "dark"):
        setattr(window, still, True)
        beats, frames = window.beats, window.frames
        qtbot.waitUntil(partial(lives, beats + 5), timeout=5000)
        assert window.frames <= frames + 1, "nothing new is drawn, and it is alive"
        setattr(window, still, False)
    window._beat.stop()
    beats = window.beats
    qtbot.wait(100)
    assert window.beats == beats
