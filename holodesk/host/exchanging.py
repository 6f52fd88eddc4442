"""Chains in and out of desks: nothing is copied into a desk unread (decisions 8)."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from holodesk.errors import HolodeskError, Place, Refused
from holodesk.hologram.chain import Hologram
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.host.content import shipped
from holodesk.host.desks import DESK_FILE, LENSES, MEDIA, NewFolder, furnish
from holodesk.host.heads import check_kept, keep_head
from holodesk.host.reading import Source
from holodesk.rapp import frame as frames
from holodesk.rapp.frame import Frame
from holodesk.rapp.stream import Head
from holodesk.store.desk_file import DeskFile
from holodesk.store.exchange import Tail, write_lines

TOGETHER: Final = 256
"""Frames put into a new desk in one transaction."""


def export_chain(desk: Path, out: Path) -> tuple[int, Hologram]:
    """Write a desk's frames as JSON Lines; how many, and the head they end at.

    Raises:
        Refused: the desk's own chain breaks a rule; nothing is written.
        Unavailable: no desk, or the disk refuses.
    """
    source = Source(desk)
    outcome = Follower(None, known=source.known).follow(source.frames())
    if outcome.refusal is not None:
        raise outcome.refusal
    if outcome.hologram is None:
        raise Refused("LH 3.1", "expected a genesis frame, found none", Place(file=desk.name))
    return write_lines(source.frames(), out), outcome.hologram


def import_chain(path: Path, desk: Path, runner: Runner) -> tuple[Hologram, int]:
    """A new desk from a chain file, verified and replayed first; the hologram and its frames.

    Raises:
        Refused: the chain breaks a rule, or something is at `desk`; nothing is made.
        Unavailable: a file, a disk or the runtime is missing.
    """
    outcome = Follower(runner).follow(Source(path).frames())
    if outcome.refusal is not None:
        raise outcome.refusal
    hologram = outcome.hologram
    if hologram is None:
        raise Refused("LH 3.1", "expected a genesis frame, found none", Place(file=path.name))
    if outcome.undetermined:
        seq, reason = outcome.undetermined[0]
        told = f"the chain could not be judged here: {reason}"
        raise Refused("LH 3.3", told, Place(file=path.name, seq=seq))
    check_kept(hologram.head)
    with NewFolder(desk) as part:
        with DeskFile.create(part / DESK_FILE) as file:
            _fill(file, Source(path).frames(), hologram)
        furnish(part, _kind_lenses(hologram))
        (part / MEDIA).mkdir(exist_ok=True)
        for lens in hologram.lenses.values():
            target = part / LENSES / f"{lens.name.lower()}_agent.py"
            if not target.exists() and lens.name.isidentifier():
                target.write_bytes(lens.agent.source.encode())
    keep_head(hologram.head)
    return hologram, hologram.frames


def _kind_lenses(hologram: Hologram) -> Path:
    """The shipped lenses of the object's own kind, or an empty place."""
    kind = hologram.schema.partition("/")[0]
    return shipped("lenses") / (kind if kind.isalnum() else "none")


def _fill(file: DeskFile, octets: Iterator[bytes], hologram: Hologram) -> None:
    head: Head | None = None
    batch: list[Frame] = []
    for line in octets:
        batch.append(frames.parse(line, HOUSE_KINDS))
        if len(batch) == TOGETHER:
            head = _put(file, batch, head)
            batch = []
    if batch:
        head = _put(file, batch, head)
    if head is None or head.frame_hash != hologram.head.frame_hash:
        raise Refused("rapp/1 7.6", "the chain file changed while it was read")


def _put(file: DeskFile, batch: list[Frame], head: Head | None) -> Head:
    sources = {
        str(f.payload["hash"]): str(f.payload["source"]) for f in batch if f.kind == "hologram.lens"
    }
    file.append(batch, None if head is None else head.frame_hash, sources)
    return batch[-1].head


def follow_file(
    path: Path,
    runner: Runner | None,
    told: Callable[[Hologram], None],
    *,
    once: bool = False,
    seconds: float | None = None,
    pause: float = 0.5,
) -> Hologram | None:
    """Read on in a growing chain file, telling each new verified head.

    Raises:
        Refused: a frame breaks a rule, or the file was cut.
        Unavailable: the file cannot be read.
    """
    tail = Tail(path)
    ends = None if seconds is None else time.monotonic() + seconds
    hologram: Hologram | None = None
    while True:
        lines = tail.read()
        if lines:
            follower = Follower(runner, start=hologram)
            outcome = follower.follow(lines)
            if outcome.refusal is not None:
                _place_file(outcome.refusal, path)
                raise outcome.refusal
            hologram = outcome.hologram
            assert hologram is not None
            told(hologram)
            continue
        if once or (ends is not None and time.monotonic() >= ends):
            return hologram
        time.sleep(pause)


def _place_file(problem: HolodeskError, path: Path) -> None:
    if problem.where.file is None:
        where = problem.where
        problem.where = Place(where.stream, where.seq, path.name, where.line, where.field)
