"""A chain file shown as it grows: verified, replayed, and never written (LH 3.1; decisions 8).

The frames that hold are kept in a desk file of their own in a temporary folder, so that lineage
and replay read them like any desk's, and memory stays as it is however long the chain grows.
"""

import shutil
import tempfile
from pathlib import Path

from holodesk.errors import Place, Refused, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.host.desk import Desk
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.settings import Settings
from holodesk.rapp import frame as frames
from holodesk.store.desk_file import DeskFile
from holodesk.store.exchange import Tail

WHY_NOT = "it is a chain file, followed as it grows"


class FollowedChain(Desk):
    """A desk that reads on in a chain file and is never written."""

    def __init__(self, path: Path, settings: Settings, runner: Runner) -> None:
        """Verify and replay what the file holds now.

        Raises:
            Refused: a frame breaks a rule, or the file is empty.
            Unavailable: the file, a disk or the runtime is missing.
        """
        self._tail = Tail(path)
        self._runner = runner
        self._path = path
        self._part = Path(tempfile.mkdtemp(prefix="holodesk-"))
        self.folder = self._part / path.stem
        self.settings = settings
        self.why_not = WHY_NOT
        self._lock = None
        self._pen = None
        self._file = None
        try:
            (self.folder / LENSES).mkdir(parents=True)
            self._file = DeskFile.create(self.folder / DESK_FILE)
            hologram = self._read_on(None)
            if hologram is None:
                told = "expected frames, found none"
                raise Refused("LH 3.1", told, Place(file=path.name))
            self.hologram = hologram
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        shutil.rmtree(self._part, ignore_errors=True)

    def reread(self) -> bool:
        """Read on; did the head move? Raises as the opening."""
        before = self.hologram.head.seq
        found = self._read_on(self.hologram)
        if found is not None:
            self.hologram = found
        return self.hologram.head.seq != before

    def _read_on(self, hologram: Hologram | None) -> Hologram | None:
        lines = self._tail.read()
        if not lines:
            return hologram
        outcome = Follower(self._runner, start=hologram).follow(lines)
        if outcome.refusal is not None:
            raise outcome.refusal
        if outcome.undetermined:
            seq, reason = outcome.undetermined[0]
            told = f"the chain could not be judged here: {reason}"
            raise Unavailable("LH 3.3", told, Place(file=self._path.name, seq=seq))
        made = [frames.parse(line, HOUSE_KINDS) for line in lines]
        self.file.append(made, None if hologram is None else hologram.head.frame_hash)
        return outcome.hologram
