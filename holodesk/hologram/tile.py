"""The payload of a pass: the new object and its whole lineage (LH 3.3; decisions 1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.hologram.genesis import CALLER_KINDS
from holodesk.hologram.payload import (
    Check,
    anything,
    check_payload,
    hashed,
    label,
    listed,
    mapping,
    number,
    one_of,
    optional,
    shaped,
    text,
)
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame

READING: Final[Mapping[str, Check]] = {"name": label, "hash": hashed, "params": mapping}

MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "input": shaped({"seq": number, "frame_hash": hashed}),
    "lens": shaped({"name": label, "hash": hashed}),
    "params": mapping,
    "slush_in": mapping,
    "caller": shaped(
        {"id": label, "kind": one_of(*CALLER_KINDS), "persona": optional(label)},
    ),
    "object": anything,
    "data_slush": mapping,
    "controls": optional(hashed),
    "lease": optional(hashed),
    "reflex": optional(hashed),
    "present": optional(
        shaped({"hash": hashed, "octets": number, "readers": listed(shaped(READING))})
    ),
}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who chose. `persona` is the name under which a model worked, or None (LH 3.9)."""

    id: str
    kind: str = "person"
    persona: str | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """What a tile says; the members of `hologram-tile/1`."""

    input_seq: int
    input_hash: str
    lens_name: str
    lens_hash: str
    params: dict[str, Json]
    slush_in: dict[str, Json]
    caller: Caller
    object: Json
    data_slush: dict[str, Json]
    controls: str | None
    lease: str | None
    reflex: str | None
    present: dict[str, Json] | None

    def payload(self, after: str) -> dict[str, Json]:
        """The payload of a tile frame that follows `after`."""
        return {
            "schema": "hologram-tile/1",
            "after": after,
            "input": {"seq": self.input_seq, "frame_hash": self.input_hash},
            "lens": {"name": self.lens_name, "hash": self.lens_hash},
            "params": self.params,
            "slush_in": self.slush_in,
            "caller": {
                "id": self.caller.id,
                "kind": self.caller.kind,
                "persona": self.caller.persona,
            },
            "object": self.object,
            "data_slush": self.data_slush,
            "controls": self.controls,
            "lease": self.lease,
            "reflex": self.reflex,
            "present": self.present,
        }


def parse(frame: Frame) -> Tile:
    """Read a tile frame's payload. Raises FrameRefused: another shape."""
    check_payload(frame, MEMBERS)
    payload = frame.payload
    lens, came_in, caller = (
        _object(payload, "lens"),
        _object(payload, "input"),
        _object(payload, "caller"),
    )
    seq = came_in["seq"]
    present = payload["present"]
    assert isinstance(seq, int)
    return Tile(
        input_seq=seq,
        input_hash=str(came_in["frame_hash"]),
        lens_name=str(lens["name"]),
        lens_hash=str(lens["hash"]),
        params=_object(payload, "params"),
        slush_in=_object(payload, "slush_in"),
        caller=Caller(str(caller["id"]), str(caller["kind"]), _optional(caller["persona"])),
        object=payload["object"],
        data_slush=_object(payload, "data_slush"),
        controls=_optional(payload["controls"]),
        lease=_optional(payload["lease"]),
        reflex=_optional(payload["reflex"]),
        present=present if isinstance(present, dict) else None,
    )


def _object(payload: Mapping[str, Json], name: str) -> dict[str, Json]:
    value = payload[name]
    assert isinstance(value, dict)
    return value


def _optional(value: Json) -> str | None:
    return None if value is None else str(value)
