"""Routines come from the present alone, with lineage, and are never text (LH 3.6)."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodesk.reflex.log import Recorder
from holodesk.reflex.mirror import admitted_program
from holodesk.reflex.reader import read
from holodesk.reflex.routines import SELF, direction, drafts
from holodesk.reflex.shape import MAX_BODIES
from holodesk.reflex.tree import Form, Literal, Tree
from holodesk.reflex.world import Event
from tests.living import POKE, VISIT, begun, live
from tests.properties.json_values import values
from tests.simulator import first_object

KINDS = ("creature", "world", "card", "story", "gamerun", "model")
MOODS = ("calm", "curious", "playful", "shy", "startled")


def creature(**changed: Any) -> Any:
    made = first_object("creature")
    for name, value in changed.items():
        target = made["temper"] if name in made["temper"] else made
        target[name] = value
    return made


def constants(tree: Tree) -> list[Any]:
    if isinstance(tree, Literal):
        return [tree.value]
    if isinstance(tree, Form):
        return [value for item in tree.items for value in constants(item)]
    return []


def signs(object: Any, script: Any, ticks: int) -> list[str]:
    """Every sign that the first body makes, in order."""
    recorder = Recorder(begun(object).segment)
    made: list[str] = []
    while recorder.ticks < ticks:
        now = recorder.ticks
        recorder.tick(script.get(now, ()))
        body = next(iter(recorder.transient.bodies.values()))
        if body.emote is not None and body.emote[1] == now:
            made.append(body.emote[0])
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_object_has_a_body_that_lives_without_a_failure(kind: str) -> None:
    recorder = live(begun(first_object(kind)).segment, VISIT, 500)
    log = recorder.payload()
    assert log["failures"] == 0
    assert log["parked"] == {}
    assert log["routines"]
    assert all(
        row[3] <= routine[2]
        for row, routine in zip(log["fired"].values(), log["routines"], strict=True)
    )


@pytest.mark.parametrize("mood", MOODS)
@pytest.mark.parametrize("energy", [0, 45, 100])
def test_every_mood_and_energy_lives_near_its_own_place(mood: str, energy: int) -> None:
    object = creature(mood=mood, energy=energy, memories=[{"words": "Ada", "weight": 3}])
    script = {**VISIT, **dict.fromkeys(range(300, 330), (POKE,))}
    recorder = Recorder(begun(object).segment)
    far = 0.0
    while recorder.ticks < 1200:
        assert not recorder.tick(script.get(recorder.ticks, ())).failed
        body = recorder.transient.bodies[SELF]
        far = max(far, abs(body.x - body.home_x), abs(body.z - body.home_z))
    assert far < 2.5


def test_it_breathes_alone_and_turns_to_who_comes() -> None:
    alone = signs(creature(), {}, 300)
    assert set(alone) == {"bounce"}
    assert 3 <= len(alone) <= 8
    recorder = live(begun(creature()).segment, {5: (Event("enter", {"x": 6000, "z": 0}),)}, 60)
    body = recorder.transient.bodies[SELF]
    assert body.dx > 0.9


def test_a_turn_is_eased_never_a_jump() -> None:
    recorder = Recorder(begun(creature()).segment)
    last, most = (0.0, -1.0), 0.0
    for now in range(80):
        recorder.tick((Event("enter", {"x": 5000, "z": 1000}),) if now == 10 else ())
        body = recorder.transient.bodies[SELF]
        most = max(most, abs(body.dx - last[0]) + abs(body.dz - last[1]))
        last = (body.dx, body.dz)
    assert 0 < most < 0.25


@pytest.mark.parametrize(
    ("mood", "sign"),
    [("calm", "bounce"), ("playful", "celebrate"), ("shy", "bow"), ("startled", "shrug")],
)
def test_a_touch_is_answered_by_mood(mood: str, sign: str) -> None:
    assert sign in signs(creature(mood=mood), {7: (POKE,)}, 9)


def test_many_touches_in_a_row_are_answered_otherwise() -> None:
    script = dict.fromkeys(range(10, 100, 12), (POKE,))
    made = signs(creature(mood="calm"), script, 120)
    assert made.index("bounce") < made.index("shrug")


LEAVES = {66: (Event("enter", {"x": 20_000, "z": 0}),), 70: (Event("leave", {}),)}
"""Somebody passes far away."""


def test_a_shy_creature_looks_away_and_a_playful_one_waves() -> None:
    comes = {5: (Event("enter", {"x": 5000, "z": 0}),)}
    shy = live(begun(creature(mood="shy")).segment, comes, 60).transient.bodies[SELF]
    assert shy.dx < -0.5
    comes = {70: (Event("enter", {"x": 5000, "z": 0}),)}
    assert "wave" in signs(creature(mood="playful"), comes, 72)
    assert "wave" not in signs(creature(mood="playful"), {**comes, **LEAVES}, 72)


def test_one_who_stays_is_told_the_heaviest_memory() -> None:
    memories = [{"words": "light", "weight": 1}, {"words": "Ada likes the sea.", "weight": 5}]
    object = creature(memories=memories)
    recorder = live(begun(object).segment, {5: (Event("enter", {"x": 0, "z": -3000}),)}, 200)
    said = recorder.transient.bodies[SELF].said
    assert said is not None
    assert said[0] == "Ada likes the sea."
    assert ("words", "memories[1].words") in drafts(object)[0].lineage


@given(words=st.text(min_size=1, max_size=280))
@settings(max_examples=60)
def test_a_text_of_the_object_is_only_ever_a_constant(words: str) -> None:
    hostile = creature(memories=[{"words": words, "weight": 5}])
    mild = creature(memories=[{"words": "x", "weight": 5}])
    (made,), (known,) = drafts(hostile), drafts(mild)
    tree, expected = read(made.source), read(known.source)
    assert words in constants(tree[0])
    assert len(constants(tree[0])) == len(constants(expected[0]))


@given(object=values)
@settings(max_examples=80)
def test_any_json_has_routines_that_are_admitted(object: Any) -> None:
    for draft in drafts(object):
        assert admitted_program(draft.source).bound is not None


@given(
    told=st.fixed_dictionaries(
        {
            "schema": st.sampled_from(["creature/1", "world/1", "card/1", "gamerun/1", "other/1"]),
            "at": values,
            "facing": values,
            "temper": values,
            "memories": values,
            "bodies": st.lists(values, max_size=4),
            "routines": st.lists(values, max_size=4),
            "light": values,
            "status": values,
            "progress": values,
        }
    )
)
@settings(max_examples=80)
def test_members_of_a_wrong_kind_stop_no_body(told: Any) -> None:
    for draft in drafts(told):
        admitted_program(draft.source)
        assert abs(draft.start.x) <= 10


def test_the_same_present_gives_the_same_routines_and_other_values_others() -> None:
    assert drafts(creature()) == drafts(creature())
    assert drafts(creature(energy=90))[0].source != drafts(creature())[0].source


def test_a_change_of_what_it_compiles_needs_another_version_of_the_compiler() -> None:
    at, memories = {"x": 30, "y": -20, "z": 0}, [{"words": "Ada", "weight": 3}]
    known: list[Any] = [
        {
            "schema": "creature/1",
            "temper": {"mood": mood, "energy": energy},
            "at": at,
            "facing": 120,
            "memories": memories,
        }
        for mood in MOODS
        for energy in (5, 45, 80)
    ]
    known += [{"schema": "card/1", "status": status} for status in ("Done", "Blocked", "Ready")]
    known += [{"schema": "world/1", "light": 60, "bodies": [{"id": "a", **at}, {"id": "b"}]}]
    known += [{"schema": "gamerun/1", "progress": {"hall_of_fame": won}} for won in (True, False)]
    known += [None, {"schema": "other/1", "routines": [{"id": "v", "program": "(do 1)"}]}]
    sources = [draft.source for object in known for draft in drafts(object)]
    found = sha256("\n".join(sources).encode()).hexdigest()
    assert found == "97d8152807f338540d821ec3a028b443d7d379ace85d4f300545fca98cf29585"


def test_each_part_names_a_path_that_the_object_has() -> None:
    for kind in KINDS:
        object = first_object(kind)
        for draft in drafts(object):
            for _, path in draft.lineage:
                value = object
                for step in path.replace("[", ".").replace("]", "").split("."):
                    value = value[int(step)] if isinstance(value, list) else value[step]


def test_a_world_has_a_body_for_each_of_its_own_and_the_first_of_two_counts() -> None:
    bodies: list[Any] = [
        {"id": f"b{n % 70}", "name": "n", "x": n, "y": -n, "hue": 1} for n in range(100)
    ]
    made = drafts({"schema": "world/1", "bodies": bodies, "light": 60})
    assert len(made) == MAX_BODIES
    assert len({draft.id for draft in made}) == MAX_BODIES
    assert (made[3].start.x, made[3].start.z) == (0.3, -0.3)


def test_sixty_bodies_live_within_one_budget() -> None:
    bodies: list[Any] = [{"id": f"b{n}", "name": "n", "x": n, "y": -n, "hue": 1} for n in range(60)]
    segment = begun({"schema": "world/1", "bodies": bodies, "light": 60}).segment
    assert sum(routine.quota for routine in segment.routines) <= 4000
    log = live(segment, {5: (POKE,), 9: (Event("enter", {"x": 0, "z": 0}),)}, 100).payload()
    assert log["failures"] == 0


def test_a_poke_is_answered_by_the_body_that_it_touches() -> None:
    bodies: list[Any] = [
        {"id": "here", "name": "n", "x": 10, "y": 0, "hue": 1},
        {"id": "there", "name": "n", "x": -80, "y": 0, "hue": 1},
    ]
    segment = begun({"schema": "world/1", "bodies": bodies, "light": 60}).segment
    found = live(segment, {3: (Event("poke", {"x": 1000, "z": 0}),)}, 4).transient.bodies
    assert found["here"].emote == ("nod", 3)
    assert found["there"].emote != ("nod", 3)


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_a_facing_is_a_unit_vector_counter_clockwise_from_the_front(degrees: int) -> None:
    from math import cos, radians, sin

    x, z = direction(degrees)
    assert (x, z) == pytest.approx((sin(radians(degrees)), -cos(radians(degrees))), abs=1e-15)
    assert direction(0) == (0.0, -1.0)
    assert direction(90) == (1.0, 0.0)


# ---- what the object carries -----------------------------------------------------------------


def test_the_real_routines_live_a_minute_without_a_failure(shared: Any) -> None:
    folder = shared / "data" / "lispy"
    routines = [
        {"agentId": path.stem, "program": path.read_text("utf-8")}
        for path in sorted(folder.glob("*.lisp"))
    ]
    object: Any = {"schema": "crowd/1", "routines": routines}
    gates = {admitted_program(one["program"]).subject: "cd" * 32 for one in routines}
    found = begun(object, gates=gates)
    assert [draft.id for draft in found.drafts] == [one["agentId"] for one in routines]
    assert {routine.origin for routine in found.segment.routines} == {"self-authored"}
    log = live(found.segment, VISIT, 1200).payload()
    assert (log["ticks"], log["failures"]) == (1200, 0)


PROGRAM = '(do (emote "me" "wave") (wander "me" 2))'


def test_what_no_gate_admits_falls_back_to_the_compiled_routine_and_says_why() -> None:
    object = creature(routines=[{"id": "me", "program": PROGRAM}])
    (draft,) = begun(object).drafts
    assert (draft.id, draft.origin, draft.authored) == ("me", "compiled", PROGRAM)
    assert draft.source == drafts(creature())[0].source
    assert draft.fallback is not None
    subject = admitted_program(PROGRAM).subject
    (draft,) = begun(object, gates={subject: "cd" * 32}).drafts
    assert (draft.origin, draft.source, draft.fallback) == ("self-authored", PROGRAM, None)


@pytest.mark.parametrize(
    ("one", "code"),
    [
        ({"program": "(do (open))"}, "E_NAME"),
        ({"program": "(do"}, "never closed"),
        ({"program": PROGRAM, "grant": ["emote", "self"]}, "wander"),
    ],
)
def test_a_program_that_cannot_run_never_runs_whatever_gate_there_is(one: Any, code: str) -> None:
    object = creature(routines=[{"id": "me", **one}])
    gates = {sha256(one["program"].encode()).hexdigest(): "cd" * 32}
    (draft,) = begun(object, gates=gates).drafts
    assert draft.origin == "compiled"
    assert draft.fallback is not None
