"""The host process: one desk, one thread that writes, a table of requests (decisions 8a).

Started as `python -m holodesk.host.service DESK`. Requests come on standard input, notices go out
on standard output; everything else a library prints goes to standard error.
"""

import contextlib
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import msgspec

from holodesk.errors import Held, HolodeskError, Refused, Unavailable
from holodesk.hologram.lease import LEASE_SECONDS, in_force
from holodesk.host import clock, messages, telling
from holodesk.host.callers.person import choice_of
from holodesk.host.callers.script import Script
from holodesk.host.client import read_message
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.following import FollowedChain
from holodesk.host.lineage import Lineage
from holodesk.host.machine.parent import Machine
from holodesk.host.messages import Message, Request, frame_message, read_request
from holodesk.host.settings import Settings, cache_folder, read_settings
from holodesk.host.watch import Watch
from holodesk.portal.caller import Choice
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import utc_milliseconds

log = logging.getLogger(__name__)

READ_ON_SECONDS: Final = 0.5
"""How often a desk that somebody else writes is read on."""
RENEW_SECONDS: Final = LEASE_SECONDS // 4
"""A lease with less left than this is renewed before the next pass."""
CHANGED: Final = "changed"
ENDED: Final = "ended"
Item = Request | str


class Host:
    """Holds the pen of one desk and answers one window."""

    def __init__(self, folder: Path, settings: Settings, tell: Callable[[Message], None]) -> None:
        self._folder = folder
        self._settings = settings
        self._tell = tell
        self._inbox: queue.Queue[Item] = queue.Queue()
        self._desk: Desk | None = None
        self._machine = Machine(cache_folder(), workers=1, progress=self._progress)
        self._script: Script | None = None
        self._next_pass: float | None = None
        self._leased = False
        self._resting = False
        self._watch: Watch | None = None
        self._answers: dict[type[Message], Callable[..., None]] = {
            messages.Choose: self._choose,
            messages.Preview: self._preview,
            messages.Turn: self._turn,
            messages.AskLineage: self._lineage,
            messages.AskDetail: self._detail,
            messages.ReplayNow: self._replay,
            messages.SetCaller: self._set_caller,
        }

    def ask(self, item: Item) -> None:
        """Put a request into the inbox; called from the reader thread."""
        self._inbox.put(item)

    def run(self, *, read_only: bool) -> None:
        """Open the desk, then answer until the window leaves."""
        try:
            self._open(read_only=read_only)
            while self._answer_one():
                pass
        finally:
            self._close()

    def _open(self, *, read_only: bool) -> None:
        self._tell(messages.Working("opening the desk", -1))
        try:
            self._desk = self._opened(read_only=read_only)
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
        self._tell(messages.Working("opening the desk", 1))
        if self._desk is None:
            return
        self._watch = Watch((self._desk.folder / LENSES,), lambda: self.ask(CHANGED))
        self._publish(self._newest_kind())
        try:
            self._machine.warm()
        except Unavailable as problem:
            self._tell(telling.refusal(problem))
        self._make_offer()

    def _opened(self, *, read_only: bool) -> Desk:
        if self._folder.is_file() and self._folder.name != DESK_FILE:
            return FollowedChain(self._folder, self._settings, self._machine)
        if read_only:
            return Desk(self._folder, self._settings, write=False)
        try:
            return Desk(self._folder, self._settings, program="show")
        except Held as held:
            desk = Desk(self._folder, self._settings, write=False)
            desk.why_not = held.message
            return desk

    def _close(self) -> None:
        if self._watch is not None:
            self._watch.close()
        if self._desk is not None:
            if self._leased:
                with contextlib.suppress(HolodeskError):
                    self._desk.lease("release")
            self._desk.close()
        self._machine.close()

    def _answer_one(self) -> bool:
        """Wait for the next request or the next beat; False when the window has left."""
        try:
            item = self._inbox.get(timeout=self._wait())
        except queue.Empty:
            self._beat()
            return True
        if isinstance(item, messages.Leave) or item == ENDED:
            return False
        if item == CHANGED:
            self._make_offer()
            return True
        assert not isinstance(item, str | messages.Leave)
        try:
            self._answers[type(item)](item)
        except HolodeskError as problem:
            self._tell(telling.refusal(problem, item.id))
        return True

    def _wait(self) -> float | None:
        if self._desk is not None and not self._desk.writable:
            return READ_ON_SECONDS
        if self._next_pass is None:
            return None
        return max(0.0, self._next_pass - clock.monotonic())

    def _beat(self) -> None:
        if self._desk is None:
            return
        if not self._desk.writable:
            try:
                if self._desk.reread():
                    self._publish(self._newest_kind())
                    self._make_offer()
            except HolodeskError as problem:
                self._tell(telling.refusal(problem))
                self._publish(self._newest_kind(), "refused")
                self._desk.close()
                self._desk = None
            return
        if self._next_pass is not None and clock.monotonic() >= self._next_pass:
            self._script_pass()

    def _opened_desk(self) -> Desk:
        if self._desk is None:
            raise Unavailable("desk", "no desk is open here")
        return self._desk

    def _publish(self, kind: str, freshness: str = "live") -> None:
        desk = self._opened_desk()
        self._tell(telling.head_moved(desk, kind, freshness=freshness, converged=self._resting))

    def _newest_kind(self) -> str:
        return Lineage(self._opened_desk()).kind_at_head()

    def _make_offer(self) -> None:
        desk = self._opened_desk()
        try:
            offering = desk.offering()
            offer = desk.offer(self._machine)
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
            self._tell(messages.Folder([]))
            return
        rested, self._resting = self._resting, offer.resting
        self._tell(telling.folder(offering))
        self._tell(telling.offered(offer))
        if rested != offer.resting:
            self._publish(self._newest_kind())
        self._schedule()

    def _schedule(self) -> None:
        """When does the host start the next pass by itself (LH 3.7 tempo)?"""
        desk = self._opened_desk()
        tempo = desk.hologram.value("tempo")
        acting = self._script is not None and self._script.left > 0
        waits = -1.0
        self._next_pass = None
        if acting and tempo > 0 and desk.writable and not self._resting:
            waits = 60 / tempo
            self._next_pass = clock.monotonic() + waits
        caller = "person" if self._script is None else "script"
        self._tell(messages.Pace(caller, waits, self._resting))

    def _take(self, choice: Choice, facts: dict[str, msgspec.Raw] | None = None) -> Frame:
        desk = self._opened_desk()
        self._hold_lease(desk)
        a_pass = desk.open_pass(self._machine)
        observed = (facts or {}).get("observed")
        tile = desk.take(a_pass, choice, observed if isinstance(observed, dict) else None)
        self._publish(tile.kind)
        self._make_offer()
        return tile

    def _hold_lease(self, desk: Desk) -> None:
        """Take the lease before the first pass, and renew it before it runs out (LH 3.4)."""
        now = clock.now()
        standing = in_force(desk.hologram.lease, now)
        if standing is None:
            desk.lease("take")
        elif utc_milliseconds(standing.expires) - utc_milliseconds(now) < RENEW_SECONDS * 1000:
            desk.lease("renew")
        self._leased = True

    def _script_pass(self) -> None:
        script = self._script
        assert script is not None
        try:
            offer = self._opened_desk().offer(self._machine)
            choice = script.choose(offer, None)
            if choice is not None:
                self._take(choice, dict(script.facts()))  # type: ignore[arg-type]
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
            self._schedule()

    def _choose(self, asked: messages.Choose) -> None:
        owner = self._opened_desk().hologram.genesis.owner
        tile = self._take(choice_of(asked.lens, asked.params, owner))
        self._tell(messages.Appended(asked.id, tile.seq, "tile", tile.frame_hash))

    def _preview(self, asked: messages.Preview) -> None:
        desk = self._opened_desk()
        choice = choice_of(asked.lens, asked.params, desk.hologram.genesis.owner)
        self._tell(messages.Previewed(asked.id, desk.preview(self._machine, choice)))

    def _turn(self, asked: messages.Turn) -> None:
        desk = self._opened_desk()
        frame = desk.turn(turning_of(asked))
        self._publish(frame.kind)
        self._make_offer()
        self._tell(messages.Appended(asked.id, frame.seq, "control", frame.frame_hash))

    def _lineage(self, asked: messages.AskLineage) -> None:
        rows, total = Lineage(self._opened_desk()).rows(asked.before, min(asked.count, 1000))
        self._tell(messages.LineageRows(asked.id, [telling.row(r) for r in rows], total))

    def _detail(self, asked: messages.AskDetail) -> None:
        kind, sections = Lineage(self._opened_desk()).detail(asked.seq)
        self._tell(messages.Detail(asked.id, asked.seq, kind, list(sections)))

    def _replay(self, asked: messages.ReplayNow) -> None:
        verdict, sentence = Lineage(self._opened_desk()).replay(asked.seq, self._machine)
        self._tell(messages.Replayed(asked.id, asked.seq, verdict, sentence))

    def _set_caller(self, asked: messages.SetCaller) -> None:
        if asked.caller == "person":
            self._script = None
        elif asked.caller == "script" and asked.script:
            self._script = Script(Path(asked.script))
        else:
            raise Refused("caller", f"expected person or script, found {asked.caller[:40]}")
        self._schedule()

    def _progress(self, what: str, done: float) -> None:
        self._tell(messages.Working(what, done))


