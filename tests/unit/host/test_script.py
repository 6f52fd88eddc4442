"""A script is read and checked whole before its first choice (decisions 9)."""

from pathlib import Path
from typing import Any

import pytest

from holodesk.errors import Refused
from holodesk.hologram.perform import Runner
from holodesk.host.callers.script import Script, read_script
from tests.simulator import creature


def test_lines_are_choices_in_order(tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text(
        '{"lens":"Drift","params":{"distance":8,"toward":"left"}}\n\n'
        '{"lens":"Settle","params":{"calm":40},"id":"bot","kind":"model","persona":"Keeper",'
        '"facts":{"observed":{"outcome":"moved"}}}\n'
    )
    script = Script(path)
    assert script.left == 2
    offer: Any = None
    first: Any = script.choose(offer, None)
    assert (first.lens, first.caller.kind) == ("Drift", "script")
    second: Any = script.choose(offer, None)
    assert (second.caller.id, second.caller.persona) == ("bot", "Keeper")
    assert script.facts() == {"observed": {"outcome": "moved"}}
    assert script.choose(offer, None) is None


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        "x",
        '{"lens":1,"params":{}}',
        '{"lens":"A","params":[]}',
        '{"lens":"A","params":{},"kind":"god"}',
        '{"lens":"A","params":{},"more":1}',
        '{"lens":"A","params":{},"id":7}',
    ],
)
def test_a_line_that_is_no_choice_is_refused_with_its_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('{"lens":"Drift","params":{}}\n' + line + "\n")
    with pytest.raises(Refused, match="line 2"):
        read_script(path)


def test_a_choice_that_was_not_judged_is_handed_out_again(tmp_path: Path, machine: Runner) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('{"lens":"A","params":{}}\n{"lens":"B","params":{}}\n')
    offer = creature(machine).open_pass().offer
    script = Script(path)
    script.step_back()
    handed = []
    for again in (True, False, True, False):
        choice = script.choose(offer, None)
        assert choice is not None
        handed.append(choice.lens)
        if again:
            script.step_back()
    assert handed == ["A", "A", "B", "B"]
    assert script.left == 0
