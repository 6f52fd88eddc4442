"""What a worker said becomes a verdict: the same on every machine, or none (LH 3.3, 6)."""

import json
from dataclasses import dataclass, replace
from typing import Final

from holodesk.agent.surface import Finding
from holodesk.hologram.perform import Answered, Failed, Reply, Undetermined
from holodesk.host.machine.wire import BREACH, FINE, Answer

LATE, LOST = b"l", b"g"
"""Two endings that only the host sees: the wall limit, and a process that is gone."""
_LIMITS: Final = {
    b"f": "spent its fuel",
    b"F": "spent its fuel",
    b"s": "spent its stack",
    b"S": "spent its stack",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one request ended, and every answer that came before the end."""

    ending: bytes
    text: str
    gate: Answer | None
    answers: tuple[Answer, ...]

    def more(self, answers: tuple[Answer, ...]) -> "Outcome":
        """With further answers; the first of all is the gate's."""
        gate = self.gate
        if gate is None and answers:
            gate, answers = answers[0], answers[1:]
        return replace(self, gate=gate, answers=self.answers + answers)


BEGUN: Final = Outcome(LOST, "", None, ())


def findings(gate: Answer | None) -> tuple[Finding, ...]:
    """What the gate said; nothing when it said nothing."""
    pairs = json.loads(gate.octets) if gate is not None else []
    return tuple(Finding(int(line), str(reason)) for line, reason in pairs)


def refused(found: tuple[Finding, ...]) -> Failed:
    """The verdict for every call of a source that the gate refuses."""
    return Failed("gate", str(found[0]))


def reply(answer: Answer) -> Reply | None:
    """The verdict of one answer, or None for a limit met among other calls."""
    text = answer.octets.decode("utf-8", "replace") if answer.letter != b"O" else ""
    if answer.letter == b"O":
        return Answered(answer.octets)
    if answer.letter == b"B":
        return Failed("output", text)
    if answer.letter == b"E":
        return Failed("raised", text)
    return None


def alone(outcome: Outcome) -> Reply:
    """The verdict of a call that ran alone in a new guest with its whole fuel.

    An answer counts only when the guest then waited for more, as it does after every true one.
    """
    found = findings(outcome.gate)
    if found:
        return refused(found)
    if outcome.ending == FINE and outcome.answers:
        answer = outcome.answers[0]
        if answer.letter == b"L":
            return Failed("spent", _limit(answer.octets))
        said = reply(answer)
        return said if said is not None else Undetermined("the worker spoke out of turn")
    if outcome.ending in _LIMITS:
        who = "the agent" if outcome.gate is not None else "the gate"
        return Failed("spent", f"{who} {_LIMITS[outcome.ending]}")
    if outcome.ending == BREACH:
        return Failed("output", f"a breach of the protocol: {outcome.text}")
    if outcome.ending == b"x":
        return Failed("raised", outcome.text)
    return Undetermined(why(outcome))


def _limit(octets: bytes) -> str:
    kinds = {b"MemoryError": "memory", b"RecursionError": "stack"}
    return f"the agent spent its {kinds.get(octets, 'fuel')}"


def why(outcome: Outcome) -> str:
    """Why nothing can be said about a call."""
    if outcome.ending == LATE:
        return "the wall limit passed before the agent answered"
    return f"the worker is gone: {outcome.text}" if outcome.text else "the worker is gone"
