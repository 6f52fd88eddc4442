"""A chain file shown as it grows: verified, replayed, never written (LH 3.1)."""

import tempfile
from pathlib import Path

import pytest

from holodesk.errors import HolodeskError, Refused, Unavailable
from holodesk.hologram.perform import Runner
from holodesk.host.following import FollowedChain
from holodesk.host.growing import Growing
from holodesk.host.lineage import Lineage
from holodesk.host.machine.parent import Machine
from holodesk.host.settings import Settings
from tests.simulator import creature


def write(path: Path, frames: list[bytes], mode: str = "wb") -> Path:
    with path.open(mode) as out:
        out.write(b"".join(line + b"\n" for line in frames))
    return path


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, to see that none stays."""
    parts = tmp_path / "parts"
    parts.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(parts))
    return parts


def test_a_chain_file_is_read_on_as_it_grows(tmp_path: Path, parts: Path, machine: Runner) -> None:
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames[:4])
    followed = FollowedChain(path, Settings(), machine)
    try:
        assert (followed.hologram.head.seq, followed.writable) == (3, False)
        assert not followed.reread()
        write(path, sim.frames[4:], "ab")
        assert followed.reread()
        assert followed.hologram.head == sim.hologram.head
        rows, total = Lineage(followed).rows(None, 200)
        assert (len(rows), total) == (len(sim.frames), len(sim.frames))
        assert Lineage(followed).replay(rows[0].seq, machine)[0] == "valid"
        with pytest.raises(Unavailable, match="followed"):
            followed.open_pass(machine)
    finally:
        followed.close()
    assert list(parts.iterdir()) == []


@pytest.mark.parametrize(
    "frames", [[], [b"hello"], [b"{}"]], ids=["empty", "no frame", "an empty object"]
)
def test_what_is_no_chain_leaves_nothing_behind(
    frames: list[bytes], tmp_path: Path, parts: Path, machine: Runner
) -> None:
    path = write(tmp_path / "chain.jsonl", frames)
    with pytest.raises(Refused):
        FollowedChain(path, Settings(), machine)
    assert list(parts.iterdir()) == []


def test_a_frame_that_is_refused_moves_nothing(
    tmp_path: Path, parts: Path, machine: Runner
) -> None:
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames[:4])
    followed = FollowedChain(path, Settings(), machine)
    try:
        forged = sim.forge(6, lambda payload: payload["object"].update(age=77))
        write(path, forged[4:], "ab")
        with pytest.raises(HolodeskError):
            followed.reread()
        assert followed.hologram.head.seq == 3
    finally:
        followed.close()


def test_frames_that_could_not_be_judged_are_tried_again(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames)
    closed = Machine(tmp_path / "cache")
    closed.close()
    growing = Growing(path, closed)
    for _ in range(2):
        with pytest.raises(Unavailable):
            growing.read_on()
        assert growing.hologram is None
    growing._runner = machine
    assert len(growing.read_on()) == len(sim.frames)
    assert growing.hologram is not None
    assert growing.hologram.head == sim.hologram.head


def test_a_disk_that_keeps_nothing_is_unavailable(
    tmp_path: Path, machine: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "chain.jsonl", creature(machine).frames[:1])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(Unavailable, match=r"chain\.jsonl"):
        FollowedChain(path, Settings(), machine)
