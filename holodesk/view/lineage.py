"""Who chose what, through which lens, from which state: one row a frame (LH 3.3)."""

from dataclasses import dataclass
from typing import Any, Final

from holodesk.rapp.frame import Frame
from holodesk.view.words import brief, line

PREFIX: Final = "hologram."


@dataclass(frozen=True, slots=True)
class LineageRow:
    """One frame as a line: what it did (`title`), who did it (`caller`), and what came of it.

    Each text is short, and on one line, whatever the frame holds.
    """

    seq: int
    kind: str
    utc: str
    title: str
    caller: str
    summary: str
    frame_hash: str
    signed: bool


def row(frame: Frame) -> LineageRow:
    """The lineage row of one verified frame of a hologram."""
    kind = frame.kind.removeprefix(PREFIX)
    title, caller, summary = _TOLD.get(kind, _unknown)(frame.payload)
    return LineageRow(
        frame.seq,
        kind,
        frame.utc,
        line(title, 100),
        line(caller, 200),
        line(summary, 300),
        frame.frame_hash,
        frame.sig is not None,
    )


def _genesis(payload: dict[str, Any]) -> tuple[str, str, str]:
    owner = payload["owner"]
    schema = payload["object"].get("schema") if isinstance(payload["object"], dict) else None
    return "genesis", f"{owner['kind']}: {owner['id']}", str(schema or "an object without schema")


def _lens(payload: dict[str, Any]) -> tuple[str, str, str]:
    return payload["name"], "host", f"source {payload['hash'][:8]}"


def _tile(payload: dict[str, Any]) -> tuple[str, str, str]:
    caller = payload["caller"]
    told = f"{caller['kind']}: {caller['id']}"
    if caller["persona"]:
        told += f" as {caller['persona']}"
    return payload["lens"]["name"], told, brief(payload["params"], 90)


def _control(payload: dict[str, Any]) -> tuple[str, str, str]:
    by = payload["by"]
    change = f"{payload['previous']['value']} → {payload['value']}"
    if payload["detail"] != payload["previous"]["detail"]:
        change += f" {brief(payload['detail'], 60)}"
    summary = f"{change}  {payload['reason']}".rstrip()
    return payload["control"], f"{by['kind']}: {by['id']}", summary


def _lease(payload: dict[str, Any]) -> tuple[str, str, str]:
    return (
        payload["action"],
        f"{payload['holder']} on {payload['machine']}",
        f"until {payload['expires']}",
    )


def _reflex(payload: dict[str, Any]) -> tuple[str, str, str]:
    told = payload.get("events")
    counts: dict[str, int] = {}
    for event in told if isinstance(told, list) else []:
        if isinstance(event, list) and len(event) > 1 and isinstance(event[1], str):
            counts[event[1]] = counts.get(event[1], 0) + 1
    met = "".join(f", {kind} {count}" for kind, count in counts.items())
    return "reflex log", "host", f"{brief(payload.get('ticks', '?'), 20)} ticks{met}"


def _gate(payload: dict[str, Any]) -> tuple[str, str, str]:
    verdict = payload.get("verdict")
    peer = verdict.get("stream_id") if isinstance(verdict, dict) else None
    return "mirror gate", f"peer: {peer or '?'}", f"admits {payload.get('subject', '?')}"


def _verdict(payload: dict[str, Any]) -> tuple[str, str, str]:
    return "verdict", "host", f"on {payload.get('subject', '?')}"


def _unknown(payload: dict[str, Any]) -> tuple[str, str, str]:
    return "", "", brief(payload, 90)


_TOLD: Final = {
    "genesis": _genesis,
    "lens": _lens,
    "tile": _tile,
    "control": _control,
    "lease": _lease,
    "reflex": _reflex,
    "gate": _gate,
    "verdict": _verdict,
}
