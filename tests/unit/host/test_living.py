"""A desk keeps only logs that re-run here, and admits only what it probed (LH 3.6)."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holodesk.errors import FrameRefused, Held, ReplayRefused, RoutineRefused
from holodesk.hologram import kinds
from holodesk.hologram.perform import Runner
from holodesk.host import living
from holodesk.host.client import Client
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import from_kind, make_desk
from holodesk.host.messages import (
    Appended,
    Body,
    Boundary,
    HeadMoved,
    Live,
    Log,
    Missed,
    Offered,
    Pace,
    Refusal,
)
from holodesk.host.reading import verify
from holodesk.host.settings import Settings
from holodesk.reflex.log import Recorder
from holodesk.reflex.segment import begun
from tests.living import POKE, VISIT, live
from tests.unit.host.conftest import LEFT, OpenDesk
from tests.unit.host.window import Window

__all__ = ["Client"]


def test_a_log_is_re_run_appended_and_found_in_the_next_slush(
    open_desk: OpenDesk, machine: Runner
) -> None:
    desk = open_desk()
    recorder = live(living.body_of(desk).segment)
    frame = living.append_log(desk, recorder.payload())
    assert frame.kind == kinds.REFLEX
    tile = desk.take(desk.open_pass(machine), LEFT)
    assert tile.payload["reflex"] == frame.frame_hash
    assert tile.payload["slush_in"]["reflex"]["events"]["poke"] == 3
    found = verify(desk.folder, machine)
    assert (found.verdict, found.outcome.reflexes) == ("verified", 1)


def test_a_log_that_does_not_re_run_is_refused_and_nothing_appended(open_desk: OpenDesk) -> None:
    desk = open_desk()
    before = desk.hologram.head
    log = live(living.body_of(desk).segment).payload()
    log["events"].pop()
    with pytest.raises(ReplayRefused, match="bad mark"):
        living.append_log(desk, log)
    log.pop("events")
    with pytest.raises(FrameRefused, match="events"):
        living.append_log(desk, log)
    assert desk.hologram.head == before


def test_a_log_that_comes_after_a_tile_is_missed_and_one_after_a_control_is_kept(
    open_desk: OpenDesk, machine: Runner
) -> None:
    desk = open_desk()
    log = live(living.body_of(desk).segment, ticks=20).payload()
    desk.turn(Turning("rails", 30))
    living.append_log(desk, log)
    with pytest.raises(Held, match="missed"):
        living.append_log(desk, log)
    log = live(living.body_of(desk).segment, ticks=20).payload()
    desk.take(desk.open_pass(machine), LEFT)
    with pytest.raises(Held, match="missed"):
        living.append_log(desk, log)


def test_a_desk_opened_again_goes_on_where_its_body_stood(open_desk: OpenDesk) -> None:
    desk = open_desk()
    recorder = live(living.body_of(desk).segment)
    living.append_log(desk, recorder.payload())
    stood = recorder.transient.bodies["self"]
    desk.close()
    begins = living.body_of(open_desk()).segment.start.bodies["self"]
    assert (begins.x, begins.z, begins.dx, begins.dz) == (stood.x, stood.z, stood.dx, stood.dz)


# ---- the gate --------------------------------------------------------------------------------

PROGRAM = '(do (emote "me" "wave") (wander "me" 2))'


def test_a_peers_verdict_goes_by_file_and_admits_the_routine(
    open_desk: OpenDesk, tmp_path: Path, machine: Runner
) -> None:
    peer = open_desk()
    given: Any = peer.hologram.object
    object = {**given, "routines": [{"id": "me", "program": PROGRAM}]}
    make_desk(tmp_path / "own", replace(from_kind("creature"), object=object))
    own = open_desk(tmp_path / "own")
    assert living.body_of(own).drafts[0].fallback is not None
    frame, found = living.append_verdict(peer, PROGRAM)
    living.write_verdict(peer, frame, tmp_path / "verdict.jsonl")
    verdict, spki = living.read_verdict(tmp_path / "verdict.jsonl")
    assert verdict.frame_hash == frame.frame_hash
    gate = living.admit(own, verdict, spki)
    assert gate.payload["digest"] == found.digest
    assert living.body_of(own).drafts[0].origin == "self-authored"
    for desk in (own, peer):
        assert verify(desk.folder, machine).verdict == "verified"


def test_what_fails_here_gets_no_verdict(open_desk: OpenDesk) -> None:
    desk = open_desk()
    before = desk.hologram.head
    with pytest.raises(RoutineRefused):
        living.append_verdict(desk, "(do (+ 1 nil))")
    assert desk.hologram.head == before


def test_a_verdict_file_without_a_verdict_or_its_key_is_refused(
    open_desk: OpenDesk, tmp_path: Path
) -> None:
    desk = open_desk()
    out = tmp_path / "verdict.jsonl"
    frame, _ = living.append_verdict(desk, PROGRAM)
    out.write_bytes(frame.octets + b"\n")
    with pytest.raises(FrameRefused, match="genesis"):
        living.read_verdict(out)
    genesis = desk.file.frame(0)
    assert genesis is not None
    out.write_bytes(genesis + b"\n")
    with pytest.raises(FrameRefused, match="verdict"):
        living.read_verdict(out)


# ---- between window and host -------------------------------------------------------------------


def segment_of(body: Body) -> Any:
    """What the window makes of what it was told."""
    return begun(
        head=body.head,
        came_from=body.came_from,
        t0=body.t0,
        budget=body.budget,
        membrane=body.membrane,
        facts=body.facts,
        routines=[(r.id, r.source, r.quota, r.origin, r.gate) for r in body.routines],
        bodies=body.bodies,
        states=body.states,
    )


@pytest.fixture
def window(folder: Path) -> Any:
    found = Window(folder)
    found.wait(Pace)
    yield found
    found.close()


def test_a_window_that_lives_is_told_the_body_at_every_head(window: Window) -> None:
    window.ask(Live)
    body = window.wait(Body)
    assert (body.seq, body.budget, body.came_from) == (4, 4000, None)
    (routine,) = body.routines
    assert (routine.id, routine.origin, routine.fallback) == ("self", "compiled", "")
    assert ("way", "at") in [tuple(part) for part in routine.lineage]
    log = live(segment_of(body), VISIT, 300).payload()
    answer = window.answer(Appended, window.ask(lambda number: Log(number, log)))
    assert (answer.seq, answer.kind) == (5, "reflex")


def test_a_log_then_a_choice_is_a_poke_in_the_offer_and_a_body_that_goes_on(
    window: Window,
) -> None:
    window.ask(Live)
    body = window.wait(Body)
    recorder = live(segment_of(body), VISIT, 300)
    number = window.ask(lambda number: Log(number, recorder.payload()))
    assert window.head(5).kind == "reflex"
    after = window.wait(Body)
    assert (after.seq, after.came_from) == (5, after.head)
    assert after.bodies["self"]["x"] == recorder.transient.bodies["self"].x
    assert window.wait(Offered).slush["reflex"]["events"]["poke"] == 3
    assert window.answer(Appended, number).seq == 5
    more = live(segment_of(after), {}, 40).payload()
    window.ask(lambda number: Log(number, more))
    window.choose("Notice", feeling="welcome", weight=3)
    tile = window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    assert "touched 3 times" in tile.object["memories"][-1]["words"]
    missed = window.ask(lambda number: Log(number, more))
    assert "missed" in window.answer(Missed, missed).sentence


def test_a_log_that_is_false_is_refused_and_the_host_lives_on(window: Window) -> None:
    window.ask(Live)
    log = live(segment_of(window.wait(Body)), VISIT, 300).payload()
    log["final"]["self"]["body"]["x"] = 5.0
    found = window.refused(window.ask(lambda number: Log(number, log)))
    assert (found.family, found.rule) == ("Refused", "LH 3.6")
    for broken in ({}, {**log, "ticks": "many"}, {**log, "events": [[0, "poke", {"x": 0.5}]]}):
        assert isinstance(window.refused(window.ask(log_of(broken))), Refusal)
    assert window.answer(Appended, window.turn("rails", 30)).seq == 5


def log_of(payload: dict[str, Any]) -> Callable[[int], Log]:
    return lambda number: Log(number, payload)


def test_a_pass_of_the_hosts_own_waits_for_what_the_body_lived(
    window: Window, tmp_path: Path
) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"lens":"Notice","params":{"feeling":"wary","weight":2}}\n')
    window.answer(Appended, window.turn("tempo", 60))
    window.ask(Live)
    recorder = Recorder(segment_of(window.wait(Body, lambda body: body.seq == 5)))
    for now in range(40):
        recorder.tick((POKE,) if now == 7 else ())
    window.caller("script", str(script))
    window.wait(Boundary)
    window.ask(lambda number: Log(number, recorder.payload()))
    tile = window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    assert "touched once" in tile.object["memories"][-1]["words"]


def test_a_window_that_may_only_look_is_told_the_body_and_keeps_no_log(folder: Path) -> None:
    looking = Window(folder, read_only=True)
    try:
        looking.wait(Pace)
        looking.ask(Live)
        log = live(segment_of(looking.wait(Body)), {}, 20).payload()
        number = looking.ask(lambda number: Log(number, log))
        assert looking.refused(number).family == "Unavailable"
    finally:
        looking.close()


def test_a_desk_from_before_logs_still_opens(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    with Desk(tmp_path / "copy", Settings(), write=False) as desk:
        assert desk.hologram.lived.logs == 0
