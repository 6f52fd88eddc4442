"""What arrives in the lens folder or leaves it is told once, a moment later (decisions 2)."""

import contextlib
import queue
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.observers import Observer

from holodesk.errors import Unavailable
from holodesk.host.watch import QUIET_SECONDS, Watch

WAIT = 10.0


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "d" / "lenses").mkdir(parents=True)
    (tmp_path / "d" / "agents").mkdir()
    return tmp_path / "d"


@pytest.fixture
def told(desk: Path) -> Iterator["queue.Queue[None]"]:
    found: queue.Queue[None] = queue.Queue()
    watching = Watch(desk, "lenses", lambda: found.put(None))
    yield found
    watching.close()


CHANGES: dict[str, Callable[[Path], object]] = {
    "arrives": lambda desk: (desk / "lenses" / "new_agent.py").write_text("x"),
    "is edited": lambda desk: (desk / "lenses" / "old_agent.py").write_text("y"),
    "leaves": lambda desk: (desk / "lenses" / "old_agent.py").unlink(),
    "moves away": lambda desk: (desk / "lenses" / "old_agent.py").rename(desk / "away.py"),
    "moves in": lambda desk: (desk / "kept.py").rename(desk / "lenses" / "kept_agent.py"),
    "goes with its folder": lambda desk: shutil.rmtree(desk / "lenses"),
    "goes as its folder moves": lambda desk: (desk / "lenses").rename(desk / "away"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_file_that_changes_is_told(name: str, desk: Path) -> None:
    (desk / "lenses" / "old_agent.py").write_text("x")
    (desk / "kept.py").write_text("x")
    found: queue.Queue[None] = queue.Queue()
    watching = Watch(desk, "lenses", lambda: found.put(None))
    try:
        CHANGES[name](desk)
        found.get(timeout=WAIT)
    finally:
        watching.close()


def test_a_folder_that_comes_back_is_watched_again(desk: Path, told: "queue.Queue[None]") -> None:
    (desk / "lenses").rename(desk.parent / "away")
    told.get(timeout=WAIT)
    (desk.parent / "away").rename(desk / "lenses")
    told.get(timeout=WAIT)
    (desk / "lenses" / "new_agent.py").write_text("x")
    told.get(timeout=WAIT)


def test_a_burst_is_told_when_it_is_quiet_and_not_file_by_file(
    desk: Path, told: "queue.Queue[None]"
) -> None:
    for number in range(200):
        (desk / "lenses" / f"n{number}_agent.py").write_text("x")
    told.get(timeout=WAIT)
    with contextlib.suppress(queue.Empty):
        for _ in range(20):
            told.get(timeout=6 * QUIET_SECONDS)
        pytest.fail("a burst of 200 files was told 20 times and more")


def test_what_changes_beside_the_folder_is_not_told(desk: Path, told: "queue.Queue[None]") -> None:
    (desk / "desk.sqlite-wal").write_bytes(b"x")
    (desk / "agents" / "x_agent.py").write_text("x")
    (desk / "lenses.txt").write_text("x")
    with pytest.raises(queue.Empty):
        told.get(timeout=4 * QUIET_SECONDS)
    (desk / "lenses" / "sub").mkdir()
    told.get(timeout=WAIT)
    (desk / "lenses" / "sub" / "deep_agent.py").write_text("x")
    with pytest.raises(queue.Empty):
        told.get(timeout=4 * QUIET_SECONDS)


def test_reading_is_no_change(desk: Path) -> None:
    (desk / "lenses" / "old_agent.py").write_text("x")
    found: queue.Queue[None] = queue.Queue()
    watching = Watch(desk, "lenses", lambda: found.put(None))
    try:
        (desk / "lenses" / "old_agent.py").read_text()
        list((desk / "lenses").iterdir())
        with pytest.raises(queue.Empty):
            found.get(timeout=4 * QUIET_SECONDS)
    finally:
        watching.close()


def test_a_folder_behind_a_link_is_watched_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "d" / "lenses").symlink_to(tmp_path / "shared")
    found: queue.Queue[None] = queue.Queue()
    watching = Watch(tmp_path / "d", "lenses", lambda: found.put(None))
    try:
        (tmp_path / "shared" / "new_agent.py").write_text("x")
        found.get(timeout=WAIT)
    finally:
        watching.close()


def test_after_the_end_nothing_is_told(desk: Path) -> None:
    found: queue.Queue[None] = queue.Queue()
    watching = Watch(desk, "lenses", lambda: found.put(None))
    (desk / "lenses" / "new_agent.py").write_text("x")
    watching.close()
    while not found.empty():
        found.get()
    with pytest.raises(queue.Empty):
        found.get(timeout=3 * QUIET_SECONDS)


def test_a_system_that_cannot_watch_more_is_said_so(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "start", full)
    with pytest.raises(Unavailable, match="still read on every pass"):
        Watch(desk, "lenses", lambda: None)
