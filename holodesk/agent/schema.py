"""A choice is checked against a parameters block, the same on every machine (LH 3.4).

The block is a subset of JSON Schema without anything whose answer depends on the machine: no
`pattern` (its engine may differ, and some patterns never end), no `$ref` (it may reach outside).
Numbers compare as JSON does: 3.0 is an integer and equals 3, and true is not a number. Lengths are
counted in code points.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from holodesk.agent.values import (
    TYPES,
    is_distinct,
    is_integer,
    is_number,
    key,
    same,
    shown,
    type_of,
)
from holodesk.rapp.canonical import Json

MAX_SCHEMA_DEPTH: Final = 16
Schema = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where: "" is the whole value, "buttons[1]" a part of it."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


def problems(schema: Schema, value: Json) -> list[Problem]:
    """Every problem of a choice, in a fixed order; at the top only named members are allowed."""
    return list(_problems({"additionalProperties": False, **schema}, value, ""))


def _problems(schema: Schema, value: Json, path: str) -> Iterator[Problem]:
    expected = schema.get("type")
    if expected is not None:
        names = expected if isinstance(expected, list) else [expected]
        if not any(TYPES[str(name)](value) for name in names):
            wanted = " or ".join(str(name) for name in names)
            yield Problem(path, f"expected {wanted}, found {_found(value)}")
            return
    for keyword, check in _CHECKS:
        if keyword in schema:
            message = check(schema[keyword], value)
            if message is not None:
                yield Problem(path, message)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for index, item in enumerate(value):
            yield from _problems(_block(schema["items"]), item, f"{path}[{index}]")
    if isinstance(value, dict):
        yield from _member_problems(schema, value, path)


def _member_problems(schema: Schema, value: dict[str, Json], path: str) -> Iterator[Problem]:
    named = _block(schema.get("properties", {}))
    required = schema.get("required", [])
    for name in sorted(str(one) for one in required) if isinstance(required, list) else []:
        if name not in value:
            yield Problem(_member(path, name), "expected a value, found none")
    others = schema.get("additionalProperties", True)
    for name in sorted(value):
        at = _member(path, name)
        if name in named:
            yield from _problems(_block(named[name]), value[name], at)
        elif isinstance(others, dict):
            yield from _problems(others, value[name], at)
        elif others is False:
            known = ", ".join(sorted(named)) or "no member"
            yield Problem(at, f"expected {known}; found a member that the schema does not name")


def _block(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _found(value: Json) -> str:
    kind = type_of(value)
    return kind if kind in ("object", "array", "null") else f"{kind} {shown(value)}"


def _enum(bound: Json, value: Json) -> str | None:
    choices = bound if isinstance(bound, list) else []
    if any(same(choice, value) for choice in choices):
        return None
    return f"expected one of {', '.join(shown(c) for c in choices)}; found {shown(value)}"


def _const(bound: Json, value: Json) -> str | None:
    return None if same(bound, value) else f"expected {shown(bound)}, found {shown(value)}"


def _number(words: str, holds: Callable[[Fraction, Fraction], bool]) -> "_Check":
    def check(bound: Json, value: Json) -> str | None:
        if not is_number(value) or holds(_exact(value), _exact(bound)):
            return None
        return f"expected {words} {shown(bound)}, found {shown(value)}"

    return check


def _exact(value: Json) -> Fraction:
    """A number as its shortest decimal text says it, so that 0.3 is a multiple of 0.1."""
    return Fraction(repr(value)) if isinstance(value, int | float) else Fraction(0)


def _length(
    words: str, kind: type[str] | type[list[Json]], unit: str, holds: Callable[[int, int], bool]
) -> "_Check":
    def check(bound: Json, value: Json) -> str | None:
        if not isinstance(value, kind) or not isinstance(bound, int | float):
            return None
        if holds(len(value), int(bound)):
            return None
        plural = unit if bound == 1 else unit + "s"
        return f"expected {words} {int(bound)} {plural}, found {len(value)}"

    return check


def _unique(bound: Json, value: Json) -> str | None:
    if bound is not True or not isinstance(value, list):
        return None
    seen = set()
    for index, item in enumerate(value):
        if key(item) in seen:
            return f"expected no item twice, found {shown(item)} again at {index}"
        seen.add(key(item))
    return None


_Check = Callable[[Json, Json], str | None]
_CHECKS: Final[tuple[tuple[str, _Check], ...]] = (
    ("enum", _enum),
    ("const", _const),
    ("minimum", _number("at least", lambda value, bound: value >= bound)),
    ("exclusiveMinimum", _number("more than", lambda value, bound: value > bound)),
    ("maximum", _number("at most", lambda value, bound: value <= bound)),
    ("exclusiveMaximum", _number("less than", lambda value, bound: value < bound)),
    ("multipleOf", _number("a multiple of", lambda value, bound: value % bound == 0)),
    ("minLength", _length("at least", str, "character", lambda found, bound: found >= bound)),
    ("maxLength", _length("at most", str, "character", lambda found, bound: found <= bound)),
    ("minItems", _length("at least", list, "item", lambda found, bound: found >= bound)),
    ("maxItems", _length("at most", list, "item", lambda found, bound: found <= bound)),
    ("uniqueItems", _unique),
)


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _is_described(value: Json) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_count(value: Json) -> bool:
    return is_integer(value) and isinstance(value, int | float) and value >= 0


def _is_positive(value: Json) -> bool:
    return is_number(value) and isinstance(value, int | float) and value > 0


def _is_names(value: Json) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(name, str) for name in value)
        and is_distinct(value)
    )


def _is_choices(value: Json) -> bool:
    return isinstance(value, list) and bool(value) and is_distinct(value)


def _is_type(value: Json) -> bool:
    names: Json = value if isinstance(value, list) else [value]
    return (
        isinstance(names, list)
        and bool(names)
        and _is_names(names)
        and set(map(str, names)) <= set(TYPES)
    )


def _is_block(value: Json) -> bool:
    return isinstance(value, dict)


def _is_bool(value: Json) -> bool:
    return isinstance(value, bool)


_KEYWORDS: Final[Mapping[str, tuple[str, Callable[[Json], bool]]]] = {
    "type": (f"one or more of {', '.join(TYPES)}", _is_type),
    "description": ("a text", _is_described),
    "title": ("a text", _is_text),
    "enum": ("a list of different values, at least one", _is_choices),
    "const": ("a value", lambda _: True),
    "default": ("a value", lambda _: True),
    "examples": ("a list", lambda value: isinstance(value, list)),
    "minimum": ("a number", is_number),
    "maximum": ("a number", is_number),
    "exclusiveMinimum": ("a number", is_number),
    "exclusiveMaximum": ("a number", is_number),
    "multipleOf": ("a number over 0", _is_positive),
    "minLength": ("a whole number from 0", _is_count),
    "maxLength": ("a whole number from 0", _is_count),
    "minItems": ("a whole number from 0", _is_count),
    "maxItems": ("a whole number from 0", _is_count),
    "uniqueItems": ("true or false", _is_bool),
    "items": ("an object", _is_block),
    "properties": ("an object", _is_block),
    "required": ("a list of different names", _is_names),
    "additionalProperties": ("true, false or an object", lambda v: _is_bool(v) or _is_block(v)),
    "x-rest": ("a value", lambda _: True),
    "x-observes": ("a list of different names", _is_names),
}
_REASONS: Final[Mapping[str, str]] = {
    "pattern": "patterns are not the same on every machine, and some never end; use enum",
    "patternProperties": "patterns are not the same on every machine, and some never end",
    "format": "formats are not the same on every machine; use enum or say it in the description",
    "$ref": "a reference may reach outside the file; write the block out",
    "$defs": "a reference may reach outside the file; write the block out",
    "definitions": "a reference may reach outside the file; write the block out",
    "anyOf": "a choice between blocks cannot be drawn as one form; use enum or a list of types",
    "oneOf": "a choice between blocks cannot be drawn as one form; use enum or a list of types",
    "allOf": "a sum of blocks cannot be drawn as one form; write the block out",
    "not": "what is not meant cannot be drawn as a form; say what is",
}
_BOUNDS: Final = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
_EXAMPLES: Final = ("const", "default", "x-rest")


def schema_problems(schema: Json) -> list[Problem]:
    """Why a parameters block may not be offered, in a fixed order; empty when it is lawful.

    Its root is an object; every named field at any depth is described; only known keywords stand in
    it; bounds leave something to choose; defaults and resting values fit their own field.
    """
    if not isinstance(schema, dict):
        return [Problem("", f"expected an object, found {type_of(schema)}")]
    found = list(_block_problems(schema, "", 1))
    if schema.get("type") != "object":
        found.insert(0, Problem("", f'expected type "object", found {shown(schema.get("type"))}'))
    return found or list(_example_problems(schema, ""))


def _block_problems(schema: dict[str, Json], path: str, depth: int) -> Iterator[Problem]:
    if depth > MAX_SCHEMA_DEPTH:
        yield Problem(path, f"expected at most {MAX_SCHEMA_DEPTH} levels, found more")
        return
    whole = True
    for keyword in sorted(schema):
        at = _member(path, keyword)
        if keyword not in _KEYWORDS:
            reason = _REASONS.get(keyword, "not a keyword that every machine reads the same")
            yield Problem(at, f"expected a known keyword, found {keyword}: {reason}")
            continue
        words, holds = _KEYWORDS[keyword]
        if not holds(schema[keyword]):
            whole = False
            yield Problem(at, f"expected {words}, found {shown(schema[keyword])}")
    if whole:
        yield from _sense_problems(schema, path)
    named = _block(schema.get("properties"))
    for name in sorted(named):
        yield from _field_problems(named[name], _member(path, f"properties.{name}"), depth)
    for keyword in ("items", "additionalProperties"):
        inner = schema.get(keyword)
        if isinstance(inner, dict):
            yield from _block_problems(inner, _member(path, keyword), depth + 1)


def _field_problems(field: Json, path: str, depth: int) -> Iterator[Problem]:
    if not isinstance(field, dict):
        yield Problem(path, f"expected an object, found {type_of(field)}")
        return
    if "description" not in field:
        yield Problem(path, "expected a description, found none")
    yield from _block_problems(field, path, depth + 1)


def _sense_problems(schema: dict[str, Json], path: str) -> Iterator[Problem]:
    """Keywords that are each lawful and make no sense together."""
    for low, high in _BOUNDS:
        if low in schema and high in schema and _exact(schema[low]) > _exact(schema[high]):
            message = f"expected {low} up to {high}, found {schema[low]} and {schema[high]}"
            yield Problem(_member(path, low), message)
    named = _block(schema.get("properties"))
    required = schema.get("required")
    for name in required if isinstance(required, list) else []:
        if name not in named:
            yield Problem(_member(path, "required"), f"expected a named field, found {name}")


def _example_problems(schema: dict[str, Json], path: str) -> Iterator[Problem]:
    """Values in a block that is otherwise lawful, each held against its own field."""
    for keyword in _EXAMPLES:
        if keyword in schema:
            for problem in _problems(schema, schema[keyword], ""):
                yield Problem(_member(path, keyword), f"does not fit its own field: {problem}")
    choices = schema.get("enum")
    rest = {keyword: bound for keyword, bound in schema.items() if keyword != "enum"}
    for choice in choices if isinstance(choices, list) else []:
        for problem in _problems(rest, choice, ""):
            yield Problem(_member(path, "enum"), f"does not fit its own field: {problem}")
    named = _block(schema.get("properties"))
    for name in sorted(named):
        yield from _example_problems(_block(named[name]), _member(path, f"properties.{name}"))
    for keyword in ("items", "additionalProperties"):
        inner = schema.get(keyword)
        if isinstance(inner, dict):
            yield from _example_problems(inner, _member(path, keyword))
