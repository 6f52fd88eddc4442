"""The papers' own stories, through the command line (LH 3, 4.1)."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holodesk.cli.main import main
from holodesk.host.settings import config_folder

Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def holodesk(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a verb with --json: its exit code, its answer, and what it said on standard error."""

    def run(*words: object) -> tuple[int, dict[str, Any], str]:
        code = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return run


PASSES = (
    ("Drift", {"toward": "left", "distance": 12}),
    ("Temper", {"mood": "playful", "energy": 60}),
    ("Drift", {"toward": "far", "distance": 20}),
    ("Remember", {"words": "Ada likes the sea.", "weight": 4}),
    ("Drift", {"toward": "up", "distance": 15}),
)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a desk `d`, made once through the command line, and its owner's `config`."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        desk = str(folder / "d")
        assert main(["new", desk, "--kind", "creature"]) == 0
        for lens, params in PASSES:
            assert main(["pass", desk, lens, "--params", json.dumps(params)]) == 0
        assert main(["steer", desk, "rails", "40"]) == 0
        assert main(["steer", desk, "lens", "16", "--allow", "Drift,Settle"]) == 0
    return folder


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Path:
    """A creature after five passes through three lenses and two control turns, and its key."""
    shutil.copytree(made / "config", tmp_path / "config")
    shutil.copytree(made / "d", tmp_path / "d")
    return tmp_path / "d"


def test_a_hologram_is_made_steered_verified_exported_and_brought_back(
    desk: Path, tmp_path: Path, holodesk: Run
) -> None:
    code, verified, _ = holodesk("verify", desk)
    assert (code, verified["verdict"]) == (0, "verified")
    assert (verified["frames"], verified["tiles"], verified["replayed"]) == (11, 5, 5)
    assert verified["signed"]
    out = tmp_path / "chain.jsonl"
    assert holodesk("export", desk, out)[1]["frames"] == 11
    shutil.rmtree(desk)
    code, alone, _ = holodesk("verify", out)
    assert (code, alone["verdict"], alone["head"]) == (0, "verified", verified["head"])
    code, brought, _ = holodesk("import", out, desk)
    assert (code, brought["head"], brought["writable"]) == (0, verified["head"], True)
    assert holodesk("verify", desk)[1]["head"] == verified["head"]
    assert holodesk("pass", desk, "Drift", "--params", '{"toward":"left","distance":12}')[0] == 0


def test_controls_shape_the_next_offer(desk: Path, holodesk: Run) -> None:
    offer = holodesk("offer", desk)[1]
    assert [lens["name"] for lens in offer["lenses"]] == ["Being", "Drift", "Settle"]
    drift = offer["lenses"][1]["parameters"]["properties"]["distance"]
    assert (drift["minimum"], drift["maximum"]) == (6, 40)
    code, answer, said = holodesk("pass", desk, "Temper", "--params", '{"mood":"calm","energy":1}')
    assert code == 1
    assert answer["refusal"]["family"] == "Rejected"
    assert "Temper" in said
    assert said.count("\n") == 1
    assert holodesk("verify", desk)[1]["frames"] == 11


def test_a_lens_taken_away_is_refused_and_still_replays(desk: Path, holodesk: Run) -> None:
    lens = desk / "lenses" / "drift_agent.py"
    away = desk / "away.py"
    lens.rename(away)
    code, answer, _ = holodesk("pass", desk, "Drift", "--params", '{"toward":"left","distance":12}')
    assert (code, answer["refusal"]["family"]) == (1, "Rejected")
    assert holodesk("verify", desk)[1]["verdict"] == "verified"
    away.rename(lens)
    assert holodesk("pass", desk, "Drift", "--params", '{"toward":"left","distance":12}')[0] == 0


