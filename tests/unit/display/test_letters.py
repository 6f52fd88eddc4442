"""Words are readable, Latin is there, and what is missing is seen to be missing."""

import numpy as np
import pytest

from holodesk.display.letters import MISSING, set_line, width
from holodesk.display.optics import layout
from holodesk.display.rig import Rig, Screen
from holodesk.display.scene import Label, Scene
from holodesk.display.sheet import upright
from holodesk.gui.ghost.glyphs import letters
from tests.unit.display.looking import Pixels, alike, drawn

MADE = layout(Rig(), Screen(1280, 720))


def written(*labels: Label, viewer: int = 0) -> Pixels:
    return drawn(upright(MADE, viewer), Scene(labels=labels), None)


def test_every_latin_letter_has_a_glyph() -> None:
    latin = [chr(code) for code in (*range(0x21, 0x7F), *range(0xA1, 0x180)) if code != 0xAD]
    missing = letters().glyphs[ord(MISSING)]
    assert [
        letter for letter in latin if set_line(letter, False, letters()).glyphs[0] == missing
    ] == [letter for letter in latin if ord(letter) not in letters().glyphs]
    assert sum(ord(letter) in letters().glyphs for letter in latin) >= len(latin) - 6


def test_what_is_missing_is_an_open_box() -> None:
    missing = letters().glyphs[ord(MISSING)]
    assert set_line("水", False, letters()).glyphs.tolist() == [missing]
    assert written(Label("水", (0, 0, 0.7), 0.2)).max() > 150


def test_a_letter_and_its_accent_are_one() -> None:
    assert set_line("e\u0301", False, letters()).glyphs.size == 1


def test_control_characters_are_spaces() -> None:
    assert set_line("a\tb\nc", False, letters()).width == set_line("a b c", False, letters()).width


def test_numbers_and_addresses_have_one_width() -> None:
    assert width("11111111", 0.1, letters(), mono=True) == pytest.approx(
        width("9f3c2a71", 0.1, letters(), mono=True)
    )


def test_a_line_that_would_be_too_wide_is_made_smaller() -> None:
    long = "a line that is far too wide for the box it stands in"
    wide = written(Label(long, (0, 0, 0.7), 0.12))
    fitted = written(Label(long, (0, 0, 0.7), 0.12, fit=1.6))
    assert wide[:, :8].max() > 60
    columns = np.flatnonzero(fitted.max(axis=(0, 2)) > 60)
    assert columns[0] > 12
    assert columns[-1] < 228


@pytest.mark.parametrize("viewer", range(4))
def test_words_face_every_viewer(viewer: int) -> None:
    front = written(Label("front", (0, 0, 0.7), 0.2))
    assert alike(written(Label("front", (0, 0, 0.7), 0.2), viewer=viewer), front) > 0.999


def test_words_that_lie_in_space_are_not_seen_from_behind() -> None:
    label = Label("front", (0, -0.2, 0.7), 0.2, right=(1.0, 0.0, 0.0))
    assert written(label).max() > 150
    assert written(label, viewer=2).max() == 0
    assert written(label, viewer=1).max() == 0


@pytest.mark.parametrize("align", [-1, 0, 1])
def test_words_begin_end_or_stand_where_they_are_told(align: int) -> None:
    columns = np.flatnonzero(
        written(Label("wide", (0, 0, 0.7), 0.15, align=align)).max(axis=(0, 2)) > 80
    )
    middle = (columns[0] + columns[-1]) / 2
    assert {-1: middle > 140, 0: abs(middle - 120) < 6, 1: middle < 100}[align]
