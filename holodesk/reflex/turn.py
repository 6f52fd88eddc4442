"""One routine's turn in one tick: its fuel, its draws, its body as it moves (LH 3.6; RL-1).

A turn is a transaction. What it holds is thrown away unless the routine ends well.
"""

from math import sqrt
from typing import Any, Final

from holodesk.reflex.draws import Draws
from holodesk.reflex.forms import LIMITS
from holodesk.reflex.values import List, Verdict, list_of, value_of
from holodesk.reflex.world import Body, World

_MAX_EMISSIONS: Final = LIMITS["emissions"]


class Turn:
    """Fuel left is `f`, calls entered `depth`; x, z, dx, dz and target are the body's own."""

    __slots__ = (
        "_events",
        "depth",
        "draws",
        "dx",
        "dz",
        "emissions",
        "f",
        "home_x",
        "home_z",
        "id",
        "target",
        "world",
        "x",
        "z",
    )

    def __init__(self, id: str, world: World, body: Body, fuel: int) -> None:
        self.id = id
        self.world = world
        self.f = fuel
        self.depth = 0
        self.draws = Draws(world.key, world.tick)
        self.emissions: list[tuple[str | float, ...]] = []
        self.x, self.z, self.dx, self.dz = body.x, body.z, body.dx, body.dz
        self.home_x, self.home_z = body.home_x, body.home_z
        self.target = body.target
        self._events: List | None = None

    def charge(self, steps: int) -> None:
        """Pay before the work is done.

        Raises:
            Verdict: E_FUEL.
        """
        self.f -= steps
        if self.f < 0:
            raise Verdict("E_FUEL")

    def emit(self, *emission: str | float) -> None:
        """Keep what the routine shows.

        Raises:
            Verdict: E_EMIT.
        """
        if len(self.emissions) >= _MAX_EMISSIONS:
            raise Verdict("E_EMIT")
        self.emissions.append(emission)

    def place(self, id: Any) -> tuple[float, float] | None:
        """Where a body is: its own as it moves, others as the tick began.

        Raises:
            Verdict: E_TYPE, an id that is neither text nor nil.
        """
        if id == self.id:
            return self.x, self.z
        if type(id) is not str:
            if id is None:
                return None
            raise Verdict("E_TYPE")
        body = self.world.bodies.get(id)
        return None if body is None else (body.x, body.z)

    def apart(self, one: Any, x: float, z: float) -> float | None:
        """How far a body is from a place, or None where there is no such body."""
        here = self.place(one)
        if here is None:
            return None
        dx, dz = here[0] - x, here[1] - z
        return sqrt(dx * dx + dz * dz)

    def events(self) -> List:
        """What happened, as `(events)` gives it; made once in a turn."""
        if self._events is None:
            told = [
                value_of({"kind": event.kind, "at": self.world.tick, **_apart(event.payload)})
                for event in self.world.events
            ]
            self._events = list_of(told)
        return self._events


def _apart(payload: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in ("kind", "at")}
