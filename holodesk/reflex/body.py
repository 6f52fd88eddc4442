"""One tick of a hologram's body: every routine reads the start of the tick (LH 3.6; RL-1 6).

No order of routines matters: each has its own quota, its own draws, and the same world. Three
failures in a row park a routine until the next segment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from holodesk.rapp.canonical import Json
from holodesk.reflex import engine
from holodesk.reflex.engine import Outcome
from holodesk.reflex.forms import LIMITS
from holodesk.reflex.program import Program
from holodesk.reflex.world import Body, Event, World

HZ: Final = 20
TICK_BUDGET: Final = LIMITS["budget"]
MAX_EVENTS: Final = LIMITS["events"]
PARK_AFTER: Final = 3
DRAWS_TAG: Final = b"rl/1:draws"
PARTS: Final = 1000.0
"""Parts of a unit that a pointer is told in."""

Run = Callable[[Program, str, World, Mapping[str, Json], int], Outcome]


@dataclass(frozen=True, slots=True)
class Routine:
    """An admitted program that moves the body `id`; `origin` is compiled or self-authored."""

    id: str
    program: Program
    quota: int
    origin: str
    gate: str | None


@dataclass(frozen=True, slots=True)
class Transient:
    """What lives between two ticks: shown, never stored as the object."""

    tick: int
    bodies: Mapping[str, Body]
    states: Mapping[str, dict[str, Json]]
    failures: Mapping[str, int]
    parked: Mapping[str, int]
    player: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Ticked:
    """What one tick did. Outputs are `[id, emissions]`, or `[id, code, steps]` of one that failed;
    failed rows are (tick, id, code, steps); `parked` are those that this tick parked."""

    transient: Transient
    outputs: list[Json]
    failed: tuple[tuple[int, str, str, int], ...]
    steps: Mapping[str, int]
    emissions: Mapping[str, int]
    parked: tuple[str, ...]


def share(programs: Mapping[str, Program], budget: int = TICK_BUDGET) -> dict[str, int]:
    """The quota of each routine; together at most the budget.

    Each gets its static bound, where it has one that is no more than an equal share of what is
    left; the others share what remains. The order of routines does not matter.
    """
    quotas: dict[str, int] = {}
    left = max(0, min(budget, TICK_BUDGET))
    waiting = dict(programs)
    while waiting:
        equal = left // len(waiting)
        small = {
            id: program.bound
            for id, program in waiting.items()
            if program.bound is not None and program.bound <= equal
        }
        if not small:
            quotas.update(dict.fromkeys(waiting, equal))
            break
        for id, bound in small.items():
            quotas[id] = bound
            left -= bound
            del waiting[id]
    return {id: quotas[id] for id in programs}


@lru_cache(maxsize=4096)
def draws_key(seed: bytes, id: str) -> bytes:
    """The key of one routine's draws in a segment: 32 octets."""
    return sha256(DRAWS_TAG + seed + id.encode("utf-8")).digest()


def tick(
    routines: Sequence[Routine],
    transient: Transient,
    events: Sequence[Event],
    seed: bytes,
    facts: Mapping[str, Json],
    run: Run = engine.run,
) -> Ticked:
    """Run every routine that is not parked, once."""
    now = transient.tick
    player = _player(transient.player, events)
    told = tuple(events[:MAX_EVENTS])
    bodies, states = dict(transient.bodies), dict(transient.states)
    failures, parked = dict(transient.failures), dict(transient.parked)
    outputs: list[Json] = []
    failed: list[tuple[int, str, str, int]] = []
    steps: dict[str, int] = {}
    emissions: dict[str, int] = {}
    newly: list[str] = []
    for routine in routines:
        id = routine.id
        if id in parked:
            continue
        key = draws_key(seed, id)
        world = World(now, facts, transient.bodies, player, told, key)
        ended = run(routine.program, id, world, transient.states.get(id, {}), routine.quota)
        steps[id], emissions[id] = ended.steps, len(ended.emissions)
        if ended.code is None:
            bodies[id], states[id] = ended.body, ended.state
            failures.pop(id, None)
            outputs.append([id, [list[Any](emission) for emission in ended.emissions]])
            continue
        failed.append((now, id, ended.code, ended.steps))
        outputs.append([id, ended.code, ended.steps])
        failures[id] = failures.get(id, 0) + 1
        if failures[id] >= PARK_AFTER:
            parked[id] = now
            newly.append(id)
    after = Transient(now + 1, bodies, states, failures, parked, player)
    return Ticked(after, outputs, tuple(failed), steps, emissions, tuple(newly))


def _player(
    before: tuple[float, float] | None, events: Sequence[Event]
) -> tuple[float, float] | None:
    """Where the passer-by is: as the last event of the pointer says."""
    place = before
    for event in events[:MAX_EVENTS]:
        if event.kind == "leave":
            place = None
        elif event.kind in ("enter", "near"):
            x, z = event.payload.get("x"), event.payload.get("z")
            if type(x) is int and type(z) is int:
                place = (x / PARTS, z / PARTS)
    return place
