"""The tables of RL-1: forms, built-ins, natives, emotes, limits and prices (LH 3.6).

They are part of the language: `PROFILE` hashes them all, and a routine that was judged under
another profile was judged in another language.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from holodesk.rapp.canonical import canonical

LIMITS: Final[Mapping[str, int]] = {
    "characters": 20_000,  # of a source
    "tokens": 4096,
    "text": 2048,  # characters of one text
    "nesting": 64,
    "forms": 128,  # at the top of a source
    "items": 256,  # of a list or a map
    "weight": 4096,  # of one value
    "calls": 64,  # one in another
    "emissions": 64,  # a tick
    "state": 4096,  # octets of a routine's state, canonical
    "depth": 32,  # of a value in the state
    "say": 280,  # characters, the rest is cut
    "speed": 2,  # units a tick
    "events": 8,  # a tick
    "bodies": 64,  # that a search is charged for
    "budget": 4000,  # steps of a hologram and tick
}

FORMS: Final = ("if", "do", "let", "fn", "quote", "def", "and", "or", "cond")

MANY: Final = 256
"""Arguments without end: as many as a list may hold."""

BUILTINS: Final[Mapping[str, tuple[int, int]]] = {
    "+": (1, MANY),
    "-": (1, MANY),
    "*": (1, MANY),
    "/": (2, 2),
    "mod": (2, 2),
    "min": (1, MANY),
    "max": (1, MANY),
    "abs": (1, 1),
    "floor": (1, 1),
    "ceil": (1, 1),
    "sqrt": (1, 1),
    "sin": (1, 1),
    "cos": (1, 1),
    "exp": (1, 1),
    "atan2": (2, 2),
    "rand": (0, 0),
    "rand-int": (2, 2),
    "=": (2, 2),
    "!=": (2, 2),
    "<": (2, 2),
    ">": (2, 2),
    "<=": (2, 2),
    ">=": (2, 2),
    "not": (1, 1),
    "list": (0, MANY),
    "push": (2, 2),
    "first": (1, 1),
    "rest": (1, 1),
    "nth": (2, 2),
    "count": (1, 1),
    "map": (2, 2),
    "filter": (2, 2),
    "reduce": (3, 3),
    "get": (2, 3),
    "assoc": (3, 3),
    "str": (0, MANY),
    "tick": (0, 0),
    "elapsed": (0, 0),
    "frame-number": (0, 0),
    "time-of-day": (0, 0),
    "economy-trend": (0, 0),
    "world-population": (0, 0),
}
"""Least and most arguments of each built-in."""

NATIVES: Final[Mapping[str, tuple[int, int]]] = {
    "self": (0, 0),
    "distance": (2, 2),
    "nearest-agent": (1, 1),
    "agent-pos": (1, 1),
    "player-pos": (0, 0),
    "player-distance": (1, 1),
    "move-toward": (3, 4),
    "face-toward": (3, 3),
    "wander": (1, 2),
    "emote": (2, 2),
    "say": (2, 2),
    "events": (0, 0),
}
"""Least and most arguments of each native; a routine may name only those that its grant lists."""

EMOTES: Final = (
    "bounce",
    "nod",
    "look-around",
    "wave",
    "think",
    "dance",
    "bow",
    "clap",
    "celebrate",
    "shrug",
)

PRICES: Final[Mapping[str, int]] = {
    "node": 1,  # each node evaluated
    "callback": 1,  # each call that map, filter or reduce makes
    "items": 2,  # n >> 2 for n items built or copied: list push rest map filter
    "pairs": 3,  # n >> 3 for the n pairs of a map that assoc copies
    "characters": 6,  # n >> 6 for n characters that str makes
    "number-text": 14,  # each number that str prints
    "rand": 1,
    "rand-int": 1,
    "agent-pos": 1,
    "player-pos": 1,
    "events": 1,
    "wander": 4,
    "bodies": 1,  # n >> 1 for the n bodies that nearest-agent looks at
    "exact": 24,  # sin cos exp atan2
}
"""Steps beyond the node's own. `items`, `pairs`, `characters`, `bodies` are shifts of a size; `=`
and `!=` cost the smaller of the two weights. The size is charged before anything is built."""

MOVE_SPEED: Final = 0.03
WANDER_SPEED: Final = 0.02
WANDER_RADIUS: Final = 5.0
WANDER_CHANCE: Final = 0.01
NEAR: Final = 0.5
"""A body moves only toward what is farther than this."""
MISSING: Final = 999.0
"""The distance of a body that is not there."""

PROFILE: Final = (
    "rl/1:"
    + sha256(
        canonical(
            {
                "limits": dict(LIMITS),
                "forms": list(FORMS),
                "builtins": {name: list(arity) for name, arity in BUILTINS.items()},
                "natives": {name: list(arity) for name, arity in NATIVES.items()},
                "emotes": list(EMOTES),
                "prices": dict(PRICES),
                "motion": [
                    MOVE_SPEED,
                    WANDER_SPEED,
                    WANDER_RADIUS,
                    WANDER_CHANCE,
                    NEAR,
                    MISSING,
                ],
            }
        )
    ).hexdigest()
)
"""The name of this language: its tables, hashed."""
