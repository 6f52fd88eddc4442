"""The window's end: starts a host process, asks it, notices its end (decisions 8a).

Nothing here parses a frame. The reader thread sits in the pipe and decodes one bounded message at
a time; both callbacks are called from it.
"""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

import msgspec

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
        self._notice = notice
        self._lost = lost
        self._leaving = False
        words = [sys.executable, "-m", "holodesk.host.service", str(desk)]
        self._process = subprocess.Popen(
            words + (["--read-only"] if read_only else []),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, name="host notices", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The host's process."""
        return self._process.pid

    def send(self, request: Request) -> None:
        """Hand a request over; one to a host that has ended is dropped (`lost` says so)."""
        octets = frame_message(request)
        with self._lock, contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(octets)
            self._process.stdin.flush()

    def close(self) -> None:
        """Say good-bye, wait a moment, and end the process whatever it does."""
        self._leaving = True
        self.send(Leave())
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(LEAVE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(1)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        why = "the host process ended"
        while (octets := read_message(self._process.stdout)) is not None:
            try:
                notice = read_notice(octets)
            except msgspec.DecodeError:
                why = "the host process sent something that is no notice"
                self._process.kill()
                break
            if not self._leaving:
                self._notice(notice)
        if not self._leaving:
            self._process.wait()
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
