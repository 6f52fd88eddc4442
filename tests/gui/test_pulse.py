"""The pulse: one schedule, what comes from outside, and a log handed over before every pass."""

from typing import Any

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.display.life import Life
from holodesk.gui.bridge import Bridge
from holodesk.gui.console.body import BodyPanel, readable
from holodesk.gui.ghost.window import GhostWindow
from holodesk.gui.parts.hit import hit_in_picture, hit_on_screen
from holodesk.gui.pulse import TICK_SECONDS, WAITING, Pulse, Pulsed
from holodesk.host import telling
from holodesk.host.messages import Boundary, Choose, Felt, Log
from holodesk.reflex.segment import begin
from holodesk.reflex.world import Event
from tests.gui.conftest import HASH, Wire, head

CREATURE: dict[str, Any] = {
    "schema": "creature/1",
    "at": {"x": 0, "y": 0, "z": 20},
    "facing": 0,
    "temper": {"hue": 190, "energy": 60, "mood": "playful"},
}


def body(budget: int = 4000, membrane: int = 1) -> Any:
    """What a host tells of a creature's body."""
    begun = begin(
        CREATURE,
        head=HASH,
        seq=412,
        t0="2026-01-01T12:00:00.000Z",
        budget=budget,
        membrane=membrane,
        gates={},
    )
    return telling.body(begun, 412)


@pytest.fixture
def pulse(bridge: Bridge, wire: Wire, qtbot: QtBot) -> Pulse:
    made = Pulse(bridge)
    wire.tell(head())
    qtbot.waitUntil(lambda: made._writable, timeout=2000)
    return made


def told(wire: Wire) -> list[dict[str, Any]]:
    return [log.payload for log in wire.asks(Log)]


def test_it_ticks_twenty_times_a_second_and_tells_the_life(pulse: Pulse, qtbot: QtBot) -> None:
    lives: list[Life] = []
    ticks: list[Pulsed] = []
    pulse.lived.connect(lives.append)
    pulse.pulsed.connect(ticks.append)
    pulse.begin(body())
    qtbot.waitUntil(lambda: len(ticks) >= 10, timeout=10_000)
    pulse.finish()
    run = [one.tick for one in ticks]
    assert run == sorted(run)
    assert len(lives) == len(ticks)
    assert all(one.steps["self"] > 0 for one in ticks)


def test_a_log_goes_to_the_host_before_every_choice(
    pulse: Pulse, bridge: Bridge, wire: Wire, qtbot: QtBot
) -> None:
    pulse.begin(body())
    pulse.hear(Event("poke", {"x": 0, "z": 0}))
    qtbot.waitUntil(lambda: pulse.recorder is not None and pulse.recorder.ticks >= 3, timeout=5000)
    bridge.choose("Drift", {"toward": "left", "distance": 12})
    kinds = [type(request) for request in wire.asked if isinstance(request, Log | Choose)]
    assert kinds == [Log, Choose]
    (log,) = told(wire)
    assert [event[1] for event in log["events"]] == ["poke"]
    assert pulse.recorder is None


def test_a_boundary_and_a_new_head_end_a_segment(pulse: Pulse, wire: Wire, qtbot: QtBot) -> None:
    for _ in range(2):
        pulse.begin(body())
        qtbot.waitUntil(lambda: bool(pulse.recorder and pulse.recorder.ticks >= 2), timeout=5000)
    assert len(told(wire)) == 1
    wire.tell(Boundary())
    qtbot.waitUntil(lambda: len(told(wire)) == 2, timeout=2000)


def test_a_desk_that_cannot_be_written_gets_no_log(pulse: Pulse, wire: Wire, qtbot: QtBot) -> None:
    wire.tell(head(writable=False))
    qtbot.waitUntil(lambda: not pulse._writable, timeout=2000)
    pulse.begin(body())
    qtbot.waitUntil(lambda: bool(pulse.recorder and pulse.recorder.ticks >= 2), timeout=5000)
    pulse.finish()
    assert told(wire) == []


def test_a_budget_of_nought_is_still(pulse: Pulse, qtbot: QtBot) -> None:
    ticks: list[Pulsed] = []
    pulse.pulsed.connect(ticks.append)
    pulse.begin(body(budget=0))
    qtbot.wait(200)
    assert ticks == []
    assert pulse.next_tick is None


def test_after_a_stall_five_ticks_are_run_and_the_others_are_late(
    pulse: Pulse, wire: Wire, qtbot: QtBot
) -> None:
    pulse.begin(body())
    pulse._timer.stop()
    pulse._began_at -= 20 * TICK_SECONDS
    pulse._beat()
    pulse.finish()
    (log,) = told(wire)
    assert log["late"] == [[0, log["ticks"] - 6]]
    assert log["fired"]["self"][0] == 5
    assert log["ticks"] >= 20


