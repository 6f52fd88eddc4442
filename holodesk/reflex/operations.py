"""The pure built-ins of RL-1, each with its types and its price (LH 3.6; RL-1 5, 6).

Arithmetic and comparison are strict. Looking into nothing gives nothing; dividing by zero gives 0.
"""

from collections.abc import Callable, Mapping
from math import fmod, inf, isfinite, nan, sqrt
from typing import Any, Final

from holodesk.rapp.number_text import number_text
from holodesk.reflex import exact
from holodesk.reflex.forms import PRICES
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import (
    EMPTY,
    MAX_ITEMS,
    MAX_TEXT,
    MAX_WEIGHT,
    List,
    Map,
    Verdict,
    is_same,
    list_of,
    weight_of,
)

Operation = Callable[..., Any]

_ITEMS: Final = PRICES["items"]
_PAIRS: Final = PRICES["pairs"]
_CHARACTERS: Final = PRICES["characters"]
_NUMBER_TEXT: Final = PRICES["number-text"]
_EXACT: Final = PRICES["exact"]
HZ: Final = 20.0


def _numbers(values: tuple[Any, ...]) -> None:
    for value in values:
        if type(value) is not float:
            raise Verdict("E_TYPE")


def _add(turn: Turn, first: Any, *more: Any) -> float:
    _numbers((first, *more))
    total: float = first
    for value in more:
        total += value
    return total


def _subtract(turn: Turn, first: Any, *more: Any) -> float:
    _numbers((first, *more))
    if not more:
        return -float(first)
    total: float = first
    for value in more:
        total -= value
    return total


def _multiply(turn: Turn, first: Any, *more: Any) -> float:
    _numbers((first, *more))
    total: float = first
    for value in more:
        total *= value
    return total


def _divide(turn: Turn, one: Any, other: Any) -> float:
    _numbers((one, other))
    return float(one / other) if other else 0.0


def remainder(one: float, other: float) -> float:
    """The remainder with the sign of the first; 0 by zero, NaN of the infinite."""
    if not other:
        return 0.0
    return fmod(one, other) if one - one == 0 else nan


def root(value: float) -> float:
    """The square root, NaN below zero."""
    return sqrt(value) if value >= 0 else nan


def _mod(turn: Turn, one: Any, other: Any) -> float:
    _numbers((one, other))
    return remainder(one, other)


def _least(turn: Turn, first: Any, *more: Any) -> float:
    _numbers((first, *more))
    least: float = first
    for value in more:
        least = value if value < least else least
    return least


def _most(turn: Turn, first: Any, *more: Any) -> float:
    _numbers((first, *more))
    most: float = first
    for value in more:
        most = value if value > most else most
    return most


def _abs(turn: Turn, value: Any) -> float:
    _numbers((value,))
    return abs(float(value))


