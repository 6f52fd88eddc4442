"""The six controls: one table, checked turns, a pure fold (LH 3.7)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.errors import ControlRefused, Place
from holodesk.hologram.controls import (
    CONTROLS,
    InForce,
    Setting,
    Turned,
    defaults,
    initial,
    parse_setting,
    turn,
)

HERE = Place(seq=1)


def in_force() -> InForce:
    given: Any = {name: setting.as_json(name) for name, setting in defaults().items()}
    return initial(given, "ada", "2026-11-30T00:00:00.000Z", HERE)


def test_there_are_six_and_each_default_is_in_its_range() -> None:
    assert list(CONTROLS) == ["lens", "rails", "slush", "tempo", "reflex", "membrane"]
    for control in CONTROLS.values():
        assert control.low <= control.default <= control.high


@given(st.sampled_from(sorted(CONTROLS)), st.integers(-(10**6), 10**6))
def test_a_value_is_taken_exactly_when_it_is_in_range(name: str, value: int) -> None:
    control = CONTROLS[name]
    if control.low <= value <= control.high:
        assert parse_setting(name, value, None, HERE) == Setting(value)
    else:
        with pytest.raises(ControlRefused, match=str(control.high)):
            parse_setting(name, value, None, HERE)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
def test_only_an_integer_is_a_value(value: Any) -> None:
    with pytest.raises(ControlRefused, match="integer"):
        parse_setting("rails", value, None, HERE)


@pytest.mark.parametrize(
    ("name", "detail"),
    [
        ("rails", {"allow": ["Drift"]}),
        ("lens", {"drop": ["Drift"]}),
        ("lens", {"allow": ["Drift", "Drift"]}),
        ("lens", {"allow": [1]}),
        ("lens", {"allow": [""]}),
        ("lens", {"allow": "Drift"}),
        ("lens", ["Drift"]),
        ("slush", {"drop": ["a"], "allow": ["b"]}),
    ],
)
def test_a_list_that_the_control_does_not_have_is_refused(name: str, detail: Any) -> None:
    with pytest.raises(ControlRefused, match=name):
        parse_setting(name, 1, detail, HERE)


def test_a_turn_needs_what_was_in_force() -> None:
    before = in_force()
    turned = Turned(Setting(40), 7, "ada", "2026-11-30T00:00:01.000Z")
    after = turn(before, "rails", turned, {"value": 25, "detail": None}, HERE)
    assert after["rails"] == turned
    assert before["rails"].setting == Setting(25)
    with pytest.raises(ControlRefused, match="previous"):
        turn(after, "rails", turned, {"value": 25, "detail": None}, HERE)


def test_a_genesis_needs_all_six() -> None:
    five: Any = {name: s.as_json(name) for name, s in defaults().items() if name != "tempo"}
    with pytest.raises(ControlRefused, match="six"):
        initial(five, "ada", "2026-11-30T00:00:00.000Z", HERE)


def test_a_settling_hologram_begins_without_rails() -> None:
    assert defaults(settling=True)["rails"].value == 0
    assert defaults()["rails"].value == 25
