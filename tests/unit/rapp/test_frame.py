"""Frames: steps 1 to 3, and building what would be accepted (rapp/1 7.1 to 7.5)."""

from typing import Any

import pytest

from holodesk.errors import FrameRefused, NotCanonical, Refused
from holodesk.rapp.canonical import MAX_OCTETS, canonical
from holodesk.rapp.frame import Frame, Head, build, parse
from holodesk.rapp.names import BASE_KINDS, Family
from tests.unit.rapp.chains import (
    BODY,
    LATER,
    MEMORY,
    SWARM,
    UTC,
    body_chain,
    members_of,
    owner,
    spoiled,
)

RE_GENESIS = {"migrated_from": {"stream_id": BODY, "terminal_seal": "0" * 64, "terminal_seq": 4}}


def refused_at(octets: bytes, **options: Any) -> FrameRefused:
    with pytest.raises(FrameRefused) as refusal:
        parse(octets, **options)
    return refusal.value


@pytest.fixture(scope="module")
def frame() -> Frame:
    return body_chain(2)[1]


def test_a_frame_is_parsed_from_its_canonical_octets(frame: Frame) -> None:
    again = parse(frame.octets)
    assert again == frame
    assert again.octets is frame.octets
    assert again.head == Head(BODY, 1, frame.frame_hash, frame.payload_hash, UTC)
    assert again.order == (UTC, frame.frame_hash)
    assert again.family == "body"


def test_a_frame_is_the_same_however_its_text_is_spaced(frame: Frame) -> None:
    members = members_of(frame)
    text = "{" + " , ".join(f'"{k}" : {canonical(v).decode()}' for k, v in members.items()) + "}"
    assert parse(text.encode()) == frame


def test_octets_outside_the_parse_profile_fail_before_the_steps(frame: Frame) -> None:
    with pytest.raises(NotCanonical) as refusal:
        parse(frame.octets[:-1] + b',"seq":1}')
    assert refusal.value.step is None


@pytest.mark.parametrize(
    "changes",
    [
        {"spec": "rapp/2"},
        {"spec": None},
        {"kind": "Body.Pulse"},
        {"kind": "body.unknown"},
        {"kind": "memory.save"},
        {"kind": 5},
        {"kind": f"{'a' * 65}.b"},
        {"stream_id": "tick:@kody-w/global"},
        {"stream_id": MEMORY},
        {"stream_id": None},
        {"seq": -1},
        {"seq": 1.5},
        {"seq": "1"},
        {"seq": True},
        {"seq": None},
        {"seq": 2.0**53},
        {"utc": "2026-13-01T00:00:00.000Z"},
        {"utc": "2026-10-08T00:00:00Z"},
        {"utc": 0},
        {"payload": []},
        {"payload": None},
        {"payload_hash": "A" * 64},
        {"payload_hash": None},
        {"frame_hash": "a" * 63},
        {"frame_hash": None},
        {"prev": "a" * 65},
        {"prev": 1},
        {"prev_wave": ""},
        {"sig": ""},
        {"sig": "a..b"},
        {"sig": 5},
        {"twelfth": 1},
    ],
)
def test_a_member_out_of_its_form_is_refused_at_step_1(frame: Frame, changes: Any) -> None:
    refusal = refused_at(spoiled(frame, **changes))
    assert refusal.step == "1"


def test_a_missing_member_is_refused_at_step_1_and_named(frame: Frame) -> None:
    for name in members_of(frame):
        less = {k: v for k, v in members_of(frame).items() if k != name}
        refusal = refused_at(canonical(less))
        assert refusal.step == "1"
        assert name in refusal.message


def test_what_is_no_object_is_refused_at_step_1() -> None:
    assert refused_at(b"[]").step == "1"
    assert refused_at(b'"frame"').step == "1"


@pytest.mark.parametrize("token", [b"1.0", b"1e0", b"10e-1"])
def test_a_seq_that_is_not_plain_digits_is_refused_at_step_1(frame: Frame, token: bytes) -> None:
    octets = frame.octets.replace(b'"seq":1,', b'"seq":%s,' % token)
    assert refused_at(octets).step == "1"


def test_a_seq_of_minus_nought_is_refused_at_step_1() -> None:
    octets = body_chain(1)[0].octets.replace(b'"seq":0,', b'"seq":-0,')
    assert refused_at(octets).step == "1"


def test_the_kinds_in_hand_decide_what_is_registered(frame: Frame) -> None:
    house: dict[str, Family] = {**BASE_KINDS, "hologram.tile": "body"}
    octets = spoiled(frame, rehash=True, kind="hologram.tile")
    assert refused_at(octets).step == "1"
    assert parse(octets, house).kind == "hologram.tile"
    assert parse(octets, None).kind == "hologram.tile"
    assert refused_at(spoiled(frame, kind="hologram"), kinds=None).step == "1"


def test_a_frame_of_another_stream_is_refused_at_step_1a_before_its_hashes(frame: Frame) -> None:
    assert parse(frame.octets, stream_id=BODY) == frame
    assert refused_at(spoiled(frame, payload={}), stream_id="net:commons").step == "1a"


def test_a_changed_payload_is_refused_at_step_2(frame: Frame) -> None:
    refusal = refused_at(spoiled(frame, payload={"n": 2}))
    assert (refusal.step, refusal.where.seq, refusal.where.stream) == ("2", 1, BODY)


@pytest.mark.parametrize(
    "changes",
    [
        {"utc": LATER},
        {"seq": 2},
        {"prev": None},
        {"prev": "b" * 64},
        {"kind": "body.twin-pulse"},
        {"frame_hash": "b" * 64},
        {"prev_wave": "c" * 64},
        {"stream_id": "rappid:@kody/twin:" + "b" * 64},
    ],
)
def test_a_changed_envelope_is_refused_at_step_3(frame: Frame, changes: Any) -> None:
    assert refused_at(spoiled(frame, **changes)).step == "3"


