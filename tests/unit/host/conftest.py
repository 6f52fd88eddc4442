"""Desks to test a host with: made once, copied for each test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import from_kind, make_desk
from holodesk.host.settings import Settings
from holodesk.portal.caller import Choice

OpenDesk = Callable[..., Desk]

LEFT = Choice("Drift", {"toward": "left", "distance": 12}, Caller("me", "person"))
UP = Choice("Drift", {"toward": "up", "distance": 9}, Caller("me", "person"))

LENS = """
from agents.basic_agent import BasicAgent


class TryAgent(BasicAgent):
    name = "NAME"
    metadata = {
        "name": "NAME",
        "description": "Try it, or it is not tried.",
        "parameters": {"type": "object", "properties": {}},
    }

    def perform(self, **params):
        return {"object": self.context.object, "data_slush": {}}
"""


def agent_file(name: str) -> str:
    """A lawful lens of that name, which changes nothing."""
    return LENS.replace("NAME", name)


@pytest.fixture(scope="session")
def made_desk(machine: Runner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a creature's desk `d` after two passes and a turn, and its `config`."""
    folder = tmp_path_factory.mktemp("made-desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        make_desk(folder / "d", from_kind("creature"))
        with Desk(folder / "d", Settings(), program="test") as desk:
            desk.take(desk.open_pass(machine), LEFT)
            desk.take(desk.open_pass(machine), UP)
            desk.turn(Turning("rails", 40, reason="quieter"))
    return folder


@pytest.fixture
def folder(made_desk: Path, tmp_path: Path) -> Path:
    """A desk of five frames that this test's own configuration holds the key of."""
    shutil.copytree(made_desk / "config", tmp_path / "config")
    shutil.copytree(made_desk / "d", tmp_path / "d")
    return tmp_path / "d"


@pytest.fixture
def open_desk(folder: Path) -> Iterator[OpenDesk]:
    """Opens desks, the test's own if none is named, and closes them after the test."""
    opened: list[Desk] = []

    def open_one(path: Path | None = None, *, write: bool = True) -> Desk:
        desk = Desk(path or folder, Settings(), program="test", write=write)
        opened.append(desk)
        return desk

    yield open_one
    for desk in opened:
        desk.close()
