"""What stands behind the gate, tried without it: no part of the machine that others may use."""

import marshal
from collections.abc import Sequence

from holodesk.hologram.perform import Call, Reply
from holodesk.host.machine import verdict
from holodesk.host.machine.parent import WALL_SECONDS, Machine
from holodesk.host.machine.verdict import Outcome
from holodesk.host.machine.wire import UNGUARDED
from holodesk.host.machine.worker import Worker


def outcome_behind_the_gate(
    machine: Machine, source: str, calls: Sequence[Call], flags: int
) -> Outcome:
    """One request to a worker of a machine, with the gate left out."""
    machine.warm()
    worker: Worker = machine._workers[0]
    asked = [(one.method, one.object, one.slush, one.params, one.head, one.facts) for one in calls]
    worker.send(source, marshal.dumps((source, flags | UNGUARDED, asked), 2))
    outcome = worker.outcome(WALL_SECONDS)
    if outcome.ending in (verdict.LATE, verdict.LOST):
        machine._replace(worker)
    return outcome


def calls_behind_the_gate(
    machine: Machine, source: str, calls: Sequence[Call], flags: int
) -> list[Reply]:
    """The verdicts of calls, one request each, all in one guest while it lives."""
    return [
        verdict.alone(outcome_behind_the_gate(machine, source, (call,), flags)) for call in calls
    ]
