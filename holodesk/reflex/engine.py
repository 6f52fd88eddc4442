"""One tick of one routine is a transaction: it ends well or nothing of it is kept (LH 3.6; RL-1).

Every node is paid for as it is entered (`reflex.judge`), so that the code and the steps of a tick
that fails are exact.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from holodesk.rapp.canonical import Json, canonical
from holodesk.reflex.forms import LIMITS
from holodesk.reflex.program import Program
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import Verdict, json_of, value_of
from holodesk.reflex.world import Body, World

_MAX_STATE: Final = LIMITS["state"]
_SURE: Final = 1500
"""A state this small by a generous count is within its limit and need not be written out."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a tick ended. `code` is None when it ended well; else body and state are as before.

    Emissions are `("move", x, z, dx, dz)`, `("face", dx, dz)`, `("emote", kind)`, `("say", text)`.
    `steps` of a tick that ran out of fuel are all the steps it had.
    """

    code: str | None
    steps: int
    emissions: tuple[tuple[str | float, ...], ...]
    state: dict[str, Json]
    body: Body
    draws: int


def run(program: Program, id: str, world: World, state: Mapping[str, Json], fuel: int) -> Outcome:
    """The outcome of one tick of one routine with so much fuel."""
    turn = Turn(id, world, world.bodies[id], fuel)
    try:
        return _ended(program, turn, state, program.judged)
    except Verdict as verdict:
        return _failed(verdict.code, turn, id, world, state, fuel)
    except (RecursionError, MemoryError):
        return _failed("E_DEPTH", turn, id, world, state, fuel)
    except (ArithmeticError, ValueError):
        return _failed("E_NUM", turn, id, world, state, fuel)


def _ended(
    program: Program,
    turn: Turn,
    state: Mapping[str, Json],
    act: Callable[[Turn, list[Any]], None],
) -> Outcome:
    fuel = turn.f
    names = program.checked.states
    states: list[Any] = [value_of(state[name]) if name in state else None for name in names]
    act(turn, states)
    if turn.f < 0:
        raise Verdict("E_FUEL")
    kept = _kept(names, states)
    return Outcome(None, fuel - turn.f, tuple(turn.emissions), kept, _moved(turn), turn.draws.count)


def _kept(names: tuple[str, ...], states: list[Any]) -> dict[str, Json]:
    """What the routine keeps to its next tick; nil is not kept.

    Raises:
        Verdict: E_STATE, E_NUM.
    """
    kept: dict[str, Json] = {}
    size = 2
    for name, value in zip(names, states, strict=True):
        if value is None:
            continue
        kind = type(value)
        if kind is float:
            if value - value != 0:
                raise Verdict("E_NUM")
            kept[name] = value + 0.0
            size += 28 + len(name)
        elif kind is bool:
            kept[name] = value
            size += 9 + len(name)
        else:
            kept[name] = json_of(value)
            size = _MAX_STATE
    if size > _SURE and len(canonical(kept)) > _MAX_STATE:
        raise Verdict("E_STATE")
    return kept


def _moved(turn: Turn) -> Body:
    """The body as the turn leaves it, with the last sign and the last words it made."""
    before = turn.world.bodies[turn.id]
    emote, said = before.emote, before.said
    for emission in turn.emissions:
        if emission[0] == "emote":
            emote = (str(emission[1]), turn.world.tick)
        elif emission[0] == "say":
            said = (str(emission[1]), turn.world.tick)
    return replace(
        before,
        x=turn.x,
        z=turn.z,
        dx=turn.dx,
        dz=turn.dz,
        target=turn.target,
        emote=emote,
        said=said,
    )


def _failed(
    code: str, turn: Turn, id: str, world: World, state: Mapping[str, Json], fuel: int
) -> Outcome:
    steps = min(fuel, fuel - turn.f)
    return Outcome(code, steps, (), dict(state), world.bodies[id], turn.draws.count)
