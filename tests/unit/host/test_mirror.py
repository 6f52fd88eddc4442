"""The machine half in fresh interpreters: the same as here, or refused (reflex 8)."""

from pathlib import Path

import pytest

from holodesk.errors import RoutineRefused, Unavailable
from holodesk.host import mirror
from holodesk.reflex.mirror import machine_half
from holodesk.reflex.routines import GRANTED

PROGRAM = '(do (emote "me" "wave") (wander "me" 2))'


def test_two_fresh_interpreters_find_what_this_one_finds() -> None:
    assert mirror.probed(PROGRAM) == machine_half(PROGRAM)


def test_a_refusal_comes_back_with_its_code_and_place() -> None:
    with pytest.raises(RoutineRefused) as found:
        mirror.probed("(do\n  (opn))", file="routine.lisp")
    assert found.value.code == "E_NAME"
    assert (found.value.where.file, found.value.where.line) == ("routine.lisp", 2)
    with pytest.raises(RoutineRefused) as found:
        mirror.probed(PROGRAM, GRANTED - {"wander"})
    assert found.value.code == "E_GRANT"


def test_a_text_that_is_hostile_to_a_shell_or_a_program_is_only_a_routine() -> None:
    words = '"; import os; os._exit(7) #$(exit 7)`'
    source = f'(do (say "me" "{words[1:]}"))'
    assert mirror.probed(source).id == "me"


def test_an_interpreter_that_takes_too_long_is_ended_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mirror, "SECONDS", 0.001)
    with pytest.raises(Unavailable, match="took more than"):
        mirror.probed(PROGRAM)


def test_an_interpreter_that_cannot_start_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing"))
    with pytest.raises(Unavailable, match="could not be probed"):
        mirror.probed(PROGRAM)
