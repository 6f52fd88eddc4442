"""Light on black, exactly nothing outside the faces, and the same octets for the same sheet."""

from dataclasses import replace

import numpy as np
import pytest

from holodesk.display.ground import ground
from holodesk.display.life import Life
from holodesk.display.optics import Layout, layout
from holodesk.display.pattern import pattern_sheet
from holodesk.display.pose import pose
from holodesk.display.raster import Raster
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.scene import Plate, Scene, dots, facets, strokes
from holodesk.display.sheet import sheet, upright
from holodesk.gui.ghost.glyphs import letters
from tests.unit.display.looking import CREATURE, OBJECTS, PLATE, Pixels, drawn, stand

SMALL = Screen(1280, 720)


def outside(made: Layout, pixels: Pixels) -> int:
    """The brightest level outside every trapezoid; a pixel is outside when its middle is."""
    x = np.arange(made.screen.width_px) + 0.5
    y = np.arange(made.screen.height_px) + 0.5
    inside = np.zeros((len(y), len(x)), bool)
    for face in made.faces:
        within = np.ones_like(inside)
        corners, middle = face.cell, face.cell.mean(axis=0)
        for one, two in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            way = two - one
            side = (x - one[0])[None] * way[1] - (y - one[1])[:, None] * way[0]
            here = (middle[0] - one[0]) * way[1] - (middle[1] - one[1]) * way[0]
            within &= side * np.sign(here) >= -1e-6
        inside |= within
    return int(pixels[~inside].max(initial=0))


@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize("faces", [1, 3, 4, 6, 8])
def test_outside_the_faces_is_exactly_black(kind: Kind, faces: int) -> None:
    made = layout(Rig(kind, faces), SMALL)
    raster = Raster(made, letters(), whole=True)
    big = dots([0, 0, 0.7], radius=0.9, colour=3.0, glow=8.0)
    for scene in (stand(CREATURE), Scene(dots=(big,))):
        raster.draw(sheet(scene, made, PLATE))
        assert raster.screen().max() == 255
        assert outside(made, raster.screen()) == 0


def test_outside_the_faces_of_the_test_picture_is_exactly_black() -> None:
    made = layout(Rig("B", 5), SMALL)
    raster = Raster(made, letters(), whole=True)
    raster.draw(pattern_sheet(made))
    assert raster.screen().max() > 200
    assert outside(made, raster.screen()) == 0


def test_a_face_that_is_not_there_stays_black() -> None:
    made = layout(Rig(off=frozenset({1})), SMALL)
    pixels = drawn(made, stand(CREATURE))
    assert outside(made, pixels) == 0
    assert pixels[240:480, 760:].max() == 0
    assert pixels[240:480, :520].max() > 100


def test_nothing_is_all_black() -> None:
    made = layout(Rig(), SMALL)
    assert drawn(made, Scene(), None).max() == 0


@pytest.mark.parametrize("name", OBJECTS)
def test_the_same_sheet_gives_the_same_octets(name: str) -> None:
    made, scene = layout(Rig(), SMALL), stand(OBJECTS[name])
    once = drawn(made, scene)
    raster = Raster(made, letters())
    raster.draw(sheet(stand(CREATURE, 9.0), made, PLATE))
    raster.draw(sheet(scene, made, PLATE))
    assert (raster.screen() == once).all()


@pytest.mark.parametrize("name", OBJECTS)
def test_every_object_is_bright_in_every_view(name: str) -> None:
    made, scene = layout(Rig(), SMALL), stand(OBJECTS[name])
    for viewer in made.rig.viewers:
        picture = drawn(upright(made, viewer), scene, None)
        assert picture.max() > 150
        rows = np.flatnonzero(picture.max(axis=(1, 2)) > 24)
        assert (rows[-1] - rows[0]) / len(picture) > 0.6


def test_a_stale_head_is_never_as_bright_as_a_live_one() -> None:
    made, scene = layout(Rig(), SMALL), stand(CREATURE)
    live = drawn(made, scene, PLATE)
    for word in ("stale", "refused"):
        old = drawn(made, scene, Plate(PLATE.frame_hash, PLATE.seq, word))
        assert old.mean() < 0.75 * live.mean()


