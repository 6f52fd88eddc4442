"""Matrices, boxes and trapezoids are those of the geometry of mirrors."""

from math import cos, pi, radians, sin, tan

import numpy as np
import pytest

from holodesk.display.optics import layout
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.errors import Refused

WIDE = Screen(4000, 1000, 5.0)
CELLS: dict[Kind, dict[int, list[list[int]]]] = {
    "A": {
        0: [[1, 0], [0, 1]],
        1: [[0, 1], [-1, 0]],
        2: [[-1, 0], [0, -1]],
        3: [[0, -1], [1, 0]],
    },
    "B": {
        0: [[1, 0], [0, 1]],
        1: [[0, -1], [1, 0]],
        2: [[-1, 0], [0, -1]],
        3: [[0, 1], [-1, 0]],
    },
    "C": {
        0: [[1, 0], [0, 1]],
        1: [[0, 1], [-1, 0]],
        2: [[-1, 0], [0, -1]],
        3: [[0, -1], [1, 0]],
    },
}
ORIGINS: dict[Kind, float] = {"A": 10.0, "B": 100.0, "C": -100.0}


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_four_faces_at_45_degrees_are_exact_quarter_turns_with_a_mirror(kind: Kind) -> None:
    made = layout(Rig(kind=kind, gap_mm=10.0), WIDE)
    for face in made.faces:
        assert face.matrix[:2, :2].tolist() == CELLS[kind][face.viewer]
        assert np.linalg.det(face.matrix) == 1.0
        out = np.array([cos(radians(face.azimuth_deg)), sin(radians(face.azimuth_deg))])
        down = 1 if kind == "B" else -1
        wanted = ORIGINS[kind] * out * np.array([1, down])
        assert face.matrix[:2, 2] == pytest.approx(wanted, abs=1e-12)
        assert face.matrix[2].tolist() == [0, 0, 1]


@pytest.mark.parametrize("kind", ["A", "B", "C"])
@pytest.mark.parametrize("faces", range(1, 9))
def test_any_number_of_faces_mirrors_exactly_once(kind: Kind, faces: int) -> None:
    for face in layout(Rig(kind=kind, faces=faces), WIDE).faces:
        assert np.linalg.det(face.matrix) == pytest.approx(1.0)


@pytest.mark.parametrize("aspect", [1.0, 16 / 9, 9 / 16])
@pytest.mark.parametrize("faces", [3, 4, 6, 8])
@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_the_box_is_the_largest_of_its_shape(kind: Kind, faces: int, aspect: float) -> None:
    screen = Screen(4000, 4000, 5.0)
    made = layout(Rig(kind=kind, faces=faces, half_mm=100.0, gap_mm=10.0, aspect=aspect), screen)
    spread = tan(pi / faces)
    tall = 100 / (1 + aspect / (2 * spread))
    if 100 - tall < 10:
        tall = min(90.0, 2 * spread * 10 / aspect)
    assert made.box.height_mm == pytest.approx(tall, abs=1e-6)
    assert made.box.width_mm == pytest.approx(tall * aspect, abs=1e-6)
    bottom = max(0.0, 100 - tall - 10) if kind == "A" else 0.0
    assert made.box.bottom_mm == pytest.approx(bottom, abs=1e-6)


def test_three_faces_are_cut_by_a_square_screen() -> None:
    square = layout(Rig(faces=3), Screen(1000, 1000, 5.0))
    wide = layout(Rig(faces=3), Screen(2000, 1000, 5.0))
    assert square.box.height_mm < wide.box.height_mm


def test_the_trapezoid_is_where_the_plate_stands() -> None:
    made = layout(Rig("A", gap_mm=10.0, half_mm=90.0), Screen(1000, 1000, 5.0))
    assert made.height_mm == pytest.approx(80.0)
    front = made.face(0).cell
    assert sorted(map(tuple, np.round(front).astype(int).tolist())) == [
        (50, 950),
        (450, 550),
        (550, 550),
        (950, 950),
    ]


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_the_general_matrix_meets_the_exact_one_at_45_degrees(kind: Kind) -> None:
    exact = layout(Rig(kind, slope_deg=45.0, eye_distance_mm=600.0), WIDE)
    near = layout(Rig(kind, slope_deg=45.0 + 1e-9, eye_distance_mm=600.0), WIDE)
    for one, two in zip(exact.faces, near.faces, strict=True):
        assert two.matrix / two.matrix[2, 2] == pytest.approx(one.matrix, abs=1e-5)


def test_a_turn_turns_the_whole_picture_clockwise() -> None:
    plain = layout(Rig(), Screen(1000, 1000, 5.0)).face(0).cell - 500
    quarter = layout(Rig(turn_deg=90), Screen(1000, 1000, 5.0)).face(0).cell - 500
    assert quarter == pytest.approx(np.column_stack([-plain[:, 1], plain[:, 0]]))


def test_a_viewer_without_a_face_is_refused() -> None:
    made = layout(Rig(off=frozenset({2})), WIDE)
    with pytest.raises(Refused):
        made.face(2)


def test_a_gap_wider_than_the_screen_is_refused() -> None:
    with pytest.raises(Refused):
        layout(Rig(gap_mm=500.0), WIDE)


def test_an_eye_that_sees_nothing_is_refused() -> None:
    with pytest.raises(Refused):
        layout(Rig("A", slope_deg=30.0, eye_elevation_deg=70.0), WIDE)
