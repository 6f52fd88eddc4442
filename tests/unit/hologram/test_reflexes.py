"""Logs, verdicts and gates on a chain: each law has its refusal (LH 3.5, 3.6, 3.8)."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from holodesk.errors import FrameRefused, HolodeskError, ReplayRefused
from holodesk.hologram import chain, gate, kinds, reflexes
from holodesk.hologram.chain import reflex_digest
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import canonical
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import mint_keyed
from holodesk.rapp.signature import SigningKey
from holodesk.reflex.mirror import machine_half
from tests.living import POKE, VISIT, live, lived, segment_of
from tests.simulator import Act, HologramSimulator, first_object, shipped_lens

PROGRAM = '(do (emote "me" "wave") (wander "me" 2))'


def simulator(machine: Runner, object: Any = None) -> HologramSimulator:
    names = ("drift_agent", "notice_agent")
    lenses = tuple(shipped_lens("creature", name) for name in names)
    return HologramSimulator(machine, lenses=lenses, object=object)


@pytest.fixture(scope="module")
def sim(machine: Runner) -> HologramSimulator:
    """Genesis, a log, a control, a log that goes on, a lens, a tile, a log."""
    made = simulator(machine)
    lived(made)
    made.turn("rails", 40)
    lived(made, {3: (POKE,)}, 220)
    made.act(Act("Notice", {"feeling": "amused", "weight": 3}))
    lived(made, {}, 60)
    return made


FIRST, SECOND, TILE, LAST = 1, 3, 5, 6


def refusal(sim: HologramSimulator, octets: list[bytes]) -> HolodeskError:
    found = sim.follow(octets).refusal
    assert found is not None
    return found


def test_every_log_of_an_honest_chain_is_re_run_and_counted(sim: HologramSimulator) -> None:
    outcome = sim.follow()
    assert outcome.refusal is None
    assert (outcome.reflexes, outcome.replayed, outcome.unjudged) == (3, 1, 0)
    assert Follower(None).follow(sim.frames).reflexes == 0


def test_a_tile_receives_the_digest_of_the_logs_since_the_tile_before(
    sim: HologramSimulator,
) -> None:
    tile = frames.parse(sim.frames[TILE], kinds.HOUSE_KINDS)
    told = tile.payload["slush_in"]["reflex"]
    second = frames.parse(sim.frames[SECOND], kinds.HOUSE_KINDS)
    assert told["log"] == tile.payload["reflex"] == second.frame_hash
    assert (told["logs"], told["ticks"], told["failures"]) == (2, 720, 0)
    assert told["events"] == {"poke": 4, "enter": 1, "near": 1, "leave": 1}
    assert told["last"] == {"kind": "poke", "tick": 3, "payload": {"x": 120, "z": -300}}
    assert told["fired"]["self"]["ticks"] == 720
    words = sim.object["memories"][0]["words"]
    assert words == "It was touched 4 times and had company once, and thought it a game."
    assert sim.hologram.lived.logs == 1


def test_the_digest_is_small_whatever_lived(machine: Runner) -> None:
    bodies = [
        {"id": f"{n:02d}" + "ü" * 126, "name": "n", "x": n, "y": n, "hue": 1} for n in range(30)
    ] + [{"id": f"{n:02d}" + "ü" * 38, "name": "n", "x": n, "y": n, "hue": 1} for n in range(30)]
    object = {"schema": "world/1", "bodies": bodies, "light": 60}
    crowd = simulator(machine, object)
    lived(crowd, VISIT, 40)
    digest = reflex_digest(crowd.hologram)
    assert len(canonical(digest)) <= reflexes.MAX_DIGEST
    assert isinstance(digest, dict)
    fired = digest["fired"]
    assert isinstance(fired, dict)
    assert len(fired) == 6


def test_a_membrane_that_closed_after_the_log_lets_no_event_into_slush(machine: Runner) -> None:
    closing = simulator(machine)
    lived(closing, VISIT, 300)
    closing.turn("membrane", 0)
    digest: Any = reflex_digest(closing.hologram)
    assert (digest["events"], digest["last"], digest["ticks"]) == ({}, None, 300)
    closing.act(Act("Notice", {"feeling": "wary", "weight": 2}))
    assert closing.object["memories"] == []
    assert closing.follow().refusal is None


Edit = Callable[[dict[str, Any]], object]

FORGED: dict[str, tuple[Edit, str]] = {
    "an event": (lambda p: p["events"].pop(1), "the first bad mark is tick 200"),
    "a final state": (lambda p: p["final"]["self"]["state"].update(pokes=7), "after tick 500"),
    "a final body": (lambda p: p["final"]["self"]["body"].update(x=1), "after tick 500"),
    "a routine": (lambda p: p["routines"][0].__setitem__(1, "ab" * 32), "before its first tick"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_log_with_honest_hashes_is_refused_at_its_first_bad_mark(
    name: str, sim: HologramSimulator
) -> None:
    edit, mark = FORGED[name]
    found = refusal(sim, sim.forge(FIRST, edit))
    assert isinstance(found, ReplayRefused)
    assert mark in found.message
    assert (found.rule, found.where.seq) == ("LH 3.6", FIRST)


LAWS: dict[str, tuple[int, Edit, str]] = {
    "a head that is none": (FIRST, lambda p: p.update(head="ab" * 32), "head"),
    "another log gone on from": (SECOND, lambda p: p.update({"from": None}), "from"),
    "a budget not in force": (FIRST, lambda p: p.update(budget=3999), "budget"),
    "a seed of its own": (FIRST, lambda p: p.update(seed="ab" * 32), "seed"),
    "a beginning before its head": (
        FIRST,
        lambda p: p.update(t0="2020-01-01T00:00:00.000Z"),
        "t0",
    ),
    "a beginning after its end": (FIRST, lambda p: p.update(t0="2120-01-01T00:00:00.000Z"), "t0"),
    "no moment": (FIRST, lambda p: p.update(t0="yesterday"), "expected YYYY"),
    "an outside event that was kept out": (
        FIRST,
        lambda p: p["events"].append([499, "env", {"mark": "fresh"}]),
        "membrane",
    ),
    "a routine that no gate admits": (
        FIRST,
        lambda p: p["routines"][0].__setitem__(slice(3, 5), ["self-authored", "ab" * 32]),
        "no gate",
    ),
    "another schema": (FIRST, lambda p: p.update(schema="hologram-reflex/2"), "schema"),
    "another shape": (FIRST, lambda p: p.pop("late"), "missing ['late']"),
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_broken_is_refused_without_any_re_run(name: str, sim: HologramSimulator) -> None:
    seq, edit, told = LAWS[name]
    octets = sim.forge(seq, edit)
    found = Follower(None).follow(octets).refusal
    assert isinstance(found, HolodeskError)
    assert told in found.message
    assert found.where.seq == seq


def test_a_segment_that_began_before_the_newest_tile_or_log_is_refused(machine: Runner) -> None:
    late = simulator(machine)
    begun = segment_of(late.hologram)
    late.turn("rails", 40)
    recorder = live(begun.segment, {}, 30)
    after_control = reflexes.log_payload(recorder.payload(), late.hologram.head.frame_hash)
    late.write(kinds.REFLEX, after_control)
    again = reflexes.log_payload(recorder.payload(), late.hologram.head.frame_hash)
    with pytest.raises(FrameRefused, match="since the newest tile and log"):
        late.write(kinds.REFLEX, again)
    begun = segment_of(late.hologram)
    late.act(Act("Drift", {"toward": "left", "distance": 12}))
    payload = live(begun.segment, {}, 30).payload()
    with pytest.raises(FrameRefused, match="since the newest tile and log"):
        late.write(kinds.REFLEX, reflexes.log_payload(payload, late.hologram.head.frame_hash))
    assert late.follow().refusal is None


def test_a_log_of_another_language_or_compiler_is_not_judged_and_not_called_false(
    sim: HologramSimulator,
) -> None:
    for edit in (
        lambda p: p.update(lang="rl/2:" + "ab" * 32),
        lambda p: p.update(compiler="ab" * 32),
    ):
        outcome = sim.follow(sim.forge(LAST, edit))
        assert outcome.refusal is None
        assert (outcome.reflexes, outcome.unjudged) == (2, 1)
        assert outcome.undetermined[0][0] == LAST


def test_the_budget_in_force_when_a_segment_began_is_its_own(machine: Runner) -> None:
    turned = simulator(machine)
    begun = segment_of(turned.hologram)
    turned.turn("reflex", 900)
    payload = live(begun.segment, {}, 30).payload()
    turned.write(kinds.REFLEX, reflexes.log_payload(payload, turned.hologram.head.frame_hash))
    assert segment_of(turned.hologram).segment.budget == 900
    lived(turned, {}, 30)
    turned.turn("reflex", 0)
    assert sum(routine.quota for routine in segment_of(turned.hologram).segment.routines) == 0
    outcome = turned.follow()
    assert (outcome.refusal, outcome.reflexes) == (None, 2)


# ---- the mirror gate --------------------------------------------------------------------------


class Peer:
    """Somebody else, with a key and a stream of their own."""

    def __init__(self, key: SigningKey | None = None) -> None:
        self.key = key or SigningKey.generate()
        self.stream = str(mint_keyed("peer", "judge", self.key.spki))

    def verdict(self, program: str = PROGRAM, **changed: str) -> Frame:
        payload = gate.verdict_payload("ab" * 32, machine_half(program))
        return frames.build(
            kind=kinds.VERDICT,
            stream_id=self.stream,
            payload={**payload, **changed},
            utc="2026-11-30T12:00:00.000Z",
            head=None,
            key=self.key,
            kid=self.stream,
            kinds=kinds.HOUSE_KINDS,
        )


def carrying(machine: Runner) -> HologramSimulator:
    routines = [{"id": "me", "program": PROGRAM}]
    return simulator(machine, {**first_object("creature"), "routines": routines})


def admitted(sim: HologramSimulator, verdict: Frame, spki: bytes) -> Frame:
    after = sim.hologram.head.frame_hash
    return sim.write(kinds.GATE, gate.gate_payload(after, verdict, spki))


def test_a_routine_of_its_own_runs_once_a_peer_and_the_machine_agree(machine: Runner) -> None:
    own = carrying(machine)
    assert segment_of(own.hologram).drafts[0].origin == "compiled"
    lived(own, VISIT, 100)
    peer = Peer()
    frame = admitted(own, peer.verdict(), peer.key.spki)
    begun = segment_of(own.hologram)
    assert (begun.drafts[0].origin, begun.drafts[0].gate) == ("self-authored", frame.frame_hash)
    log = lived(own, VISIT, 100)
    assert log.payload["routines"][0][3:] == ["self-authored", frame.frame_hash]
    outcome = own.follow()
    assert (outcome.refusal, outcome.reflexes, outcome.unjudged) == (None, 2, 0)


def test_a_candidate_cannot_certify_itself(machine: Runner) -> None:
    own = carrying(machine)
    assert own.key is not None
    same = Peer(own.key)
    with pytest.raises(FrameRefused, match="cannot certify itself"):
        admitted(own, same.verdict(), same.key.spki)


BAD_VERDICTS: dict[str, tuple[Edit, str]] = {
    "another subject": (lambda p: p.update(subject="ab" * 32), "verdict's subject"),
    "another digest": (lambda p: p.update(digest="ab" * 32), "verdict's digest"),
    "another profile": (lambda p: p.update(profile="rl/9:x"), "verdict's profile"),
    "a verdict changed": (lambda p: p["verdict"]["payload"].update(digest="ab" * 32), "hold"),
    "a verdict without signature": (lambda p: p["verdict"].update(sig=None), "signed"),
    "somebody else's key": (
        lambda p: p.update(spki_der_b64=base64.b64encode(SigningKey.generate().spki).decode()),
        "does not hold",
    ),
    "no key": (lambda p: p.update(spki_der_b64="?"), "base64"),
    "no frame": (lambda p: p.update(verdict={"payload": {}}), "does not hold"),
}


@pytest.mark.parametrize("name", BAD_VERDICTS)
def test_a_gate_with_a_bad_verdict_is_refused(name: str, machine: Runner) -> None:
    own, peer = carrying(machine), Peer()
    payload: Any = gate.gate_payload(own.hologram.head.frame_hash, peer.verdict(), peer.key.spki)
    edit, told = BAD_VERDICTS[name]
    edit(payload)
    with pytest.raises(FrameRefused, match=told):
        own.write(kinds.GATE, payload)


def test_a_subject_that_the_object_does_not_carry_is_refused(machine: Runner) -> None:
    own, peer = carrying(machine), Peer()
    with pytest.raises(FrameRefused, match="carries no routine"):
        admitted(own, peer.verdict(PROGRAM + " "), peer.key.spki)


def test_votes_alone_never_pass_a_wrong_digest_fails_where_the_probe_is_repeated(
    machine: Runner,
) -> None:
    own, peer = carrying(machine), Peer()
    admitted(own, peer.verdict(digest="ab" * 32), peer.key.spki)
    found = own.follow().refusal
    assert isinstance(found, ReplayRefused)
    assert "digest" in found.message
    assert found.where.seq == 1


def test_a_verdict_stands_on_its_authors_own_stream(machine: Runner) -> None:
    author = simulator(machine)
    payload = gate.verdict_payload(author.hologram.head.frame_hash, machine_half(PROGRAM))
    author.write(kinds.VERDICT, payload)
    assert author.follow().refusal is None
    with pytest.raises(FrameRefused, match="digest"):
        chain.step(
            author.hologram,
            author.pen.write(
                author.hologram,
                kinds.VERDICT,
                {**payload, "after": author.hologram.head.frame_hash, "digest": "x"},
                author.utc(),
            ),
        )
