"""One tick of a hologram's body: every routine reads the start of the tick (LH 3.6)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from holodesk.rapp.canonical import Json
from holodesk.reflex import engine
from holodesk.reflex.engine import Outcome
from holodesk.reflex.program import Program
from holodesk.reflex.world import Body, Event, World

HZ: Final = 20
TICK_BUDGET: Final = 4000
MAX_EVENTS: Final = 8
PARK_AFTER: Final = 3

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
    """What one tick did."""

    transient: Transient
    outputs: list[Json]
    failed: tuple[tuple[int, str, str, int], ...]
    steps: Mapping[str, int]
    emissions: Mapping[str, int]
    parked: tuple[str, ...]


def share(programs: Mapping[str, Program], budget: int = TICK_BUDGET) -> dict[str, int]:
    """The quota of each routine; together at most the budget."""
    raise NotImplementedError


def tick(
    routines: Sequence[Routine],
    transient: Transient,
    events: Sequence[Event],
    seed: bytes,
    facts: Mapping[str, Json],
    run: Run = engine.run,
) -> Ticked:
    """Run every routine that is not parked, once."""
    raise NotImplementedError
