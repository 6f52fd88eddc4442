"""Choosing: the lens's own words, its form, and a rejected choice told at its fields (LH 3.4)."""

import pytest
from pytestqt.qtbot import QtBot

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.caller import CallerPanel
from holodesk.gui.parts.form import Form
from holodesk.host.messages import (
    Appended,
    Choose,
    Offered,
    OfferedLens,
    Pace,
    Preview,
    Refusal,
    SetCaller,
)
from tests.gui.conftest import DRIFT, HASH, Wire, head, offer


@pytest.fixture
def caller(qtbot: QtBot, bridge: Bridge) -> CallerPanel:
    made = CallerPanel(bridge)
    qtbot.addWidget(made)
    made.resize(608, 400)
    made.show()
    bridge.show(head())
    bridge.show(offer())
    return made


def form(caller: CallerPanel) -> Form:
    assert caller.form is not None
    return caller.form


def test_a_task_lens_is_chosen_at_first_and_its_words_stand_above_its_form(
    caller: CallerPanel,
) -> None:
    assert caller.chosen == "Drift"
    assert caller.description.text() == "Move toward something it noticed."
    assert [field.path for field in form(caller).fields] == ["toward", "distance"]


def test_append_asks_for_exactly_what_the_form_says(caller: CallerPanel, wire: Wire) -> None:
    form(caller).fill({"toward": "left", "distance": 30})
    caller.append.click()
    choice = wire.asks(Choose)[0]
    assert (choice.lens, choice.params) == ("Drift", {"toward": "left", "distance": 30})
    assert not caller.append.isEnabled()


def test_an_appended_choice_is_said_with_its_frame(
    caller: CallerPanel, bridge: Bridge, wire: Wire
) -> None:
    caller.append.click()
    bridge.show(Appended(wire.asks(Choose)[0].id, 413, "tile", HASH))
    assert caller.told.text() == "appended as frame 413"
    assert caller.append.isEnabled()


def test_a_rejected_choice_is_told_at_its_fields_and_keeps_what_was_written(
    caller: CallerPanel, bridge: Bridge, wire: Wire
) -> None:
    form(caller).fill({"distance": 30})
    caller.append.click()
    problems = ["toward: expected a value, found none"]
    bridge.show(
        Refusal(
            wire.asks(Choose)[0].id, "Rejected", problems[0], "LH 3.4", "", "", problems, "Again."
        )
    )
    assert form(caller).fields[0].problem.text() == "expected a value, found none"
    assert form(caller).fields[0].problem.isVisible()
    assert form(caller).params() == {"distance": 30}
    assert caller.append.isEnabled()
    assert caller.told.property("role") == "refused"


def test_another_refusal_stands_beside_the_presses(
    caller: CallerPanel, bridge: Bridge, wire: Wire
) -> None:
    caller.append.click()
    asked = wire.asks(Choose)[0].id
    bridge.show(Refusal(asked, "Held", "somebody holds the lease", "LH 3.9", "", "", [], "Wait."))
    assert "somebody holds the lease" in caller.told.text()


def test_a_refusal_of_something_else_is_not_shown_here(caller: CallerPanel, bridge: Bridge) -> None:
    bridge.show(Refusal(999, "Refused", "another matter", "LH 3.9", "", "", [], ""))
    assert "another matter" not in caller.told.text()


def test_a_new_offer_keeps_the_lens_and_what_was_written(
    caller: CallerPanel, bridge: Bridge
) -> None:
    form(caller).fill({"toward": "up", "distance": 44})
    before = form(caller)
    bridge.show(offer(seq=413))
    assert form(caller) is before
    narrowed = {**DRIFT, "properties": {**DRIFT["properties"]}}
    narrowed["properties"]["distance"] = {**DRIFT["properties"]["distance"], "maximum": 20}
    bridge.show(offer(OfferedLens("Drift", "Move.", narrowed, False, {}), seq=414))
    assert form(caller) is not before
    assert form(caller).params() == {"toward": "up", "distance": 20}


def test_a_lens_that_left_is_no_longer_chosen(caller: CallerPanel, bridge: Bridge) -> None:
    bridge.show(offer(OfferedLens("Tell", "Say it.", {"type": "object"}, False, {})))
    assert caller.chosen == "Tell"


def test_what_was_written_for_one_lens_is_there_when_it_is_chosen_again(
    caller: CallerPanel,
) -> None:
    form(caller).fill({"toward": "down"})
    caller.choose_lens("Being")
    assert form(caller).params() == {}
    caller.choose_lens("Drift")
    assert form(caller).params()["toward"] == "down"


def test_a_preview_is_asked_for_without_choosing(caller: CallerPanel, wire: Wire) -> None:
    form(caller).fill({"toward": "left"})
    caller.preview.click()
    assert not wire.asks(Choose)
    assert wire.asks(Preview)[0].params["toward"] == "left"


def test_an_empty_offer_says_what_would_be_here(caller: CallerPanel, bridge: Bridge) -> None:
    bridge.show(offer(OfferedLens("Being", "Be.", {"type": "object"}, True, {})))
    assert not caller.empty.isVisible()
    bridge.show(Offered(413, [], "", {}, False))
    assert caller.empty.isVisible()
    assert not caller.append.isEnabled()


def test_a_desk_that_cannot_be_written_offers_no_append(
    caller: CallerPanel, bridge: Bridge
) -> None:
    bridge.show(head(413, writable=False, why_not="ada holds the pen"))
    assert not caller.append.isEnabled()
    assert caller.preview.isEnabled()


def test_a_script_chooses_once_its_file_is_named(caller: CallerPanel, wire: Wire) -> None:
    caller.caller.buttons[1].click()
    assert caller.script.isVisible()
    caller.script.setText("/some/choices.jsonl")
    caller.script.returnPressed.emit()
    assert wire.asks(SetCaller)[-1].script == "/some/choices.jsonl"
    caller.caller.buttons[0].click()
    assert wire.asks(SetCaller)[-1].caller == "person"
    assert not caller.script.isVisible()


def test_the_host_says_who_chooses(caller: CallerPanel, bridge: Bridge) -> None:
    bridge.show(Pace("script", 4.0, False))
    assert caller.caller.answer() == "script"


def test_a_new_pace_does_not_take_away_the_script_that_is_being_named(
    caller: CallerPanel, bridge: Bridge
) -> None:
    caller.caller.buttons[1].click()
    caller.script.setText("/some/cho")
    bridge.show(Pace("person", -1.0, False))
    assert caller.script.isVisible()
    assert caller.script.text() == "/some/cho"


def test_a_resting_hologram_says_that_a_person_may_reopen_it(
    caller: CallerPanel, bridge: Bridge
) -> None:
    bridge.show(offer(resting=True))
    assert caller.resting.isVisible()
