"""The body of an open desk: what its life begins with, and the logs that are kept of it (LH 3.6).

A log is re-run before it is appended, by the steps of anybody's: we judge ourselves. One that
began before the newest tile or log is missed, and said to be.
"""

from collections.abc import Mapping
from typing import Any, Final

from holodesk.errors import FrameRefused, Held, Place
from holodesk.hologram import gate, kinds, reflexes
from holodesk.host import clock, mirror
from holodesk.host.desk import Desk
from holodesk.rapp.frame import Frame
from holodesk.reflex import shape
from holodesk.reflex.mirror import Found
from holodesk.reflex.segment import Begun

RULE: Final = "LH 3.6"


def body_of(desk: Desk) -> Begun:
    """The segment that begins at the desk's head now, and its drafts.

    Raises:
        RoutineRefused: the chain holds a body that is none.
    """
    hologram = desk.hologram
    t0 = max(clock.now(), hologram.head.utc)
    newest = hologram.lived.newest
    return reflexes.segment_at(hologram.object, hologram.moment, newest, t0)


def append_log(desk: Desk, log: Mapping[str, Any]) -> Frame:
    """Re-run a finished segment and append it.

    Raises:
        Held: it began before the newest tile or log, so it is missed.
        Refused: another shape, a rule broken, or a re-run that gives another log.
        Unavailable: the desk cannot be written.
    """
    if (why := shape.problem(log)) is not None:
        raise FrameRefused(RULE, f"a {kinds.REFLEX} payload needs {why}")
    hologram = desk.hologram
    where = Place(stream=hologram.head.stream_id, seq=hologram.head.seq)
    if hologram.moment.find(log["head"]) is None or log["from"] != hologram.reflex_log:
        raise Held(RULE, "a tile or another log came before this log, which is missed", where)
    return desk.write(kinds.REFLEX, reflexes.log_payload(log, hologram.head.frame_hash))


def append_verdict(desk: Desk, source: str, file: str | None = None) -> tuple[Frame, Found]:
    """Probe somebody's routine here, and say the verdict on this desk's own stream.

    Raises:
        RoutineRefused: the routine fails the machine half.
        Unavailable: it cannot be probed, or the desk cannot be written.
    """
    found = mirror.probed(source, file=file)
    payload = gate.verdict_payload(desk.hologram.head.frame_hash, found)
    return desk.write(kinds.VERDICT, payload), found


def admit(desk: Desk, verdict: Frame, spki: bytes) -> Frame:
    """Admit a routine that the object carries: the machine half here, and a peer's verdict.

    Raises:
        RoutineRefused: the routine fails the machine half here.
        FrameRefused: no routine of the object is meant, or the verdict is no peer's.
        ReplayRefused: the probe here gives another digest.
        Unavailable: it cannot be probed, or the desk cannot be written.
    """
    subject = verdict.payload.get("subject")
    carried = gate.carried(desk.hologram.object, str(subject))
    if carried is None:
        told = f"the object carries no routine with the subject {str(subject)[:16]}"
        raise FrameRefused(RULE, told, Place(seq=verdict.seq))
    assert carried.authored is not None
    mirror.probed(carried.authored, carried.grant)
    payload = gate.gate_payload(desk.hologram.head.frame_hash, verdict, spki)
    return desk.write(kinds.GATE, payload)
