"""A desk or a chain file is verified on every reading (LH 3.1; rapp/1 7.6)."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk.errors import Held, Refused, Unavailable
from holodesk.hologram.perform import Runner
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import DESK_FILE
from holodesk.host.exchanging import export_chain
from holodesk.host.heads import keep_head, kept_file
from holodesk.host.machine.parent import Machine
from holodesk.host.reading import read_object, verify
from holodesk.host.settings import Settings
from holodesk.store.exchange import MAX_LINE
from tests.conftest import ROOT
from tests.simulator import HologramSimulator, creature


@pytest.fixture
def chain(folder: Path, tmp_path: Path) -> Path:
    out = tmp_path / "chain.jsonl"
    export_chain(folder, out)
    return out


def test_a_desk_and_its_export_are_verified_to_the_same_head(
    folder: Path, chain: Path, machine: Runner
) -> None:
    desk, file = verify(folder, machine), verify(chain, machine)
    for found in (desk, file, verify(folder / DESK_FILE, machine)):
        assert found.verdict == "verified"
        assert (found.outcome.replayed, found.note) == (2, "")
        assert found.head is not None
        assert found.as_json()["head"] == desk.as_json()["head"]


def test_without_a_runner_links_are_verified_and_nothing_is_replayed(folder: Path) -> None:
    found = verify(folder, None)
    assert (found.verdict, found.outcome.replayed) == ("links-verified", 0)


BREAKS: dict[str, tuple[int | None, int, Callable[[list[bytes]], list[bytes]]]] = {
    "the last line cut": (4, 4, lambda lines: [*lines[:4], lines[4][:-9]]),
    "a line too long": (None, 4, lambda lines: [*lines[:4], b'{"a":"' + b"x" * MAX_LINE]),
    "a stale object": (2, 2, lambda lines: swapped(lines, 2, b'"left"', b'"down"')),
    "two frames exchanged": (4, 3, lambda lines: [*lines[:3], lines[4], lines[3]]),
    "a frame that comes again": (1, 4, lambda lines: [*lines[:4], lines[1]]),
    "no genesis": (1, 0, lambda lines: lines[1:]),
    "a blank line": (2, 2, lambda lines: [*lines[:2], b"", *lines[2:]]),
}


def swapped(lines: list[bytes], seq: int, old: bytes, new: bytes) -> list[bytes]:
    return [*lines[:seq], lines[seq].replace(old, new, 1), *lines[seq + 1 :]]


@pytest.mark.parametrize("name", BREAKS)
def test_a_refusal_names_its_place_and_the_last_state_that_holds(
    name: str, chain: Path, machine: Runner
) -> None:
    seq, good, edit = BREAKS[name]
    chain.write_bytes(b"".join(line + b"\n" for line in edit(chain.read_bytes().splitlines())))
    for runner in (machine, None):
        found = verify(chain, runner)
        assert found.verdict == "refused"
        assert found.outcome.refusal is not None
        assert found.outcome.refusal.where.seq == seq
        assert (found.head.frames if found.head else 0) == good


def test_a_forgery_before_an_unreadable_line_is_still_told(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    forged = sim.forge(2, lambda payload: payload["object"].update(age=77))
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"\n".join(forged) + b"\n" + b"x" * (MAX_LINE + 5) + b"\n")
    refusal = verify(path, machine).outcome.refusal
    assert refusal is not None
    assert refusal.where.seq == 2
    assert "replay gives a different object" in refusal.message


def test_an_older_chain_file_is_verified_and_said_to_be_older(
    folder: Path, chain: Path, machine: Runner
) -> None:
    with Desk(folder, Settings(), program="test") as desk:
        desk.turn(Turning("rails", 30))
    found = verify(chain, machine)
    assert found.verdict == "verified"
    assert "frame 5" in found.note


def test_another_branch_than_the_one_verified_here_is_refused(folder: Path, tmp_path: Path) -> None:
    sim = HologramSimulator(None)  # type: ignore[arg-type]
    before = sim.hologram
    sim.turn("rails", 30)
    keep_head(sim.hologram)
    sim.hologram, sim.frames = before, sim.frames[:1]
    sim.turn("rails", 31)
    sim.turn("rails", 32)
    path = tmp_path / "branch.jsonl"
    path.write_bytes(b"\n".join(sim.frames) + b"\n")
    refusal = verify(path, None).outcome.refusal
    assert refusal is not None
    assert (refusal.rule, refusal.where.seq) == ("rapp/1 7.6", 1)


def test_a_chain_from_the_future_says_so(tmp_path: Path) -> None:
    sim = HologramSimulator(None)  # type: ignore[arg-type]
    sim._now += 10**12
    sim.turn("rails", 30)
    path = tmp_path / "future.jsonl"
    path.write_bytes(b"\n".join(sim.frames) + b"\n")
    found = verify(path, None)
    assert found.verdict == "links-verified"
    assert "ahead of this machine's clock" in found.note


def test_a_runtime_that_is_missing_is_never_called_a_forgery(
    tmp_path: Path, machine: Runner
) -> None:
    sim = creature(machine)
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"\n".join(sim.frames) + b"\n")
    closed = Machine(tmp_path / "cache")
    closed.close()
    try:
        found = verify(path, closed)
    except Unavailable:
        return
    assert found.verdict == "undetermined"


WRITER = """
import sys
from pathlib import Path
from holodesk.host.desk import Desk, Turning
from holodesk.host.settings import Settings
with Desk(Path(sys.argv[1]), Settings(), program="test") as desk:
    print("open", flush=True)
    for number in range(400):
        desk.turn(Turning("rails", number % 2 + 20))
        print(number, flush=True)
