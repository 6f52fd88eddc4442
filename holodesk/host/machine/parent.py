"""The one real runner: agent code goes out, named verdicts come back (LH 3.3, 6).

A verdict is the same on every machine or it is none: `Answered` and `Failed` are what the pinned
runtime says, decided by fuel, memory and stack; a wall clock, a crash or a missing runtime is
`Undetermined`. A call that meets a limit among others is run again alone, first in a new guest, and
that verdict counts.
"""

import marshal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from holodesk.agent.purity_tables import MAX_SOURCE
from holodesk.agent.surface import Finding
from holodesk.errors import Unavailable
from holodesk.hologram.perform import Call, Failed, Reply, Runtime, Undetermined
from holodesk.host.machine import verdict
from holodesk.host.machine.cache import Cache, unavailable
from holodesk.host.machine.runtime import MAX_CALLS, NAME, WASM_SHA256
from holodesk.host.machine.verdict import LATE, LOST, Outcome
from holodesk.host.machine.wire import ALONE, BREACH, FIRST, METERED
from holodesk.host.machine.worker import Lost, Worker

WALL_SECONDS: Final = 3.0
CALL_SECONDS: Final = 0.01
_KEPT_VERDICTS: Final = 128
"""A gate's verdict depends on the source alone, so it is asked for once."""
_WORTH_MAKING: Final = 512
"""So many calls that ask for no fuel show that a module without it is worth its making."""
_RETIRE_MILLISECONDS: Final = 40_000
"""A worker that has worked this long is replaced before its system limit is met."""


class Batch:
    """Calls under way for one source; `replies` waits for all of them, in order."""

    def __init__(self, machine: "Machine", source: str, calls: Sequence[Call]) -> None:
        self.source = source
        self.calls = tuple(calls)
        self.found: list[Reply | None] = [None] * len(self.calls)
        self.worker: Worker | None = None
        self._machine = machine

    @property
    def open(self) -> list[int]:
        """The calls without a verdict."""
        return [index for index, reply in enumerate(self.found) if reply is None]

    def end(self, reply: Reply) -> None:
        """One verdict for every call that has none."""
        for index in self.open:
            self.found[index] = reply

    def replies(self) -> Sequence[Reply]:
        """The verdict of every call."""
        if self.open:
            self._machine.settle(self)
        return [reply for reply in self.found if reply is not None]


