"""One pass as a state machine: rejected choices append nothing (LH 3.4)."""

from typing import Any

import pytest

from holodesk.agent.source import AgentSource, read
from holodesk.contract.present import assemble
from holodesk.errors import (
    ControlRefused,
    FrameRefused,
    Held,
    Rejected,
    ReplayRefused,
    SlushConflict,
)
from holodesk.hologram import kinds, lease
from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.portal.caller import Choice
from holodesk.portal.loop import Pass, Pen, State, Surroundings, preview
from tests.simulator import Act, HologramSimulator, creature, shipped_lens

ADA = Caller("ada", "person")


def lens_of(body: str, parameters: str = "{'type': 'object', 'properties': {}}") -> AgentSource:
    source = (
        "from agents.basic_agent import BasicAgent\n\n\n"
        "class TryAgent(BasicAgent):\n"
        "    name = 'Try'\n"
        "    metadata = {'name': 'Try', 'description': 'Try it, or it is not tried.',\n"
        f"                'parameters': {parameters}}}\n\n"
        "    def perform(self, **params):\n"
        f"        {body}\n"
    )
    return read(source.encode(), "try_agent.py")


@pytest.fixture
def sim(machine: Runner) -> HologramSimulator:
    return creature(machine)


def test_a_pass_goes_through_its_states(sim: HologramSimulator) -> None:
    a_pass = sim.open_pass()
    states = [a_pass.state]
    made = a_pass.choose(Choice("Drift", {"toward": "left", "distance": 12}, ADA))
    states.append(a_pass.state)
    assert [frame.kind for frame in made] == [kinds.TILE]
    a_pass.appended()
    states.append(a_pass.state)
    assert states == [State.OFFERED, State.TILED, State.DONE]
    with pytest.raises(FrameRefused, match="done"):
        a_pass.choose(Choice("Drift", {"toward": "left", "distance": 12}, ADA))


@pytest.mark.parametrize(
    ("lens", "params", "told"),
    [
        ("Fly", {}, "expected one of Being"),
        ("Drift", {}, "toward"),
        ("Drift", {"toward": "left", "distance": 61}, "distance"),
        ("Drift", {"toward": "left", "distance": 50}, "distance"),
        ("Drift", {"toward": "sideways", "distance": 8}, "toward"),
        ("Drift", {"toward": "left", "distance": 8, "more": 1}, "more"),
    ],
)
def test_a_choice_outside_the_offer_is_rejected_and_may_be_mended(
    sim: HologramSimulator, lens: str, params: dict[str, Any], told: str
) -> None:
    a_pass = sim.open_pass()
    with pytest.raises(Rejected, match=told):
        a_pass.choose(Choice(lens, params, ADA))
    assert a_pass.state is State.OFFERED
    assert a_pass.choose(Choice("Drift", {"toward": "left", "distance": 12}, ADA))


def test_every_problem_is_told_at_once(sim: HologramSimulator) -> None:
    with pytest.raises(Rejected) as rejected:
        sim.open_pass().choose(Choice("Drift", {"toward": 1, "distance": "far"}, ADA))
    assert len(rejected.value.problems) >= 2


def test_the_offer_shows_words_and_narrowed_bounds_and_never_the_source(
    sim: HologramSimulator,
) -> None:
    offer = sim.open_pass().offer
    assert [lens.name for lens in offer.lenses] == [
        "Being",
        "Drift",
        "Remember",
        "Settle",
        "Temper",
    ]
    shown: Any = offer.as_json()
    far = shown["lenses"][1]["parameters"]["properties"]["distance"]
    assert (far["minimum"], far["maximum"]) == (6, 40)
    assert "perform" not in str(shown)
    assert shown["head"]["frame_hash"] == sim.hologram.head.frame_hash


def test_an_echo_is_rejected_once_rails_are_tight(sim: HologramSimulator) -> None:
    sim.turn("rails", 50)
    for _ in range(3):
        sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    with pytest.raises(Rejected, match="3 times running"):
        sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    sim.act(Act("Drift", {"toward": "right", "distance": 12}))
    assert sim.follow().refusal is None


def test_at_most_as_many_task_lenses_as_the_control_says(sim: HologramSimulator) -> None:
    sim.turn("lens", 2)
    around = [agent.surface.name for agent in sim.lenses]
    assert around == ["Drift", "Remember", "Settle", "Temper"]
    from holodesk.portal.offer import allow

    allowed = allow(sim.hologram, sim.lenses)
    assert [a.surface.name for a in allowed.offered] == ["Drift", "Remember"]
    assert [a.surface.name for a in allowed.beyond] == ["Settle", "Temper"]


