"""What each verb answers, where the journeys do not go (decisions 9)."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holodesk.cli.main import main
from holodesk.hologram import kinds
from holodesk.hologram.perform import Runner
from holodesk.host.desk import Desk
from holodesk.host.desks import REGISTRY, from_kind, make_desk
from holodesk.host.keyring import key_file
from holodesk.host.settings import Settings
from holodesk.rapp import frame as frames
from tests.simulator import HologramSimulator, creature

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def holodesk(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a verb: its exit code, standard output and standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def ask(holodesk: Run) -> Callable[..., tuple[int, dict[str, Any]]]:
    def run(*words: object) -> tuple[int, dict[str, Any]]:
        code, out, _ = holodesk(*words, "--json")
        return code, json.loads(out)

    return run


Ask = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    make_desk(tmp_path / "d", from_kind("creature"))
    return tmp_path / "d"


def chain(path: Path, octets: list[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in octets))
    return path


# ---- verify ----------------------------------------------------------------------------------


def test_verify_answers_with_every_member_it_promises(ask: Ask, desk: Path) -> None:
    code, answer = ask("verify", desk)
    assert code == 0
    wanted = {"verdict", "frames", "tiles", "replayed", "reflexes", "signed", "head", "seconds"}
    assert wanted | {"refusal"} <= answer.keys()
    assert answer["head"].keys() == {"stream_id", "seq", "frame_hash"}
    assert answer["refusal"] is None
    assert (answer["verdict"], answer["signed"]) == ("verified", True)


def test_verify_tells_a_refusal_with_its_step_and_place(
    ask: Ask, holodesk: Run, tmp_path: Path, machine: Runner
) -> None:
    sim = creature(machine)
    path = chain(tmp_path / "c.jsonl", [*sim.frames[:3], sim.frames[4]])
    code, answer = ask("verify", path)
    assert (code, answer["verdict"], answer["frames"]) == (1, "refused", 3)
    assert (answer["refusal"]["step"], answer["refusal"]["seq"]) == ("4", 4)
    code, out, err = holodesk("verify", path)
    assert out.startswith("refused: 3 frames")
    assert err.count("\n") == 1


def test_verify_links_only_replays_nothing(ask: Ask, tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    forged = sim.forge(2, lambda payload: payload["object"].update(age=77))
    path = chain(tmp_path / "c.jsonl", forged)
    code, answer = ask("verify", path, "--links-only")
    assert (code, answer["verdict"], answer["replayed"]) == (0, "links-verified", 0)
    code, answer = ask("verify", path)
    assert (code, answer["refusal"]["rule"], answer["refusal"]["seq"]) == (1, "LH 3.3", 2)


def test_verify_says_that_unsigned_is_unsigned(
    holodesk: Run, tmp_path: Path, machine: Runner
) -> None:
    sim = creature(machine, signed=False)
    code, out, _ = holodesk("verify", chain(tmp_path / "c.jsonl", sim.frames))
    assert code == 0
    assert "unsigned" in out


def test_verify_reads_a_registry_only_for_the_owner_one_was_told_of(
    ask: Ask, desk: Path, tmp_path: Path
) -> None:
    stream = ask("verify", desk)[1]["head"]["stream_id"]
    registry = ("--registry", desk / REGISTRY)
    assert ask("verify", desk, *registry, "--owner", stream)[0] == 0
    other = stream.replace("@me/", "@you/")
    assert ask("verify", desk, *registry, "--owner", other)[0] == 1
    (tmp_path / "r.json").write_text("{}")
    assert ask("verify", desk, "--registry", tmp_path / "r.json", "--owner", stream)[0] == 1


# ---- log -------------------------------------------------------------------------------------


def test_log_is_newest_first_and_as_long_as_asked(ask: Ask, holodesk: Run, desk: Path) -> None:
    for value in (30, 20, 10):
        assert holodesk("steer", desk, "rails", value)[0] == 0
    code, answer = ask("log", desk, "--count", 2)
    assert (code, answer["total"]) == (0, 4)
    assert [row["seq"] for row in answer["rows"]] == [3, 2]
    assert answer["rows"][0]["summary"] == "20 → 10"


def test_nobodys_words_forge_a_row_or_move_the_cursor(
    ask: Ask, holodesk: Run, tmp_path: Path, machine: Runner
) -> None:
    sim = HologramSimulator(machine)
    text = "calm\n     9  deadbeef  2026-01-01T00:00:00.000Z  tile\x1b[2J\u202e" + "x" * 5000

    def edit(payload: dict[str, Any]) -> None:
        payload["reason"] = text
        payload["by"]["id"] = text[:190]

    sim.turn("rails", 30)
    path = chain(tmp_path / "c.jsonl", sim.forge(1, edit))
    code, out, _ = holodesk("log", path)
    assert code == 0
    assert len(out.splitlines()) == 2
    assert all(line.isprintable() for line in out.splitlines())
    assert max(map(len, out.splitlines())) < 700
    row = ask("log", path)[1]["rows"][0]
    assert len(row["summary"]) <= 300


def test_log_of_a_refused_chain_is_a_refusal(ask: Ask, tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    code, answer = ask("log", chain(tmp_path / "c.jsonl", sim.frames[1:]))
    assert code == 1
    assert answer.keys() == {"refusal"}


# ---- steer, offer, pass ----------------------------------------------------------------------


def test_steer_turns_lists_on_and_off(ask: Ask, desk: Path) -> None:
    code, answer = ask("steer", desk, "lens", 4, "--allow", "Drift, Temper")
    assert (code, answer["detail"]) == (0, {"allow": ["Drift", "Temper"]})
    assert ask("steer", desk, "lens", 5)[1]["detail"] == {"allow": ["Drift", "Temper"]}
    assert ask("steer", desk, "lens", 5, "--allow", "*")[1]["detail"] is None
    assert ask("steer", desk, "slush", 8, "--drop", "trail")[1]["detail"] == {"drop": ["trail"]}
    assert ask("steer", desk, "slush", 8, "--drop", "")[1]["detail"] is None
    code, answer = ask("steer", desk, "lens", 5, "--allow", "")
    assert (code, answer["detail"]) == (0, {"allow": []})


def test_an_offer_is_made_while_somebody_else_holds_the_lease(ask: Ask, desk: Path) -> None:
    with Desk(desk, Settings(machine="elsewhere"), program="test") as held:
        held.lease("take")
    code, answer = ask("offer", desk)
    assert code == 0
    assert answer["lenses"][0]["name"] == "Being"
    code, answer = ask("pass", desk, "Drift", "--params", '{"toward":"left","distance":9}')
    assert (code, answer["refusal"]["family"]) == (3, "Held")


def test_pass_records_who_chose_and_what_was_observed(ask: Ask, tmp_path: Path) -> None:
    make_desk(tmp_path / "g", from_kind("gamerun"))
    words = ("pass", tmp_path / "g", "Press", "--params", '{"buttons":["left"]}')
    who = ("--caller", "small-model", "--caller-kind", "model", "--persona", "Player")
    code, answer = ask(*words)
    assert (code, answer["refusal"]["rule"]) == (1, "LH 4.1")
    code, answer = ask(*words, *who, "--facts", '{"observed":{"outcome":"moved"}}')
    assert code == 0
    assert answer["object"]["decisions"] == 1
    row = ask("log", tmp_path / "g", "--count", 1)[1]["rows"][0]
    assert row["caller"] == "model: small-model as Player"


# ---- in and out ------------------------------------------------------------------------------


def test_follow_tells_the_last_head_as_json(ask: Ask, tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    path = chain(tmp_path / "c.jsonl", sim.frames)
    code, answer = ask("follow", path, "--once")
    assert (code, answer["frames"]) == (0, len(sim.frames))
    assert answer["head"]["frame_hash"] == sim.hologram.head.frame_hash
    code, answer = ask("follow", path, "--seconds", 0)
    assert code == 0
    forged = sim.forge(2, lambda payload: payload["object"].update(age=77))
    code, answer = ask("follow", chain(path, forged), "--once")
    assert (code, answer["refusal"]["seq"]) == (1, 2)


def test_import_says_whether_the_desk_can_be_written(
    ask: Ask, holodesk: Run, desk: Path, tmp_path: Path
) -> None:
    out = tmp_path / "c.jsonl"
    stream = ask("verify", desk)[1]["head"]["stream_id"]
    assert holodesk("export", desk, out)[0] == 0
    assert ask("import", out, tmp_path / "a")[1]["writable"]
    key_file(stream).unlink()
    assert not ask("import", out, tmp_path / "b")[1]["writable"]
    told = holodesk("import", out, tmp_path / "c")[1]
    assert "read only" in told


def test_new_takes_an_object_and_a_self_lens(ask: Ask, desk: Path, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text('{"schema":"other/1","n":20.0}')
    lens = shutil.copy(desk / "lenses" / "drift_agent.py", tmp_path / "own.py")
    words = ("--object", tmp_path / "o.json", "--self-lens", lens)
    code, answer = ask("new", tmp_path / "n", "--kind", "story", *words)
    assert code == 0
    assert Path(answer["key"]).is_file()
    with Desk(tmp_path / "n", Settings(), write=False) as made:
        assert made.hologram.object == {"schema": "other/1", "n": 20}
        assert made.hologram.genesis.self_lens is not None
        assert made.hologram.genesis.self_lens.surface.name == "Drift"


def test_a_broken_object_is_told_with_its_file(holodesk: Run, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text('{"n":1,"n":2}')
    code, _, err = holodesk("new", tmp_path / "n", "--object", tmp_path / "o.json")
    assert code == 1
    assert "o.json" in err
    assert not (tmp_path / "n").exists()


def test_what_is_exported_is_canonical_to_the_octet(
    holodesk: Run, desk: Path, tmp_path: Path
) -> None:
    assert holodesk("export", desk, tmp_path / "c.jsonl")[0] == 0
    for line in (tmp_path / "c.jsonl").read_bytes().splitlines():
        assert frames.parse(line, kinds.HOUSE_KINDS).octets == line
