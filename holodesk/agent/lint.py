"""Advice on a surface that could be offered and could be better (TC 2.1, decisions 2).

A description is what steers a caller: it says when to use the lens and what is lost if it is not
used. A field says its bounds, because a caller that may give anything will.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

from holodesk.agent.purity_shape import agent_class, methods, surface_literal
from holodesk.agent.source import AgentSource
from holodesk.agent.surface import Finding, line_of
from holodesk.rapp.canonical import Json

_SHORT: Final = 40
_SELF_LENS: Final = "self_lens.py"
"""Named by the genesis frame, never offered from a folder."""
_WHEN: Final = re.compile(
    r"\b(when|whenever|once|after|before|if|while|until|each time|every time|as soon as"
    r"|use (it|this)|call (it|this)|must)\b",
    re.IGNORECASE,
)
_LOSS: Final = re.compile(
    r"\b(otherwise|lost|lose|loses|without|unless|skipped|not (called|used|done)|forget|forgets"
    r"|forgotten|or else|never|missing|nothing (changes|happens|moves)|stays?|gone)\b",
    re.IGNORECASE,
)


def advice(agent: AgentSource) -> list[Finding]:
    """What would make an agent file better, by line; empty when there is nothing to say."""
    tree = agent_class(ast.parse(agent.source))
    literal = surface_literal(tree) if tree is not None else None
    if tree is None or literal is None:
        return []
    found = [*_file(agent), *_description(agent, literal)]
    found += _fields(agent.surface.parameters, literal, ["parameters"])
    found += _parameters(agent, tree)
    return sorted(found, key=lambda one: one.line)


def _file(agent: AgentSource) -> Iterator[Finding]:
    if agent.file not in (None, _SELF_LENS) and not str(agent.file).endswith("_agent.py"):
        yield Finding(1, f"only files named *_agent.py are offered, this is {agent.file}")


def _description(agent: AgentSource, literal: ast.Dict) -> Iterator[Finding]:
    line = line_of(literal, ["description"])
    text = agent.surface.description
    if len(text) < _SHORT:
        yield Finding(line, f"the description has only {len(text)} characters")
    if not _WHEN.search(text):
        yield Finding(line, "the description does not say when to use it")
    if not _LOSS.search(text):
        yield Finding(line, "the description does not say what is lost if it is not used")


def _fields(block: dict[str, Json], literal: ast.Dict, path: list[str]) -> Iterator[Finding]:
    named = block.get("properties")
    for name, field in (named if isinstance(named, dict) else {}).items():
        if isinstance(field, dict):
            at = [*path, "properties", name]
            line = line_of(literal, at)
            if str(field.get("description", "")).strip().lower() == name.lower():
                yield Finding(line, f"{name}: the description only repeats the name")
            for what in _unbounded(field):
                yield Finding(line, f"{name}: {what}")
            yield from _fields(field, literal, at)


def _unbounded(field: dict[str, Json]) -> Iterator[str]:
    """Where a value could be anything of its type."""
    kinds = field.get("type")
    names = kinds if isinstance(kinds, list) else [kinds]
    if "enum" in field or "const" in field:
        return
    if kinds is None:
        yield "no type and no enum, so anything may be given"
    if "string" in names and "maxLength" not in field:
        yield "a text without enum or maxLength"
    if "integer" in names or "number" in names:
        for side in ("minimum", "maximum"):
            if side not in field and "exclusive" + side.capitalize() not in field:
                yield f"a number without enum or {side}"
    if "array" in names:
        if "maxItems" not in field:
            yield "a list without maxItems"
        items = field.get("items")
        if not isinstance(items, dict):
            yield "a list that does not say what its items are"
        else:
            yield from (f"each item: {what}" for what in _unbounded(items))


def _parameters(agent: AgentSource, tree: ast.ClassDef) -> Iterator[Finding]:
    """Where `perform` and the schema do not meet."""
    perform = methods(tree).get("perform")
    if perform is None:
        return
    arguments = perform.args
    plain = [one.arg for one in arguments.args[1:]]
    optional = set(plain[len(plain) - len(arguments.defaults) :] if arguments.defaults else [])
    for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        plain.append(one.arg)
        optional |= {one.arg} if default is not None else set()
    named = agent.surface.parameters.get("properties")
    required = agent.surface.parameters.get("required")
    needed = required if isinstance(required, list) else []
    for name in plain:
        if name not in optional and name not in needed:
            yield Finding(
                perform.lineno, f"perform needs {name}, which the schema does not require"
            )
    if arguments.kwarg is None:
        for name in named if isinstance(named, dict) else {}:
            if name not in plain:
                yield Finding(
                    perform.lineno, f"perform does not take {name}, a field of the schema"
                )
