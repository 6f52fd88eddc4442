"""The output window: black first, the head it was given, panic, freeze, and a full screen."""

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.display.life import Life
from holodesk.display.rig import Rig
from holodesk.display.scene import Plate
from holodesk.errors import Refused
from holodesk.gui.ghost.pace import BUDGET_MS, PATIENCE, REST, SCALES, Pace
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import CARD, CREATURE, alike, meant, stand

LIVE = Plate("9f3c2a71d5e8b406", 412, "live")


@pytest.fixture
def window(qtbot: QtBot) -> GhostWindow:
    made = GhostWindow(renderer="raster")
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made


def wait_for(qtbot: QtBot, window: GhostWindow, pictures: int) -> None:
    """Wait until so many more pictures were drawn."""
    until = window.frames + pictures
    qtbot.waitUntil(lambda: window.frames >= until, timeout=5000)


def test_it_is_black_before_it_has_a_head(window: GhostWindow, qtbot: QtBot) -> None:
    qtbot.wait(60)
    assert window.frames == 0
    assert window.sheet_pixels().max() == 0
    shot = window.grab().toImage()
    assert shot.pixelColor(320, 10).value() == 0
    assert shot.pixelColor(5, 5).value() == 0


@pytest.mark.complaint(26)
def test_it_shows_its_object_to_every_face(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 40)
    pixels = window.sheet_pixels()
    assert pixels.shape == (480, 640, 3)
    for face in window.layout_now.faces:
        middle = face.cell.mean(axis=0).astype(int)
        near = pixels[middle[1] - 60 : middle[1] + 60, middle[0] - 60 : middle[0] + 60]
        assert near.max() > 120
    assert window.fps > 5
    assert window.renderer_name == "raster"


def test_the_screen_shows_what_the_pixels_say(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 30)
    window.frozen = True
    qtbot.wait(80)
    image = window.grab().toImage().convertToFormat(window.grab().toImage().Format.Format_RGB888)
    octets = np.frombuffer(image.constBits(), np.uint8).reshape(480, image.bytesPerLine())
    shown = octets[:, : 640 * 3].reshape(480, 640, 3).copy()
    assert alike(shown, window.sheet_pixels()) > 0.999


def test_panic_is_all_black_at_once_and_stays(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 30)
    window.dark = True
    assert window.sheet_pixels().max() == 0
    assert (
        window.grab()
        .toImage()
        .convertToFormat(window.grab().toImage().Format.Format_Grayscale8)
        .allGray()
    )
    window.show_object({**CREATURE, "growth": 99}, Plate("00ff", 413, "live"))
    qtbot.wait(80)
    assert window.sheet_pixels().max() == 0
    window.dark = False
    wait_for(qtbot, window, 3)
    assert window.sheet_pixels().max() > 60


@pytest.mark.complaint(53)
def test_a_frozen_picture_stands_still_and_says_so(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 40)
    moving = window.sheet_pixels()
    window.frozen = True
    one = window.sheet_pixels()
    qtbot.wait(100)
    assert (window.sheet_pixels() == one).all()
    assert (one != moving).any(), "the plate has another word"
    window.show_object(CARD, Plate("11aa", 413, "live"))
    qtbot.wait(100)
    assert (window.sheet_pixels() == one).all(), "a head that comes meanwhile waits"
    window.frozen = False
    wait_for(qtbot, window, 40)
    assert alike(window.sheet_pixels(), one) < 0.7


def test_a_stale_head_is_dimmed_and_named(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 60)
    live = window.sheet_pixels().mean()
    window.show_object(CREATURE, Plate(LIVE.frame_hash, LIVE.seq, "stale"))
    wait_for(qtbot, window, 10)
    assert window.sheet_pixels().mean() < 0.8 * live