def test_a_desk_put_back_to_an_earlier_state_is_refused(
    desk: Path, tmp_path: Path, holodesk: Run
) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(desk, backup)
    assert holodesk("steer", desk, "rails", 30)[0] == 0
    shutil.rmtree(desk)
    shutil.copytree(backup, desk)
    for words in (("verify", desk), ("steer", desk, "rails", 20)):
        code, answer, _ = holodesk(*words)
        assert code == 1
        refusal = answer["refusal"]
        assert refusal["rule"] == "rapp/1 7.6"


def test_a_checkpoint_carries_the_old_head(desk: Path, tmp_path: Path, holodesk: Run) -> None:
    old = holodesk("verify", desk)[1]["head"]
    new = tmp_path / "new"
    code, answer, _ = holodesk("checkpoint", desk, new)
    assert code == 0
    assert answer["from"] == old
    assert holodesk("verify", new)[1]["verdict"] == "verified"
    assert holodesk("pass", new, "Drift", "--params", '{"toward":"left","distance":12}')[0] == 0


def test_a_desk_without_its_key_is_read_only(desk: Path, holodesk: Run) -> None:
    shutil.rmtree(config_folder() / "keys")
    code, _, said = holodesk("steer", desk, "rails", 20)
    assert code == 3
    assert "its key is not on this machine" in said
    assert holodesk("verify", desk)[1]["verdict"] == "verified"


