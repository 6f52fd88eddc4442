"""The values of RL-1: immutable, weighed once, bounded (LH 3.6; RL-1).

nil, true, false, text and number are Python's None, bool, str and float; a number is never an int.
Anything else that is neither a list nor a map is a function. A composite's weight is the size of
its tree, so that sharing cannot hide it.
"""

from math import isfinite
from typing import Any, Final

from holodesk.rapp.canonical import Json
from holodesk.reflex.forms import LIMITS

MAX_ITEMS: Final = LIMITS["items"]
MAX_WEIGHT: Final = LIMITS["weight"]
MAX_TEXT: Final = LIMITS["text"]
_MAX_DEPTH: Final = LIMITS["depth"]


class Verdict(Exception):
    """A tick did not end well; its code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class List:
    """A list; `weight` is one more than the weights of its items."""

    __slots__ = ("items", "weight")

    def __init__(self, items: tuple[Any, ...], weight: int) -> None:
        self.items = items
        self.weight = weight


class Map:
    """A map from texts; `weight` grows with every `assoc` that made it."""

    __slots__ = ("pairs", "weight")

    def __init__(self, pairs: dict[str, Any], weight: int) -> None:
        self.pairs = pairs
        self.weight = weight


EMPTY: Final = List((), 1)


def weight_of(value: Any) -> int:
    """The size of a value's tree."""
    kind = type(value)
    if kind is List or kind is Map:
        weight: int = value.weight
        return weight
    return 1 + (len(value) >> 4) if kind is str else 1


def list_of(items: list[Any]) -> List:
    """A list that is within its bounds.

    Raises:
        Verdict: E_SIZE.
    """
    weight = 1
    for item in items:
        kind = type(item)
        if kind is float:
            weight += 1
        elif kind is str:
            weight += 1 + (len(item) >> 4)
        elif kind is List or kind is Map:
            weight += item.weight
        else:
            weight += 1
    if weight > MAX_WEIGHT or len(items) > MAX_ITEMS:
        raise Verdict("E_SIZE")
    return List(tuple(items), weight)


def value_of(value: Json) -> Any:
    """The value of RL-1 that a JSON value stands for, weighed anew."""
    match value:
        case bool() | None | str():
            return value
        case dict():
            pairs = {name: value_of(inner) for name, inner in value.items()}
            weight = 1
            for inner in pairs.values():
                weight += 1 + weight_of(inner)
            return Map(pairs, weight)
        case list():
            items = tuple([value_of(inner) for inner in value])
            weight = 1
            for inner in items:
                weight += weight_of(inner)
            return List(items, weight)
    return float(value) + 0.0


def json_of(value: Any, depth: int = 0) -> Json:
    """The JSON value of a value that may leave its tick.

    Raises:
        Verdict: E_STATE for a function or too deep a value, E_NUM for a number that is not finite.
    """
    kind = type(value)
    if kind is float:
        if not isfinite(value):
            raise Verdict("E_NUM")
        number: float = value + 0.0
        return number
    if value is None or kind is str or kind is bool:
        plain: Json = value
        return plain
    if depth < _MAX_DEPTH:
        if kind is List:
            return [json_of(item, depth + 1) for item in value.items]
        if kind is Map:
            return {name: json_of(inner, depth + 1) for name, inner in value.pairs.items()}
    raise Verdict("E_STATE")


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal: by structure, functions by identity, true is no number."""
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is not List and kind is not Map:
        return bool(one == other)
    waiting = [(one, other)]
    while waiting:
        left, right = waiting.pop()
        kind = type(left)
        if kind is not type(right):
            return False
        if kind is List:
            if len(left.items) != len(right.items):
                return False
            waiting.extend(zip(left.items, right.items, strict=True))
        elif kind is Map:
            if len(left.pairs) != len(right.pairs):
                return False
            for name, inner in left.pairs.items():
                if name not in right.pairs:
                    return False
                waiting.append((inner, right.pairs[name]))
        elif left != right:
            return False
    return True
