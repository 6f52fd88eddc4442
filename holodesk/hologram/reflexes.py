"""Logs of the body, verdicts of peers and gates: what each frame must say (LH 3.6; reflex 10).

The laws here need no re-run: which head a segment may begin at, what it goes on from, the budget
and the membrane it lived under, and who admitted a self-authored routine. Re-running is `Life`'s
and `Probe`'s, judged by whoever verifies whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from holodesk.errors import FrameRefused, Place
from holodesk.hologram.kinds import REFLEX, SCHEMAS
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import utc_milliseconds
from holodesk.reflex import shape
from holodesk.reflex.log import rerun
from holodesk.reflex.program import PROFILE
from holodesk.reflex.routines import COMPILER
from holodesk.reflex.segment import CLOSED, FRESH, Begun, Previous, admits, begin, seed_of

RULE: Final = "LH 3.6"
MAX_DIGEST: Final = 2 * 1024
"""Octets of the digest that the next pass receives."""
DIGEST_BODIES: Final = 6
DIGEST_ID: Final = 40


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame as a segment may begin at it, and the frames before it since the newest tile or
    log: what was in force there."""

    frame_hash: str
    seq: int
    utc: str
    budget: int
    membrane: int
    gates: Mapping[str, str]
    before: "Moment | None" = field(default=None, repr=False, compare=False)

    def find(self, frame_hash: str) -> "Moment | None":
        """The moment of a frame, or None: the chain is past it."""
        moment: Moment | None = self
        while moment is not None and moment.frame_hash != frame_hash:
            moment = moment.before
        return moment


@dataclass(frozen=True, slots=True)
class Lived:
    """What the logs since the newest tile come to; `newest` is what the next one goes on from."""

    newest: Previous | None = None
    logs: int = 0
    ticks: int = 0
    late: int = 0
    dropped: int = 0
    failures: int = 0
    events: Mapping[str, int] = field(default_factory=dict)
    fired: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    last: Mapping[str, Json] | None = None

    @property
    def log(self) -> str | None:
        """The frame_hash of the newest log, or None."""
        return None if self.newest is None else self.newest.frame_hash


NOT_LIVED: Final = Lived()


@dataclass(frozen=True, slots=True)
class Life:
    """A log's re-run: lived again from this moment, it must give the same log."""

    seq: int
    object: Json
    moment: Moment
    previous: Previous | None
    log: Mapping[str, Any]

    def unjudged(self) -> str | None:
        """Why this version cannot re-run it, or None."""
        if self.log["lang"] != PROFILE:
            return f"the log is of {self.log['lang'][:24]}, not held here"
        if self.log["compiler"] != COMPILER:
            return f"the routines were compiled by {self.log['compiler'][:16]}, not held here"
        return None

    def begun(self) -> Begun:
        """The segment as this verifier's own chain says it begins."""
        return segment_at(self.object, self.moment, self.previous, self.log["t0"])

    def judge(self) -> None:
        """Raises ReplayRefused: the log differs, the first bad mark named."""
        rerun(self.log, self.begun().segment, Place(seq=self.seq))


def segment_at(object: Json, moment: Moment, previous: Previous | None, t0: str) -> Begun:
    """The segment that begins at a moment, with its drafts.

    Raises:
        RoutineRefused: the chain holds a final body that is none.
    """
    return begin(
        object,
        head=moment.frame_hash,
        seq=moment.seq,
        t0=t0,
        budget=moment.budget,
        membrane=moment.membrane,
        gates=moment.gates,
        previous=previous,
    )


def read_log(frame: Frame, newest: Moment, lived: Lived, object: Json) -> Life:
    """A log frame's payload against the laws that need no re-run.

    `newest` is the moment of the frame before it; `lived` what the logs before it come to.

    Raises:
        FrameRefused: another shape; a head that the chain is past; another log gone on from; a
            budget, seed, moment or gate that was not in force; an event that was kept out.
    """
    where = Place(stream=frame.stream_id, seq=frame.seq)
    log = frame.payload
    if log.get("schema") != SCHEMAS[REFLEX]:
        found = str(log.get("schema"))[:80]
        raise FrameRefused("LH 6", f"expected the schema {SCHEMAS[REFLEX]}, found {found}", where)
    if (why := shape.problem(log)) is not None:
        raise FrameRefused(RULE, f"a {REFLEX} payload needs {why}", where)
    moment = newest.find(log["head"])
    if moment is None:
        told = "expected a segment begun since the newest tile and log, found head"
        raise FrameRefused(RULE, f"{told} {log['head'][:16]}", where)
    wanted = (
        ("from", lived.log, log["from"]),
        ("budget", moment.budget, log["budget"]),
        ("seed", seed_of(log["head"]), log["seed"]),
    )
    for name, expected, found in wanted:
        if expected != found:
            told = f"expected {name} to be {str(expected)[:16]}, found {str(found)[:16]}"
            raise FrameRefused(RULE, told, where)
    _check_moment(log["t0"], moment, frame, where)
    _check_gates(log["routines"], moment, where)
    _check_membrane(log["events"], moment.membrane, where)
    return Life(frame.seq, object, moment, lived.newest, log)


