"""The frame: eleven members, two addresses, one byte string (rapp/1 7.1, 7.3, 7.5 steps 1 to 3).

Both hash preimages are cut out of the canonical octets: a frame is written once and hashed twice.
"""

import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from holodesk.errors import Refused
from holodesk.rapp.address import Particle, Wave, particle, particle_of, wave, wave_of
from holodesk.rapp.canonical import Json, admit, canonical
from holodesk.rapp.envelope import RE_GENESIS, SPEC, Kinds, check_envelope, check_tokens, refuse
from holodesk.rapp.intake import number_tokens
from holodesk.rapp.jws import sign_detached
from holodesk.rapp.keys import SigningKey
from holodesk.rapp.names import BASE_KINDS, Family, stream_family


@dataclass(frozen=True, slots=True)
class Head:
    """The newest verified frame of a stream, as far as the next one depends on it."""

    stream_id: str
    seq: int
    frame_hash: Wave
    payload_hash: Particle
    utc: str


@dataclass(frozen=True)
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
        sig, rest = _octets_from_sig(self.stream_id, self.sig)
        return self.octets[: -(sig + rest)] + self.octets[-rest:]

    @property
    def order(self) -> tuple[str, str]:
        """The place among frames of other streams: utc, then frame_hash (rapp/1 7.4)."""
        return self.utc, self.frame_hash


def parse(octets: bytes, kinds: Kinds = BASE_KINDS, *, stream_id: str | None = None) -> Frame:
    """The frame in a JSON text, canonical or not; of the stream `stream_id`, where one is given.

    Raises:
        NotCanonical: the text is outside the parse profile (before the steps).
        FrameRefused: step 1 form, step 1a another stream, step 2 particle, step 3 wave.
    """
    value, written = admit(octets)
    members = check_envelope(value, kinds)
    if written is not octets:
        check_tokens(number_tokens(octets), members)
    if stream_id is not None and stream_id != members["stream_id"]:
        refuse("1a", f"the frame belongs to another stream than {stream_id}", members)
    sig, rest = _octets_from_sig(members["stream_id"], members["sig"])
    payload = written[_octets_before_payload(members) : -(_octets_between(members) + sig + rest)]
    found = particle_of(payload)
    if found != members["payload_hash"]:
        refuse(
            "2", f"payload_hash is {members['payload_hash']}, the payload gives {found}", members
        )
    again = wave_of(b"{" + written[_BEFORE_KIND : -(sig + rest)] + written[-rest:])
    if again != members["frame_hash"]:
        refuse("3", f"frame_hash is {members['frame_hash']}, the frame gives {again}", members)
    return _frame(members, written)


def _frame(members: dict[str, Any], octets: bytes) -> Frame:
    # The checked members become the frame as they are: field by field takes as long as a hash.
    frame = object.__new__(Frame)
    members["octets"] = octets
    object.__setattr__(frame, "__dict__", members)
    return frame


# Members sort by name, and every one but the payload was found to be plain ASCII of a known length:
# frame_hash, kind, payload, payload_hash, prev, prev_wave, seq, sig, spec, stream_id, utc.
_HASH_OCTETS: Final = 64
_BEFORE_KIND: Final = len('{"frame_hash":"",') + _HASH_OCTETS
_AROUND_KIND: Final = len('"kind":"","payload":')
_AROUND_LINKS: Final = len(',"payload_hash":"","prev":,"prev_wave":,"seq":,') + _HASH_OCTETS
_NULL: Final = len("null")
_QUOTED_HASH: Final = len('""') + _HASH_OCTETS
_AROUND_SIG: Final = len('"sig":,')
_AROUND_STREAM: Final = len(f'"spec":"{SPEC}","stream_id":"","utc":"YYYY-MM-DDTHH:MM:SS.mmmZ"}}')


def _octets_before_payload(members: dict[str, Any]) -> int:
    return _BEFORE_KIND + _AROUND_KIND + len(members["kind"])


def _octets_between(members: dict[str, Any]) -> int:
    """From the end of the payload to `sig`."""
    return (
        _AROUND_LINKS
        + (_NULL if members["prev"] is None else _QUOTED_HASH)
        + (_NULL if members["prev_wave"] is None else _QUOTED_HASH)
        + len(str(members["seq"]))
    )


def _octets_from_sig(stream_id: str, sig: str | None) -> tuple[int, int]:
    """Of `sig`, and from its end to the end of the frame."""
    of_sig = _NULL if sig is None else len(sig) + len('""')
    return _AROUND_SIG + of_sig, _AROUND_STREAM + len(stream_id)


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
        FrameRefused: a step that a reader would refuse it at, keys aside.
        NotCanonical: the payload has no canonical form, or the frame is too large or too deep.
        Refused: a member name that a producer must not write.
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
    frame = parse(canonical(members | {"sig": sig}), kinds)
    _check_producer(frame, head)
    return frame


def _check_producer(frame: Frame, head: Head | None) -> None:
    """What a reader would refuse for want of a fitting head or of a signature."""
    members = {"stream_id": frame.stream_id, "seq": frame.seq}
    begins_anew = frame.kind.endswith(RE_GENESIS)
    if head is not None:
        if frame.stream_id != head.stream_id:
            refuse("1a", f"the frame belongs to another stream than {head.stream_id}", members)
        if begins_anew:
            refuse("4", "a re-genesis frame must be the first of its stream", members)
        if frame.utc < head.utc:
            told = f"utc must not be before the head's {head.utc}, found {frame.utc}"
            refuse("4", told, members)
    if frame.sig is None and (begins_anew or frame.family == "swarm"):
        refuse("6", "a swarm frame and a re-genesis must be signed", members)


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
