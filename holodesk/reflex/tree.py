"""A routine as a tree, the shape that the reader gives and the printer takes (LH 3.6; RL-1)."""

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name. `at` is where it stands in the source, in characters; two places are equal."""

    name: str
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant: nil (None), true, false, a number or a text."""

    value: bool | float | str | None
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Form:
    """What stands between two parentheses."""

    items: "tuple[Tree, ...]"
    at: int = field(default=0, compare=False)


Tree: TypeAlias = Symbol | Literal | Form
Grown: TypeAlias = "Tree | bool | float | str | None"


def call(head: str, *arguments: Grown) -> Form:
    """The form `(head arguments…)`; a bare value stands for its literal, never for a name."""
    return Form((Symbol(head), *map(_tree, arguments)))


def let(bindings: "tuple[tuple[str, Grown], ...]", *body: Grown) -> Form:
    """The form `(let (name value …) body…)`."""
    flat: list[Tree] = []
    for name, value in bindings:
        flat += [Symbol(name), _tree(value)]
    return Form((Symbol("let"), Form(tuple(flat)), *map(_tree, body)))


def _tree(value: Grown) -> Tree:
    if isinstance(value, Symbol | Literal | Form):
        return value
    if value is None or isinstance(value, bool | str):
        return Literal(value)
    return Literal(float(value))
