"""How one vector came out, and the three questions that most vectors ask (rapp/1 7.5).

A vector that this revision contradicts, or whose pre-image was never published, is a conflict: it
is named with its reason and counts neither way.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from holodesk.errors import FrameRefused, HolodeskError
from holodesk.rapp.frame import Head, parse
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import Stream, extend

Check = Callable[[], str]
"""Runs one vector; gives what is wrong, or an empty text."""
Case = tuple[str, Check]
"""A vector's name and its check."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One vector: `ok` is None where it is a known conflict, which `message` explains."""

    name: str
    ok: bool | None
    message: str = ""


def ran(cases: Iterable[Case]) -> list[Outcome]:
    """The outcomes of some vectors."""
    return [_ran(name, check) for name, check in cases]


def _ran(name: str, check: Check) -> Outcome:
    try:
        problem = check()
    except HolodeskError as refusal:
        problem = f"refused: {refusal}"
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = f"the vector has another form: {type(error).__name__}: {error}"
    return Outcome(name, problem == "", problem)


def differs(expected: object, found: object) -> str:
    """What is wrong when two values should be the same."""
    if expected == found and type(expected) is type(found):
        return ""
    return f"expected {_short(expected)}, found {_short(found)}"


def refuses(check: Callable[[], object], family: type[HolodeskError] = HolodeskError) -> str:
    """What is wrong when something should be refused."""
    try:
        found = check()
    except family:
        return ""
    return f"expected a refusal, found {_short(found)}"


_MAX_SHOWN: Final = 160


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def step_of(
    octets: bytes,
    *,
    stream_id: str | None = None,
    head: Mapping[str, Any] | None = None,
    keyring: Keyring = Keyring.EMPTY,
) -> str | None:
    """The step of rapp/1 7.5 that refuses a frame, or None where it verifies."""
    try:
        frame = parse(octets, stream_id=stream_id)
        stream = Stream(frame.stream_id, None if head is None else head_of(head), keyring)
        extend(stream, frame)
    except FrameRefused as refusal:
        return refusal.step
    return None


def head_of(members: Mapping[str, Any]) -> Head:
    """The head that a frame of a vector stands for."""
    return Head(
        members["stream_id"],
        members["seq"],
        members["frame_hash"],
        members["payload_hash"],
        members["utc"],
    )
