"""The machine half of the mirror gate: what may not run is refused with its code (reflex 8)."""

from hashlib import sha256
from typing import Any

import pytest

from holodesk.errors import RoutineRefused
from holodesk.reflex.forms import PROFILE
from holodesk.reflex.mirror import acting_id, machine_half, subject
from holodesk.reflex.routines import GRANTED, drafts
from tests.simulator import first_object

PROGRAM = '(do (emote "me" "wave") (if (> (player-distance "me") 3) (wander "me" 2) nil))'


def test_a_lawful_routine_passes_and_its_digest_is_the_same_twice() -> None:
    one, two = machine_half(PROGRAM), machine_half(PROGRAM)
    assert one == two
    assert one.subject == subject(PROGRAM) == sha256(PROGRAM.encode()).hexdigest()
    assert one.profile == PROFILE
    assert one.id == "me"
    assert one.natives == ("emote", "player-distance", "wander")
    assert one.bound is not None
    assert 0 < one.most_steps <= one.bound


def test_one_character_changed_is_a_new_subject_and_another_digest() -> None:
    one, two = machine_half(PROGRAM), machine_half(PROGRAM.replace("2)", "3)"))
    assert one.subject != two.subject
    assert one.digest != two.digest


def test_every_real_routine_passes(shared: Any) -> None:
    for path in sorted((shared / "data" / "lispy").glob("*.lisp")):
        found = machine_half(path.read_text("utf-8"))
        assert found.id == path.stem
        assert found.bound is not None
        assert found.most_steps <= 159


@pytest.mark.parametrize("kind", ["creature", "world", "card", "gamerun"])
def test_what_we_compile_would_pass_itself(kind: str) -> None:
    for draft in drafts(first_object(kind)):
        assert machine_half(draft.source).most_steps > 0


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("(do", "E_SYNTAX"),
        ('(do (open "x"))', "E_NAME"),
        ('(do (emote "me"))', "E_FORM"),
        ("(do (let (a) a))", "E_FORM"),
        ("(do (+ 1 nil))", "E_TYPE"),
        ("(do (if (> (count (events)) 7) (+ 1 nil) nil))", "E_TYPE"),
        ("(do (def f (fn (n) (f n))) (f 1))", "E_DEPTH"),
        ('(do (move-toward "me" 900 0 2))', "H_VIEW"),
        ("(do " + "1 " * 4050 + ")", "E_STATIC"),
    ],
)
def test_each_fault_is_refused_with_its_code(source: str, code: str) -> None:
    with pytest.raises(RoutineRefused) as found:
        machine_half(source)
    assert found.value.code == code


def test_a_routine_may_only_name_natives_that_its_grant_lists() -> None:
    with pytest.raises(RoutineRefused) as found:
        machine_half(PROGRAM, GRANTED - {"wander"})
    assert found.value.code == "E_GRANT"


def test_a_routine_acts_for_the_body_that_it_names_first_or_for_itself() -> None:
    assert (
        acting_id('(do (distance "other" "one") (if true (say "a" "b") (emote "c" "nod")))') == "a"
    )
    assert acting_id('(do (emote (self) "nod"))') == "self"
