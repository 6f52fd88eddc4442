"""One worker process as the host sees it: started without a shell, spoken to, and ended (LH 6)."""

import contextlib
import json
import os
import select
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import holodesk
from holodesk.host.machine.cache import (
    Prepared,
    clean_environment,
    interpreter,
    packages,
    unavailable,
)
from holodesk.host.machine.runtime import INSTANCES, MAX_REPLY, MAX_RESULT
from holodesk.host.machine.verdict import BEGUN, LATE, LOST, Outcome, findings
from holodesk.host.machine.wire import (
    DONE,
    PART,
    READY,
    BadMessage,
    framed,
    read_done,
    read_message,
    unpacked,
)

START_SECONDS: Final = 60.0
_SEND_SECONDS: Final = 10.0
_CHILD: Final = Path(__file__).resolve().parent / "child.py"
_SLACK: Final = 1 << 16


class Lost(Exception):
    """The process is gone, or speaks no more."""


class Worker:
    """A process, its pipes, and the thread that hears it."""

    def __init__(self, prepared: Prepared) -> None:
        root = Path(holodesk.__file__).resolve().parent.parent
        place = {
            "root": str(root),
            "packages": str(packages()),
            "codes": str(prepared.codes),
            "metered": str(prepared.metered),
            "unmetered": str(prepared.unmetered) if prepared.unmetered else None,
        }
        self.runs_unmetered = prepared.unmetered is not None
        self.walls: tuple[str, ...] = ()
        self.milliseconds = 0
        self.finished = threading.Event()
        self._is_ready = False
        self._octets = 0
        self._sources: list[str] = []
        self._heard: SimpleQueue[bytes | None] = SimpleQueue()
        try:
            self._process = subprocess.Popen(
                [interpreter(), "-I", "-S", "-B", "-X", "utf8", str(_CHILD), json.dumps(place)],
                cwd=root.anchor,
                env=clean_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
            )
        except OSError as refusal:
            raise unavailable(f"its worker could not be started: {refusal.strerror}") from None
        self._listener = threading.Thread(target=self._hear, name="machine worker", daemon=True)
        self._listener.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _hear(self) -> None:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        message: bytes | None = b""
        while message is not None:
            try:
                message = read_message(descriptor, MAX_REPLY + _SLACK)
            except (OSError, ValueError, BadMessage):
                message = None
            self._octets += len(message or b"")
            if self._octets > MAX_REPLY + _SLACK:
                self._process.kill()
                message = None
            self._heard.put(message)
            if message is None or message[:1] == DONE:
                self.finished.set()

    def await_ready(self) -> None:
        """Wait until the worker stands behind its locks.

        Raises:
            Unavailable: it did not start.
        """
        if self._is_ready:
            return
        with contextlib.suppress(Empty):
            message = self._heard.get(timeout=START_SECONDS)
            if message is not None and message[:1] == READY:
                self.walls = tuple(json.loads(message[1:]))
                self._is_ready = True
                return
        raise unavailable(f"its worker did not start: {self.last_words()}")

    def holds(self, source: str) -> bool:
        """Whether a guest with this source should be ready in it."""
        return source in self._sources

    def send(self, source: str, octets: bytes) -> None:
        """Hand over one request.

        Raises:
            Lost: the process is gone or does not take it.
        """
        self.finished.clear()
        self._octets = 0
        if source in self._sources:
            self._sources.remove(source)
        self._sources = [*self._sources, source][-(INSTANCES - 1) :]
        assert self._process.stdin is not None
        if self._process.poll() is not None:
            raise Lost("the worker ended before it was asked")
        try:
            _write(self._process.stdin.fileno(), framed(octets))
        except (OSError, ValueError) as refusal:
            raise Lost(str(refusal)) from None

    def outcome(self, seconds: float) -> Outcome:
        """Everything that comes back for a request, up to its end or the wall limit."""
        until = time.monotonic() + seconds
        outcome = BEGUN
        try:
            while True:
                message = self._next(until - time.monotonic())
                if message[:1] == PART:
                    outcome = outcome.more(unpacked(message[1:], MAX_RESULT))
                    continue
                done = read_done(message, MAX_RESULT)
                self.milliseconds = done.milliseconds
                outcome = outcome.more(done.answers)
                findings(outcome.gate)
                return replace(outcome, ending=done.ending, text=done.text)
        except TimeoutError:
            return replace(outcome, ending=LATE)
        except Lost as loss:
            return replace(outcome, ending=LOST, text=str(loss))
        except (BadMessage, ValueError, TypeError) as refusal:
            return replace(outcome, ending=LOST, gate=None, answers=(), text=str(refusal))

    def _next(self, seconds: float) -> bytes:
        try:
            message = self._heard.get(timeout=max(0.0, seconds))
        except Empty:
            raise TimeoutError from None
        if message is None:
            self._heard.put(None)
            raise Lost(self.last_words())
        return message

    def last_words(self) -> str:
        """Why a process is gone, as far as can be told."""
        self.end()
        assert self._process.stderr is not None
        try:
            words = self._process.stderr.read().decode("utf-8", "replace").strip()
        except (OSError, ValueError):
            words = ""
        code = self._process.returncode
        return words.splitlines()[-1] if words else f"the worker ended with {code}"

    def end(self) -> None:
        """Kill it, if it still lives, and take it off the system's table."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it and let its pipes go."""
        self.end()
        self._listener.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _write(descriptor: int, octets: bytes) -> None:
    """Every octet, or OSError when the other side does not take them in time."""
    view = memoryview(octets)
    if os.name != "posix":
        while view:
            view = view[os.write(descriptor, view) :]
        return
    os.set_blocking(descriptor, False)
    until = time.monotonic() + _SEND_SECONDS
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:
            if not select.select([], [descriptor], [], max(0.0, until - time.monotonic()))[1]:
                raise OSError("the worker does not read") from None