def test_a_lens_that_raises_ends_the_pass_and_appends_nothing(sim: HologramSimulator) -> None:
    sim.lenses.append(lens_of("raise ValueError('no')"))
    a_pass = sim.open_pass()
    with pytest.raises(ReplayRefused, match="no"):
        a_pass.choose(Choice("Try", {}, ADA))
    assert a_pass.state is State.REFUSED


@pytest.mark.parametrize(
    ("body", "family"),
    [
        ("return {'object': {}}", ReplayRefused),
        ("return {'object': {}, 'data_slush': {}, 'more': 1}", ReplayRefused),
        ("return {'object': {}, 'data_slush': []}", ReplayRefused),
        ("return 7", ReplayRefused),
        ("return {'object': 1.0e300 * 1.0e300, 'data_slush': {}}", ReplayRefused),
        ("return {'object': {}, 'data_slush': {'facts': 1}}", SlushConflict),
    ],
)
def test_a_result_that_is_no_present_is_refused(
    sim: HologramSimulator, body: str, family: type[Exception]
) -> None:
    sim.lenses.append(lens_of(body))
    with pytest.raises(family):
        sim.act(Act("Try", {}))


def test_a_lens_may_answer_with_json_text(sim: HologramSimulator) -> None:
    sim.lenses.append(lens_of('return \'{"object": {"n": 20.0}, "data_slush": {}}\''))
    sim.act(Act("Try", {}))
    assert sim.object == {"n": 20}
    assert sim.follow().refusal is None


def test_what_must_be_observed_must_be_there(machine: Runner) -> None:
    run = HologramSimulator(
        machine, kind="gamerun", lenses=(shipped_lens("gamerun", "press_agent"),)
    )
    with pytest.raises(FrameRefused, match="outcome"):
        run.act(Act("Press", {"buttons": ["left"]}))
    run.act(Act("Press", {"buttons": ["left"]}, observed={"outcome": "moved"}))
    assert run.object["position"] == {"x": -1, "y": 0}
    assert run.follow().refusal is None


def test_a_closed_membrane_keeps_facts_out(sim: HologramSimulator) -> None:
    sim.act(Act("Being", {"attends": "front", "growth": 1}), facts={"host": {"n": 1}})
    sim.turn("membrane", 0)
    with pytest.raises(ControlRefused, match="closed"):
        sim.open_pass({"host": {"n": 1}})
    sim.act(Act("Being", {"attends": "left", "growth": 1}))
    assert sim.follow().refusal is None


def test_a_dropped_key_is_not_carried_and_is_named(sim: HologramSimulator) -> None:
    sim.turn("slush", 64, ("trail",))
    tile = sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    assert tile.payload["slush_in"] == {"facts": {"slush": {"omitted": ["trail"]}}}
    assert len(sim.object["trail"]) == 1
    assert sim.follow().refusal is None


def test_somebody_elses_lease_holds_the_pass(sim: HologramSimulator) -> None:
    head = sim.hologram.head.frame_hash
    expires = sim.utc(3600)
    sim._now -= 3600_000
    payload = lease.payload("take", holder="bob", machine="x", head=head, expires=expires)
    sim.write(kinds.LEASE, payload)
    with pytest.raises(Held, match="bob"):
        sim.open_pass()
    around = Surroundings(sim.lenses, assemble(sim.hologram, ()), {}, sim.utc())
    bob = Pass.open(sim.hologram, around, sim.runner, Pen(sim.key, "bob", "x"))
    tile = bob.choose(Choice("Drift", {"toward": "left", "distance": 12}, ADA))[-1]
    assert tile.payload["lease"] == _lease(sim)
    sim.utc(4000)
    sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    assert sim.follow().refusal is None


def test_a_preview_appends_nothing_and_is_what_a_pass_would_make(sim: HologramSimulator) -> None:
    choice = Choice("Drift", {"toward": "left", "distance": 12}, ADA)
    around = Surroundings(sim.lenses, assemble(sim.hologram, ()), {}, sim.utc())
    before = list(sim.frames)
    shown = preview(sim.hologram, around, sim.runner, sim.pen, choice)
    assert sim.frames == before
    sim.act(Act("Drift", {"toward": "left", "distance": 12}))
    assert sim.object == shown


def _lease(sim: HologramSimulator) -> str:
    assert sim.hologram.lease is not None
    return sim.hologram.lease.frame_hash


def test_a_choice_can_be_checked_and_nothing_is_made_of_it(sim: HologramSimulator) -> None:
    a_pass = sim.open_pass()
    with pytest.raises(Rejected):
        a_pass.check(Choice("Fly", {}, ADA))
    a_pass.check(Choice("Drift", {"toward": "left", "distance": 12}, ADA))
    assert a_pass.state is State.OFFERED
    assert a_pass.choose(Choice("Drift", {"toward": "left", "distance": 12}, ADA))
