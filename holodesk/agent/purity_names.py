"""Which names a function, a comprehension or a module binds, by Python's own scoping (LH 3.2)."""

import ast
import re
from collections.abc import Iterable
from typing import Final

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OWN_SCOPE = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def plain_name(name: str) -> bool:
    """Whether a name is ASCII and does not begin with an underscore."""
    return _PLAIN.fullmatch(name) is not None


def parameters_of(arguments: ast.arguments) -> list[ast.arg]:
    """Every parameter, in the order in which it is written."""
    plain = arguments.posonlyargs + arguments.args
    rest = [arguments.vararg] if arguments.vararg else []
    last = [arguments.kwarg] if arguments.kwarg else []
    return plain + rest + arguments.kwonlyargs + last


def bound_in(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that statements bind in their own scope, walrus in a comprehension included."""
    names: set[str] = set()
    waiting: list[tuple[ast.AST, bool]] = [(node, False) for node in body]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        if isinstance(node, ast.Lambda):
            continue
        if isinstance(node, ast.NamedExpr) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and not inside:
            names.add(node.id)
        inside = inside or isinstance(node, _COMPREHENSION)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return frozenset(names)


def bound_in_comprehension(
    node: ast.ListComp | ast.DictComp | ast.GeneratorExp,
) -> frozenset[str]:
    """The names that the `for` parts of a comprehension bind."""
    return frozenset(
        part.id
        for generator in node.generators
        for part in ast.walk(generator.target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )
