"""The frames of an open desk, told one by one: rows, details, and a replay at will (LH 3.3)."""

from itertools import islice

from holodesk.errors import Place, ReplayRefused, Unavailable
from holodesk.hologram import chain, kinds
from holodesk.hologram.chain import Due
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower, replay_one
from holodesk.host.desk import Desk
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.view.detail import Section, sections
from holodesk.view.lineage import LineageRow, row


class Lineage:
    """Reads the frames below a desk's verified head."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def rows(self, before: int | None, count: int) -> tuple[list[LineageRow], int]:
        """At most `count` rows below `before` (None: the head), newest first, and the total."""
        head = self._desk.hologram.head.seq
        top = head + 1 if before is None else max(0, min(before, head + 1))
        found = islice(self._desk.file.newest(top), max(0, count))
        rows = [row(frames.parse(octets, kinds.HOUSE_KINDS)) for octets in found]
        return rows, self._desk.hologram.frames

    def kind_at_head(self) -> str:
        """The kind of the frame at the head."""
        return self.frame(self._desk.hologram.head.seq).kind

    def frame(self, seq: int) -> Frame:
        """One frame. Raises Unavailable: no such frame."""
        octets = self._desk.file.frame(seq) if 0 <= seq <= self._desk.hologram.head.seq else None
        if octets is None:
            head = self._desk.hologram.head.seq
            raise Unavailable("LH 3.1", f"expected a frame of 0 to {head}, found {seq}")
        return frames.parse(octets, kinds.HOUSE_KINDS)

    def detail(self, seq: int) -> tuple[str, tuple[Section, ...]]:
        """What a frame says, with the object that a tile's pass started from."""
        frame = self.frame(seq)
        came_in: Json = None
        if frame.kind == kinds.TILE:
            came_in = self.frame(int(frame.payload["input"]["seq"])).payload["object"]
        return frame.kind.removeprefix("hologram."), sections(frame, came_in)

    def replay(self, seq: int, runner: Runner) -> tuple[str, str]:
        """Replay one tile: its verdict (valid, invalid, undetermined) and one sentence."""
        due = self._due(seq)
        if due.lens.runtime != runner.runtime:
            name = due.lens.runtime.name
            return "undetermined", f"the lens was judged by {name[:60]}, not held here"
        try:
            why = replay_one(runner, due)
        except ReplayRefused as problem:
            return "invalid", problem.message
        except Unavailable as problem:
            return "undetermined", problem.message
        if why is not None:
            return "undetermined", why
        return "valid", f"{due.lens.name} gives the same object, byte for byte"

    def _due(self, seq: int) -> Due:
        frame = self.frame(seq)
        if frame.kind != kinds.TILE:
            told = f"expected a tile, found a {frame.kind.removeprefix('hologram.')} frame"
            raise Unavailable("LH 3.3", told, Place(seq=seq))
        before = Follower(None).follow(islice(self._desk.file.read(), seq)).hologram
        assert before is not None
        due = chain.step(before, frame).due
        assert due is not None
        return due
