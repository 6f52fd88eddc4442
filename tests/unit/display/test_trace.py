"""Every viewer sees it upright, unmirrored and from their own side: by rays, on real output."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holodesk.display.optics import Layout, layout
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.trace import rays, trace
from holodesk.errors import Refused
from tests.unit.display.looking import (
    CREATURE,
    PLATE,
    Pixels,
    alike,
    cell_box,
    drawn,
    meant,
    sees_rightly,
    stand,
)

SMALL = Screen(1280, 720)


@pytest.mark.complaint(1)
@pytest.mark.parametrize(
    "screen", [SMALL, Screen(1920, 1080), Screen(720, 1280), Screen(1366, 768)]
)
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_four_viewers_see_it_upright_and_unmirrored(kind: Kind, screen: Screen) -> None:
    made, scene = layout(Rig(kind), screen), stand(CREATURE)
    assert sees_rightly(made, drawn(made, scene), scene) == []


@pytest.mark.parametrize("faces", [1, 2, 3, 5, 6, 8])
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_any_number_of_viewers_see_it_rightly(kind: Kind, faces: int) -> None:
    made, scene = layout(Rig(kind, faces), SMALL), stand(CREATURE)
    assert sees_rightly(made, drawn(made, scene), scene) == []


@pytest.mark.complaint(39)
@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_a_turned_screen_is_seen_rightly(kind: Kind, turn: int) -> None:
    made, scene = layout(Rig(kind, turn_deg=turn), SMALL), stand(CREATURE)
    assert sees_rightly(made, drawn(made, scene), scene) == []


@settings(max_examples=14, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    kind=st.sampled_from(["A", "B", "C"]),
    faces=st.integers(1, 8),
    turn=st.sampled_from([0, 90, 180, 270]),
    slope=st.floats(35, 60),
    lift=st.floats(-8, 20),
    distance=st.sampled_from([450.0, 600.0, 1500.0, 5000.0]),
)
def test_any_rig_and_eye_sees_it_rightly(
    kind: Kind, faces: int, turn: int, slope: float, lift: float, distance: float
) -> None:
    rig = Rig(
        kind,
        faces,
        turn_deg=turn,
        slope_deg=slope,
        eye_elevation_deg=lift,
        eye_distance_mm=distance,
    )
    try:
        made = layout(rig, Screen(1200, 1200))
    except Refused:
        return
    if made.box.height_mm < made.half_mm * 0.3:
        return
    scene = stand(CREATURE)
    assert sees_rightly(made, drawn(made, scene), scene, level=0.15) == []


def _mirrored(made: Layout, frame: Pixels, viewer: int) -> Pixels:
    place = cell_box(made, viewer)
    broken = frame.copy()
    broken[place] = frame[place][:, ::-1]
    return broken


def _swapped(made: Layout, frame: Pixels, one: int, two: int) -> Pixels:
    """Two opposite cells changed for each other, each turned as the other was."""
    first, second = cell_box(made, one), cell_box(made, two)
    broken = frame.copy()
    broken[first], broken[second] = frame[second][::-1, ::-1], frame[first][::-1, ::-1]
    return broken


@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize("viewer", range(4))
def test_one_mirrored_cell_is_found(kind: Kind, viewer: int) -> None:
    made, scene = layout(Rig(kind), SMALL), stand(CREATURE)
    wrong = sees_rightly(made, _mirrored(made, drawn(made, scene), viewer), scene)
    assert wrong
    assert all(problem.startswith(f"{viewer}:") for problem in wrong)


@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize(("one", "two"), [(0, 2), (1, 3)])
def test_two_swapped_cells_are_found(kind: Kind, one: int, two: int) -> None:
    made, scene = layout(Rig(kind), SMALL), stand(CREATURE)
    wrong = sees_rightly(made, _swapped(made, drawn(made, scene), one, two), scene)
    assert {problem[0] for problem in wrong} == {str(one), str(two)}


@pytest.mark.parametrize("other", ["B", "C"])
def test_the_picture_of_another_rig_is_found(other: Kind) -> None:
    scene = stand(CREATURE)
    frame = drawn(layout(Rig("A"), SMALL), scene)
    assert sees_rightly(layout(Rig(other), SMALL), frame, scene)


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_every_viewer_can_read_the_plate(kind: Kind) -> None:
    made, scene = layout(Rig(kind), SMALL), stand(CREATURE)
    frame, bare = drawn(made, scene), drawn(made, scene, None)
    for viewer in made.rig.viewers:
        wanted = meant(made, viewer, scene).astype(int) - meant(made, viewer, scene, None)
        seen = trace(made, viewer, frame).picture.astype(int) - trace(made, viewer, bare).picture
        assert wanted.max() > 90
        assert alike(seen, wanted) > 0.95
        assert alike(seen, wanted[:, ::-1]) < 0.5
        below = wanted[int(0.8 * len(wanted)) :].sum() / wanted.sum()
        assert below > 0.99, "the plate stands under the feet"


def test_a_ray_that_misses_sees_nothing() -> None:
    made = layout(Rig("A", eye_elevation_deg=0.0), SMALL)
    high = layout(Rig("A", eye_elevation_deg=35.0), SMALL)
    white = np.full((720, 1280, 3), 255, np.uint8)
    assert trace(made, 0, white).picture.min() == 255
    assert rays(high, 0).share > 0.99
    assert high.box.height_mm < made.box.height_mm


def test_a_preview_may_be_traced_smaller() -> None:
    made = layout(Rig(), Screen(1920, 1080))
    frame = drawn(made, stand(CREATURE))
    small, large = trace(made, 0, frame, 150).picture, trace(made, 0, frame).picture
    assert small.shape == (150, 150, 3)
    assert large.shape[0] > 2 * small.shape[0]
    assert abs(float(small.mean()) - float(large.mean())) < 0.1 * float(large.mean())


def test_the_plate_of_the_picture_is_the_plate_given() -> None:
    made, scene = layout(Rig(), SMALL), stand(CREATURE)
    other = type(PLATE)("00112233", 7, "live")
    one, two = meant(made, 0, scene), meant(made, 0, scene, other)
    assert (one != two).any()
