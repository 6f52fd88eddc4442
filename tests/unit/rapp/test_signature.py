"""Step 6: the key, its tail, its time, the equation (rapp/1 7.5, 10, 12.1, 13.2)."""

from dataclasses import replace
from typing import Any

import pytest

from holodesk.errors import FrameRefused, Refused
from holodesk.rapp.frame import Frame, build, parse
from holodesk.rapp.signature import Keyring, SigningKey, check_signature
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

EARLIER = "2026-10-07T00:00:00.000Z"


def refused(frame: Frame, keyring: Keyring) -> str:
    with pytest.raises(FrameRefused) as refusal:
        check_signature(frame, keyring)
    assert refusal.value.step == "6"
    assert refusal.value.where.seq == frame.seq
    return refusal.value.message


def signed(kid: str, key: SigningKey, **changes: Any) -> Frame:
    common: Any = {"kind": "body.pulse", "stream_id": BODY, "payload": {}, "utc": UTC, "head": None}
    return build(key=key, kid=kid, **(common | changes))


def test_an_unsigned_frame_needs_no_key_off_swarm() -> None:
    check_signature(body_chain(1)[0], Keyring.EMPTY)


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
def test_a_signature_by_a_key_in_the_keyring_holds(alg: str) -> None:
    kid, key = owner("one", alg)
    check_signature(signed(kid, key), ring((kid, key)))


def test_a_signature_by_an_unknown_key_is_refused() -> None:
    kid, key = owner()
    assert kid in refused(signed(kid, key), Keyring.EMPTY)
    assert kid in refused(signed(kid, key), ring(owner("two")))


def test_a_signature_over_another_frame_is_refused() -> None:
    kid, key = owner()
    frame, other = signed(kid, key), signed(kid, key, payload={"x": 1})
    refused(parse(spoiled(frame, sig=other.sig)), ring((kid, key)))


def test_a_key_that_kid_was_not_minted_from_is_refused_even_if_it_stands_in_the_keyring() -> None:
    (kid, key), (_, other) = owner(), owner("two")
    with pytest.raises(Refused):
        Keyring.EMPTY.with_key(kid, other.spki)
    refused(signed(kid, other), Keyring(keys={kid: other.spki}))
    refused(signed(kid, key), Keyring(keys={kid: b"no key"}))


def test_a_swarm_frame_must_be_signed() -> None:
    kid, key = owner()
    frame = swarm_chain(1, key, kid)[0]
    check_signature(frame, ring((kid, key)))
    refused(parse(spoiled(frame, sig=None)), ring((kid, key)))


@pytest.mark.parametrize("word", ["revoked", "superseded"])
def test_a_key_ends_at_its_revocation_or_supersession_and_not_before(word: str) -> None:
    kid, key = owner()

    def ended(since: str) -> Keyring:
        ends: Any = {word: {kid: since}}
        return replace(ring((kid, key)), **ends)

    check_signature(signed(kid, key), ended(LATER))
    for since in (UTC, EARLIER):
        assert word in refused(signed(kid, key), ended(since))


def re_genesis(kid: str, key: SigningKey, utc: str = UTC) -> Frame:
    payload = {"migrated_from": {"stream_id": SWARM, "terminal_seal": "0" * 64, "terminal_seq": 4}}
    return build(
        kind="body.re-genesis",
        stream_id=BODY,
        payload=payload,  # type: ignore[arg-type]
        utc=utc,
        head=None,
        key=key,
        kid=kid,
    )


def test_a_re_genesis_is_signed_by_the_owner_in_effect() -> None:
    (old, old_key), (new, new_key) = owner("old"), owner("new")
    owners = (("", old), (UTC, new))
    keyring = replace(ring((old, old_key), (new, new_key)), owners=owners)
    check_signature(re_genesis(old, old_key, EARLIER), keyring)
    check_signature(re_genesis(new, new_key), keyring)
    refused(re_genesis(old, old_key), keyring)
    refused(re_genesis(new, new_key, EARLIER), keyring)
    refused(parse(spoiled(re_genesis(old, old_key, EARLIER), sig=None)), keyring)


def test_a_keyring_without_owners_names_none() -> None:
    assert Keyring.EMPTY.owner_at(UTC) is None
    kid, key = owner()
    check_signature(re_genesis(kid, key), ring((kid, key)))
