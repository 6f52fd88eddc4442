"""A game run's receipts become passes: each once, in order, or none at all (LH 4.1)."""

import gzip
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holodesk.errors import Held, Refused, Rejected
from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.host import receipts
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import LENSES, from_kind, make_desk
from holodesk.host.reading import verify
from holodesk.host.receipts import read_receipts
from holodesk.host.running import Brought, import_run
from holodesk.host.settings import Settings
from holodesk.portal.caller import Choice
from tests.conftest import ROOT
from tests.unit.host.test_desk import octets_of

RECEIPTS = "data/gamerun/execution-receipts-all-4486.jsonl.gz"
FIRST, SECOND = "31b31dc3badf", "d70d31da18c7"
COUNTS = {FIRST: 121, SECOND: 109}


@pytest.fixture(scope="module")
def lines(shared: Path) -> dict[str, list[bytes]]:
    """The published receipts of two runs, in sequence."""
    found: dict[str, list[bytes]] = {FIRST: [], SECOND: []}
    with gzip.open(shared / RECEIPTS) as rows:
        for line in rows.read().splitlines():
            run = json.loads(line)["run_id"]
            if run in found:
                found[run].append(line)
    for run in found.values():
        run.sort(key=lambda line: int(json.loads(line)["sequence"]))
    assert {run: len(each) for run, each in found.items()} == COUNTS
    return found


