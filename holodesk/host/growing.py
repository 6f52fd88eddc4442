"""A chain file read on as it grows: only what was verified and replayed is told (LH 3.1)."""

from pathlib import Path

from holodesk.errors import HolodeskError, Place, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.host import clock
from holodesk.host.recall import Recall
from holodesk.rapp.frame import Frame
from holodesk.store.exchange import Tail


class Growing:
    """One growing chain file, and the hologram as far as it was read."""

    def __init__(self, path: Path, runner: Runner) -> None:
        self.hologram: Hologram | None = None
        self._path = path
        self._runner = runner
        self._tail = Tail(path)
        self._waiting: list[bytes] = []
        self._recall: Recall | None = None

    def read_on(self) -> list[Frame]:
        """The frames that came since the last call, a few MiB at most; all of them hold.

        Raises:
            Refused: a frame breaks a rule, is from the future, or the file was cut.
            Unavailable: the file cannot be read, or a frame cannot be judged here; the next call
                tries the same frames again.
        """
        self._waiting = self._waiting or self._tail.read()
        if not self._waiting:
            return []
        self._recall = self._recall or Recall(self._waiting[0])
        made: list[Frame] = []
        follower = Follower(self._runner, start=self.hologram, known=self._recall)
        outcome = follower.follow(self._waiting, lambda frame, hologram: made.append(frame))
        if outcome.refusal is not None:
            raise _placed(outcome.refusal, self._path)
        if outcome.undetermined:
            seq, reason = outcome.undetermined[0]
            told = f"the chain could not be judged here: {reason}"
            raise Unavailable("LH 3.3", told, Place(file=self._path.name, seq=seq))
        assert outcome.hologram is not None
        clock.check_clock(outcome.hologram.head.utc, Place(file=self._path.name))
        self.hologram, self._waiting = outcome.hologram, []
        return made


def _placed(problem: HolodeskError, path: Path) -> HolodeskError:
    where = problem.where
    if where.file is not None:
        return problem
    return problem.at(Place(where.stream, where.seq, path.name, where.line, where.field))
