"""The gate's walk over modules, classes, functions and statements (LH 3.2).

What is not on the list is refused, with its line. `readings` is the whole gate.
"""

import ast
from collections.abc import Iterable

from holodesk.agent.purity_expression import Expressions
from holodesk.agent.purity_names import bound_in, parameters_of
from holodesk.agent.purity_shape import BASE, BASE_MODULE, class_findings, methods
from holodesk.agent.purity_tables import (
    BUILT_IN_ERRORS,
    HIDDEN_BUILT_INS,
    MODULE_REASONS,
    MODULES,
    STATEMENT_REASONS,
    STATEMENTS,
)
from holodesk.agent.purity_text import NOT_PYTHON, TOO_DEEP, text_findings


def readings(source: str) -> list[tuple[int, str]]:
    """Every (line, reason) against a source, in the order of its lines; empty when it passes."""
    found = text_findings(source)
    if found:
        return found
    try:
        tree = ast.parse(source)
    except SyntaxError as refusal:
        return [(refusal.lineno or 1, NOT_PYTHON)]
    except (ValueError, RecursionError, MemoryError):
        return [(1, TOO_DEEP)]
    walk = _Walk()
    walk.module(tree)
    shape = class_findings(tree)
    found = list(dict.fromkeys(walk.found + shape))
    return sorted(found, key=lambda pair: pair[0])


