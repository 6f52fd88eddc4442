"""The pictures to set up with: names that read rightly, levels that are what they say."""

import numpy as np
import pytest

from holodesk.display.optics import Layout, layout
from holodesk.display.pattern import NEAR_BLACK, balance_sheet, pattern_sheet
from holodesk.display.raster import Raster
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.sheet import Sheet, upright
from holodesk.display.trace import trace
from holodesk.display.trim import Tone, Trim
from holodesk.gui.ghost.glyphs import letters
from tests.unit.display.looking import Pixels, alike

SMALL = Screen(1280, 720)


def painted(sheet: Sheet, whole: bool = True) -> Pixels:
    raster = Raster(sheet.layout, letters(), whole=whole)
    raster.draw(sheet)
    return raster.screen()


def levels(made: Layout, viewer: int) -> set[int]:
    """Every even patch of grey that a viewer sees, by its level."""
    seen = trace(made, viewer, painted(balance_sheet(made))).picture
    grey = seen[(seen == seen[:, :, :1]).all(axis=2)][:, 0]
    counts = np.bincount(grey, minlength=256)
    return {int(level) for level in np.flatnonzero(counts > 80)}


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_the_balance_patches_are_the_same_in_every_face(kind: Kind) -> None:
    made = layout(Rig(kind), SMALL)
    for viewer in made.rig.viewers:
        assert levels(made, viewer) >= {0, 64, 128, 192, *NEAR_BLACK}


def test_a_gain_shows_in_the_patches_of_its_face_alone() -> None:
    made = layout(Rig("A").with_trim(1, Trim(gain=0.5)), SMALL)
    assert 128 in levels(made, 0)
    assert 128 not in levels(made, 1)


def test_a_crush_makes_the_near_black_patches_black() -> None:
    made = layout(Rig("A", tone=Tone(crush=3)), SMALL)
    assert levels(made, 0) & {1, 3} == set()
    assert painted(balance_sheet(made)).max() > 180


@pytest.mark.parametrize("faces", [3, 4, 6])
@pytest.mark.parametrize("corner", [False, True])
def test_the_pattern_is_read_rightly_by_every_viewer(faces: int, corner: bool) -> None:
    made = layout(Rig("B", faces, corner=corner), SMALL)
    frame = painted(pattern_sheet(made))
    for viewer in made.rig.viewers:
        wanted = painted(pattern_sheet(upright(made, viewer)))
        seen = trace(made, viewer, frame).picture
        likeness = alike(seen, wanted)
        assert likeness > 0.95
        assert likeness > alike(seen, wanted[:, ::-1]) + 0.05


def test_a_mirror_by_hand_says_so_in_the_pattern() -> None:
    words = [
        {
            label.words
            for label in pattern_sheet(layout(Rig(mirror=by_hand), SMALL)).scenes[0].labels
        }
        for by_hand in (False, True)
    ]
    assert not any("mirrored" in word for word in words[0])
    assert any("mirrored by hand" in word for word in words[1])
