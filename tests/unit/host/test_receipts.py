"""A game run's receipts: checked whole before anything is appended (LH 4.1)."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk.errors import Refused, Unavailable
from holodesk.host.receipts import read_receipts, runs_of

RECEIPTS = "data/gamerun/execution-receipts-all-4486.jsonl.gz"


@pytest.fixture(scope="module")
def lines(shared: Path) -> list[bytes]:
    with gzip.open(shared / RECEIPTS) as rows:
        return rows.read().splitlines()


def test_the_six_gap_free_runs_are_found_in_game_time_order(shared: Path) -> None:
    receipts = read_receipts(shared / RECEIPTS)
    runs = runs_of(receipts)
    assert len(receipts) == 4486
    taken = [run for run in runs if not run.why_not]
    assert [run.run_id for run in taken] == [
        "e4474372b419",
        "9b1d27a857a1",
        "31b31dc3badf",
        "d70d31da18c7",
        "15ff93e4e536",
        "944c74877469",
    ]
    assert sum(len(run.receipts) for run in taken) == 2826
    times = [receipt.game_time for run in taken for receipt in run.receipts]
    assert times == sorted(times)


def test_a_plain_file_reads_like_a_packed_one(shared: Path) -> None:
    plain = read_receipts(shared / "data/gamerun/run-e4474372b419-639.jsonl")
    packed = [r for r in read_receipts(shared / RECEIPTS) if r.run_id == "e4474372b419"]
    assert sorted(plain, key=lambda r: r.sequence) == sorted(packed, key=lambda r: r.sequence)


def test_the_playing_model_is_the_caller_of_its_own_presses(shared: Path) -> None:
    kinds = {r.choice.caller.kind for r in read_receipts(shared / RECEIPTS)}
    assert kinds == {"model", "host"}


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda line: line[: len(line) // 2],
    "not JSON": lambda line: b"hello",
    "a list": lambda line: b"[]",
    "an edited outcome": lambda line: line.replace(b'"moved"', b'"flown"'),
    "another schema": lambda line: line.replace(b"execution/1.0", b"execution/2.0"),
    "a member less": lambda line: line.replace(b'"phase":"overworld",', b""),
    "blank": lambda line: b"",
}


@pytest.mark.parametrize("name", BREAKS)
def test_one_broken_line_refuses_the_file_and_names_the_line(
    name: str, lines: list[bytes], tmp_path: Path
) -> None:
    path = tmp_path / "receipts.jsonl"
    line = next(line for line in lines if b'"moved"' in line and b'"overworld"' in line)
    path.write_bytes(b"\n".join([*lines[:2], BREAKS[name](line), *lines[3:5]]) + b"\n")
    with pytest.raises(Refused, match="line 3"):
        read_receipts(path)


def test_the_same_receipt_twice_is_refused(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    path.write_bytes(lines[0] + b"\n" + lines[0] + b"\n")
    with pytest.raises(Refused, match="once"):
        read_receipts(path)


def test_no_file_an_empty_file_and_a_torn_gzip(lines: list[bytes], tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        read_receipts(tmp_path / "none.jsonl")
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    with pytest.raises(Refused, match="empty"):
        read_receipts(empty)
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress(b"\n".join(lines[:50]))[:-30])
    with pytest.raises(Refused, match="gzip"):
        read_receipts(torn)


def test_a_line_without_an_end_is_refused_before_it_fills_memory(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 10_000_000))
    with pytest.raises(Refused, match="at most"):
        read_receipts(path)


def test_a_run_with_a_gap_is_set_aside_with_its_reason(lines: list[bytes], tmp_path: Path) -> None:
    rows = sorted(
        (json.loads(line) for line in lines if b"31b31dc3badf" in line),
        key=lambda row: row["sequence"],
    )
    path = tmp_path / "receipts.jsonl"
    kept = [line for line in lines if b"31b31dc3badf" in line]
    kept = [line for line in kept if json.loads(line)["sequence"] != 7]
    path.write_bytes(b"\n".join(kept) + b"\n")
    assert len(rows) == 121
    (run,) = runs_of(read_receipts(path))
    assert run.why_not == "expected sequence 7, found 8"
