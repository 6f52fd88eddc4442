"""The window's end: starts a host process, asks it, notices its end (decisions 8a).

Nothing here parses a frame. The reader thread sits in the pipe and decodes one bounded message at
a time; both callbacks are called from it.
"""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import msgspec

from holodesk.errors import Place, Unavailable
from holodesk.host.messages import (
    MAX_MESSAGE,
    Leave,
    Notice,
    Request,
    frame_message,
    read_notice,
)

LEAVE_SECONDS: Final = 4.0
"""How long the host may take to release what it holds before it is ended."""
LOST_SECONDS: Final = 0.5
"""How long a host that says nothing more may take to end."""
MOST_WAITING: Final = 4096
"""Requests that wait for a host that takes none just now."""
NO_WINDOW: Final = int(getattr(subprocess, "CREATE_NO_WINDOW", 0))
"""On Windows a process without a window of its own."""


class Client:
    """A host process for one desk. `lost` is called once, when it ends without being told to."""

    def __init__(
        self,
        desk: Path,
        notice: Callable[[Notice], None],
        lost: Callable[[str], None],
        *,
        read_only: bool = False,
    ) -> None:
        """Start the host.

        Raises:
            Unavailable: no process can be started.
        """
        self._notice = notice
        self._lost = lost
        self._leaving = False
        words = [sys.executable, "-m", "holodesk.host.service", os.fspath(desk)]
        try:
            self._process = subprocess.Popen(
                words + (["--read-only"] if read_only else []),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=NO_WINDOW,
            )
        except OSError as problem:
            told = f"the host process cannot be started: {problem.strerror or problem}"
            raise Unavailable("host", told, Place(file=desk.name)) from problem
        self._outbox: queue.Queue[bytes | None] = queue.Queue(MOST_WAITING)
        self._writer = threading.Thread(target=self._write, name="host requests", daemon=True)
        self._writer.start()
        self._reader = threading.Thread(target=self._read, name="host notices", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The host's process."""
        return self._process.pid

    def send(self, request: Request) -> None:
        """Hand a request over without ever waiting, even for a host that hangs.

        One to a host that has ended is dropped (`lost` says so), and so is one to a host that
        takes none while `MOST_WAITING` are waiting.
        """
        with contextlib.suppress(queue.Full):
            self._outbox.put_nowait(frame_message(request))

    def close(self) -> None:
        """Say good-bye, wait a moment, and end the process whatever it does."""
        self._leaving = True
        self.send(Leave())
        with contextlib.suppress(queue.Full):
            self._outbox.put_nowait(None)
        self._end(LEAVE_SECONDS)
        self._writer.join(1)
        if threading.current_thread() is not self._reader:
            self._reader.join(1)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _end(self, seconds: float) -> None:
        """Give the process so long to end by itself, then end it."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _write(self) -> None:
        """Write what waits, in order, until told to stop or the host has ended."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            while (octets := self._outbox.get()) is not None:
                self._process.stdin.write(octets)
                self._process.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        why = "the host process ended"
        while (octets := read_message(self._process.stdout)) is not None:
            try:
                notice = read_notice(octets)
            except (msgspec.DecodeError, RecursionError):
                why = "the host process sent something that is no notice"
                break
            if not self._leaving:
                self._notice(notice)
        if not self._leaving:
            self._end(LOST_SECONDS)
            with contextlib.suppress(queue.Full):
                self._outbox.put_nowait(None)
            self._lost(f"{why} ({self._process.returncode})")


def read_message(stream: IO[bytes]) -> bytes | None:
    """The next message's octets, or None at the end, or where none can follow."""
    try:
        length = int.from_bytes(_exactly(stream, 4), "little")
        return None if length > MAX_MESSAGE else _exactly(stream, length)
    except (EOFError, OSError, ValueError):
        return None


def _exactly(stream: IO[bytes], wanted: int) -> bytes:
    octets = b""
    while len(octets) < wanted:
        more = stream.read(wanted - len(octets))
        if not more:
            raise EOFError
        octets += more
    return octets
