"""A body's life through the command line: lived, logged, verified, forged, admitted (LH 3.6)."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holodesk.cli.main import main
from holodesk.host import living
from holodesk.host.desk import Desk
from holodesk.host.desks import from_kind
from holodesk.host.keyring import find_key
from holodesk.host.settings import Settings, config_folder
from tests.living import VISIT, live
from tests.simulator import relink

Run = Callable[..., tuple[int, dict[str, Any], str]]
PROGRAM = '(do (emote "me" "wave") (wander "me" 2))'


@pytest.fixture
def holodesk(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a verb with --json: its exit code, its answer, and what it said on standard error."""

    def run(*words: object) -> tuple[int, dict[str, Any], str]:
        code = main([*map(str, words), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out), said.err

    return run


def keep_life(folder: Path, ticks: int = 500) -> None:
    """A visit at the desk's head, lived and appended."""
    with Desk(folder, Settings(), program="test") as desk:
        recorder = live(living.body_of(desk).segment, VISIT, ticks)
        living.append_log(desk, recorder.payload())


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A creature that somebody visited."""
    folder = tmp_path / "d"
    assert main(["new", str(folder), "--kind", "creature"]) == 0
    keep_life(folder)
    return folder


def test_a_poke_is_found_in_slush_in_the_lineage_and_in_the_next_object(
    desk: Path, holodesk: Run
) -> None:
    offer = holodesk("offer", desk)[1]
    assert offer["slush"]["reflex"]["events"]["poke"] == 3
    params = '{"feeling":"amused","weight":3}'
    code, _, _ = holodesk("pass", desk, "Notice", "--params", params)
    assert code == 0
    with Desk(desk, Settings(), write=False) as opened:
        object: Any = opened.hologram.object
    memories = object["memories"]
    assert "touched 3 times" in memories[-1]["words"]
    rows = holodesk("log", desk)[1]["rows"]
    reflex = next(row for row in rows if row["kind"].endswith("reflex"))
    assert "poke 3" in reflex["summary"]
    code, found, _ = holodesk("verify", desk)
    assert (code, found["verdict"], found["reflexes"], found["replayed"]) == (0, "verified", 1, 1)
    assert holodesk("verify", desk, "--links-only")[1]["reflexes"] == 0


Edit = Callable[[dict[str, Any]], object]
FORGED: dict[str, tuple[Edit, str]] = {
    "an event": (lambda p: p["events"].pop(1), "tick 200"),
    "a final state": (lambda p: p["final"]["self"]["state"].update(pokes=7), "tick 500"),
    "a routine": (lambda p: p["routines"][0].__setitem__(1, "ab" * 32), "before its first tick"),
}


@pytest.mark.parametrize("name", FORGED)
def test_verify_refuses_a_forged_log_and_names_the_first_bad_mark(
    name: str, desk: Path, tmp_path: Path, holodesk: Run
) -> None:
    edit, mark = FORGED[name]
    out = tmp_path / "chain.jsonl"
    assert holodesk("export", desk, out)[0] == 0
    lines = out.read_bytes().splitlines()
    with Desk(desk, Settings(), write=False) as opened:
        head = opened.hologram.head
        spki = opened.hologram.genesis.spki
    assert spki is not None
    forged = relink(lines, 1, edit, find_key(head.stream_id, spki))
    out.write_bytes(b"\n".join(forged) + b"\n")
    shutil.rmtree(config_folder() / "heads", ignore_errors=True)
    code, found, said = holodesk("verify", out)
    assert (code, found["verdict"]) == (1, "refused")
    assert (found["refusal"]["rule"], found["refusal"]["seq"]) == ("LH 3.6", 1)
    assert mark in found["refusal"]["message"]
    assert mark in said


def test_check_tells_each_routine_its_lineage_bound_and_quota(desk: Path, holodesk: Run) -> None:
    code, found, _ = holodesk("reflex", "check", desk)
    assert code == 0
    (routine,) = found["routines"]
    assert (routine["id"], routine["origin"], routine["fallback"]) == ("self", "compiled", None)
    assert routine["source"].startswith("(do ")
    assert ["breath", "temper.energy"] in routine["lineage"]
    assert routine["bound"] <= routine["quota"] <= 4000


def test_a_self_authored_routine_runs_after_a_peers_verdict_and_not_before(
    tmp_path: Path, holodesk: Run
) -> None:
    object = tmp_path / "object.json"
    creature: Any = from_kind("creature").object
    object.write_text(json.dumps({**creature, "routines": [{"id": "me", "program": PROGRAM}]}))
    own, peer = tmp_path / "own", tmp_path / "peer"
    assert holodesk("new", own, "--kind", "creature", "--object", object)[0] == 0
    assert holodesk("new", peer, "--kind", "creature")[0] == 0
    code, found, _ = holodesk("reflex", "check", own)
    assert (code, found["routines"][0]["origin"]) == (0, "compiled")
    assert "gate" in found["routines"][0]["fallback"]
    digest = found["routines"][0]["authored"]["digest"]

    routine, out = tmp_path / "routine.lisp", tmp_path / "verdict.jsonl"
    routine.write_text(PROGRAM)
    assert holodesk("reflex", "check", routine)[1]["digest"] == digest
    code, told, _ = holodesk("reflex", "verdict", peer, routine, "--out", out)
    assert (code, told["digest"]) == (0, digest)
    code, told, _ = holodesk("reflex", "admit", own, out)
    assert (code, told["peer"]) == (0, json.loads(out.read_bytes().splitlines()[0])["stream_id"])
    routines = holodesk("reflex", "check", own)[1]["routines"]
    assert (routines[0]["origin"], routines[0]["source"]) == ("self-authored", PROGRAM)
    keep_life(own, 120)
    for desk in (own, peer):
        assert holodesk("verify", desk)[1]["verdict"] == "verified"
    assert holodesk("verify", own)[1]["reflexes"] == 1


def test_ones_own_verdict_admits_nothing(tmp_path: Path, holodesk: Run) -> None:
    object = tmp_path / "object.json"
    creature: Any = from_kind("creature").object
    object.write_text(json.dumps({**creature, "routines": [{"id": "me", "program": PROGRAM}]}))
    own, routine = tmp_path / "own", tmp_path / "routine.lisp"
    routine.write_text(PROGRAM)
    assert holodesk("new", own, "--kind", "creature", "--object", object)[0] == 0
    assert holodesk("reflex", "verdict", own, routine, "--out", tmp_path / "v.jsonl")[0] == 0
    code, found, _ = holodesk("reflex", "admit", own, tmp_path / "v.jsonl")
    assert code == 1
    assert "certify itself" in found["refusal"]["message"]


@pytest.mark.parametrize(
    ("text", "told"),
    [("(do (opn))", "E_NAME"), ("(do (+ 1 nil))", "E_TYPE"), ('{"program": 3}', "reflex")],
)
def test_a_file_that_is_no_routine_is_refused_with_its_code(
    text: str, told: str, tmp_path: Path, holodesk: Run
) -> None:
    path = tmp_path / "routine.lisp"
    path.write_text(text)
    code, found, _ = holodesk("reflex", "check", path)
    assert code in (1, 2)
    assert told in found["refusal"]["rule"]
