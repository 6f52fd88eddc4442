"""Values in words: short for a line, whole for a page, a difference as told (LH 3.3)."""

import json
from collections.abc import Iterator

from holodesk.rapp.canonical import Json


def brief(value: Json, width: int) -> str:
    """A value on one line of at most `width` characters."""
    if isinstance(value, dict):
        text = "  ".join(f"{name} {brief(inner, 40)}" for name, inner in value.items())
    elif isinstance(value, list):
        text = ", ".join(brief(inner, 24) for inner in value[:8])
    elif isinstance(value, str):
        text = " ".join(value.split())
    else:
        text = json.dumps(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def whole(value: Json) -> str:
    """A value over as many lines as it needs, members in order."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


def difference(before: Json, after: Json) -> str:
    """What changed from one value to another, a line for each place; empty when nothing did."""
    return "\n".join(_changes("", before, after))


def _changes(path: str, before: Json, after: Json) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            inner = f"{path}.{name}" if path else name
            if name not in after:
                yield f"- {inner}: {brief(before[name], 80)}"
            elif name not in before:
                yield f"+ {inner}: {brief(after[name], 80)}"
            else:
                yield from _changes(inner, before[name], after[name])
    elif isinstance(before, list) and isinstance(after, list) and before != after:
        yield from _list_changes(path, before, after)
    elif before != after or type(before) is not type(after):
        yield f"{path or 'object'}: {brief(before, 60)} → {brief(after, 60)}"


def _list_changes(path: str, before: list[Json], after: list[Json]) -> Iterator[str]:
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    gone = before[head : len(before) - tail]
    come = after[head : len(after) - tail]
    if len(gone) == len(come):
        for offset, (old, new) in enumerate(zip(gone, come, strict=True)):
            yield from _changes(f"{path}[{head + offset}]", old, new)
        return
    for offset, old in enumerate(gone):
        yield f"- {path}[{head + offset}]: {brief(old, 80)}"
    for offset, new in enumerate(come):
        yield f"+ {path}[{head + offset}]: {brief(new, 80)}"