def test_a_new_object_eases_in(window: GhostWindow, qtbot: QtBot, monkeypatch: Any) -> None:
    clock = [0.0]
    monkeypatch.setattr("holodesk.gui.ghost.window.perf_counter", lambda: clock[0])
    window._started = 0.0
    left = {**CREATURE, "at": {"x": -100, "y": 0, "z": 40}, "trail": []}
    right = {**left, "at": {"x": 100, "y": 0, "z": 40}}
    clock[0] = 10.0
    window.show_object(left, LIVE)
    clock[0] = 11.0
    window.show_object(right, Plate("ab", 413, "live"))
    places = []
    for step in range(6):
        clock[0] = 11.0 + step * 0.1
        window.advance()
        places.append(window._shown_object(window._now())["at"]["x"])
    assert places[0] == -100
    assert places[-1] == 100
    assert places == sorted(places)
    assert -90 < places[1] < places[2] < 90


def test_life_moves_between_two_ticks(window: GhostWindow, monkeypatch: Any) -> None:
    clock = [5.0]
    monkeypatch.setattr("holodesk.gui.ghost.window.perf_counter", lambda: clock[0])
    window._started = 0.0
    window.set_life(Life(lean=0.0))
    clock[0] = 5.05
    window.set_life(Life(lean=1.0, words="oh"))
    clock[0] = 5.075
    half = window._life(window._now())
    assert half.lean == pytest.approx(0.5)
    assert half.words == "oh"
    clock[0] = 6.0
    assert window._life(window._now()).lean == 1.0


def test_the_output_is_what_the_front_viewer_is_meant_to_see(
    window: GhostWindow, qtbot: QtBot
) -> None:
    from holodesk.display.trace import trace

    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 60)
    window.frozen = True
    made = window.layout_now
    seen = trace(made, 0, window.sheet_pixels())
    wanted = meant(made, 0, stand(CREATURE, window._now()), Plate(LIVE.frame_hash, 412, "frozen"))
    assert alike(seen.picture, wanted) > 0.97


def test_a_resized_window_lays_the_faces_out_anew(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    window.resize(800, 300)
    wait_for(qtbot, window, 3)
    assert window.sheet_pixels().shape == (300, 800, 3)
    assert window.layout_now.screen.height_px == 300


@pytest.mark.complaint(38)
def test_the_pointer_hides_and_comes_back(window: GhostWindow, qtbot: QtBot) -> None:
    window._cursor.setInterval(20)
    view: Any = window._view
    QTest.mouseMove(view, window.rect().center())
    qtbot.waitUntil(lambda: window.cursor().shape() == Qt.CursorShape.BlankCursor, timeout=3000)
    QTest.mouseMove(view, window.rect().center() / 2)
    assert window.cursor().shape() == Qt.CursorShape.ArrowCursor


@pytest.mark.complaint(17)
def test_f11_is_full_screen_and_escape_is_back(window: GhostWindow, qtbot: QtBot) -> None:
    QTest.keyClick(window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isFullScreen()


def test_the_rig_is_the_one_asked_for(qtbot: QtBot) -> None:
    made = GhostWindow(Rig("B", 3), "raster")
    qtbot.addWidget(made)
    assert made.layout_now.rig == Rig("B", 3)
    with pytest.raises(Refused):
        GhostWindow("Z")


@pytest.mark.complaint(28)
def test_late_pictures_are_drawn_coarser_and_early_ones_finer() -> None:
    pace = Pace()
    changed = [pace.took(BUDGET_MS + 5) for _ in range(PATIENCE)]
    assert changed == [False] * (PATIENCE - 1) + [True]
    assert pace.scale == SCALES[1]
    for _ in range(100 * PATIENCE):
        pace.took(200.0)
    assert pace.scale == SCALES[-1]
    for _ in range(REST * 200):
        pace.took(0.5)
    assert pace.scale == SCALES[0]


def test_one_late_picture_changes_nothing() -> None:
    pace = Pace()
    for number in range(100):
        pace.took(90.0 if number % PATIENCE == 0 else 3.0)
    assert pace.scale == SCALES[0]


def test_a_coarser_picture_fills_the_same_place(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    wait_for(qtbot, window, 40)
    window.frozen = True
    fine = window.sheet_pixels()
    view: Any = window._view
    view.pace.scale = 0.5
    view._make()
    window._held = False
    window.advance()
    coarse = window.sheet_pixels()
    assert coarse.shape == fine.shape
    assert 0.9 < alike(fine, coarse) < 1
