"""`holodesk lens check`: what it prints, and its exit codes (decisions 9)."""

import json
from pathlib import Path

import pytest

from holodesk.cli.main import main
from tests.unit.agent.writing import PLAIN, within


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    kinds = {
        "good": PLAIN,
        "advised": PLAIN.replace(', "description": "What is said."', ', "description": "word"'),
        "impure": within("import time"),
        "incomplete": PLAIN.replace(', "description": "What is said."', ""),
    }
    for name, source in kinds.items():
        (tmp_path / f"{name}_agent.py").write_text(source, "utf-8")
    (tmp_path / "octets_agent.py").write_bytes(b"\xff")
    return {path.stem.removesuffix("_agent"): str(path) for path in tmp_path.iterdir()}


def test_good_files_are_exit_0_and_advice_is_no_refusal(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lens", "check", files["good"], files["advised"]]) == 0
    out, err = capsys.readouterr()
    assert "advice: word: the description only repeats the name" in out
    assert err == ""


@pytest.mark.parametrize("kind", ["impure", "incomplete", "octets"])
def test_a_refused_file_is_exit_1_with_one_sentence(
    files: dict[str, str], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lens", "check", files["good"], files[kind]]) == 1
    out, err = capsys.readouterr()
    assert f"{files[kind]}: refused" in out
    assert len(err.strip().splitlines()) == 1


def test_a_missing_file_is_exit_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lens", "check", "no/such_agent.py", "--json"]) == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["refusal"]["family"] == "Unavailable"
    assert len(err.strip().splitlines()) == 1


def test_json_is_one_object_with_every_file_in_it(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lens", "check", files["good"], files["impure"], "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    good, impure = answer["files"]
    assert (good["offered"], good["name"], len(good["hash"])) == (True, "Try", 64)
    assert impure["findings"][0]["reason"].startswith("import time: a lens must be pure")
    assert answer["refusal"]["family"] == "LensImpure"


def test_no_action_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lens"]) == 2
    assert capsys.readouterr().err
