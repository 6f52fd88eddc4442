"""RL-1 the plain way: one function that walks the tree, a step a node. The oracle of the engine."""

from typing import Any

from holodesk.reflex.check import check
from holodesk.reflex.forms import LIMITS, NATIVES
from holodesk.reflex.natives import NATIVE_OPERATIONS
from holodesk.reflex.nodes import (
    And,
    Apply,
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
    Operate,
    Or,
    State,
)
from holodesk.reflex.operations import OPERATIONS, items_of
from holodesk.reflex.reader import read
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import Verdict, list_of

Bindings = dict[Any, Any]


class Closure:
    """A function with the bindings around it; a variable is its own key."""

    def __init__(self, lambda_: Lambda, bindings: Bindings) -> None:
        self.lambda_ = lambda_
        self.bindings = bindings


class Walker:
    """Walks one routine on one turn."""

    def __init__(self, source: str, turn: Turn, states: dict[str, Any] | None = None) -> None:
        self.checked = check(source, read(source), frozenset(NATIVES))
        self.turn = turn
        self.states = [(states or {}).get(name) for name in self.checked.states]
        self.named = [Closure(one, {}) for one in self.checked.functions]

    def run(self) -> Any:
        """The value of the last form. Raises Verdict."""
        value, top = None, dict[Any, Any]()
        for form in self.checked.forms:
            value = self.walk(form, top)
        return value

    def pay(self, steps: int = 1) -> None:
        self.turn.f -= steps
        if self.turn.f < 0:
            raise Verdict("E_FUEL")

    def walk(self, node: Any, here: Bindings) -> Any:
        self.pay()
        return self.value(node, here)

    def all(self, nodes: Any, here: Bindings) -> Any:
        value = None
        for node in nodes:
            value = self.walk(node, here)
        return value

    def value(self, node: Any, here: Bindings) -> Any:
        match node:
            case Const(value):
                return value
            case Local(variable):
                return here[variable]
            case State(index):
                return self.states[index]
            case Named(index):
                return self.named[index]
            case If(test, then, otherwise):
                if self.walk(test, here):
                    return self.walk(then, here)
                return None if otherwise is None else self.walk(otherwise, here)
            case Do(items):
                return self.all(items, here)
            case Let(bindings, body):
                for variable, bound in bindings:
                    here[variable] = self.walk(bound, here)
                return self.all(body, here)
            case Lambda():
                return Closure(node, here)
            case Def(index, bound):
                self.states[index] = self.walk(bound, here)
                return self.states[index]
            case DefFunction():
                return self.pay()
            case And(items):
                value = True
                for item in items:
                    if not (value := self.walk(item, here)):
                        return value
                return value
            case Or(items):
                value = None
                for item in items:
                    if value := self.walk(item, here):
                        return value
                return value
            case Cond(arms):
                return next((self.walk(v, here) for test, v in arms if self.walk(test, here)), None)
            case Operate(name, arguments):
                values = [self.walk(argument, here) for argument in arguments]
                return {**OPERATIONS, **NATIVE_OPERATIONS}[name](self.turn, *values)
            case Apply(index, arguments):
                values = [self.walk(argument, here) for argument in arguments]
                return self.call(self.named[index], values)
            case Invoke(target, arguments):
                values = [self.walk(argument, here) for argument in arguments]
                return self.call(self.value(target, here), values)
            case Each():
                return self.each(node, here)
        raise AssertionError(node)

    def call(self, closure: Any, values: list[Any]) -> Any:
        if type(closure) is not Closure:
            raise Verdict("E_TYPE")
        parameters = closure.lambda_.parameters
        if len(values) != len(parameters):
            raise Verdict("E_ARITY")
        self.turn.depth += 1
        if self.turn.depth > LIMITS["calls"]:
            raise Verdict("E_DEPTH")
        inner = Bindings(closure.bindings) | dict(zip(parameters, values, strict=True))
        value = self.all(closure.lambda_.body, inner)
        self.turn.depth -= 1
        return value

    def each(self, node: Each, here: Bindings) -> Any:
        closure = self.walk(node.function, here)
        total = None if node.start is None else self.walk(node.start, here)
        items = items_of(self.walk(node.items, here))
        if type(closure) is not Closure:
            raise Verdict("E_TYPE")
        count, made = len(closure.lambda_.parameters), []
        for number, item in enumerate(items):
            self.pay()
            given = [total, item, float(number)] if node.kind == "reduce" else [item, float(number)]
            found = self.call(closure, given[:count])
            if node.kind == "reduce":
                total = found
            elif node.kind == "map":
                made.append(found)
            elif found:
                made.append(item)
        if node.kind == "reduce":
            return total
        self.turn.charge(len(made) >> 2)
        return list_of(made)
