"""The command line: one sentence, one JSON object, four exit codes (decisions 9)."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk import VERSION
from holodesk.cli.main import VERBS, main
from holodesk.host.desks import from_kind, make_desk
from tests.conftest import ROOT

HOLODESK = [sys.executable, "-m", "holodesk"]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    make_desk(tmp_path / "d", from_kind("story"))
    return tmp_path / "d"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# ---- usage -----------------------------------------------------------------------------------

WRONG: dict[str, tuple[str, ...]] = {
    "a verb of nothing": ("fly",),
    "no desk": ("verify",),
    "an option of nothing": ("verify", "d", "--fast"),
    "half an option": ("verify", "d", "--links"),
    "a value that is missing": ("log", "d", "--count"),
    "a number that is none": ("log", "d", "--count", "many"),
    "a number that is too large": ("log", "d", "--count", "9" * 30),
    "a number below 1": ("log", "d", "--count", "0"),
    "seconds that are none": ("follow", "d", "--seconds", "nan"),
    "seconds before now": ("follow", "d", "--seconds", "-1"),
    "words too many": ("export", "a", "b", "c"),
    "a caller of no kind": ("pass", "d", "Drift", "--caller-kind", "god"),
    "parameters that are a list": ("pass", "d", "Drift", "--params", "[]"),
    "parameters with a name twice": ("pass", "d", "Drift", "--params", '{"a":1,"a":2}'),
    "parameters that are deep": ("pass", "d", "Drift", "--params", '{"a":' * 200 + "1" + "}" * 200),
    "facts that are text": ("pass", "d", "Drift", "--facts", '"x"'),
    "observed that is no object": ("pass", "d", "Drift", "--facts", '{"observed":1}'),
    "a value with a line in it": ("steer", "d", "rails", "1\n2\x1b[2J"),
    "a registry without its owner": ("verify", "d", "--registry", "r"),
    "a list for another control": ("steer", "d", "rails", "1", "--drop", "a"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_words_are_exit_2_and_one_sentence(
    name: str, capsys: pytest.CaptureFixture[str], desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk.parent)
    for words in (WRONG[name], (*WRONG[name], "--json")):
        code, out, err = said(capsys, *words)
        assert code == 2
        assert err.startswith("holodesk: ")
        assert err.count("\n") == 1
        assert err[:-1].isprintable()
        if "--json" in words:
            assert json.loads(out)["refusal"]["message"]
        else:
            assert out == ""


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([verb, "--help"])
    assert ended.value.code == 0
    assert "usage: holodesk" in capsys.readouterr().out


def test_the_version_and_the_verbs_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in ((["--version"], VERSION), (["--help"], "lineage")):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert told in capsys.readouterr().out


# ---- the world -------------------------------------------------------------------------------

PLACES: dict[str, Callable[[Path], str]] = {
    "nothing": lambda folder: str(folder / "none"),
    "an empty word": lambda folder: "",
    "too long a name": lambda folder: str(folder / ("n" * 300)),
    "too long a path": lambda folder: str(folder / ("n/" * 3000)),
    "under a file": lambda folder: str(folder / "file" / "x"),
    "a file": lambda folder: str(folder / "file"),
    "an empty folder": lambda folder: str(folder / "empty"),
    "a device": lambda folder: "/dev/zero",
    "a loop": lambda folder: str(folder / "loop"),
    "a name that is no text": lambda folder: str(folder / os.fsdecode(b"\xff\xfe")),
    "a name with a line in it": lambda folder: str(folder / "a\nb\x1b[2Jc"),
}
USES: dict[str, Callable[[str], tuple[str, ...]]] = {
    "verify": lambda path: ("verify", path),
    "verify links": lambda path: ("verify", path, "--links-only"),
    "log": lambda path: ("log", path),
    "steer": lambda path: ("steer", path, "rails", "1"),
    "offer": lambda path: ("offer", path),
    "pass": lambda path: ("pass", path, "Drift"),
    "export": lambda path: ("export", path, "out.jsonl"),
    "import": lambda path: ("import", path, "new"),
    "follow": lambda path: ("follow", path, "--once"),
    "import-run": lambda path: ("import-run", path, "d"),
    "checkpoint": lambda path: ("checkpoint", path, "new"),
    "an object": lambda path: ("new", "new", "--object", path),
    "a self-lens": lambda path: ("new", "new", "--self-lens", path),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_holds_nothing_readable_is_one_sentence_and_changes_nothing(
    use: str,
    place: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "here"
    (folder / "empty").mkdir(parents=True)
    (folder / "file").write_bytes(b"\x00hello\n")
    (folder / "loop").symlink_to(folder / "loop")
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    code, out, err = said(capsys, *USES[use](PLACES[place](folder)), "--json")
    assert code in (1, 2, 3)
    refusal = json.loads(out)["refusal"]
    assert refusal["message"]
    assert "Traceback" not in err
    assert err.startswith("holodesk: ")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()
    assert sorted(folder.rglob("*")) == before


TAKEN = ("file", "full", "file/x", "n" * 300, "/", "/dev/null", "loop")


@pytest.mark.parametrize("place", TAKEN)
@pytest.mark.parametrize("verb", ["new", "checkpoint", "export"])
def test_a_place_that_cannot_be_written_is_one_sentence_and_keeps_what_it_holds(
    verb: str,
    place: str,
    capsys: pytest.CaptureFixture[str],
    desk: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = desk.parent / "here"
    (folder / "full").mkdir(parents=True)
    (folder / "full" / "old").write_text("old")
    (folder / "loop").symlink_to(folder / "loop")
    if place != "file" or verb != "export":
        (folder / "file").write_text("old")
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    words = ("new", place) if verb == "new" else (verb, str(desk), place)
    code, _, err = said(capsys, *words)
    if verb == "export" and place == "file":
        assert code == 0
        return
    assert code in (1, 3)
    assert err.count("\n") == 1
    assert sorted(folder.rglob("*")) == before
    assert (folder / "full" / "old").read_text() == "old"


# ---- streams ---------------------------------------------------------------------------------


def run(*words: str, **given: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*HOLODESK, *words], cwd=ROOT, capture_output=True, text=True, **given
    )


def test_a_reader_that_leaves_early_is_no_fault(desk: Path) -> None:
    for _ in range(2):
        with subprocess.Popen(
            [*HOLODESK, "offer", str(desk)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as writer:
            assert writer.stdout is not None
            assert writer.stderr is not None
            writer.stdout.close()
            err = writer.stderr.read()
        assert writer.returncode == 0
        assert b"Traceback" not in err
        assert b"Exception ignored" not in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_terminal_that_cannot_show_a_character_ends_no_verb(encoding: str, desk: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    words = ("steer", str(desk), "rails", "30", "--reason", "größer 日本")
    told = run(*words, env=env, encoding=encoding)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("frame 1 ")
    listed = run("log", str(desk), env=env, encoding=encoding)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert len(listed.stdout.splitlines()) == 2
    as_json = run("log", str(desk), "--json", env=env)
    assert json.loads(as_json.stdout)["rows"][0]["summary"].endswith("größer 日本")


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_an_interrupt_ends_quietly(desk: Path, tmp_path: Path) -> None:
    assert run("export", str(desk), str(tmp_path / "c.jsonl")).returncode == 0
    with subprocess.Popen(
        [*HOLODESK, "follow", str(tmp_path / "c.jsonl")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as follower:
        assert follower.stdout is not None
        assert follower.stdout.readline().startswith(b"frame 0 ")
        follower.send_signal(signal.SIGINT)
        _, err = follower.communicate()
    assert follower.returncode == 130
    assert b"Traceback" not in err


def test_a_working_folder_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = f"import os, shutil; os.chdir({str(folder)!r}); shutil.rmtree({str(folder)!r}); "
    code += "from holodesk.cli.main import main; raise SystemExit(main(['new', 'd', '--json']))"
    told = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd="/", capture_output=True, text=True
    )
    assert told.returncode == 3
    assert told.stderr.count("\n") == 1
    assert json.loads(told.stdout)["refusal"]["message"]


def test_settings_that_break_a_rule_are_told_by_every_verb_that_reads_them(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.parent / "config" / "holodesk" / "settings.toml").write_text("colour = 1\n")
    for words in (("steer", str(desk), "rails", "1"), ("offer", str(desk)), ("new", "x")):
        code, _, err = said(capsys, *words)
        assert code == 1
        assert "colour" in err
    assert not Path("x").exists()
