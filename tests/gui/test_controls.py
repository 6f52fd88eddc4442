"""A control shows what is pending and what is in force, and asks once (LH 3.7)."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.control import ControlRow
from holodesk.gui.console.controls import Controls
from holodesk.gui.parts.track import KNOB, Track
from holodesk.hologram.controls import CONTROLS
from holodesk.host.messages import Folder, FolderFile, Refusal, Turn
from tests.gui.conftest import Wire, control_states, head, offer


@pytest.fixture
def controls(qtbot: QtBot, bridge: Bridge) -> Controls:
    made = Controls(bridge)
    qtbot.addWidget(made)
    made.resize(304, 480)
    made.show()
    bridge.show(head())
    return made


def at(track: Track, value: int) -> QPoint:
    left, width = KNOB + 2, track.width() - 2 * (KNOB + 2)
    share = (value - track.minimum()) / (track.maximum() - track.minimum())
    return QPoint(round(left + share * width), track.height() // 2)


def drag(track: Track, *values: int) -> None:
    button = Qt.MouseButton.LeftButton
    QTest.mousePress(track, button, Qt.KeyboardModifier.NoModifier, at(track, track.value()))
    for value in values:
        QTest.mouseMove(track, at(track, value))
    QTest.mouseRelease(track, button, Qt.KeyboardModifier.NoModifier, at(track, values[-1]))


def rails(controls: Controls) -> ControlRow:
    return controls.rows["rails"]


def test_there_is_a_row_for_each_of_the_six_with_its_question(controls: Controls) -> None:
    assert list(controls.rows) == list(CONTROLS)
    for name, row in controls.rows.items():
        assert row.question.text() == CONTROLS[name].question
        assert CONTROLS[name].question in row.track.accessibleDescription()


def test_a_dragged_slider_asks_once_when_it_is_let_go(controls: Controls, wire: Wire) -> None:
    track = rails(controls).track
    drag(track, 40, 55, 70)
    turns = wire.asks(Turn)
    assert [(turn.control, turn.value) for turn in turns] == [("rails", track.value())]
    assert abs(track.value() - 70) <= 1


def test_a_turn_is_pending_beside_what_is_in_force_until_the_head_moves(
    controls: Controls, bridge: Bridge
) -> None:
    row = rails(controls)
    row.number.setValue(40)
    row.settle()
    assert row.track.value() == 40
    assert (row.in_force.text(), row.pending.text()) == ("25", "40 % pending")
    filled = row.track.in_force
    assert filled == 25
    bridge.show(head(413))
    assert row.pending.text() == "40 % pending"
    bridge.show(head(414, controls=control_states(rails=40, rails_since=414)))
    assert row.pending.isHidden()
    assert row.in_force.text() == "40 %"
    assert row.track.in_force is None
    assert "414" in row.since.text()


def test_the_since_link_leads_to_the_frame(
    qtbot: QtBot, controls: Controls, bridge: Bridge
) -> None:
    bridge.show(head(413, controls=control_states(rails=40, rails_since=411)))
    with qtbot.waitSignal(controls.since_asked) as asked:
        QTest.mouseClick(rails(controls).since, Qt.MouseButton.LeftButton)
    assert asked.args == [411]


def test_a_refused_turn_goes_back_and_says_why_at_the_control(
    controls: Controls, bridge: Bridge, wire: Wire
) -> None:
    row = rails(controls)
    row.number.setValue(90)
    row.settle()
    asked = wire.asks(Turn)[0].id
    bridge.show(Refusal(asked, "Held", "somebody else appended first", "LH 3.7", "", "", [], ""))
    assert row.track.value() == 25
    assert not row.pending.isVisible()
    assert row.problem.text() == "somebody else appended first"
    assert row.problem.isVisible()


def test_arrow_keys_ask_once_after_they_have_rested(
    qtbot: QtBot, controls: Controls, wire: Wire
) -> None:
    track = rails(controls).track
    for _ in range(3):
        QTest.keyClick(track, Qt.Key.Key_Right)
    assert not wire.asks(Turn)
    assert rails(controls).pending.isVisible()
    qtbot.waitUntil(lambda: bool(wire.asks(Turn)), timeout=3000)
    assert [turn.value for turn in wire.asks(Turn)] == [28]


def test_escape_takes_back_a_value_that_was_not_asked_for_yet(
    qtbot: QtBot, controls: Controls, wire: Wire
) -> None:
    row = rails(controls)
    QTest.keyClick(row.track, Qt.Key.Key_Right)
    QTest.keyClick(row.track, Qt.Key.Key_Escape)
    assert row.track.value() == 25
    qtbot.wait(700)
    assert not wire.asks(Turn)


def test_turning_back_to_what_is_in_force_asks_for_nothing(controls: Controls, wire: Wire) -> None:
    row = rails(controls)
    row.number.setValue(30)
    row.number.setValue(25)
    row.settle()
    assert not wire.asks(Turn)
    assert not row.pending.isVisible()


def test_the_wheel_turns_nothing(controls: Controls) -> None:
    track = rails(controls).track
    before = track.value()
    event = QWheelEvent(
        QPointF(20, 10),
        QPointF(20, 10),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    track.wheelEvent(event)
    assert track.value() == before


def test_the_lens_list_is_edited_with_one_turn(
    controls: Controls, bridge: Bridge, wire: Wire
) -> None:
    files = [FolderFile(f"{n}_agent.py", n, "offered", "", 0) for n in ("drift", "rest", "tell")]
    bridge.show(Folder([*files, FolderFile("bad_agent.py", "", "set aside", "no", 3)]))
    row = controls.rows["lens"]
    assert row.names is not None
    row.list_link.click()
    assert list(row.names.buttons) == ["drift", "rest", "tell"]
    row.names.buttons["rest"].click()
    row.names.record.click()
    turn = wire.asks(Turn)[0]
    assert (turn.control, turn.value, turn.detail) == ("lens", 16, {"allow": ["drift", "tell"]})
    assert row.names.isHidden()


def test_allowing_every_lens_again_is_no_limit(
    controls: Controls, bridge: Bridge, wire: Wire
) -> None:
    bridge.show(Folder([FolderFile("a_agent.py", "a", "offered", "", 0)]))
    row = controls.rows["lens"]
    assert row.names is not None
    row.list_link.click()
    row.names.buttons["a"].click()
    row.names.buttons["a"].click()
    row.names.record.click()
    assert wire.asks(Turn)[0].detail == {"allow": None}


def test_what_is_lit_in_the_drop_list_is_dropped(
    controls: Controls, bridge: Bridge, wire: Wire
) -> None:
    bridge.show(offer(slush={"drift": 1, "mood": 2}))
    row = controls.rows["slush"]
    assert row.names is not None
    row.list_link.click()
    assert not any(button.isChecked() for button in row.names.buttons.values())
    row.names.buttons["mood"].click()
    row.names.record.click()
    assert wire.asks(Turn)[0].detail == {"drop": ["mood"]}


def test_a_desk_that_cannot_be_written_turns_nothing(controls: Controls, bridge: Bridge) -> None:
    bridge.show(head(413, writable=False, why_not="ada holds the pen"))
    assert not any(row.track.isEnabled() for row in controls.rows.values())
    assert controls.note.isVisible()


def test_a_lost_host_leaves_nothing_pending(
    qtbot: QtBot, controls: Controls, bridge: Bridge, wire: Wire
) -> None:
    row = rails(controls)
    row.number.setValue(40)
    row.settle()
    with qtbot.waitSignal(bridge.host_lost):
        wire.lost("it fell")
    assert not row.pending.isVisible()
    assert "host ended" in row.problem.text()


def test_the_names_of_membrane_stand_for_its_numbers(controls: Controls, bridge: Bridge) -> None:
    bridge.show(head(413, controls=control_states(membrane=2)))
    assert controls.rows["membrane"].in_force.text() == "fresh frames too"
