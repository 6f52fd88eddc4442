"""A reflex log re-runs byte for byte, or the first bad mark is named (LH 3.6; reflex 10)."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodesk.errors import Place, ReplayRefused
from holodesk.rapp.canonical import canonical
from holodesk.reflex import shape
from holodesk.reflex.log import Recorder, rerun
from holodesk.reflex.mirror import admitted_program
from holodesk.reflex.segment import Previous, Segment, seed_of
from holodesk.reflex.world import Event
from tests.living import POKE, VISIT, begun, live, told
from tests.simulator import first_object

HERE = Place(seq=9)


@pytest.fixture(scope="module")
def segment() -> Segment:
    return begun(first_object("creature")).segment


@pytest.fixture
def log(segment: Segment) -> Any:
    """A visit of 25 seconds, as a stranger reads it."""
    return told(live(segment))


def refusal(log: Any, segment: Segment) -> str:
    with pytest.raises(ReplayRefused) as found:
        rerun(log, segment, HERE)
    assert found.value.where == HERE
    return found.value.message


def test_an_honest_log_has_a_lawful_shape_and_re_runs(log: Any, segment: Segment) -> None:
    assert shape.problem(log) is None
    rerun(log, segment, HERE)
    assert [mark[0] for mark in log["marks"]] == [200, 400]
    assert [event[:2] for event in log["events"]] == [
        [15, "enter"],
        [40, "poke"],
        [45, "near"],
        [45, "poke"],
        [130, "poke"],
        [260, "leave"],
    ]


def test_the_same_life_twice_writes_the_same_bytes(segment: Segment) -> None:
    logs = [canonical(live(segment).payload()) for _ in range(2)]
    assert logs[0] == logs[1]


Edit = Callable[[Any], object]


def forge_event(log: Any) -> None:
    log["events"][4][2]["x"] = 121


FORGED: dict[str, tuple[Edit, str]] = {
    "an event taken out": (lambda log: log["events"].pop(1), "tick 200"),
    "an event put in": (lambda log: log["events"].insert(5, [250, "poke", {}]), "tick 400"),
    "an event of another kind": (lambda log: log["events"][1].__setitem__(1, "near"), "tick 200"),
    "an event at another tick": (lambda log: log["events"][4].__setitem__(0, 131), "tick 200"),
    "a visitor elsewhere": (lambda log: log["events"][0][2].update(x=-2000), "tick 200"),
    "a final body": (lambda log: log["final"]["self"]["body"].update(x=3), "tick 500, its end"),
    "a final state": (lambda log: log["final"]["self"]["state"].update(pokes=9), "its end"),
    "a final body of nobody": (lambda log: log["final"].update(other=log["final"]["self"]), "end"),
    "a routine": (lambda log: log["routines"][0].__setitem__(1, "ab" * 32), "its first tick"),
    "a quota": (lambda log: log["routines"][0].__setitem__(2, 17), "its first tick"),
    "a budget": (lambda log: log.update(budget=399), "its first tick"),
    "a seed": (lambda log: log.update(seed="ab" * 32), "its first tick"),
    "a head": (lambda log: log.update(head="cd" * 32), "its first tick"),
    "a mark": (lambda log: log["marks"][1].__setitem__(1, "ab" * 32), "tick 400"),
    "a mark too many": (lambda log: log["marks"].append([500, "ab" * 32]), "its end"),
    "a mark left out": (lambda log: log["marks"].pop(), "tick 400"),
    "the outputs": (lambda log: log.update(outputs="ab" * 32), "its end"),
    "what fired": (lambda log: log["fired"]["self"].__setitem__(2, 1), "its end"),
    "a failure": (lambda log: log.update(failures=1), "its end"),
    "a failure told": (
        lambda log: (log["failed"].append([3, "self", "E_FUEL", 9]), log.update(failures=1)),
        "its end",
    ),
    "a parking": (lambda log: log["parked"].update(self=3), "its end"),
    "fewer ticks": (lambda log: log.update(ticks=499), "its end"),
    "ticks that were late": (lambda log: log["late"].append([300, 320]), "tick 400"),
    "an abort": (lambda log: log["aborts"].append(100), "tick 200"),
}


@pytest.mark.parametrize("name", FORGED)
def test_each_forgery_is_refused_and_the_first_bad_mark_named(
    name: str, log: Any, segment: Segment
) -> None:
    edit, mark = FORGED[name]
    edit(log)
    assert shape.problem(log) is None
    assert mark in refusal(log, segment)


def test_a_poke_moved_by_a_thousandth_counts_where_a_body_feels_places() -> None:
    bodies: list[Any] = [{"id": "here", "name": "n", "x": 0, "y": 0, "hue": 1}]
    segment = begun({"schema": "world/1", "bodies": bodies, "light": 60}).segment
    log = told(live(segment, {0: (Event("poke", {"x": 2999, "z": 0}),)}, 300))
    rerun(log, segment, HERE)
    log["events"][0][2]["x"] = 3001
    assert "tick 200" in refusal(log, segment)


def test_late_and_aborted_ticks_are_recorded_inputs(segment: Segment) -> None:
    recorder = live(segment, {**VISIT, 90: (POKE,)}, 500, late={100: 40, 195: 10}, aborts=(90, 91))
    log = told(recorder)
    assert log["late"] == [[100, 139], [195, 204]]
    assert log["aborts"] == [90, 91]
    assert [90, "poke", dict(POKE.payload)] in log["events"]
    assert log["fired"]["self"][0] == 500 - 52
    assert shape.problem(log) is None
    rerun(log, segment, HERE)


def test_late_ticks_in_a_row_are_one_span_and_end_with_the_segment(segment: Segment) -> None:
    recorder = Recorder(segment)
    recorder.tick()
    recorder.late(5)
    recorder.late(5)
    assert recorder.payload()["late"] == [[1, 10]]
    recorder.late(10_000)
    assert (recorder.ticks, recorder.full) == (1200, True)
    recorder.late(3)
    assert recorder.ticks == 1200
    log = told(recorder)
    assert shape.problem(log) is None
    rerun(log, segment, HERE)


def test_more_than_eight_events_a_tick_are_counted_as_dropped(segment: Segment) -> None:
    recorder = Recorder(segment)
    recorder.tick([POKE] * 11)
    log = told(recorder)
    assert (len(log["events"]), log["dropped"]) == (8, 3)
    rerun(log, segment, HERE)


@pytest.mark.parametrize(
    "event",
    [
        Event("shout", {}),
        Event("poke", {"x": 1.5}),
        Event("poke", {"x": "1"}),
        Event("poke", {f"n{n}": 1 for n in range(9)}),
        Event("poke", {"words": "w" * 65}),
        Event("poke", {"inner": {"x": 1}}),
        Event("poke", {"x": 10**10}),
        Event("env", {"mark": "rotten"}),
    ],
)
def test_what_is_no_lawful_event_never_comes_in(event: Event, segment: Segment) -> None:
    recorder = Recorder(segment)
    recorder.tick([event])
    log = told(recorder)
    assert (log["events"], log["dropped"]) == ([], 1)


@pytest.mark.parametrize(
    ("membrane", "kinds"),
    [(0, []), (1, ["poke"]), (2, ["poke", "fresh"]), (3, ["poke", "fresh", "stale"])],
)
def test_the_membrane_decides_what_comes_in(membrane: int, kinds: list[str]) -> None:
    segment = begun(first_object("creature"), membrane=membrane).segment
    recorder = Recorder(segment)
    outside = [Event("env", {"source": "news", "mark": mark}) for mark in ("fresh", "stale")]
    recorder.tick([POKE, *outside])
    log = told(recorder)
    assert [event[2].get("mark", event[1]) for event in log["events"]] == kinds
    assert log["dropped"] == 3 - len(kinds)
    rerun(log, segment, HERE)


def test_a_segment_is_full_at_its_limits_and_stays_within_them(segment: Segment) -> None:
    recorder = Recorder(segment)
    large = Event("near", {"x": 1, "z": 2, **{f"field-{n}": "w" * 60 for n in range(6)}})
    while not recorder.full:
        recorder.tick([large] * 8)
    recorder.tick([large] * 8)
    log = told(recorder)
    assert recorder.ticks < 1200
    assert log["dropped"] > 0
    assert len(canonical(log["events"])) <= 48 * 1024
    assert shape.problem(log) is None
    many = Recorder(segment)
    while not many.full:
        many.tick([Event("near", {})] * 8)
    assert len(told(many)["events"]) == 2000
    assert shape.problem(told(many)) is None


def test_a_routine_that_fails_three_times_is_parked_and_told(segment: Segment) -> None:
    poor = begun(first_object("creature"), budget=20).segment
    log = told(live(poor, ticks=50))
    assert log["parked"] == {"self": 2}
    assert [row[:3] for row in log["failed"]] == [[n, "self", "E_FUEL"] for n in range(3)]
    assert log["failures"] == 3
    rerun(log, poor, HERE)
    log["failed"][0][3] += 1
    assert "failed" in refusal(log, poor)


def test_a_log_goes_on_from_the_one_before_and_other_routines_begin_anew() -> None:
    object = first_object("creature")
    first = live(begun(object).segment)
    log = told(first)
    subjects = {row[0]: row[1] for row in log["routines"]}
    previous = Previous("ef" * 32, log["ticks"], subjects, log["final"])
    after = begun(object, previous=previous).segment
    assert after.came_from == "ef" * 32
    assert after.start.states["self"] == first.transient.states["self"]
    left, begins = first.transient.bodies["self"], after.start.bodies["self"]
    assert (begins.x, begins.z, begins.dx, begins.dz) == (left.x, left.z, left.dx, left.dz)
    rerun(told(live(after)), after, HERE)
    stranger = Previous("ef" * 32, log["ticks"], {"self": "ab" * 32}, log["final"])
    assert begun(object, previous=stranger).segment.start.states["self"] == {}


@given(
    moments=st.lists(
        st.tuples(
            st.integers(0, 250),
            st.sampled_from(["poke", "enter", "near", "leave"]),
            st.integers(-(10**5), 10**5),
        ),
        max_size=30,
    ),
    late=st.dictionaries(st.integers(0, 240), st.integers(1, 30), max_size=3),
    aborts=st.sets(st.integers(0, 250), max_size=3),
)
@settings(max_examples=25)
def test_whatever_comes_and_whenever_the_log_re_runs(
    moments: list[tuple[int, str, int]], late: dict[int, int], aborts: set[int]
) -> None:
    segment = begun(first_object("creature")).segment
    script: dict[int, list[Event]] = {}
    for tick, kind, x in moments:
        script.setdefault(tick, []).append(Event(kind, {"x": x, "z": -x // 2}))
    recorder = live(segment, script, 251, late=late, aborts=sorted(aborts))
    log = told(recorder)
    assert shape.problem(log) is None
    rerun(log, segment, HERE)


# ---- a stranger's payload ----------------------------------------------------------------------

SHAPES: dict[str, Edit] = {
    "a member left out": lambda log: log.pop("late"),
    "a member too many": lambda log: log.update(note="x"),
    "a truth value for a number": lambda log: log.update(ticks=True),
    "a fraction of ticks": lambda log: log.update(ticks=4.5),
    "no ticks": lambda log: log.update(ticks=0),
    "more than a minute": lambda log: log.update(ticks=1201),
    "another rate": lambda log: log.update(hz=60),
    "a budget of none": lambda log: log.update(budget=0),
    "a budget too large": lambda log: log.update(budget=4001),
    "an event beyond the end": lambda log: log["events"].append([500, "poke", {}]),
    "events out of order": lambda log: log["events"].reverse(),
    "an event of an unknown kind": lambda log: log["events"][0].__setitem__(1, "shout"),
    "an event at a fraction": lambda log: log["events"][0][2].update(x=0.5),
    "too many events": lambda log: log.update(events=[[1, "near", {}]] * 2001),
    "events that fill a book": lambda log: log.update(
        events=[[1, "near", {f"f{n}": "w" * 64 for n in range(8)}]] * 100
    ),
    "a late span that ends before it begins": lambda log: log.update(late=[[5, 4]]),
    "late spans that overlap": lambda log: log.update(late=[[5, 9], [9, 11]]),
    "a late span beyond the end": lambda log: log.update(late=[[400, 500]]),
    "an abort twice": lambda log: log.update(aborts=[5, 5]),
    "an abort that was late": lambda log: log.update(aborts=[5], late=[[4, 6]]),
    "a routine twice": lambda log: log["routines"].append(log["routines"][0]),
    "a compiled routine with a gate": lambda log: log["routines"][0].__setitem__(4, "ab" * 32),
    "a self-authored one without": lambda log: log["routines"][0].__setitem__(3, "self-authored"),
    "another origin": lambda log: log["routines"][0].__setitem__(3, "borrowed"),
    "an id too long": lambda log: log["routines"][0].__setitem__(0, "i" * 129),
    "someone fired who is not there": lambda log: log["fired"].update(other=[1, 1, 1, 1]),
    "someone parked who is not there": lambda log: log["parked"].update(other=1),
    "a count below none": lambda log: log.update(dropped=-1),
    "fewer failures than are told": lambda log: log["failed"].append([1, "self", "E_TYPE", 3]),
    "a mark that is no hash": lambda log: log["marks"][0].__setitem__(1, "x"),
    "too many marks": lambda log: log.update(marks=[[1, "ab" * 32]] * 7),
    "a state too large": lambda log: log["final"]["self"]["state"].update(words="w" * 5000),
    "a body that is a list": lambda log: log["final"]["self"].update(body=[]),
    "a final without a state": lambda log: log["final"]["self"].pop("state"),
    "too many bodies": lambda log: log.update(
        final={f"b{n}": log["final"]["self"] for n in range(61)}
    ),
    "a list for an object": lambda log: log.update(fired=[]),
    "an object for a list": lambda log: log.update(events={}),
    "a seed in capitals": lambda log: log.update(seed="AB" * 32),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_payload_of_another_shape_is_told_before_anything_runs(name: str, log: Any) -> None:
    SHAPES[name](log)
    assert shape.problem(log) is not None


def test_seeds_differ_by_head_and_are_the_same_everywhere() -> None:
    assert seed_of("00" * 32) != seed_of("01" * 32)
    assert seed_of("ab" * 32) == "74d37c523506031badd4e31a53f44626b94ad75007132d70ec889a074ca5aa3f"


def test_a_fallen_back_program_is_not_in_the_log(segment: Segment) -> None:
    program = '(do (emote "me" "wave"))'
    object = {**first_object("creature"), "routines": [{"id": "me", "program": program}]}
    log = told(live(begun(object).segment, ticks=30))
    assert log["routines"][0][3:] == ["compiled", None]
    gates = {admitted_program(program).subject: "cd" * 32}
    log = told(live(begun(object, gates=gates).segment, ticks=30))
    assert log["routines"][0][3:] == ["self-authored", "cd" * 32]
