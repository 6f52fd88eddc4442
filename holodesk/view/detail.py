"""Everything that one frame says, in reading order (LH 3.3)."""

from typing import Any

from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.view.words import difference, whole

Section = tuple[str, str]


def sections(frame: Frame, came_in: Json = None) -> tuple[Section, ...]:
    """A frame as (heading, text). `came_in` is the object that a tile's pass started from."""
    kind = frame.kind.removeprefix("hologram.")
    told = {"tile": _tile, "lens": _lens, "genesis": _genesis}.get(kind)
    made = told(frame.payload, came_in) if told else [("Payload", whole(frame.payload))]
    return (*made, *_envelope(frame))


def _tile(payload: dict[str, Any], came_in: Json) -> list[Section]:
    caller = payload["caller"]
    who = f"{caller['kind']}: {caller['id']}"
    changed = difference(came_in, payload["object"]) or "nothing"
    return [
        ("Chosen by", who + (f", as {caller['persona']}" if caller["persona"] else "")),
        ("Lens", f"{payload['lens']['name']}\n{payload['lens']['hash']}"),
        ("Parameters", whole(payload["params"])),
        ("What changed", changed),
        ("Object after", whole(payload["object"])),
        ("Slush in", whole(payload["slush_in"])),
        ("Slush out", whole(payload["data_slush"])),
        ("Input", f"frame {payload['input']['seq']}\n{payload['input']['frame_hash']}"),
        (
            "In force",
            "\n".join(f"{name}: {payload[name] or 'none'}" for name in ("controls", "lease")),
        ),
        ("Present", whole(payload["present"]) if payload["present"] else "no reader took part"),
    ]


def _lens(payload: dict[str, Any], came_in: Json) -> list[Section]:
    runtime = payload["runtime"]
    return [
        ("Lens", f"{payload['name']}\n{payload['hash']}"),
        ("Runtime", f"{runtime['name']}\n{runtime['sha256']}"),
        ("Source", payload["source"]),
    ]


def _genesis(payload: dict[str, Any], came_in: Json) -> list[Section]:
    self_lens = payload["self_lens"]
    return [
        ("Owner", f"{payload['owner']['kind']}: {payload['owner']['id']}"),
        ("Object", whole(payload["object"])),
        ("Controls", whole(payload["controls"])),
        ("Self-lens", self_lens["source"] if self_lens else "none"),
        ("Came from", whole(payload["from"]) if payload["from"] else "nothing before"),
    ]


def _envelope(frame: Frame) -> list[Section]:
    return [
        ("Frame", f"{frame.seq}  {frame.kind}  {frame.utc}\n{frame.frame_hash}"),
        ("Payload hash", frame.payload_hash),
        ("Follows", f"{frame.payload.get('after') or 'nothing'}"),
        ("Signature", frame.sig or "unsigned"),
    ]
