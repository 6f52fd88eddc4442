"""The frame that names a hologram forever, and its self-lens (LH 3.1, 3.2, 3.4)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.agent.source import AgentSource
from holodesk.errors import FrameRefused, Place
from holodesk.hologram.controls import InForce, Setting, initial
from holodesk.hologram.lens import sourced
from holodesk.hologram.payload import (
    Check,
    anything,
    check_payload,
    hashed,
    label,
    mapping,
    number,
    one_of,
    optional,
    shaped,
    text,
)
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame

CALLER_KINDS: Final = ("person", "model", "viewer", "host", "script")

MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": lambda value: None if value is None else "null",
    "object": anything,
    "controls": mapping,
    "self_lens": optional(shaped({"name": label, "hash": hashed, "source": text})),
    "key": optional(shaped({"spki_der_b64": label})),
    "owner": shaped({"id": label, "kind": one_of(*CALLER_KINDS)}),
    "from": optional(shaped({"stream_id": label, "seq": number, "frame_hash": hashed})),
}


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a hologram came from: the old stream, and its head (LH 3.1)."""

    stream_id: str
    seq: int
    frame_hash: str


@dataclass(frozen=True, slots=True)
class Genesis:
    """What a genesis frame says. `spki` is the owner's public key (DER), or None when unsigned."""

    object: Json
    controls: InForce
    self_lens: AgentSource | None
    spki: bytes | None
    owner: str
    owner_kind: str
    came_from: Checkpoint | None


def parse(frame: Frame) -> Genesis:
    """Read a genesis frame's payload.

    Raises:
        FrameRefused: another shape; a self-lens whose hash or name differs.
        ControlRefused: controls out of range.
        LensImpure, SurfaceIncomplete: the gate refuses the self-lens.
    """
    check_payload(frame, MEMBERS)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    payload = frame.payload
    owner = payload["owner"]
    assert isinstance(owner, dict)
    return Genesis(
        object=payload["object"],
        controls=initial(payload["controls"], str(owner["id"]), frame.utc, where),
        self_lens=_self_lens(payload["self_lens"], where),
        spki=_spki(payload["key"], where),
        owner=str(owner["id"]),
        owner_kind=str(owner["kind"]),
        came_from=_came_from(payload["from"]),
    )


def _self_lens(given: Json, where: Place) -> AgentSource | None:
    if not isinstance(given, dict):
        return None
    return sourced(str(given["source"]), str(given["hash"]), str(given["name"]), where)


def _spki(given: Json, where: Place) -> bytes | None:
    if not isinstance(given, dict):
        return None
    try:
        return base64.b64decode(str(given["spki_der_b64"]), validate=True)
    except (binascii.Error, ValueError) as problem:
        raise FrameRefused("LH 2 key", "expected the key as base64 of DER", where) from problem


def _came_from(given: Json) -> Checkpoint | None:
    if not isinstance(given, dict):
        return None
    seq = given["seq"]
    assert isinstance(seq, int)
    return Checkpoint(str(given["stream_id"]), seq, str(given["frame_hash"]))


def payload(
    *,
    object: Json,
    controls: Mapping[str, Setting],
    self_lens: AgentSource | None,
    spki: bytes | None,
    owner: str,
    owner_kind: str = "person",
    came_from: Checkpoint | None = None,
) -> dict[str, Json]:
    """The payload of a genesis frame."""
    return {
        "schema": "hologram-genesis/1",
        "after": None,
        "object": object,
        "controls": {name: setting.as_json(name) for name, setting in controls.items()},
        "self_lens": None
        if self_lens is None
        else {
            "name": self_lens.surface.name,
            "hash": self_lens.hash,
            "source": self_lens.source,
        },
        "key": None if spki is None else {"spki_der_b64": base64.b64encode(spki).decode()},
        "owner": {"id": owner, "kind": owner_kind},
        "from": None
        if came_from is None
        else {
            "stream_id": came_from.stream_id,
            "seq": came_from.seq,
            "frame_hash": came_from.frame_hash,
        },
    }
