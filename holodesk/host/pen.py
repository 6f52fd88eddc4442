"""Only one host holds a desk's pen; a second is told who (decisions 8a).

The lock is the operating system's, so it ends with its process, however that ends.
"""

import contextlib
import json
import os
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from holodesk.errors import Held, Place, Unavailable
from holodesk.host.clock import now

LOCK: Final = "pen.lock"
HOLDER: Final = "pen.json"


class Pen:
    """The pen of one desk folder, held until `release`."""

    def __init__(self, desk: Path, program: str) -> None:
        """Take the pen.

        Raises:
            Held: another process has it; the message says which.
            Unavailable: the folder cannot be written.
        """
        self._holder = desk / HOLDER
        self._lock = FileLock(desk / LOCK, timeout=0, thread_local=False)
        try:
            self._lock.acquire()
        except Timeout:
            raise Held("LH 3.4", f"{told_holder(desk)} holds the pen", _place(desk)) from None
        except OSError as problem:
            told = f"the desk cannot be written: {problem.strerror or problem}"
            raise Unavailable("desk", told, _place(desk)) from problem
        holder = {"pid": os.getpid(), "program": program, "since": now()}
        try:
            self._holder.write_text(json.dumps(holder), encoding="utf-8")
        except OSError as problem:
            self._lock.release()
            told = f"the desk cannot be written: {problem.strerror or problem}"
            raise Unavailable("desk", told, _place(desk)) from problem

    def release(self) -> None:
        with contextlib.suppress(OSError):
            self._holder.unlink()
        self._lock.release()


def told_holder(desk: Path) -> str:
    """Who holds the pen, in words for a person."""
    try:
        holder = json.loads((desk / HOLDER).read_text(encoding="utf-8"))
        return f"holodesk {holder['program']} (process {holder['pid']}, since {holder['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another holodesk"


def _place(desk: Path) -> Place:
    return Place(file=desk.name)
