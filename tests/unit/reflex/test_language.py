"""RL-1: what forms give, what they cost, how they end; and the engine beside the plain walker."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from holodesk.errors import RoutineRefused
from holodesk.reflex import exact
from holodesk.reflex.body import Routine, Transient, share, tick
from holodesk.reflex.engine import Outcome, run
from holodesk.reflex.forms import EMOTES, LIMITS
from holodesk.reflex.printer import print_forms
from holodesk.reflex.program import Program, admit
from holodesk.reflex.reader import read
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import Verdict, json_of
from holodesk.reflex.world import Body, Event, World
from tests.unit.reflex.naive import Walker
from tests.unit.reflex.programs import Maker

REST = Body(0.0, 0.0, 0.0, -1.0, 0.0, 0.0)
OTHER = Body(3.0, 4.0, 0.0, -1.0, 3.0, 4.0)
FACTS: dict[str, Any] = {"frame-number": 7.0, "time-of-day": 13.5, "economy-trend": 0.0}
BUDGET = 4000


def world(events: tuple[Event, ...] = (), player: tuple[float, float] | None = None) -> World:
    return World(5, FACTS, {"me": REST, "you": OTHER}, player, events, b"k" * 32)


def lived(source: str, fuel: int = BUDGET, **given: Any) -> Outcome:
    return run(admit(source), "me", world(**given), {}, fuel)


def value(source: str) -> Any:
    """What a form gives, by way of the state."""
    outcome = lived(f"(def kept {source})")
    assert outcome.code is None, outcome.code
    return outcome.state.get("kept")


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("(+ 1 2 3)", 6.0),
        ("(- 5)", -5.0),
        ("(/ 7 0)", 0.0),
        ("(mod -7 3)", -1.0),
        ("(mod 7 0)", 0.0),
        ("(floor -1.5)", -2.0),
        ("(ceil -1.5)", -1.0),
        ("(min 3 1 2)", 1.0),
        ("(if 0 1 2)", 2.0),
        ('(if "" 1 2)', 2.0),
        ("(if (list) 1 2)", 1.0),
        ("(let (a 1 b (+ a 1)) (* a b 10))", 20.0),
        ("(and 1 0 2)", 0.0),
        ("(or nil 4)", 4.0),
        ("(cond false 1 true 2)", 2.0),
        ("(map (fn (x i) (+ x i)) (list 10 20))", [10.0, 21.0]),
        ("(filter (fn (x) (> x 1)) (list 1 2 3))", [2.0, 3.0]),
        ("(reduce (fn (a x) (+ a x)) 0 (list 1 2 3))", 6.0),
        ("(first nil)", None),
        ("(count (rest (list 1 2 3)))", 2.0),
        ("(nth (list 1 2) 5)", None),
        ('(get (assoc nil :a 3) "a")', 3.0),
        ("(get nil :a 9)", 9.0),
        ("(= (list 1 (list 2)) (list 1 (list 2)))", True),
        ("(= true 1)", False),
        ("(quote (a 1 (b)))", ["a", 1.0, ["b"]]),
        ('(str "x" 1.5 nil true)', "x1.5niltrue"),
        ("(let (f (fn (x) (fn (y) (- x y))) g (f 10)) (g 3))", 7.0),
        ("(tick)", 5.0),
        ("elapsed", 0.25),
        ('(distance "me" "you")', 5.0),
        ('(distance "me" "nobody")', 999.0),
        ('(nearest-agent "me")', "you"),
        ("(player-distance (self))", 999.0),
    ],
)
def test_a_form_gives(source: str, wanted: Any) -> None:
    assert value(source) == wanted


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        ("(+ 1 2)", 3),
        ("1", 1),
        ("(if true 1 (+ 1 2 3))", 3),
        ("(let (a 1) a)", 3),
        ("(and 0 (+ 1 2))", 2),
        ("(rand)", 2),
        ("(sin 1)", 26),
        ("(list 1 2 3 4)", 6),
        ("(= (list 1 2) (list 1 2))", 10),
        ("(map (fn (x) x) (list 1 2))", 9),
        ("(def f (fn (x) x)) (f 1)", 5),
        ("(str 1)", 16),
    ],
)
def test_a_form_costs(source: str, steps: int) -> None:
    assert lived(source).steps == steps
    assert lived(source, steps).code is None
    assert lived(source, steps - 1).code == "E_FUEL"


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("(+ 1 nil)", "E_TYPE"),
        ("(< 1 true)", "E_TYPE"),
        ("(let (f 3) (f 1))", "E_TYPE"),
        ("(let (f (fn (a b) a)) (f 1))", "E_ARITY"),
        ("(def f (fn (x) (f x))) (f 1)", "E_DEPTH"),
        ("(def s (* 1e300 1e300))", "E_NUM"),
        ("(def s (let (f (fn (x) x)) f))", "E_STATE"),
        ('(def s (str "0123456789abcdef" s)) (def s (map (fn (i) s) (list 1)))', None),
    ],
)
def test_a_routine_ends(source: str, code: str | None) -> None:
    assert lived(source).code == code


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("(+ 1", "E_SYNTAX"),
        ('"\\q"', "E_SYNTAX"),
        ("1e999", "E_SYNTAX"),
        ("(nothing 1)", "E_NAME"),
        ("nowhere", "E_NAME"),
        ("(if)", "E_FORM"),
        ("(let (a) a)", "E_FORM"),
        ("(fn (x) (def y 1))", "E_FORM"),
        ("(def + 1)", "E_FORM"),
        ("(/ 1)", "E_FORM"),
        ("(" * 70 + ")" * 70, "E_LIMIT"),
        ("1 " * 200, "E_LIMIT"),
        ('"' + "x" * 3000 + '"', "E_LIMIT"),
        ("(do" + " (+ 1 2)" * 1000 + ")", "E_LIMIT"),
    ],
)
def test_a_text_is_refused_with_its_code_and_place(source: str, code: str) -> None:
    with pytest.raises(RoutineRefused) as found:
        admit(source)
    assert found.value.code == code
    assert "\n" not in found.value.message


def test_a_native_that_is_not_granted_is_refused() -> None:
    with pytest.raises(RoutineRefused) as found:
        admit('(say "me" "hello")', frozenset({"emote"}))
    assert found.value.code == "E_GRANT"


def test_a_failing_tick_leaves_nothing() -> None:
    source = '(def s 5) (move-toward "me" 9 9 1) (emote "me" "wave") (+ 1 nil)'
    outcome = lived(source)
    assert (outcome.code, outcome.emissions, outcome.state, outcome.body) == (
        "E_TYPE",
        (),
        {},
        REST,
    )


def test_nobody_acts_for_another_and_only_known_signs_are_made() -> None:
    assert lived('(emote "you" "wave") (move-toward "you" 1 1)').emissions == ()
    assert lived('(emote "me" "explode")').emissions == ()
    for kind in EMOTES:
        assert lived(f'(emote "me" "{kind}")').body.emote == (kind, 5)


def test_a_body_moves_no_faster_than_two_units_a_tick() -> None:
    body = lived('(move-toward "me" 100 0 50)').body
    assert (body.x, body.z, body.dx, body.dz) == (2.0, 0.0, 1.0, 0.0)


BOMBS = {
    "text": '(def s "ab") (def f (fn (x) (f (str x x)))) (f "ab")',
    "list by reference": "(def f (fn (x) (f (list x x)))) (f 1)",
    "push": "(def f (fn (x) (f (push x x)))) (f (list 1))",
    "fan-out": "(def f (fn (x) (+ (f x) (f x)))) (f 1)",
    "maps of maps": '(def f (fn (m) (f (assoc m "k" m)))) (f (assoc nil "a" 1))',
    "endless": "(def f (fn (x) (do (f x) (f x)))) (f 1)",
    "emissions": '(map (fn (x) (map (fn (y) (emote "me" "wave")) (list 1 2 3 4 5 6 7 8 9)))'
    " (list 1 2 3 4 5 6 7 8 9))",
    "squares": "(def f (fn (x) (f (* x x)))) (f 3)",
    "loops": "(def l (list 1 2 3 4 5 6 7 8 9)) (map (fn (a) (map (fn (b) (map (fn (c) (map"
    " (fn (d) (+ a b c d)) l)) l)) l)) l)",
}


@pytest.mark.parametrize("name", BOMBS)
def test_every_bomb_ends_with_its_own_code(name: str) -> None:
    outcome = lived(BOMBS[name])
    assert outcome.code in ("E_FUEL", "E_DEPTH", "E_SIZE", "E_EMIT", "E_NUM")
    assert outcome.steps <= BUDGET
    assert outcome.state == {}


@pytest.mark.parametrize("seed", range(300))
def test_a_random_routine_ends_as_the_plain_walker_says(seed: int) -> None:
    source = Maker(seed).routine()
    program = admit(source)
    whole = compared(program, source, BUDGET)
    for fuel in {max(0, whole - 1), whole, Random(seed).randrange(whole + 1)}:
        compared(program, source, fuel)


def compared(program: Program, source: str, fuel: int) -> int:
    """Steps, after comparing code, steps, state, emissions and draws of both ways."""
    outcome = run(program, "me", world(), {}, fuel)
    turn = Turn("me", world(), REST, fuel)
    walker = Walker(source, turn)
    code, kept = None, dict[str, Any]()
    try:
        walker.run()
        named = zip(walker.checked.states, walker.states, strict=True)
        kept = {name: json_of(found) for name, found in named if found is not None}
    except Verdict as verdict:
        code = verdict.code
    assert outcome.code == code, source
    assert outcome.steps == min(fuel, fuel - turn.f), source
    if code is None:
        assert outcome.state == kept
        assert list(outcome.emissions) == turn.emissions
        assert outcome.draws == turn.draws.count
        if program.bound is not None:
            assert outcome.steps <= program.bound
    return outcome.steps


@pytest.mark.parametrize("seed", range(60))
def test_what_is_read_is_printed_and_read_again_the_same(seed: int) -> None:
    forms = read(Maker(seed).routine())
    assert read(print_forms(forms)) == forms


def test_the_real_routines_run_as_the_plain_walker_says(shared: Path) -> None:
    for path in sorted((shared / "data" / "lispy").glob("*.lisp")):
        source = path.read_text("utf-8")
        assert compared(admit(source), source, BUDGET) < 200


def test_quotas_are_bounds_where_there_are_any_and_never_more_than_the_budget() -> None:
    small, endless = admit("(+ 1 2)"), admit("(def f (fn (x) (f x))) (f 1)")
    quotas = share({"a": small, "b": endless, "c": endless})
    assert quotas == {"a": 3, "b": 1998, "c": 1998}
    assert share({"b": endless, "a": small}, 10) == {"b": 7, "a": 3}
    assert sum(share({str(n): small for n in range(50)}, 40).values()) <= 40


def test_three_failures_in_a_row_park_and_the_others_go_on() -> None:
    bad, good = admit("(+ 1 nil)"), admit('(emote "b" "nod")')
    routines = [Routine("a", bad, 100, "compiled", None), Routine("b", good, 100, "compiled", None)]
    state = Transient(0, {"a": REST, "b": REST}, {}, {}, {}, None)
    parked = []
    for _ in range(5):
        ticked = tick(routines, state, (), b"s" * 32, FACTS)
        parked.append(ticked.parked)
        state = ticked.transient
    assert parked == [(), (), ("a",), (), ()]
    assert state.parked == {"a": 2}
    assert state.bodies["b"].emote == ("nod", 4)


def test_no_order_of_routines_matters() -> None:
    one, two = admit('(wander "a" 3)'), admit('(face-toward "b" (get (agent-pos "a") "x") 0)')
    routines = [Routine("a", one, 100, "compiled", None), Routine("b", two, 100, "compiled", None)]
    state = Transient(0, {"a": REST, "b": OTHER}, {}, {}, {}, None)
    forth = tick(routines, state, (), b"s" * 32, FACTS).transient
    back = tick(routines[::-1], state, (), b"s" * 32, FACTS).transient
    assert forth.bodies == back.bodies


def test_functions_are_correctly_rounded_where_libm_may_not_be() -> None:
    assert exact.sin(1e22) == -0.8522008497671888
    assert exact.cos(1e22) == 0.523214785395139
    assert exact.exp(1.0) == 2.718281828459045
    assert exact.atan2(-1.0, -1.0) == -2.356194490192345


def test_the_limits_are_those_of_the_language() -> None:
    assert (LIMITS["budget"], LIMITS["state"], LIMITS["emissions"]) == (4000, 4096, 64)
