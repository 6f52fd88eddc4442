"""Addresses: a tag of its own for each space, and no other (rapp/1 5)."""

from hashlib import sha256

import pytest

from holodesk.errors import Refused
from holodesk.rapp.address import (
    OCTET_TAGS,
    VALUE_TAGS,
    hash_octets,
    hash_value,
    particle,
    particle_of,
    wave,
    wave_of,
)
from holodesk.rapp.canonical import Json, canonical


def test_a_hash_is_over_tag_line_feed_and_canonical_form() -> None:
    expected = sha256(b'rapp/1:particle\n{"x":1}').hexdigest()
    assert hash_value("rapp/1:particle", {"x": 1}) == expected
    assert particle({"x": 1}) == expected
    assert particle_of(b'{"x":1}') == expected


def test_every_tag_belongs_to_one_function_only() -> None:
    assert not VALUE_TAGS & OCTET_TAGS
    for tag in OCTET_TAGS | {
        "x",
        "rapp/1:particle\n",
        "RAPP/1:particle",
        "rapp/1:sealed-commitment",
    }:
        with pytest.raises(Refused):
            hash_value(tag, {})
    for tag in VALUE_TAGS | {"", "rapp/2:egg"}:
        with pytest.raises(Refused):
            hash_octets(tag, b"")


def test_the_same_octets_have_another_hash_in_another_space() -> None:
    assert len({hash_octets(tag, b"\x00") for tag in OCTET_TAGS}) == len(OCTET_TAGS)
    assert len({hash_value(tag, None) for tag in VALUE_TAGS}) == len(VALUE_TAGS)


def test_a_wave_leaves_out_frame_hash_and_sig_alone() -> None:
    members: dict[str, Json] = {"a": 1, "frame_hash": "x", "sig": "y", "payload_hash": "z"}
    assert wave(members) == wave({"a": 1, "payload_hash": "z"})
    assert wave(members) == wave_of(canonical({"a": 1, "payload_hash": "z"}))
    assert wave(members) != wave({"a": 1})
