"""Frames as JSON Lines, one canonical frame a line: export, import, follow (decisions 8).

Nothing here is trusted: lines are octets, handed on to be verified like anybody's.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from holodesk.errors import Place, Refused, Unavailable
from holodesk.rapp.canonical import MAX_OCTETS
from holodesk.store.plain import open_plain
from holodesk.store.whole import whole_file

MAX_LINE: Final = MAX_OCTETS * 2
"""The longest line read; a frame is at most 1 MiB canonical (rapp/1 7.1)."""
TOGETHER: Final = 2 * MAX_LINE
"""Octets of a growing file read at once."""


def read_lines(path: Path) -> Iterator[bytes]:
    """The frames of a JSON Lines file as octets, without their line ends.

    Raises:
        Refused: an empty file, or a line that is too long or cut off.
        Unavailable: no such file, or it cannot be read.
    """
    seen = 0
    try:
        with open_plain(path) as lines:
            while line := lines.readline(MAX_LINE + 1):
                seen += 1
                if len(line) > MAX_LINE:
                    raise Refused(
                        "rapp/1 7.1",
                        f"expected a line of at most {MAX_LINE} octets, found more",
                        Place(file=path.name, line=seen),
                    )
                yield line.rstrip(b"\r\n")
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from problem
    if seen == 0:
        raise Refused("chain file", "expected frames, found an empty file", Place(file=path.name))


def write_lines(frames: Iterable[bytes], path: Path) -> int:
    """Write frames as JSON Lines, whole or not at all; how many there were.

    Raises:
        Unavailable: no plain file, or the disk refuses; what was at `path` is as it was.
    """
    count = 0
    try:
        with whole_file(_plain(path)) as out:
            for octets in frames:
                out.write(octets + b"\n")
                count += 1
    except OSError as problem:
        told = f"the chain cannot be written: {problem.strerror or problem}"
        raise Unavailable("chain file", told, Place(file=path.name)) from problem
    return count


def _plain(path: Path) -> Path:
    """The file behind a path; never a folder, a device or a pipe, which a rename would replace."""
    try:
        found = path.resolve()
        if found.is_file() or not found.exists():
            return found
    except (ValueError, RuntimeError) as problem:
        raise Unavailable("chain file", f"no file can be there: {problem}") from problem
    told = "expected a plain file to write to"
    raise Unavailable("chain file", told, Place(file=path.name))


class Tail:
    """Reads on in a growing file: only lines that are complete, each once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._line = 0
        self._rest = b""

    def read(self) -> list[bytes]:
        """The lines that became complete since the last call.

        Raises:
            Refused: the file became shorter, or a line is too long.
            Unavailable: the file cannot be read.
        """
        try:
            with open_plain(self._path) as lines:
                size = lines.seek(0, os.SEEK_END)
                if size < self._offset:
                    raise Refused(
                        "rapp/1 7.6",
                        f"expected the file to grow, found it cut to {size} octets",
                        Place(file=self._path.name),
                    )
                lines.seek(self._offset)
                read = lines.read(TOGETHER)
        except (OSError, ValueError) as problem:
            raise _unreadable(self._path, problem) from problem
        self._offset += len(read)
        *complete, self._rest = (self._rest + read).split(b"\n")
        self._line += len(complete)
        if len(self._rest) > MAX_LINE or any(len(line) > MAX_LINE for line in complete):
            raise Refused(
                "rapp/1 7.1",
                f"expected a line of at most {MAX_LINE} octets, found more",
                Place(file=self._path.name, line=self._line + 1),
            )
        return [line.rstrip(b"\r") for line in complete]


def _unreadable(path: Path, problem: OSError | ValueError) -> Unavailable:
    told = f"the chain file cannot be read: {getattr(problem, 'strerror', None) or problem}"
    return Unavailable("chain file", told, Place(file=path.name))
