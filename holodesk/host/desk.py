"""One open hologram: a single writer that verifies on opening and publishes each head (LH 3.4).

There is no softer road for our own frames: each is built, judged by the steps of anybody's, and
only then appended, by compare with the head it follows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from holodesk.contract.present import Present, assemble
from holodesk.errors import ControlRefused, HolodeskError, Place, Refused, Rollback, Unavailable
from holodesk.hologram import chain, controls, kinds, lease
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower, relive
from holodesk.host import clock
from holodesk.host.desks import DESK_FILE, LENSES, find_desk
from holodesk.host.heads import keep_head, moving
from holodesk.host.keyring import find_key
from holodesk.host.offering import Offering, read_offering
from holodesk.host.pen import Pen as PenLock
from holodesk.host.recall import Recall
from holodesk.host.settings import Settings, machine_label
from holodesk.portal.caller import Choice
from holodesk.portal.loop import Pass, Pen, Surroundings, preview
from holodesk.portal.offer import Offer
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import utc_milliseconds, utc_text
from holodesk.store.desk_file import DeskFile

RENEW_SECONDS: Final = lease.LEASE_SECONDS // 4
"""A lease with less left than this is renewed before the next pass."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A control to turn: its value, and its list where it changes (None: as it is)."""

    control: str
    value: int
    detail: tuple[str, ...] | None = None
    keep_detail: bool = True
    reason: str = ""


