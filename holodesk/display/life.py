"""What moves between frames: time, and what reflexes show; never on the chain (LH 3.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Life:
    """The transient part of a pose. Every default is neutral."""

    seconds: float = 0.0
    """Since some start; the same seconds give the same pose."""
    turn: float = 0.0
    """Degrees added to where the body looks, counter-clockwise from above."""
    lean: float = 0.0
    """-1..1, to its right or to its left."""
    squash: float = 0.0
    """-1..1, drawn out or pressed flat."""
    glow: float = 0.0
    """-1..1, darker or brighter."""
    startle: float = 0.0
    """0..1, how much it is taken by surprise."""
    shift_x: float = 0.0
    """Hundredths of the stage to the right of where the object stands, as the front viewer sees."""
    shift_y: float = 0.0
    """Hundredths of the stage behind where the object stands."""
    words: str = ""
    """A short line it would say, shown above it."""
    wake: tuple[Place, ...] = ()
    """Where it just was, oldest first, as shifts in hundredths of the stage."""
    many: Mapping[str, "Life"] = field(default_factory=lambda: MappingProxyType({}))
    """The life of each of several bodies, by its id; their `seconds` are nought."""


_MOVES = tuple(each.name for each in fields(Life) if each.type in (float, "float"))[1:]


def between_lives(before: Life, after: Life, share: float, seconds: float) -> Life:
    """The life at `seconds`, `share` 0..1 of the way from one tick's to the next's."""
    moved = {
        name: getattr(before, name) + (getattr(after, name) - getattr(before, name)) * share
        for name in _MOVES
    }
    many = {
        id: between_lives(before.many.get(id, one), one, share, 0.0)
        for id, one in after.many.items()
    }
    return replace(after, seconds=seconds, many=many, **moved)
