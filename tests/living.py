"""Bodies that live for a test: segments of a chain, ticked on a script of events."""

from collections.abc import Mapping, Sequence
from typing import Any

from holodesk.hologram import kinds, reflexes
from holodesk.hologram.chain import Hologram
from holodesk.rapp.canonical import Json, canonical, parse
from holodesk.rapp.frame import Frame
from holodesk.reflex import engine
from holodesk.reflex.body import Run
from holodesk.reflex.log import Recorder
from holodesk.reflex.segment import Begun, Previous, Segment, begin
from holodesk.reflex.world import Event
from tests.simulator import HologramSimulator

HEAD = "ab" * 32
T0 = "2026-11-30T12:30:00.000Z"
Script = Mapping[int, Sequence[Event]]

POKE = Event("poke", {"x": 120, "z": -300})
VISIT: Script = {
    15: (Event("enter", {"x": 2000, "z": -3000}),),
    40: (POKE,),
    45: (Event("near", {"x": 1500, "z": -2000}), POKE),
    130: (POKE,),
    260: (Event("leave", {}),),
}
"""Somebody comes, touches it three times, and leaves."""


def begun(
    object: Json,
    *,
    budget: int = 4000,
    membrane: int = 1,
    gates: Mapping[str, str] | None = None,
    previous: Previous | None = None,
) -> Begun:
    """The segment of an object at a head of its own."""
    return begin(
        object,
        head=HEAD,
        seq=7,
        t0=T0,
        budget=budget,
        membrane=membrane,
        gates=gates or {},
        previous=previous,
    )


def live(
    segment: Segment,
    script: Script = VISIT,
    ticks: int = 500,
    *,
    late: Mapping[int, int] | None = None,
    aborts: Sequence[int] = (),
    run: Run = engine.run,
) -> Recorder:
    """A body that lived: `late` passes over so many ticks at a tick, `aborts` names ended ones."""
    recorder = Recorder(segment, run)
    while (now := recorder.ticks) < ticks:
        if late and now in late:
            recorder.late(late[now])
        elif now in aborts:
            recorder.abort(script.get(now, ()))
        else:
            recorder.tick(script.get(now, ()))
    return recorder


def told(recorder: Recorder) -> Any:
    """A log as a stranger reads it: through its canonical octets."""
    return parse(canonical(recorder.payload()))


def segment_of(hologram: Hologram, t0: str | None = None) -> Begun:
    """The segment that begins at a hologram's head."""
    newest = hologram.lived.newest
    return reflexes.segment_at(hologram.object, hologram.moment, newest, t0 or hologram.head.utc)


def lived(sim: HologramSimulator, script: Script = VISIT, ticks: int = 500, **more: Any) -> Frame:
    """A segment lived at the simulator's head, and its log appended."""
    recorder = live(segment_of(sim.hologram).segment, script, ticks, **more)
    after = sim.hologram.head.frame_hash
    return sim.write(kinds.REFLEX, reflexes.log_payload(recorder.payload(), after))
