"""The 20 Hz clock of the body: one schedule, late ticks told, nothing held for long (LH 3.6).

Ticks are due every 50 ms on the monotonic clock, whatever the screen does. What comes from outside
waits here for the tick that takes it. A segment ends at every head, before every pass, and when it
is full; its log goes to the host, which re-runs it before it is kept (decisions 5, 8a).
"""

from collections import deque
from dataclasses import dataclass
from math import cos, radians, sin
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from holodesk.display.gesture import Gestures
from holodesk.display.life import Life
from holodesk.errors import HolodeskError
from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.hit import Hit
from holodesk.host.messages import Body as BodyTold
from holodesk.host.messages import HeadMoved
from holodesk.reflex.body import HZ, MAX_EVENTS
from holodesk.reflex.log import Recorder
from holodesk.reflex.segment import begun
from holodesk.reflex.world import Event, body_from

TICK_SECONDS: Final = 1 / HZ
MOST_BEHIND: Final = 5
"""Ticks that are run at once after a stall; more are late, and told."""
WAITING: Final = 64
"""Events that wait at most; what comes on top is dropped, and counted."""
STANDS: Final = 5.0
"""Units from the middle at which a viewer's pointer is said to be."""
REACH: Final = 8.0
"""Units to a viewer's side for the edge of their picture."""
LEAST_MOVE: Final = 250
"""Thousandths of a unit that a pointer moves before it is told again."""
ACROSS_ONE: Final = 25.0
ACROSS_MANY: Final = 14.0
"""Units across for a unit of the picture: one body's stage is wider than that of many."""
SLACK: Final = 0.0005
"""A timer that fires this much early is on time."""


@dataclass(frozen=True, slots=True)
class Pulsed:
    """What one tick did, for whoever looks: steps and signs by body, failures, lateness."""

    tick: int
    steps: dict[str, int]
    emissions: dict[str, int]
    failed: tuple[tuple[int, str, str, int], ...]
    parked: tuple[str, ...]
    late_ms: float
    missed: int
    cost_ms: float
    events: int


