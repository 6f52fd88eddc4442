"""The most and the least steps that a routine can take, where that can be said (RL-1 6).

Without callbacks, calls that come back to themselves, or values called as functions, the bound is
arithmetic on the tree. Sizes that cannot be known are taken at their largest.
"""

from typing import Final

from holodesk.reflex.forms import LIMITS, PRICES
from holodesk.reflex.nodes import (
    And,
    Apply,
    Checked,
    Cond,
    Const,
    Def,
    DefFunction,
    Do,
    Each,
    If,
    Invoke,
    Lambda,
    Let,
    Local,
    Named,
    Node,
    Operate,
    Or,
    State,
)
from holodesk.reflex.values import weight_of

Span = tuple[int, int | None]
"""Least and most steps; None where there is no end to them but fuel."""

_EXTRA: Final[dict[str, int]] = {
    "rand": PRICES["rand"],
    "rand-int": PRICES["rand-int"],
    "agent-pos": PRICES["agent-pos"],
    "player-pos": PRICES["player-pos"],
    "events": PRICES["events"],
    "sin": PRICES["exact"],
    "cos": PRICES["exact"],
    "exp": PRICES["exact"],
    "atan2": PRICES["exact"],
}
"""What is always paid beyond the node."""
_MOST: Final[dict[str, int]] = {
    "wander": PRICES["wander"],
    "nearest-agent": LIMITS["bodies"] >> PRICES["bodies"],
    "push": LIMITS["items"] >> PRICES["items"],
    "rest": LIMITS["items"] >> PRICES["items"],
    "assoc": LIMITS["items"] >> PRICES["pairs"],
}
"""What may be paid beyond the node."""
_PLAIN: Final = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "mod",
        "min",
        "max",
        "abs",
        "floor",
        "ceil",
        "sqrt",
        "sin",
        "cos",
        "exp",
        "atan2",
        "rand",
        "rand-int",
        "count",
        "tick",
        "elapsed",
        "frame-number",
        "time-of-day",
        "economy-trend",
        "world-population",
        "distance",
        "player-distance",
        "<",
        ">",
        "<=",
        ">=",
        "=",
        "!=",
        "not",
    ]
)
"""Operations whose value is a number or a truth value: it weighs 1."""


def span(checked: Checked) -> Span:
    """Least and most steps of a whole routine."""
    return _Measuring(checked).sequence(checked.forms)


class _Measuring:
    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.known: dict[int, Span] = {}
        self.within: set[int] = set()

    def sequence(self, nodes: tuple[Node, ...]) -> Span:
        return _sum([self.of(node) for node in nodes])

    def of(self, node: Node) -> Span:
        """What a node costs, its own step included."""
        match node:
            case Const() | Local() | State() | Named() | Lambda():
                return 1, 1
            case DefFunction():
                return 2, 2
            case If(test, then, otherwise):
                arms = [self.of(then), (0, 0) if otherwise is None else self.of(otherwise)]
                return _sum([(1, 1), self.of(test), _either(arms)])
            case Do(items):
                return _sum([(1, 1), self.sequence(items)])
            case Let(bindings, body):
                values = [self.of(value) for _, value in bindings]
                return _sum([(1, 1), *values, self.sequence(body)])
            case Def(_, value):
                return _sum([(1, 1), self.of(value)])
            case And(items) | Or(items):
                return _sum([(1, 1), *_first_always([self.of(item) for item in items])])
            case Cond(arms):
                return self._cond(arms)
            case Operate(name, arguments):
                return _sum([self._operation(name, arguments), self.sequence(arguments)])
            case Apply(index, arguments):
                return _sum([(1, 1), self.sequence(arguments), self._function(index)])
            case Invoke(_, arguments):
                return _sum([(1, None), self.sequence(arguments)])
            case Each(_, function, start, items):
                inner = [function, items] if start is None else [function, start, items]
                return _sum([(1, None), self.sequence(tuple(inner))])

    def _cond(self, arms: tuple[tuple[Node, Node], ...]) -> Span:
        spans = [(self.of(test), self.of(value)) for test, value in arms]
        ways: list[Span] = []
        passed: list[Span] = []
        for test, value in spans:
            passed.append(test)
            ways.append(_sum([*passed, value]))
        ways.append(_sum(passed))
        return _sum([(1, 1), _either(ways)])

    def _operation(self, name: str, arguments: tuple[Node, ...]) -> Span:
        always = 1 + _EXTRA.get(name, 0)
        count = len(arguments)
        if name in ("=", "!="):
            weights = [_weight(argument) for argument in arguments]
            return always + 1, always + min(weights)
        if name == "list":
            return always + (count >> PRICES["items"]), always + (count >> PRICES["items"])
        if name == "str":
            text = LIMITS["text"] >> PRICES["characters"]
            return always, always + count * PRICES["number-text"] + text
        return always, always + _MOST.get(name, 0)

    def _function(self, index: int) -> Span:
        """A function's body; one that comes back to itself has no end but fuel."""
        if index in self.within:
            return 0, None
        if index not in self.known:
            self.within.add(index)
            self.known[index] = self.sequence(self.checked.functions[index].body)
            self.within.discard(index)
        return self.known[index]


def _weight(node: Node) -> int:
    """The most that a value of this node can weigh."""
    match node:
        case Const(value):
            return weight_of(value)
        case Operate(name, _) if name in _PLAIN:
            return 1
        case Operate("self" | "nearest-agent" | "str", _):
            return 1 + (LIMITS["text"] >> 4)
        case If(_, then, otherwise):
            return max(_weight(then), 1 if otherwise is None else _weight(otherwise))
    return LIMITS["weight"]


def _sum(spans: list[Span]) -> Span:
    least = sum(low for low, _ in spans)
    highs = [high for _, high in spans]
    most = None if None in highs else sum(high for high in highs if high is not None)
    return least, most


def _either(spans: list[Span]) -> Span:
    highs = [high for _, high in spans]
    most = None if None in highs else max(high for high in highs if high is not None)
    return min(low for low, _ in spans), most


def _first_always(spans: list[Span]) -> list[Span]:
    """The first is evaluated; the others may be."""
    return [one if number == 0 else (0, one[1]) for number, one in enumerate(spans)]
