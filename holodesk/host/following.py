"""A chain file shown as it grows: verified, replayed, and never written (LH 3.1; decisions 8).

The frames that hold are kept in a desk file of their own in a temporary folder, so that lineage
and replay read them like any desk's, and memory stays as it is however long the chain grows.
"""

import shutil
import tempfile
from pathlib import Path

from holodesk.errors import Held, Place, Unavailable
from holodesk.hologram.perform import Runner
from holodesk.host.desk import Desk
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.growing import Growing
from holodesk.host.reading import is_desk, no_genesis
from holodesk.host.settings import Settings
from holodesk.store.desk_file import DeskFile

WHY_NOT = "it is a chain file, followed as it grows"


class FollowedChain(Desk):
    """A desk that reads on in a chain file and is never written."""

    def __init__(self, path: Path, settings: Settings, runner: Runner) -> None:
        """Verify and replay what the file holds now.

        Raises:
            Refused: a frame breaks a rule, or the file is empty.
            Unavailable: the file, a disk or the runtime is missing.
        """
        self._growing = Growing(path, runner)
        self.settings = settings
        self.why_not = WHY_NOT
        self._lock = None
        self._pen = None
        self._file = None
        try:
            self._part = Path(tempfile.mkdtemp(prefix="holodesk-"))
            self.folder = self._part / path.stem
            (self.folder / LENSES).mkdir(parents=True)
        except OSError as problem:
            told = f"the chain cannot be kept beside itself: {problem.strerror or problem}"
            raise Unavailable("chain file", told, Place(file=path.name)) from problem
        try:
            self._file = DeskFile.create(self.folder / DESK_FILE)
            while self._read_on():
                pass
            if self._growing.hologram is None:
                raise no_genesis(path)
            self.hologram = self._growing.hologram
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        shutil.rmtree(self._part, ignore_errors=True)

    def reread(self) -> bool:
        """Read on; did the head move? Raises as the opening."""
        moved = self._read_on()
        assert self._growing.hologram is not None
        self.hologram = self._growing.hologram
        return moved

    def _read_on(self) -> bool:
        before = self._growing.hologram
        if made := self._growing.read_on():
            self.file.append(made, None if before is None else before.head.frame_hash)
        return bool(made)


def opened(folder: Path, settings: Settings, runner: Runner, *, read_only: bool) -> Desk:
    """A desk to show: with the pen where it is free, else to read, and why; or a chain file.

    Raises:
        Refused: a frame breaks a rule.
        Held, Unavailable: no desk, or a file, a disk or the runtime is missing.
    """
    if not is_desk(folder):
        return FollowedChain(folder, settings, runner)
    if read_only:
        return Desk(folder, settings, write=False)
    try:
        return Desk(folder, settings, program="show")
    except (Held, Unavailable) as problem:
        desk = Desk(folder, settings, write=False)
        desk.why_not = problem.message
        return desk
