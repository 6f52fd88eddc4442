"""Slush: three sources in order, none overwriting another, 64 KiB (LH 3.5)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.errors import ControlRefused, Place, SlushConflict, SlushTooLarge
from holodesk.hologram.controls import Setting
from holodesk.hologram.slush import (
    Carried,
    carry,
    check_emitted,
    check_facts,
    check_slush_in,
    gather,
)
from holodesk.rapp.canonical import Json, canonical

HERE = Place(seq=3)
KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cn", "Cs", "Co"]), max_size=8)
SLUSH = st.dictionaries(
    KEYS.filter(lambda k: k not in ("facts", "reflex")), st.text("ab", max_size=600)
)


@given(SLUSH, st.integers(0, 64), st.sets(KEYS, max_size=3))
def test_what_is_kept_is_whole_keys_within_the_cap_and_the_rest_is_named(
    emitted, cap, drop
) -> None:
    carried = carry(emitted, Setting(cap, tuple(sorted(drop))))
    assert {**carried.kept}.items() <= emitted.items()
    assert sorted([*carried.kept, *carried.omitted]) == sorted(emitted)
    assert not drop & carried.kept.keys()
    assert not carried.kept or len(canonical(dict(carried.kept))) <= cap * 1024


FACTS = st.dictionaries(
    KEYS.filter(lambda k: k != "slush"), st.integers(-(2**53), 2**53), max_size=3
)


@given(SLUSH, FACTS)
def test_gathering_never_overwrites(emitted, facts) -> None:
    carried = carry(emitted, Setting(64))
    gathered = gather(carried, None, facts, HERE)
    assert {**carried.kept}.items() <= gathered.items()
    assert gathered.get("facts", {}) == {
        **facts,
        **({"slush": {"omitted": list(carried.omitted)}} if carried.omitted else {}),
    }


def test_a_later_source_that_names_an_earlier_key_is_a_conflict() -> None:
    with pytest.raises(SlushConflict, match="reflex"):
        gather(Carried({"reflex": 1}, ()), {"log": "x"}, {}, HERE)
    with pytest.raises(SlushConflict, match="slush"):
        gather(Carried({}, ("a",)), None, {"slush": {}}, HERE)
    with pytest.raises(SlushConflict, match="facts"):
        check_emitted({"facts": {}}, HERE)


def test_over_64_kib_is_refused() -> None:
    with pytest.raises(SlushTooLarge, match="65536"):
        gather(Carried({}, ()), None, {"host": {"text": "x" * 65536}}, HERE)


def test_a_carry_of_nothing_keeps_nothing() -> None:
    assert carry({"trail": []}, Setting(0)) == Carried({}, ("trail",))


@pytest.mark.parametrize(
    ("facts", "membrane", "allowed"),
    [
        ({}, 0, True),
        ({"slush": {"omitted": ["a"]}}, 0, True),
        ({"host": {}}, 0, False),
        ({"host": {}}, 1, True),
        ({"frames": {"a": {"mark": "fresh"}}}, 1, False),
        ({"frames": {"a": {"mark": "fresh"}}}, 2, True),
        ({"frames": {"a": {"mark": "stale"}}}, 2, False),
        ({"frames": {"a": {"mark": "stale"}}}, 3, True),
        ({"frames": {"a": {"mark": "true"}}}, 3, False),
        ({"frames": {"a": 1}}, 3, False),
        ({"frames": []}, 3, False),
        ([], 3, False),
    ],
)
def test_the_membrane_lets_in_what_it_says(facts: Any, membrane: int, allowed: bool) -> None:
    if allowed:
        check_facts(facts, membrane, HERE)
    else:
        with pytest.raises(ControlRefused):
            check_facts(facts, membrane, HERE)


def test_a_verifier_rebuilds_the_carry() -> None:
    carried = Carried({"trail": [1]}, ("big",))
    honest = gather(carried, None, {"host": {"n": 1}}, HERE)
    check_slush_in(honest, carried, None, HERE)
    changes: tuple[dict[str, Json], ...] = (
        {"trail": [2]},
        {"more": 1},
        {"facts": {"host": {"n": 1}}},
        {"facts": {"host": {"n": 1}, "slush": {"omitted": []}}},
        {"reflex": {"log": "x"}},
    )
    for change in changes:
        with pytest.raises(SlushConflict):
            check_slush_in({**honest, **change}, carried, None, HERE)
    with pytest.raises(SlushConflict, match="empty"):
        check_slush_in({"facts": {}}, Carried({}, ()), None, HERE)
