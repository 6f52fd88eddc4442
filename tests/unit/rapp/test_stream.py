"""Streams: steps 1a, 4 and 5; heads, forks, rollback (rapp/1 7.5, 7.6)."""

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519

from holodesk.errors import Fork, FrameRefused, Refused, Rollback
from holodesk.rapp.frame import Frame, build, parse
from holodesk.rapp.names import mint_keyed
from holodesk.rapp.signature import Keyring, SigningKey
from holodesk.rapp.stream import Stream, begin, check_head, check_links, compare, extend, is_fork
from tests.conftest import ROOT
from tests.unit.rapp.chains import (
    BODY,
    LATER,
    SWARM,
    UTC,
    body_chain,
    owner,
    ring,
    spoiled,
    swarm_chain,
)

EARLIER = "2026-10-07T23:59:59.999Z"


def refused_at(stream: Stream, frame: Frame) -> str | None:
    with pytest.raises(FrameRefused) as refusal:
        extend(stream, frame)
    assert refusal.value.where.seq == frame.seq
    return refusal.value.step


@pytest.fixture(scope="module")
def chain() -> list[Frame]:
    return body_chain(3)


@pytest.fixture
def after_one(chain: list[Frame]) -> Stream:
    return extend(begin(BODY), chain[0])


def test_a_stream_grows_frame_by_frame(chain: list[Frame]) -> None:
    stream = begin(BODY)
    assert stream.head is None
    for frame in chain:
        stream = extend(stream, frame)
        assert stream.head == frame.head


def test_a_stream_id_of_no_form_begins_nothing() -> None:
    with pytest.raises(Refused):
        begin("tick:@kody-w/global")


def test_a_frame_of_another_stream_is_refused_at_step_1a(chain: list[Frame]) -> None:
    assert refused_at(begin("rappid:@kody/twin:" + "b" * 64), chain[0]) == "1a"


@pytest.mark.parametrize("changes", [{"seq": 1}, {"prev": "a" * 64}])
def test_the_first_frame_is_seq_0_and_follows_nothing(chain: list[Frame], changes: Any) -> None:
    assert refused_at(begin(BODY), parse(spoiled(chain[0], rehash=True, **changes))) == "4"


@pytest.mark.parametrize(
    "changes",
    [{"seq": 0}, {"seq": 2}, {"prev": None}, {"prev": "a" * 64}, {"utc": EARLIER}],
)
def test_the_next_frame_follows_the_head(
    chain: list[Frame], after_one: Stream, changes: Any
) -> None:
    assert refused_at(after_one, parse(spoiled(chain[1], rehash=True, **changes))) == "4"


def test_the_same_utc_and_a_later_one_are_both_lawful(
    chain: list[Frame], after_one: Stream
) -> None:
    for utc in (UTC, LATER):
        assert extend(after_one, parse(spoiled(chain[1], rehash=True, utc=utc))).head


def test_off_swarm_prev_wave_is_null(chain: list[Frame], after_one: Stream) -> None:
    octets = spoiled(chain[1], rehash=True, prev_wave=chain[0].frame_hash)
    assert refused_at(after_one, parse(octets)) == "5"


def test_on_a_swarm_prev_wave_is_the_wave_before() -> None:
    kid, key = owner()
    first, second = swarm_chain(2, key, kid)
    stream = extend(begin(SWARM, ring((kid, key))), first)
    assert extend(stream, second).head == second.head
    for prev_wave in (None, "a" * 64):
        octets = spoiled(second, rehash=True, prev_wave=prev_wave)
        assert refused_at(stream, parse(octets)) == "5"
    octets = spoiled(first, rehash=True, prev_wave="a" * 64)
    assert refused_at(begin(SWARM), parse(octets)) == "5"


def test_with_a_registered_genesis_no_other_begins_the_stream(chain: list[Frame]) -> None:
    registered = Keyring(genesis={BODY: chain[0].frame_hash})
    assert extend(begin(BODY, registered), chain[0]).head
    other = parse(spoiled(chain[0], rehash=True, payload={"n": "other"}))
    assert refused_at(begin(BODY, registered), other) == "4"
    assert extend(begin(BODY, Keyring(genesis={SWARM: "a" * 64})), other).head


def test_a_re_genesis_stands_at_the_beginning_alone(chain: list[Frame], after_one: Stream) -> None:
    kid, key = owner()
    payload = {"migrated_from": {"stream_id": BODY, "terminal_seal": "0" * 64, "terminal_seq": 4}}
    common: Any = {"kind": "body.re-genesis", "stream_id": BODY, "payload": payload, "utc": UTC}
    keyring = ring((kid, key))
    frame = build(head=None, key=key, kid=kid, **common)
    assert extend(begin(BODY, keyring), frame).head
    second = {"kind": "body.re-genesis", "payload": payload, "sig": frame.sig}
    later = parse(spoiled(chain[1], rehash=True, **second))
    assert refused_at(replace(after_one, keyring=keyring), later) == "4"


def test_the_links_can_be_checked_without_asking_who_signed() -> None:
    kid, key = owner()
    first = swarm_chain(1, key, kid)[0]
    check_links(begin(SWARM), first)
    assert refused_at(begin(SWARM), first) == "6"


def test_another_frame_at_a_verified_seq_is_a_fork(chain: list[Frame]) -> None:
    known = {frame.seq: frame.frame_hash for frame in chain[:2]}
    for frame in chain:
        compare(known, frame)
    other = parse(spoiled(chain[1], rehash=True, payload={"n": "other"}))
    with pytest.raises(Fork) as refusal:
        compare(known, other)
    assert refusal.value.where.seq == 1
    assert is_fork(chain[1], other)
    assert not is_fork(chain[1], chain[1])
    assert not is_fork(chain[0], chain[1])


def test_a_head_below_the_highest_verified_one_is_a_rollback(chain: list[Frame]) -> None:
    known = {frame.seq: frame.frame_hash for frame in chain[:2]}
    check_head(known, chain[1].head)
    check_head(known, chain[2].head)
    check_head({}, None)
    check_head({}, chain[0].head)
    for head in (None, chain[0].head):
        with pytest.raises(Rollback):
            check_head(known, head)
    other = parse(spoiled(chain[1], rehash=True, payload={"n": "other"}))
    with pytest.raises(Rollback):
        check_head(known, other.head)


def test_the_recorded_signed_chain_verifies_and_is_built_again_octet_for_octet() -> None:
    lines = (ROOT / "tests" / "vectors" / "signed-chain.jsonl").read_bytes().splitlines()
    # RFC 8032 7.1 TEST 1: a published key, which must never sign real data.
    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    key = SigningKey(ed25519.Ed25519PrivateKey.from_private_bytes(secret))
    kid = str(mint_keyed("example", "desk", key.spki))
    stream = begin(kid, ring((kid, key)))
    for line in lines:
        frame = parse(line)
        again = build(
            kind=frame.kind,
            stream_id=kid,
            payload=frame.payload,
            utc=frame.utc,
            head=stream.head,
            key=key,
        )
        assert again == frame
        assert again.octets == line
        stream = extend(stream, frame)
    assert len(lines) == 3
