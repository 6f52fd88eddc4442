"""Rails narrow bounds toward rest and damp echo (LH 3.4, 3.5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.errors import ControlRefused, Place
from holodesk.hologram import rails
from holodesk.hologram.rails import NO_RUN, Run, check_run

NUMBERS = st.integers(-1000, 1000)


def narrowed(schema: Any, value: int) -> Any:
    return rails.narrowed(schema, value)


def field(low: int, high: int, rest: int) -> dict[str, object]:
    inner = {"type": "integer", "minimum": low, "maximum": high, "x-rest": rest}
    return {"type": "object", "properties": {"far": inner}}


@given(NUMBERS, NUMBERS, NUMBERS, st.integers(0, 100), st.integers(0, 100))
def test_tighter_rails_never_widen_and_never_pass_rest(
    a: int, b: int, c: int, loose: int, tight: int
) -> None:
    low, rest, high = sorted((a, b, c))
    loose, tight = sorted((loose, tight))
    wide = narrowed(field(low, high, rest), loose)["properties"]["far"]
    slim = narrowed(field(low, high, rest), tight)["properties"]["far"]
    assert low <= wide["minimum"] <= slim["minimum"] <= rest
    assert rest <= slim["maximum"] <= wide["maximum"] <= high


def test_full_rails_leave_only_rest_and_no_rails_change_nothing() -> None:
    given_field = field(1, 60, 12)
    assert narrowed(given_field, 0) == given_field
    far = narrowed(given_field, 100)["properties"]["far"]
    assert (far["minimum"], far["maximum"]) == (12, 12)


def test_forty_percent_as_the_console_shows_it() -> None:
    far = narrowed(field(0, 100, 50), 40)["properties"]["far"]
    assert (far["minimum"], far["maximum"]) == (20, 80)


def test_a_field_without_rest_or_without_bounds_stays_as_written() -> None:
    schema = {"properties": {"a": {"minimum": 0, "maximum": 9}, "b": {"x-rest": 3}}}
    assert narrowed(schema, 70) == schema


def test_fractions_and_list_items_are_narrowed_too() -> None:
    schema = {"items": {"type": "number", "minimum": 0.0, "maximum": 1.0, "x-rest": 0.5}}
    assert narrowed(schema, 50)["items"]["maximum"] == 0.75


def test_the_fourth_equal_choice_is_an_echo_once_rails_are_tight() -> None:
    run = NO_RUN
    for _ in range(3):
        run = run.then("lens", b"{}")
        check_run(run, 50, Place())
    echo = run.then("lens", b"{}")
    check_run(echo, 49, Place())
    with pytest.raises(ControlRefused, match="3 times running"):
        check_run(echo, 50, Place())
    assert echo.then("lens", b'{"a":1}') == Run("lens", b'{"a":1}', 1)
