"""Names, forms and arities are checked before a routine runs (LH 3.6; RL-1 5).

A name is bound by `let` or `fn`, defined by this routine, a built-in or a native; a typo is a
refusal, never a routine that does nothing. A name without arguments needs no parentheses.
"""

from collections.abc import Mapping
from typing import Any, Final

from holodesk.errors import RoutineRefused
from holodesk.reflex.forms import BUILTINS, FORMS, LIMITS, NATIVES
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
    Variable,
)
from holodesk.reflex.reader import refused
from holodesk.reflex.tree import Form, Literal, Symbol, Tree
from holodesk.reflex.values import List, Verdict, list_of

_OPERATIONS: Final[Mapping[str, tuple[int, int]]] = {**BUILTINS, **NATIVES}
_CALLING: Final = ("map", "filter", "reduce")

Names = Mapping[str, Variable]


def check(source: str, forms: tuple[Tree, ...], grant: frozenset[str]) -> Checked:
    """The routine with every name resolved.

    Raises:
        RoutineRefused: E_FORM, E_NAME, E_GRANT, E_LIMIT, with line and column.
    """
    return _Checker(source, grant).routine(forms)


class _Checker:
    def __init__(self, source: str, grant: frozenset[str]) -> None:
        self.source = source
        self.grant = grant
        self.states: list[str] = []
        self.functions: dict[str, Form] = {}
        self.lambdas: dict[str, Lambda] = {}
        self.natives: set[str] = set()
        self.made = 0

    def routine(self, forms: tuple[Tree, ...]) -> Checked:
        for form in forms:
            self._collect(form)
        scope = Scope(None)
        for name, written in self.functions.items():
            self.lambdas[name] = self._function(written, {}, None)
        nodes = tuple(self._node(form, {}, scope, True) for form in forms)
        lambdas = tuple(self.lambdas.values())
        return Checked(nodes, scope, lambdas, tuple(self.states), frozenset(self.natives))

    def _collect(self, tree: Tree) -> None:
        """The names that the top of the routine defines."""
        if not isinstance(tree, Form) or not tree.items or not isinstance(tree.items[0], Symbol):
            return
        head, rest = tree.items[0].name, tree.items[1:]
        if head in ("do", "if"):
            for item in rest if head == "do" else rest[1:]:
                self._collect(item)
        elif head == "def":
            name, value = self._defined(tree)
            if _is_function(value):
                if name in self.functions or name in self.states:
                    raise self._wrong(
                        f"the function {name} is defined once, and as nothing else", tree
                    )
                assert isinstance(value, Form)
                self.functions[name] = value
            elif name in self.functions:
                raise self._wrong(f"the function {name} is defined once, and as nothing else", tree)
            elif name not in self.states:
                self.states.append(name)

    def _defined(self, form: Form) -> tuple[str, Tree]:
        match form.items:
            case (_, Symbol(name), value):
                if name in _OPERATIONS or name in FORMS:
                    raise self._wrong(f"{name} is the language's own and cannot be defined", form)
                return name, value
        raise self._wrong("expected (def name value)", form)

    def _node(self, tree: Tree, names: Names, scope: Scope, top: bool = False) -> Node:
        match tree:
            case Literal(value):
                return Const(value)
            case Symbol(name):
                return self._name(name, tree, names)
            case Form((Symbol(head), *rest)):
                if head in names or head in self.states or head in self.functions:
                    return self._call(head, tree, tuple(rest), names, scope)
                if head in FORMS:
                    return self._form(head, tree, tuple(rest), names, scope, top)
                return self._operate(head, tree, tuple(rest), names, scope)
        raise self._wrong("expected a name at the head of a form", tree)

    def _name(self, name: str, tree: Symbol, names: Names) -> Node:
        if name in names:
            return Local(names[name])
        if name in self.functions:
            return Named(list(self.functions).index(name))
        if name in self.states:
            return State(self.states.index(name))
        if _OPERATIONS.get(name) == (0, 0):
            return self._operate(name, tree, (), names, Scope(None))
        if name in _OPERATIONS or name in FORMS:
            told = f"{name} can be called, not passed: write (fn (a) ({name} a))"
            raise self._wrong(told, tree)
        raise refused("E_NAME", f"nothing is named {name[:40]}", self.source, tree.at)

    def _call(
        self, name: str, tree: Form, rest: tuple[Tree, ...], names: Names, scope: Scope
    ) -> Node:
        arguments = tuple(self._node(item, names, scope) for item in rest)
        if name in names:
            return Invoke(Local(names[name]), arguments)
        if name in self.states:
            return Invoke(State(self.states.index(name)), arguments)
        written = self.functions[name].items[1]
        wanted = len(written.items) if isinstance(written, Form) else 0
        if len(arguments) != wanted:
            raise self._arity(name, wanted, wanted, len(arguments), tree)
        return Apply(list(self.functions).index(name), arguments)

    def _operate(
        self, name: str, tree: Tree, rest: tuple[Tree, ...], names: Names, scope: Scope
    ) -> Node:
        if name not in _OPERATIONS:
            raise refused("E_NAME", f"nothing is named {name[:40]}", self.source, tree.at)
        if name in NATIVES:
            if name not in self.grant:
                raise refused("E_GRANT", f"{name} is not granted", self.source, tree.at)
            self.natives.add(name)
        least, most = _OPERATIONS[name]
        if not least <= len(rest) <= most:
            raise self._arity(name, least, most, len(rest), tree)
        arguments = tuple(self._node(item, names, scope) for item in rest)
        if name in _CALLING:
            start = arguments[1] if name == "reduce" else None
            return Each(name, arguments[0], start, arguments[-1])
        return Operate(name, arguments)

    def _form(
        self,
        head: str,
        tree: Form,
        rest: tuple[Tree, ...],
        names: Names,
        scope: Scope,
        top: bool,
    ) -> Node:
        match head:
            case "quote":
                if len(rest) != 1:
                    raise self._arity(head, 1, 1, len(rest), tree)
                return Const(self._quoted(rest[0]))
            case "let":
                return self._let(tree, rest, names, scope)
            case "fn":
                self.made += 1
                return self._function(tree, names, scope)
            case "def":
                return self._def(tree, names, scope, top)
            case "if":
                if len(rest) not in (2, 3):
                    raise self._arity(head, 2, 3, len(rest), tree)
                test = self._node(rest[0], names, scope)
                arms = [self._node(item, names, scope, top) for item in rest[1:]]
                return If(test, arms[0], arms[1] if len(arms) == 2 else None)
            case "cond":
                if len(rest) % 2 or not rest:
                    raise self._wrong("expected (cond test value …), in pairs", tree)
                nodes = [self._node(item, names, scope) for item in rest]
                return Cond(tuple(zip(nodes[::2], nodes[1::2], strict=True)))
        nodes = [self._node(item, names, scope, top and head == "do") for item in rest]
        if head == "do":
            return Do(tuple(nodes))
        return And(tuple(nodes)) if head == "and" else Or(tuple(nodes))

    def _def(self, tree: Form, names: Names, scope: Scope, top: bool) -> Node:
        name, value = self._defined(tree)
        if not top:
            raise self._wrong("def stands at the top, or in a do or an if there", tree)
        if name in self.functions:
            return DefFunction(list(self.functions).index(name))
        return Def(self.states.index(name), self._node(value, names, scope))

    def _let(self, tree: Form, rest: tuple[Tree, ...], names: Names, scope: Scope) -> Node:
        match rest:
            case (Form(flat), _, *_) if len(flat) % 2 == 0:
                pass
            case _:
                raise self._wrong("expected (let (name value …) body …)", tree)
        inner = dict(names)
        bindings: list[tuple[Variable, Node]] = []
        for symbol, value in zip(flat[::2], flat[1::2], strict=True):
            node = self._node(value, inner, scope)
            variable = self._bind(symbol, scope)
            bindings.append((variable, node))
            assert isinstance(symbol, Symbol)
            inner[symbol.name] = variable
        body = tuple(self._node(item, inner, scope) for item in rest[1:])
        return Let(tuple(bindings), body)

    def _function(self, tree: Form, names: Names, parent: Scope | None) -> Lambda:
        match tree.items:
            case (_, Form(symbols), _, *_):
                pass
            case _:
                raise self._wrong("expected (fn (name …) body …)", tree)
        scope = Scope(parent)
        inner = dict(names)
        parameters = []
        for symbol in symbols:
            parameters.append(self._bind(symbol, scope))
            assert isinstance(symbol, Symbol)
            inner[symbol.name] = parameters[-1]
        if len({symbol.name for symbol in symbols if isinstance(symbol, Symbol)}) != len(symbols):
            raise self._wrong("a function names each of its parameters once", tree)
        before = self.made
        body = tuple(self._node(item, inner, scope) for item in tree.items[2:])
        return Lambda(scope, tuple(parameters), body, self.made != before)

    def _bind(self, symbol: Tree, scope: Scope) -> Variable:
        if not isinstance(symbol, Symbol) or symbol.name in FORMS:
            raise self._wrong("expected a name to bind", symbol)
        scope.size += 1
        return Variable(scope, scope.size - 1)

    def _quoted(self, tree: Tree) -> Any:
        match tree:
            case Literal(value):
                return value
            case Symbol(name):
                return name
        try:
            items: List = list_of([self._quoted(item) for item in tree.items])
        except Verdict:
            told = f"a list holds {LIMITS['items']} items and weighs {LIMITS['weight']}"
            raise refused("E_LIMIT", told, self.source, tree.at) from None
        return items

    def _arity(self, name: str, least: int, most: int, found: int, tree: Tree) -> RoutineRefused:
        wanted = str(least) if least == most else f"{least} to {most}"
        return self._wrong(f"{name} takes {wanted} arguments, found {found}", tree)

    def _wrong(self, message: str, tree: Tree) -> RoutineRefused:
        return refused("E_FORM", message, self.source, tree.at)


def _is_function(tree: Tree) -> bool:
    match tree:
        case Form((Symbol("fn"), *_)):
            return True
    return False
