"""Values in words are bounded, and a line is one line, whatever a frame holds (LH 3.3)."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.rapp.canonical import Json, canonical
from holodesk.view.words import MAX_CHANGES, MAX_TEXT, brief, difference, line, plain, whole

VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=30,
)


@given(text=st.text())
def test_a_plain_text_is_always_one_printable_line(text: str) -> None:
    told = plain(text).replace("\u200d", "").replace("\u200c", "")
    assert told.isprintable()


@given(text=st.text(st.characters(codec="ascii", min_codepoint=32, max_codepoint=126)))
def test_a_text_that_is_plain_already_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a\nb\tc", "a b c"),
        ("\x1b[2J", "\\u001b[2J"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\udcff"),
        ("grün 日本 👩\u200d🚀", "grün 日本 👩\u200d🚀"),
        ("a\u2028b\x85c", "a b c"),
    ],
)
def test_what_moves_a_cursor_or_turns_the_reading_is_escaped(text: str, told: str) -> None:
    assert plain(text) == told


@given(value=VALUES, width=st.integers(1, 100))
def test_a_brief_value_is_one_line_that_fits(value: Json, width: int) -> None:
    told = brief(value, width)
    assert len(told) <= width
    assert "\n" not in told


@given(text=st.text(), width=st.integers(1, 60))
def test_a_line_is_one_line_that_fits(text: str, width: int) -> None:
    told = line(text, width)
    assert len(told) <= width
    assert "\n" not in told


def test_a_brief_value_names_its_members() -> None:
    assert brief({"distance": 12, "toward": "left"}, 90) == "distance 12  toward left"
    assert brief(["a", None, True, 1.5], 90) == "a, null, true, 1.5"
    assert brief("a\n  b", 90) == "a b"
    assert brief("x" * 50, 10) == "x" * 9 + "…"


@given(value=VALUES)
def test_a_whole_value_is_its_json(value: Json) -> None:
    assert json.loads(whole(value)) == value


@given(before=VALUES, after=VALUES)
def test_a_difference_is_empty_exactly_when_nothing_changed(before: Json, after: Json) -> None:
    assert (difference(before, after) == "") == (canonical(before) == canonical(after))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"a": 1}, {"a": 2}, "a: 1 → 2"),
        ({"a": {"b": 1}}, {"a": {}}, "- a.b: 1"),
        ({}, {"a": [1]}, "+ a: 1"),
        ({"a": [1, 2, 3]}, {"a": [1, 3]}, "- a[1]: 2"),
        ({"a": [1, 2]}, {"a": [1, 9, 2]}, "+ a[1]: 9"),
        ({"a": [1, 2]}, {"a": [1, 7]}, "a[1]: 2 → 7"),
        ({"a": 1}, {"a": True}, "a: 1 → true"),
        ([1], [True], "[0]: 1 → true"),
        (None, {"a": 1}, "object: null → a 1"),
    ],
)
def test_a_difference_says_where_and_what(before: Json, after: Json, told: str) -> None:
    assert difference(before, after) == told


def nested(depth: int, inner: Json) -> Json:
    for _ in range(depth):
        inner = [inner]
    return inner


GREAT: dict[str, Json] = {
    "wide and deep": nested(60, [1] * 300_000),
    "one long text": {"a": "x" * 900_000},
    "many members": {f"n{number}": number for number in range(60_000)},
    "a long name": {"n" * 900_000: 1},
}


@pytest.mark.parametrize("name", GREAT)
def test_the_greatest_frames_are_told_in_bounds_and_at_once(name: str) -> None:
    value = GREAT[name]
    start = time.monotonic()
    assert len(whole(value)) <= MAX_TEXT + 20
    assert len(brief(value, 90)) <= 90
    for pair in ((value, None), ({"a": 1}, value), (value, [value])):
        assert len(difference(*pair)) <= MAX_TEXT + 20
    assert time.monotonic() - start < 5


def test_very_many_changes_are_told_in_part_and_said_to_be_more() -> None:
    told = difference(list(range(5000)), [number + 1 for number in range(1, 5001)])
    assert told.endswith("… and more")
    lines = difference({f"n{n}": 0 for n in range(5000)}, {f"n{n}": 1 for n in range(5000)}).split(
        "\n"
    )
    assert len(lines) == MAX_CHANGES + 1
