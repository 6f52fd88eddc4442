"""The pattern on the output, and keys that set a face right where one looks."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.display.rig import Rig
from holodesk.display.scene import Plate
from holodesk.display.trim import Trim
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import CREATURE

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
LIVE = Plate("9f3c2a71d5e8b406", 412, "live")


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[GhostWindow]:
    made = GhostWindow(Rig("A"), "raster")
    qtbot.addWidget(made)
    made.resize(480, 480)
    made.show()
    yield made
    made.close()


def press(window: GhostWindow, *keys: Qt.Key, shift: bool = False) -> None:
    for key in keys:
        QTest.keyClick(window, key, SHIFT if shift else Qt.KeyboardModifier.NoModifier)


def test_c_shows_the_pattern_before_there_is_any_head_and_takes_it_away(
    window: GhostWindow,
) -> None:
    press(window, Key.Key_C)
    shown = window.sheet_pixels()
    assert shown.max() > 150
    for face in window.layout_now.faces:
        middle = face.cell.mean(axis=0).astype(int)
        assert shown[middle[1] - 40 : middle[1] + 40, middle[0] - 40 : middle[0] + 40].max() > 60
    assert "pattern" in window.note
    press(window, Key.Key_C)
    assert window.sheet_pixels().max() == 0
    assert window.note == ""


def test_the_hologram_comes_back_when_the_pattern_goes(window: GhostWindow, qtbot: QtBot) -> None:
    window.show_object(CREATURE, LIVE)
    qtbot.wait(200)
    press(window, Key.Key_C)
    pattern = window.sheet_pixels()
    qtbot.wait(120)
    assert (window.sheet_pixels() == pattern).all(), "a pattern stands still"
    press(window, Key.Key_Escape)
    qtbot.waitUntil(lambda: bool((window.sheet_pixels() != pattern).any()), timeout=2000)
    assert not window.setting_up.on


@pytest.mark.complaint(60)
def test_arrows_move_the_chosen_face_by_a_pixel_and_by_ten(window: GhostWindow) -> None:
    density = window.layout_now.screen.px_per_mm
    press(window, Key.Key_C, Key.Key_Tab, Key.Key_Right, Key.Key_Up)
    assert window.rig.trim(1).shift_mm == pytest.approx((1 / density, 1 / density), abs=1e-5)
    press(window, Key.Key_Left, shift=True)
    assert window.rig.trim(1).shift_mm[0] == pytest.approx(-9 / density, abs=1e-5)
    assert window.rig.trim(0) == Trim()
    moved = window.layout_now.face(1).pixels
    assert moved[:2, 2] != pytest.approx(GhostWindow(Rig("A"), "raster").layout_now.face(1).cell[0])


def test_a_nudge_is_seen_at_once_and_only_in_its_face(window: GhostWindow) -> None:
    press(window, Key.Key_C)
    before = window.sheet_pixels()
    press(window, Key.Key_Right, shift=True)
    changed = np.argwhere((window.sheet_pixels() != before).any(axis=2))[:, ::-1]
    cell = window.layout_now.face(0).cell
    assert len(changed) > 100
    assert (changed >= cell.min(axis=0) - 1).all()
    assert (changed <= cell.max(axis=0) + 1).all()


def test_scale_turn_and_gain_have_their_keys(window: GhostWindow) -> None:
    press(window, Key.Key_C, Key.Key_Plus, Key.Key_BracketLeft, Key.Key_Period)
    assert window.rig.trim(0) == Trim(scale=1.005, turn_deg=0.1, gain=1.05)
    press(window, Key.Key_Minus, Key.Key_BracketRight, Key.Key_Comma)
    press(window, Key.Key_BraceRight, shift=True)
    assert window.rig.trim(0) == Trim(turn_deg=-1.0)
    press(window, Key.Key_Backspace)
    assert window.rig.trim(0) == Trim()


@pytest.mark.complaint(60)
def test_one_corner_is_pulled_when_it_is_chosen(window: GhostWindow) -> None:
    step = round(1 / window.layout_now.screen.px_per_mm, 6)
    press(window, Key.Key_C, Key.Key_3, Key.Key_Right, Key.Key_Up, Key.Key_0, Key.Key_Down)
    trim = window.rig.trim(0)
    assert trim.pin_mm == ((0.0, 0.0), (0.0, 0.0), (step, step), (0.0, 0.0))
    assert trim.shift_mm == (0.0, -step)


def test_black_gamma_edges_and_the_mirror_are_for_every_face(window: GhostWindow) -> None:
    press(window, Key.Key_C, Key.Key_D, Key.Key_D, Key.Key_G, Key.Key_E, Key.Key_M)
    rig = window.rig
    assert (rig.tone.crush, rig.tone.gamma, rig.feather_mm, rig.mirror) == (2, 1.05, 0.5, True)
    press(window, Key.Key_M)
    press(window, Key.Key_D, Key.Key_D, Key.Key_D, shift=True)
    assert (window.rig.tone.crush, window.rig.mirror) == (0, False)
    assert "crush" in window.note


def test_what_cannot_be_is_said_and_changes_nothing(window: GhostWindow) -> None:
    window.take_rig(Rig("A").with_trim(0, Trim(gain=4.0)))
    press(window, Key.Key_C, Key.Key_Period)
    assert window.rig.trim(0).gain == 4.0
    assert "gain" in window.note


def test_what_was_set_is_told_once_to_be_kept(window: GhostWindow, qtbot: QtBot) -> None:
    told: list[Rig] = []
    window.setting_up.changed.connect(told.append)
    press(window, Key.Key_C, Key.Key_Right, Key.Key_Right, Key.Key_Plus)
    qtbot.waitUntil(lambda: bool(told), timeout=2000)
    press(window, Key.Key_Up, Key.Key_C)
    assert [rig == window.rig for rig in told] == [False, True]


def test_b_shows_the_patches_to_balance_by(window: GhostWindow) -> None:
    press(window, Key.Key_C)
    pattern = window.sheet_pixels()
    press(window, Key.Key_B)
    patches = window.sheet_pixels()
    assert (patches != pattern).any()
    assert (patches == 128).all(axis=2).sum() > 400


def test_keys_do_nothing_while_the_hologram_is_shown(window: GhostWindow) -> None:
    press(window, Key.Key_Right, Key.Key_Plus, Key.Key_M, Key.Key_D)
    assert window.rig == Rig("A")


def test_panic_is_black_over_the_pattern_too(window: GhostWindow) -> None:
    press(window, Key.Key_C)
    window.dark = True
    assert window.sheet_pixels().max() == 0
    press(window, Key.Key_Right)
    assert window.sheet_pixels().max() == 0
    window.dark = False
    assert window.sheet_pixels().max() > 100


@pytest.mark.complaint(58)
def test_a_spared_screen_drifts_and_never_while_it_is_set_up(
    window: GhostWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.take_rig(window.rig, measured=5.4)
    window.pixel_shift = True
    window._started -= 3600.0
    window._move_on()
    assert window.rig.drift_mm != (0.0, 0.0)
    press(window, Key.Key_C)
    assert window.rig.drift_mm == (0.0, 0.0)
    window._move_on()
    assert window.rig.drift_mm == (0.0, 0.0)
    press(window, Key.Key_C)
    window.pixel_shift = False
    window._move_on()
    assert window.rig.drift_mm == (0.0, 0.0)
