"""The host process: one desk, one thread that writes, a table of requests (decisions 8a).

Started as `python -m holodesk.host.service DESK`. Requests come on standard input, notices go out
on standard output; everything else a library prints goes to standard error.
"""

import contextlib
import logging
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from holodesk.errors import Held, HolodeskError, Refused, Unavailable
from holodesk.host import clock, messages, outside, telling
from holodesk.host.callers.person import choice_of, turning_of
from holodesk.host.callers.script import Script
from holodesk.host.desk import Desk
from holodesk.host.desks import LENSES
from holodesk.host.following import opened
from holodesk.host.line import Line, listen
from holodesk.host.lineage import Lineage
from holodesk.host.living import append_log, body_of
from holodesk.host.machine.parent import Machine
from holodesk.host.messages import Message, Request
from holodesk.host.modelling import media_folder, media_of
from holodesk.host.settings import Settings, cache_folder, read_settings
from holodesk.host.watch import Watch
from holodesk.portal.caller import Choice
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame

READ_ON_SECONDS: Final = 0.5
"""How often a desk that somebody else writes is read on."""
LOG_SECONDS: Final = 0.5
"""How long a pass of the host's own waits for the window's reflex log."""
STALE_SECONDS: Final = 2.0
"""How long until a desk that cannot be read now is tried again."""
CHANGED: Final = "changed"
CAME: Final = "came"
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
        self._kind = ""
        self._freshness = "live"
        self._machine = Machine(cache_folder(), workers=1, progress=self._progress)
        self._script: Script | None = None
        self._paced = 0.0
        self._beat_at: float | None = None
        self._leased = False
        self._told_media = ""
        self._resting = False
        self._living = False
        self._asked_for_log = False
        self._watches: list[Watch] = []
        self._listens: Path | None = None
        self._answers: dict[type[Message], Callable[..., None]] = {
            messages.Choose: self._choose,
            messages.Preview: self._preview,
            messages.Turn: self._turn,
            messages.AskLineage: self._lineage,
            messages.AskDetail: self._detail,
            messages.ReplayNow: self._replay,
            messages.SetCaller: self._set_caller,
            messages.Live: self._live,
            messages.Log: self._log,
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

    # ---- opening and closing ----------------------------------------------------------------

    def _open(self, *, read_only: bool) -> None:
        self._tell(messages.Working("opening the desk", -1))
        try:
            self._desk = opened(self._folder, self._settings, self._machine, read_only=read_only)
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
        self._tell(messages.Working("opening the desk", 1))
        if self._desk is not None:
            self._attempt(self._watch_lenses)
            self._attempt(self._publish)
            self._attempt(self._machine.warm)
            self._make_offer()

    def _watch_lenses(self) -> None:
        self._watches.append(Watch(self._opened_desk().folder, LENSES, lambda: self.ask(CHANGED)))

    def _close(self) -> None:
        with contextlib.ExitStack() as closing:
            closing.callback(self._machine.close)
            if self._desk is not None:
                closing.callback(self._desk.close)
            if self._listens is not None:
                closing.callback(outside.close_folder, self._listens)
            for watch in self._watches:
                closing.callback(watch.close)
            if self._desk is not None and self._leased:
                with contextlib.suppress(HolodeskError):
                    self._desk.lease("release")

    # ---- one thing at a time ----------------------------------------------------------------

    def _answer_one(self) -> bool:
        """Wait for the next request or the next beat; False when the window has left."""
        if self._beat_at is not None and clock.monotonic() >= self._beat_at:
            self._beat()
        wait = None if self._beat_at is None else max(0.0, self._beat_at - clock.monotonic())
        try:
            item = self._inbox.get(timeout=wait)
        except queue.Empty:
            return True
        if isinstance(item, messages.Leave) or item == ENDED:
            return False
        if item == CHANGED:
            self._make_offer()
            return True
        if item == CAME:
            self._hear()
            return True
        assert not isinstance(item, str | messages.Leave)
        self._attempt(partial(self._answers[type(item)], item), item.id)
        return True

    def _beat(self) -> None:
        """What the host does by itself: read on where another writes, or the script's next pass."""
        self._beat_at = None
        if self._desk is None:
            return
        if self._desk.writable:
            if self._living and not self._asked_for_log:
                self._ask_for_log()
            else:
                self._script_pass()
        else:
            self._read_on(self._desk)

    def _ask_for_log(self) -> None:
        """A pass of the host's own waits a moment for what the body lived until now."""
        self._asked_for_log = True
        self._beat_at = clock.monotonic() + LOG_SECONDS
        self._tell(messages.Boundary())

    def _attempt(self, act: Callable[[], None], request: int = 0) -> None:
        """Do one thing, or tell why it could not be done."""
        try:
            act()
        except HolodeskError as problem:
            self._tell(telling.refusal(problem, request))

    def _opened_desk(self) -> Desk:
        if self._desk is None:
            raise Unavailable("desk", "no desk is open here")
        return self._desk

    def _publish(self) -> None:
        desk = self._opened_desk()
        if self._freshness == "live":
            self._kind = Lineage(desk).kind_at_head()
        resting = self._resting
        moved = telling.head_moved(desk, self._kind, freshness=self._freshness, converged=resting)
        self._tell(moved)
        self._tell_media(desk)
        if self._living:
            self._attempt(self._tell_body)

    def _tell_body(self) -> None:
        """What the next stretch of life begins with; where it cannot be told, why."""
        desk = self._opened_desk()
        self._tell(telling.body(body_of(desk), desk.hologram.head.seq))

    def _tell_media(self, desk: Desk) -> None:
        """Hand over the body that the object names, once; what it cannot show is told once."""
        address = media_of(desk.hologram.object)
        if address is None or address == self._told_media:
            return
        self._told_media = address
        self._attempt(lambda: self._tell(telling.media(media_folder(self._folder), address)))

    def _read_on(self, desk: Desk) -> None:
        """Follow a desk that somebody else writes; what cannot be read now is shown as stale."""
        self._beat_at = clock.monotonic() + READ_ON_SECONDS
        try:
            moved = desk.reread()
        except (Held, Unavailable) as problem:
            self._beat_at = clock.monotonic() + STALE_SECONDS
            if self._freshness == "live":
                self._tell(telling.refusal(problem))
                self._freshness = "stale"
                self._publish()
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
            self._freshness = "refused"
            self._publish()
            desk.close()
            self._desk, self._beat_at = None, None
        else:
            if moved or self._freshness != "live":
                self._freshness = "live"
                self._publish()
                self._make_offer()

    # ---- offers and passes ------------------------------------------------------------------

    def _make_offer(self) -> None:
        if (desk := self._desk) is None:
            return
        try:
            offering = desk.offering()
            offer = desk.offer(self._machine, offering)
        except HolodeskError as problem:
            self._tell(telling.refusal(problem))
            self._tell(messages.Folder([]))
        else:
            rested, self._resting = self._resting, offer.resting
            self._tell(telling.folder(offering))
            self._tell(telling.offered(offer))
            if rested != offer.resting:
                self._publish()
        self._schedule(desk)

    def _schedule(self, desk: Desk) -> None:
        """When does the host start the next pass by itself (LH 3.7 tempo)?"""
        now = clock.monotonic()
        if not desk.writable:
            self._beat_at = self._beat_at or now + READ_ON_SECONDS
            self._tell(messages.Pace("person", -1.0, self._resting))
            return
        tempo = desk.hologram.value("tempo")
        acting = self._script is not None and self._script.left > 0
        self._beat_at = None
        if acting and tempo > 0 and not self._resting:
            self._beat_at = max(now, self._paced + 60 / tempo)
        waits = -1.0 if self._beat_at is None else self._beat_at - now
        caller = "person" if self._script is None else "script"
        self._tell(messages.Pace(caller, waits, self._resting))

    def _take(self, choice: Choice, facts: Mapping[str, Json]) -> Frame:
        """One pass; what is rejected leaves no frame, not even a lease."""
        desk = self._opened_desk()
        given = {name: fact for name, fact in facts.items() if name != "observed"} or None
        observed = facts.get("observed")
        a_pass = desk.open_pass(self._machine, given)
        a_pass.check(choice)
        self._leased = True
        if desk.hold_lease():
            self._publish()
            a_pass = desk.open_pass(self._machine, given)
        tile = desk.take(a_pass, choice, observed if isinstance(observed, dict) else None)
        self._publish()
        self._make_offer()
        return tile

    def _script_pass(self) -> None:
        self._asked_for_log = False
        script, desk = self._script, self._opened_desk()
        if script is None:
            return
        self._paced = clock.monotonic()
        try:
            choice = script.choose(desk.offer(self._machine), None)
            if choice is not None:
                self._take(choice, script.facts())
        except HolodeskError as problem:
            if isinstance(problem, Held | Unavailable):
                script.step_back()
            self._tell(telling.refusal(problem))
            self._schedule(desk)

    # ---- answers ----------------------------------------------------------------------------

    def _choose(self, asked: messages.Choose) -> None:
        owner = self._opened_desk().hologram.genesis.owner
        tile = self._take(choice_of(asked.lens, asked.params, owner), {})
        self._tell(messages.Appended(asked.id, tile.seq, "tile", tile.frame_hash))

    def _preview(self, asked: messages.Preview) -> None:
        desk = self._opened_desk()
        choice = choice_of(asked.lens, asked.params, desk.hologram.genesis.owner)
        self._tell(messages.Previewed(asked.id, desk.preview(self._machine, choice)))

    def _turn(self, asked: messages.Turn) -> None:
        frame = self._opened_desk().turn(turning_of(asked))
        self._publish()
        self._make_offer()
        self._tell(messages.Appended(asked.id, frame.seq, "control", frame.frame_hash))

    def _live(self, asked: messages.Live) -> None:
        if not self._living:
            self._living = True
            self._attempt(self._listen)
        self._tell_body()

    def _listen(self) -> None:
        """What is sent to the body from outside comes as files."""
        desk = self._opened_desk()
        if desk.writable:
            outside.open_folder(desk.folder)
            self._listens = desk.folder
            self._watches.append(Watch(desk.folder, outside.OUTSIDE, lambda: self.ask(CAME)))

    def _hear(self) -> None:
        for event in outside.take(self._opened_desk().folder):
            self._tell(messages.Felt(event.kind, event.payload))

    def _log(self, asked: messages.Log) -> None:
        try:
            frame = append_log(self._opened_desk(), asked.payload)
        except Held as problem:
            self._tell(messages.Missed(asked.id, problem.message))
            return
        except HolodeskError:
            self._attempt(self._tell_body)  # the body lives on from where the head has it
            raise
        self._publish()
        self._make_offer()
        self._tell(messages.Appended(asked.id, frame.seq, "reflex", frame.frame_hash))

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
        desk = self._opened_desk()
        if asked.caller == "person":
            self._script = None
        elif asked.caller == "script" and asked.script:
            self._script = Script(Path(asked.script))
        else:
            raise Refused("caller", f"expected person or script, found {asked.caller[:40]}")
        self._paced = clock.monotonic()
        self._schedule(desk)

    def _progress(self, what: str, done: float) -> None:
        self._tell(messages.Working(what, done))


def main(words: list[str]) -> int:
    """Serve one desk until the window leaves."""
    folder, read_only = Path(words[0]), "--read-only" in words[1:]
    logging.basicConfig(level=logging.WARNING)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is the window's to answer
    signal.signal(signal.SIGTERM, _end)
    line = Line(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)
    try:
        host = Host(folder, read_settings(), line.tell)
    except HolodeskError as problem:
        line.tell(telling.refusal(problem))
        return problem.exit_code
    # unbuffered, for a buffer's lock held by a daemon thread is fatal when the interpreter ends
    asked = os.fdopen(os.dup(0), "rb", buffering=0)
    listening = (asked, host.ask, lambda: host.ask(ENDED))
    threading.Thread(target=listen, args=listening, daemon=True).start()
    host.run(read_only=read_only)
    return 0


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
