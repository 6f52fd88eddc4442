"""A pass until it is acknowledged: performed, judged, signed and on disk (LH 3.4)."""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from holodesk.cli.benches.figures import Bench
from holodesk.hologram.tile import Caller
from holodesk.host.desk import Desk
from holodesk.host.desks import from_kind, make_desk
from holodesk.host.runner import open_machine
from holodesk.host.settings import Settings
from holodesk.portal.caller import Choice

PASSES = 60
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
    return Bench(
        figures={
            "ack_ms_median": statistics.median(taken),
            "ack_ms_p95": sorted(taken)[int(len(taken) * 0.95)],
            "passes": PASSES,
        }
    )
