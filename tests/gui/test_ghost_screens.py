"""A screen is named and measured truly, or one clear sentence says that it is not there."""

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from holodesk.display.rig import PX_PER_MM
from holodesk.errors import Unavailable
from holodesk.gui.ghost.choose import choose
from holodesk.gui.ghost.screens import find_screen, listed, plausible, px_per_mm


def test_every_screen_is_listed_with_its_pixels(qapp: QGuiApplication) -> None:
    screens = listed()
    assert len(screens) == len(QGuiApplication.screens())
    assert all(screen.width_px > 0 and screen.height_px > 0 for screen in screens)
    assert str(screens[0].width_px) in screens[0].title


@pytest.mark.complaint(14)
def test_a_screen_is_found_by_its_name(qapp: QGuiApplication) -> None:
    screen = QGuiApplication.primaryScreen()
    assert find_screen(screen.name()) is screen


def test_a_screen_that_is_not_there_is_told_in_one_sentence(qapp: QGuiApplication) -> None:
    with pytest.raises(Unavailable) as problem:
        find_screen("PYRAMID-7")
    assert "PYRAMID-7" in problem.value.message
    assert "\n" not in problem.value.message


@pytest.mark.complaint(24)
@pytest.mark.parametrize(
    ("wide", "high"), [(0, 0), (1, 1), (160, 90), (16, 9), (600, 200), (20000, 11250)]
)
def test_a_size_that_cannot_be_is_not_believed(wide: float, high: float) -> None:
    assert not plausible(wide, high, 1920, 1080)


@pytest.mark.parametrize(("wide", "high"), [(531, 299), (598, 336), (1020, 574), (155, 87)])
def test_a_true_size_is_believed(wide: float, high: float) -> None:
    assert plausible(wide, high, 1920, 1080)


def test_no_screen_has_a_usual_density() -> None:
    assert px_per_mm(None) == (PX_PER_MM, False)


@pytest.mark.complaint(32)
def test_without_a_context_the_raster_draws_and_gl_is_refused(qtbot: QtBot) -> None:
    chosen, found = choose("auto")
    if found.gpu:
        assert chosen == "gl"
        return
    assert chosen == "raster"
    if not found.name:
        with pytest.raises(Unavailable):
            choose("gl")


def test_the_raster_is_drawn_where_it_is_asked_for() -> None:
    assert choose("raster")[0] == "raster"
