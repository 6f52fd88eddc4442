"""How much faster than it was lived a reflex log is re-run (LH 3.6; reflex 12)."""

import argparse
from time import process_time
from typing import Final

from holodesk.cli.benches.figures import Bench
from holodesk.errors import Place
from holodesk.rapp.canonical import Json, canonical, parse
from holodesk.reflex.log import Recorder, rerun
from holodesk.reflex.segment import begin
from holodesk.reflex.shape import MAX_TICKS
from holodesk.reflex.world import Event

RUNS: Final = 3
TICK_MS: Final = 50
HEAD: Final = "ab" * 32
T0: Final = "2026-01-01T12:00:00.000Z"
CREATURE: Final[Json] = {
    "schema": "creature/1",
    "at": {"x": 10, "y": -5, "z": 20},
    "facing": 20,
    "temper": {"hue": 190, "energy": 60, "mood": "playful"},
    "memories": [{"words": "Somebody was here.", "weight": 3}],
}


def crowd(bodies: int) -> Json:
    """A world of so many bodies."""
    return {
        "schema": "world/1",
        "light": 60,
        "bodies": [{"id": f"b{n}", "x": n % 20 * 9 - 90, "y": n // 20 * 30} for n in range(bodies)],
    }


def measure(args: argparse.Namespace) -> Bench:
    """Processor time of a lived tick beside its 50 ms, and a re-run beside the life."""
    alone, sixty = recording_ms(), recording_ms(crowd(60))
    return Bench(
        figures={"tick_ms": alone, "tick_ms_60_bodies": sixty},
        ratios={
            "rerun_x": rerun_times(),
            "rerun_x_60_bodies": rerun_times(crowd(60)),
            "tick_share": alone / TICK_MS,
            "tick_share_60_bodies": sixty / TICK_MS,
        },
    )


def rerun_times(object: Json = CREATURE) -> float:
    """Seconds of a minute's life for one of its re-run, the best of some."""
    begun = begin(object, head=HEAD, seq=1, t0=T0, budget=4000, membrane=1, gates={})
    recorder = Recorder(begun.segment)
    while not recorder.full:
        recorder.tick(_met(recorder.ticks))
    log = parse(canonical(recorder.payload()))
    assert isinstance(log, dict)
    best = float("inf")
    for _ in range(RUNS):
        start = process_time()
        rerun(log, begun.segment, Place())
        best = min(best, process_time() - start)
    return MAX_TICKS / 20 / best


def recording_ms(object: Json = CREATURE, ticks: int = 400) -> float:
    """Milliseconds of one recorded tick, on average, everything included."""
    begun = begin(object, head=HEAD, seq=1, t0=T0, budget=4000, membrane=1, gates={})
    best = float("inf")
    for _ in range(RUNS):
        recorder = Recorder(begun.segment)
        start = process_time()
        for now in range(ticks):
            recorder.tick(_met(now))
        best = min(best, process_time() - start)
    return best / ticks * 1000


def _met(now: int) -> tuple[Event, ...]:
    """A visitor who moves, and touches it now and then."""
    if now % 7:
        return ()
    near = Event("near", {"x": now * 3 % 6000 - 3000, "z": -2500})
    return (near, Event("poke", {"x": 10, "z": 20})) if now % 70 == 0 else (near,)