class Desk:
    """A desk that is open. With a pen it may append; without, `why_not` says why it may not."""

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        *,
        program: str = "",
        write: bool = True,
        seen: Callable[[Frame, Hologram], None] = lambda frame, hologram: None,
    ) -> None:
        """Open a desk and verify every frame in it; without its key it opens, to read only.

        Raises:
            Held: `write` was asked and another process has the pen.
            Refused: a frame breaks a rule, or the desk was put back to an earlier state.
            Unavailable: no desk, or a disk that refuses.
        """
        self.folder = find_desk(folder)
        self.settings = settings
        self.why_not = "" if write else "opened to read"
        self._lock = PenLock(self.folder, program) if write else None
        self._file: DeskFile | None = None
        try:
            self._file = DeskFile(self.folder / DESK_FILE, writable=write)
            self.hologram = self._verify(seen)
            self._pen = self._take_pen() if write else None
            if self._pen is not None:
                keep_head(self.hologram)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        try:
            if self._file is not None:
                self._file.close()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def file(self) -> DeskFile:
        assert self._file is not None
        return self._file

    @property
    def writable(self) -> bool:
        return self._pen is not None

    @property
    def pen(self) -> Pen:
        """What this desk is written with. Raises Unavailable: it cannot be."""
        if self._pen is None:
            raise Unavailable("LH 3.4", f"the desk cannot be written: {self.why_not}")
        return self._pen

    def offering(self) -> Offering:
        """The lens folder as it is now. Raises Unavailable: the folder is gone."""
        return read_offering(self.folder / LENSES, self.hologram)

    def open_pass(
        self,
        runner: Runner,
        facts: Mapping[str, Json] | None = None,
        offering: Offering | None = None,
    ) -> Pass:
        """A pass over the head as it is now; facts as given, else the host's own.

        Raises: as `Pass.open`, and Unavailable without a pen or a lens folder.
        """
        return Pass.open(self.hologram, self._around(facts, offering), runner, self.pen)

    def offer(self, runner: Runner, offering: Offering | None = None) -> Offer:
        """Exactly what a caller would be shown now; nothing is held or appended.

        One who may only look is shown what the holder of the lease would be shown.

        Raises: as `Pass.open`, and Unavailable without a lens folder.
        """
        held, owner = self.hologram.lease, self.hologram.genesis.owner
        looking = Pen(None, owner, "") if held is None else Pen(None, held.holder, held.machine)
        around = self._around(None, offering)
        return Pass.open(self.hologram, around, runner, self._pen or looking).offer

    def preview(self, runner: Runner, choice: Choice) -> Json:
        """The object that a choice would make. Raises as `Pass.choose`."""
        return preview(self.hologram, self._around(), runner, self.pen, choice)

    def take(
        self,
        a_pass: Pass,
        choice: Choice,
        observed: Mapping[str, Json] | None = None,
    ) -> Frame:
        """Choose, append, publish; the tile. Raises as `Pass.choose`, and Held."""
        made = a_pass.choose(choice, observed)
        self.append(made)
        a_pass.appended()
        return made[-1]

    def turn(self, turning: Turning, by: str | None = None, by_kind: str = "person") -> Frame:
        """Turn a control; effective from the next pass.

        Raises:
            ControlRefused: out of range, or nothing would change.
        """
        name = turning.control
        where = Place(stream=self.hologram.head.stream_id, field=name[:40])
        before = self.hologram.controls.get(name)
        detail = turning.detail
        if before is not None and turning.keep_detail:
            detail = before.setting.detail
        given = controls.detail_json(name, detail) if before is not None else None
        if given is None and detail is not None and before is not None:
            raise ControlRefused("LH 3.7", f"{name}: expected no list, found one", where)
        setting = controls.parse_setting(name, turning.value, given, where)
        assert before is not None
        if setting == before.setting:
            told = f"{name} is {setting.value} already"
            raise ControlRefused("LH 3.7", told, where)
        payload: dict[str, Json] = {
            "schema": kinds.SCHEMAS[kinds.CONTROL],
            "after": self.hologram.head.frame_hash,
            "control": name,
            **setting.as_json(name),
            "previous": before.setting.as_json(name),
            "by": {"id": by or self.settings.owner, "kind": by_kind},
            "reason": turning.reason[:400],
        }
        return self.write(kinds.CONTROL, payload)

    def lease(self, action: str, seconds: int = lease.LEASE_SECONDS) -> Frame:
        """Take, renew or release the lease of this desk's holder. Raises FrameRefused."""
        now = clock.now()
        payload = lease.payload(
            action,
            holder=self.pen.holder,
            machine=self.pen.machine,
            head=self.hologram.head.frame_hash,
            expires=utc_text(utc_milliseconds(now) + seconds * 1000),
        )
        return self.write(kinds.LEASE, payload)

    def hold_lease(self) -> bool:
        """Take the lease before the first pass, and renew it before it runs out (LH 3.4).

        Was a frame appended for it? Raises Held: somebody else has it.
        """
        now = clock.now()
        lease.check_holder(self.hologram.lease, now, self.pen.holder, self.pen.machine)
        standing = lease.in_force(self.hologram.lease, now)
        if standing is None:
            self.lease("take")
            return True
        left = utc_milliseconds(standing.expires) - utc_milliseconds(now)
        if left >= RENEW_SECONDS * 1000:
            return False
        self.lease("renew")
        return True

    def append(self, made: tuple[Frame, ...]) -> None:
        """Judge frames like anybody's, put them on disk, and move the head.

        Raises:
            Refused: a frame breaks a rule, or a copy of this desk went on elsewhere.
            Held: somebody else appended first.
            Unavailable: the disk refuses. Whatever is raised, nothing was appended.
        """
        if not made:
            return
        hologram = self._judged(made)
        sources = {
            str(f.payload["hash"]): str(f.payload["source"]) for f in made if f.kind == kinds.LENS
        }
        with moving(self.hologram, hologram):
            self.file.append(made, self.hologram.head.frame_hash, sources)
        self.hologram = hologram

    def reread(self) -> bool:
        """Follow what another process appended; did the head move?

        Raises:
            Refused: a frame breaks a rule, or the head that was read is there no more.
            Held, Unavailable: the desk file is gone, or cannot be read now.
        """
        before = self.hologram.head
        self.file.check_place()
        waves = self.file.waves()
        if waves.get(before.seq) != before.frame_hash:
            told = f"expected frame {before.seq} ({before.frame_hash[:16]}) as read before"
            raise Rollback("rapp/1 7.6", told, Place(file=self.folder.name, seq=before.seq))
        follower = Follower(None, known=waves, start=self.hologram)
        outcome = follower.follow(self.file.read(before.seq + 1))
        if outcome.refusal is not None:
            raise outcome.refusal
        assert outcome.hologram is not None
        self.hologram = outcome.hologram
        return self.hologram.head.seq != before.seq

    def write(self, kind: str, payload: dict[str, Json]) -> Frame:
        """Append one frame that follows the head.

        Raises:
            Refused: the payload breaks a rule, or is a log or a gate that does not hold.
            Held: somebody else has the lease, or appended first.
            Unavailable: the desk cannot be written.
        """
        pen, now = self.pen, clock.now()
        lease.check_holder(self.hologram.lease, now, pen.holder, pen.machine)
        frame = pen.write(self.hologram, kind, payload, now)
        self.append((frame,))
        return frame

    def _judged(self, made: tuple[Frame, ...]) -> Hologram:
        hologram = self.hologram
        for frame in made:
            step = chain.step(hologram, frames.parse(frame.octets, kinds.HOUSE_KINDS))
            if (why := relive(step)) is not None:
                raise Unavailable("LH 3.6", why, Place(seq=frame.seq))
            hologram = step.hologram
        return hologram

    def _around(
        self, facts: Mapping[str, Json] | None = None, offering: Offering | None = None
    ) -> Surroundings:
        now = clock.now()
        present: Present = assemble(self.hologram, ())
        if facts is None:
            facts = {"host": {"utc": now}} if self.hologram.value("membrane") > 0 else {}
        return Surroundings((offering or self.offering()).lenses, present, facts, now)

    def _verify(self, seen: Callable[[Frame, Hologram], None]) -> Hologram:
        recall = Recall(self.file.frame(0), self.file.waves())
        outcome = Follower(None, known=recall).follow(self.file.read(), seen)
        if outcome.refusal is not None:
            raise outcome.refusal
        where = Place(file=self.folder.name)
        if outcome.hologram is None:
            raise Refused("LH 3.1", "expected a genesis frame, found an empty desk", where)
        recall.check_end(outcome.hologram.head)
        clock.check_clock(outcome.hologram.head.utc, where)
        return outcome.hologram

    def _take_pen(self) -> Pen | None:
        spki, stream_id = self.hologram.genesis.spki, self.hologram.head.stream_id
        if spki is None:
            self.why_not = "its chain is unsigned, and frames written here are always signed"
            return None
        try:
            key = find_key(stream_id, spki)
        except HolodeskError as problem:
            self.why_not = problem.message
            return None
        if key is None:
            self.why_not = "its key is not on this machine"
            return None
        return Pen(key, self.hologram.genesis.owner, machine_label(self.settings))