def turning_of(asked: messages.Turn) -> Turning:
    """A request to turn a control; a list in it replaces the one in force."""
    if asked.detail is None:
        return Turning(asked.control, asked.value, reason=asked.reason)
    items = next(iter(asked.detail.values()), None)
    detail = tuple(str(item) for item in items) if isinstance(items, list) else None
    return Turning(asked.control, asked.value, detail, keep_detail=False, reason=asked.reason)


def main(words: list[str]) -> int:
    """Serve one desk until the window leaves."""
    folder, read_only = Path(words[0]), "--read-only" in words[1:]
    logging.basicConfig(level=logging.WARNING)
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lock = threading.Lock()

    def tell(message: Message) -> None:
        with lock, contextlib.suppress(OSError):
            out.write(frame_message(message))

    try:
        host = Host(folder, read_settings(), tell)
    except HolodeskError as problem:
        tell(telling.refusal(problem))
        return problem.exit_code
    threading.Thread(target=_listen, args=(sys.stdin.buffer, host), daemon=True).start()
    host.run(read_only=read_only)
    return 0


def _listen(stream: IO[bytes], host: Host) -> None:
    while (octets := read_message(stream)) is not None:
        try:
            host.ask(read_request(octets))
        except msgspec.DecodeError:
            log.warning("passed over a message that is no request")
    host.ask(ENDED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
