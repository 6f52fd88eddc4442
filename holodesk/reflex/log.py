"""The reflex log: what came in, what fired, what failed, and how it ended (LH 3.6; reflex 10).

One fold serves twice: the pulse records with it while the body lives, and a verifier feeds it the
recorded events and compares the whole log byte for byte. Nothing in a log is judged any other way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from holodesk.errors import Place, ReplayRefused
from holodesk.rapp.canonical import Json, canonical
from holodesk.reflex import engine
from holodesk.reflex.body import HZ, MAX_EVENTS, Run, Ticked, Transient, tick
from holodesk.reflex.forms import PROFILE
from holodesk.reflex.routines import COMPILER
from holodesk.reflex.segment import Segment, admits, seed_of
from holodesk.reflex.shape import (
    MARK_TICKS,
    MAX_FAILED,
    MAX_GROWTH,
    MAX_LOGGED,
    MAX_TICKS,
    event_problem,
)
from holodesk.reflex.world import Event

RULE: Final = "LH 3.6"


class Recorder:
    """One segment of a body's life, tick by tick. `payload` is the log, less `schema` and `after`.

    `tick` runs the routines; `late` and `abort` pass over ticks that were not run. A segment that
    is `full` must be finished.
    """

    def __init__(self, segment: Segment, run: Run = engine.run) -> None:
        self.segment = segment
        self.transient: Transient = segment.start
        self.dropped = 0
        self.failures = 0
        self._run = run
        self._seed = bytes.fromhex(seed_of(segment.head))
        self._events: list[Json] = []
        self._growth = 2
        self._fired: dict[str, list[int]] = {r.id: [0, 0, 0, 0] for r in segment.routines}
        self._failed: list[Json] = []
        self._parked: dict[str, Json] = {}
        self._late: list[list[int]] = []
        self._aborts: list[Json] = []
        self._outputs = sha256()
        self.marks: list[list[Any]] = []

    @property
    def ticks(self) -> int:
        """Ticks of the schedule so far, those not run among them."""
        return self.transient.tick

    @property
    def full(self) -> bool:
        """Has the segment reached one of its limits?"""
        return (
            self.ticks >= MAX_TICKS
            or len(self._events) >= MAX_LOGGED
            or self._growth >= MAX_GROWTH - 1024
        )

    def tick(self, events: Sequence[Event] = ()) -> Ticked:
        """Live one tick on the events that came since the last one, in their order.

        What the membrane keeps out, what is over a limit of the tick or of the segment, and what
        is no lawful event is counted as dropped.
        """
        now, segment = self.transient.tick, self.segment
        taken = self._taken(now, events) if events else ()
        ticked = tick(
            segment.routines, self.transient, taken, self._seed, segment.facts, run=self._run
        )
        self._count(now, ticked)
        self._outputs.update(canonical(ticked.outputs))
        self._outputs.update(b"\n")
        self._advance(now, ticked.transient)
        return ticked

    def late(self, ticks: int) -> None:
        """So many ticks of the schedule pass without being run."""
        now = self.transient.tick
        last = min(now + ticks, MAX_TICKS) - 1
        if last < now:
            return
        if self._late and self._late[-1][1] == now - 1:
            self._late[-1][1] = last
        else:
            self._late.append([now, last])
        self._advance(now, replace(self.transient, tick=last + 1))

    def abort(self, events: Sequence[Event] = ()) -> None:
        """The tick that the watchdog ended: it leaves nothing, and its events stay told."""
        now = self.transient.tick
        self._taken(now, events)
        self._aborts.append(now)
        self._advance(now, replace(self.transient, tick=now + 1))

    def _taken(self, now: int, events: Sequence[Event]) -> tuple[Event, ...]:
        taken: list[Event] = []
        for event in events:
            told: Json = [now, event.kind, dict(event.payload)]
            octets = 0
            lawful = (
                len(taken) < MAX_EVENTS
                and len(self._events) < MAX_LOGGED
                and admits(self.segment.membrane, event.kind, event.payload)
                and event_problem(event.kind, event.payload) is None
            )
            if lawful:
                octets = len(canonical(told)) + 1
            if not lawful or self._growth + octets > MAX_GROWTH:
                self.dropped += 1
                continue
            taken.append(event)
            self._events.append(told)
            self._growth += octets
        return tuple(taken)

    def _count(self, now: int, ticked: Ticked) -> None:
        fired = self._fired
        for id, steps in ticked.steps.items():
            row = fired[id]
            row[0] += 1
            row[1] += ticked.emissions.get(id, 0)
            row[2] += steps
            if steps > row[3]:
                row[3] = steps
        for failure in ticked.failed:
            self.failures += 1
            if len(self._failed) < MAX_FAILED:
                self._failed.append(list(failure))
        for id in ticked.parked:
            self._parked[id] = now

    def _advance(self, before: int, after: Transient) -> None:
        self.transient = after
        if after.tick // MARK_TICKS > before // MARK_TICKS:
            self.marks.append([after.tick, state_hash(after, self._outputs.hexdigest())])

    def payload(self) -> dict[str, Any]:
        """The log as it stands, in the members of `hologram-reflex/1`."""
        segment, end = self.segment, self.transient
        return {
            "head": segment.head,
            "from": segment.came_from,
            "lang": PROFILE,
            "compiler": COMPILER,
            "hz": HZ,
            "budget": segment.budget,
            "seed": seed_of(segment.head),
            "ticks": end.tick,
            "t0": segment.t0,
            "routines": [
                [r.id, r.program.subject, r.quota, r.origin, r.gate] for r in segment.routines
            ],
            "events": list(self._events),
            "dropped": self.dropped,
            "fired": {id: list(row) for id, row in self._fired.items()},
            "failed": list(self._failed),
            "failures": self.failures,
            "parked": dict(self._parked),
            "late": [list(span) for span in self._late],
            "aborts": list(self._aborts),
            "marks": [list(mark) for mark in self.marks],
            "outputs": self._outputs.hexdigest(),
            "final": {
                id: {"state": end.states.get(id, {}), "body": body.as_json()}
                for id, body in end.bodies.items()
            },
        }


def state_hash(transient: Transient, outputs: str) -> str:
    """SHA-256 of everything that a tick leaves behind, and of all outputs up to it."""
    player = transient.player
    state: Json = {
        "bodies": {id: body.as_json() for id, body in transient.bodies.items()},
        "states": {id: dict(state) for id, state in transient.states.items()},
        "failures": dict(transient.failures),
        "parked": dict(transient.parked),
        "player": None if player is None else list(player),
        "outputs": outputs,
    }
    return sha256(canonical(state)).hexdigest()


def rerun(told: Mapping[str, Any], segment: Segment, where: Place, run: Run = engine.run) -> None:
    """Live the segment again on the recorded events, and compare the whole log byte for byte.

    `told` is a log whose shape was read (`shape.problem`); `segment` is what the verifier's own
    chain says it begins with.

    Raises:
        ReplayRefused: the log differs; the first bad mark is named by its tick.
    """
    recorder = Recorder(segment, run)
    _compare(recorder.payload(), told, BEFORE, "before its first tick", where)
    recorder.dropped = told["dropped"]
    waiting = _by_tick(told["events"])
    skipped = {span[0]: span[1] - span[0] + 1 for span in told["late"]}
    aborts = frozenset(told["aborts"])
    marked = 0
    while (now := recorder.ticks) < told["ticks"]:
        if now in skipped:
            recorder.late(skipped[now])
        elif now in aborts:
            recorder.abort(waiting.get(now, ()))
        else:
            recorder.tick(waiting.get(now, ()))
        if len(recorder.marks) > marked:
            _check_mark(recorder.marks[marked], told["marks"], marked, where)
            marked += 1
    end = f"after tick {told['ticks']}, its end"
    made = recorder.payload()
    _compare(made, told, tuple(name for name in made if name not in BEFORE), end, where)


BEFORE: Final = (
    "head",
    "from",
    "lang",
    "compiler",
    "hz",
    "budget",
    "seed",
    "t0",
    "routines",
)
"""What a segment begins with: compared before anything is run."""


def _by_tick(events: Sequence[Sequence[Any]]) -> dict[int, list[Event]]:
    waiting: dict[int, list[Event]] = {}
    for now, kind, payload in events:
        waiting.setdefault(now, []).append(Event(kind, dict(payload)))
    return waiting


def _check_mark(mark: Sequence[Any], marks: Sequence[Any], at: int, where: Place) -> None:
    told = marks[at] if at < len(marks) else None
    if told is None or list(told) != list(mark):
        raise ReplayRefused(
            RULE, f"re-run gives another state: the first bad mark is tick {mark[0]}", where
        )


def _compare(
    made: Mapping[str, Any], told: Mapping[str, Any], names: Sequence[str], when: str, where: Place
) -> None:
    for name in names:
        if canonical(made[name]) != canonical(told[name]):
            what = _differing(made[name], told[name])
            raise ReplayRefused(
                RULE, f"re-run gives another {name}{what}: the first bad mark is {when}", where
            )


def _differing(made: Any, told: Any) -> str:
    """Which of several differs, as far as that can be said in a word."""
    if isinstance(made, dict) and isinstance(told, dict):
        ids = [id for id in {**made, **told} if made.get(id) != told.get(id)]
        return f" for {ids[0][:40]!r}" if ids else ""
    if isinstance(made, list) and isinstance(told, list) and len(made) == len(told):
        at = next((n for n, (a, b) in enumerate(zip(made, told, strict=True)) if a != b), None)
        row = made[at] if at is not None else None
        return f" for {row[0][:40]!r}" if isinstance(row, list) and isinstance(row[0], str) else ""
    return ""
