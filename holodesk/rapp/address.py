"""Addresses: domain-tagged SHA-256, each kind with a type of its own (rapp/1 5).

A hash means something only inside its space. A tag outside the two tables, or a tag with the other
function, is refused: a typing slip must not make a new space.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NewType

from holodesk.errors import Refused
from holodesk.rapp.canonical import Json, canonical

Particle = NewType("Particle", str)
"""Address of a payload: 64 lowercase hex."""
Wave = NewType("Wave", str)
"""Address of a whole frame less `frame_hash` and `sig`: 64 lowercase hex."""

PARTICLE: Final = "rapp/1:particle"
WAVE: Final = "rapp/1:wave"
EGG_MANIFEST: Final = "rapp/1:egg-manifest"
EGG: Final = "rapp/1:egg"
RAPPID: Final = "rapp/1:rappid"
SEAL: Final = "rapp/1:seal"

VALUE_TAGS: Final = frozenset(
    {PARTICLE, WAVE, EGG_MANIFEST, "rapp/1:sealed-aad", "rapp/1:sealed-key-request"}
)
OCTET_TAGS: Final = frozenset({EGG, RAPPID, "rapp/1:grail", SEAL})

_PARTICLE: Final = f"{PARTICLE}\n".encode()
_WAVE: Final = f"{WAVE}\n".encode()


def hash_value(tag: str, value: Json) -> str:
    """H: SHA-256 over tag, line feed and canonical form, as 64 lowercase hex.

    Raises:
        Refused: the tag is not one of the value spaces.
        NotCanonical: the value has no canonical form.
    """
    if tag not in VALUE_TAGS:
        raise Refused("rapp/1 5", f"{tag!r:.60} is not a tag for values")
    return _tagged(tag, canonical(value))


def hash_octets(tag: str, octets: bytes) -> str:
    """Hb: SHA-256 over tag, line feed and raw octets, as 64 lowercase hex.

    Raises:
        Refused: the tag is not one of the octet spaces.
    """
    if tag not in OCTET_TAGS:
        raise Refused("rapp/1 5", f"{tag!r:.60} is not a tag for octets")
    return _tagged(tag, octets)


def _tagged(tag: str, octets: bytes) -> str:
    return sha256(f"{tag}\n".encode() + octets).hexdigest()


def particle(payload: Json) -> Particle:
    """The address of a payload."""
    return particle_of(canonical(payload))


def particle_of(octets: bytes) -> Particle:
    """The address of a payload whose canonical octets are at hand."""
    return Particle(sha256(_PARTICLE + octets).hexdigest())


def wave(members: Mapping[str, Json]) -> Wave:
    """The address of a frame: its members less `frame_hash` and `sig`."""
    kept = {name: value for name, value in members.items() if name not in ("frame_hash", "sig")}
    return wave_of(canonical(kept))


def wave_of(octets: bytes) -> Wave:
    """The address of a frame whose canonical octets less `frame_hash` and `sig` are at hand."""
    return Wave(sha256(_WAVE + octets).hexdigest())
