"""Frames told one by one, and a replay at will (LH 3.3)."""

from pathlib import Path

import pytest

from holodesk.errors import Unavailable
from holodesk.hologram.perform import Runner
from holodesk.host.desk import Desk, Turning
from holodesk.host.lineage import Lineage
from holodesk.host.machine.parent import Machine
from holodesk.host.settings import Settings
from tests.simulator import creature
from tests.unit.host.conftest import OpenDesk
from tests.unit.host.test_desk import put


@pytest.fixture
def lineage(open_desk: OpenDesk) -> Lineage:
    return Lineage(open_desk(write=False))


def seqs(lineage: Lineage, before: int | None, count: int) -> list[int]:
    return [row.seq for row in lineage.rows(before, count)[0]]


@pytest.mark.parametrize(
    ("before", "count", "expected"),
    [
        (None, 200, [4, 3, 2, 1, 0]),
        (None, 2, [4, 3]),
        (3, 2, [2, 1]),
        (1, 200, [0]),
        (0, 200, []),
        (-1, 200, []),
        (-(2**63), 200, []),
        (2**64 - 1, 1, [4]),
        (None, 0, []),
        (None, -1, []),
    ],
)
def test_rows_are_newest_first_and_only_as_many_as_are_asked(
    before: int | None, count: int, expected: list[int], lineage: Lineage
) -> None:
    assert seqs(lineage, before, count) == expected
    assert lineage.rows(before, count)[1] == 5


def test_rows_end_at_the_verified_head_whatever_the_file_holds_by_now(
    lineage: Lineage, open_desk: OpenDesk
) -> None:
    open_desk().turn(Turning("rails", 30))
    assert seqs(lineage, None, 1) == [4]
    with pytest.raises(Unavailable):
        lineage.frame(5)


@pytest.mark.parametrize("seq", [-1, 5, 2**64 - 1, -(2**63)])
def test_a_frame_that_is_not_there_is_unavailable(seq: int, lineage: Lineage) -> None:
    with pytest.raises(Unavailable, match="expected a frame of 0 to 4"):
        lineage.frame(seq)


def test_the_kind_at_the_head_is_that_of_its_frame(lineage: Lineage) -> None:
    assert lineage.kind_at_head() == "hologram.control"


def test_every_frame_has_its_detail(lineage: Lineage) -> None:
    for seq, kind in enumerate(("genesis", "lens", "tile", "tile", "control")):
        found, sections = lineage.detail(seq)
        assert found == kind
        headings = [heading for heading, _ in sections]
        assert headings[-1] == "Signature"
        assert all(text for _, text in sections)
    changed = dict(lineage.detail(2)[1])["What changed"]
    assert "at.x" in changed


def test_a_tile_is_replayed_to_the_same_object(lineage: Lineage, machine: Runner) -> None:
    verdict, sentence = lineage.replay(3, machine)
    assert (verdict, sentence) == ("valid", "Drift gives the same object, byte for byte")


@pytest.mark.parametrize("seq", [0, 1, 4])
def test_what_is_no_tile_is_not_replayed(seq: int, lineage: Lineage, machine: Runner) -> None:
    with pytest.raises(Unavailable, match="expected a tile"):
        lineage.replay(seq, machine)


def test_a_forged_tile_is_invalid(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    (tmp_path / "d" / "lenses").mkdir(parents=True)
    put(tmp_path / "d", sim.forge(9, lambda payload: payload["object"].update(age=77)))
    with Desk(tmp_path / "d", Settings(), write=False) as desk:
        verdict, sentence = Lineage(desk).replay(9, machine)
    assert verdict == "invalid"
    assert "different object" in sentence


def test_what_cannot_be_judged_here_is_never_called_invalid(
    lineage: Lineage, tmp_path: Path
) -> None:
    closed = Machine(tmp_path / "cache")
    closed.close()
    verdict, sentence = lineage.replay(3, closed)
    assert verdict == "undetermined"
    assert sentence


def test_a_lens_judged_by_another_runtime_is_undetermined(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    forged = sim.forge(1, lambda payload: payload["runtime"].update(name="other/1"))
    (tmp_path / "d" / "lenses").mkdir(parents=True)
    put(tmp_path / "d", forged)
    with Desk(tmp_path / "d", Settings(), write=False) as desk:
        assert Lineage(desk).replay(2, machine)[0] == "undetermined"
