"""The real host process, through its client: one pen, one window, nothing left (decisions 8a)."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from holodesk.errors import Unavailable
from holodesk.hologram import lease
from holodesk.hologram.perform import Runner
from holodesk.host import clock
from holodesk.host.client import Client
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.exchanging import export_chain
from holodesk.host.messages import (
    Appended,
    Detail,
    Folder,
    HeadMoved,
    LineageRows,
    Notice,
    Offered,
    Pace,
    Previewed,
    Refusal,
    Replayed,
    Working,
)
from holodesk.host.reading import verify
from holodesk.host.settings import Settings
from tests.conftest import ROOT
from tests.simulator import creature
from tests.unit.host.conftest import agent_file
from tests.unit.host.test_desk import change, octets_of
from tests.unit.host.window import Window, children, descriptors, is_running, wait_ended

OpenWindow = Callable[..., Window]
linux = pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks at processes in /proc")


@pytest.fixture
def open_window(folder: Path) -> Iterator[OpenWindow]:
    opened: list[Window] = []

    def open_one(desk: Path | None = None, *, read_only: bool = False) -> Window:
        window = Window(desk or folder, read_only=read_only)
        opened.append(window)
        return window

    yield open_one
    for window in opened:
        window.close()


@pytest.fixture
def window(open_window: OpenWindow) -> Window:
    """A window whose host has opened the desk and made its first offer."""
    found = open_window()
    found.wait(Pace)
    return found


# ---- opening ---------------------------------------------------------------------------------


def test_an_opened_desk_is_told_whole_and_an_offer_waits(open_window: OpenWindow) -> None:
    window = open_window()
    assert window.wait(Working).done == -1
    head = window.wait(HeadMoved)
    assert (head.seq, head.kind, head.freshness, head.writable) == (4, "control", "live", True)
    folder = window.wait(Folder)
    assert {file.status for file in folder.files} == {"offered"}
    offer = window.wait(Offered)
    assert (offer.seq, [lens.name for lens in offer.lenses][:2]) == (4, ["Being", "Drift"])
    pace = window.wait(Pace)
    assert (pace.caller, pace.next_pass, pace.resting) == ("person", -1.0, False)


@pytest.mark.parametrize("broken", ["nothing", "a folder", "a frame", "a name", "settings"])
def test_what_cannot_be_opened_is_told_and_answers_go_on(
    broken: str, folder: Path, tmp_path: Path, open_window: OpenWindow
) -> None:
    desk = folder
    if broken == "nothing":
        desk = tmp_path / "none"
    elif broken == "a name":
        desk = tmp_path / ("n" * 300)
    elif broken == "a folder":
        (folder / DESK_FILE).unlink()
    elif broken == "a frame":
        (folder / DESK_FILE).write_bytes(b"no database" * 1000)
    else:
        (tmp_path / "config" / "holodesk" / "settings.toml").write_text("x = 1")
    window = open_window(desk)
    told = window.wait(Refusal)
    assert told.id == 0
    assert told.sentence
    if broken != "settings":
        assert window.refused(window.rows()).sentence == "no desk is open here"
        (folder if desk == folder else tmp_path).joinpath("touched").write_text("x")
        assert window.refused(window.choose("Drift")).family == "Unavailable"


# ---- requests --------------------------------------------------------------------------------


def test_a_choice_is_acknowledged_when_it_is_on_disk(window: Window, folder: Path) -> None:
    number = window.choose("Drift", toward="left", distance=12)
    head = window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    appended = window.answer(Appended, number)
    assert (appended.seq, appended.frame_hash) == (head.seq, head.frame_hash)
    assert octets_of(folder)[-1].find(head.frame_hash.encode()) > 0
    assert verify(folder, None).verdict == "links-verified"
    assert head.object != {}


def test_a_rejected_choice_leaves_no_frame_not_even_a_lease(window: Window, folder: Path) -> None:
    before = octets_of(folder)
    for lens, params in (
        ("Fly", {}),
        ("Drift", {}),
        ("Drift", {"toward": "left", "distance": 9999}),
        ("Drift", {"toward": "left", "distance": b"octets"}),
        ("Drift", {"toward": {1: 2, "a": 3}, "distance": 9}),
        ("Drift", {"toward": "left", "distance": float("nan")}),
    ):
        told = window.refused(window.choose(lens, **params))
        assert told.family == "Rejected"
        assert told.problems
    assert octets_of(folder) == before
    window.answer(Appended, window.choose("Drift", toward="left", distance=12))


def test_a_control_is_turned_and_the_next_offer_is_narrower(window: Window) -> None:
    number = window.turn("lens", 3, {"allow": ["Drift", "Temper"]})
    moved = window.wait(HeadMoved, lambda head: head.seq == 5)
    control = next(one for one in moved.controls if one.name == "lens")
    assert (control.value, control.detail, control.since) == (3, {"allow": ["Drift", "Temper"]}, 5)
    offer = window.wait(Offered)
    assert [lens.name for lens in offer.lenses] == ["Being", "Drift", "Temper"]
    assert window.answer(Appended, number).kind == "control"
    for control_name, value in (("lens", 99), ("rails", -1), ("rails", 2**63), ("fog", 1)):
        assert window.refused(window.turn(control_name, value)).family == "Refused"
    window.turn("lens", 3, {"allow": None})
    assert len(window.wait(Offered).lenses) > 3


def test_looking_changes_nothing(window: Window, folder: Path) -> None:
    before = octets_of(folder)
    seen = window.answer(Previewed, window.preview("Drift", toward="left", distance=12)).object
    rows = window.answer(LineageRows, window.rows())
    assert ([row.seq for row in rows.rows], rows.total) == ([4, 3, 2, 1, 0], 5)
    assert window.answer(LineageRows, window.rows(2**64 - 1, -5)).rows == []
    detail = window.answer(Detail, window.detail(3))
    assert (detail.kind, detail.sections[1][0]) == ("tile", "Lens")
    assert window.refused(window.detail(99)).family == "Unavailable"
    assert window.answer(Replayed, window.replay(3)).verdict == "valid"
    assert window.refused(window.replay(4)).family == "Unavailable"
    assert octets_of(folder) == before
    number = window.choose("Drift", toward="left", distance=12)
    assert window.wait(HeadMoved, lambda moved: moved.kind == "tile").object == seen
    window.answer(Appended, number)


def test_messages_that_are_no_requests_are_passed_over(window: Window) -> None:
    stdin = window.client._process.stdin
    assert stdin is not None
    deep = b"\x91" * 5000 + b"\x01"
    head = b"\x84\xa2is\xa6choose\xa2id\x01\xa4lens\xa1a\xa6params\x81\xa1a"
    for octets in (b"", b"\xc1", b"\x80", b"\x81\xa2is\xa4nope", head + deep):
        stdin.write(len(octets).to_bytes(4, "little") + octets)
    stdin.flush()
    assert window.answer(LineageRows, window.rows()).total == 5


# ---- folders ---------------------------------------------------------------------------------


def test_what_changes_in_the_folder_is_told(window: Window, folder: Path) -> None:
    (folder / LENSES / "a_new_agent.py").write_text(agent_file("New"))
    told = window.wait(Folder, lambda told: told.files[0].file == "a_new_agent.py")
    assert told.files[0].status == "offered"
    assert "New" in [lens.name for lens in window.wait(Offered).lenses]
    (folder / LENSES / "a_new_agent.py").write_text("import time\n")
    told = window.wait(Folder, lambda told: told.files[0].status == "set aside")
    assert told.files[0].line == 1
    assert window.refused(window.choose("New")).family == "Rejected"
    (folder / LENSES / "a_new_agent.py").unlink()
    window.wait(Folder, lambda told: told.files[0].file != "a_new_agent.py")
    (folder / LENSES).rename(folder / "away")
    assert window.wait(Folder, lambda told: told.files == []).files == []
    assert window.refused(window.choose("Drift", toward="left", distance=9)).family == "Unavailable"
    (folder / "away").rename(folder / LENSES)
    assert window.wait(Folder, lambda told: bool(told.files))
    window.answer(Appended, window.choose("Drift", toward="left", distance=9))


@pytest.mark.skipif(os.name != "posix", reason="names as octets are POSIX")
def test_a_file_whose_name_is_no_text_does_not_end_the_host(window: Window, folder: Path) -> None:
    (folder / LENSES / os.fsdecode(b"a\xff\n_agent.py")).write_text("def (:\n")
    told = window.wait(Folder, lambda told: "xff" in told.files[0].file)
    assert told.files[0].status == "set aside"


# ---- a script --------------------------------------------------------------------------------


def script(path: Path, *lines: dict[str, object]) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def drift(way: str) -> dict[str, object]:
    return {"lens": "Drift", "params": {"toward": way, "distance": 9}}


def test_a_script_passes_at_its_tempo_and_a_rejected_line_is_passed_over(
    window: Window, tmp_path: Path
) -> None:
    window.answer(Appended, window.turn("tempo", 60))
    path = script(tmp_path / "s.jsonl", drift("left"), drift("nowhere"), drift("up"))
    window.caller("script", path)
    pace = window.wait(Pace, lambda pace: pace.caller == "script")
    assert 0.5 < pace.next_pass <= 1
    window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    first = time.monotonic()
    assert window.wait(Refusal).family == "Rejected"
    window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    assert time.monotonic() - first > 1.5
    assert window.wait(Pace, lambda pace: pace.next_pass == -1).caller == "script"


def test_no_tempo_holds_a_script_and_what_a_person_does_does_not_put_it_off(
    window: Window, tmp_path: Path
) -> None:
    window.answer(Appended, window.turn("tempo", 0))
    path = script(tmp_path / "s.jsonl", drift("left"), drift("up"))
    window.caller("script", path)
    assert window.wait(Pace, lambda pace: pace.caller == "script").next_pass == -1
    window.turn("tempo", 30)
    waits = [window.wait(Pace).next_pass]
    assert 0 < waits[0] <= 2
    for value in range(1, 4):
        window.answer(Appended, window.turn("rails", value))
    paces = [notice for notice in window.notices if isinstance(notice, Pace)]
    waits += [pace.next_pass for pace in paces[-3:]]
    assert waits == sorted(waits, reverse=True)
    window.wait(HeadMoved, lambda moved: moved.kind == "tile")
    window.caller("person")
    assert window.wait(Pace, lambda pace: pace.caller == "person").next_pass == -1


@pytest.mark.parametrize(
    ("text", "family"),
    [("", "Refused"), ("{}\n", "Refused"), ("x" * 100, "Refused"), (None, "Unavailable")],
)
def test_a_script_that_is_none_is_refused_and_the_caller_stays(
    text: str | None, family: str, window: Window, tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    if text is not None:
        path.write_text(text)
    assert window.refused(window.caller("script", str(path))).family == family
    for odd in (str(tmp_path), "a\0b", "n" * 5000, "/dev/zero"):
        assert window.refused(window.caller("script", odd)).family == "Unavailable"
    assert window.refused(window.caller("nobody")).family == "Refused"
    window.answer(Appended, window.choose("Drift", toward="left", distance=9))


# ---- several hosts ---------------------------------------------------------------------------


def test_a_second_host_only_reads_says_who_writes_and_follows(
    window: Window, open_window: OpenWindow
) -> None:
    second = open_window()
    head = second.wait(HeadMoved)
    assert not head.writable
    assert f"process {window.client.pid}" in head.why_not
    second.wait(Pace)
    number = window.choose("Drift", toward="left", distance=12)
    tile = window.answer(Appended, number)
    followed = second.head(tile.seq)
    assert (followed.frame_hash, followed.freshness) == (tile.frame_hash, "live")
    offer = second.wait(Offered, lambda offer: offer.seq == tile.seq)
    assert [lens.name for lens in offer.lenses][:2] == ["Being", "Drift"]
    refused = second.refused(second.choose("Drift", toward="left", distance=12))
    assert refused.family == "Unavailable"
    assert f"process {window.client.pid}" in refused.sentence


def test_a_desk_that_goes_while_it_is_followed_is_stale_and_live_again(
    folder: Path, open_window: OpenWindow
) -> None:
    reader = open_window(read_only=True)
    reader.wait(Pace)
    (folder / DESK_FILE).rename(folder / "away")
    assert reader.wait(HeadMoved, lambda moved: moved.freshness == "stale").seq == 4
    (folder / "away").rename(folder / DESK_FILE)
    assert reader.wait(HeadMoved, lambda moved: moved.freshness == "live").seq == 4


def test_a_desk_that_is_refused_while_it_is_followed_is_never_shown_as_live(
    folder: Path, open_window: OpenWindow
) -> None:
    reader = open_window(read_only=True)
    reader.wait(Pace)
    change(folder, "DELETE FROM waves WHERE seq > 2")
    assert reader.wait(HeadMoved, lambda moved: moved.freshness == "refused").seq == 4
    assert reader.refused(reader.rows()).family == "Unavailable"
    (folder / LENSES / "new_agent.py").write_text(agent_file("New"))
    assert reader.refused(reader.detail(1)).family == "Unavailable"


def test_a_chain_file_is_followed_as_it_grows(
    tmp_path: Path, machine: Runner, open_window: OpenWindow
) -> None:
    sim = creature(machine)
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in sim.frames[:4]))
    window = open_window(path)
    assert window.wait(HeadMoved).seq == 3
    with path.open("ab") as out:
        out.write(b"".join(line + b"\n" for line in sim.frames[4:]))
    assert window.head(len(sim.frames) - 1).frame_hash == sim.hologram.head.frame_hash


# ---- ends ------------------------------------------------------------------------------------


def standing(folder: Path) -> lease.Lease | None:
    with Desk(folder, Settings(), write=False) as desk:
        return lease.in_force(desk.hologram.lease, clock.now())


@linux
def test_closing_releases_the_lease_and_leaves_no_process(
    folder: Path, open_window: OpenWindow
) -> None:
    before = descriptors()
    window = open_window()
    window.wait(Pace)
    window.answer(Appended, window.choose("Drift", toward="left", distance=12))
    pids = [window.client.pid, *children(window.client.pid)]
    assert len(pids) > 1
    assert standing(folder) is not None
    window.close()
    assert standing(folder) is None
    assert wait_ended(pids) == []
    assert window.losses == []
    assert descriptors() <= before
    assert not (folder / "pen.json").exists()
    window.close()


@linux
def test_a_killed_host_is_told_once_loses_nothing_and_leaves_no_process(
    folder: Path, machine: Runner, open_window: OpenWindow
) -> None:
    window = open_window()
    window.wait(Pace)
    pids = [window.client.pid, *children(window.client.pid)]
    for number in range(60):
        way = ("left", "right", "near", "far")[number % 4]
        window.choose("Drift", toward=way, distance=9)
    for _ in range(8):
        window.wait(Appended)
    os.kill(window.client.pid, signal.SIGKILL)
    assert "-9" in window.wait_lost()
    assert wait_ended(pids) == []
    acknowledged = [notice for notice in window.notices if isinstance(notice, Appended)]
    assert len(acknowledged) >= 8
    found = verify(folder, machine)
    assert found.verdict == "verified"
    octets = octets_of(folder)
    for notice in acknowledged:
        assert notice.frame_hash.encode() in octets[notice.seq]
    window.choose("Drift", toward="left", distance=9)
    again = open_window()
    head = again.wait(HeadMoved)
    assert (head.writable, head.seq) == (True, len(octets) - 1)
    again.wait(Pace)
    again.answer(Appended, again.choose("Drift", toward="up", distance=8))
    assert len(window.losses) == 1


WINDOW = """
import sys, time
from pathlib import Path
from tests.unit.host.window import Window
from holodesk.host.messages import Appended, Pace
window = Window(Path(sys.argv[1]))
window.wait(Pace)
window.answer(Appended, window.choose("Drift", toward="left", distance=12))
print(window.client.pid, flush=True)
time.sleep(600)
"""


@linux
def test_when_the_window_is_killed_the_host_releases_its_lease_and_ends(folder: Path) -> None:
    words = [sys.executable, "-c", WINDOW, str(folder)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE) as window:
        assert window.stdout is not None
        host = int(window.stdout.readline())
        pids = [host, *children(host)]
        assert is_running(host)
        window.kill()
        window.wait()
    assert wait_ended(pids) == []
    assert standing(folder) is None
    with Desk(folder, Settings(), program="test") as desk:
        desk.turn(Turning("rails", 3))


@linux
def test_a_host_that_is_asked_to_end_by_the_system_ends_like_one_that_leaves(
    folder: Path, open_window: OpenWindow
) -> None:
    window = open_window()
    window.wait(Pace)
    window.answer(Appended, window.choose("Drift", toward="left", distance=12))
    pids = [window.client.pid, *children(window.client.pid)]
    os.kill(window.client.pid, signal.SIGINT)
    assert window.answer(LineageRows, window.rows()).total == 7
    os.kill(window.client.pid, signal.SIGTERM)
    window.wait_lost()
    assert wait_ended(pids) == []
    assert standing(folder) is None


def test_a_host_that_cannot_be_started_is_unavailable(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ignore(notice: Notice) -> None: ...

    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(Unavailable, match="cannot be started"):
        Client(folder, ignore, lambda why: None)


LIAR = """
import sys, time
out = sys.stdout.buffer
out.write(({length}).to_bytes(4, "little") + b"{octets}")
out.flush()
time.sleep(600)
"""


@pytest.mark.parametrize(
    ("length", "octets"), [(2**31, "x"), (5, "hello"), (1, "\\xc1")], ids=["long", "odd", "never"]
)
def test_a_host_that_says_what_is_no_notice_is_ended_and_told_as_lost(
    length: int, octets: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "liar"
    code = LIAR.format(length=length, octets=octets)
    (tmp_path / "liar.py").write_text(code)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path / "liar.py"}"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    window = Window(folder)
    try:
        assert "-9" in window.wait_lost()
    finally:
        window.close()


def test_an_export_is_what_a_host_was_told(window: Window, folder: Path, tmp_path: Path) -> None:
    appended = window.answer(Appended, window.choose("Drift", toward="left", distance=12))
    count, hologram, _ = export_chain(folder, tmp_path / "out.jsonl")
    assert (count, hologram.head.frame_hash) == (appended.seq + 1, appended.frame_hash)
    shutil.rmtree(folder)
    assert window.refused(window.choose("Drift", toward="up", distance=9)).family == "Unavailable"
