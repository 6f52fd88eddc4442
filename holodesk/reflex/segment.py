"""What a stretch of life begins with: the head, the routines and where each body stands (LH 3.6).

Everything in a Segment follows from the chain and one recorded moment, so that a verifier builds
the same one; nothing in it is chosen by whoever lives it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from holodesk.errors import RoutineRefused
from holodesk.rapp.canonical import Json
from holodesk.reflex.body import Routine, Transient, share
from holodesk.reflex.mirror import admitted_program
from holodesk.reflex.program import Program
from holodesk.reflex.routines import GRANTED, Draft, drafts
from holodesk.reflex.world import Body, body_from

SEED_TAG: Final = b"rl/1:seed"
CLOSED, HOST, FRESH, STALE = range(4)
"""The four positions of the membrane (decisions 4)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """All that ticks depend on besides events.

    `came_from` is the frame_hash of the log that this one goes on from, `t0` a utc. A budget of 0
    means still: nothing ticks.
    """

    head: str
    came_from: str | None
    t0: str
    budget: int
    membrane: int
    facts: Mapping[str, Json]
    routines: tuple[Routine, ...]
    start: Transient


@dataclass(frozen=True, slots=True)
class Previous:
    """What a log leaves to the next: its ticks, the routines it ran, and its `final`."""

    frame_hash: str
    ticks: int
    subjects: Mapping[str, str]
    final: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Begun:
    """A segment and what its routines came from: drafts as settled, with why each fell back."""

    segment: Segment
    drafts: tuple[Draft, ...]


def seed_of(head: str) -> str:
    """The seed of a segment, as hex: SHA-256 over the tag and the head's octets."""
    return sha256(SEED_TAG + bytes.fromhex(head)).hexdigest()


def admits(membrane: int, kind: str, payload: Mapping[str, Json]) -> bool:
    """May this come in (LH 3.10)? Hands on the ghost are host facts; outside frames are marked."""
    if kind != "env":
        return membrane >= HOST
    return membrane >= (STALE if payload.get("mark") == "stale" else FRESH)


def begin(
    object: Json,
    *,
    head: str,
    seq: int,
    t0: str,
    budget: int,
    membrane: int,
    gates: Mapping[str, str],
    previous: Previous | None = None,
) -> Begun:
    """The segment that begins at a head: `object` is the JSON there, `gates` names the gate frame
    of each admitted subject, `previous` is the newest log since the object's frame."""
    settled = tuple(_settled(draft, gates) for draft in drafts(object))
    programs = {draft.id: _program(draft) for draft in settled}
    quotas = share(programs, budget)
    routines = tuple(
        Routine(draft.id, programs[draft.id], quotas[draft.id], draft.origin, draft.gate)
        for draft in settled
    )
    bodies = {draft.id: draft.start for draft in settled}
    states: dict[str, dict[str, Json]] = {draft.id: {} for draft in settled}
    if previous is not None:
        _go_on(bodies, states, routines, previous)
    segment = Segment(
        head=head,
        came_from=None if previous is None else previous.frame_hash,
        t0=t0,
        budget=budget,
        membrane=membrane,
        facts=facts(seq, t0, len(bodies)),
        routines=routines,
        start=first(bodies, states),
    )
    return Begun(segment, settled)


def begun(
    *,
    head: str,
    came_from: str | None,
    t0: str,
    budget: int,
    membrane: int,
    facts: Mapping[str, Any],
    routines: Sequence[tuple[str, str, int, str, str | None]],
    bodies: Mapping[str, Any],
    states: Mapping[str, Any],
) -> Segment:
    """The same segment from what a host told of it: routines as (id, source, quota, origin, gate).

    Raises:
        RoutineRefused: a source or a body that is none.
    """
    admitted = tuple(
        Routine(id, admitted_program(source), quota, origin, gate)
        for id, source, quota, origin, gate in routines
    )
    standing = {id: body_from(body) for id, body in bodies.items()}
    kept = {id: _numbers(state) for id, state in states.items()}
    return Segment(head, came_from, t0, budget, membrane, facts, admitted, first(standing, kept))


def first(bodies: Mapping[str, Body], states: Mapping[str, dict[str, Json]]) -> Transient:
    """The transient before a segment's first tick."""
    return Transient(tick=0, bodies=bodies, states=states, failures={}, parked={}, player=None)


def facts(seq: int, t0: str, bodies: int) -> dict[str, Json]:
    """What a routine may ask of the hologram: the frame's number, the hour, the company."""
    hour = int(t0[11:13]) + int(t0[14:16]) / 60
    return {
        "frame-number": float(seq),
        "time-of-day": hour,
        "world-population": float(bodies),
        "economy-trend": 0.0,
    }


def _program(draft: Draft) -> Program:
    """What runs: ours may name every native, the object's own only what its grant lists."""
    return admitted_program(draft.source, GRANTED if draft.gate is None else draft.grant)


def _settled(draft: Draft, gates: Mapping[str, str]) -> Draft:
    """The program that runs: the object's own where a gate admits it, else the compiled one."""
    if draft.authored is None:
        return draft
    try:
        program = admitted_program(draft.authored, draft.grant)
    except RoutineRefused as problem:
        return replace(draft, fallback=f"its own program is refused: {problem.message}")
    gate = gates.get(program.subject)
    if gate is None:
        return replace(draft, fallback="no gate has admitted its own program")
    return replace(draft, source=draft.authored, origin="self-authored", gate=gate)


def _go_on(
    bodies: dict[str, Body],
    states: dict[str, dict[str, Json]],
    routines: Sequence[Routine],
    previous: Previous,
) -> None:
    """Bodies stand where the log left them; states stay where the routine is the same."""
    for routine in routines:
        left = previous.final.get(routine.id)
        if left is None:
            continue
        body = body_from(left["body"])
        # ticks count anew, so what it showed then is over
        bodies[routine.id] = replace(body, emote=None, said=None)
        if previous.subjects.get(routine.id) == routine.program.subject:
            states[routine.id] = _numbers(left["state"])


def _numbers(value: Any) -> Any:
    """JSON as the language holds it: every number is a binary64."""
    if isinstance(value, dict):
        return {name: _numbers(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_numbers(inner) for inner in value]
    return float(value) if type(value) is int else value