@pytest.fixture(scope="module")
def brought(
    lines: dict[str, list[bytes]], machine: Runner, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with both runs on a desk `d`, its `config`, and the receipts in one file."""
    folder = tmp_path_factory.mktemp("runs")
    write(folder / "both.jsonl", lines[SECOND], lines[FIRST])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        make_desk(folder / "d", from_kind("gamerun"))
        found = bring(folder / "both.jsonl", folder / "d", machine)
    assert (found.appended, found.known) == (230, 0)
    return folder


@pytest.fixture
def full(brought: Path, tmp_path: Path) -> Path:
    shutil.copytree(brought / "config", tmp_path / "config")
    shutil.copytree(brought / "d", tmp_path / "d")
    return tmp_path / "d"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    make_desk(tmp_path / "d", from_kind("gamerun"))
    return tmp_path / "d"


def write(path: Path, *runs: list[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for run in runs for line in run))
    return path


def bring(path: Path, folder: Path, machine: Runner) -> Brought:
    return import_run(path, folder, Settings(), machine)


def edited(line: bytes, edit: Callable[[dict[str, Any]], object]) -> bytes:
    """A receipt that somebody else made up, with a record_id that holds."""
    given = json.loads(line)
    edit(given)
    given["record_id"] = receipts._record_id(given)
    return json.dumps(given, separators=(",", ":")).encode()


def test_both_runs_are_passes_in_game_time_order_and_every_tile_replays(
    full: Path, machine: Runner
) -> None:
    found = verify(full, machine)
    assert (found.verdict, found.outcome.replayed) == ("verified", 230)
    assert found.head is not None
    run = found.head.object
    assert isinstance(run, dict)
    assert (run["run"], run["decisions"]) == (SECOND, 230)


def test_the_same_receipts_again_append_nothing(
    full: Path, brought: Path, machine: Runner, lines: dict[str, list[bytes]], tmp_path: Path
) -> None:
    before = octets_of(full)
    again = bring(brought / "both.jsonl", full, machine)
    assert (again.appended, again.known) == (0, 230)
    part = write(tmp_path / "part.jsonl", lines[FIRST][:40])
    assert bring(part, full, machine).appended == 0
    assert octets_of(full) == before


def test_an_import_goes_on_where_the_last_one_ended(
    empty: Path, lines: dict[str, list[bytes]], machine: Runner, tmp_path: Path
) -> None:
    part = write(tmp_path / "part.jsonl", lines[FIRST][:20])
    assert bring(part, empty, machine).appended == 20
    more = bring(write(tmp_path / "more.jsonl", lines[FIRST][:50]), empty, machine)
    assert (more.appended, more.known) == (30, 20)
    assert verify(empty, machine).outcome.replayed == 50


def test_a_broken_receipt_brings_none_of_the_file(
    empty: Path, lines: dict[str, list[bytes]], machine: Runner, tmp_path: Path
) -> None:
    before = octets_of(empty)
    path = write(tmp_path / "broken.jsonl", lines[FIRST][:9], [lines[FIRST][9][:-5]])
    with pytest.raises(Refused, match="line 10"):
        bring(path, empty, machine)
    assert octets_of(empty) == before


def test_a_press_that_is_refused_ends_the_import_and_what_was_before_it_stays(
    empty: Path, lines: dict[str, list[bytes]], machine: Runner, tmp_path: Path
) -> None:
    many = edited(lines[FIRST][5], lambda row: row["action"].update(buttons=["a"] * 9))
    path = write(tmp_path / "odd.jsonl", lines[FIRST][:5], [many], lines[FIRST][6:9])
    with pytest.raises(Rejected, match="sha256:"):
        bring(path, empty, machine)
    assert verify(empty, machine).outcome.replayed == 5
    whole = write(tmp_path / "whole.jsonl", lines[FIRST][:9])
    assert bring(whole, empty, machine).appended == 4


ODD: dict[str, Callable[[dict[str, Any]], object]] = {
    "a button that is a list": lambda row: row["action"].update(buttons=[[]]),
    "a button that is an object": lambda row: row["action"].update(buttons=[{}]),
    "a source that is too long": lambda row: row["action"].update(source="s" * 201),
    "a source that is nothing": lambda row: row["action"].update(source=""),
    "an outcome that is a list": lambda row: row["outcome"].update(movement_result=[]),
    "reasons that are none": lambda row: row["outcome"].update(stuck_reasons=None),
    "an action that is a list": lambda row: row.update(action=[]),
    "a sequence that is true": lambda row: row.update(sequence=True),
}


@pytest.mark.parametrize("name", ODD)
def test_a_made_up_receipt_is_refused_with_its_line(
    name: str, lines: dict[str, list[bytes]], tmp_path: Path
) -> None:
    odd = edited(lines[FIRST][1], ODD[name])
    path = write(tmp_path / "odd.jsonl", lines[FIRST][:1], [odd])
    with pytest.raises(Refused, match="line 2"):
        read_receipts(path)


def test_a_model_without_a_lawful_name_is_a_model(
    lines: dict[str, list[bytes]], tmp_path: Path
) -> None:
    line = next(line for line in lines[FIRST] if json.loads(line)["action"]["source"] == "model")
    odd = edited(line, lambda row: row["inference"].update(requested_model="m" * 500))
    (receipt,) = read_receipts(write(tmp_path / "odd.jsonl", [odd]))
    assert receipt.choice.caller == Caller("model", "model", "Player")


def test_a_desk_of_another_kind_takes_no_receipts(
    folder: Path, brought: Path, machine: Runner
) -> None:
    before = octets_of(folder)
    with pytest.raises(Refused, match="gamerun/1"):
        bring(brought / "both.jsonl", folder, machine)
    assert octets_of(folder) == before


def test_without_the_lens_that_presses_nothing_is_brought(
    empty: Path, brought: Path, machine: Runner
) -> None:
    (empty / LENSES / "press_agent.py").unlink()
    before = octets_of(empty)
    with pytest.raises(Rejected, match="Press"):
        bring(brought / "both.jsonl", empty, machine)
    assert octets_of(empty) == before


def test_a_desk_that_somebody_else_writes_is_held(
    empty: Path, brought: Path, machine: Runner
) -> None:
    with Desk(empty, Settings(), program="test"), pytest.raises(Held):
        bring(brought / "both.jsonl", empty, machine)


IMPORT = """
import sys
from pathlib import Path
from holodesk.host import running
from holodesk.host.runner import open_machine
from holodesk.host.settings import Settings
running.TOGETHER = 8
def progress(done, total):
    print(done, flush=True)
with open_machine(1) as machine:
    running.import_run(Path(sys.argv[1]), Path(sys.argv[2]), Settings(), machine, progress)
"""


def test_a_killed_import_keeps_every_acknowledged_press_and_goes_on(
    empty: Path, brought: Path, machine: Runner
) -> None:
    both = brought / "both.jsonl"
    words = [sys.executable, "-c", IMPORT, str(both), str(empty)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        told = [other.stdout.readline() for _ in range(4)]
        other.send_signal(signal.SIGKILL)
        told += other.stdout.read().splitlines(keepends=True)
    acknowledged = max(int(line) for line in told if line.endswith("\n"))
    found = verify(empty, machine)
    assert found.verdict == "verified"
    assert found.outcome.replayed >= acknowledged
    rest = bring(both, empty, machine)
    assert (rest.known, rest.appended + rest.known) == (found.outcome.replayed, 230)
    assert verify(empty, machine).outcome.replayed == 230


# ---- presence is ability ----------------------------------------------------------------------

HINT = Choice("Hint", {"direction": "left", "viewer": "Kim"}, Caller("Kim", "viewer"))


def test_a_lens_that_is_taken_away_is_refused_and_its_tiles_still_replay(
    empty: Path, machine: Runner, tmp_path: Path
) -> None:
    def hint() -> int:
        with Desk(empty, Settings(), program="test") as desk:
            return desk.take(desk.open_pass(machine), HINT).seq

    first = hint()
    lens = empty / LENSES / "hint_agent.py"
    lens.rename(tmp_path / "away.py")
    before = octets_of(empty)
    with pytest.raises(Rejected, match="Hint"):
        hint()
    assert octets_of(empty) == before
    found = verify(empty, machine)
    assert (found.verdict, found.outcome.replayed) == ("verified", 1)
    (tmp_path / "away.py").rename(lens)
    assert hint() == first + 1
    assert verify(empty, machine).outcome.replayed == 2


def test_a_lens_taken_away_during_a_pass_decides_from_the_next_pass_on(
    empty: Path, machine: Runner
) -> None:
    with Desk(empty, Settings(), program="test") as desk:
        a_pass = desk.open_pass(machine)
        (empty / LENSES / "hint_agent.py").unlink()
        desk.take(a_pass, HINT)
        with pytest.raises(Rejected):
            desk.take(desk.open_pass(machine), HINT)
        desk.turn(Turning("rails", 10))


@pytest.mark.slow
def test_all_six_runs_are_brought_verified_and_brought_again_without_a_frame(
    empty: Path, shared: Path, machine: Runner
) -> None:
    assert bring(shared / RECEIPTS, empty, machine).appended == 2826
    found = verify(empty, machine)
    assert (found.verdict, found.outcome.replayed) == ("verified", 2826)
    again = bring(shared / RECEIPTS, empty, machine)
    assert (again.appended, again.known) == (0, 2826)
    assert [run.run_id for run in again.runs if not run.why_not][2] == FIRST
