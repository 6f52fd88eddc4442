"""A rig is what was built, or it is refused."""

from math import radians, tan

import pytest

from holodesk.display.rig import Rig, Screen
from holodesk.errors import Refused


@pytest.mark.parametrize(
    "measures",
    [
        {"kind": "D"},
        {"faces": 0},
        {"faces": 9},
        {"turn_deg": 45},
        {"slope_deg": 90.0},
        {"slope_deg": float("nan")},
        {"gap_mm": 0.0},
        {"gap_mm": 60.0, "half_mm": 50.0},
        {"aspect": 0.0},
        {"eye_distance_mm": 1.0},
        {"off": frozenset({0, 1, 2, 3})},
    ],
)
def test_a_measure_out_of_its_range_is_refused(measures: dict[str, object]) -> None:
    with pytest.raises(Refused):
        Rig(**measures)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wide", "high", "density"), [(0, 720, 4.0), (1280, 99999, 4.0), (1280, 720, 0.0)]
)
def test_a_screen_that_cannot_be_is_refused(wide: int, high: int, density: float) -> None:
    with pytest.raises(Refused):
        Screen(wide, high, density)


def test_viewers_go_counter_clockwise_from_the_front() -> None:
    rig = Rig(faces=4)
    assert [rig.viewer_name(viewer) for viewer in rig.viewers] == ["front", "right", "back", "left"]
    assert [rig.azimuth_deg(viewer) for viewer in rig.viewers] == [-90.0, 0.0, 90.0, 180.0]


def test_a_face_that_is_not_there_has_no_viewer() -> None:
    assert Rig(off=frozenset({2})).viewers == (0, 1, 3)


@pytest.mark.parametrize("faces", [1, 2])
def test_one_and_two_faces_are_as_wide_as_four(faces: int) -> None:
    assert Rig(faces=faces).spread == pytest.approx(tan(radians(45)))