def test_a_bent_stroke_has_no_gaps_and_no_knots() -> None:
    made = upright(layout(Rig(), Screen(1920, 1080)), 0)
    angle = np.linspace(0.2, 6.0, 60)
    run = np.stack([0.6 * np.cos(angle), 0 * angle, 0.7 + 0.6 * np.sin(angle)], axis=1)
    scene = Scene((strokes(run, width=0.05, colour=1.0, glow=0.0),))
    raster = Raster(made, letters())
    raster.draw(sheet(scene, made))
    light = -np.log(1 - raster.screen()[:, :, 0].astype(float) / 256)
    camera = sheet(scene, made).views[0].camera
    fine = np.linspace(0.3, 5.9, 900)
    points = np.stack([0.6 * np.cos(fine), 0 * fine, 0.7 + 0.6 * np.sin(fine), 1 + 0 * fine])
    seen = camera @ points
    columns = np.floor(seen[0] / seen[3]).astype(int)
    rows = np.floor(seen[1] / seen[3]).astype(int)
    along = light[rows, columns]
    assert along.min() > 0.93 * np.median(along)
    assert along.max() < 1.07 * np.median(along)


def test_light_adds_up() -> None:
    made = upright(layout(Rig(), SMALL), 0)
    one = strokes([[-0.5, 0, 0.7], [0.5, 0, 0.7]], width=0.2, colour=0.3, glow=0.0)
    single, double = drawn(made, Scene((one,)), None), drawn(made, Scene((one, one)), None)
    light = -np.log(1 - np.array([single.max(), double.max()]) / 255)
    assert light[1] == pytest.approx(2 * light[0], rel=0.03)


def test_a_near_triangle_hides_what_is_behind_it() -> None:
    made = upright(layout(Rig(), SMALL), 0)
    wall = [[[-0.8, -0.3, 0.1], [0.8, -0.3, 0.1], [0.0, -0.3, 1.5]]]
    red = facets(wall, colour=(1.0, 0.0, 0.0))
    behind = facets(np.add(wall, [0, 0.6, 0]), colour=(0.0, 1.0, 0.0))
    line = strokes([[-0.1, 0.3, 0.5], [0.1, 0.3, 0.5]], width=0.05, colour=(0.0, 0.0, 2.0), glow=0)
    for order in ((red, behind), (behind, red)):
        picture = drawn(made, Scene((line,), (), order), None)
        middle = picture[110:150, 110:130]
        assert middle[..., 0].min() > 80
        assert middle[..., 1:].max() == 0


def test_a_large_triangle_is_filled_without_holes() -> None:
    made = upright(layout(Rig(), Screen(1920, 1080)), 0)
    flat = [
        [[-0.9, 0, 0.0], [0.9, 0, 0.0], [0.9, 0, 1.5]],
        [[-0.9, 0, 0.0], [0.9, 0, 1.5], [-0.9, 0, 1.5]],
    ]
    picture = drawn(made, Scene(facets=(facets(flat, colour=0.7),)), None)
    assert picture[60:270, 30:330].min() > 60


def test_what_turns_away_is_not_seen() -> None:
    made = layout(Rig(), SMALL)
    lamp = dots([0, 0, 0.7], radius=0.1, colour=1.0, normal=(0.0, -1.0, 0.0), glow=0.0)
    bright = [drawn(upright(made, viewer), Scene(dots=(lamp,)), None).max() for viewer in range(4)]
    assert bright[0] > 100
    assert bright[2] == 0


def test_what_leaves_the_box_harms_nothing() -> None:
    made = layout(Rig("A", 6), SMALL)
    wild = strokes([[-50.0, 3.0, 9.0], [70.0, -20.0, -4.0], [1e6, 1e6, 1e6]], width=0.1, colour=1.0)
    far = dots([[0.0, 0.0, 900.0], [0.0, -6.5, 0.75]], radius=[5.0, 3.0], colour=1.0)
    assert outside(made, drawn(made, Scene((wild,), (far,)))) == 0


def test_a_sheet_of_another_scale_is_the_same_picture() -> None:
    fine, coarse = layout(Rig(), Screen(1440, 1080)), layout(Rig(), Screen(720, 540, 96 / 50.8))
    large, small = drawn(fine, stand(CREATURE)), drawn(coarse, stand(CREATURE))
    shrunk = large.reshape(540, 2, 720, 2, 3).mean(axis=(1, 3))
    assert np.corrcoef(shrunk.ravel(), small.ravel())[0, 1] > 0.98


def test_the_ground_of_eight_faces_shares_no_pixel() -> None:
    laid = ground(layout(Rig("B", 8), SMALL), whole=True)
    owned = np.zeros((720, 1280), int)
    for number in range(8):
        left, top = int(laid.left[number]), int(laid.top[number])
        for row, line in enumerate(laid.owned[number]):
            for column in np.flatnonzero(line):
                owned[top + row, left + column] += 1
    assert owned.max() == 1


def test_moving_the_light_gain_moves_every_pixel_down() -> None:
    made = layout(Rig(), SMALL)
    bright = sheet(pose(CREATURE, Life(1.0)), made)
    raster = Raster(made, letters())
    full = raster.draw(bright).copy()
    half = raster.draw(replace(bright, light=0.5)).copy()
    assert (half <= full).all()
    assert half.sum() < full.sum()
