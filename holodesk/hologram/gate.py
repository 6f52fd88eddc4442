"""The mirror gate's frames: a peer's verdict, and what a host admits by it (LH 3.6, 3.8; reflex 8).

A candidate cannot certify itself: the verdict is a whole frame of another identity's stream,
signed by its own key. Votes alone never pass: whoever verifies repeats the probe.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from holodesk.errors import FrameRefused, Place, Refused, ReplayRefused, RoutineRefused
from holodesk.hologram import kinds
from holodesk.hologram.payload import Check, check_payload, hashed, label, mapping, optional, text
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import parse_rappid
from holodesk.rapp.signature import Keyring, check_signature
from holodesk.reflex import mirror
from holodesk.reflex.program import PROFILE
from holodesk.reflex.routines import Draft, drafts

RULE: Final = "LH 3.6"
VERDICT_MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "subject": hashed,
    "profile": label,
    "digest": hashed,
}
GATE_MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "subject": hashed,
    "profile": label,
    "digest": hashed,
    "verdict": mapping,
    "spki_der_b64": label,
}


@dataclass(frozen=True, slots=True)
class Admitted:
    """A gate frame that holds: its subject, the peer, and the draft that carries it."""

    seq: int
    subject: str
    profile: str
    digest: str
    peer: str
    draft: Draft

    def unjudged(self) -> str | None:
        """Why this version cannot repeat the probe, or None."""
        known = self.profile == PROFILE
        return None if known else f"the gate is of {self.profile[:24]}, not held here"

    def judge(self) -> None:
        """Repeat the machine half.

        Raises:
            ReplayRefused: the probe fails here, or gives another digest.
        """
        where = Place(seq=self.seq)
        try:
            found = mirror.machine_half(self.draft.authored or "", self.draft.grant).digest
        except RoutineRefused as problem:
            raise ReplayRefused(RULE, f"the probe fails: {problem.message}", where) from problem
        if found != self.digest:
            told = f"the probe gives another digest: expected {self.digest[:16]}, found"
            raise ReplayRefused(RULE, f"{told} {found[:16]}", where)


def check_verdict(frame: Frame) -> None:
    """A verdict on its author's own stream has its members. Raises FrameRefused."""
    check_payload(frame, VERDICT_MEMBERS)


def read_gate(frame: Frame, object: Json, spki: bytes | None) -> Admitted:
    """A gate frame: the verdict is another identity's, signed, and says the same of a program that
    the object carries.

    `object` is the JSON at the frame before it, `spki` the hologram's own key.

    Raises:
        FrameRefused: another shape, or a verdict that is not a peer's on this subject.
    """
    check_payload(frame, GATE_MEMBERS)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    payload = frame.payload
    verdict = _verdict(payload, where)
    own = {parse_rappid(frame.stream_id).tail}
    if parse_rappid(verdict.stream_id).tail in own or _spki(payload, where) == spki:
        raise FrameRefused(RULE, "a candidate cannot certify itself", where)
    for name in ("subject", "profile", "digest"):
        if verdict.payload[name] != payload[name]:
            told = f"expected the verdict's {name} to be {str(payload[name])[:16]}"
            raise FrameRefused(RULE, f"{told}, found {str(verdict.payload[name])[:16]}", where)
    draft = carried(object, payload["subject"])
    if draft is None:
        told = f"the object carries no routine with the subject {payload['subject'][:16]}"
        raise FrameRefused(RULE, told, where)
    return Admitted(
        frame.seq,
        payload["subject"],
        payload["profile"],
        payload["digest"],
        verdict.stream_id,
        draft,
    )


def carried(object: Json, subject: str) -> Draft | None:
    """The draft whose own program has this subject, or None."""
    own = (draft for draft in drafts(object) if draft.authored is not None)
    return next((draft for draft in own if mirror.subject(draft.authored or "") == subject), None)


def _verdict(payload: Mapping[str, Any], where: Place) -> Frame:
    """The carried frame: steps 1 to 3, the kind, and a signature by the key of its own stream."""
    try:
        frame = frames.parse(canonical(payload["verdict"]), kinds.HOUSE_KINDS)
        if frame.kind != kinds.VERDICT or frame.sig is None:
            raise FrameRefused(RULE, f"expected a signed {kinds.VERDICT} frame", where)
        check_verdict(frame)
        keyring = Keyring.EMPTY.with_key(frame.stream_id, _spki(payload, where))
        check_signature(frame, keyring)
    except Refused as problem:
        told = f"the verdict it carries does not hold: {problem.message}"
        raise FrameRefused(problem.rule, told, where, step=problem.step) from problem
    return frame


def _spki(payload: Mapping[str, Any], where: Place) -> bytes:
    try:
        return base64.b64decode(payload["spki_der_b64"], validate=True)
    except (binascii.Error, ValueError) as problem:
        raise FrameRefused(RULE, "expected the peer's key as base64 of DER", where) from problem


def verdict_payload(after: str, found: mirror.Found) -> dict[str, Json]:
    """The payload of a verdict frame that follows `after` on the peer's own stream."""
    return {
        "schema": kinds.SCHEMAS[kinds.VERDICT],
        "after": after,
        "subject": found.subject,
        "profile": found.profile,
        "digest": found.digest,
    }


def gate_payload(after: str, verdict: Frame, spki: bytes) -> dict[str, Json]:
    """The payload of a gate frame that follows `after` and carries a peer's verdict."""
    told = verdict.payload
    return {
        "schema": kinds.SCHEMAS[kinds.GATE],
        "after": after,
        "subject": told["subject"],
        "profile": told["profile"],
        "digest": told["digest"],
        "verdict": frame_json(verdict),
        "spki_der_b64": base64.b64encode(spki).decode(),
    }


def frame_json(frame: Frame) -> dict[str, Json]:
    """A whole frame as the JSON object that it is."""
    return {
        "spec": frame.spec,
        "kind": frame.kind,
        "stream_id": frame.stream_id,
        "seq": frame.seq,
        "utc": frame.utc,
        "payload": frame.payload,
        "payload_hash": frame.payload_hash,
        "frame_hash": frame.frame_hash,
        "prev": frame.prev,
        "prev_wave": frame.prev_wave,
        "sig": frame.sig,
    }
