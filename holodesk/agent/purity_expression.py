"""The gate's reading of names and expressions: values in, values out, nothing else (LH 3.2).

The reading knows scopes, because a name that a file merely *assigns somewhere* must not open a
built-in elsewhere: inside a function a local name hides the built-in for the whole function; at
module and class level it does not, so there a file may not take the name of one that is refused.
"""

import ast

from holodesk.agent.purity_names import bound_in_comprehension, parameters_of, plain_name
from holodesk.agent.purity_shape import BASE, is_own
from holodesk.agent.purity_tables import (
    ATTRIBUTE_REASONS,
    BUILT_INS,
    CONTEXT,
    EXPRESSION_REASONS,
    EXPRESSIONS,
    HIDDEN_BUILT_INS,
    MAX_EXACT,
    METHODS,
    MODULES,
    NAME_REASONS,
)

_Comprehension = ast.ListComp | ast.DictComp | ast.GeneratorExp


class Expressions:
    """What one file's expressions may say, given the names that its module level binds."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []
        self.modules: set[str] = set()
        self.globals: set[str] = set()
        self.scopes: list[frozenset[str]] = []
        self.own: frozenset[str] = frozenset()
        self.class_names: frozenset[str] = frozenset()
        self.agent = ""
        self.loading = False
        self.line = 1
        self.text_line = 0

    def say(self, reason: str, line: int = 0) -> None:
        """One more thing against the file, at the line that is being read."""
        self.found.append((self.text_line or line or self.line, reason))

    # ---- names ------------------------------------------------------------------------------

    def identifier(self, name: str) -> None:
        if not plain_name(name):
            self.say(f"{name}: a name is plain ASCII and does not begin with an underscore")

    def bind(self, name: str, *, hides: bool = True) -> None:
        """A name gets a value: at module level (`hides`) it may not hide a refused built-in."""
        self.identifier(name)
        if name in self.modules or name in (BASE, "self", "super"):
            self.say(f"{name} keeps its meaning and is never set")
        elif hides and not self.scopes and name in HIDDEN_BUILT_INS:
            self.say(f"{name}: at module level a name may not hide this built-in")

    def name(self, node: ast.Name) -> None:
        name = node.id
        self.identifier(name)
        if name == "self":
            self.say("self may only be used as self.<name>")
        elif name == BASE:
            self.say(f"{BASE} is the base of the class and nothing else")
        elif name in self.modules:
            self.say(f"{name} may only be used as {name}.<name>")
        elif any(name in scope for scope in self.scopes) or name in self.globals:
            return
        elif not self.scopes and name in self.class_names:
            # Only the class body itself sees these; a function in it would see the built-in.
            return
        elif name not in BUILT_INS and plain_name(name):
            reason = NAME_REASONS.get(name, "not a name that this file sets or a lens may use")
            self.say(f"{name}: {reason}")

    def attribute(self, node: ast.Attribute) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.say(f"{node.attr}: an attribute is read, never set or taken away")
            self._inside(node.value)
            return
        value = node.value
        self.identifier(node.attr)
        if is_own(value, "context"):
            if node.attr not in CONTEXT:
                self.say(f"self.context offers {', '.join(sorted(CONTEXT))} and nothing else")
        elif isinstance(value, ast.Name) and value.id in ("self", self.agent):
            if node.attr not in self.own:
                reason = ATTRIBUTE_REASONS.get(node.attr, "not a name that this file defines")
                self.say(f"{value.id}.{node.attr}: {reason}")
        elif isinstance(value, ast.Name) and value.id in self.modules:
            if node.attr not in MODULES[value.id]:
                self.say(f"{value.id}.{node.attr}: not on the list of what a lens may use")
        else:
            if node.attr not in METHODS and plain_name(node.attr):
                reason = ATTRIBUTE_REASONS.get(node.attr, "not on the list of methods")
                self.say(f"{node.attr}: {reason}")
            self.expression(value)

    def _inside(self, value: ast.expr) -> None:
        if not isinstance(value, ast.Name):
            self.expression(value)

    # ---- scopes -----------------------------------------------------------------------------

    def enter(self, arguments: ast.arguments, names: frozenset[str], *, is_method: bool) -> None:
        """Into a function: its defaults are read outside, its parameters bound inside."""
        every = parameters_of(arguments)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            self._default(default)
        self.scopes.append(names | {one.arg for one in every})
        for index, one in enumerate(every):
            if not (index == 0 and is_method and one.arg == "self"):
                self.bind(one.arg)

    def leave(self) -> None:
        """Out of the function or comprehension."""
        self.scopes.pop()

    def _default(self, node: ast.expr | None) -> None:
        inner = node.operand if isinstance(node, ast.UnaryOp) else node
        if inner is not None and not isinstance(inner, ast.Constant):
            self.say("a default is a constant; a list or dict would keep state between calls")
        self.optional(inner)

    def target(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            self.bind(node.id)
        elif isinstance(node, ast.Tuple | ast.List):
            for item in node.elts:
                self.target(item)
        elif isinstance(node, ast.Starred):
            self.target(node.value)
        elif isinstance(node, ast.Attribute):
            self.attribute(node)
        elif isinstance(node, ast.Subscript):
            self.expression(node.value)
            self.expression(node.slice)
        else:
            self.say("not a target of an assignment")

    # ---- expressions ------------------------------------------------------------------------

    def optional(self, node: ast.expr | None) -> None:
        if node is not None:
            self.expression(node)

    def expression(self, node: ast.expr, *, spread: bool = False) -> None:
        kind = type(node).__name__
        self.line = node.lineno
        if kind not in EXPRESSIONS:
            self.say(f"{kind}: {EXPRESSION_REASONS.get(kind, 'not on the list of expressions')}")
        elif isinstance(node, ast.Name):
            self.name(node)
        elif isinstance(node, ast.Attribute):
            self.attribute(node)
        elif isinstance(node, ast.Constant):
            self._value(node)
        elif isinstance(node, ast.JoinedStr):
            self._joined(node)
        elif isinstance(node, ast.Lambda):
            self.enter(node.args, frozenset(), is_method=False)
            loading, self.loading = self.loading, False
            self.expression(node.body)
            self.loading = loading
            self.leave()
        elif isinstance(node, ast.ListComp | ast.DictComp | ast.GeneratorExp):
            self._comprehension(node)
        elif isinstance(node, ast.NamedExpr):
            self.target(node.target)
            self.expression(node.value)
        elif isinstance(node, ast.Starred):
            if not spread:
                self.say("a star stands in a call, a list or a tuple")
            self.expression(node.value)
        elif isinstance(node, ast.Call):
            self._call(node)
        else:
            self._plain(node)

    def _plain(self, node: ast.expr) -> None:
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Mod)
            and (
                isinstance(node.left, ast.JoinedStr)
                or (isinstance(node.left, ast.Constant) and type(node.left.value) is str)
            )
        ):
            self.say("% on a text: write an f-string")
        spread = isinstance(node, ast.List | ast.Tuple)
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.expression(part, spread=spread)

    def _call(self, node: ast.Call) -> None:
        called = node.func
        if self.loading and not (
            (isinstance(called, ast.Name) and called.id in BUILT_INS)
            or (isinstance(called, ast.Attribute) and not isinstance(called.value, ast.Call))
        ):
            self.say("a constant calls nothing but built-ins and methods")
        self.expression(called)
        for argument in node.args:
            self.expression(argument, spread=True)
        for keyword in node.keywords:
            if keyword.arg is not None:
                self.identifier(keyword.arg)
            self.expression(keyword.value)

    def _comprehension(self, node: _Comprehension) -> None:
        self.expression(node.generators[0].iter)
        self.scopes.append(bound_in_comprehension(node))
        for index, part in enumerate(node.generators):
            if part.is_async:
                self.say("a lens does not wait")
            if index:
                self.expression(part.iter)
            self.target(part.target)
            for test in part.ifs:
                self.expression(test)
        if isinstance(node, ast.DictComp):
            self.expression(node.key)
            self.expression(node.value)
        else:
            self.expression(node.elt)
        self.scopes.pop()

    def _value(self, node: ast.Constant) -> None:
        value = node.value
        if value is None or isinstance(value, bool | str):
            return
        if isinstance(value, int):
            if abs(value) > MAX_EXACT:
                self.say("a whole number beyond 2**53 is not exact in JSON")
        elif isinstance(value, float):
            if value in (float("inf"), float("-inf")):
                self.say("a number too large for JSON")
        else:
            self.say(f"{type(value).__name__}: a lens works on JSON data")

    def _joined(self, node: ast.JoinedStr) -> None:
        """Everything inside is told at the line of the whole text, as versions differ inside it."""
        outer, self.text_line = self.text_line, self.text_line or node.lineno
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.expression(part.value)
                self._format(part.format_spec)
        self.text_line = outer

    def _format(self, node: ast.expr | None) -> None:
        if node is None:
            return
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        texts = [part.value for part in parts if isinstance(part, ast.Constant)]
        spec = "".join(text for text in texts if isinstance(text, str))
        if len(texts) != len(parts):
            self.say("an f-string's format is a constant")
        elif len(spec) > 8:
            self.say("an f-string's format has at most 8 characters")
        elif "n" in spec:
            self.say("the format n differs between places")
        elif any(spec[at : at + 3].isdigit() for at in range(len(spec) - 2)):
            self.say("an f-string's format holds no number of more than 2 digits")
