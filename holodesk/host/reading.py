"""Reading a desk or a chain file: verified, never from a cache (LH 3.1)."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Self

from holodesk.errors import Place, Refused, Rollback, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower, Outcome
from holodesk.host import clock
from holodesk.host.desks import DESK_FILE, find_desk
from holodesk.host.recall import Recall
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import Head
from holodesk.store.desk_file import DeskFile
from holodesk.store.exchange import read_lines


@dataclass(frozen=True, slots=True)
class Shown:
    """One verified state of a hologram, as a display names it (LH 3.11)."""

    object: Json
    stream_id: str
    seq: int
    frame_hash: str
    freshness: str
    signed: bool


@dataclass(frozen=True, slots=True)
class Verified:
    """What verifying came to; `as_json` is the answer of `holodesk verify`, less its refusal."""

    verdict: str
    outcome: Outcome
    head: Hologram | None
    seconds: float
    note: str = ""

    def as_json(self) -> dict[str, Json]:
        outcome, last = self.outcome, self.head
        return {
            "verdict": self.verdict,
            "frames": last.frames if last else 0,
            "tiles": last.tiles if last else 0,
            "replayed": outcome.replayed,
            "reflexes": outcome.reflexes,
            "signed": last.signed if last else False,
            "head": None
            if last is None
            else {
                "stream_id": last.head.stream_id,
                "seq": last.head.seq,
                "frame_hash": last.head.frame_hash,
            },
            "seconds": round(self.seconds, 3),
            "refusal": None,
            "undetermined": [
                {"seq": seq, "reason": reason} for seq, reason in outcome.undetermined
            ],
            "note": self.note,
        }


class Source:
    """A desk or a chain file as frames in order, with what was verified of it here before."""

    def __init__(self, path: Path) -> None:
        """Raises Held, Refused, Unavailable: nothing readable there."""
        self._path = path
        self._file: DeskFile | None = None
        self.fault: Refused | None = None
        self.is_desk = is_desk(path)
        if self.is_desk:
            folder = find_desk(path.parent if path.name == DESK_FILE else path)
            self._file = DeskFile(folder / DESK_FILE, writable=False)
            try:
                self.recall = Recall(self._file.frame(0), self._file.waves())
            except BaseException:
                self.close()
                raise
        else:
            with closing(self.frames()) as lines:
                self.recall = Recall(next(lines, None))

    def frames(self) -> Generator[bytes]:
        """The frames' octets, from genesis on; they end where `fault` says why no more can be read.

        Raises:
            Held, Unavailable: the file cannot be read now.
        """
        self.fault = None
        try:
            yield from read_lines(self._path) if self._file is None else self._file.read()
        except Refused as problem:
            self.fault = problem

    def check_end(self, head: Head) -> str:
        """Compare the last frame with what was verified before; a note for a chain file.

        Raises:
            Rollback: a desk that was put back to an earlier state (rapp/1 7.6).
        """
        if self.is_desk:
            self.recall.check_end(head)
        elif self.recall.kept is not None and self.recall.is_ahead_of(head):
            return f"older than the head verified here before (frame {self.recall.kept[0]})"
        ahead = clock.seconds_ahead(head.utc)
        return f"from the future: {ahead} s ahead of this machine's clock" if ahead > 0 else ""

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def is_desk(path: Path) -> bool:
    """A desk, or else a chain file. Raises Unavailable: neither."""
    try:
        if path.is_dir() or path.name == DESK_FILE:
            return True
        if path.is_file():
            return False
        told = "expected a desk or a chain file, found nothing"
    except OSError as problem:
        told = f"the chain cannot be read: {problem.strerror or problem}"
    raise Unavailable("chain", told, Place(file=str(path)))


def verify(
    path: Path,
    runner: Runner | None,
    *,
    registry: Keyring = Keyring.EMPTY,
    seen: Callable[[Frame, Hologram], None] = lambda frame, hologram: None,
) -> Verified:
    """Verify a desk or a chain file: all seven steps, the controls, and every replay.

    Without a runner only links and structure are checked. A refusal is in the answer.

    Raises:
        Held, Unavailable: nothing readable there now.
    """
    start = clock.monotonic()
    try:
        source = Source(path)
    except Refused as refusal:
        outcome = Outcome(refusal=refusal)
        return Verified("refused", outcome, None, clock.monotonic() - start)
    with source:
        outcome, note = _follow(source, runner, registry, seen)
        last = _last_good(source, outcome, registry)
    if outcome.refusal is None and last is None:
        outcome.refusal = no_genesis(path)
    return Verified(_verdict(outcome, runner), outcome, last, clock.monotonic() - start, note)


def _follow(
    source: Source,
    runner: Runner | None,
    registry: Keyring,
    seen: Callable[[Frame, Hologram], None],
) -> tuple[Outcome, str]:
    outcome = Follower(runner, registry=registry, known=source.recall).follow(source.frames(), seen)
    if isinstance(outcome.refusal, Unavailable):
        raise outcome.refusal  # not judged here is never called a forgery
    if outcome.refusal is None:
        outcome.refusal = source.fault
    if outcome.refusal is not None or outcome.hologram is None:
        return outcome, ""
    try:
        return outcome, source.check_end(outcome.hologram.head)
    except Rollback as problem:
        outcome.refusal = problem
        return outcome, ""


def _last_good(source: Source, outcome: Outcome, registry: Keyring) -> Hologram | None:
    """The newest state before a refusal; a refused replay is behind what was read already.

    A frame that breaks a rule of rapp/1 is the newest that was read, whatever seq it claims.
    """
    last, refusal = outcome.hologram, outcome.refusal
    refused = None if refusal is None else refusal.where.seq
    if refusal is None or refusal.rule.startswith("rapp/1"):
        return last
    if last is None or refused is None or last.head.seq < refused:
        return last
    return Follower(None, registry=registry).follow(islice(source.frames(), refused)).hologram


def _verdict(outcome: Outcome, runner: Runner | None) -> str:
    if outcome.refusal is not None:
        return "refused"
    if outcome.unjudged and runner is not None:
        return "undetermined"
    return "verified" if runner is not None else "links-verified"


def no_genesis(path: Path) -> Refused:
    """What is said of a chain without a frame."""
    return Refused("LH 3.1", "expected a genesis frame, found none", Place(file=path.name))


def read_object(path: str, seq: int | None = None) -> Shown:
    """The object of a desk or a chain file at its head, or as it was at frame `seq`.

    Links and structure are checked on the way; replay is `verify`'s.

    Raises:
        Refused: a frame breaks a rule.
        Held, Unavailable: nothing readable, or no such frame.
    """
    with Source(Path(path)) as source:
        frames = source.frames() if seq is None else _up_to(source.frames(), seq)
        outcome = Follower(None, known=source.recall).follow(frames)
        if (refusal := outcome.refusal or source.fault) is not None:
            raise refusal
        hologram = outcome.hologram
        if hologram is None:
            raise no_genesis(Path(path))
        if seq is None:
            source.check_end(hologram.head)
    head = hologram.head
    if seq is not None and head.seq != seq:
        told = f"expected a frame {seq}, found the head at {head.seq}"
        raise Unavailable("LH 3.1", told, Place(file=str(path)))
    return Shown(
        hologram.object,
        head.stream_id,
        head.seq,
        head.frame_hash,
        "live" if seq is None else "past",
        hologram.signed,
    )


def _up_to(frames: Iterator[bytes], seq: int) -> Iterator[bytes]:
    """The frames up to and with `seq`; at least the first, so that a wrong seq can be told."""
    for number, octets in enumerate(frames):
        yield octets
        if number >= seq:
            return
