"""Canonical form never depends on how a value was written or held (rapp/1 4, RFC 8785)."""

import json
import struct
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from holodesk.errors import HolodeskError, NotCanonical
from holodesk.rapp.canonical import admit, canonical, parse
from holodesk.rapp.frame import build
from holodesk.rapp.frame import parse as parse_frame
from holodesk.rapp.intake import admit_strictly
from holodesk.rapp.jcs import canonical_slow
from holodesk.rapp.number_text import number_text
from holodesk.rapp.signature import Keyring, SigningKey
from holodesk.rapp.stream import begin, extend
from tests.properties.json_values import MAX_SAFE, NOISE, floats, objects, values

BODY = "rappid:@kody/twin:" + "a" * 64
UTC = "2026-10-08T00:00:00.000Z"


@given(values)
def test_the_fast_writer_the_exact_one_and_rfc8785_agree(value: Any) -> None:
    expected = rfc8785.dumps(value)
    assert canonical(value) == expected
    assert canonical_slow(value) == expected


@given(values)
def test_canonical_is_idempotent(value: Any) -> None:
    once = canonical(value)
    assert canonical(json.loads(once)) == once


@given(st.recursive(floats, lambda inner: st.lists(inner, max_size=4), max_leaves=12))
def test_floats_are_written_as_rfc8785_writes_them_wherever_they_stand(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(objects, st.randoms(use_true_random=False))
def test_canonical_is_blind_to_the_order_of_members(value: dict[str, Any], chance: Any) -> None:
    items = list(value.items())
    chance.shuffle(items)
    assert canonical(dict(items)) == canonical(value)


@given(floats)
def test_the_text_of_a_float_is_read_back_as_the_same_float(value: float) -> None:
    text = number_text(value)
    assert struct.pack(">d", float(text)) == struct.pack(">d", value + 0.0)


@given(st.integers(-(2**80), 2**80))
def test_an_integer_is_written_as_its_binary64_or_refused(value: int) -> None:
    text = number_text(float(value)) if abs(value) > MAX_SAFE else str(value)
    if float(value) != value and Decimal(text) != value:
        with pytest.raises(NotCanonical):
            canonical(value)
        return
    assert canonical(value) == text.encode()
    assert text.encode() == (
        str(value).encode() if abs(value) <= MAX_SAFE else rfc8785.dumps(float(value))
    )


def admitted_as(octets: bytes, admission: Any) -> tuple[Any, bytes] | str:
    try:
        value, written = admission(octets)
    except NotCanonical as refusal:
        return refusal.rule
    return repr(value), written


@st.composite
def near_json(draw: st.DrawFn) -> bytes:
    """Canonical text with something hostile put in, cut out or changed."""
    text = bytearray(canonical(draw(values)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        match draw(st.sampled_from(("put", "cut", "flip", "twice"))):
            case "put":
                text[at:at] = draw(st.sampled_from(NOISE))
            case "cut":
                del text[at : at + draw(st.integers(1, 4))]
            case "flip":
                if at < len(text):
                    text[at] ^= 1 << draw(st.integers(0, 7))
            case _:
                text[at:at] = text[at : at + draw(st.integers(1, 12))]
    return bytes(text)


@settings(max_examples=400)
@given(near_json())
@example(b'{"a":1,"a":1}')
@example(b'["\\"",1e-7,0.000001]')
@example(b"[" * 65 + b"]" * 65)
@example(b'{"\xf0\x9f\x98\x80":1,"\xef\xbf\xa5":2}')
@example(b'{"\xef\xbf\xa5":2,"\xf0\x9f\x98\x80":1}')
def test_the_fast_way_in_and_the_strict_reference_agree(octets: bytes) -> None:
    assert admitted_as(octets, admit) == admitted_as(octets, admit_strictly)


@given(values)
def test_what_the_writer_wrote_is_admitted_as_it_is(value: Any) -> None:
    written = canonical(value)
    found = admitted_as(written, admit)
    # Text of noncharacters has a canonical form, but no way in.
    assert found == "rapp/1 4(b)" or found[1] == written


@given(values, st.sampled_from((None, 1, "\t")), st.booleans())
def test_a_text_is_admitted_alike_however_it_is_spaced_and_escaped(
    value: Any, indent: Any, ascii_only: bool
) -> None:
    written = canonical(value)
    text = json.dumps(json.loads(written), indent=indent, ensure_ascii=ascii_only).encode()
    assert admitted_as(text, admit) == admitted_as(written, admit)


_KEY = SigningKey.generate()


@settings(max_examples=60)
@given(objects, st.data())
def test_flipping_any_bit_of_a_signed_frame_is_refused(payload: dict[str, Any], data: Any) -> None:
    from holodesk.rapp.names import mint_keyed

    stream_id = str(mint_keyed("kody", "desk", _KEY.spki))
    stream = begin(stream_id, Keyring.EMPTY.with_key(stream_id, _KEY.spki))
    try:
        frame = build(
            kind="body.pulse", stream_id=stream_id, payload=payload, utc=UTC, head=None, key=_KEY
        )
    except HolodeskError:
        assume(False)
    assert extend(stream, parse_frame(frame.octets)).head == frame.head
    octets = bytearray(frame.octets)
    for _ in range(20):
        bit = data.draw(st.integers(0, 8 * len(octets) - 1))
        octets[bit // 8] ^= 1 << bit % 8
        try:
            extend(stream, parse_frame(bytes(octets)))
        except HolodeskError:
            pass
        else:
            raise AssertionError(f"a frame with bit {bit} flipped was accepted")
        octets[bit // 8] ^= 1 << bit % 8


def test_flipping_each_bit_of_one_unsigned_frame_is_refused() -> None:
    frame = build(kind="body.pulse", stream_id=BODY, payload={"n": 1}, utc=UTC, head=None)
    stream = begin(BODY)
    octets = bytearray(frame.octets)
    for bit in range(8 * len(octets)):
        octets[bit // 8] ^= 1 << bit % 8
        try:
            extend(stream, parse_frame(bytes(octets)))
        except HolodeskError:
            pass
        else:
            raise AssertionError(f"a frame with bit {bit} flipped was accepted")
        octets[bit // 8] ^= 1 << bit % 8


@given(objects)
def test_a_frame_is_the_same_whichever_way_its_preimages_are_found(payload: dict[str, Any]) -> None:
    from holodesk.rapp.address import particle, wave

    try:
        frame = build(kind="body.pulse", stream_id=BODY, payload=payload, utc=UTC, head=None)
    except HolodeskError:
        assume(False)
    members = parse(frame.octets)
    assert isinstance(members, dict)
    assert frame.payload_hash == particle(members["payload"])
    assert frame.frame_hash == wave(members)
    assert frame.unsigned == canonical({k: v for k, v in members.items() if k != "sig"})
