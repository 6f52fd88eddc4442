"""Anything stands, always the same way, and an animal is not the same from two sides."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holodesk.display.life import Life
from holodesk.display.optics import layout
from holodesk.display.pose import POSES, between, pose
from holodesk.display.rig import Rig, Screen
from holodesk.display.scene import BODY, Scene
from holodesk.display.sheet import upright
from tests.unit.display.looking import CREATURE, OBJECTS, THING, alike, drawn, stand

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=12), inner, max_size=6)
    ),
    max_leaves=25,
)
MEMBERS = sorted({name for object in OBJECTS.values() for name in object} - {"schema"})
ODD = st.builds(
    lambda schema, members: {**members, "schema": schema},
    st.sampled_from([*POSES, "other/9"]),
    st.dictionaries(st.sampled_from(MEMBERS), JSON, max_size=8),
)


def arrays(scene: Scene) -> list[np.ndarray[Any, Any]]:
    """Every array of a scene, in order."""
    found = []
    bundles: list[Any] = [*scene.strokes, *scene.dots, *scene.facets]
    for bundle in bundles:
        for name in bundle.__slots__:
            value = getattr(bundle, name)
            if isinstance(value, np.ndarray):
                found.append(value)
    return found


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(object=JSON | ODD, seconds=st.floats(0, 1e5))
def test_any_json_stands_the_same_way_twice(object: Any, seconds: float) -> None:
    life = Life(seconds)
    one, two = pose(object, life), pose(object, life)
    assert one.labels == two.labels
    for first, second in zip(arrays(one), arrays(two), strict=True):
        assert np.isfinite(first).all()
        assert (first == second).all()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(object=ODD)
def test_any_json_can_be_drawn(object: Any) -> None:
    made = upright(layout(Rig(), Screen(320, 240)), 1)
    assert drawn(made, pose(object, Life(1.0))).shape == (80, 80, 3)


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("seconds", [0.0, 3.7, 1000.0])
def test_a_body_stays_in_its_box(name: str, seconds: float) -> None:
    scene = stand(OBJECTS[name], seconds)
    bundles: list[Any] = [*scene.strokes, *scene.dots]
    places = [bundle.points.reshape(-1, 3) for bundle in bundles]
    every = np.concatenate(places)
    assert np.hypot(every[:, 0], every[:, 1]).max() < 1.25
    assert every[:, 2].min() > -0.1
    assert BODY * 0.85 < every[:, 2].max() < 1.70


@pytest.mark.parametrize("name", OBJECTS)
def test_it_moves_while_nothing_happens(name: str) -> None:
    one, two = stand(OBJECTS[name], 1.0), stand(OBJECTS[name], 1.6)
    assert any((a != b).any() for a, b in zip(arrays(one), arrays(two), strict=True))


@pytest.mark.parametrize("name", OBJECTS)
def test_no_two_sides_and_no_mirror_look_the_same(name: str) -> None:
    made = layout(Rig(), Screen(1280, 720))
    sides = [drawn(upright(made, viewer), stand(OBJECTS[name]), None) for viewer in range(4)]
    for one in range(4):
        for two in range(one):
            assert alike(sides[one], sides[two]) < 0.995
    if name == "creature":
        assert max(alike(side, side[:, ::-1]) for side in sides) < 0.9


def test_the_arm_is_on_its_left_only() -> None:
    low = [
        bundle.points[bundle.points[..., 2] < 0.45]
        for bundle in stand({**CREATURE, "facing": 0, "trail": [], "at": {}}, 0.0).strokes
        if bundle.points[..., 2].max() > 0.5 and bundle.points.shape[0] == 1
    ]
    arm = np.concatenate(low)
    assert arm[:, 0].mean() > 0.15, "facing the front viewer, its left is to their right"


def test_the_eye_is_not_seen_from_behind() -> None:
    made = layout(Rig(), Screen(1280, 720))
    away = stand({**CREATURE, "facing": 0, "at": {}}, 0.0)
    front, back = (drawn(upright(made, viewer), away, None) for viewer in (0, 2))
    white = [int((picture.min(axis=2) > 200).sum()) for picture in (front, back)]
    assert white[0] > 40
    assert white[1] < white[0] / 8


def test_growth_adds_ribs_and_beads() -> None:
    def parts(growth: int) -> tuple[int, int]:
        scene = stand({**CREATURE, "growth": growth})
        return scene.strokes[0].points.shape[0], sum(len(dot.points) for dot in scene.dots)

    ribs, beads = zip(*(parts(growth) for growth in (0, 50, 100)), strict=True)
    assert list(ribs) == sorted(set(ribs))
    assert list(beads) == sorted(set(beads))


def test_each_memory_hangs_on_the_arm_in_order() -> None:
    def marks(count: int) -> np.ndarray[Any, Any]:
        memories = [{"words": str(k), "weight": 1} for k in range(count)]
        return stand({**CREATURE, "memories": memories, "trail": []}).strokes[-1].points

    assert marks(4).shape[0] == 4
    heights = marks(5).mean(axis=1)[:, 2]
    assert (np.diff(heights) < 0).all(), "the oldest highest"


@pytest.mark.parametrize("mood", ["calm", "curious", "playful", "shy", "startled"])
def test_every_mood_is_another_body(mood: str) -> None:
    def body(mood: str) -> np.ndarray[Any, Any]:
        return (
            stand({**CREATURE, "temper": {"hue": 190, "energy": 50, "mood": mood}})
            .strokes[0]
            .points
        )

    others = {"calm", "curious", "playful", "shy", "startled"} - {mood}
    assert all(np.abs(body(mood) - body(other)).max() > 0.005 for other in others)


def test_hue_moves_the_colour() -> None:
    def colour(hue: int) -> int:
        temper = {"hue": hue, "energy": 50, "mood": "calm"}
        return int(stand({**CREATURE, "temper": temper}).strokes[0].colour.mean((0, 1)).argmax())

    assert [colour(0), colour(120), colour(230)] == [0, 1, 2]


def test_a_poke_startles_the_body() -> None:
    calm, poked = (pose(CREATURE, Life(2.0, startle=startle)) for startle in (0.0, 1.0))
    assert np.ptp(poked.strokes[0].points[..., :2]) > np.ptp(calm.strokes[0].points[..., :2])


def test_the_schema_of_an_unknown_object_is_written_at_its_root() -> None:
    words = [label.words for label in stand(THING).labels]
    assert words[0] == "orchestra/3"


def test_a_larger_object_is_a_larger_node() -> None:
    nodes = stand({"schema": "x/1", "small": 1, "large": list(range(60))}).dots[0].radius
    assert nodes[0] >= nodes.max()
    assert nodes[3] > nodes[2] * 1.5


def test_half_way_is_half_way() -> None:
    old = {"schema": "s", "at": {"x": 0}, "hue": 350, "facing": 10, "n": [0, 10], "flag": True}
    new = {"schema": "s", "at": {"x": 100}, "hue": 10, "facing": 350, "n": [10, 10], "flag": False}
    half = between(old, new, 0.5)
    assert half["at"]["x"] == 50
    assert half["hue"] % 360 == 0
    assert half["facing"] % 360 == 0
    assert half["n"] == [5, 10]
    assert half["flag"] is False
    assert between(old, new, 1.0) is new


@settings(max_examples=60, deadline=None)
@given(old=JSON, new=JSON, share=st.floats(0, 1))
def test_the_way_between_any_two_objects_stands(old: Any, new: Any, share: float) -> None:
    pose(between(old, new, share), Life(0.5))
