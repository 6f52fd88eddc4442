"""The frame: eleven members, two addresses, one byte string (rapp/1 7.1, 7.3, 7.5 steps 1 to 3).

Both hash preimages are cut out of the canonical octets: a frame is written once and hashed twice.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from holodesk.errors import Refused
from holodesk.rapp.address import Particle, Wave, particle, particle_of, wave, wave_of
from holodesk.rapp.canonical import Json, admit, canonical
from holodesk.rapp.envelope import SPEC, Kinds, check_envelope, check_tokens, refuse
from holodesk.rapp.intake import number_tokens
from holodesk.rapp.jws import sign_detached
from holodesk.rapp.keys import SigningKey
from holodesk.rapp.names import BASE_KINDS, Family, stream_family

_FRAME_HASH_OCTETS: Final = len('{"frame_hash":"",') + 64


@dataclass(frozen=True, slots=True)
class Head:
    """The newest verified frame of a stream, as far as the next one depends on it."""

    stream_id: str
    seq: int
    frame_hash: Wave
    payload_hash: Particle
    utc: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that passed steps 1 to 3. `octets` is the whole frame in canonical form."""

    spec: str
    kind: str
    stream_id: str
    seq: int
    utc: str
    payload: dict[str, Any]
    payload_hash: Particle
    frame_hash: Wave
    prev: Particle | None
    prev_wave: Wave | None
    sig: str | None
    octets: bytes

    @property
    def head(self) -> Head:
        """This frame as the head that the next one follows."""
        return Head(self.stream_id, self.seq, self.frame_hash, self.payload_hash, self.utc)

    @property
    def family(self) -> Family:
        """The family of the frame's stream, by the form of its id."""
        return stream_family(self.stream_id)

    @property
    def unsigned(self) -> bytes:
        """The canonical octets of the frame without `sig`: what a signature covers."""
        return _without_sig(self.octets, self.stream_id, self.utc, self.sig)

    @property
    def order(self) -> tuple[str, str]:
        """The place among frames of other streams: utc, then frame_hash (rapp/1 7.4)."""
        return self.utc, self.frame_hash


def parse(octets: bytes, kinds: Kinds = BASE_KINDS) -> Frame:
    """The frame in a JSON text, canonical or not.

    Raises:
        NotCanonical: the text is outside the parse profile (before the steps).
        FrameRefused: step 1 form, step 2 particle, step 3 wave.
    """
    value, written = admit(octets)
    members = check_envelope(value, kinds)
    if written is not octets:
        check_tokens(number_tokens(octets), members)
    found = particle_of(_payload_octets(written, members))
    if found != members["payload_hash"]:
        refuse(
            "2", f"payload_hash is {members['payload_hash']}, the payload gives {found}", members
        )
    unsigned = _without_sig(written, members["stream_id"], members["utc"], members["sig"])
    again = wave_of(b"{" + unsigned[_FRAME_HASH_OCTETS:])
    if again != members["frame_hash"]:
        refuse("3", f"frame_hash is {members['frame_hash']}, the frame gives {again}", members)
    return Frame(octets=written, **members)


def _without_sig(octets: bytes, stream_id: str, utc: str, sig: str | None) -> bytes:
    # Members sort by name and everything after the payload is plain ASCII, so the end is known.
    after = len(f'"spec":"{SPEC}","stream_id":"{stream_id}","utc":"{utc}"}}')
    before = after + (len('"sig":null,') if sig is None else len(f'"sig":"{sig}",'))
    return octets[:-before] + octets[-after:]


def _payload_octets(octets: bytes, members: dict[str, Any]) -> bytes:
    after = _text_after_payload(members)
    before = _FRAME_HASH_OCTETS + len(f'"kind":"{members["kind"]}","payload":')
    return octets[before : -len(after)]


def _text_after_payload(members: dict[str, Any]) -> str:
    def quoted(text: str | None) -> str:
        return "null" if text is None else f'"{text}"'

    return (
        f',"payload_hash":"{members["payload_hash"]}","prev":{quoted(members["prev"])},'
        f'"prev_wave":{quoted(members["prev_wave"])},"seq":{members["seq"]},'
        f'"sig":{quoted(members["sig"])},"spec":"{SPEC}",'
        f'"stream_id":"{members["stream_id"]}","utc":"{members["utc"]}"}}'
    )


def build(
    *,
    kind: str,
    stream_id: str,
    payload: dict[str, Json],
    utc: str,
    head: Head | None,
    key: SigningKey | None = None,
    kid: str | None = None,
    kinds: Kinds = BASE_KINDS,
) -> Frame:
    """The next frame after `head`, judged as anybody's would be.

    `kid` names the signer and defaults to `stream_id`, which is right where that is a keyed rappid.

    Raises:
        FrameRefused: steps 1 to 5, or a member name that a producer must not write.
        NotCanonical: the payload has no canonical form, or the frame is too large or too deep.
    """
    check_names(payload)
    follows_wave = head is not None and stream_family(stream_id) == "swarm"
    members: dict[str, Any] = {
        "spec": SPEC,
        "kind": kind,
        "stream_id": stream_id,
        "seq": 0 if head is None else head.seq + 1,
        "utc": utc,
        "payload": payload,
        "payload_hash": particle(payload),
        "prev": None if head is None else head.payload_hash,
        "prev_wave": head.frame_hash if head is not None and follows_wave else None,
    }
    members["frame_hash"] = wave(members)
    sig = None if key is None else sign_detached(key, kid or stream_id, canonical(members))
    return parse(canonical(members | {"sig": sig}), kinds)


def check_names(payload: Json) -> None:
    """Refuse member names that are not NFC or not assigned in this Unicode (producers, rapp/1 4).

    Readers never ask this.

    Raises:
        Refused: such a name, at any depth.
    """
    waiting = [payload]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict):
            waiting.extend(value.values())
            for name in value:
                if not name.isascii():
                    _check_name(name)


def _check_name(name: str) -> None:
    if not unicodedata.is_normalized("NFC", name):
        raise Refused("rapp/1 4", f"a member name must be in NFC, found {name!r:.60}")
    if any(unicodedata.category(character) == "Cn" for character in name):
        raise Refused(
            "rapp/1 4",
            f"a member name must be assigned in Unicode {unicodedata.unidata_version}, "
            f"found {name!r:.60}",
        )
