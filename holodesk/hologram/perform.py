"""The one function that applies a lens, for the pass and for replay alike (LH 3.3, 3.4).

Below the line a runner is only this protocol; the one real runner is `host.machine.parent`, which
runs agent code in a contained child process. A runner answers with octets and never judges them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from holodesk.agent.surface import Finding
from holodesk.errors import NotCanonical, Place, ReplayRefused, Spent, Unavailable
from holodesk.rapp.canonical import Json, admit

Method = Literal["perform", "converged", "system_context"]
MAX_RESULT: Final = 1 << 20
"""The largest result, as JSON text octets (rapp/1 4)."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of agent code. Every member is canonical octets, so live and replay see the same."""

    object: bytes
    slush: bytes
    params: bytes
    method: Method = "perform"
    head: bytes = b"null"
    facts: bytes = b"null"


@dataclass(frozen=True, slots=True)
class Answered:
    """The result as JSON text octets, sorted names, not yet admitted."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """The call failed in a way that is the same on every machine.

    `how`: the lens raised, its result was not plain data, it spent its fuel, memory or stack, or
    the gate refused the file.
    """

    how: Literal["raised", "output", "spent", "gate"]
    message: str


@dataclass(frozen=True, slots=True)
class Undetermined:
    """The call could not be judged here (wall clock, crash, runtime missing): never a forgery."""

    reason: str


Reply = Answered | Failed | Undetermined


@dataclass(frozen=True, slots=True)
class Runtime:
    """What runs agent code, named in every `hologram.lens` frame (LH 6)."""

    name: str
    sha256: str


class Pending(Protocol):
    """Calls under way: `replies` waits for all of them, in order."""

    def replies(self) -> Sequence[Reply]: ...


class Runner(Protocol):
    """Runs agent code, contained; one instance for each source."""

    @property
    def runtime(self) -> Runtime: ...

    def gate(self, source: str) -> tuple[Finding, ...]:
        """The gate's verdict on a source, given inside the pinned runtime; empty when it passes."""
        ...

    def submit(self, source: str, calls: Sequence[Call], *, fuel: bool = True) -> Pending:
        """Hand over a batch for one source; may wait for a free worker, never for the batch."""
        ...

    def judge(self, source: str, call: Call) -> Reply:
        """The verdict that is the same everywhere: the first call in a new instance, fuelled."""
        ...


@dataclass(frozen=True, slots=True)
class Performed:
    """A lawful result: the next object, what the lens emits, and both as canonical octets."""

    object: Json
    data_slush: dict[str, Json]
    octets: bytes


def perform(runner: Runner, source: str, call: Call, where: Place) -> Performed:
    """Apply a lens once, as a live pass does.

    Raises:
        ReplayRefused: the lens raised, or what it returned is not an object and its data_slush.
        Spent: it ran out of fuel, memory or stack.
        Unavailable: the call could not be judged here.
    """
    return performed(runner.submit(source, [call]).replies()[0], where)


def performed(reply: Reply, where: Place) -> Performed:
    """What a runner's reply means; the raises are those of `perform`."""
    match reply:
        case Answered(octets):
            return _result(octets, where)
        case Failed("spent", message):
            raise Spent("LH 3.2", f"the lens {message}", where)
        case Failed(_, message):
            raise ReplayRefused("LH 3.2", f"the lens failed: {message}", where)
        case Undetermined(reason):
            raise Unavailable("LH 3.3", f"the lens could not be run here: {reason}", where)


def _result(octets: bytes, where: Place) -> Performed:
    wanted = "expected a result of exactly object and data_slush"
    if len(octets) > MAX_RESULT:
        raise ReplayRefused("LH 3.2", f"{wanted}, found {len(octets)} octets", where)
    try:
        value, lawful = admit(octets)
    except NotCanonical as problem:
        raise ReplayRefused("LH 3.2", f"{wanted}: {problem.message}", where) from problem
    if not isinstance(value, dict) or value.keys() != {"object", "data_slush"}:
        found = ", ".join(sorted(value))[:80] if isinstance(value, dict) else type(value).__name__
        raise ReplayRefused("LH 3.2", f"{wanted}, found {found}", where)
    data_slush = value["data_slush"]
    if not isinstance(data_slush, dict):
        raise ReplayRefused("LH 3.5", f"{wanted} with data_slush an object", where)
    return Performed(value["object"], data_slush, lawful)


def converged(reply: Reply, where: Place) -> bool:
    """What a self-lens says of a present (LH 3.4); the raises are those of `perform`."""
    match reply:
        case Answered(b"true"):
            return True
        case Answered(b"false"):
            return False
        case Answered(octets):
            raise ReplayRefused(
                "LH 3.4",
                f"expected converged to answer true or false, found {octets[:40]!r}",
                where,
            )
    performed(reply, where)
    raise AssertionError("performed raises for every other reply")