def _check_moment(t0: str, moment: Moment, frame: Frame, where: Place) -> None:
    utc_milliseconds(t0)
    if not moment.utc <= t0 <= frame.utc:
        told = f"expected t0 from {moment.utc} to {frame.utc}, found {t0}"
        raise FrameRefused(RULE, told, where)


def _check_gates(routines: Any, moment: Moment, where: Place) -> None:
    for id, subject, _, origin, gate in routines:
        if origin == "self-authored" and moment.gates.get(subject) != gate:
            told = f"no gate in force admits the self-authored routine of {id[:40]!r}"
            raise FrameRefused(RULE, told, where)


def _check_membrane(events: Any, membrane: int, where: Place) -> None:
    for tick, kind, payload in events:
        if not admits(membrane, kind, payload):
            told = f"the membrane in force keeps out the {kind} of tick {tick}"
            raise FrameRefused("LH 3.10", told, where)


def lived_on(lived: Lived, life: Life, frame_hash: Wave) -> Lived:
    """What the logs come to with one more."""
    log = life.log
    events = dict(lived.events)
    last = lived.last
    for tick, kind, payload in log["events"]:
        events[kind] = events.get(kind, 0) + 1
        last = {"kind": kind, "tick": tick, **({"payload": payload} if _small(payload) else {})}
    fired = dict(lived.fired)
    for id, (ran, emitted, steps, _) in log["fired"].items():
        before = fired.get(id, (0, 0, 0))
        if id in fired or len(fired) < shape.MAX_BODIES:
            fired[id] = (before[0] + ran, before[1] + emitted, before[2] + steps)
    subjects = {row[0]: row[1] for row in log["routines"]}
    return replace(
        lived,
        newest=Previous(frame_hash, log["ticks"], subjects, log["final"]),
        logs=lived.logs + 1,
        ticks=lived.ticks + log["ticks"],
        late=lived.late + sum(high - low + 1 for low, high in log["late"]),
        dropped=lived.dropped + log["dropped"],
        failures=lived.failures + log["failures"],
        events=MappingProxyType(events),
        fired=MappingProxyType(fired),
        last=last,
    )


def _small(payload: Json) -> bool:
    return len(canonical(payload)) <= 256


def digest(lived: Lived, membrane: int) -> Json:
    """What the next pass receives of the logs since the newest tile; None where there are none.

    At most 2 KiB, a function of those logs and of the membrane in force, which filters events
    before slush is assembled (LH 3.10).
    """
    if lived.newest is None:
        return None
    shown = {
        kind: count
        for kind, count in lived.events.items()
        if membrane > CLOSED and (kind != "env" or membrane >= FRESH)
    }
    last = lived.last if lived.last is not None and lived.last["kind"] in shown else None
    fired: dict[str, Json] = {}
    for id in sorted(lived.fired, key=lambda name: name.encode("utf-16-be", "surrogatepass")):
        if len(id) <= DIGEST_ID and len(fired) < DIGEST_BODIES:
            ran, emitted, steps = lived.fired[id]
            fired[id] = {"ticks": ran, "emissions": emitted, "steps": steps}
    return {
        "log": lived.newest.frame_hash,
        "logs": lived.logs,
        "ticks": lived.ticks,
        "late": lived.late,
        "dropped": lived.dropped,
        "failures": lived.failures,
        "events": dict(shown),
        "fired": fired,
        "last": None if last is None else dict(last),
    }


def log_payload(log: Mapping[str, Any], after: str) -> dict[str, Json]:
    """A recorder's log as the payload of a frame that follows `after`."""
    return {"schema": SCHEMAS[REFLEX], "after": after, **log}


__all__ = [
    "MAX_DIGEST",
    "NOT_LIVED",
    "Life",
    "Lived",
    "Moment",
    "digest",
    "lived_on",
    "log_payload",
    "read_log",
    "segment_at",
]
