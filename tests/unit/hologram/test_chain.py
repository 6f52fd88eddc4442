"""A verified stream to what it means; every forgery has its step (LH 3.1, 3.3, 4.1)."""

from typing import Any

import pytest

from holodesk.errors import (
    ControlRefused,
    Fork,
    FrameRefused,
    HolodeskError,
    ReplayRefused,
    SlushConflict,
)
from holodesk.hologram import chain
from holodesk.hologram.perform import Runner
from holodesk.hologram.replay import Follower
from holodesk.hologram.tile import Caller
from holodesk.rapp import frame as frames
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import canonical
from holodesk.rapp.signature import SigningKey
from tests.simulator import (
    Act,
    HologramSimulator,
    creature,
    hologram_of,
    relink,
    shipped_lens,
    stale,
)

TILE = (
    2  # the first tile: genesis, lens, tile, control, lens, tile, tile, control, lens, tile, tile
)


@pytest.fixture(scope="module")
def sim(machine: Runner) -> HologramSimulator:
    return creature(machine)


def refusal(sim: HologramSimulator, octets: list[bytes]) -> HolodeskError:
    found = sim.follow(octets).refusal
    assert found is not None
    return found


def growth(payload: dict[str, Any]) -> None:
    payload["object"]["growth"] = 99


def test_an_honest_chain_verifies_and_every_tile_is_replayed(sim: HologramSimulator) -> None:
    outcome = sim.follow()
    assert outcome.refusal is None
    assert (outcome.replayed, outcome.unjudged) == (5, 0)
    assert outcome.hologram is not None
    assert outcome.hologram.head == sim.hologram.head
    assert outcome.hologram.object == sim.object
    assert outcome.hologram.signed


def test_a_forged_tile_with_honest_hashes_fails_at_replay(sim: HologramSimulator) -> None:
    found = refusal(sim, sim.forge(TILE, growth))
    assert isinstance(found, ReplayRefused)
    assert found.message == "replay gives a different object"
    assert found.where.seq == TILE


def test_so_does_the_same_forgery_on_an_unsigned_chain(machine: Runner) -> None:
    unsigned = creature(machine, signed=False)
    assert unsigned.follow().refusal is None
    assert not unsigned.hologram.signed
    found = refusal(unsigned, unsigned.forge(TILE, growth))
    assert (found.message, found.where.seq) == ("replay gives a different object", TILE)


def test_a_forged_channel_fails_at_replay(sim: HologramSimulator) -> None:
    def edit(payload: dict[str, Any]) -> None:
        payload["data_slush"]["trail"] = []

    octets = sim.forge(len(sim.frames) - 1, edit)
    assert refusal(sim, octets).message == "replay gives a different data_slush"


def test_anybody_elses_key_fails_at_step_6(sim: HologramSimulator) -> None:
    other = SigningKey.generate()
    for octets in (
        sim.forge(TILE, growth, key=other),
        relink(sim.frames, TILE, growth, None),
    ):
        found = refusal(sim, octets)
        assert isinstance(found, FrameRefused)
        assert (found.step, found.where.seq) == ("6", TILE)


def test_another_key_in_genesis_fails_at_step_6(sim: HologramSimulator) -> None:
    import base64

    other = SigningKey.generate()

    def edit(payload: dict[str, Any]) -> None:
        payload["key"]["spki_der_b64"] = base64.b64encode(other.spki).decode()

    found = refusal(sim, sim.forge(0, edit, key=other))
    assert (found.step, found.where.seq) == ("6", 0)


def test_stale_hashes_fail_at_step_2_or_3(sim: HologramSimulator) -> None:
    found = refusal(sim, stale(sim.frames, TILE, growth))
    assert (found.step, found.where.seq) == ("2", TILE)
    import json

    frame = json.loads(sim.frames[TILE])
    frame["utc"] = "2026-10-01T00:00:00.000Z"
    octets = [*sim.frames[:TILE], canonical(frame), *sim.frames[TILE + 1 :]]
    assert refusal(sim, octets).step == "3"


def test_an_old_envelope_replaced_fails_at_after(machine: Runner) -> None:
    unsigned = creature(machine, signed=False)
    seq = len(unsigned.frames) - 4
    old = frames.parse(unsigned.frames[seq], None)
    before = frames.parse(unsigned.frames[seq - 1], None)
    new = frames.build(
        kind=old.kind,
        stream_id=old.stream_id,
        payload=old.payload,
        utc=before.utc,
        head=before.head,
        kinds=None,
    )
    assert new.payload_hash == old.payload_hash
    octets = [*unsigned.frames[:seq], new.octets, *unsigned.frames[seq + 1 :]]
    found = refusal(unsigned, octets)
    assert (found.rule, found.where.seq) == ("LH after", seq + 1)


def test_a_frame_cut_from_the_middle_fails_at_step_4(sim: HologramSimulator) -> None:
    octets = [*sim.frames[:TILE], *sim.frames[TILE + 1 :]]
    found = refusal(sim, octets)
    assert found.step == "4"


def test_a_frame_of_another_stream_fails_at_step_1a(
    sim: HologramSimulator, machine: Runner
) -> None:
    foreign = creature(machine)
    found = refusal(sim, [*sim.frames[:TILE], foreign.frames[TILE]])
    assert found.step == "1a"


def test_a_known_wave_may_not_change(sim: HologramSimulator) -> None:
    known = {TILE: Wave("0" * 64)}
    outcome = Follower(None, known=known).follow(sim.frames)
    assert isinstance(outcome.refusal, Fork)
    assert outcome.refusal.where.seq == TILE