class Pulse(QObject):
    """Keeps one body alive between heads."""

    lived = Signal(object)
    """The Life that the last tick leaves."""
    pulsed = Signal(object)
    """Pulsed."""
    began = Signal(object)
    """The Body of a new segment."""
    failed = Signal(str)
    """A sentence: why this body cannot live here."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.recorder: Recorder | None = None
        self.told: BodyTold | None = None
        self.single = False
        """Ticks are run by `step` alone."""
        self._bridge = bridge
        self._gestures = Gestures()
        self._waiting: deque[Event] = deque()
        self._seen: tuple[int, int] | None = None
        self._writable = False
        self._began_at = 0.0
        self._done = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        bridge.body.connect(self.begin)
        bridge.boundary.connect(self.finish)
        bridge.felt.connect(lambda felt: self.hear(Event(felt.kind, felt.payload)))
        bridge.head_moved.connect(self._see_head)
        bridge.host_lost.connect(lambda _: self._drop())
        bridge.before_pass = self.finish

    # ---------------------------------------------------------------- segments

    def begin(self, told: BodyTold) -> None:
        """Finish the segment that is, and begin this one; a budget of 0 is stillness."""
        self.finish()
        self.told = told
        try:
            segment = begun(
                head=told.head,
                came_from=told.came_from,
                t0=told.t0,
                budget=told.budget,
                membrane=told.membrane,
                facts=told.facts,
                routines=[(r.id, r.source, r.quota, r.origin, r.gate) for r in told.routines],
                bodies=told.bodies,
                states=told.states,
            )
        except HolodeskError as problem:
            self.failed.emit(problem.message)
            return
        stands = {routine.id: body_from(routine.stands) for routine in told.routines}
        self._gestures.begin(stands, goes_on=told.came_from is not None)
        self.recorder = Recorder(segment) if told.budget > 0 else None
        self.began.emit(told)
        self._began_at = perf_counter()
        self._done = 0
        if self.recorder is None:
            self._timer.stop()
            self.lived.emit(self._gestures.life(segment.start.bodies, 0))
        elif not self.single:
            self._arm()

    def finish(self) -> None:
        """End the segment: its log goes to the host, where it has ticked and can be kept."""
        recorder, self.recorder = self.recorder, None
        self._timer.stop()
        if recorder is not None and recorder.ticks and self._writable:
            self._bridge.send_log(recorder.payload())

    def _drop(self) -> None:
        """The host ended: what was lived since the last frame has nobody to keep it."""
        self.recorder = None
        self._timer.stop()

    def _see_head(self, head: HeadMoved) -> None:
        self._writable = head.writable

    # ---------------------------------------------------------------- the clock

    @property
    def next_tick(self) -> float | None:
        """When the next tick is due, in seconds of `perf_counter`; None when nothing ticks."""
        if self.recorder is None or self.single:
            return None
        return self._began_at + (self._done + 1) * TICK_SECONDS

    def _arm(self) -> None:
        due = self.next_tick
        if due is not None:
            self._timer.start(max(0, round((due - perf_counter()) * 1000)))

    def _beat(self) -> None:
        recorder, due = self.recorder, self.next_tick
        if recorder is None or due is None:
            return
        now = perf_counter()
        if now + SLACK < due:
            self._arm()
            return
        behind = int((now + SLACK - self._began_at) / TICK_SECONDS) - self._done
        missed = max(0, behind - MOST_BEHIND)
        if missed:
            recorder.late(missed)
            self._done += missed
        for _ in range(behind - missed):
            self._tick(recorder, (now - due) * 1000, missed)
            missed = 0
            if recorder.full:
                break
        if recorder.full:
            self.finish()
        else:
            self._arm()

    def step(self) -> None:
        """Run one tick by hand."""
        if self.recorder is not None:
            self._tick(self.recorder, 0.0, 0)
            if self.recorder.full:
                self.finish()

    def take_single(self, single: bool) -> None:
        """Tick by hand from now on, or by the clock again, without making up for the rest."""
        self.single = single
        if single:
            self._timer.stop()
        else:
            self._began_at = perf_counter() - self._done * TICK_SECONDS
            self._arm()

    def _tick(self, recorder: Recorder, late_ms: float, missed: int) -> None:
        begun_at = perf_counter()
        events = list(self._waiting)
        self._waiting.clear()
        now = recorder.ticks
        ticked = recorder.tick(events)
        self._done += 1
        for event in events[:MAX_EVENTS]:
            if event.kind == "poke":
                for id in ticked.transient.bodies:
                    self._gestures.startle(id, now)
        life = self._gestures.life(ticked.transient.bodies, now)
        self.lived.emit(life)
        cost = (perf_counter() - begun_at) * 1000
        self.pulsed.emit(
            Pulsed(
                now,
                dict(ticked.steps),
                dict(ticked.emissions),
                ticked.failed,
                ticked.parked,
                late_ms,
                missed,
                cost,
                len(events),
            )
        )

    # ---------------------------------------------------------------- from outside

    def hear(self, event: Event) -> None:
        """Something came from outside: it waits for the next tick, or is counted as dropped."""
        if len(self._waiting) < WAITING:
            self._waiting.append(event)
        elif self.recorder is not None:
            self.recorder.dropped += 1

    def point(self, hit: Hit) -> None:
        """Somebody's pointer is over the ghost: they are a passer-by, where that viewer stands."""
        x, z = _beside(hit)
        if self._seen is None:
            self.hear(Event("enter", {"x": x, "z": z, "viewer": hit.viewer}))
        elif abs(x - self._seen[0]) + abs(z - self._seen[1]) >= LEAST_MOVE:
            near = Event("near", {"x": x, "z": z, "viewer": hit.viewer})
            if self._waiting and self._waiting[-1].kind == "near":
                self._waiting.pop()
            self.hear(near)
        else:
            return
        self._seen = (x, z)

    def poke(self, hit: Hit) -> None:
        """Somebody touches the ghost: the body that is nearest to where they touch."""
        self.point(hit)
        x, z = self._touched(hit)
        self.hear(Event("poke", {"x": x, "z": z, "viewer": hit.viewer}))

    def leave(self) -> None:
        """The pointer left the ghost."""
        if self._seen is not None:
            self._seen = None
            self.hear(Event("leave", {}))

    def _touched(self, hit: Hit) -> tuple[int, int]:
        """Thousandths of a unit: where the touched body stands."""
        bodies = {} if self.recorder is None else self.recorder.transient.bodies
        right = (-sin(radians(hit.azimuth_deg)), cos(radians(hit.azimuth_deg)))
        scale = ACROSS_ONE if len(bodies) == 1 else ACROSS_MANY
        places = [(body.x, body.z) for body in bodies.values()]
        if not places:
            return _beside(hit)

        def away(place: tuple[float, float]) -> float:
            return abs(place[0] * right[0] + place[1] * right[1] - hit.across * scale)

        x, z = min(places, key=away)
        return round(x * 1000), round(z * 1000)

    @property
    def life(self) -> Life:
        """What was last shown."""
        return self._gestures.shown


def _beside(hit: Hit) -> tuple[int, int]:
    """Thousandths of a unit: beside the ghost, where the viewer of that picture stands."""
    angle = radians(hit.azimuth_deg)
    aside = hit.across * REACH
    x = STANDS * cos(angle) - aside * sin(angle)
    z = STANDS * sin(angle) + aside * cos(angle)
    return round(x * 1000), round(z * 1000)