def _floor(turn: Turn, value: Any) -> float:
    _numbers((value,))
    return float(value // 1.0)


def _ceil(turn: Turn, value: Any) -> float:
    _numbers((value,))
    return -float(-value // 1.0)


def _sqrt(turn: Turn, value: Any) -> float:
    _numbers((value,))
    return root(value)


def _exactly(function: Callable[..., float]) -> Operation:
    def operation(turn: Turn, *values: Any) -> float:
        _numbers(values)
        turn.charge(_EXACT)
        return function(*values)

    return operation


def rand(turn: Turn) -> float:
    """The next draw."""
    turn.charge(PRICES["rand"])
    return turn.draws.next()


def _rand_int(turn: Turn, low: Any, high: Any) -> float:
    _numbers((low, high))
    turn.charge(PRICES["rand-int"])
    return float((turn.draws.next() * (high - low + 1.0)) // 1.0 + low)


def same(turn: Turn, one: Any, other: Any) -> bool:
    """Whether two values are equal, for the smaller of their weights."""
    turn.charge(min(weight_of(one), weight_of(other)))
    return is_same(one, other)


def _other(turn: Turn, one: Any, other: Any) -> bool:
    return not same(turn, one, other)


def _less(turn: Turn, one: Any, other: Any) -> bool:
    _numbers((one, other))
    return bool(one < other)


def _greater(turn: Turn, one: Any, other: Any) -> bool:
    _numbers((one, other))
    return bool(one > other)


def _at_most(turn: Turn, one: Any, other: Any) -> bool:
    _numbers((one, other))
    return bool(one <= other)


def _at_least(turn: Turn, one: Any, other: Any) -> bool:
    _numbers((one, other))
    return bool(one >= other)


def _not(turn: Turn, value: Any) -> bool:
    return not value


def _list(turn: Turn, *items: Any) -> List:
    turn.charge(len(items) >> _ITEMS)
    return list_of(list(items))


def _push(turn: Turn, values: Any, value: Any) -> List:
    if values is None:
        values = EMPTY
    elif type(values) is not List:
        raise Verdict("E_TYPE")
    count = len(values.items) + 1
    turn.charge(count >> _ITEMS)
    weight = values.weight + weight_of(value)
    if count > MAX_ITEMS or weight > MAX_WEIGHT:
        raise Verdict("E_SIZE")
    return List((*values.items, value), weight)


def items_of(values: Any) -> tuple[Any, ...]:
    """The items of a list; nil has none.

    Raises:
        Verdict: E_TYPE.
    """
    if type(values) is List:
        items: tuple[Any, ...] = values.items
        return items
    if values is None:
        return ()
    raise Verdict("E_TYPE")


def _first(turn: Turn, values: Any) -> Any:
    items = items_of(values)
    return items[0] if items else None


def _rest(turn: Turn, values: Any) -> List:
    items = items_of(values)
    if len(items) < 2:
        return EMPTY
    turn.charge((len(items) - 1) >> _ITEMS)
    return List(items[1:], values.weight - weight_of(items[0]))


def _nth(turn: Turn, values: Any, index: Any) -> Any:
    items = items_of(values)
    if type(index) is not float:
        raise Verdict("E_TYPE")
    return items[int(index)] if 0.0 <= index < len(items) else None


def _count(turn: Turn, values: Any) -> float:
    kind = type(values)
    if kind is Map:
        return float(len(values.pairs))
    if kind is str:
        return float(len(values))
    return float(len(items_of(values)))


def look_up(turn: Turn, values: Any, key: Any, default: Any = None) -> Any:
    """What a map holds under a text, or a list at a number; nothing holds nothing."""
    kind = type(values)
    if kind is Map:
        if type(key) is str:
            return values.pairs.get(key, default)
    elif values is None:
        if type(key) is str or type(key) is float:
            return default
    elif kind is List and type(key) is float:
        return values.items[int(key)] if 0.0 <= key < len(values.items) else default
    raise Verdict("E_TYPE")


def _assoc(turn: Turn, values: Any, key: Any, value: Any) -> Map:
    if type(key) is not str or not (values is None or type(values) is Map):
        raise Verdict("E_TYPE")
    pairs: dict[str, Any] = {} if values is None else values.pairs
    count = len(pairs) + (key not in pairs)
    turn.charge(count >> _PAIRS)
    weight = (1 if values is None else values.weight) + 1 + weight_of(value)
    if count > MAX_ITEMS or weight > MAX_WEIGHT:
        raise Verdict("E_SIZE")
    return Map({**pairs, key: value}, weight)


_WORDS: Final[Mapping[Any, str]] = {None: "nil", True: "true", False: "false"}


def _str(turn: Turn, *values: Any) -> str:
    parts: list[str] = []
    for value in values:
        kind = type(value)
        if kind is str:
            parts.append(value)
        elif kind is float:
            turn.charge(_NUMBER_TEXT)
            if not isfinite(value):
                raise Verdict("E_NUM")
            parts.append(number_text(value))
        elif value is None or kind is bool:
            parts.append(_WORDS[value])
        else:
            raise Verdict("E_TYPE")
    length = 0
    for part in parts:
        length += len(part)
    turn.charge(length >> _CHARACTERS)
    if length > MAX_TEXT:
        raise Verdict("E_SIZE")
    return "".join(parts)


def _tick(turn: Turn) -> float:
    return float(turn.world.tick)


def _elapsed(turn: Turn) -> float:
    return turn.world.tick / HZ


def _fact(name: str) -> Operation:
    def operation(turn: Turn) -> Any:
        value = turn.world.facts.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value) if -(2**1023) < value < 2**1023 else inf
            return number if isfinite(number) else None
        return value if isinstance(value, str | bool) else None

    return operation


def _population(turn: Turn) -> Any:
    told = _fact("world-population")(turn)
    return float(len(turn.world.bodies)) if told is None else told


OPERATIONS: Final[Mapping[str, Operation]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "mod": _mod,
    "min": _least,
    "max": _most,
    "abs": _abs,
    "floor": _floor,
    "ceil": _ceil,
    "sqrt": _sqrt,
    "sin": _exactly(exact.sin),
    "cos": _exactly(exact.cos),
    "exp": _exactly(exact.exp),
    "atan2": _exactly(exact.atan2),
    "rand": rand,
    "rand-int": _rand_int,
    "=": same,
    "!=": _other,
    "<": _less,
    ">": _greater,
    "<=": _at_most,
    ">=": _at_least,
    "not": _not,
    "list": _list,
    "push": _push,
    "first": _first,
    "rest": _rest,
    "nth": _nth,
    "count": _count,
    "get": look_up,
    "assoc": _assoc,
    "str": _str,
    "tick": _tick,
    "elapsed": _elapsed,
    "frame-number": _fact("frame-number"),
    "time-of-day": _fact("time-of-day"),
    "economy-trend": _fact("economy-trend"),
    "world-population": _population,
}
"""Every built-in but map, filter and reduce, which call back and so belong to the engines."""