def test_a_chain_without_genesis_is_refused(sim: HologramSimulator) -> None:
    assert refusal(sim, sim.frames[1:]).where.seq is not None
    assert Follower(None).follow([]).hologram is None


EDITS: dict[str, tuple[type[HolodeskError], Any]] = {
    "another input": (FrameRefused, lambda p: p["input"].update(seq=1)),
    "an input hash": (FrameRefused, lambda p: p["input"].update(frame_hash="0" * 64)),
    "a lens not on the chain": (FrameRefused, lambda p: p["lens"].update(hash="0" * 64)),
    "a lens by another name": (FrameRefused, lambda p: p["lens"].update(name="Temper")),
    "a control frame made up": (FrameRefused, lambda p: p.update(controls="0" * 64)),
    "a lease made up": (FrameRefused, lambda p: p.update(lease="0" * 64)),
    "a reflex made up": (FrameRefused, lambda p: p.update(reflex="0" * 64)),
    "params out of bounds": (ControlRefused, lambda p: p["params"].update(distance=61)),
    "params outside the rails": (ControlRefused, lambda p: p["params"].update(distance=50)),
    "an extra parameter": (ControlRefused, lambda p: p["params"].update(more=1)),
    "carried state made up": (SlushConflict, lambda p: p["slush_in"].update(trail=[[0, 0, 0]])),
    "an extra member": (FrameRefused, lambda p: p.update(more=1)),
    "another schema": (FrameRefused, lambda p: p.update(schema="hologram-tile/2")),
    "a caller of no kind": (FrameRefused, lambda p: p["caller"].update(kind="god")),
    "an emitted fact": (SlushConflict, lambda p: p["data_slush"].update(facts={})),
    "an outside frame": (ControlRefused, lambda p: p["slush_in"].update(facts={"frames": {}})),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_dishonest_owner_is_refused_for(name: str, sim: HologramSimulator) -> None:
    family, edit = EDITS[name]
    found = refusal(sim, sim.forge(TILE, edit))
    assert isinstance(found, family)
    assert found.where.seq == TILE


def test_a_lens_whose_source_is_not_its_hash_is_refused(sim: HologramSimulator) -> None:
    def edit(payload: dict[str, Any]) -> None:
        payload["source"] = payload["source"].replace("12", "13")

    found = refusal(sim, sim.forge(1, edit))
    assert (type(found), found.where.seq) == (FrameRefused, 1)


def test_a_control_turned_behind_its_back_is_refused(sim: HologramSimulator) -> None:
    found = refusal(sim, sim.forge(3, lambda p: p["previous"].update(value=24)))
    assert (type(found), found.where.seq) == (ControlRefused, 3)


def test_controls_are_a_pure_fold(sim: HologramSimulator) -> None:
    hologram = hologram_of(sim.frames)
    assert (hologram.value("rails"), hologram.controls["rails"].since) == (40, 3)
    assert (hologram.value("slush"), hologram.controls["slush"].since) == (32, 7)
    assert hologram.value("tempo") == 6


def test_a_lens_barred_by_allow_is_refused_and_the_self_lens_is_not(machine: Runner) -> None:
    sim = creature(machine)
    sim.turn("lens", 16, ("Temper",))
    sim.act(Act("Being", {"attends": "front", "growth": 1}))
    assert sim.follow().refusal is None
    sim.turn("lens", 16, ("Drift",))
    sim.act(Act("Drift", {"toward": "left", "distance": 10}))

    def edit(payload: dict[str, Any]) -> None:
        payload["detail"] = {"allow": ["Temper"]}
        payload["value"] = 15

    barred = sim.forge(len(sim.frames) - 2, edit)
    found = refusal(sim, barred)
    assert isinstance(found, ControlRefused)
    assert "Drift" in found.message


def test_a_removed_lens_still_replays(machine: Runner) -> None:
    sim = creature(machine)
    sim.lenses.clear()
    outcome = sim.follow()
    assert (outcome.refusal, outcome.replayed) == (None, 5)


def test_the_trail_is_carried_by_drift_and_dropped_by_settle(machine: Runner) -> None:
    sim = creature(machine)
    assert len(sim.object["trail"]) == 3
    sim.act(Act("Settle", {"calm": 40}))
    assert sim.object["trail"] == []
    assert dict(sim.hologram.slush) == {}


def test_a_converged_card_rests_for_all_but_a_person(machine: Runner) -> None:
    sim = HologramSimulator(
        machine,
        kind="card",
        lenses=(shipped_lens("card", "move_agent"),),
        self_lens=shipped_lens("card", "self_lens"),
    )
    model = Caller("m", "model")
    sim.act(Act("Move", {"to": "Done", "note": "the check passed"}, model))
    assert sim.open_pass().offer.resting
    sim.act(Act("Move", {"to": "Ready", "note": "reopened"}))
    assert sim.follow().refusal is None

    def edit(payload: dict[str, Any]) -> None:
        payload["caller"] = {"id": "m", "kind": "model", "persona": None}

    found = refusal(sim, sim.forge(len(sim.frames) - 1, edit))
    assert found.rule == "LH 3.4"


def test_only_chain_makes_a_hologram_from_a_genesis_frame(sim: HologramSimulator) -> None:
    tile = frames.parse(sim.frames[TILE], None)
    with pytest.raises(FrameRefused, match="genesis"):
        chain.begin(tile)
