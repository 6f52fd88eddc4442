"""The pyramid to cut: millimetres, and the real angle of the one you have (display A3, A4)."""

import itertools
import re
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.display.drawing import dxf, pdf, svg
from holodesk.display.rig import Rig, Screen
from holodesk.display.sight import share_of_face
from holodesk.display.template import (
    Pyramid,
    Third,
    ghost_offset_mm,
    measured,
    net,
    of_rig,
    thinnest_ghost_mm,
)
from holodesk.errors import Refused


@pytest.mark.parametrize(
    ("lengths", "third", "angle"),
    [
        ((12, 61.5, 43), "edge", 45.3),
        ((15, 60, 35), "slant", 50.0),
        ((25, 90, 70), "slant", 62.3),
        ((10, 60, 35), "slant", 44.4),
    ],
)
def test_the_templates_people_follow_have_other_angles_than_they_say(
    lengths: tuple[float, float, float], third: Third, angle: float
) -> None:
    inner, outer, length = lengths
    assert measured(inner, outer, length, third).slope_deg == pytest.approx(angle, abs=0.2)


def test_lengths_that_cannot_close_are_refused() -> None:
    with pytest.raises(Refused, match="cannot close"):
        measured(10, 60, 35, "edge")


@pytest.mark.parametrize("lengths", [(0, 60, 35), (60, 10, 35), (10, 60, -1), (10, 60, 1e9)])
def test_lengths_of_nothing_are_refused(lengths: tuple[float, float, float]) -> None:
    inner, outer, length = lengths
    with pytest.raises(Refused):
        measured(inner, outer, length, "slant")


def test_the_worked_example() -> None:
    made = of_rig(Rig("A", 4, gap_mm=10, half_mm=100), Screen(800, 800, 4.0))
    assert made.inner_mm == pytest.approx(20, abs=0.05)
    assert made.outer_mm == pytest.approx(200, abs=0.05)
    assert made.slant_mm == pytest.approx(127.3, abs=0.05)
    assert made.height_mm == pytest.approx(90, abs=0.05)
    assert made.base_angle_deg == pytest.approx(54.7, abs=0.1)


@given(st.integers(3, 8), st.floats(1, 80), st.floats(1.2, 10), st.floats(25, 74))
def test_three_lengths_of_any_pyramid_give_its_angle_back(faces, inner, grown, slope) -> None:
    made = Pyramid(faces, inner, inner * grown, slope)
    lengths: tuple[tuple[Third, float], ...] = (
        ("edge", made.edge_mm),
        ("slant", made.slant_mm),
        ("height", made.height_mm),
    )
    for third, length in lengths:
        back = measured(made.inner_mm, made.outer_mm, length, third, faces)
        assert back.slope_deg == pytest.approx(slope, abs=0.01)


@given(st.integers(3, 8), st.floats(5, 40), st.floats(60, 300), st.floats(30, 70))
def test_the_fan_has_every_length_of_the_pyramid(faces, inner, outer, slope) -> None:
    made = Pyramid(faces, inner, outer, slope)
    drawn = net(made)
    (outline,) = drawn.cut
    for one, two in itertools.pairwise(outline[: faces + 1]):
        assert dist(one, two) == pytest.approx(outer, abs=0.05)
    for one, two in drawn.fold[:faces]:
        assert dist(one, two) == pytest.approx(made.edge_mm, abs=0.05)
    assert all(0 < x < drawn.width_mm and 0 < y < drawn.height_mm for x, y in outline)
    one, two = drawn.fold[faces]
    assert dist(one, two) == pytest.approx(100)


def test_every_format_is_to_scale_and_the_same_twice() -> None:
    drawn = net(Pyramid(4, 20, 200, 45))
    for write in (svg, dxf, pdf):
        assert write(drawn) == write(drawn)
    assert f'width="{drawn.width_mm:.3f}mm"'.encode() in svg(drawn)
    box = re.search(rb"MediaBox \[0 0 ([\d.]+)", pdf(drawn))
    assert box is not None
    assert float(box.group(1)) == pytest.approx(drawn.width_mm / 25.4 * 72, abs=0.01)
    assert dxf(drawn).count(b"\nCUT\n") == len(drawn.cut[0]) - 1
    assert b"45.0 degrees" in svg(drawn)


@pytest.mark.complaint(5)
def test_the_ghost_of_the_second_surface() -> None:
    assert ghost_offset_mm(2.0) == pytest.approx(1.52, abs=0.01)
    assert ghost_offset_mm(0.5, index=1.585) == pytest.approx(0.35, abs=0.01)
    assert thinnest_ghost_mm(3.62) * 3.62 == pytest.approx(1.3, abs=0.02)


@pytest.mark.complaint(6)
@pytest.mark.parametrize(
    ("kind", "slope", "eye", "share"),
    [
        ("A", 45, 0, 1.0),
        ("A", 45, 10, 0.82),
        ("A", 45, 20, 0.64),
        ("A", 45, 40, 0.16),
        ("A", 55, 30, 0.75),
        ("A", 60, 30, 1.0),
        ("B", 45, -20, 0.64),
        ("B", 45, -10, 0.82),
    ],
)
def test_how_much_of_a_face_is_seen(kind, slope, eye, share) -> None:
    rig = Rig(kind, 4, slope_deg=slope, gap_mm=0.1, half_mm=100)
    assert share_of_face(rig, eye) == pytest.approx(share, abs=0.01)