def test_a_changed_envelope_with_honest_hashes_passes_the_first_three_steps(frame: Frame) -> None:
    assert parse(spoiled(frame, rehash=True, utc=LATER, payload={"x": 1})).utc == LATER


@pytest.mark.parametrize(
    "payload",
    [
        {**RE_GENESIS, "x": 1},
        {},
        {"migrated_from": None},
        {"migrated_from": {**RE_GENESIS["migrated_from"], "x": 1}},
        {"migrated_from": {**RE_GENESIS["migrated_from"], "terminal_seq": -1}},
        {"migrated_from": {**RE_GENESIS["migrated_from"], "terminal_seal": "0"}},
        {"migrated_from": {**RE_GENESIS["migrated_from"], "stream_id": "kody"}},
        {"migrated_from": {**RE_GENESIS["migrated_from"], "stream_id": 5}},
    ],
)
def test_a_re_genesis_of_another_shape_is_refused_at_step_1(frame: Frame, payload: Any) -> None:
    octets = spoiled(frame, rehash=True, kind="body.re-genesis", payload=payload)
    refusal = refused_at(octets)
    assert (refusal.step, refusal.rule) == ("1", "rapp/1 12.1")


def test_a_re_genesis_writes_its_terminal_seq_as_plain_digits(frame: Frame) -> None:
    octets = spoiled(frame, rehash=True, kind="body.re-genesis", payload=RE_GENESIS)
    assert parse(octets).payload == RE_GENESIS
    assert refused_at(octets.replace(b'"terminal_seq":4', b'"terminal_seq":4.0')).step == "1"


def test_a_built_frame_follows_its_head() -> None:
    first, second = body_chain(2)
    assert (first.seq, first.prev, first.prev_wave, first.sig) == (0, None, None, None)
    assert (second.seq, second.prev, second.prev_wave) == (1, first.payload_hash, None)


def test_a_built_frame_of_a_swarm_names_the_wave_before_it() -> None:
    kid, key = owner()
    common: Any = {"kind": "swarm.echo", "stream_id": SWARM, "utc": UTC, "key": key, "kid": kid}
    first = build(payload={}, head=None, **common)
    assert first.prev_wave is None
    assert build(payload={}, head=first.head, **common).prev_wave == first.frame_hash


def test_a_signed_frame_covers_everything_but_its_signature() -> None:
    kid, key = owner()
    frame = build(kind="body.pulse", stream_id=kid, payload={}, utc=UTC, head=None, key=key)
    members = members_of(frame)
    assert frame.sig is not None
    assert frame.unsigned == canonical({k: v for k, v in members.items() if k != "sig"})


@pytest.mark.parametrize("name", ["e\u0301", "\u212b", "\u0378", "a\U000e0080", "\ud7a4"])
def test_a_producer_writes_no_member_name_that_is_not_nfc_or_not_assigned(name: str) -> None:
    payloads: Any = ({name: 1}, {"a": [{"b": {name: 1}}]})
    for payload in payloads:
        with pytest.raises(Refused):
            build(kind="body.pulse", stream_id=BODY, payload=payload, utc=UTC, head=None)


def test_a_consumer_takes_such_names_as_they_are(frame: Frame) -> None:
    octets = spoiled(frame, rehash=True, payload={"e\u0301": 1, "\u0378": 2})
    assert list(parse(octets).payload) == ["e\u0301", "\u0378"]


def test_a_producer_may_write_any_string_as_a_value() -> None:
    payload: Any = {"\u00e9": "e\u0301", "n": [None, 1.5]}
    frame = build(kind="body.pulse", stream_id=BODY, payload=payload, utc=UTC, head=None)
    assert frame.payload == payload


@pytest.mark.parametrize(
    ("step", "changes"),
    [
        ("1a", {"head": body_chain(1, "rappid:@kody/twin:" + "b" * 64)[0].head}),
        ("4", {"utc": "2026-10-07T23:59:59.999Z"}),
        ("4", {"kind": "body.re-genesis", "payload": RE_GENESIS}),
        ("6", {"kind": "body.re-genesis", "payload": RE_GENESIS, "head": None}),
        ("6", {"kind": "swarm.echo", "stream_id": SWARM, "head": None}),
    ],
)
def test_a_producer_is_held_to_its_head_and_to_signing(step: str, changes: Any) -> None:
    head = body_chain(1)[0].head
    common: Any = {"kind": "body.pulse", "stream_id": BODY, "payload": {}, "utc": UTC, "head": head}
    with pytest.raises(FrameRefused) as refusal:
        build(**(common | changes))
    assert refusal.value.step == step


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "body.unknown"},
        {"kind": "memory.save"},
        {"utc": "yesterday"},
        {"stream_id": "net:commons"},
        {"payload": {"a": "x" * MAX_OCTETS}},
        {"payload": {"a": float("nan")}},
    ],
)
def test_a_producer_is_held_to_what_a_consumer_checks(changes: Any) -> None:
    common: Any = {"kind": "body.pulse", "stream_id": BODY, "payload": {}, "utc": UTC, "head": None}
    with pytest.raises(Refused):
        build(**(common | changes))


def test_a_frame_deeper_than_64_is_not_built() -> None:
    deep: Any = 1
    for _ in range(63):
        deep = [deep]
    with pytest.raises(NotCanonical):
        build(kind="body.pulse", stream_id=BODY, payload={"a": deep}, utc=UTC, head=None)
    assert build(kind="body.pulse", stream_id=BODY, payload={"a": deep[0]}, utc=UTC, head=None)
