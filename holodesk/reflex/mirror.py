"""The machine half of the mirror gate: a self-authored routine is probed before it runs (reflex 8;
LH 3.6).

A subject is a source and the profile it was judged under; one character changed is another. The
probe is the same everywhere, so that a peer's digest and this host's can be compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Final

from holodesk.errors import RoutineRefused
from holodesk.rapp.canonical import Json, canonical
from holodesk.reflex.body import TICK_BUDGET, Routine, Transient, tick
from holodesk.reflex.forms import PROFILE
from holodesk.reflex.program import Program, admit
from holodesk.reflex.reader import read
from holodesk.reflex.routines import GRANTED, SELF
from holodesk.reflex.tree import Form, Literal, Symbol, Tree
from holodesk.reflex.world import Body, Event

TICKS: Final = 200
WORLDS: Final = 3
VIEW: Final = 32.0
"""Units from the middle within which a probed body must stay."""
ACTING: Final = frozenset({"move-toward", "face-toward", "wander", "emote", "say"})

EVENTS: Final[dict[int, tuple[Event, ...]]] = {
    10: (Event("enter", {"x": 2500, "z": -4000}),),
    20: (Event("poke", {"x": 120, "z": -80}),),
    24: (Event("poke", {"x": 150, "z": -60}), Event("near", {"x": 900, "z": -1200})),
    60: (Event("near", {"x": -3000, "z": 500}),),
    61: tuple(Event("poke", {"x": 10 * n, "z": -10 * n}) for n in range(8)),
    90: (Event("env", {"source": "news", "mark": "fresh", "count": 3}),),
    95: (Event("env", {"source": "news", "mark": "stale", "count": 3}),),
    96: (Event("env", {"source": "news", "mark": "unavailable"}),),
    120: (Event("leave", {}),),
    150: (Event("poke", {}),),
}
"""What every probed world meets, by tick."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the machine half came to: the digest is what a peer must find too."""

    subject: str
    profile: str
    digest: str
    id: str
    bound: int | None
    natives: tuple[str, ...]
    most_steps: int


def subject(source: str) -> str:
    """SHA-256 of a source's UTF-8 text, as hex."""
    return sha256(source.encode("utf-8")).hexdigest()


@lru_cache(maxsize=256)
def admitted_program(source: str, grant: frozenset[str] = GRANTED) -> Program:
    """A source admitted once and kept. Raises RoutineRefused: as `program.admit`."""
    return admit(source, grant)


def acting_id(source: str) -> str:
    """The body that a source acts for: the first text that an acting native is given, or self.

    Raises:
        RoutineRefused: the source cannot be read.
    """
    waiting: list[Tree] = list(reversed(read(source)))
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Form):
            match tree.items:
                case (Symbol(name), Literal(str() as id), *_) if name in ACTING:
                    return id
            waiting.extend(reversed(tree.items))
    return SELF


def machine_half(source: str, grant: frozenset[str] = GRANTED) -> Found:
    """Parse, names, limits, bound and grant; then 200 ticks in three seeded worlds.

    Raises:
        RoutineRefused: as `program.admit`; any tick that does not end well; a body that leaves the
            view.
    """
    program = admitted_program(source, grant)
    id = acting_id(source)
    whole, most = sha256(f"{PROFILE}\n{program.subject}\n".encode()), 0
    for octets, steps in _probe(program, id):
        whole.update(octets)
        most = max(most, steps)
    natives = tuple(sorted(program.natives))
    return Found(program.subject, PROFILE, whole.hexdigest(), id, program.bound, natives, most)


def _probe(program: Program, id: str) -> Iterator[tuple[bytes, int]]:
    """Every tick's outputs, and how each world ended, as octets; with the tick's steps."""
    routine = Routine(id, program, TICK_BUDGET, "self-authored", None)
    for number in range(WORLDS):
        seed = sha256(f"rl/1:probe\n{program.subject}\n{number}".encode()).digest()
        transient = _world(id, number)
        facts = _facts(number, len(transient.bodies))
        for now in range(TICKS):
            ticked = tick([routine], transient, EVENTS.get(now, ()), seed, facts)
            for _, _, code, steps in ticked.failed:
                told = f"in the probe's world {number}, tick {now}, after {steps} steps"
                raise RoutineRefused(f"RL-1 {code}", f"the routine fails {told}")
            transient = ticked.transient
            _check_view(transient.bodies[id], number, now)
            yield canonical(ticked.outputs) + b"\n", ticked.steps.get(id, 0)
        end: Json = [transient.bodies[id].as_json(), dict(transient.states.get(id, {}))]
        yield canonical(end) + b"\n", 0


def _check_view(body: Body, number: int, now: int) -> None:
    if abs(body.x) > VIEW or abs(body.z) > VIEW:
        told = f"the body leaves the view in the probe's world {number}, tick {now}"
        raise RoutineRefused("RL-1 H_VIEW", told)


def _world(id: str, number: int) -> Transient:
    """Three worlds: alone; with one other; among seven."""
    others = (0, 1, 7)[number]
    bodies = {id: Body(0.5 * number, -0.5 * number, 0.0, -1.0, 0.5 * number, -0.5 * number)}
    for other in range(others):
        x, z = -6.0 + 1.75 * other, 4.0 - 1.25 * other
        bodies.setdefault(f"other-{other}", Body(x, z, 0.0, -1.0, x, z))
    return Transient(tick=0, bodies=bodies, states={id: {}}, failures={}, parked={}, player=None)


def _facts(number: int, bodies: int) -> dict[str, Json]:
    return {
        "frame-number": float(10 * number),
        "time-of-day": 6.5 + 6.0 * number,
        "world-population": float(bodies),
        "economy-trend": float(number - 1),
    }
