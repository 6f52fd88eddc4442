"""What a routine may see in one tick, and the body that it moves (LH 3.6).

Axes: x to the right and z to the back, as the front viewer sees it, in units; the stage is twenty
units wide. A facing is a unit vector; towards the front viewer is (0, -1).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final

from holodesk.errors import Place, RoutineRefused
from holodesk.rapp.canonical import Json

RULE: Final = "RL-1 E_STATE"


@dataclass(frozen=True, slots=True)
class Body:
    """A body as it stands between two ticks: place, facing, home, wander target, signs made."""

    x: float
    z: float
    dx: float
    dz: float
    home_x: float
    home_z: float
    target: tuple[float, float] | None = None
    emote: tuple[str, int] | None = None
    said: tuple[str, int] | None = None

    def as_json(self) -> dict[str, Json]:
        """The body as one object; `body_from` is the way back."""
        return {
            "x": self.x,
            "z": self.z,
            "dx": self.dx,
            "dz": self.dz,
            "home_x": self.home_x,
            "home_z": self.home_z,
            "target": None if self.target is None else list(self.target),
            "emote": None if self.emote is None else list(self.emote),
            "said": None if self.said is None else list(self.said),
        }


_NUMBERS: Final = ("x", "z", "dx", "dz", "home_x", "home_z")
_MEMBERS: Final = {*_NUMBERS, "target", "emote", "said"}
MAX_WORDS: Final = 280
"""The most characters of a text that is said."""


def body_from(value: Json) -> Body:
    """A body from the object that `as_json` gives.

    Raises:
        RoutineRefused: another member, one missing, or one of the wrong kind.
    """
    if not isinstance(value, dict) or set(value) != _MEMBERS:
        raise RoutineRefused(RULE, "a body has exactly the members of `Body`", Place(field="body"))
    numbers = [_number(value[name], name) for name in _NUMBERS]
    x, z, dx, dz, home_x, home_z = numbers
    emote, said = _sign(value["emote"], "emote"), _sign(value["said"], "said")
    return Body(x, z, dx, dz, home_x, home_z, _target(value["target"]), emote, said)


def _target(value: Json) -> tuple[float, float] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise _wrong("target", "null or two numbers")
    return _number(value[0], "target"), _number(value[1], "target")


def _number(value: Json, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(name, "a number")
    try:
        number = float(value)
    except OverflowError:
        raise _wrong(name, "a finite number") from None
    if not isfinite(number):
        raise _wrong(name, "a finite number")
    return number + 0.0


def _sign(value: Json, name: str) -> tuple[str, int] | None:
    if value is None:
        return None
    match value:
        case [str(words), int(tick)] if not isinstance(tick, bool) and 0 <= tick < 2**53:
            if len(words) <= MAX_WORDS:
                return words, tick
    raise _wrong(name, f"null or a text of at most {MAX_WORDS} characters and a tick")


def _wrong(name: str, expected: str) -> RoutineRefused:
    return RoutineRefused(RULE, f"expected {expected}", Place(field=f"body.{name}"))


@dataclass(frozen=True, slots=True)
class Event:
    """One thing from outside, quantised before anything sees it.

    `kind` is poke, enter, leave, near or env. Payloads hold integers, booleans and short strings;
    a pointer's x and z are thousandths of a unit.
    """

    kind: str
    payload: dict[str, Json]


@dataclass(frozen=True, slots=True)
class World:
    """The start of one tick, the same for every routine but for `key`, the seed of its draws.

    `facts` answers by its own names what `(frame-number)`, `(time-of-day)`, `(economy-trend)` and
    `(world-population)` ask. `key` is 32 octets.
    """

    tick: int
    facts: Mapping[str, Json]
    bodies: Mapping[str, Body]
    player: tuple[float, float] | None
    events: tuple[Event, ...]
    key: bytes
