"""A checkpoint begins a new stream from a verified head; the old desk stays as it is (LH 3.1)."""

import os
import shutil
from pathlib import Path

import pytest

from holodesk.errors import FrameRefused, Refused, Unavailable
from holodesk.hologram.perform import Runner
from holodesk.host.checkpointing import make_checkpoint
from holodesk.host.desk import Desk
from holodesk.host.desks import LENSES
from holodesk.host.keyring import key_file
from holodesk.host.reading import verify
from holodesk.host.settings import Settings
from tests.unit.host.conftest import LEFT, OpenDesk, agent_file
from tests.unit.host.test_desk import change, octets_of


def test_the_new_stream_carries_the_old_head_object_and_controls(
    folder: Path, tmp_path: Path, open_desk: OpenDesk
) -> None:
    before = octets_of(folder)
    genesis = make_checkpoint(folder, tmp_path / "new")
    old, new = open_desk(write=False).hologram, open_desk(tmp_path / "new").hologram
    assert genesis.payload["from"] == {
        "stream_id": old.head.stream_id,
        "seq": old.head.seq,
        "frame_hash": old.head.frame_hash,
    }
    assert new.object == old.object
    assert new.head.stream_id != old.head.stream_id
    assert {name: new.value(name) for name in new.controls} == {
        name: old.value(name) for name in old.controls
    }
    assert key_file(new.head.stream_id).is_file()
    assert octets_of(folder) == before


def test_both_go_on_by_themselves(folder: Path, tmp_path: Path, machine: Runner) -> None:
    make_checkpoint(folder, tmp_path / "new")
    for path in (folder, tmp_path / "new"):
        with Desk(path, Settings(), program="test") as desk:
            desk.take(desk.open_pass(machine), LEFT)
        assert verify(path, machine).verdict == "verified"


def test_the_lenses_are_those_of_the_old_desks_folder_and_nothing_else(
    folder: Path, tmp_path: Path
) -> None:
    lenses = folder / LENSES
    shutil.rmtree(lenses)
    lenses.mkdir()
    (lenses / "own_agent.py").write_text(agent_file("Own"))
    (lenses / "outside_agent.py").symlink_to("/etc")
    (lenses / "notes.txt").write_text("notes")
    os.mkfifo(lenses / "pipe_agent.py")
    make_checkpoint(folder, tmp_path / "new")
    assert [path.name for path in (tmp_path / "new" / LENSES).iterdir()] == ["own_agent.py"]


def test_a_desk_without_folders_is_carried_without_them(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / LENSES)
    make_checkpoint(folder, tmp_path / "new")
    assert list((tmp_path / "new" / LENSES).iterdir()) == []


def test_a_chain_that_breaks_a_rule_is_not_carried_on(folder: Path, tmp_path: Path) -> None:
    change(folder, "UPDATE frames SET octets = x'7b7d' WHERE seq = 3")
    with pytest.raises(FrameRefused):
        make_checkpoint(folder, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_carried_over_something_or_from_nothing(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        make_checkpoint(folder, folder)
    with pytest.raises(Unavailable):
        make_checkpoint(tmp_path / "none", tmp_path / "new")
    assert not (tmp_path / "new").exists()