class Machine:
    """Workers that take turns, one warm spare, and the verdicts of what they ran.

    Nothing heavy happens before the first use; `warm` does it on purpose. Safe to use from several
    threads, one at a time.
    """

    def __init__(
        self,
        cache: Path,
        workers: int = 1,
        progress: Callable[[str, float], None] | None = None,
    ) -> None:
        self._cache = Cache(cache)
        self._count = max(1, workers)
        self._progress = progress
        self._lock = threading.RLock()
        self._workers: list[Worker] = []
        self._spare: Worker | None = None
        self._busy: dict[Worker, Batch] = {}
        self._turn = 0
        self._unmetered = 0
        self._gated: dict[str, tuple[Finding, ...]] = {}
        self._closed = False

    @property
    def runtime(self) -> Runtime:
        """What agent code is judged by; known without starting anything."""
        return Runtime(NAME, WASM_SHA256)

    @property
    def walls(self) -> tuple[str, ...]:
        """The locks that this system put on a worker; empty before the first use."""
        return self._workers[0].walls if self._workers else ()

    def warm(self, *, unmetered: bool = False) -> None:
        """Do now what the first use would wait for; `unmetered` also makes the module without fuel.

        Raises:
            Unavailable: the runtime is missing or is not the pinned one, or cannot start here.
        """
        with self._lock:
            if unmetered:
                self._cache.prepared(self._progress)
                self._cache.make_unmetered(wait=True)
            self._ready()
            for worker in [*self._workers, *([self._spare] if self._spare else [])]:
                worker.await_ready()

    def gate(self, source: str) -> tuple[Finding, ...]:
        """The gate's verdict on a source, given inside the pinned runtime; empty when it passes.

        Raises:
            Unavailable: it cannot be given here.
        """
        with self._lock:
            if source not in self._gated:
                if len(self._gated) >= _KEPT_VERDICTS:
                    self._gated.clear()
                self._gated[source] = self._gate(source)
            return self._gated[source]

    def _gate(self, source: str) -> tuple[Finding, ...]:
        odd = _unreadable(source)
        if odd is not None:
            return (odd,)
        outcome = self._run(source, (), METERED)
        if outcome.gate is None and outcome.ending not in (LATE, LOST):
            outcome = self._alone_again(source, ())
        if outcome.gate is not None:
            return verdict.findings(outcome.gate)
        said = verdict.alone(outcome)
        if isinstance(said, Failed):
            return (Finding(1, said.message),)
        raise unavailable(verdict.why(outcome))

    def submit(self, source: str, calls: Sequence[Call], *, fuel: bool = True) -> Batch:
        """Hand over a batch for one source; may wait for a free worker, never for the batch.

        Raises:
            ValueError: more calls than a batch holds.
            Unavailable: the runtime is missing or is not the pinned one, or cannot start here.
        """
        if len(calls) > MAX_CALLS:
            raise ValueError(f"expected at most {MAX_CALLS} calls, found {len(calls)}")
        with self._lock:
            batch = Batch(self, source, calls)
            self._unmetered += 0 if fuel else len(calls)
            odd = _unreadable(source)
            if odd is not None:
                batch.end(verdict.refused((odd,)))
            if batch.open:
                worker = self._free(source, single=len(calls) == 1, fuel=fuel)
                worker = self._send(worker, source, batch.calls, METERED if fuel else 0)
                batch.worker = worker
                self._busy[worker] = batch
            return batch

    def judge(self, source: str, call: Call) -> Reply:
        """The normative verdict of one call: the first in a new guest, with its whole fuel.

        What a batch says is the same for every source that keeps nothing between calls; where a
        batch would call a frame false, this says whether it is.
        """
        with self._lock:
            odd = _unreadable(source)
            if odd is not None:
                return verdict.refused((odd,))
            return verdict.alone(self._alone_again(source, (call,)))

    def close(self) -> None:
        """End every process; what is under way cannot be judged any more."""
        with self._lock:
            self._closed = True
            for worker in [*self._workers, *([self._spare] if self._spare else [])]:
                worker.close()
            for batch in self._busy.values():
                batch.end(Undetermined("the machine was closed"))
            self._workers, self._spare = [], None
            self._busy.clear()
            self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- verdicts ---------------------------------------------------------------------------

    def settle(self, batch: Batch) -> None:
        """Wait for a batch and give every call its verdict."""
        with self._lock:
            worker = batch.worker
            if worker is None or self._busy.get(worker) is not batch:
                return
            try:
                outcome = self._outcome(worker, len(batch.open))
                del self._busy[worker]
                self._finish(batch, outcome)
            except Unavailable as problem:
                self._busy.pop(worker, None)
                batch.end(Undetermined(problem.message))

    def _finish(self, batch: Batch, outcome: Outcome) -> None:
        alone = False
        while self._take(batch, outcome, alone=alone):
            calls = [batch.calls[index] for index in batch.open]
            alone = len(calls) == 1
            outcome = self._run(batch.source, calls, METERED | ALONE if alone else METERED)

    def _take(self, batch: Batch, outcome: Outcome, *, alone: bool) -> bool:
        """Fill in what an outcome decides; whether calls are left that it does not touch."""
        if alone or outcome.ending in FIRST.values():
            batch.end(verdict.alone(outcome))
            return False
        found = verdict.findings(outcome.gate)
        if found:
            batch.end(verdict.refused(found))
            return False
        limits = []
        answers = outcome.answers if outcome.ending != BREACH else ()
        for index, answer in zip(batch.open, answers, strict=False):
            batch.found[index] = verdict.reply(answer)
            if batch.found[index] is None:
                limits.append(index)
        rest = [index for index in batch.open if index not in limits]
        if rest and outcome.ending == LOST:
            batch.end(Undetermined(verdict.why(outcome)))
        elif rest:
            limits.append(rest[0])
        for index in limits:
            if batch.found[index] is None:
                again = self._alone_again(batch.source, (batch.calls[index],))
                batch.found[index] = verdict.alone(again)
        return bool(batch.open)

    def _alone_again(self, source: str, calls: Sequence[Call]) -> Outcome:
        return self._run(source, calls, METERED | ALONE)

    def _run(self, source: str, calls: Sequence[Call], flags: int) -> Outcome:
        worker = self._free(source, single=True, fuel=True)
        worker = self._send(worker, source, calls, flags)
        return self._outcome(worker, len(calls))

    def _outcome(self, worker: Worker, calls: int) -> Outcome:
        outcome = worker.outcome(WALL_SECONDS + CALL_SECONDS * calls)
        if outcome.ending in (LATE, LOST) or worker.milliseconds > _RETIRE_MILLISECONDS:
            self._replace(worker)
        return outcome

    # ---- workers ----------------------------------------------------------------------------

    def _ready(self) -> None:
        if self._closed:
            raise unavailable("it was closed")
        if self._workers:
            return
        prepared = self._cache.prepared(self._progress)
        workers = [Worker(prepared) for _ in range(self._count)]
        try:
            workers[0].await_ready()
        except Unavailable:
            # A cache made by a processor or an engine that only looks the same is made anew, once.
            for worker in workers:
                worker.close()
            self._cache.discard()
            prepared = self._cache.prepared(self._progress)
            workers = [Worker(prepared) for _ in range(self._count)]
            workers[0].await_ready()
        self._workers = workers
        self._spare = Worker(prepared)

    def _replace(self, worker: Worker) -> Worker:
        """The spare takes the place of a worker that is of no more use."""
        at = self._workers.index(worker)
        worker.close()
        fresh, self._spare = self._spare, None
        prepared = self._cache.current()
        if fresh is None or fresh.runs_unmetered < (prepared.unmetered is not None):
            if fresh is not None:
                fresh.close()
            fresh = Worker(prepared)
        self._workers[at] = fresh
        self._spare = Worker(prepared)
        return fresh

    def _free(self, source: str, *, single: bool, fuel: bool) -> Worker:
        """A worker without a batch; the one that holds the source, for a single call."""
        self._ready()
        if self._unmetered > _WORTH_MAKING:
            self._cache.make_unmetered(wait=False)
        free = [worker for worker in self._workers if worker not in self._busy]
        if not free:
            done = [worker for worker in self._busy if worker.finished.is_set()]
            worker = done[0] if done else next(iter(self._busy))
            self.settle(self._busy[worker])
            return self._free(source, single=single, fuel=fuel)
        self._turn += 1
        holding = [worker for worker in free if worker.holds(source)] if single else []
        order = self._workers[self._turn % self._count :] + self._workers
        worker = holding[0] if holding else next(one for one in order if one in free)
        if not fuel and not worker.runs_unmetered and self._cache.current().unmetered:
            worker = self._replace(worker)
        return worker

    def _send(self, worker: Worker, source: str, calls: Sequence[Call], flags: int) -> Worker:
        """Hand a request to a worker, or to the one that replaces it when it is gone."""
        asked = [
            (one.method, one.object, one.slush, one.params, one.head, one.facts) for one in calls
        ]
        octets = marshal.dumps((source, flags, asked), 2)
        for _ in range(3):
            try:
                worker.await_ready()
                worker.send(source, octets)
            except (Lost, Unavailable):
                worker = self._replace(worker)
            else:
                return worker
        raise unavailable("its workers end before they are asked")


def _unreadable(source: str) -> Finding | None:
    """Why a source cannot even be handed over."""
    try:
        octets = len(source.encode("utf-8"))
    except UnicodeEncodeError as refusal:
        line = source.count("\n", 0, refusal.start) + 1
        return Finding(line, f"U+{ord(source[refusal.start]):04X}: a surrogate")
    if octets > MAX_SOURCE:
        return Finding(1, f"expected at most {MAX_SOURCE} octets of source, found {octets}")
    return None
