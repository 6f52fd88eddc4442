"""The judge: each node its own closure, each paid for as it is entered (LH 3.6; RL-1 6, 9).

Where a tick does not end well, its code and its steps are what this engine says. A function is
called at most 64 deep; a tree is at most 64 deep; fuel ends everything else.
"""

import sys
from collections.abc import Callable
from typing import Any, Final

from holodesk.reflex.forms import LIMITS, PRICES
from holodesk.reflex.natives import NATIVE_OPERATIONS
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
    Scope,
    State,
)
from holodesk.reflex.operations import OPERATIONS, items_of
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import Verdict, list_of

MAX_CALLS: Final = LIMITS["calls"]
ITEMS: Final = PRICES["items"]
FRAMES: Final = 20_000
"""Python frames that 64 calls of trees 64 deep may need; fuel and depth end a routine earlier."""

Env = list[Any]
"""The slots of one activation; the last holds the activation around it."""
Step = Callable[[Turn, Env, list[Any]], Any]
"""A node as a closure of the turn, the activation and the state."""


class Function:
    """A function value: how many arguments it takes, and what it does with them."""

    __slots__ = ("body", "count", "env", "size")

    def __init__(self, count: int, size: int, body: Step, env: Env | None) -> None:
        self.count = count
        self.size = size
        self.body = body
        self.env = env

    def call(self, turn: Turn, arguments: tuple[Any, ...], states: list[Any]) -> Any:
        """Call with exactly as many arguments as it takes.

        Raises:
            Verdict: E_ARITY, E_DEPTH, and whatever its body ends with.
        """
        if len(arguments) != self.count:
            raise Verdict("E_ARITY")
        turn.depth += 1
        if turn.depth > MAX_CALLS:
            raise Verdict("E_DEPTH")
        env = [*arguments, *([None] * (self.size - self.count)), self.env]
        value = self.body(turn, env, states)
        turn.depth -= 1
        return value


Judged = Callable[[Turn, list[Any]], None]


def judged(checked: Checked) -> Judged:
    """A routine that runs on a turn and its state names' values, node by node.

    What it is given is changed in place; it raises Verdict.
    """
    return _Building(checked).routine()


