"""The writer: one byte string for a value, fast or exact, always the same (RFC 8785)."""

import math
import uuid
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any

import orjson
import pytest

from holodesk.errors import NotCanonical
from holodesk.rapp import jcs
from holodesk.rapp.canonical import canonical


class Mood(StrEnum):
    CALM = "calm"


class Level(IntEnum):
    TOP = 3


class Half(float, Enum):
    HALF = 0.5


class Pole(Enum):
    NORTH = "n"


class Name(str):
    __slots__ = ()


def test_members_sort_by_utf16_code_units() -> None:
    value: Any = {"\uffe5": 1, "\U0001f600": 2, "a": 3}
    assert canonical(value) == '{"a":3,"\U0001f600":2,"\uffe5":1}'.encode()


def test_an_astral_character_that_is_not_in_a_name_changes_no_order() -> None:
    value: Any = {"\uffe5": "\U0001f600", "b": "\\", "a": '"'}
    assert canonical(value) == '{"a":"\\"","b":"\\\\","\uffe5":"\U0001f600"}'.encode()


def test_only_the_mandatory_escapes_are_written() -> None:
    text = '\x00\b\t\n\f\r\x1f\x7f\u2028/"\\'
    written = '"\\u0000\\b\\t\\n\\f\\r\\u001f\x7f\u2028/\\"\\\\"'.encode()
    assert canonical(text) == written
    assert jcs.canonical_slow(text) == written


def test_floats_are_mended_between_strings_only() -> None:
    value: Any = {"20.0": ["1e-6", 20.0, 1e-6, '"1.0"', "\\"], "b\\": 1e21, 'c"2.0': 1.5e300}
    assert canonical(value) == jcs.canonical_slow(value)
    assert b'["1e-6",20,0.000001,' in canonical(value)


def test_a_tuple_is_an_array_and_an_enumeration_member_its_value() -> None:
    value: Any = (1, [Mood.CALM, Level.TOP, Half.HALF, Pole.NORTH], Name("x"), {Name("k"): None})
    assert canonical(value) == b'[1,["calm",3,0.5,"n"],"x",{"k":null}]'
    assert jcs.canonical_slow(value) == canonical(value)


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        [1.5, -math.inf],
        {"a": {"b": math.nan}},
        2**53 + 1,
        10**400,
        "\ud800",
        {"\udc00": 1},
        {1: 2},
        {None: 1},
        b"octets",
        {1, 2},
        Decimal(1),
        datetime(2026, 1, 1, tzinfo=UTC),
        uuid.UUID(int=4),
        {"a": uuid.UUID(int=4)},
        object(),
        orjson.Fragment(b"{}"),
    ],
)
def test_what_is_no_json_value_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonical):
        canonical(value)


def test_nesting_is_written_up_to_254_and_refused_beyond_by_both_writers() -> None:
    def nested(depth: int) -> Any:
        value: Any = 2**53
        for _ in range(depth):
            value = [value]
        return value

    assert canonical(nested(254)) == b"[" * 254 + b"9007199254740992" + b"]" * 254
    for depth in (255, 5000):
        with pytest.raises(NotCanonical):
            canonical(nested(depth))
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(NotCanonical):
        canonical(loop)


def test_a_string_that_looks_like_a_float_marker_does_not_confuse_the_writer() -> None:
    text = "".join(map(chr, range(0x100, 0x300)))
    assert canonical([text, 0.5]) == jcs.canonical_slow([text, 0.5])


def test_the_pinned_writer_passes_its_self_test() -> None:
    assert jcs.is_as_pinned()


@pytest.mark.parametrize(
    ("told", "altered"),
    [
        (
            "an integral float without its fraction mark",
            lambda v, o: _dumps(v, o).replace(b".0,", b".00,"),
        ),
        ("an exponent in capitals", lambda v, o: _dumps(v, o).replace(b"e", b"E")),
        ("no refusal of large integers", lambda v, o: orjson.dumps(v, option=orjson.OPT_SORT_KEYS)),
        ("unsorted members", lambda v, o: orjson.dumps(v)),
    ],
)
def test_another_writer_fails_the_self_test_and_the_exact_one_serves(
    monkeypatch: pytest.MonkeyPatch, told: str, altered: Any
) -> None:
    class Writer:
        def __getattr__(self, name: str) -> Any:
            return getattr(orjson, name)

        def dumps(self, value: Any, option: int) -> bytes:
            return bytes(altered(value, option))

    monkeypatch.setattr(jcs, "orjson", Writer())
    assert not jcs.is_as_pinned(), told
    monkeypatch.setattr(jcs, "_IS_AS_PINNED", False)
    assert canonical({"b": 20.0, "a": [1]}) == b'{"a":[1],"b":20}'


def _dumps(value: Any, option: int) -> bytes:
    return orjson.dumps(value, option=option)
