"""The bridge: notices become queued signals, requests get ids, a lost host is replaced."""

import threading
from functools import partial

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from holodesk.errors import Held, Place
from holodesk.gui.bridge import Bridge
from holodesk.host.messages import Choose, Folder, Notice, Pace, Refusal, Turn, Working
from tests.gui.conftest import Wire, head, offer, rows


def test_every_notice_leaves_as_its_own_signal_in_the_screens_thread(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    seen: list[tuple[Notice, bool]] = []
    here = QThread.currentThread()
    told: list[Notice] = [head(), offer(), rows(3), Folder([]), Pace("person", -1.0, False)]
    for signal in (bridge.head_moved, bridge.offered, bridge.lineage, bridge.folder, bridge.pace):
        signal.connect(lambda notice: seen.append((notice, QThread.currentThread() is here)))

    def read() -> None:
        for notice in told:
            wire.tell(notice)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join()
    assert not seen  # nothing crosses before the screen's own loop turns
    qtbot.waitUntil(lambda: len(seen) == len(told))
    assert seen == [(notice, True) for notice in told]


def test_each_request_has_an_id_of_its_own_and_says_what_was_asked(
    bridge: Bridge, wire: Wire
) -> None:
    ids = [
        bridge.choose("Drift", {"toward": "left"}),
        bridge.turn("rails", 40, {"allow": None}, "calmer"),
        bridge.replay_now(3),
    ]
    assert len(set(ids)) == 3
    assert wire.asked[0] == Choose(ids[0], "Drift", {"toward": "left"})
    assert wire.asked[1] == Turn(ids[1], "rails", 40, {"allow": None}, "calmer")


def test_a_host_that_ends_is_said_to_have_ended_and_another_is_started(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    with qtbot.waitSignal(bridge.host_lost) as lost:
        wire.lost("the host process ended (-9)")
    assert lost.args is not None
    assert "the host process ended (-9)" in lost.args[0]
    assert not bridge.connected
    qtbot.waitUntil(lambda: wire.calls == 2)
    assert bridge.connected


def has_called(wire: Wire, times: int) -> bool:
    return wire.calls == times


def test_the_wait_before_another_host_grows_with_each_loss(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    told: list[str] = []
    bridge.host_lost.connect(told.append)
    for calls in (1, 2, 3):
        qtbot.waitUntil(partial(has_called, wire, calls), timeout=3000)
        with qtbot.waitSignal(bridge.host_lost):
            wire.lost("it fell")
    waits = [float(sentence.split(" in ")[1].split(" s")[0]) for sentence in told]
    assert waits == [0.5, 1.0, 2.0]


def test_what_an_ended_host_still_says_is_not_believed(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    late = wire.notice
    heads: list[object] = []
    bridge.head_moved.connect(heads.append)
    wire.lost("it fell")
    qtbot.waitUntil(lambda: wire.calls == 2)
    late(head(7))
    wire.tell(head(8))
    qtbot.waitUntil(lambda: len(heads) == 1)
    assert heads == [head(8)]


def test_what_is_asked_while_there_is_no_host_is_refused_with_its_id(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    with qtbot.waitSignal(bridge.host_lost):
        wire.lost("it fell")
    with qtbot.waitSignal(bridge.refused) as refused:
        number = bridge.choose("Drift", {})
    assert refused.args is not None
    assert (refused.args[0].id, refused.args[0].family) == (number, "Unavailable")


def test_a_host_that_cannot_be_started_is_a_refusal_in_one_sentence(qtbot: QtBot) -> None:
    def dial(notice: object, lost: object) -> Wire:
        raise Held("desk", "ada holds the pen", Place(file="creature"))

    bridge = Bridge(dial)
    refusals: list[Refusal] = []
    bridge.refused.connect(refusals.append)
    with qtbot.waitSignal(bridge.host_lost):
        bridge.open()
    bridge.close()
    assert [(one.family, one.sentence, one.place) for one in refusals] == [
        ("Held", "ada holds the pen", "creature")
    ]


def test_closing_leaves_the_host_once_and_starts_no_other(
    qtbot: QtBot, bridge: Bridge, wire: Wire
) -> None:
    bridge.close()
    bridge.close()
    wire.lost("after the end")
    wire.tell(Working("opening", -1))
    qtbot.wait(20)
    assert (wire.closed, wire.calls) == (1, 1)
