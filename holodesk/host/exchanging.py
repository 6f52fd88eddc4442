"""Chains in and out of desks: nothing is copied into a desk unread (decisions 8)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from holodesk.errors import Place, Unavailable, Usage
from holodesk.hologram import kinds
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.host import clock
from holodesk.host.content import KINDS, shipped
from holodesk.host.desks import DESK_FILE, LENSES, MEDIA, NewFolder, furnish
from holodesk.host.growing import Growing
from holodesk.host.heads import keep_head
from holodesk.host.modelling import carry, media_folder
from holodesk.host.offering import MAX_FILES
from holodesk.host.reading import Source, no_genesis
from holodesk.rapp.address import Wave
from holodesk.rapp.frame import Frame
from holodesk.store.desk_file import DeskFile
from holodesk.store.exchange import write_lines

TOGETHER: Final = 256
"""Frames put into a new desk in one transaction."""
TOGETHER_OCTETS: Final = 4 << 20
"""Octets of them that wait at most."""


def export_chain(desk: Path, out: Path) -> tuple[int, Hologram, str]:
    """Write a desk's frames as JSON Lines; how many, the head they end at, and what stays behind.

    What is written is what was verified, frame by frame. The media that the head names go into the
    folder `media` beside the file.

    Raises:
        Refused: the desk's own chain breaks a rule; nothing is written.
        Usage: `out` has the name of a desk's own file.
        Held, Unavailable: no desk, or the disk refuses.
    """
    if out.name.startswith(DESK_FILE):
        raise Usage("export", f"expected another name than {DESK_FILE}", Place(file=str(out)))
    with Source(desk) as source:
        follower = Follower(None, known=source.recall)
        count = write_lines(_followed(source, follower, desk), out)
    hologram = follower.outcome.hologram
    assert hologram is not None
    return count, hologram, carry(hologram.object, media_folder(desk), media_folder(out))


def _followed(source: Source, follower: Follower, desk: Path) -> Iterator[bytes]:
    held: list[Frame] = []
    for octets in source.frames():
        follower.follow((octets,), lambda frame, hologram: held.append(frame))
        if follower.outcome.refusal is not None:
            raise follower.outcome.refusal
        yield held.pop().octets
    if source.fault is not None:
        raise source.fault
    if follower.outcome.hologram is None:
        raise no_genesis(desk)
    source.check_end(follower.outcome.hologram.head)


def import_chain(path: Path, desk: Path, runner: Runner) -> tuple[Hologram, str]:
    """A new desk from a chain file, verified and replayed as it is read; and what stays behind.

    Raises:
        Refused: the chain breaks a rule, ends below what was verified here before, or something is
            at `desk`; nothing is made.
        Held, Unavailable: a file, a disk or the runtime is missing, or a frame cannot be judged.
    """
    with Source(path) as source, NewFolder(desk) as part:
        with DeskFile.create(part / DESK_FILE) as file:
            hologram = _fill(file, source, runner, path)
        furnish(part, _kind_lenses(hologram))
        (part / MEDIA).mkdir(exist_ok=True)
        stays = carry(hologram.object, media_folder(path), part / MEDIA)
        _bring_lenses(hologram, part / LENSES)
        keep_head(hologram)
    return hologram, stays


def _fill(file: DeskFile, source: Source, runner: Runner, path: Path) -> Hologram:
    filling = _Filling(file)
    outcome = Follower(runner, known=source.recall).follow(source.frames(), filling.add)
    if (refusal := outcome.refusal or source.fault) is not None:
        raise refusal
    if outcome.hologram is None:
        raise no_genesis(path)
    if outcome.undetermined:
        seq, reason = outcome.undetermined[0]
        told = f"the chain could not be judged here: {reason}"
        raise Unavailable("LH 3.3", told, Place(file=path.name, seq=seq))
    source.recall.check_end(outcome.hologram.head)
    clock.check_clock(outcome.hologram.head.utc, Place(file=path.name))
    filling.flush()
    return outcome.hologram


class _Filling:
    """Puts frames into a new desk file, many together; memory stays as it is."""

    def __init__(self, file: DeskFile) -> None:
        self._file = file
        self._head: Wave | None = None
        self._waiting: list[Frame] = []
        self._octets = 0

    def add(self, frame: Frame, hologram: Hologram) -> None:
        self._waiting.append(frame)
        self._octets += len(frame.octets)
        if len(self._waiting) >= TOGETHER or self._octets >= TOGETHER_OCTETS:
            self.flush()

    def flush(self) -> None:
        if not self._waiting:
            return
        sources = {
            str(frame.payload["hash"]): str(frame.payload["source"])
            for frame in self._waiting
            if frame.kind == kinds.LENS
        }
        self._file.append(self._waiting, self._head, sources)
        self._head = self._waiting[-1].frame_hash
        self._waiting, self._octets = [], 0


def _kind_lenses(hologram: Hologram) -> Path:
    """The shipped lenses of the object's own kind, or an empty place."""
    kind = hologram.schema.partition("/")[0]
    return shipped("lenses") / (kind if kind in KINDS else "none")


def _bring_lenses(hologram: Hologram, folder: Path) -> None:
    """The newest version of each lens that came with the chain, where none of that file ships.

    A lens name is 1 to 64 of A-Z a-z 0-9 _ - (the gate saw to it), so that it can be a file name.
    """
    names: set[str] = set()
    for lens in reversed(tuple(hologram.lenses.values())):
        name = f"{lens.name.lower().replace('-', '_')}_agent.py"
        if name in names or len(names) >= MAX_FILES:
            continue
        names.add(name)
        if not (folder / name).exists():
            (folder / name).write_bytes(lens.agent.source.encode())


def follow_file(
    path: Path,
    runner: Runner,
    told: Callable[[Hologram], None],
    *,
    once: bool = False,
    seconds: float | None = None,
    pause: float = 0.5,
) -> Hologram | None:
    """Read on in a growing chain file, telling each new verified head.

    Raises:
        Refused: a frame breaks a rule, or the file was cut.
        Unavailable: the file cannot be read, or a frame cannot be judged here.
    """
    growing = Growing(path, runner)
    ends = None if seconds is None else clock.monotonic() + seconds
    while True:
        if growing.read_on():
            assert growing.hologram is not None
            told(growing.hologram)
        elif once or (ends is not None and clock.monotonic() >= ends):
            return growing.hologram
        else:
            clock.pause(pause)
