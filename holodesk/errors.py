"""Five families of error, named by who must act next (house rule; LH 2: refuse, never repair).

Every message is one line that says the rule, the place, what was expected and what was found.
Advice belongs to the family and is written once.
"""

from dataclasses import dataclass
from typing import ClassVar, Final


@dataclass(frozen=True, slots=True)
class Place:
    """Where a rule was broken: any of a stream, a frame's seq, a file and a line."""

    stream: str | None = None
    seq: int | None = None
    file: str | None = None
    line: int | None = None
    field: str | None = None

    def __str__(self) -> str:
        parts = []
        if self.file is not None:
            parts.append(self.file if self.line is None else f"{self.file} line {self.line}")
        elif self.line is not None:
            parts.append(f"line {self.line}")
        if self.seq is not None:
            parts.append(f"frame {self.seq}")
        if self.field is not None:
            parts.append(self.field)
        if not parts and self.stream is not None:
            parts.append(self.stream)
        return ", ".join(parts)


NOWHERE: Final = Place()


class HolodeskError(Exception):
    """A rule was not met: `rule` cites it, `where` is the place, `step` one of rapp/1 7.5."""

    advice: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1

    def __init__(
        self, rule: str, message: str, where: Place = NOWHERE, *, step: str | None = None
    ) -> None:
        super().__init__(rule, message, where, step)
        self.rule = rule
        self.message = message
        self.where = where
        self.step = step

    def __str__(self) -> str:
        place = str(self.where)
        at = f" ({self.rule}; {place})" if place else f" ({self.rule})"
        return f"{self.message}{at}"

    def at(self, where: Place) -> "HolodeskError":
        """The same error, told with a fuller place."""
        return type(self)(self.rule, self.message, where, step=self.step)


class Refused(HolodeskError):
    """The record breaks a rule: nobody can mend it. Nothing was appended, nothing was repaired."""

    advice = "The record breaks a rule. Nothing was appended and nothing was changed."


class NotCanonical(Refused):
    """Octets outside the parse profile of rapp/1 4."""


class FrameRefused(Refused):
    """A frame fails a step of rapp/1 7.5."""


class Fork(Refused):
    """Two frames follow the same predecessor (rapp/1 7.6)."""


class Rollback(Refused):
    """A head below one already verified, or another frame at a verified seq (rapp/1 7.6)."""


class LensImpure(Refused):
    """An agent file that breaks the structure rule (LH 3.2)."""


class SurfaceIncomplete(Refused):
    """An agent file whose surface does not tell a caller what it needs (LH 3.2, TC 2.1)."""


class SlushConflict(Refused):
    """Two sources of slush name the same key (LH 3.5)."""


class SlushTooLarge(Refused):
    """Slush over 64 KiB (LH 3.5)."""


class ControlRefused(Refused):
    """A control out of its range, or a pass that the controls in force forbid (LH 3.7)."""


class ReplayRefused(Refused):
    """Replay gives a different object (LH 3.3)."""


class ReaderRefused(Refused):
    """A reader breaks one of the four reader rules (TC 2.2)."""


class RoutineRefused(Refused):
    """A routine or a reflex value that breaks a rule of RL-1, told by its code (LH 3.6)."""

    @property
    def code(self) -> str:
        """The verdict that the rule ends with, such as `E_SYNTAX`."""
        return self.rule.rpartition(" ")[2]


class Rejected(HolodeskError):
    """The caller's choice is outside what was offered: choose again. Carries every problem."""

    advice = "Nothing was appended. Choose again."

    def __init__(
        self,
        rule: str,
        message: str,
        where: Place = NOWHERE,
        *,
        step: str | None = None,
        problems: tuple[str, ...] = (),
    ) -> None:
        super().__init__(rule, message, where, step=step)
        self.problems = problems or (message,)


class Held(HolodeskError):
    """Somebody else has the pen or the lease, or appended first: wait and read again."""

    advice = "Somebody else is writing. Wait, then read again."
    exit_code = 3


class Spent(HolodeskError):
    """Agent code ran out of steps, time, memory, size or depth: its author must act."""

    advice = "The program ran out of what it may use. Its author must make it smaller."


class Unavailable(HolodeskError):
    """The world does not answer: a disk, a process, a runtime. The chain is as it was."""

    advice = "The chain is as it was. Try again when what is missing is there."
    exit_code = 3


class Usage(HolodeskError):
    """The command was called with words it does not understand."""

    advice = "See --help."
    exit_code = 2
