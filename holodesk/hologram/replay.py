"""A tile must regrow byte for byte: whole chains, in batches, in constant memory (LH 3.3).

Frames are judged in order; their replays run beside, many at a time. Whatever is refused is the
first frame that breaks a rule, as if each had been replayed before the next was read.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from holodesk.errors import (
    FrameRefused,
    HolodeskError,
    LensImpure,
    Place,
    ReplayRefused,
    Spent,
    Unavailable,
)
from holodesk.hologram import chain
from holodesk.hologram.chain import Due, Hologram, Step
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.hologram.lens import Lens
from holodesk.hologram.perform import (
    Answered,
    Call,
    Pending,
    Reply,
    Runner,
    Undetermined,
    converged,
    performed,
)
from holodesk.rapp import frame as frames
from holodesk.rapp.address import Wave
from holodesk.rapp.frame import Frame
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import compare

BATCH: Final = 64
"""Calls handed to a runner at once; the gate has passed every source on the chain."""
IN_FLIGHT: Final = 6
"""Batches under way before the oldest is waited for."""


@dataclass(slots=True)
class Outcome:
    """What following a chain came to. `refusal` is the first rule broken, or None.

    `hologram` is the newest state before a refusal. `undetermined` says, for the first few frames
    that could not be judged here, which and why: they are neither valid nor forged.
    """

    hologram: Hologram | None = None
    refusal: HolodeskError | None = None
    replayed: int = 0
    reflexes: int = 0
    undetermined: list[tuple[int, str]] = field(default_factory=list)
    unjudged: int = 0

    def unjudge(self, seq: int, why: str) -> None:
        self.unjudged += 1
        if len(self.undetermined) < 20:
            self.undetermined.append((seq, why))


def verdict(reply: Reply, due: Due) -> str | None:
    """None when the reply is the recorded result, else why it could not be judged.

    Raises:
        ReplayRefused: the lens gives another object, or fails.
    """
    if isinstance(reply, Answered) and reply.octets == due.expected:
        return None
    where = Place(seq=due.seq, file=due.lens.name)
    if isinstance(reply, Undetermined):
        return reply.reason
    try:
        found = performed(reply, where)
    except (ReplayRefused, Spent) as problem:
        raise ReplayRefused(
            "LH 3.3", f"replay gives a different object: {problem.message}", where
        ) from problem
    if found.octets != due.expected:
        what = "object"
        if found.octets.endswith(due.expected[due.expected.rindex(b',"object":') :]):
            what = "data_slush"
        raise ReplayRefused("LH 3.3", f"replay gives a different {what}", where)
    return None


@dataclass(slots=True)
class _Batch:
    lens: Lens
    dues: list[Due] = field(default_factory=list)


class Follower:
    """Follows a chain from its genesis, or from a hologram already verified.

    With a runner every tile is replayed; without, only links and structure are checked.
    `known` holds every wave verified before: another frame at a known seq is refused (rapp/1 7.6).
    """

    def __init__(
        self,
        runner: Runner | None,
        *,
        registry: Keyring = Keyring.EMPTY,
        known: Mapping[int, Wave] = MappingProxyType({}),
        start: Hologram | None = None,
        fuel: bool = True,
    ) -> None:
        self.outcome = Outcome(hologram=start)
        self._runner = runner
        self._registry = registry
        self._known = known
        self._fuel = fuel
        self._open: dict[str, _Batch] = {}
        self._flying: deque[tuple[_Batch, Pending]] = deque()
        self._resting: deque[tuple[int, Pending]] = deque()
        self._faults: list[tuple[int, HolodeskError]] = []

    def follow(
        self,
        octets: Iterable[bytes],
        seen: Callable[[Frame, Hologram], None] = lambda frame, hologram: None,
    ) -> Outcome:
        """Follow frames as octets to their end, or to the first that is refused.

        `seen` is told each frame once its links and structure hold (its replay may be under way).
        """
        seq = 0 if self.outcome.hologram is None else self.outcome.hologram.head.seq + 1
        for line in octets:
            try:
                frame = frames.parse(line, HOUSE_KINDS, stream_id=self._stream_id())
                self._advance(frame)
            except HolodeskError as problem:
                self._faults.append((seq, _placed(problem, seq)))
                break
            assert self.outcome.hologram is not None
            seen(frame, self.outcome.hologram)
            if self._faults:
                break
            seq += 1
        self._finish()
        return self.outcome

    def _stream_id(self) -> str | None:
        """The stream being read, once its genesis is known (rapp/1 7.5 step 1a)."""
        hologram = self.outcome.hologram
        return None if hologram is None else hologram.head.stream_id

    def _advance(self, frame: Frame) -> None:
        compare(self._known, frame)
        hologram = self.outcome.hologram
        if hologram is None:
            step = Step(chain.begin(frame, self._registry))
            if (self_lens := step.hologram.genesis.self_lens) is not None:
                self._gate(self_lens.source, frame.seq)
        else:
            step = chain.step(hologram, frame)
        if step.hologram.lenses is not (hologram.lenses if hologram else None) and hologram:
            self._gate(str(frame.payload["source"]), frame.seq)
        self.outcome.hologram = step.hologram
        if self._runner is not None:
            if (why := relive(step)) is not None:
                self.outcome.unjudge(frame.seq, why)
            elif step.life is not None:
                self.outcome.reflexes += 1
        if step.due is not None and self._runner is not None:
            self._ask(self._runner, step.hologram, step.due)

    def _gate(self, source: str, seq: int) -> None:
        """The gate once more, inside the runtime: the verdict that is the same everywhere."""
        if self._runner is None:
            return
        try:
            findings = self._runner.gate(source)
        except Unavailable as problem:
            self.outcome.unjudge(seq, problem.message)
            return
        if findings:
            where = Place(seq=seq, line=findings[0].line)
            raise LensImpure("LH 3.2", findings[0].reason, where)

    def _ask(self, runner: Runner, hologram: Hologram, due: Due) -> None:
        if due.lens.runtime != runner.runtime:
            name = due.lens.runtime.name
            self.outcome.unjudge(due.seq, f"the lens was judged by {name[:60]}, not held here")
            return
        if due.resting is not None:
            self_lens = hologram.genesis.self_lens
            assert self_lens is not None
            call = Call(due.resting, b"{}", b"{}", "converged")
            self._resting.append(
                (due.seq, runner.submit(self_lens.source, [call], fuel=self._fuel))
            )
        batch = self._open.setdefault(due.lens.agent.hash, _Batch(due.lens))
        batch.dues.append(due)
        if len(batch.dues) >= BATCH:
            self._launch(runner, batch)
        while len(self._flying) > IN_FLIGHT:
            self._land()
        while len(self._resting) > BATCH:
            self._wake()

    def _launch(self, runner: Runner, batch: _Batch) -> None:
        del self._open[batch.lens.agent.hash]
        calls = [due.call for due in batch.dues]
        pending = runner.submit(batch.lens.agent.source, calls, fuel=self._fuel)
        self._flying.append((batch, pending))

    def _land(self) -> None:
        batch, pending = self._flying.popleft()
        assert self._runner is not None
        for due, reply in zip(batch.dues, pending.replies(), strict=True):
            try:
                why = settled(self._runner, reply, due)
            except HolodeskError as problem:
                self._faults.append((due.seq, problem))
                return
            if why is None:
                self.outcome.replayed += 1
            else:
                self.outcome.unjudge(due.seq, why)

    def _wake(self) -> None:
        seq, pending = self._resting.popleft()
        where = Place(seq=seq)
        reply = pending.replies()[0]
        try:
            rests = not isinstance(reply, Undetermined) and converged(reply, where)
        except (ReplayRefused, Spent) as problem:
            self._faults.append((seq, problem))
            return
        if isinstance(reply, Undetermined):
            self.outcome.unjudge(seq, reply.reason)
        elif rests:
            rule = "expected a converged hologram to rest until a person passes"
            self._faults.append((seq, FrameRefused("LH 3.4", rule, where)))

    def _finish(self) -> None:
        if self._runner is not None:
            for batch in list(self._open.values()):
                self._launch(self._runner, batch)
        while self._flying:
            self._land()
        while self._resting:
            self._wake()
        if self._faults:
            self.outcome.refusal = min(self._faults, key=lambda fault: fault[0])[1]


def _placed(problem: HolodeskError, seq: int) -> HolodeskError:
    """The problem with the frame's place in the chain, where it does not say one."""
    if problem.where.seq is not None:
        return problem
    where = problem.where
    return problem.at(Place(where.stream, seq, where.file, where.line, where.field))


def relive(step: Step) -> str | None:
    """Re-run the log of a step, or repeat its gate's probe; None, or why that cannot be done here.

    Raises:
        ReplayRefused: the log or the digest differs.
    """
    for judged in (step.life, step.admitted):
        if judged is not None:
            if (why := judged.unjudged()) is not None:
                return why
            judged.judge()
    return None


def settled(runner: Runner, reply: Reply, due: Due) -> str | None:
    """As `verdict`; before a tile is called false it is judged once more, in a new instance."""
    try:
        return verdict(reply, due)
    except ReplayRefused:
        return verdict(runner.judge(due.lens.agent.source, due.call), due)


def replay_one(runner: Runner, due: Due) -> str | None:
    """Replay one tile by itself; as `settled`."""
    return settled(runner, runner.submit(due.lens.agent.source, [due.call]).replies()[0], due)


__all__ = ["BATCH", "Follower", "Outcome", "relive", "replay_one", "settled", "verdict"]
