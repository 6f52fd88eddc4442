"""Every lens that ships keeps the rules of its kind (LH 3.2, 4)."""

from pathlib import Path
from typing import Any

import pytest

from holodesk.agent.lint import advice
from holodesk.agent.schema import problems, schema_problems
from holodesk.agent.source import read
from holodesk.errors import Place
from holodesk.hologram.perform import Answered, Call, Runner, perform
from holodesk.hologram.rails import narrowed
from holodesk.host.content import KINDS, starter
from holodesk.rapp.canonical import Json, canonical
from tests.conftest import ROOT
from tests.simulator import Act, HologramSimulator, creature, first_object, shipped_lens

FILES = sorted((ROOT / "lenses").glob("*/*.py"))


def least(schema: Any) -> Any:
    """A lawful value for a schema: rest where there is one, else the least of everything."""
    if "x-rest" in schema:
        return schema["x-rest"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "object":
            wanted = schema.get("required", [])
            return {name: least(schema["properties"][name]) for name in wanted}
        case "array":
            return [least(schema["items"])] * schema.get("minItems", 0)
        case "string":
            return "a" * max(1, schema.get("minLength", 0))
        case "boolean":
            return True
    return schema.get("minimum", 0)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_is_pure_complete_and_without_advice(path: Path, machine: Runner) -> None:
    agent = read(path.read_bytes())
    assert schema_problems(agent.surface.parameters) == []
    assert advice(agent) == []
    assert machine.gate(agent.source) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_gives_the_same_bytes_twice_and_keeps_the_schema(path: Path, machine: Runner) -> None:
    kind = path.parent.name
    agent = read(path.read_bytes(), path.name)
    params = least(agent.surface.parameters)
    assert problems(narrowed(agent.surface.parameters, 100), params) == []
    slush: Json = {"trail": [[1, 2, 3]], "facts": {"observed": {"outcome": "moved"}}}
    call = Call(canonical(first_object(kind)), canonical(slush), canonical(params))
    one, two = machine.submit(agent.source, [call, call]).replies()
    assert isinstance(one, Answered)
    assert one == two
    made: Any = perform(machine, agent.source, call, Place()).object
    assert made["schema"] == f"{kind}/1"
    assert made.keys() == first_object(kind).keys()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_starter(kind: str) -> None:
    begun = starter(kind)
    made: Any = begun.object
    assert made["schema"] == f"{kind}/1"
    assert begun.controls.keys() == {"lens", "rails", "slush", "tempo", "reflex", "membrane"}
    assert list(begun.lenses.glob("*_agent.py"))


def test_drift_moves_as_it_says_and_stops_at_the_edge(machine: Runner) -> None:
    sim = creature(machine)
    sim.turn("rails", 0)
    for _ in range(4):
        sim.act(Act("Drift", {"toward": "right", "distance": 60}))
    assert sim.object["at"]["x"] == 100
    assert sim.object["facing"] == 90


def test_the_lightest_memory_goes_first_and_never_the_newest(machine: Runner) -> None:
    sim = creature(machine)
    sim.turn("rails", 0)
    for number in range(12):
        weight = 1 if number == 5 else 5
        sim.act(Act("Remember", {"words": f"word {number}", "weight": weight}))
    sim.act(Act("Remember", {"words": "newest", "weight": 1}))
    words = [memory["words"] for memory in sim.object["memories"]]
    assert len(words) == 12
    assert "word 5" not in words
    assert words[-1] == "newest"


def test_a_checkpoint_needs_a_hash_and_a_hint_is_kept_by_name(machine: Runner) -> None:
    names = ("checkpoint_agent", "coach_agent", "hint_agent", "press_agent")
    run = HologramSimulator(
        machine, kind="gamerun", lenses=tuple(shipped_lens("gamerun", name) for name in names)
    )
    run.act(Act("Press", {"buttons": ["up", "up"]}, observed={"outcome": "moved"}))
    run.act(Act("Coach", {"map": "Rock Tunnel", "guidance": "Go down the ladder."}))
    for number in range(6):
        run.act(Act("Hint", {"direction": "up", "viewer": f"viewer {number}"}))
    run.act(Act("Checkpoint", {"name": "before the ladder", "sha256": "ab" * 32}))
    shown = run.object
    assert shown["position"] == {"x": 0, "y": -2}
    assert [hint["from"] for hint in shown["hints"]] == [f"viewer {n}" for n in range(1, 6)]
    assert shown["checkpoint"]["name"] == "before the ladder"
    assert run.follow().refusal is None
