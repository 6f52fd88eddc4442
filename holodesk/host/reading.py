"""Reading a desk or a chain file: verified, never from a cache (LH 3.1)."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from holodesk.errors import HolodeskError, Place, Refused, Rollback, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower, Outcome
from holodesk.host import clock
from holodesk.host.desks import DESK_FILE, find_desk
from holodesk.host.heads import check_kept, kept_head
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.rapp.signature import Keyring
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
    """What verifying came to; `as_json` is the answer of `holodesk verify`."""

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
            "refusal": None if outcome.refusal is None else refusal_json(outcome.refusal),
            "undetermined": [
                {"seq": seq, "reason": reason} for seq, reason in outcome.undetermined
            ],
            "note": self.note,
        }


def refusal_json(refusal: HolodeskError) -> dict[str, Json]:
    """A refusal as every `--json` answer carries it."""
    return {
        "rule": refusal.rule,
        "step": refusal.step,
        "seq": refusal.where.seq,
        "message": refusal.message,
        "place": str(refusal.where),
    }


class Source:
    """A desk or a chain file as frames in order, and the waves known of it."""

    def __init__(self, path: Path) -> None:
        """Raises Unavailable or Refused: nothing readable there."""
        self._path = path
        self.is_desk = path.is_dir() or path.name == DESK_FILE
        self._folder = path.parent if path.name == DESK_FILE else path
        self.known: Mapping[int, Wave] = {}
        if self.is_desk:
            find_desk(self._folder)
            with DeskFile(self._folder / DESK_FILE, writable=False) as file:
                self.known = file.waves()
        elif not path.is_file():
            told = "expected a desk or a chain file, found nothing"
            raise Unavailable("chain", told, Place(file=str(path)))

    def frames(self) -> Iterator[bytes]:
        """The frames' octets, from genesis on."""
        if not self.is_desk:
            yield from read_lines(self._path)
            return
        with DeskFile(self._folder / DESK_FILE, writable=False) as file:
            yield from file.read()

    def check_end(self, hologram: Hologram) -> str:
        """Compare the last frame with what was verified before; a note for a chain file.

        Raises:
            Rollback: a desk that was put back to an earlier state (rapp/1 7.6).
        """
        head = hologram.head
        where = Place(stream=head.stream_id, seq=head.seq)
        if self.known and max(self.known) > head.seq:
            told = f"expected frame {max(self.known)}, verified before, found the desk cut at "
            raise Rollback("rapp/1 7.6", f"{told}{head.seq}", where)
        if self.is_desk:
            check_kept(head)
            return ""
        kept = kept_head(head.stream_id)
        if kept is not None and kept[0] > head.seq:
            return f"older than the head verified here before (frame {kept[0]})"
        return ""


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
        Unavailable: nothing readable there.
    """
    start = clock.monotonic()
    source = Source(path)
    outcome = Outcome()
    note = ""
    try:
        outcome = _follow(source, runner, registry, seen)
        if outcome.refusal is None and outcome.hologram is not None:
            note = source.check_end(outcome.hologram)
    except Refused as refusal:
        outcome.refusal = refusal
    last = _last_good(source, outcome, registry)
    if outcome.refusal is None and last is None:
        where = Place(file=path.name)
        outcome.refusal = Refused("LH 3.1", "expected a genesis frame, found none", where)
    return Verified(_verdict(outcome, runner), outcome, last, clock.monotonic() - start, note)


def _follow(
    source: Source,
    runner: Runner | None,
    registry: Keyring,
    seen: Callable[[Frame, Hologram], None],
) -> Outcome:
    known = dict(source.known)

    def first(octets: Iterable[bytes]) -> Iterator[bytes]:
        """Before the second frame is read: what this machine kept of the stream."""
        for number, line in enumerate(octets):
            if number == 1 and follower.outcome.hologram is not None:
                kept = kept_head(follower.outcome.hologram.head.stream_id)
                if kept is not None:
                    known.setdefault(*kept)
            yield line

    follower = Follower(runner, registry=registry, known=known)
    return follower.follow(first(source.frames()), seen)


def _last_good(source: Source, outcome: Outcome, registry: Keyring) -> Hologram | None:
    """The newest state before a refusal; a refused replay is behind what was read already."""
    last = outcome.hologram
    refused = outcome.refusal.where.seq if outcome.refusal is not None else None
    if last is None or refused is None or last.head.seq < refused:
        return last
    if isinstance(outcome.refusal, Rollback):
        return last
    return Follower(None, registry=registry).follow(islice(source.frames(), refused)).hologram


def _verdict(outcome: Outcome, runner: Runner | None) -> str:
    if outcome.refusal is not None:
        return "refused"
    if outcome.unjudged and runner is not None:
        return "undetermined"
    return "verified" if runner is not None else "links-verified"


def read_object(path: str, seq: int | None = None) -> Shown:
    """The object of a desk or a chain file at its head, or as it was at frame `seq`.

    Links and structure are checked on the way; replay is `verify`'s.

    Raises:
        Refused: a frame breaks a rule.
        Unavailable: nothing readable, or no such frame.
    """
    source = Source(Path(path))
    frames = source.frames()
    wanted = frames if seq is None else islice(frames, seq + 1)
    outcome = Follower(None, known=source.known).follow(wanted)
    if outcome.refusal is not None:
        raise outcome.refusal
    hologram = outcome.hologram
    where = Place(file=str(path))
    if hologram is None:
        raise Refused("LH 3.1", "expected a genesis frame, found none", where)
    if seq is not None and hologram.head.seq != seq:
        told = f"expected a frame {seq}, found the head at {hologram.head.seq}"
        raise Unavailable("LH 3.1", told, where)
    if seq is None:
        source.check_end(hologram)
    head = hologram.head
    return Shown(
        hologram.object,
        head.stream_id,
        head.seq,
        head.frame_hash,
        "live" if seq is None else "past",
        hologram.signed,
    )
