"""JSON values: what type one is, when two are the same, and how one is shown (LH 3.4)."""

from collections.abc import Callable, Hashable, Mapping
from typing import Final

from holodesk.rapp.canonical import Json


def is_number(value: Json) -> bool:
    """Whether it is a JSON number; true and false are none."""
    return type(value) is int or type(value) is float


def is_integer(value: Json) -> bool:
    """Whether it is a whole number; 3.0 is one."""
    return type(value) is int or (type(value) is float and value.is_integer())


TYPES: Final[Mapping[str, Callable[[Json], bool]]] = {
    "object": lambda value: type(value) is dict,
    "array": lambda value: type(value) is list,
    "string": lambda value: type(value) is str,
    "integer": is_integer,
    "number": is_number,
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
}


def type_of(value: Json) -> str:
    """The narrowest type name of a value."""
    return next((name for name, holds in TYPES.items() if holds(value)), type(value).__name__)


def same(one: Json, other: Json) -> bool:
    """Whether two values are one JSON value: 1 and 1.0 are, 1 and true are not."""
    return key(one) == key(other)


def key(value: Json) -> Hashable:
    """A key that two values share exactly when they are the same."""
    if isinstance(value, list):
        return ("array", tuple(key(item) for item in value))
    if isinstance(value, dict):
        return ("object", frozenset((name, key(member)) for name, member in value.items()))
    return (type_of(value) if not is_number(value) else "number", value)


def is_distinct(values: list[Json]) -> bool:
    """Whether no value stands in the list twice."""
    return len({key(value) for value in values}) == len(values)


def shown(value: Json) -> str:
    """A value in a message: JSON's own words for the short ones, the type for what is long."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}..."'
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    return str(value)
