"""A pass until it is acknowledged: performed, judged, signed and on disk (LH 3.4)."""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from holodesk.cli.benches.figures import Bench
from holodesk.errors import Unavailable
from holodesk.hologram.perform import Answered, Call, Runner
from holodesk.hologram.tile import Caller
from holodesk.host.desk import Desk
from holodesk.host.desks import from_kind, make_desk
from holodesk.host.runner import open_machine
from holodesk.host.settings import Settings
from holodesk.portal.caller import Choice

PASSES = 60
BATCH = 64
LENS = """from agents.basic_agent import BasicAgent


class Echo(BasicAgent):
    name = "Echo"
    metadata = {
        "name": "Echo",
        "description": "Keep the way. Use it for timing; without it nothing is timed.",
        "parameters": {
            "type": "object",
            "properties": {"toward": {"type": "string", "description": "Which way."}},
        },
    }

    def perform(self, **params):
        return {"object": {"toward": params["toward"]}, "data_slush": {}}
"""
WAYS = ("left", "far", "right", "near")


def measure(args: argparse.Namespace) -> Bench:
    """Milliseconds from a choice to its acknowledgement, on a desk of its own."""
    taken = []
    with tempfile.TemporaryDirectory() as folder, open_machine(1) as machine:
        desk_folder = Path(folder) / "bench"
        make_desk(desk_folder, from_kind("creature"))
        with Desk(desk_folder, Settings(), program="bench") as desk:
            for number in range(PASSES + 1):
                start = time.perf_counter()
                choice = Choice(
                    "Drift", {"toward": WAYS[number % 4], "distance": 8}, Caller("bench", "script")
                )
                desk.take(desk.open_pass(machine), choice)
                taken.append((time.perf_counter() - start) * 1000)
    taken = taken[1:]
    with open_machine(1) as machine:
        _answer(machine, 0)
        start = quickest(5, _start_python)
        numbers = iter(range(1, 99))
        fresh = quickest(4, lambda: _answer(machine, next(numbers)))
        live = quickest(30, lambda: _answer(machine, 0))
        batched = quickest(8, lambda: _answers(machine, BATCH)) / BATCH
    return Bench(
        figures={
            "ack_ms_median": statistics.median(taken),
            "ack_ms_p95": sorted(taken)[int(len(taken) * 0.95)],
            "passes": PASSES,
            "fresh_lens_ms": fresh * 1000,
            "live_call_ms": live * 1000,
        },
        ratios={"fresh_lens_vs_python_start": fresh / start, "live_vs_batched": live / batched},
    )


def _start_python() -> None:
    subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)


def quickest(times: int, act: Callable[[], object]) -> float:
    """The least seconds of several: what the work needs when nothing else is in the way."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        found.append(time.perf_counter() - start)
    return min(found)


def _answer(machine: Runner, number: int) -> None:
    """A lens that the machine has not seen, unless the number was used before."""
    _ask(machine, f"{LENS}# {number}\n", 1)


def _answers(machine: Runner, many: int) -> None:
    _ask(machine, LENS, many)


def _ask(machine: Runner, source: str, many: int) -> None:
    one = Call(b"null", b"{}", b'{"toward":"left"}')
    replies = list(machine.submit(source, [one] * many).replies())
    if not all(isinstance(reply, Answered) for reply in replies):
        raise Unavailable("machine", "the bench's own lens was not answered")
