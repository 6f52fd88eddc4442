"""The program of a worker process: guests behind locks, and nothing else of holodesk (LH 6).

Started by its file with a clean environment and one argument, a JSON object: where the packages and
the project's modules are, and the files of the compiled cache. It loads no other module of holodesk
than those of this room.
"""

import json
import marshal
import os
import sys
import threading
import time
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holodesk.host.machine.wire import Answer

STACK = 4 << 20
FLUSH_OCTETS = 32 << 10
FLUSH_SECONDS = 0.25


def _own_modules(root: str, packages: str) -> None:
    """Make this room's modules importable without running any package's own file."""
    sys.path.append(packages)
    folder = root
    for name in ("holodesk", "holodesk.host", "holodesk.host.machine"):
        folder = os.path.join(folder, name.rpartition(".")[2])  # noqa: PTH118
        package = ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package


def _move_pipes() -> tuple[int, int]:
    """The request and reply pipes, away from the descriptors that other code would write to."""
    requests, replies = os.dup(0), os.dup(1)
    _to_nothing(0, 1)
    os.closerange(max(requests, replies) + 1, 256)
    return requests, replies


def _to_nothing(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
    os.close(nothing)


class Replies:
    """What goes back to the host: parts while work goes on, then the end."""

    def __init__(self, descriptor: int) -> None:
        from holodesk.host.machine import wire

        self._wire = wire
        self._descriptor = descriptor
        self._waiting: list[Answer] = []
        self._size = 0
        self._since = time.monotonic()

    def send(self, octets: bytes) -> None:
        self._wire.write_all(self._descriptor, self._wire.framed(octets))

    def told(self, answer: "Answer") -> None:
        self._waiting.append(answer)
        self._size += len(answer.octets)
        if self._size > FLUSH_OCTETS or time.monotonic() > self._since + FLUSH_SECONDS:
            self.send(self._wire.PART + self._wire.packed(self._take()))

    def finished(self, ending: bytes, text: str) -> None:
        milliseconds = int(time.process_time() * 1000)
        done = self._wire.Done(ending, text, milliseconds, tuple(self._take()))
        self.send(self._wire.done_message(done))

    def begin(self) -> None:
        self._since = time.monotonic()

    def _take(self) -> "list[Answer]":
        waiting, self._waiting = self._waiting, []
        self._size = 0
        self._since = time.monotonic()
        return waiting


def main() -> None:
    place = json.loads(sys.argv[1])
    _own_modules(place["root"], place["packages"])
    from holodesk.host.machine import locks, wire
    from holodesk.host.machine.engine import load
    from holodesk.host.machine.runtime import INSTANCES
    from holodesk.host.machine.slots import Program, Slots, Task

    requests, replies_at = _move_pipes()
    replies = Replies(replies_at)
    with open(place["codes"], "rb") as file:  # noqa: PTH123
        codes = file.read()
    programs: dict[bool, Program] = {}
    for metered, name in ((True, "metered"), (False, "unmetered")):
        if place.get(name):
            engine, module = load(place[name], metered=metered)
            programs[metered] = Program(engine, module, codes, metered)
    nothing = os.open(os.devnull, os.O_RDWR)
    walls = [locks.leave_privileges(), locks.limit_work(), locks.no_new_privileges()]
    walls.append(locks.landlock())
    threading.stack_size(STACK)
    slots = Slots(INSTANCES, programs)
    slots.warm()
    os.dup2(nothing, 2)
    os.close(nothing)
    locks.limit_new()
    walls.append(locks.seccomp())
    replies.send(wire.READY + json.dumps([wall for wall in walls if wall]).encode())
    while True:
        message = wire.read_message(requests, wire.MAX_REQUEST)
        if message is None:
            os._exit(0)
        source, flags, calls = marshal.loads(message)  # noqa: S302  from the host itself
        replies.begin()
        task = Task(
            source,
            not flags & wire.UNGUARDED,
            bool(flags & wire.ALONE),
            calls,
            replies.told,
            replies.finished,
        )
        metered = bool(flags & wire.METERED) or False not in programs
        slots.give(task, metered=metered)


if __name__ == "__main__":
    try:
        main()
    except BaseException as failure:  # noqa: BLE001  the host hears why, whatever it is
        text = f"{type(failure).__name__}: {failure}"
        os.write(2, text.encode("utf-8", "replace")[:2000])
        os._exit(1)