BAD: dict[str, tuple[int, Callable[[Path, Path], tuple[object, ...]]]] = {
    "a desk that is not there": (3, lambda d, t: ("verify", t / "none")),
    "a folder without a desk": (3, lambda d, t: ("steer", t, "rails", 1)),
    "a file where a desk is wanted": (2, lambda d, t: ("offer", __file__)),
    "a desk over a desk": (1, lambda d, t: ("new", d)),
    "a control of no name": (1, lambda d, t: ("steer", d, "speed", 1)),
    "a control out of range": (1, lambda d, t: ("steer", d, "rails", 101)),
    "a control that is no number": (2, lambda d, t: ("steer", d, "rails", "many")),
    "a control that would not change": (1, lambda d, t: ("steer", d, "rails", 40)),
    "a list for the wrong control": (2, lambda d, t: ("steer", d, "rails", 1, "--allow", "a")),
    "parameters that are no JSON": (2, lambda d, t: ("pass", d, "Drift", "--params", "{")),
    "parameters outside the schema": (1, lambda d, t: ("pass", d, "Drift", "--params", "{}")),
    "a kind of nothing": (2, lambda d, t: ("new", t / "x", "--kind", "dragon")),
    "a verb of nothing": (2, lambda d, t: ("fly",)),
    "an object file that is not there": (3, lambda d, t: ("new", t / "x", "--object", t / "no")),
    "an object file that is no JSON": (1, lambda d, t: ("new", t / "x", "--object", __file__)),
    "a chain file that is not there": (3, lambda d, t: ("import", t / "no.jsonl", t / "x")),
    "an export into nowhere": (3, lambda d, t: ("export", d, t / "no" / "out.jsonl")),
    "receipts into a creature": (3, lambda d, t: ("import-run", t / "no.jsonl", d)),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_changes_nothing(
    name: str, desk: Path, tmp_path: Path, holodesk: Run
) -> None:
    expected, words = BAD[name]
    before = holodesk("verify", desk)[1]["head"]
    code, answer, said = holodesk(*words(desk, tmp_path))
    assert code == expected
    assert answer["refusal"]["message"]
    assert said.startswith("holodesk: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said
    assert holodesk("verify", desk)[1]["head"] == before
    assert not (tmp_path / "x").exists()


FILES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda chain: b"",
    "truncated": lambda chain: chain[: len(chain) - 40],
    "not a chain": lambda chain: b"hello\n",
    "binary": lambda chain: bytes(range(256)) * 40,
    "a blank line": lambda chain: chain.replace(b"\n", b"\n\n", 1),
    "the first frame missing": lambda chain: chain[chain.index(b"\n") + 1 :],
    "a line over its limit": lambda chain: b'{"a":"' + b"x" * (3 << 20) + b'"}\n',
    "deeply nested": lambda chain: b"[" * 100_000 + b"\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_chain_file_is_refused_and_brings_nothing(
    name: str, desk: Path, tmp_path: Path, holodesk: Run
) -> None:
    out = tmp_path / "chain.jsonl"
    holodesk("export", desk, out)
    out.write_bytes(FILES[name](out.read_bytes()))
    code, answer, said = holodesk("verify", out)
    assert (code, answer["verdict"]) == (1, "refused")
    assert answer["refusal"]["message"]
    assert said.count("\n") == 1
    code, answer, said = holodesk("import", out, tmp_path / "x")
    assert code == 1
    assert not (tmp_path / "x").exists()


def test_a_folder_of_lenses_that_is_gone(desk: Path, holodesk: Run) -> None:
    shutil.rmtree(desk / "lenses")
    code, _, said = holodesk("pass", desk, "Drift", "--params", "{}")
    assert code == 3
    assert "lens folder" in said


def test_a_broken_lens_is_set_aside_and_the_others_go_on(desk: Path, holodesk: Run) -> None:
    (desk / "lenses" / "a_broken_agent.py").write_text("def (:\n")
    (desk / "lenses" / "b_clock_agent.py").write_text("import time\n")
    os.mkfifo(desk / "lenses" / "c_pipe_agent.py")
    offer = holodesk("offer", desk)[1]
    assert [lens["name"] for lens in offer["lenses"]] == ["Being", "Drift", "Settle"]


def test_a_second_writer_is_told_who_holds_the_pen(desk: Path, holodesk: Run) -> None:
    code = (
        "import sys, time; from pathlib import Path; from holodesk.host.pen import Pen; "
        f"p = Pen(Path({str(desk)!r}), 'show'); print('held', flush=True); time.sleep(60)"
    )
    other = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        exit_code, _, said = holodesk("steer", desk, "rails", 20)
        assert exit_code == 3
        assert f"holodesk show (process {other.pid}" in said
        assert holodesk("verify", desk)[0] == 0
    finally:
        other.kill()
        other.communicate()
    assert holodesk("steer", desk, "rails", 20)[0] == 0


PASSER = """
import json, sys
from pathlib import Path
from holodesk.host.desk import Desk
from holodesk.host.runner import open_machine
from holodesk.host.settings import Settings
from holodesk.hologram.tile import Caller
from holodesk.portal.caller import Choice
with Desk(Path(sys.argv[1]), Settings(), program="test") as desk, open_machine(1) as machine:
    for number in range(100):
        way = ("left", "right", "near", "far")[number % 4]
        choice = Choice("Drift", {"toward": way, "distance": 9}, Caller("t", "script"))
        tile = desk.take(desk.open_pass(machine), choice)
        print(tile.seq, tile.frame_hash, flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.013, 0.05, 0.2])
def test_killed_during_a_hundred_passes_the_desk_keeps_every_acknowledged_frame(
    wait: float, desk: Path, holodesk: Run
) -> None:
    passes = subprocess.Popen([sys.executable, "-c", PASSER, str(desk)], stdout=subprocess.PIPE)
    assert passes.stdout is not None
    acknowledged = [passes.stdout.readline() for _ in range(5)]
    time.sleep(wait)
    passes.send_signal(signal.SIGKILL)
    acknowledged += passes.stdout.read().splitlines(keepends=True)
    passes.wait()
    passes.stdout.close()
    whole = [line.split() for line in acknowledged if line.endswith(b"\n")]
    code, verified, _ = holodesk("verify", desk)
    assert (code, verified["verdict"]) == (0, "verified")
    rows = {
        row["seq"]: row["frame_hash"] for row in holodesk("log", desk, "--count", 500)[1]["rows"]
    }
    assert len(whole) >= 5
    for seq, frame_hash in whole:
        assert rows[int(seq)] == frame_hash.decode()
    assert holodesk("pass", desk, "Drift", "--params", '{"toward":"up","distance":8}')[0] == 0