def test_too_much_from_outside_is_dropped_and_counted(
    pulse: Pulse, wire: Wire, qtbot: QtBot
) -> None:
    pulse.begin(body())
    pulse.take_single(True)
    for _ in range(WAITING + 10):
        pulse.hear(Event("poke", {"x": 0, "z": 0}))
    pulse.step()
    pulse.finish()
    (log,) = told(wire)
    assert len(log["events"]) == 8
    assert log["dropped"] == WAITING + 10 - 8


def test_what_the_host_heard_is_felt(pulse: Pulse, wire: Wire, qtbot: QtBot) -> None:
    pulse.begin(body())
    pulse.take_single(True)
    wire.tell(Felt("poke", {"x": 5, "z": 6}))
    qtbot.waitUntil(lambda: len(pulse._waiting) == 1, timeout=2000)
    pulse.step()
    pulse.finish()
    assert told(wire)[0]["events"] == [[0, "poke", {"x": 5, "z": 6}]]


def test_a_pointer_enters_comes_near_touches_and_leaves(
    pulse: Pulse, wire: Wire, output: GhostWindow
) -> None:
    made = output.layout_now
    pulse.begin(body())
    pulse.take_single(True)
    for across in (0.5, 0.501, 0.9):
        pulse.point(hit_in_picture(made, 0, across, 0.5))
    pulse.poke(hit_in_picture(made, 0, 0.9, 0.5))
    pulse.leave()
    pulse.leave()
    pulse.step()
    pulse.finish()
    events = told(wire)[0]["events"]
    assert [event[1] for event in events] == ["enter", "near", "poke", "leave"]
    assert events[0][2] == {"x": 0, "z": -5000, "viewer": 0}
    assert events[1][2]["x"] > 3000


@pytest.mark.parametrize("viewer", range(4))
def test_a_pixel_of_the_output_is_the_same_place_in_its_viewers_picture(
    viewer: int, output: GhostWindow
) -> None:
    made = output.layout_now
    face = made.face(viewer)
    box = made.box
    place = [box.width_mm * 0.25, box.bottom_mm + box.height_mm * 0.75, 1.0]
    column, row, weight = face.pixels @ place
    found = hit_on_screen(made, column / weight, row / weight)
    wanted = hit_in_picture(made, viewer, 0.75, 0.25)
    assert found is not None
    assert found.viewer == viewer
    assert (found.across, found.up) == pytest.approx((wanted.across, wanted.up))
    assert hit_on_screen(made, 0, 0) is None or made.rig.faces > 4


def test_a_press_on_the_output_is_a_touch(output: GhostWindow, qtbot: QtBot) -> None:
    from PySide6.QtCore import QPoint, Qt

    touched: list[Any] = []
    output.touch.poked.connect(touched.append)
    made = output.layout_now
    middle = made.face(0).cell.mean(axis=0) / output.devicePixelRatioF()
    view: Any = output._view
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(int(middle[0]), int(middle[1])))
    assert [hit.viewer for hit in touched] == [0]


def test_no_picture_is_begun_where_a_tick_is_due(output: GhostWindow) -> None:
    from time import perf_counter

    output._took = 0.010
    beats = output.beats
    output.next_tick = lambda: perf_counter() + 0.005
    output._on_beat()
    assert output.beats == beats
    output.next_tick = lambda: perf_counter() + 0.040
    output._on_beat()
    assert output.beats == beats + 1


def test_the_panel_plots_ticks_and_shows_each_routine(
    pulse: Pulse, bridge: Bridge, qtbot: QtBot
) -> None:
    panel = BodyPanel(bridge)
    qtbot.addWidget(panel)
    panel.attach(pulse)
    panel.resize(700, 260)
    panel.show()
    pulse.begin(body())
    panel.stop.setChecked(True)
    for _ in range(5):
        panel.step.click()
    panel.poke_it()
    panel.step.click()
    assert panel.plot.names == ("self",)
    assert panel.telling().endswith("ms late")
    assert "0 failures" in panel.telling()
    assert "breath comes from temper.energy" in panel.source.toPlainText()
    assert pulse.recorder is not None
    assert pulse.recorder.ticks == 6


def test_a_routine_is_shown_with_a_line_for_each_part() -> None:
    assert readable("(do (def a 1) (+ a 2))") == "(do\n  (def a 1)\n  (+ a 2))"
    assert readable("(tick) 1") == "(tick) 1"
