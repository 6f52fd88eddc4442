"""What is set right by hand moves a picture as its viewer sees it, and lights nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from holodesk.display.ground import ground
from holodesk.display.optics import Layout, layout
from holodesk.display.pattern import pattern_sheet
from holodesk.display.raster import DARK, Raster
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.trace import trace
from holodesk.display.trim import Tone, Trim
from holodesk.errors import Refused
from holodesk.gui.ghost.glyphs import letters
from tests.unit.display.looking import CREATURE, Pixels, alike, drawn, meant, sees_rightly, stand

SMALL = Screen(1280, 720)


def outside(made: Layout, frame: Pixels) -> int:
    """The brightest level outside every plate."""
    x, y = np.meshgrid(np.arange(frame.shape[1]) + 0.5, np.arange(frame.shape[0]) + 0.5)
    inside = np.zeros(frame.shape[:2], np.bool_)
    for face in made.faces:
        sides = []
        for one, two in zip(face.cell, np.roll(face.cell, -1, axis=0), strict=True):
            way = two - one
            sides.append((x - one[0]) * way[1] - (y - one[1]) * way[0])
        inside |= np.all(np.array(sides) >= -1e-6, axis=0) | np.all(np.array(sides) <= 1e-6, axis=0)
    return int(frame[~inside].max())


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_neutral_trims_change_not_a_single_pixel(kind: Kind) -> None:
    scene = stand(CREATURE)
    bare = drawn(layout(Rig(kind), SMALL), scene)
    made = layout(Rig(kind, trims=(Trim(),) * 4, tone=Tone()), SMALL)
    assert (drawn(made, scene) == bare).all()


@pytest.mark.parametrize("viewer", range(4))
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_a_shift_is_to_the_right_and_up_as_that_viewer_sees_it(kind: Kind, viewer: int) -> None:
    scene, screen = stand(CREATURE), Screen(1280, 720, 4.0)
    plain = layout(Rig(kind), screen)
    made = layout(Rig(kind).with_trim(viewer, Trim(shift_mm=(5.0, 3.0))), screen)
    before, after = drawn(plain, scene), drawn(made, scene)
    was = trace(plain, viewer, before).picture
    seen = trace(made, viewer, after).picture
    assert alike(seen[:-12, 20:], was[12:, :-20]) > 0.97
    for other in set(range(4)) - {viewer}:
        seen, was = trace(made, other, after).picture, trace(plain, other, before).picture
        assert np.abs(seen.astype(int) - was).max() <= 3
    assert outside(made, after) == 0


def test_a_scale_and_a_turn_are_about_the_middle_of_the_picture() -> None:
    made = layout(Rig("A"), SMALL)
    box = made.box
    middle = np.array([0.0, box.bottom_mm + box.height_mm / 2, 1.0])
    half = np.array([box.width_mm / 2, middle[1], 1.0])
    move = Trim(scale=0.5, turn_deg=90.0).matrix(box.width_mm, box.height_mm, box.bottom_mm)
    assert move @ middle == pytest.approx(middle)
    assert (move @ half)[:2] == pytest.approx([0.0, middle[1] + box.width_mm / 4])


def test_each_pinned_corner_goes_where_it_is_pulled() -> None:
    pins = ((1.0, 2.0), (-3.0, 0.5), (4.0, -2.0), (0.0, 6.0))
    move = Trim(pin_mm=pins).matrix(40.0, 30.0, 5.0)
    box = ((-20.0, 5.0), (20.0, 5.0), (20.0, 35.0), (-20.0, 35.0))
    for corner, pin in zip(box, pins, strict=True):
        placed = move @ np.array([*corner, 1.0])
        assert placed[:2] / placed[2] == pytest.approx(np.array(corner) + np.array(pin))


def test_a_pinned_picture_stays_within_its_plate() -> None:
    pins = ((-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0))
    made = layout(Rig("B").with_trim(0, Trim(pin_mm=pins, scale=1.6, turn_deg=20)), SMALL)
    frame = drawn(made, stand(CREATURE))
    assert frame.max() > 100
    assert outside(made, frame) == 0


def test_a_picture_moved_off_its_plate_is_dark_and_breaks_nothing() -> None:
    rig = Rig("A").with_trim(1, Trim(shift_mm=(400.0, 400.0)))
    made = layout(rig, SMALL)
    frame = drawn(made, stand(CREATURE))
    assert trace(made, 1, frame).picture.max() == 0
    assert trace(made, 0, frame).picture.max() > 100


@pytest.mark.parametrize("gain", [0.1, 0.5, 2.0, 4.0])
def test_a_gain_changes_only_the_light_of_its_face(gain: float) -> None:
    scene = stand(CREATURE)
    plain = layout(Rig("A"), SMALL)
    made = layout(Rig("A").with_trim(2, Trim(gain=gain)), SMALL)
    before, after = drawn(plain, scene), drawn(made, scene)
    changed = np.argwhere((before != after).any(axis=2))
    low, high = made.face(2).cell.min(axis=0), made.face(2).cell.max(axis=0)
    assert len(changed) > 500
    assert (changed[:, ::-1] >= low - 1).all()
    assert (changed[:, ::-1] <= high + 1).all()
    lit = before.astype(int).sum(axis=2) > 30
    ratio = after[lit].astype(float).sum() / before[lit].sum()
    assert (ratio > 1) == (gain > 1)


def test_the_light_fades_toward_the_seams_and_nowhere_else() -> None:
    bare, feathered = layout(Rig("A"), SMALL), layout(Rig("A", feather_mm=6.0), SMALL)
    white = _even(bare), _even(feathered)
    face = feathered.face(0)
    seam = (face.cell[1] + face.cell[2]) / 2
    middle = face.cell.mean(axis=0)
    inward = (middle - seam) / np.hypot(*(middle - seam))
    levels = [_at(white[1], seam + inward * step) for step in (1.5, 8.0, 14.0, 40.0)]
    assert levels == sorted(levels)
    assert levels[0] < 60 < 210 < levels[-1]
    assert _at(white[0], seam + inward * 1.5) > 210
    outer = (face.cell[2] + face.cell[3]) / 2
    assert _at(white[1], outer + (middle - outer) * 0.02) > 210


def _even(made: Layout) -> Pixels:
    """Every face alike."""
    raster = Raster(made, letters(), whole=True)
    raster._light.fill(DARK - 2)
    raster._develop()
    return raster.screen()


def _at(frame: Pixels, place: np.ndarray[tuple[int], np.dtype[np.float64]]) -> int:
    return int(frame[int(place[1]), int(place[0])].max())


@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize("faces", [3, 4, 6])
@pytest.mark.parametrize("turn", [0, 90])
def test_faces_toward_the_corners_are_seen_rightly(kind: Kind, faces: int, turn: int) -> None:
    made, scene = layout(Rig(kind, faces, corner=True, turn_deg=turn), SMALL), stand(CREATURE)
    frame = drawn(made, scene)
    assert sees_rightly(made, frame, scene) == []
    assert outside(made, frame) == 0


def test_toward_the_corners_the_square_picture_is_six_percent_larger() -> None:
    square = Screen(1000, 1000, 5.0)
    cross, corner = layout(Rig(), square), layout(Rig(corner=True), square)
    assert cross.box.height_mm == pytest.approx(100 * 2 / 3, abs=0.01)
    assert corner.box.height_mm == pytest.approx(70.71, abs=0.01)


@pytest.mark.complaint(3)
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_the_mirror_by_hand_mirrors_every_picture_and_is_off(kind: Kind) -> None:
    scene = stand(CREATURE)
    assert Rig(kind).mirror is False
    made = layout(Rig(kind, mirror=True), SMALL)
    frame = drawn(made, scene)
    assert sees_rightly(made, frame, scene)
    for viewer in range(4):
        seen = trace(made, viewer, frame).picture
        assert alike(seen[:, ::-1], meant(made, viewer, scene)) > 0.97


@pytest.mark.complaint(59)
def test_crushed_levels_are_exactly_black_and_the_rest_use_the_whole_range() -> None:
    levels = Tone(crush=10).levels
    assert levels[:11].max() == 0
    assert levels[11] > 0
    assert levels[255] == 255
    assert (np.diff(levels.astype(int)) >= 0).all()


def test_gamma_lifts_or_deepens_what_is_dim_and_never_black_or_even() -> None:
    lifted, deepened = Tone(gamma=2.0).levels, Tone(gamma=0.5).levels
    assert (lifted[0], lifted[255], deepened[0], deepened[255]) == (0, 255, 0, 255)
    assert lifted[64] > 64 > deepened[64]


@pytest.mark.parametrize("tone", [Tone(crush=12), Tone(gamma=2.2), Tone(5, 0.6)])
def test_the_picture_is_told_by_the_tone_and_black_stays_black(tone: Tone) -> None:
    scene = stand(CREATURE)
    plain = drawn(layout(Rig(), SMALL), scene)
    made = layout(Rig(tone=tone), SMALL)
    told = drawn(made, scene)
    assert (told == tone.levels[plain]).all()
    assert outside(made, told) == 0


@pytest.mark.complaint(4)
def test_what_is_meant_for_a_viewer_knows_nothing_of_trims() -> None:
    scene = stand(CREATURE)
    plain = layout(Rig(), SMALL)
    rig = Rig(tone=Tone(9, 2.0), feather_mm=3.0, mirror=True, drift_mm=(0.3, 0.1))
    trimmed = layout(rig.with_trim(1, Trim((3.0, 0.0), 0.8, 5.0, gain=2.0)), SMALL)
    assert (meant(plain, 1, scene) == meant(trimmed, 1, scene)).all()


def test_a_drift_moves_the_pictures_and_not_the_plates() -> None:
    plain = layout(Rig(), SMALL)
    moved = layout(Rig(drift_mm=(0.5, -0.25)), SMALL)
    for one, two in zip(plain.faces, moved.faces, strict=True):
        assert (one.cell == two.cell).all()
        away = two.pixels[:2, 2] - one.pixels[:2, 2]
        assert away == pytest.approx(np.array([0.5, -0.25]) * SMALL.px_per_mm)
    assert outside(moved, drawn(moved, stand(CREATURE))) == 0


def test_the_plate_outline_of_the_pattern_stays_where_the_plate_is() -> None:
    plain = layout(Rig(), SMALL)
    trimmed = layout(Rig().with_trim(0, Trim(shift_mm=(4.0, -2.0), turn_deg=8.0)), SMALL)
    corners = []
    for made in (plain, trimmed):
        run = pattern_sheet(made).scenes[0].strokes[0].points[0]
        view = pattern_sheet(made).views[0]
        seen = np.column_stack([run, np.ones(len(run))]) @ view.camera.T
        corners.append(seen[:, :2] / seen[:, 3:])
    assert corners[0] == pytest.approx(corners[1], abs=1e-2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scale": 0.0},
        {"scale": float("nan")},
        {"gain": 5.0},
        {"turn_deg": 181.0},
        {"shift_mm": (0.0, 9e9)},
        {"pin_mm": ((0.0, 0.0),)},
    ],
)
def test_a_measure_out_of_its_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(Refused):
        Trim(**wrong)  # type: ignore[arg-type]


def test_corners_that_cross_are_refused() -> None:
    crossed = Trim(pin_mm=((60.0, 0.0), (-60.0, 0.0), (0.0, 0.0), (0.0, 0.0)))
    with pytest.raises(Refused):
        layout(Rig().with_trim(0, crossed), SMALL)


def test_a_face_that_is_not_there_keeps_its_trim() -> None:
    rig = Rig(off=frozenset({1})).with_trim(3, Trim(gain=2.0))
    made = layout(rig, SMALL)
    assert ground(made).gain.tolist() == [1.0, 1.0, 2.0]
    assert replace(rig, off=frozenset()).trim(3).gain == 2.0
