"""What a caller sees of an agent file, read without running it (LH 3.2, TC 2.1).

A surface is literal: a name, a description and a parameters block in which every field is
described. A file that leaves any of it out, or computes it, is refused with the line.
"""

import ast
import re
from dataclasses import dataclass
from typing import Final

from holodesk.agent.purity_shape import agent_class, methods, name_of, surface_literal
from holodesk.agent.schema import schema_problems
from holodesk.errors import Place, SurfaceIncomplete
from holodesk.rapp.canonical import Json

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""A tool name, as function-calling callers take it."""
_RULE: Final = "TC 2.1"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a line of an agent file."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Surface:
    """All that a caller sees of an agent file, and which methods the file defines."""

    name: str
    description: str
    parameters: dict[str, Json]
    converges: bool
    reads: bool
    performs: bool = True


def read_surface(source: str, file: str | None = None) -> Surface:
    """The surface of a source that has passed the gate.

    Raises:
        SurfaceIncomplete: something that a caller needs is missing, empty or not literal.
    """
    tree = ast.parse(source)
    agent = agent_class(tree)
    if agent is None:
        raise SurfaceIncomplete(
            _RULE, "expected one class derived from BasicAgent, found none", Place(file=file)
        )
    literal = surface_literal(agent)
    if literal is None:
        raise SurfaceIncomplete(
            _RULE,
            "expected a literal metadata dict, found none",
            Place(file=file, line=agent.lineno),
        )
    found = _first_gap(literal, name_of(agent))
    if found is not None:
        raise SurfaceIncomplete(_RULE, found.reason, Place(file=file, line=found.line))
    metadata = ast.literal_eval(literal)
    defined = methods(agent)
    return Surface(
        name=metadata["name"],
        description=metadata["description"],
        parameters=metadata["parameters"],
        converges="converged" in defined,
        reads="system_context" in defined,
        performs="perform" in defined,
    )


def _first_gap(literal: ast.Dict, own_name: str | None) -> Finding | None:
    metadata = ast.literal_eval(literal)
    for member in ("name", "description"):
        text = metadata.get(member)
        if not isinstance(text, str) or not text.strip():
            return Finding(
                line_of(literal, [member]), f"expected a {member} in metadata, found {text!r}"
            )
    if not NAME.fullmatch(metadata["name"]):
        return Finding(
            line_of(literal, ["name"]),
            f"expected a name of letters, digits, _ and - (1 to 64), found {metadata['name']!r}",
        )
    if own_name != metadata["name"]:
        return Finding(
            line_of(literal, ["name"]),
            f"expected one name, found {own_name!r} and in metadata {metadata['name']!r}",
        )
    if "parameters" not in metadata:
        return Finding(literal.lineno, "expected parameters in metadata, found none")
    for problem in schema_problems(metadata["parameters"]):
        path = ["parameters", *_steps(problem.path)]
        at = f"parameters.{problem.path}" if problem.path else "parameters"
        return Finding(line_of(literal, path), f"{at}: {problem.message}")
    return None


def _steps(path: str) -> list[str]:
    return [step for step in re.split(r"\.|\[", path) if step]


def line_of(literal: ast.Dict, path: list[str]) -> int:
    """The line of the deepest key on a path that the literal really has."""
    line = literal.lineno
    node: ast.expr | None = literal
    for step in path:
        if not isinstance(node, ast.Dict):
            break
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == step:
                line, node = key.lineno, value
                break
        else:
            break
    return line
