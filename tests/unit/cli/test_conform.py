"""`holodesk conform`: recognised by shape, counted, judged, and one exit code (decisions 9)."""

import json
from pathlib import Path
from typing import Any

import pytest

from holodesk.cli import vector_files
from holodesk.cli.main import main
from tests.unit.rapp.chains import body_chain, spoiled

VECTOR = {
    "name": "depth",
    "section": "§4 parse",
    "input": {"json_text": "[1]"},
    "expected": {"verdict": "accept", "canonical_utf8": "[1]"},
}


def document(*vectors: dict[str, Any]) -> str:
    return json.dumps({"schema": "own-vectors/1", "count": len(vectors), "vectors": vectors})


def asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    """The exit code, the one JSON object, and what was said on standard error."""
    code = main(["conform", str(folder), "--json"])
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert isinstance(answer, dict)
    return code, answer, err


def test_the_shared_data_holds_and_its_chains_get_their_verdicts(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer, err = asked(shared / "data", capsys)
    assert (code, err, answer["verdict"]) == (0, "", "holds")
    held = {name: each["held"] for name, each in answer["vectors"].items()}
    assert held["vectors/rapp-1-vectors.json"] == 103
    assert held["vectors/own-vectors.json"] == 186
    assert sum("jcs/input/" in name for name in held) == 6
    chains = {
        name: (each["frames"], each["links"], each["strict"], each["strict_14"])
        for name, each in answer["chains"].items()
    }
    assert chains == {
        "rapp-1-anchor/chain-first3.jsonl": (3, 3, 3, 3),
        "rapp-1-anchor/frames/ (3 files)": (3, 3, 3, 3),
        "rapp-body/frames/ (22 files)": (22, 22, 22, 1),
        "rapp-body/legacy/ (2 files)": (2, 0, 0, 0),
        "dogg/thread/ (6 files)": (6, 6, 6, 0),
        "dogg/ticks-epoch0-first108.jsonl": (108, 108, 0, 0),
        "dogg/world-epoch0-first11.jsonl": (11, 11, 0, 0),
        "dogg/registry-1.json": (1, None, 0, 0),
    }
    assert not any("lenses" in name for name in answer["passed_over"])


def test_the_text_form_counts_by_file_and_draws_the_table(
    shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conform", str(shared / "data")]) == 0
    out = capsys.readouterr().out
    assert "186 of 186 hold" in out
    assert "103 of 103 hold, 1 known to conflict" in out
    assert "22/22" in out
    assert "strict-14" in out
    assert "README.md" in out


def test_a_vector_that_fails_is_named_and_the_exit_code_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**VECTOR, "name": "wrong", "expected": {"verdict": "refuse"}}
    (tmp_path / "v.json").write_text(document(VECTOR, wrong))
    code, answer, err = asked(tmp_path, capsys)
    assert code == 1
    assert answer["verdict"] == "fails"
    assert answer["refusal"]["message"] == "1 of 2 vectors do not hold"
    assert [each["name"] for each in answer["vectors"]["v.json"]["failures"]] == ["wrong"]
    assert err == "holodesk: 1 of 2 vectors do not hold (conform)\n"
    assert main(["conform", str(tmp_path)]) == 1
    assert "FAILS wrong: expected a refusal" in capsys.readouterr().out


def test_a_folder_that_is_not_there_is_unavailable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, answer, err = asked(tmp_path / "none", capsys)
    assert code == 3
    assert answer["refusal"]["family"] == "Unavailable"
    assert err.count("\n") == 1


def test_an_empty_folder_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer, _ = asked(tmp_path, capsys)
    assert (code, answer["vectors"], answer["chains"], answer["passed_over"]) == (0, {}, {}, [])
    assert main(["conform", str(tmp_path)]) == 0


def test_a_foreign_chain_that_is_refused_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = body_chain(3)
    lines = [frames[0].octets, spoiled(frames[1], payload={}), b"", frames[2].octets]
    (tmp_path / "chain.jsonl").write_bytes(b"\n".join(lines))
    (tmp_path / "other.jsonl").write_text('{"a":1}\n')
    (tmp_path / "empty.jsonl").write_text("")
    code, answer, _ = asked(tmp_path, capsys)
    assert code == 0
    verdict = answer["chains"]["chain.jsonl"]
    assert (verdict["frames"], verdict["strict"], verdict["refusal"]["step"]) == (3, 2, "2")
    assert answer["passed_over"] == ["empty.jsonl", "other.jsonl"]


def test_frames_in_files_are_put_in_order_of_seq(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for frame in body_chain(12):
        (tmp_path / f"{frame.seq}.json").write_bytes(frame.octets)
    code, answer, _ = asked(tmp_path, capsys)
    assert code == 0
    assert answer["chains"]["./ (12 files)"]["strict_14"] == 12


def test_folders_of_lenses_are_never_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("hostile_lenses", "hostile_lenses_agent", "honest_lenses"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "v.json").write_text(document({**VECTOR, "expected": {}}))
    code, answer, _ = asked(tmp_path, capsys)
    assert (code, answer["vectors"], answer["passed_over"]) == (0, {}, [])


def test_what_is_no_file_is_passed_over_and_what_cannot_be_read_is_unavailable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    code, answer, _ = asked(tmp_path, capsys)
    assert (code, answer["passed_over"]) == (0, ["deep.json", "gone.json"])

    def unreadable(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", unreadable)
    code, answer, _ = asked(tmp_path, capsys)
    assert code == 3
    assert "deep.json" in answer["refusal"]["message"]


def test_a_vector_file_may_itself_hold_what_the_intake_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "v.json").write_text(document(VECTOR)[:-1] + ',"lossy":9007199254740993}')
    code, answer, _ = asked(tmp_path, capsys)
    assert (code, answer["vectors"]["v.json"]["held"]) == (0, 1)


def test_a_file_over_64_mib_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_files, "MAX_FILE_OCTETS", 4)
    (tmp_path / "long.json").write_text(document(VECTOR))
    code, answer, _ = asked(tmp_path, capsys)
    assert (code, answer["passed_over"]) == (0, ["long.json"])


def test_a_pair_is_told_by_its_sibling_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("input", "output"):
        (tmp_path / folder).mkdir()
    (tmp_path / "input" / "a.json").write_text("[ 1.0 ]")
    (tmp_path / "output" / "a.json").write_text("[1]")
    (tmp_path / "output" / "lonely.json").write_text("[1]")
    (tmp_path / "input" / "broken.json").write_text("[")
    code, answer, _ = asked(tmp_path, capsys)
    assert code == 0
    assert answer["vectors"]["input/a.json"]["held"] == 2
    assert answer["passed_over"] == ["input/broken.json", "output/lonely.json"]
