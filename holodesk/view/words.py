"""Values in words: short for a line, whole for a page, a difference as told (LH 3.3).

Every text is bounded, whatever a stranger's frame holds, and a line is one line: nobody's words
move a cursor, forge a row or turn the reading direction.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Final

from holodesk.rapp.canonical import Json, canonical

MAX_TEXT: Final = 100_000
"""Characters of one whole value or difference; what is beyond is said to be."""
MAX_CHANGES: Final = 400
"""Lines of one difference."""
JOINERS: Final = frozenset("\u200c\u200d")
"""Unprintable to Python, and yet parts of printed words and emoji."""


def plain(text: str) -> str:
    """A text on one line, without control characters; what cannot be printed is escaped."""
    if text.isprintable():
        return text
    return "".join(_printable(character) for character in text)


def line(text: str, width: int) -> str:
    """A text on one line of at most `width` characters, its spaces as they are."""
    told = plain(text[: width + 1])
    return told if len(told) <= width else told[: width - 1] + "…"


def _printable(character: str) -> str:
    if character.isprintable() or character in JOINERS:
        return character
    return " " if character.isspace() else f"\\u{ord(character):04x}"


def brief(value: Json, width: int) -> str:
    """A value on one line of at most `width` characters."""
    if isinstance(value, dict):
        members = islice(value.items(), width)
        text = "  ".join(f"{brief(name, 40)} {brief(inner, 40)}" for name, inner in members)
    elif isinstance(value, list):
        text = ", ".join(brief(inner, 24) for inner in value[:8])
    elif isinstance(value, str):
        text = plain(" ".join(value[: 8 * width].split()))
    else:
        text = json.dumps(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def whole(value: Json) -> str:
    """A value over as many lines as it needs, members in order."""
    pieces = json.JSONEncoder(indent=2, sort_keys=True, ensure_ascii=False).iterencode(value)
    return _bounded(pieces, "")


def difference(before: Json, after: Json) -> str:
    """What changed from one value to another, a line for each place; empty when nothing did."""
    changes = _changes("", before, after)
    told = list(islice(changes, MAX_CHANGES))
    if next(changes, None) is not None:
        told.append("… and more")
    return _bounded(iter(told), "\n")


def _bounded(pieces: Iterator[str], between: str) -> str:
    kept: list[str] = []
    room = MAX_TEXT
    for piece in pieces:
        if len(piece) > room:
            kept.append(f"{piece[:room]}… and more")
            break
        kept.append(piece)
        room -= len(piece) + len(between)
    return between.join(kept)


def _changes(path: str, before: Json, after: Json) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            inner = f"{path}.{brief(name, 60)}" if path else brief(name, 60)
            if name not in after:
                yield f"- {inner}: {brief(before[name], 80)}"
            elif name not in before:
                yield f"+ {inner}: {brief(after[name], 80)}"
            else:
                yield from _changes(inner, before[name], after[name])
    elif _same(before, after):
        return
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_changes(path, before, after)
    else:
        yield f"{path or 'object'}: {brief(before, 60)} → {brief(after, 60)}"


def _list_changes(path: str, before: list[Json], after: list[Json]) -> Iterator[str]:
    head = 0
    while head < min(len(before), len(after)) and _same(before[head], after[head]):
        head += 1
    tail = 0
    room = min(len(before), len(after)) - head
    while tail < room and _same(before[-1 - tail], after[-1 - tail]):
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


def _same(one: Json, other: Json) -> bool:
    """As JSON: to Python, 1 and true are equal."""
    return one == other and canonical(one) == canonical(other)
