"""The window's part in a test of the real host process: what it was told, waited for in order."""

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from holodesk.host.client import Client
from holodesk.host.messages import (
    AskDetail,
    AskLineage,
    Choose,
    HeadMoved,
    Notice,
    Preview,
    Refusal,
    ReplayNow,
    Request,
    SetCaller,
    Turn,
)

WAIT = 60.0
"""Seconds until something that never comes fails its test; nothing waits so long by plan."""
Kind = TypeVar("Kind")


class Window:
    """Keeps every notice; `wait` looks at those not seen by it yet, and waits for more."""

    def __init__(self, desk: Path, *, read_only: bool = False) -> None:
        self.notices: list[Notice] = []
        self.losses: list[str] = []
        self._more = threading.Condition()
        self._at = 0
        self._ids = itertools.count(1)
        self.client = Client(desk, self._told, self._lost, read_only=read_only)

    def _told(self, notice: Notice) -> None:
        with self._more:
            self.notices.append(notice)
            self._more.notify_all()

    def _lost(self, why: str) -> None:
        with self._more:
            self.losses.append(why)
            self._more.notify_all()

    def wait(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda notice: True) -> Kind:
        """The next notice of a kind that fits; those before it count as seen."""
        ends = time.monotonic() + WAIT
        with self._more:
            while True:
                while self._at < len(self.notices):
                    notice = self.notices[self._at]
                    self._at += 1
                    if isinstance(notice, kind) and fits(notice):
                        return notice
                left = ends - time.monotonic()
                told = [type(notice).__name__ for notice in self.notices]
                assert left > 0, f"{kind.__name__} never came; told were {told}, {self.losses}"
                assert not self.losses, self.losses
                self._more.wait(left)

    def wait_lost(self) -> str:
        """Why the host is gone, as the client says it."""
        with self._more:
            assert self._more.wait_for(lambda: bool(self.losses), WAIT)
        return self.losses[0]

    def head(self, seq: int) -> HeadMoved:
        return self.wait(HeadMoved, lambda moved: moved.seq == seq)

    def ask(self, make: Callable[[int], Request]) -> int:
        number = next(self._ids)
        self.client.send(make(number))
        return number

    def choose(self, lens: str, **params: Any) -> int:
        return self.ask(lambda number: Choose(number, lens, params))

    def preview(self, lens: str, **params: Any) -> int:
        return self.ask(lambda number: Preview(number, lens, params))

    def turn(self, control: str, value: int, detail: dict[str, Any] | None = None) -> int:
        return self.ask(lambda number: Turn(number, control, value, detail))

    def rows(self, before: int | None = None, count: int = 200) -> int:
        return self.ask(lambda number: AskLineage(number, before, count))

    def detail(self, seq: int) -> int:
        return self.ask(lambda number: AskDetail(number, seq))

    def replay(self, seq: int) -> int:
        return self.ask(lambda number: ReplayNow(number, seq))

    def caller(self, caller: str, script: str | None = None) -> int:
        return self.ask(lambda number: SetCaller(number, caller, script))

    def answer(self, kind: type[Kind], number: int) -> Kind:
        """The answer to a request; a refusal of it fails the test unless it is what is asked."""

        def fits(notice: Any) -> bool:
            return bool(notice.id == number)

        return self.wait(kind, fits)

    def refused(self, number: int) -> Refusal:
        return self.answer(Refusal, number)

    def close(self) -> None:
        self.client.close()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run (Linux)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(status[1]) == pid and status[0] != "Z":
                found.append(int(entry.name))
    return found


def is_running(pid: int) -> bool:
    """Is there such a process, ended ones that nobody waited for aside (Linux)?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_ended(pids: list[int]) -> list[int]:
    """Those of some processes that still run after the wait."""
    ends = time.monotonic() + 20
    while (left := [pid for pid in pids if is_running(pid)]) and time.monotonic() < ends:
        threading.Event().wait(0.02)
    return left


def descriptors() -> int:
    """How many files this process holds open (Linux)."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
