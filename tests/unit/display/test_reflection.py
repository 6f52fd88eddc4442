"""The reflection of every rig, screen and slope is right; every wrong one is caught (display A7).

Rays through the plates over really drawn frames. A few cases that meet every value are always run;
`pytest -m slow tests/unit/display/test_reflection.py` runs all of them.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from holodesk.display.optics import Array, Layout, layout
from holodesk.display.rig import Kind, Rig, Screen
from holodesk.display.trace import trace
from tests.unit.display.looking import CREATURE, Pixels, alike, drawn, meant, stand, turned

Case = tuple[Kind, int, int, tuple[int, int], float, float]

KINDS: tuple[Kind, ...] = ("A", "B", "C")
FACES = (3, 4, 6, 8)
TURNS = (0, 90, 180, 270)
SIZES = ((1280, 720), (1920, 1080), (1080, 1920), (3840, 2160))
SCALES = (1.0, 1.5, 2.0)
SLOPES = (45.0, 50.0, 60.0)
SOME: tuple[Case, ...] = (
    ("A", 3, 0, (1280, 720), 1.0, 50.0),
    ("A", 4, 90, (1920, 1080), 1.5, 60.0),
    ("A", 6, 180, (1080, 1920), 2.0, 45.0),
    ("A", 8, 270, (1280, 720), 1.0, 50.0),
    ("B", 3, 90, (1080, 1920), 1.0, 45.0),
    ("B", 4, 0, (1280, 720), 2.0, 50.0),
    ("B", 6, 270, (1920, 1080), 1.0, 60.0),
    ("B", 8, 180, (1280, 720), 1.5, 45.0),
    ("C", 3, 180, (1920, 1080), 1.0, 60.0),
    ("C", 4, 270, (1080, 1920), 1.5, 50.0),
    ("C", 6, 0, (1280, 720), 1.0, 45.0),
    ("C", 8, 90, (1280, 720), 2.0, 60.0),
    ("A", 4, 0, (3840, 2160), 1.0, 45.0),
)
ALL = tuple(product(KINDS, FACES, TURNS, SIZES, SCALES, SLOPES))
FAR_AWAY_MM = 50_000.0
"""Far even beside a screen a metre wide: else its near edge looks larger than its far one."""
QUARTERS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
WRONG = tuple((turn, mirror) for mirror in (False, True) for turn in range(4))[1:]
"""The seven of the eight ways to lay a square on itself that are not the right one."""


def eye_deg(kind: Kind, slope: float) -> float:
    """The eye that a ray straight from the screen meets."""
    return 90 - 2 * slope if kind == "B" else 2 * slope - 90


def laid(case: Case) -> Layout:
    """A screen of so many device pixels, packed as densely as its scale says."""
    kind, faces, turn, (wide, high), scale, slope = case
    eye = eye_deg(kind, slope)
    rig = Rig(
        kind,
        faces,
        turn_deg=turn,
        slope_deg=slope,
        eye_elevation_deg=eye,
        eye_distance_mm=FAR_AWAY_MM,
    )
    return layout(rig, Screen(wide, high, 3.7795 * scale))


def wrong_for(
    made: Layout, frame: Pixels, viewer: int, wanted: dict[int, Pixels], level: float
) -> list[str]:
    """Everything that is wrong with what one viewer sees."""
    seen = trace(made, viewer, frame)
    wrong = []
    if seen.share < 0.99:
        wrong.append(f"{viewer}: {seen.share:.3f} is visible")
    ways = [alike(seen.picture, way) for way in turned(wanted[viewer])]
    if ways[0] < 0.97 or int(np.argmax(ways)):
        wrong.append(f"{viewer}: {ways[0]:.3f}, best {int(np.argmax(ways))}")
    others = {who: alike(seen.picture, picture) for who, picture in wanted.items()}
    if max(others, key=lambda who: others[who]) != viewer:
        wrong.append(f"{viewer}: sees another's view")
    ratio = seen.picture.mean() / max(1e-9, float(wanted[viewer].mean()))
    if abs(ratio - 1) > level:
        wrong.append(f"{viewer}: level {ratio:.3f}")
    return wrong


@lru_cache(maxsize=1)
def wanted_of(made: Layout) -> dict[int, Pixels]:
    return {viewer: meant(made, viewer, stand(CREATURE)) for viewer in made.rig.viewers}


def all_wrong(made: Layout, frame: Pixels) -> list[str]:
    wanted = wanted_of(made)
    return [
        problem
        for viewer in made.rig.viewers
        for problem in wrong_for(made, frame, viewer, wanted, 0.04)
    ]


def laid_wrong(made: Layout, viewer: int, turn: int, mirror: bool) -> Layout:
    """The same with one viewer's picture turned by quarters and mirrored about its middle."""
    box = made.box
    middle = np.array([0.0, box.bottom_mm + box.height_mm / 2])
    a, b, c, d = QUARTERS[turn]
    linear = np.array([[a, b], [c, d]]) @ np.diag([-1.0 if mirror else 1.0, 1.0])
    move = np.eye(3)
    move[:2, :2], move[:2, 2] = linear, middle - linear @ middle
    return with_pixels(made, {viewer: move})


