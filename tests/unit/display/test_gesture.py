"""A tick's bodies become a Life: continuous, neutral at rest, and for the eye alone (LH 3.6)."""

from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.display.gesture import EASE_TICKS, SIGNS, WAKE, Gestures, bearing
from holodesk.display.life import Life, between_lives
from holodesk.display.pose import pose
from holodesk.reflex.world import Body
from tests.unit.display.looking import CREATURE, WORLD

REST = Body(1.0, -2.0, 0.0, -1.0, 1.0, -2.0)


def looking(degrees: float, body: Body = REST) -> Body:
    return replace(body, dx=sin(radians(degrees)), dz=-cos(radians(degrees)))


def begun(start: Body = REST) -> Gestures:
    made = Gestures()
    made.begin({"self": start}, goes_on=True)
    return made


def test_a_body_at_rest_is_neutral() -> None:
    life = begun().life({"self": REST}, 1)
    assert replace(life, many={}, wake=()) == Life()


@given(st.integers(-180, 180))
def test_a_bearing_is_what_facing_means(degrees: int) -> None:
    assert bearing(looking(degrees)) % 360 == pytest.approx(degrees % 360, abs=1e-6)


@given(st.lists(st.integers(0, 359), min_size=2, max_size=30))
def test_a_turn_always_goes_the_short_way_round(way: list[int]) -> None:
    gestures, last = begun(), 0.0
    for tick, degrees in enumerate(way):
        turn = gestures.life({"self": looking(degrees)}, tick).turn
        assert abs(turn - last) <= 180 + 1e-6
        assert turn % 360 == pytest.approx(degrees, abs=1e-6) or degrees == 0
        last = turn


@pytest.mark.parametrize("kind", SIGNS)
def test_a_sign_begins_and_ends_at_rest_and_is_seen_between(kind: str) -> None:
    gestures = begun()
    ticks = SIGNS[kind][0]
    lives = [gestures.life({"self": replace(REST, emote=(kind, 0))}, t) for t in range(ticks + 1)]
    shown = [(life.turn % 360, life.lean, life.squash, life.glow) for life in lives]
    assert shown[0] == pytest.approx((0, 0, 0, 0), abs=1e-6)
    assert shown[-1] == pytest.approx((0, 0, 0, 0), abs=1e-6)
    assert max(abs(part) for each in shown for part in each[1:]) > 0.15 or kind == "look-around"
    for one, two in pairwise(lives):
        assert abs(two.squash - one.squash) < 0.5
        assert abs(two.lean - one.lean) < 0.6
        assert abs(two.glow - one.glow) < 0.5
        assert abs(two.turn - one.turn) < 30


def test_every_sign_of_the_language_is_drawn() -> None:
    from holodesk.reflex.forms import EMOTES

    assert set(SIGNS) == set(EMOTES)


def test_a_way_is_a_shift_with_a_wake_that_fades_when_it_stands() -> None:
    gestures = begun()
    for tick in range(60):
        life = gestures.life({"self": replace(REST, x=1.0 + 0.05 * tick)}, tick)
    assert life.shift_x == pytest.approx(29.5)
    assert life.shift_y == 0
    assert 5 < len(life.wake) <= WAKE
    assert list(life.wake) == sorted(life.wake)
    for tick in range(60, 140):
        life = gestures.life({"self": replace(REST, x=3.95)}, tick)
    assert len(life.wake) <= 1


def test_a_touch_startles_for_less_than_a_second() -> None:
    gestures = begun()
    gestures.startle("self", 10)
    felt = [gestures.life({"self": REST}, tick).startle for tick in range(8, 40)]
    assert felt[0] == felt[1] == 0
    assert max(felt) > 0.6
    assert felt[-1] < 0.05


def test_another_object_is_eased_into_and_what_goes_on_does_not_jump() -> None:
    gestures = begun()
    far = looking(90, replace(REST, x=3.0))
    last = gestures.life({"self": far}, 0)
    gestures.begin({"self": REST}, goes_on=False)
    lives = [gestures.life({"self": REST}, tick) for tick in range(EASE_TICKS + 1)]
    for before, after in zip([last, *lives], lives, strict=False):
        assert abs(after.turn - before.turn) < 20
        assert abs(after.shift_x - before.shift_x) < 5
    assert lives[-1].turn % 360 == lives[-1].shift_x == 0
    gestures.begin({"self": REST}, goes_on=True)
    on = gestures.life({"self": REST}, 0)
    assert replace(on, many={}, wake=()) == replace(lives[-1], many={}, wake=())


def test_half_way_between_two_lives_is_half_way_for_each_body() -> None:
    one = Life(lean=0.0, many={"a": Life(glow=0.0)})
    two = Life(lean=1.0, words="oh", many={"a": Life(glow=1.0), "b": Life(turn=4.0)})
    half = between_lives(one, two, 0.5, 7.0)
    assert (half.seconds, half.lean, half.words) == (7.0, 0.5, "oh")
    assert half.many["a"].glow == 0.5
    assert half.many["b"].turn == 4.0


def test_a_shifted_creature_and_each_shifted_inhabitant_are_drawn_elsewhere() -> None:
    near = pose(CREATURE, Life(2.0)).dots[0].points.mean(axis=0)
    far = pose(CREATURE, Life(2.0, shift_x=20.0)).dots[0].points.mean(axis=0)
    assert far[0] - near[0] == pytest.approx(0.08, abs=0.01)
    plain, moved = (pose(WORLD, Life(2.0, many=many)) for many in ({}, {"b": Life(shift_x=10.0)}))
    lamps, others = plain.dots[3].points, moved.dots[3].points
    assert (lamps[0] == others[0]).all()
    assert others[1][0] - lamps[1][0] == pytest.approx(0.072, abs=1e-3)
