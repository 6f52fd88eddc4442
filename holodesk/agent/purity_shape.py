"""The gate's look at the agent shape: one class, literal metadata, lawful methods (LH 3.2).

What a RAPP agent adds to a plain file is allowed here in its exact form, and nothing more.
"""

import ast
from typing import Final

BASE_MODULE: Final = "agents.basic_agent"
BASE: Final = "BasicAgent"
FIXED: Final = {"converged": ("self", "object"), "system_context": ("self",)}
"""Methods whose parameters are given; `perform` takes the fields of the schema."""
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
_INIT: Final = "__init__ may only set self.name, self.metadata and call super().__init__ with both"


def agent_class(tree: ast.Module) -> ast.ClassDef | None:
    """The first class that names BasicAgent as a base."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(base, ast.Name) and base.id == BASE for base in node.bases
        ):
            return node
    return None


def methods(agent: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The functions of the class body, by name."""
    return {node.name: node for node in agent.body if isinstance(node, ast.FunctionDef)}


def _set_in_body(agent: ast.ClassDef, name: str) -> list[ast.expr]:
    return [
        node.value
        for node in agent.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def _set_in_init(agent: ast.ClassDef, name: str) -> list[ast.expr]:
    init = methods(agent).get("__init__")
    if init is None:
        return []
    return [
        node.value
        for node in init.body
        if isinstance(node, ast.Assign) and any(is_own(target, name) for target in node.targets)
    ]


def is_own(node: ast.expr, name: str) -> bool:
    """Whether this expression is `self.<name>`."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def is_literal(node: ast.expr) -> bool:
    """Whether `ast.literal_eval` reads it as JSON-like data: no set, no arithmetic, no octets."""
    if isinstance(node, ast.Constant):
        return node.value is None or type(node.value) in (bool, int, float, str)
    if isinstance(node, ast.UnaryOp):
        return (
            isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
            and type(node.operand.value) in (int, float)
        )
    if isinstance(node, ast.List):
        return all(is_literal(item) for item in node.elts)
    if isinstance(node, ast.Dict):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
        return (
            all(type(key) is str for key in keys)
            and len(set(keys)) == len(keys)
            and all(is_literal(value) for value in node.values)
        )
    return False


def surface_literal(agent: ast.ClassDef) -> ast.Dict | None:
    """The one literal dict that is the file's metadata, or None."""
    values = _set_in_body(agent, "metadata") + _set_in_init(agent, "metadata")
    if len(values) == 1 and isinstance(values[0], ast.Dict) and is_literal(values[0]):
        return values[0]
    return None


def name_of(agent: ast.ClassDef) -> str | None:
    """The one literal name of the class, or None."""
    values = _set_in_body(agent, "name") + _set_in_init(agent, "name")
    if len(values) == 1 and isinstance(values[0], ast.Constant):
        return values[0].value if type(values[0].value) is str else None
    return None


def _fields_of(agent: ast.ClassDef) -> frozenset[str] | None:
    """The names in the schema's properties; None when they cannot be known."""
    literal = surface_literal(agent)
    if literal is None:
        return None
    block = ast.literal_eval(literal).get("parameters")
    properties = block.get("properties", {}) if isinstance(block, dict) else {}
    return frozenset(properties) if isinstance(properties, dict) else frozenset()


def class_findings(tree: ast.Module) -> list[tuple[int, str]]:
    """Every (line, reason) that the shape of the classes gives."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    if not classes:
        return [(1, f"expected one class derived from {BASE}, found none")]
    found = [(node.lineno, "a file holds one class") for node in classes[1:]]
    agent = classes[0]
    line = agent.lineno
    if [base.id if isinstance(base, ast.Name) else "" for base in agent.bases] != [BASE]:
        found.append((line, f"expected {BASE} as the one base of the class"))
    if agent.keywords:
        found.append((line, "a class takes no keyword and no metaclass"))
    if agent.decorator_list:
        found.append((line, "a class takes no decorator"))
    if getattr(agent, "type_params", []):
        found.append((line, "a class takes no type parameter"))
    if surface_literal(agent) is None:
        found.append((line, "expected metadata once, as a literal dict"))
    if name_of(agent) is None:
        found.append((line, "expected name once, as a literal string"))
    return found + _method_findings(agent)


def _method_findings(agent: ast.ClassDef) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    defined = methods(agent)
    names = [node.name for node in agent.body if isinstance(node, ast.FunctionDef)]
    found += [
        (defined[name].lineno, f"{name} is defined more than once")
        for name in sorted(defined)
        if names.count(name) > 1
    ]
    assigned = {
        target.id
        for node in agent.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found += [
        (agent.lineno, f"{name} is an ordinary method, never a value")
        for name in sorted(assigned & {"perform", *FIXED, "context"})
    ]
    found += [
        (defined[name].lineno, f"{name} is a value, never a method")
        for name in sorted(set(defined) & {"context", "metadata", "name"})
    ]
    called = {node.name for node in agent.body if isinstance(node, _FUNCTION)}
    if not called & {"perform", "system_context"}:
        found.append((agent.lineno, "expected a method perform or system_context, found neither"))
    for name, node in defined.items():
        found += _signature_findings(name, node, agent)
    return found


def _signature_findings(
    name: str, node: ast.FunctionDef, agent: ast.ClassDef
) -> list[tuple[int, str]]:
    arguments = node.args
    given = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    if name == "__init__":
        return _constructor_findings(node)
    if not given or given[0] != "self":
        return [(node.lineno, f"expected self as the first parameter of {name}")]
    plain = not (arguments.posonlyargs or arguments.vararg or arguments.defaults)
    if name in FIXED:
        lawful = plain and not (arguments.kwonlyargs or arguments.kwarg)
        if not lawful or tuple(given) != FIXED[name]:
            return [(node.lineno, f"expected {name}({', '.join(FIXED[name])})")]
    if name == "perform":
        if arguments.posonlyargs or arguments.vararg:
            return [(node.lineno, "perform takes keyword parameters only")]
        fields = _fields_of(agent)
        taken = given[1:] + [argument.arg for argument in arguments.kwonlyargs]
        if fields is not None:
            return [
                (node.lineno, f"perform takes {one}, which the schema does not name")
                for one in taken
                if one not in fields
            ]
    return []


def _constructor_findings(node: ast.FunctionDef) -> list[tuple[int, str]]:
    arguments = node.args
    given = [argument.arg for argument in arguments.args]
    extra = arguments.posonlyargs or arguments.vararg or arguments.kwonlyargs or arguments.kwarg
    if given != ["self"] or extra or arguments.defaults:
        return [(node.lineno, "expected __init__(self)")]
    found = []
    calls = 0
    for statement in node.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target, value = statement.targets[0], statement.value
            if any(is_own(target, name) for name in ("name", "metadata")) and is_literal(value):
                continue
        elif isinstance(statement, ast.Expr) and _is_super_call(statement.value):
            calls += 1
            if calls == 1:
                continue
        found.append((statement.lineno, _INIT))
    return found


def _is_super_call(node: ast.expr) -> bool:
    """Whether it is `super().__init__(name=self.name, metadata=self.metadata)`, exactly."""
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "__init__"
        and isinstance(node.func.value, ast.Call)
    ):
        return False
    parent = node.func.value
    return (
        isinstance(parent.func, ast.Name)
        and parent.func.id == "super"
        and not (parent.args or parent.keywords or node.args)
        and [keyword.arg for keyword in node.keywords] == ["name", "metadata"]
        and all(is_own(keyword.value, keyword.arg or "") for keyword in node.keywords)
    )