"""


def test_a_desk_is_verified_while_another_process_writes_it(folder: Path) -> None:
    words = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
        seen = []
        while writer.poll() is None:
            found = verify(folder, None)
            assert found.outcome.refusal is None
            assert found.head is not None
            seen.append(found.head.head.seq)
            if seen[-1] > 80 and len(seen) > 10:
                writer.kill()
        writer.stdout.read()
    assert seen == sorted(seen)
    assert len(set(seen)) > 3
    assert verify(folder, None).verdict == "links-verified"


# ---- copies of an open desk -------------------------------------------------------------------


def test_a_desk_copied_while_it_is_written_is_verified_or_refused_and_never_half(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [sys.executable, "-c", WRITER, str(folder)]
    copies: list[tuple[int, Path]] = []
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "open\n"
        while writer.poll() is None and len(copies) < 12:
            acknowledged = int(writer.stdout.readline())
            copy = tmp_path / f"copy{len(copies)}"
            shutil.copytree(folder, copy)
            copies.append((acknowledged, copy))
            for _ in range(12):
                writer.stdout.readline()
        writer.kill()
        writer.stdout.read()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another machine"))
    whole = 0
    for acknowledged, copy in copies:
        try:
            found = verify(copy, None)
        except (Held, Unavailable):
            continue
        if found.outcome.refusal is None:
            assert found.head is not None
            assert found.head.head.seq >= 5 + acknowledged
            whole += 1
        with Desk(folder, Settings(), write=False) as original:
            assert original.hologram.head.seq >= 5 + acknowledged
    assert whole > 0
    assert len(copies) == 12


def test_a_copy_on_the_same_machine_is_known_to_be_older(folder: Path, tmp_path: Path) -> None:
    with Desk(folder, Settings(), program="test") as desk:
        desk.turn(Turning("rails", 30))
        shutil.copytree(folder, tmp_path / "copy")
        assert verify(tmp_path / "copy", None).verdict == "links-verified"
        desk.turn(Turning("rails", 20))
    refusal = verify(tmp_path / "copy", None).outcome.refusal
    assert refusal is not None
    assert refusal.rule == "rapp/1 7.6"


# ---- objects ---------------------------------------------------------------------------------


def test_the_object_at_the_head_is_live_and_one_before_it_is_past(folder: Path) -> None:
    live, past = read_object(str(folder)), read_object(str(folder), 2)
    assert (live.seq, live.freshness, past.seq, past.freshness) == (4, "live", 2, "past")
    assert live.object != past.object
    assert live.signed


@pytest.mark.parametrize("seq", [5, -1, -(10**30), 10**30])
def test_a_frame_that_is_not_there_is_unavailable(seq: int, folder: Path) -> None:
    with pytest.raises(Unavailable, match="expected a frame"):
        read_object(str(folder), seq)


def test_an_object_behind_a_broken_frame_is_not_shown(folder: Path, chain: Path) -> None:
    lines = chain.read_bytes().splitlines()
    chain.write_bytes(b"\n".join([*lines[:3], lines[3][:-4], lines[4]]) + b"\n")
    with pytest.raises(Refused):
        read_object(str(chain))
    assert read_object(str(chain), 2).seq == 2


NOWHERE: dict[str, Callable[[Path], Path]] = {
    "nothing": lambda folder: folder / "none",
    "a folder": lambda folder: folder,
    "too long a name": lambda folder: folder / ("n" * 300),
    "a device": lambda folder: Path("/dev/zero"),
    "a desk file that is not there": lambda folder: folder / DESK_FILE,
}


@pytest.mark.parametrize("name", NOWHERE)
def test_what_cannot_be_read_is_unavailable(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        verify(NOWHERE[name](tmp_path), None)


def test_a_memory_that_cannot_be_read_stops_a_verdict(folder: Path) -> None:
    with Desk(folder, Settings(), write=False) as desk:
        stream = desk.hologram.head.stream_id
    kept_file(stream, keyed=True).write_text("{")
    with pytest.raises(Unavailable, match="kept head"):
        verify(folder, None)
