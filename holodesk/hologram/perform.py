"""The one function that applies a lens, for the pass and for replay alike (LH 3.3, 3.4).

Below the line a runner is only this protocol; the one real runner is `host.machine.parent`, which
runs agent code in a contained child process. A runner answers with octets and never judges them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from holodesk.agent.surface import Finding

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
