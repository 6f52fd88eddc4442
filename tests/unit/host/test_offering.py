"""The lens folder is read anew on every pass; a broken file stands aside (decisions 2; LH 4.1)."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk.agent.purity_tables import MAX_SOURCE
from holodesk.errors import Unavailable
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import LENSES
from holodesk.host.offering import MAX_FILES, copy_agents, read_source, shown_name
from tests.unit.host.conftest import OpenDesk, agent_file


def write(folder: Path, file: str, name: str) -> None:
    (folder / file).write_text(agent_file(name))


def status(desk: Desk) -> dict[str, str]:
    return {state.file: state.status for state in desk.offering().files}


@pytest.fixture
def desk(open_desk: OpenDesk) -> Desk:
    return open_desk()


@pytest.fixture
def lenses(folder: Path) -> Path:
    return folder / LENSES


def names(desk: Desk) -> list[str]:
    return [agent.surface.name for agent in desk.offering().lenses]


def test_a_file_that_arrives_is_offered_and_one_that_leaves_is_not(
    desk: Desk, lenses: Path
) -> None:
    before = names(desk)
    write(lenses, "a_new_agent.py", "New")
    assert names(desk) == ["New", *before]
    (lenses / "a_new_agent.py").unlink()
    assert names(desk) == before


def test_an_edited_file_is_another_lens_of_the_same_name(desk: Desk, lenses: Path) -> None:
    first = desk.offering().lenses[0]
    path = lenses / str(first.file)
    path.write_text(path.read_text().replace("Lens:", "Lens, edited:"))
    again = desk.offering().lenses[0]
    assert again.surface.name == first.surface.name
    assert again.hash != first.hash


def test_of_two_with_one_name_the_first_in_file_order_is_offered(desk: Desk, lenses: Path) -> None:
    write(lenses, "a_agent.py", "Twice")
    write(lenses, "b_agent.py", "Twice")
    write(lenses, "c_agent.py", "Being")
    states = {state.file: state for state in desk.offering().files}
    assert states["a_agent.py"].status == "offered"
    assert (states["b_agent.py"].status, states["b_agent.py"].reason) == (
        "duplicate",
        "a_agent.py already offers Twice",
    )
    assert states["c_agent.py"].reason == "the self-lens already offers Being"


BROKEN: dict[str, Callable[[Path], object]] = {
    "no Python": lambda path: path.write_text("def (:\n"),
    "a clock": lambda path: path.write_text("import time\n"),
    "nothing": lambda path: path.write_bytes(b""),
    "octets": lambda path: path.write_bytes(bytes(range(256))),
    "too long": lambda path: path.write_bytes(b"#" * (MAX_SOURCE + 1)),
    "far too long": lambda path: path.write_bytes(b"#" * (8 << 20)),
    "a folder": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to nowhere": lambda path: path.symlink_to("none"),
    "a link to itself": lambda path: path.symlink_to(path),
    "deep nesting": lambda path: path.write_text("x = " + "(" * 5000 + ")" * 5000),
    "a zero": lambda path: path.write_bytes(b"x = 1\0\n"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_stands_aside_with_its_reason_while_the_others_go_on(
    name: str, desk: Desk, lenses: Path
) -> None:
    before = names(desk)
    BROKEN[name](lenses / "a_broken_agent.py")
    assert names(desk) == before
    state = next(s for s in desk.offering().files if s.file == "a_broken_agent.py")
    assert state.status == "set aside"
    assert state.reason
    assert "\n" not in state.reason


@pytest.mark.skipif(os.name != "posix", reason="names as octets are POSIX")
def test_a_name_that_is_no_text_is_shown_as_its_octets(desk: Desk, lenses: Path) -> None:
    write(lenses, os.fsdecode(b"\xff_agent.py"), "Odd")
    assert status(desk)["\\xff_agent.py"] == "offered"


def test_hidden_files_and_others_are_no_lenses(desk: Desk, lenses: Path) -> None:
    before = status(desk)
    write(lenses, "._drift_agent.py", "Hidden")
    write(lenses, "agent.py", "Other")
    write(lenses, "x_agent.pyc", "Other")
    (lenses / "__pycache__").mkdir()
    assert status(desk) == before


def test_more_files_than_are_read_are_named_in_one_line(desk: Desk, lenses: Path) -> None:
    shutil.rmtree(lenses)
    lenses.mkdir()
    for number in range(MAX_FILES + 3):
        (lenses / f"n{number:04}_agent.py").write_text("")
    states = desk.offering().files
    assert len(states) == MAX_FILES + 1
    assert str(MAX_FILES) in states[-1].reason


@pytest.mark.parametrize("gone", ["deleted", "a file"])
def test_a_folder_that_is_gone_is_unavailable(gone: str, desk: Desk, lenses: Path) -> None:
    shutil.rmtree(lenses)
    if gone == "a file":
        lenses.write_text("")
    with pytest.raises(Unavailable, match="lenses"):
        desk.offering()


def test_the_lens_control_says_how_many_and_which(desk: Desk) -> None:
    everything = names(desk)
    desk.turn(Turning("lens", 2))
    assert names(desk) == everything[:2]
    assert list(status(desk).values()).count("beyond the limit") == len(everything) - 2
    desk.turn(Turning("lens", 2, ("Temper", "Settle", "Nobody"), keep_detail=False))
    assert names(desk) == ["Settle", "Temper"]
    assert list(status(desk).values()).count("not allowed") == len(everything) - 2


def test_what_is_copied_is_plain_agent_files_alone(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    write(source, "good_agent.py", "Good")
    (source / "broken_agent.py").write_text("def (:\n")
    (source / "notes.txt").write_text("notes")
    (source / "sub").mkdir()
    (source / "up_agent.py").symlink_to(tmp_path)
    os.mkfifo(source / "pipe_agent.py")
    (source / "big_agent.py").write_bytes(b"#" * (MAX_SOURCE + 1))
    copy_agents(source, target)
    assert sorted(path.name for path in target.iterdir()) == ["broken_agent.py", "good_agent.py"]
    assert (target / "good_agent.py").read_bytes() == (source / "good_agent.py").read_bytes()


def test_a_folder_that_is_not_there_copies_as_an_empty_one(tmp_path: Path) -> None:
    copy_agents(tmp_path / "none", tmp_path / "target")
    assert list((tmp_path / "target").iterdir()) == []


def test_line_ends_are_kept(tmp_path: Path) -> None:
    (tmp_path / "x_agent.py").write_bytes(b"a\r\nb\n")
    assert read_source(tmp_path / "x_agent.py") == b"a\r\nb\n"
    assert shown_name("x_agent.py") == "x_agent.py"
