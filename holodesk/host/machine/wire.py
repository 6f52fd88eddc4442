"""How the host and a worker speak: messages with a length before them, each end reading by hand.

What comes from a worker is never unmarshalled or unpickled: it is read by the few lines here and
refused when it has any other form.
"""

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_LENGTH: Final = struct.Struct("<I")
_RECORD: Final = struct.Struct("<cQI")
_DONE: Final = struct.Struct("<cIH")
READY, FAILED, PART, DONE = b"K", b"F", b"P", b"D"
"""What a message from a worker begins with."""
LETTERS: Final = b"GOBEL"
"""G the gate's findings, O a result, B a refused result, E the lens raised, L a limit."""
FINE, BREACH = b".", b"b"
FIRST: Final = {b"f": b"F", b"s": b"S"}
"""A limit met by the only call of a new guest is the verdict already."""
ENDINGS: Final = b".fsbxFS"
METERED, ALONE, UNGUARDED = 1, 2, 4
"""Flags of a request: with fuel; in a guest of its own; without the gate (to try the walls)."""
MAX_REQUEST: Final = 1 << 30


class BadMessage(Exception):
    """A message of no lawful form."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply as it crosses the pipe."""

    letter: bytes
    fuel: int
    octets: bytes


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a request: how the guest fared, and the worker's processor time so far."""

    ending: bytes
    text: str
    milliseconds: int
    answers: tuple[Answer, ...]


def read_message(descriptor: int, limit: int) -> bytes | None:
    """The next message, or None at the end of the pipe.

    Raises:
        BadMessage: longer than `limit`, or cut short.
    """
    head = _take(descriptor, _LENGTH.size)
    if not head:
        return None
    if len(head) < _LENGTH.size:
        raise BadMessage("a length cut short")
    (size,) = _LENGTH.unpack(head)
    if size > limit:
        raise BadMessage(f"expected at most {limit} octets, found {size}")
    octets = _take(descriptor, size)
    if len(octets) < size:
        raise BadMessage("a message cut short")
    return octets


def _take(descriptor: int, size: int) -> bytes:
    parts = []
    while size:
        part = os.read(descriptor, min(size, 1 << 20))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def framed(octets: bytes) -> bytes:
    """A message with its length before it."""
    return _LENGTH.pack(len(octets)) + octets


def write_all(descriptor: int, octets: bytes) -> None:
    """Every octet, in order."""
    view = memoryview(octets)
    while view:
        view = view[os.write(descriptor, view) :]


def packed(answers: Iterable[Answer]) -> bytes:
    """Answers as octets."""
    return b"".join(
        _RECORD.pack(one.letter, one.fuel, len(one.octets)) + one.octets for one in answers
    )


def unpacked(octets: bytes, limit: int) -> tuple[Answer, ...]:
    """Octets as answers.

    Raises:
        BadMessage: an unknown letter, a length that does not fit, octets left over.
    """
    found = []
    at = 0
    while at < len(octets):
        if at + _RECORD.size > len(octets):
            raise BadMessage("an answer cut short")
        letter, fuel, size = _RECORD.unpack_from(octets, at)
        at += _RECORD.size
        if letter not in LETTERS or size > limit or at + size > len(octets):
            raise BadMessage("an answer of no lawful form")
        found.append(Answer(letter, fuel, octets[at : at + size]))
        at += size
    return tuple(found)


def done_message(done: Done) -> bytes:
    """The end of a request as octets."""
    text = done.text.encode("utf-8", "replace")[:500]
    head = _DONE.pack(done.ending, done.milliseconds, len(text))
    return DONE + head + text + packed(done.answers)


def read_done(octets: bytes, limit: int) -> Done:
    """The end of a request from octets that begin with DONE.

    Raises:
        BadMessage: any other form.
    """
    start = 1 + _DONE.size
    if len(octets) < start:
        raise BadMessage("an end cut short")
    ending, milliseconds, size = _DONE.unpack_from(octets, 1)
    if ending not in ENDINGS or start + size > len(octets):
        raise BadMessage("an end of no lawful form")
    text = octets[start : start + size].decode("utf-8", "replace")
    return Done(ending, text, milliseconds, unpacked(octets[start + size :], limit))