def with_pixels(made: Layout, moves: dict[int, Array]) -> Layout:
    faces = tuple(
        replace(face, pixels=face.pixels @ moves.get(face.viewer, np.eye(3))) for face in made.faces
    )
    return replace(made, faces=faces)


def swapped(made: Layout, one: int, two: int) -> Layout:
    """Two viewers' pictures in each other's place: right and upright, but not theirs."""
    first, second = made.face(one), made.face(two)
    azimuth = {one: second.azimuth_deg, two: first.azimuth_deg}
    faces = tuple(
        replace(face, azimuth_deg=azimuth.get(face.viewer, face.azimuth_deg)) for face in made.faces
    )
    return replace(made, faces=faces)


@pytest.mark.parametrize("case", SOME, ids=str)
def test_every_viewer_sees_it_rightly(case: Case) -> None:
    made = laid(case)
    assert all_wrong(made, drawn(made, stand(CREATURE))) == []


@pytest.mark.complaint(10)
def test_the_cases_that_are_always_run_meet_every_value() -> None:
    for place, values in enumerate((KINDS, FACES, TURNS, SIZES, SCALES, SLOPES)):
        assert {case[place] for case in SOME} == set(values)
    assert set(product(KINDS, FACES)) == {case[:2] for case in SOME}
    assert set(SOME) <= set(ALL)


@pytest.mark.parametrize("viewer", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_each_of_the_seven_wrong_ways_is_caught_in_each_cell(kind: Kind, viewer: int) -> None:
    made, scene = layout(Rig(kind), Screen(480, 480)), stand(CREATURE)
    wanted = wanted_of(made)
    assert wrong_for(made, drawn(made, scene), viewer, wanted, 0.04) == []
    for turn, mirror in WRONG:
        frame = drawn(laid_wrong(made, viewer, turn, mirror), scene)
        assert wrong_for(made, frame, viewer, wanted, 0.04), (turn, mirror)


@pytest.mark.parametrize(("kind", "faces", "slope"), [("A", 6, 60.0), ("B", 3, 50.0)])
def test_wrong_ways_are_caught_with_any_faces_and_slope(
    kind: Kind, faces: int, slope: float
) -> None:
    made, scene = laid((kind, faces, 90, (720, 720), 1.0, slope)), stand(CREATURE)
    wanted = wanted_of(made)
    for turn, mirror in WRONG:
        frame = drawn(laid_wrong(made, 1, turn, mirror), scene)
        assert wrong_for(made, frame, 1, wanted, 0.04), (turn, mirror)
    assert all_wrong(made, drawn(swapped(made, 0, 1), scene))


@pytest.mark.parametrize("kind", KINDS)
def test_two_views_in_each_others_place_are_caught(kind: Kind) -> None:
    made, scene = layout(Rig(kind), Screen(480, 480)), stand(CREATURE)
    for one, two in ((0, 1), (0, 2), (1, 3), (2, 3)):
        wrong = all_wrong(made, drawn(swapped(made, one, two), scene))
        assert {problem[0] for problem in wrong} == {str(one), str(two)}


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "faces", "turn"), list(product(KINDS, FACES, TURNS)), ids=str)
def test_all_of_the_matrix(
    kind: Kind, faces: int, turn: int, request: pytest.FixtureRequest
) -> None:
    if "slow" not in str(request.config.option.markexpr):
        pytest.skip("all of the matrix is run by: pytest -m slow")
    scene = stand(CREATURE)
    wrong: dict[object, list[str]] = {}
    for size, scale, slope in product(SIZES, SCALES, SLOPES):
        made = laid((kind, faces, turn, size, scale, slope))
        frame = drawn(made, scene)
        if problems := all_wrong(made, frame):
            wrong[(size, scale, slope)] = problems
        if size == SIZES[0] and scale == 1.0:
            wanted, last = wanted_of(made), made.rig.viewers[-1]
            for way in WRONG:
                turned_wrong = drawn(laid_wrong(made, last, *way), scene)
                if not wrong_for(made, turned_wrong, last, wanted, 0.04):
                    wrong[(size, way, slope)] = ["not caught"]
    assert wrong == {}
