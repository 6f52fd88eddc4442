"""One row a frame: what it did, who did it, what came of it (LH 3.3)."""

from dataclasses import astuple
from typing import Any

import pytest

from holodesk.hologram import kinds, lease
from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.rapp import frame as frames
from holodesk.rapp.frame import Frame
from holodesk.view.detail import sections
from holodesk.view.lineage import row
from tests.simulator import Act, HologramSimulator, creature


@pytest.fixture(scope="module")
def chain(machine: Runner) -> list[Frame]:
    sim = creature(machine)
    sim.act(Act("Drift", {"toward": "left", "distance": 8}, Caller("m1", "model", "Keeper")))
    head = sim.hologram.head.frame_hash
    payload = lease.payload("take", holder="ada", machine="sim", head=head, expires=sim.utc(900))
    sim._now -= 900_000
    sim.write(kinds.LEASE, payload)
    return [frames.parse(octets, kinds.HOUSE_KINDS) for octets in sim.frames]


def test_each_kind_of_frame_is_told_by_what_it_did(chain: list[Frame]) -> None:
    told = {(r.kind, r.title, r.caller) for r in map(row, chain)}
    assert {
        ("genesis", "genesis", "person: ada"),
        ("lens", "Drift", "host"),
        ("tile", "Drift", "person: ada"),
        ("tile", "Drift", "model: m1 as Keeper"),
        ("control", "rails", "person: ada"),
        ("lease", "take", "ada on sim"),
    } <= told
    tile = next(row(frame) for frame in chain if frame.kind == kinds.TILE)
    assert tile.summary == "distance 12  toward left"
    control = next(row(frame) for frame in chain if frame.kind == kinds.CONTROL)
    assert control.summary == "25 → 40"
    assert all(r.signed for r in map(row, chain))


def test_a_row_names_its_own_frame(chain: list[Frame]) -> None:
    for frame in chain:
        told = row(frame)
        assert (told.seq, told.utc, told.frame_hash) == (frame.seq, frame.utc, frame.frame_hash)


LONG = "a\nb\x1b[2J\u202e" + "x" * 900_000


def made(kind: str, payload: dict[str, Any]) -> Frame:
    sim = HologramSimulator(None)  # type: ignore[arg-type]
    return sim.pen.write(sim.hologram, kind, payload, sim.utc())


STRANGE: dict[str, Frame] = {
    "a reason": made(
        kinds.CONTROL,
        {
            "control": "rails",
            "value": 1,
            "detail": None,
            "previous": {"value": 2, "detail": None},
            "by": {"id": "x", "kind": "person"},
            "reason": LONG,
        },
    ),
    "ticks": made(kinds.REFLEX, {"ticks": LONG}),
    "a schema": made(
        kinds.GENESIS, {"owner": {"kind": "person", "id": "x"}, "object": {"schema": LONG}}
    ),
    "a kind that is not ours": made("body.pulse", {"n": LONG}),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_row_is_short_and_one_line_whatever_a_stranger_writes(name: str) -> None:
    told = row(STRANGE[name])
    for text in astuple(told):
        if isinstance(text, str):
            assert len(text) <= 300
            assert text.isprintable()


def test_every_frame_says_everything_in_bounded_sections(chain: list[Frame]) -> None:
    for frame in [*chain, STRANGE["ticks"], STRANGE["a kind that is not ours"]]:
        told = sections(frame)
        headings = [heading for heading, _ in told]
        assert headings[-4:] == ["Frame", "Payload hash", "Follows", "Signature"]
        assert len(set(headings)) == len(headings)
        assert all(len(text) < 101_000 for _, text in told)
        assert frame.frame_hash in dict(told)["Frame"]


def test_a_tile_says_what_changed_from_where_it_started(chain: list[Frame]) -> None:
    tiles = [frame for frame in chain if frame.kind == kinds.TILE]
    before, after = tiles[0], tiles[1]
    changed = dict(sections(after, before.payload["object"]))["What changed"]
    assert "temper" in changed
    assert dict(sections(after, after.payload["object"]))["What changed"] == "nothing"
    model = next(frame for frame in tiles if frame.payload["caller"]["kind"] == "model")
    assert dict(sections(model))["Chosen by"] == "model: m1, as Keeper"
