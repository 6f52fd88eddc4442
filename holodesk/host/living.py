"""The body of an open desk: what its life begins with, and the logs that are kept of it (LH 3.6).

A log is re-run before it is appended, by the steps of anybody's: we judge ourselves. One that
began before the newest tile or log is missed, and said to be.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from holodesk.errors import FrameRefused, Held, Place
from holodesk.hologram import gate, kinds, reflexes
from holodesk.hologram import genesis as genesis_frame
from holodesk.host import clock, mirror
from holodesk.host.desk import Desk
from holodesk.rapp import frame as frames
from holodesk.rapp.frame import Frame
from holodesk.reflex import shape
from holodesk.reflex.mirror import Found
from holodesk.reflex.segment import Begun
from holodesk.store.exchange import read_lines, write_lines

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


def write_verdict(desk: Desk, verdict: Frame, out: Path) -> None:
    """A verdict as a file that others can check alone: our genesis frame with its key, and it.

    Raises:
        Unavailable: the disk refuses.
    """
    genesis = desk.file.frame(0)
    assert genesis is not None
    write_lines((genesis, verdict.octets), out)


def read_verdict(path: Path) -> tuple[Frame, bytes]:
    """The newest verdict frame of a chain file, and its author's key from the genesis in it.

    Raises:
        Refused: a line that is no frame, or no verdict with its key.
        Unavailable: the file cannot be read.
    """
    verdict: Frame | None = None
    keys: dict[str, bytes] = {}
    for octets in read_lines(path):
        frame = frames.parse(octets, kinds.HOUSE_KINDS)
        if frame.kind == kinds.VERDICT:
            verdict = frame
        elif frame.kind == kinds.GENESIS:
            spki = genesis_frame.parse(frame).spki
            if spki is not None:
                keys[frame.stream_id] = spki
    if verdict is None or verdict.stream_id not in keys:
        told = "expected a verdict frame and the signed genesis frame of its stream"
        raise FrameRefused(RULE, told, Place(file=path.name))
    return verdict, keys[verdict.stream_id]


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
