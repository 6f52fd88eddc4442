"""Strategies for JSON values and for texts that nearly are JSON (rapp/1 4)."""

import struct
from typing import Any

from hypothesis import strategies as st

MAX_SAFE = 2**53 - 1

_TRICKY = (
    '\x00\x1f "\\/\x7f\u00e9\u02ff\u07ff\u0800\u2028\ud7ff\ue000\ufb33\uffee\U00010000\U0001f600'
)


def _from_bits(bits: int) -> float:
    return float(struct.unpack(">d", struct.pack(">Q", bits))[0])


floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(0, 2**64 - 1).map(_from_bits).filter(lambda x: x - x == 0),
    st.builds(
        lambda digits, power, sign: sign * float(f"{digits}e{power}"),
        st.integers(0, 10**17),
        st.integers(-30, 25),
        st.sampled_from((1, -1)),
    ),
    st.integers(-(10**6), 10**6).map(float),
)
"""Finite floats, thick around the places where two writers may differ."""

strings = st.one_of(st.text(max_size=8), st.text(alphabet=_TRICKY, max_size=6))
integers = st.one_of(st.integers(-1000, 1000), st.integers(-MAX_SAFE, MAX_SAFE))
scalars = st.one_of(st.none(), st.booleans(), integers, floats, strings)


def _within(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.lists(inner, max_size=5), st.dictionaries(strings, inner, max_size=5))


values = st.recursive(scalars, _within, max_leaves=20)
"""JSON values as a program would hold them."""

objects = st.dictionaries(strings, values, max_size=5)

NOISE = (
    b"9007199254740993",
    b"1e999",
    b"0.10000000000000001",
    b"-0",
    b"1.0",
    b"1E5",
    b"1e-7",
    b"0.000001",
    b"0.0000099",
    b"100000000000000000000",
    b'"\\ud800"',
    b'"\\ud83d\\ude00"',
    b'"\xef\xbf\xbf"',
    b'"\xef\xb7\x90"',
    b'"\xed\xa0\x80"',
    b'{"a":1,"a":2}',
    b'{"\xf0\x9f\x98\x80":1,"\xef\xbf\xa5":2}',
    b"[" * 62 + b"]" * 62,
    b"\xef\xbb\xbf",
    b"NaN",
    b" ",
    b"\n",
    b"\\u0041",
    b'"',
    b"[",
    b"}",
)
"""Pieces that a parser may stumble over."""