class _Building:
    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.functions: list[Function] = []

    def routine(self) -> Judged:
        self.functions = [_function(lambda_) for lambda_ in self.checked.functions]
        for function, lambda_ in zip(self.functions, self.checked.functions, strict=True):
            function.body = self.all(lambda_.body, lambda_.scope)
        size = self.checked.scope.size
        forms = [self.step(node, self.checked.scope) for node in self.checked.forms]

        def run(turn: Turn, states: list[Any]) -> None:
            env: Env = [None] * (size + 1)
            before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(before, FRAMES))
            try:
                for form in forms:
                    form(turn, env, states)
            finally:
                sys.setrecursionlimit(before)

        return run

    def all(self, nodes: tuple[Node, ...], scope: Scope) -> Step:
        """One after the other; the last one's value."""
        steps = [self.step(node, scope) for node in nodes]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            value = None
            for step in steps:
                value = step(turn, env, states)
            return value

        return run

    def step(self, node: Node, scope: Scope) -> Step:
        """The node's closure, which pays for the node before anything else."""
        inner = self._made(node, scope)

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            turn.f -= 1
            if turn.f < 0:
                raise Verdict("E_FUEL")
            return inner(turn, env, states)

        return run

    def _made(self, node: Node, scope: Scope) -> Step:
        match node:
            case Const() | Local() | State() | Named() | DefFunction():
                return self._leaf(node, scope)
            case If(test, then, otherwise):
                return self._if(test, then, otherwise, scope)
            case Do(items):
                return self.all(items, scope)
            case Let(bindings, body):
                return self._let(bindings, body, scope)
            case Lambda():
                return self._lambda(node)
            case Def(index, value):
                return self._def(index, self.step(value, scope))
            case And(items) | Or(items):
                return self._joined(items, scope, stops_at=isinstance(node, Or))
            case Cond(arms):
                return self._cond(arms, scope)
            case Operate(name, arguments):
                return self._operate(name, arguments, scope)
            case Apply(index, arguments):
                return self._apply(index, arguments, scope)
            case Invoke(target, arguments):
                return self._invoke(target, arguments, scope)
            case Each():
                return self._each(node, scope)

    def _leaf(self, node: Const | Local | State | Named | DefFunction, scope: Scope) -> Step:
        match node:
            case Const(value):
                return lambda turn, env, states: value
            case Local(variable):
                return _local(variable.slot, _distance(scope, variable.scope))
            case State(index):
                return lambda turn, env, states: states[index]
            case Named(index):
                function = self.functions[index]
                return lambda turn, env, states: function
        return _def_function

    def _if(self, test: Node, then: Node, otherwise: Node | None, scope: Scope) -> Step:
        asked, yes = self.step(test, scope), self.step(then, scope)
        no = None if otherwise is None else self.step(otherwise, scope)

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            if asked(turn, env, states):
                return yes(turn, env, states)
            return None if no is None else no(turn, env, states)

        return run

    def _let(self, bindings: tuple[Any, ...], body: tuple[Node, ...], scope: Scope) -> Step:
        bound = [(variable.slot, self.step(value, scope)) for variable, value in bindings]
        after = self.all(body, scope)

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            for slot, value in bound:
                env[slot] = value(turn, env, states)
            return after(turn, env, states)

        return run

    def _lambda(self, node: Lambda) -> Step:
        body = self.all(node.body, node.scope)
        count, size = len(node.parameters), node.scope.size
        return lambda turn, env, states: Function(count, size, body, env)

    def _def(self, index: int, value: Step) -> Step:
        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            states[index] = value(turn, env, states)
            return states[index]

        return run

    def _joined(self, items: tuple[Node, ...], scope: Scope, *, stops_at: bool) -> Step:
        steps = [self.step(item, scope) for item in items]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            value: Any = None if stops_at else True
            for step in steps:
                value = step(turn, env, states)
                if bool(value) is stops_at:
                    break
            return value

        return run

    def _cond(self, arms: tuple[tuple[Node, Node], ...], scope: Scope) -> Step:
        steps = [(self.step(test, scope), self.step(value, scope)) for test, value in arms]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            for test, value in steps:
                if test(turn, env, states):
                    return value(turn, env, states)
            return None

        return run

    def _operate(self, name: str, arguments: tuple[Node, ...], scope: Scope) -> Step:
        operation = OPERATIONS.get(name) or NATIVE_OPERATIONS[name]
        steps = [self.step(argument, scope) for argument in arguments]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            return operation(turn, *[step(turn, env, states) for step in steps])

        return run

    def _apply(self, index: int, arguments: tuple[Node, ...], scope: Scope) -> Step:
        function = self.functions[index]
        steps = [self.step(argument, scope) for argument in arguments]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            values = tuple([step(turn, env, states) for step in steps])
            return function.call(turn, values, states)

        return run

    def _invoke(self, target: Node, arguments: tuple[Node, ...], scope: Scope) -> Step:
        """The head is not a node of its own: it is not paid for."""
        found = self._made(target, scope)
        steps = [self.step(argument, scope) for argument in arguments]

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            values = tuple([step(turn, env, states) for step in steps])
            function = found(turn, env, states)
            if type(function) is not Function:
                raise Verdict("E_TYPE")
            return function.call(turn, values, states)

        return run

    def _each(self, node: Each, scope: Scope) -> Step:
        function = self.step(node.function, scope)
        start = None if node.start is None else self.step(node.start, scope)
        items = self.step(node.items, scope)
        kind = node.kind

        def run(turn: Turn, env: Env, states: list[Any]) -> Any:
            called = function(turn, env, states)
            total = None if start is None else start(turn, env, states)
            values = items_of(items(turn, env, states))
            if type(called) is not Function:
                raise Verdict("E_TYPE")
            if kind == "reduce":
                for number, item in enumerate(values):
                    total = called_back(turn, called, (total, item, float(number)), states)
                return total
            made: list[Any] = []
            for number, item in enumerate(values):
                found = called_back(turn, called, (item, float(number)), states)
                if kind == "map":
                    made.append(found)
                elif found:
                    made.append(item)
            turn.charge(len(made) >> ITEMS)
            return list_of(made)

        return run


def called_back(turn: Turn, function: Function, given: tuple[Any, ...], states: list[Any]) -> Any:
    """One call that map, filter or reduce makes: a function may take fewer than it is given."""
    turn.f -= 1
    if turn.f < 0:
        raise Verdict("E_FUEL")
    return function.call(turn, given[: function.count], states)


def _function(lambda_: Lambda) -> Function:
    return Function(len(lambda_.parameters), lambda_.scope.size, _nothing, None)


def _nothing(turn: Turn, env: Env, states: list[Any]) -> Any:
    return None


def _def_function(turn: Turn, env: Env, states: list[Any]) -> Any:
    """The function literal is a node too; there is nothing left to do for it."""
    turn.charge(1)


def _distance(scope: Scope, wanted: Scope) -> int:
    """How many activations further out a variable lies."""
    steps, here = 0, scope
    while here is not wanted:
        assert here.parent is not None
        here, steps = here.parent, steps + 1
    return steps


def _local(slot: int, steps: int) -> Step:
    if steps == 0:
        return lambda turn, env, states: env[slot]

    def run(turn: Turn, env: Env, states: list[Any]) -> Any:
        for _ in range(steps):
            env = env[-1]
        return env[slot]

    return run