class _Walk(Expressions):
    """One walk over one file."""

    def __init__(self) -> None:
        super().__init__()
        self.loops = 0

    # ---- module and class -------------------------------------------------------------------

    def module(self, tree: ast.Module) -> None:
        self._collect(tree)
        for index, node in enumerate(tree.body):
            self.line = node.lineno
            if isinstance(node, ast.Import | ast.ImportFrom):
                continue
            if isinstance(node, ast.FunctionDef):
                self.function(node)
            elif isinstance(node, ast.ClassDef):
                self.class_body(node)
            elif not self._constant(node, index):
                self.say("module level holds imports, constants, functions and one class")

    def _collect(self, tree: ast.Module) -> None:
        """What the module level names, before anything is judged by it."""
        agents = 0
        for node in tree.body:
            self.line = node.lineno
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._import(alias)
            elif isinstance(node, ast.ImportFrom):
                agents += node.module == BASE_MODULE
                self._import_from(node, agents)
        for node in tree.body:
            self.line = node.lineno
            if isinstance(node, ast.ClassDef):
                if not self.agent:
                    self.agent = node.name
                    assigned = [
                        t for n in node.body if isinstance(n, ast.Assign) for t in n.targets
                    ]
                    names = {t.id for t in assigned if isinstance(t, ast.Name)}
                    self.own = frozenset(names | set(methods(node)) | {"name"}) - {"metadata"}
                self.bind(node.name)
            elif isinstance(node, ast.FunctionDef):
                self.globals.add(node.name)
                self.bind(node.name)
            elif isinstance(node, ast.Assign):
                for name in bound_in([node]):
                    self.globals.add(name)
                    self.bind(name)
        if not agents:
            self.say(f"expected from {BASE_MODULE} import {BASE}, found no such line", 1)

    def _import(self, alias: ast.alias) -> None:
        root = alias.name.split(".")[0]
        if alias.name in MODULES and alias.asname is None:
            self.modules.add(alias.name)
        elif alias.name in MODULES:
            self.say(f"import {alias.name}: an import keeps its name")
        elif root == "agents":
            self.say(f"write from {BASE_MODULE} import {BASE}")
        else:
            self._refuse_module(alias.name, root)

    def _import_from(self, node: ast.ImportFrom, agents: int) -> None:
        name = node.module or ""
        if node.level:
            self.say("an import names its module in full")
        elif name == BASE_MODULE:
            whole = [(alias.name, alias.asname) for alias in node.names] == [(BASE, None)]
            if not whole or agents > 1:
                self.say(f"write from {BASE_MODULE} import {BASE}, once and not renamed")
        elif name not in MODULES:
            self._refuse_module(name, name.split(".")[0])
        else:
            for alias in node.names:
                if alias.asname is not None:
                    self.say(f"import {alias.name}: an import keeps its name")
                elif alias.name not in MODULES[name]:
                    self.say(f"{name}.{alias.name}: not on the list of what a lens may use")
                elif alias.name in HIDDEN_BUILT_INS:
                    self.say(f"write {name}.{alias.name}, which hides no built-in")
                else:
                    self.globals.add(alias.name)

    def _refuse_module(self, name: str, root: str) -> None:
        reason = MODULE_REASONS.get(root)
        if reason is None:
            self.say(f"import {name}: not on the list of what a lens may use")
        else:
            self.say(f"import {name}: a lens must be pure; {reason}")

    def _inner_import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = [alias.name for alias in node.names]
        for name in names if isinstance(node, ast.Import) else [node.module or ""]:
            root = name.split(".")[0]
            if root in MODULE_REASONS:
                self._refuse_module(name, root)
        self.say("an import stands at module level")

    def _constant(self, node: ast.stmt, index: int) -> bool:
        """A docstring, or plain names set to a value that calls nothing of the file's own."""
        if isinstance(node, ast.Expr) and not index and isinstance(node.value, ast.Constant):
            return type(node.value.value) is str
        if not isinstance(node, ast.Assign):
            return False
        if not all(isinstance(target, ast.Name) for target in node.targets):
            return False
        self.loading = True
        self.expression(node.value)
        self.loading = False
        return True

    def class_body(self, node: ast.ClassDef) -> None:
        for index, inner in enumerate(node.body):
            self.line = inner.lineno
            if isinstance(inner, ast.FunctionDef):
                if inner.name != "__init__":
                    self.identifier(inner.name)
                    self.function(inner, is_method=True)
                self.class_names |= {inner.name}
            elif isinstance(inner, ast.Pass):
                continue
            elif self._constant(inner, index):
                for name in bound_in([inner]):
                    self.bind(name, hides=False)
                    self.class_names |= {name}
            else:
                self.say("a class body holds constants and methods")
        self.class_names = frozenset()

    # ---- functions --------------------------------------------------------------------------

    def function(self, node: ast.FunctionDef, *, is_method: bool = False) -> None:
        if node.decorator_list:
            self.say("a function takes no decorator")
        if getattr(node, "type_params", []):
            self.say("a function takes no type parameter")
        for note in [*(one.annotation for one in parameters_of(node.args)), node.returns]:
            self.optional(note)
        self.enter(node.args, bound_in(node.body), is_method=is_method)
        loops, self.loops = self.loops, 0
        self.statements(node.body)
        self.loops = loops
        self.leave()

    # ---- statements -------------------------------------------------------------------------

    def statements(self, body: Iterable[ast.stmt]) -> None:
        for node in body:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        kind = type(node).__name__
        self.line = node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._inner_import(node)
        elif kind not in STATEMENTS:
            self.say(f"{kind}: {STATEMENT_REASONS.get(kind, 'not on the list of statements')}")
        elif isinstance(node, ast.FunctionDef):
            self.bind(node.name)
            self.function(node)
        elif isinstance(node, ast.For | ast.While):
            self._loop(node)
        elif isinstance(node, ast.If):
            self._branches(node)
        elif isinstance(node, ast.Try):
            self._try(node)
        elif isinstance(node, ast.Break | ast.Continue):
            if not self.loops:
                self.say(f"{kind.lower()} stands in a loop")
        else:
            self._plain_statement(node)

    def _plain_statement(self, node: ast.stmt) -> None:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr) and not any(part is target for target in targets):
                self.expression(part)
        for target in targets:
            self.target(target)

    def _loop(self, node: ast.For | ast.While) -> None:
        if isinstance(node, ast.For):
            self.expression(node.iter)
            self.target(node.target)
        else:
            self.expression(node.test)
        self.loops += 1
        self.statements(node.body)
        self.loops -= 1
        self.statements(node.orelse)

    def _branches(self, node: ast.If) -> None:
        """An if with its elifs, one after the other, so that a long row is not a deep one."""
        while True:
            self.expression(node.test)
            self.statements(node.body)
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                node = node.orelse[0]
                self.line = node.lineno
                continue
            self.statements(node.orelse)
            return

    def _try(self, node: ast.Try) -> None:
        self.statements(node.body)
        for handler in node.handlers:
            self.line = handler.lineno
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            for kind in kinds:
                if not (isinstance(kind, ast.Name) and kind.id in BUILT_IN_ERRORS):
                    self.say(f"except names one of {', '.join(sorted(BUILT_IN_ERRORS))}")
                elif any(kind.id in scope for scope in self.scopes) or kind.id in self.globals:
                    self.say(f"{kind.id} keeps its meaning where except names it")
            if handler.name is not None:
                self.say("except ... as: error texts differ between versions")
            self.statements(handler.body)
        self.statements(node.orelse)
        self.statements(node.finalbody)
