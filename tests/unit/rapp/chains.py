"""Small honest chains for the tests of `rapp`, and ways to spoil a frame with honest hashes."""

from typing import Any

from holodesk.rapp.address import particle, wave
from holodesk.rapp.canonical import canonical, parse
from holodesk.rapp.frame import Frame, Head, build
from holodesk.rapp.names import mint_keyed
from holodesk.rapp.signature import Keyring, SigningKey

BODY = "rappid:@kody/twin:" + "a" * 64
MEMORY = BODY + ":laptop"
SWARM = "net:commons"
UTC = "2026-10-08T00:00:00.000Z"
LATER = "2026-10-08T00:00:01.000Z"


def body_chain(count: int, stream_id: str = BODY, kind: str = "body.pulse") -> list[Frame]:
    """Unsigned frames of one stream."""
    frames: list[Frame] = []
    head: Head | None = None
    for n in range(count):
        frame = build(kind=kind, stream_id=stream_id, payload={"n": n}, utc=UTC, head=head)
        frames.append(frame)
        head = frame.head
    return frames


def swarm_chain(count: int, key: SigningKey, kid: str) -> list[Frame]:
    """Signed frames of a swarm stream."""
    frames: list[Frame] = []
    head: Head | None = None
    for n in range(count):
        frame = build(
            kind="swarm.echo",
            stream_id=SWARM,
            payload={"n": n},
            utc=UTC,
            head=head,
            key=key,
            kid=kid,
        )
        frames.append(frame)
        head = frame.head
    return frames


def members_of(frame: Frame) -> dict[str, Any]:
    """The eleven members of a frame, free to be spoiled."""
    value = parse(frame.octets)
    assert isinstance(value, dict)
    return value


def spoiled(frame: Frame, *, rehash: bool = False, **changes: Any) -> bytes:
    """The frame's text with members replaced; with `rehash`, both addresses are made to fit."""
    members = members_of(frame) | changes
    if rehash:
        members["payload_hash"] = particle(members["payload"])
        members["frame_hash"] = wave(members)
    return canonical(members)


def owner(name: str = "owner", alg: str = "EdDSA") -> tuple[str, SigningKey]:
    """A new keyed identity and its key."""
    key = SigningKey.generate("ES256" if alg == "ES256" else "EdDSA")
    return str(mint_keyed("kody", name, key.spki)), key


def ring(*identities: tuple[str, SigningKey]) -> Keyring:
    """A keyring of some identities."""
    keyring = Keyring.EMPTY
    for kid, key in identities:
        keyring = keyring.with_key(kid, key.spki)
    return keyring
