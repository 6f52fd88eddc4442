"""The guests of one worker: each in a thread of its own, one source each, one of them blank (LH 6).

A guest waits for its next request deep inside WebAssembly, so it needs a stack, and with it a
thread, to wait on. Only one of them works at a time, because the host sends one request at a time.
"""

import marshal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from wasmtime import Engine, Module

from holodesk.host.machine import instance
from holodesk.host.machine.boot import BOOT
from holodesk.host.machine.runtime import BATCH_FUEL, FUEL, SHARE_FUEL, START_FUEL
from holodesk.host.machine.wasi import Dismissed, Record, Request
from holodesk.host.machine.wire import FINE, FIRST, Answer

Kind = tuple[str, bool]
"""A source, and whether the gate reads it."""


@dataclass(slots=True)
class Task:
    """Calls for one source, and where their answers go."""

    source: str
    guarded: bool
    alone: bool
    calls: list[tuple[Any, ...]]
    told: Callable[[Answer], None]
    finished: Callable[[bytes, str], None]


@dataclass(frozen=True, slots=True)
class Program:
    """The runtime as it is loaded: with or without fuel, and the guest's code."""

    engine: Engine
    module: Module
    codes: bytes
    metered: bool


@dataclass(eq=False)
class Slot:
    """One thread and the guest in it."""

    replenish: Callable[[], None]
    program: Program | None = None
    kind: Kind | None = None
    used: int = 0
    idle: threading.Event = field(default_factory=threading.Event)
    _orders: "SimpleQueue[Program]" = field(default_factory=SimpleQueue)
    _tasks: "SimpleQueue[Task | None]" = field(default_factory=SimpleQueue)
    _task: Task | None = None
    _findings: Answer | None = None
    _calls: int = 0

    def start(self, program: Program) -> None:
        """Begin the thread; `idle` is set when nothing is left that it would ask the system for."""
        threading.Thread(target=self._live, args=(program,), daemon=True).start()

    def boot(self, program: Program) -> None:
        """Begin a blank guest; `idle` is set when it waits for a source."""
        self.program = program
        self.kind = None
        self.idle.clear()
        self._orders.put(program)

    def give(self, task: Task) -> None:
        self.kind = (task.source, task.guarded)
        self.idle.clear()
        self._tasks.put(task)

    def dismiss(self) -> None:
        """End the guest that waits here, and wait until it is gone."""
        self.idle.wait()
        if self.program is not None:
            self.idle.clear()
            self._tasks.put(None)
            self.idle.wait()

    def _live(self, program: Program) -> None:
        instance.touch(program.engine)
        self.idle.set()
        while True:
            program = self._orders.get()
            self._findings = None
            self._calls = 0
            ending, text = instance.run(
                program.engine,
                program.module,
                self._requests(program).__next__,
                self._told,
                text=BOOT,
                metered=program.metered,
            )
            self.program = self.kind = None
            task, self._task = self._task, None
            self.idle.set()
            if task is not None:
                is_first = self._calls == len(task.calls) == 1 and program.metered
                task.finished(FIRST.get(ending, ending) if is_first else ending, text)
                self.replenish()

    def _requests(self, program: Program) -> Iterator[Request]:
        """What one guest is given, from its own code to its last batch."""
        yield Request(program.codes, START_FUEL, 0)
        self.idle.set()
        while True:
            task = self._tasks.get()
            if task is None:
                raise Dismissed
            self._task = task
            if self._findings is None:
                load = marshal.dumps(("load", task.source, task.guarded), 2)
                yield Request(load, START_FUEL, 1, b"G")
            else:
                task.told(self._findings)
            if task.calls and self._findings is not None and self._findings.octets == b"[]":
                self._calls += len(task.calls)
                calls = marshal.dumps(("calls", task.calls), 2)
                is_whole = task.alone or self._calls == 1
                fuel = FUEL if is_whole else _share(task)
                yield Request(calls, fuel, len(task.calls), b"OBEL")
            self._task = None
            self.idle.set()
            task.finished(FINE, "")
            self.replenish()

    def _told(self, record: Record) -> None:
        task = self._task
        if task is None:
            return
        letter, octets = record.letter, record.octets
        if letter == b"G":
            self._findings = Answer(letter, record.fuel, octets)
        elif record.fuel > BATCH_FUEL and not (task.alone or self._calls == 1):
            letter, octets = b"L", b"fuel"
        task.told(Answer(letter, record.fuel, octets))


def _share(task: Task) -> int:
    return BATCH_FUEL + (len(task.calls) - 1) * SHARE_FUEL


class Slots:
    """A small table of guests: the least used one makes room."""

    def __init__(self, count: int, programs: dict[bool, Program]) -> None:
        self.programs = programs
        self._turn = 0
        self._lock = threading.Lock()
        self._slots = [Slot(self._replenish) for _ in range(count)]

    def warm(self) -> None:
        """Every thread and one blank guest: nothing is left to ask for after the last lock."""
        for slot in self._slots:
            slot.start(self.programs[True])
        for slot in self._slots:
            slot.idle.wait()
        slot = self._slots[0]
        slot.boot(self.programs[True])
        slot.idle.wait()
        if slot.program is None:
            raise RuntimeError("the guest did not start")

    def give(self, task: Task, *, metered: bool) -> None:
        """Hand a task to the guest that holds its source, or to a blank one."""
        with self._lock:
            slot = self._chosen(task, self.programs[metered])
            self._turn += 1
            slot.used = self._turn
            slot.give(task)

    def _chosen(self, task: Task, program: Program) -> Slot:
        kind = (task.source, task.guarded)
        if task.alone:
            for slot in self._slots:
                if slot.kind is not None:
                    slot.dismiss()
        for slot in self._slots:
            if slot.program is program and slot.kind == kind:
                slot.idle.wait()
                if slot.program is program and slot.kind == kind:
                    return slot
        slot = self._blank(program) or self._booted(program)
        slot.idle.wait()
        return slot

    def _blank(self, program: Program) -> Slot | None:
        blank = (slot for slot in self._slots if slot.kind is None and slot.program is program)
        return next(blank, None)

    def _booted(self, program: Program) -> Slot:
        slot = next((one for one in self._slots if one.program is None), None)
        if slot is None:
            slot = min(self._slots, key=lambda one: one.used)
            slot.dismiss()
        slot.boot(program)
        return slot

    def _replenish(self) -> None:
        """After an answer has gone out: have a blank guest ready for the next new source.

        Never waits: who holds the lock may be waiting for the very thread that calls this.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            program = self.programs[True]
            if self._blank(program) is None:
                self._booted(program)
        finally:
            self._lock.release()
