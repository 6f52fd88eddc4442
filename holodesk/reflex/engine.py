"""One tick of one routine is a transaction: it ends well or nothing of it is kept (LH 3.6)."""

from collections.abc import Mapping
from dataclasses import dataclass

from holodesk.rapp.canonical import Json
from holodesk.reflex.program import Program
from holodesk.reflex.world import Body, World


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a tick ended. `code` is None when it ended well; else body and state are as before.

    Emissions are `("move", x, z, dx, dz)`, `("face", dx, dz)`, `("emote", kind)`, `("say", text)`.
    """

    code: str | None
    steps: int
    emissions: tuple[tuple[str | float, ...], ...]
    state: dict[str, Json]
    body: Body
    draws: int


def run(program: Program, id: str, world: World, state: Mapping[str, Json], fuel: int) -> Outcome:
    """The compiled engine's outcome; when it does not end well, the judge's word."""
    raise NotImplementedError


def judge(program: Program, id: str, world: World, state: Mapping[str, Json], fuel: int) -> Outcome:
    """The outcome of the per-node evaluator, whose code and steps are the verdict."""
    raise NotImplementedError
