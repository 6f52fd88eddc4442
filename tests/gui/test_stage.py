"""What is known of a screen comes to the output, and what is set there is kept."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Rig
from holodesk.display.trim import Tone, Trim
from holodesk.errors import Usage
from holodesk.gui.ghost.identify import Number
from holodesk.gui.ghost.ruler import Ruler, true_density
from holodesk.gui.ghost.screens import listed, px_per_mm
from holodesk.gui.ghost.window import GhostWindow
from holodesk.gui.stage import MIRRORED, UNKNOWN_SIZE, Stage
from holodesk.host.profiles import Shelf, profiles_folder, write_profile

ROOM = QRect(0, 0, 1280, 720)
Key = Qt.Key


@pytest.fixture
def output(qtbot: QtBot) -> Iterator[GhostWindow]:
    made = GhostWindow(Rig("A"), "raster")
    qtbot.addWidget(made)
    yield made
    made.close()


@pytest.fixture
def console(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def stage(output: GhostWindow, console: QWidget) -> Stage:
    made = Stage(output, console.screen, Shelf())
    made.open(None, ROOM)
    return made


def here() -> Bound:
    """The one screen there is."""
    return listed()[0].bound


def keep(profile: Profile) -> None:
    Shelf().keep(profile)


@pytest.mark.complaint(17)
def test_with_one_screen_the_output_is_a_window(stage: Stage, output: GhostWindow) -> None:
    assert output.isVisible()
    assert not output.isFullScreen()
    assert output.note == ""


def test_what_is_known_of_the_screen_comes_to_the_output(
    output: GhostWindow, console: QWidget
) -> None:
    rig = Rig("B", trims=(Trim(gain=0.5),), tone=Tone(6), mirror=True)
    keep(Profile(here(), rig, px_per_mm=4.5, pixel_shift=True))
    Stage(output, console.screen, Shelf()).open(None, ROOM)
    assert output.rig == rig
    assert output.layout_now.screen.px_per_mm == 4.5
    assert output.pixel_shift
    assert MIRRORED in output.note


def test_the_rig_that_was_asked_for_counts_more(output: GhostWindow, console: QWidget) -> None:
    keep(Profile(here(), Rig("B", 6)))
    Stage(output, console.screen, Shelf(), "C").open(None, ROOM)
    assert output.rig == Rig("C", 6)


def test_a_broken_profile_is_said_and_the_rig_is_as_asked(
    output: GhostWindow, console: QWidget
) -> None:
    profiles_folder().mkdir(parents=True)
    (profiles_folder() / "x.toml").write_text("[rig]\nkind = 3\n")
    Stage(output, console.screen, Shelf()).open(None, ROOM)
    assert "x.toml.broken" in output.note
    assert output.rig == Rig("A")


@pytest.mark.complaint(8)
def test_keys_on_the_output_are_kept_for_that_screen(
    stage: Stage, output: GhostWindow, qtbot: QtBot
) -> None:
    for key in (Key.Key_C, Key.Key_Tab, Key.Key_Right, Key.Key_Plus, Key.Key_C):
        QTest.keyClick(output, key)
    kept = Shelf().find(here())
    assert kept is not None
    assert kept.rig.trim(1).scale == 1.005
    assert kept.rig.trim(1).shift_mm[0] > 0
    assert kept.rig == output.rig


def test_a_profile_that_cannot_be_kept_is_said(stage: Stage, output: GhostWindow) -> None:
    profiles_folder().parent.mkdir(parents=True, exist_ok=True)
    profiles_folder().write_text("in the way")
    for key in (Key.Key_C, Key.Key_Plus, Key.Key_C):
        QTest.keyClick(output, key)
    assert "cannot be kept" in output.note


def test_the_measured_bar_makes_millimetres_true_and_is_kept(
    stage: Stage, output: GhostWindow
) -> None:
    before = output.layout_now.screen.px_per_mm
    stage.take_length(92.0)
    assert output.layout_now.screen.px_per_mm == pytest.approx(before * 100 / 92)
    kept = Shelf().find(here())
    assert kept is not None
    assert kept.px_per_mm == pytest.approx(before * 100 / 92)
    with pytest.raises(Usage):
        stage.take_length(0.0)


def test_r_lays_the_bar_over_the_output_and_takes_what_is_typed(
    stage: Stage, output: GhostWindow, qtbot: QtBot
) -> None:
    QTest.keyClick(output, Key.Key_R)
    ruler = stage.ruler
    assert ruler is not None
    assert ruler.geometry() == output.geometry()
    density = output.layout_now.screen.px_per_mm
    assert ruler.bar().width() == pytest.approx(100 * density, abs=0.5)
    QTest.keyClicks(ruler.field, "125,0")
    QTest.keyClick(ruler.field, Key.Key_Return)
    assert output.layout_now.screen.px_per_mm == pytest.approx(density * 0.8)
    qtbot.waitUntil(lambda: stage.ruler is None, timeout=2000)


@pytest.mark.parametrize("density", [3.0, 3.6182, 5.42])
def test_a_hundred_millimetres_are_a_hundred_within_three_tenths(
    density: float, qtbot: QtBot
) -> None:
    ruler = Ruler(density)
    qtbot.addWidget(ruler)
    ruler.resize(1280, 720)
    image = ruler.grab().toImage()
    row = ruler.bar().center().y()
    lit = sum(image.pixelColor(x, row).lightness() > 128 for x in range(image.width()))
    assert lit / density == pytest.approx(100, abs=0.3)


def test_a_card_is_fitted_by_plus_and_minus(qtbot: QtBot) -> None:
    ruler = Ruler(4.0)
    qtbot.addWidget(ruler)
    ruler.resize(1280, 720)
    wide = ruler.card().width()
    told: list[float] = []
    ruler.measured.connect(told.append)
    for _ in range(10):
        QTest.keyClick(ruler, Key.Key_Plus)
    assert ruler.card().width() == pytest.approx(wide * 1.005**10, abs=1)
    QTest.keyClick(ruler.field, Key.Key_Return)
    assert told == [pytest.approx(4.0 * 1.005**10)]


@pytest.mark.parametrize("typed", ["a hand", "0", "-5", "1e9", "nan"])
def test_a_length_that_cannot_be_is_said_and_the_bar_stays(typed: str, qtbot: QtBot) -> None:
    ruler = Ruler(4.0)
    qtbot.addWidget(ruler)
    told: list[float] = []
    ruler.measured.connect(told.append)
    ruler.field.setText(typed)
    QTest.keyClick(ruler.field, Key.Key_Return)
    assert told == []
    assert "found" in ruler.told.text()


def test_a_screen_that_lies_about_its_size_asks_for_the_ruler(
    stage: Stage, output: GhostWindow
) -> None:
    screen = replace(listed()[0], measured=False)
    stage.take(screen)
    assert UNKNOWN_SIZE in output.note
    stage.take_measure(3.5)
    assert output.note == ""
    stage.take(screen)
    assert output.note == ""
    assert output.layout_now.screen.px_per_mm == 3.5


def test_a_screen_without_a_profile_forgets_the_measure_of_the_last(
    stage: Stage, output: GhostWindow
) -> None:
    stage.take_measure(9.0)
    other = replace(listed()[0], serial="OTHER", name="OTHER-1", measured=False)
    stage.take(other)
    assert output.layout_now.screen.px_per_mm == px_per_mm(output.screen())[0] != 9.0


@pytest.mark.complaint(12)
def test_the_menu_lists_every_screen_and_what_one_can_do(stage: Stage) -> None:
    menu = QMenu()
    stage.add_to(menu)
    inner = menu.actions()[-1].menu()
    assert isinstance(inner, QMenu)
    words = [action.text() for action in inner.actions() if action.text()]
    assert len(words) == len(QGuiApplication.screens()) + 4
    assert listed()[0].name in words[0]


@pytest.mark.complaint(16)
def test_every_screen_shows_its_number_and_it_goes(stage: Stage, qtbot: QtBot) -> None:
    stage.identify()
    shown = stage.numbers
    assert [number.number for number in shown] == [1]
    assert shown[0].isVisible()
    assert "1" in shown[0].accessibleName()
    image = shown[0].grab().toImage()
    assert image.pixelColor(0, 0).lightness() == 0
    lit = [image.pixelColor(x, 100).lightness() for x in range(image.width())]
    assert max(lit) > 100
    shown[0].close()


def test_a_named_profile_is_used_and_kept_in_its_own_file(
    output: GhostWindow, console: QWidget, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("p") / "stage.toml"
    named = Profile(Bound("", "HDMI-9", 800, 600), Rig("C", gap_mm=9.0))
    write_profile(path, named)
    made = Stage(output, console.screen, Shelf(named=path))
    made.open(None, ROOM, named)
    assert output.rig.kind == "C"
    assert (output.width(), output.height()) == (800, 600)
    for key in (Key.Key_C, Key.Key_Plus, Key.Key_C):
        QTest.keyClick(output, key)
    kept = Shelf(named=path).find(here())
    assert kept is not None
    assert kept.rig.trim(0).scale == 1.005
    assert not profiles_folder().exists()


def test_a_number_is_large(qtbot: QtBot) -> None:
    number = Number(2, QGuiApplication.primaryScreen())
    qtbot.addWidget(number)
    assert number.height() >= 200


def test_true_density_follows_the_ruler() -> None:
    assert true_density(4.0, 80.0) == 5.0
    with pytest.raises(ValueError, match="found"):
        true_density(4.0, 2.0)
