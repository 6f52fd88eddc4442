"""The lineage: asked for page by page, newest first, and calm while rows arrive (LH 3.3)."""

import pytest
from pytestqt.qtbot import QtBot

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.lineage import Lineage
from holodesk.host.messages import AskDetail, AskLineage, Detail, Refusal, Replayed, ReplayNow
from tests.gui.conftest import HASH, Wire, head, rows


@pytest.fixture
def lineage(qtbot: QtBot, bridge: Bridge, wire: Wire) -> Lineage:
    made = Lineage(bridge)
    qtbot.addWidget(made)
    made.resize(336, 600)
    made.show()
    bridge.show(head(412))
    bridge.show(rows(412, id=wire.asks(AskLineage)[-1].id))
    return made


def settle(qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire, seq: int) -> None:
    """Select a frame and let its detail arrive."""
    lineage.show_frame(seq)
    qtbot.waitUntil(lambda: any(ask.seq == seq for ask in wire.asks(AskDetail)))
    asked = next(ask for ask in wire.asks(AskDetail) if ask.seq == seq)
    told = [("Chosen by", "person: ada"), ("Lens", f"Drift\n{HASH}"), ("Odd", "<b>not markup</b>")]
    bridge.show(Detail(asked.id, seq, "tile", told))


def test_rows_are_newest_first_and_only_a_page_is_asked_for(lineage: Lineage, wire: Wire) -> None:
    assert lineage.rows.rowCount() == 413
    assert lineage.rows.seq_at(0) == 412
    assert all(ask.count <= 200 for ask in wire.asks(AskLineage))
    assert len(lineage.rows.rows) == 200


def test_rows_that_come_into_sight_are_asked_for(
    qtbot: QtBot, lineage: Lineage, wire: Wire
) -> None:
    before = len(wire.asks(AskLineage))
    lineage.table.scrollToBottom()
    qtbot.waitUntil(lambda: len(wire.asks(AskLineage)) > before)
    assert any((ask.before or 0) <= 200 for ask in wire.asks(AskLineage)[before:])


def test_the_selection_stays_on_its_frame_when_rows_arrive(
    qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    settle(qtbot, lineage, bridge, wire, 400)
    asks = len(wire.asks(AskDetail))
    bridge.show(head(413))
    bridge.show(rows(413, 1, id=wire.asks(AskLineage)[-1].id))
    assert lineage.current == 400
    assert lineage.table.currentIndex().row() == 13
    assert lineage.rows.seq_at(0) == 413
    qtbot.wait(80)
    assert len(wire.asks(AskDetail)) == asks  # and nothing was asked for again


def test_a_selected_frame_shows_its_sections_as_plain_text(
    qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    settle(qtbot, lineage, bridge, wire, 410)
    text = lineage.detail.page.toPlainText()
    assert "Chosen by" in text
    assert "person: ada" in text
    assert "<b>not markup</b>" in text
    assert lineage.detail.title.text() == "frame 410 · tile"


def test_replay_now_asks_and_says_the_verdict_in_a_word(
    qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    settle(qtbot, lineage, bridge, wire, 410)
    lineage.detail.replay.click()
    asked = wire.asks(ReplayNow)[0]
    assert asked.seq == 410
    assert not lineage.detail.replay.isEnabled()
    bridge.show(Replayed(asked.id, 410, "invalid", "replay gives a different object"))
    assert "invalid" in lineage.detail.verdict.text()
    assert lineage.detail.verdict.property("role") == "refused"
    assert lineage.detail.sentence.text() == "replay gives a different object"
    assert lineage.detail.replay.isEnabled()


def test_a_replay_that_is_refused_is_undetermined_and_says_why(
    qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    settle(qtbot, lineage, bridge, wire, 410)
    lineage.detail.replay.click()
    told = "the runtime is missing"
    asked = wire.asks(ReplayNow)[0].id
    bridge.show(Refusal(asked, "Unavailable", told, "LH 3.3", "", "", [], ""))
    assert "undetermined" in lineage.detail.verdict.text()
    assert lineage.detail.sentence.text() == told


def test_a_verdict_on_another_frame_is_not_shown_here(
    qtbot: QtBot, lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    settle(qtbot, lineage, bridge, wire, 410)
    bridge.show(Replayed(99, 300, "valid", "another frame"))
    assert not lineage.detail.verdict.isVisible()


def test_the_filter_keeps_rows_with_every_word(lineage: Lineage) -> None:
    lineage.filter.setText("drift 404")
    assert [lineage.rows.seq_at(n) for n in range(lineage.rows.rowCount())] == [404]
    lineage.filter.setText("")
    assert lineage.rows.rowCount() == 413


def test_the_filter_by_kind_asks_for_older_rows_until_the_genesis(
    lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    lineage.kind.setCurrentText("control")
    while (ask := wire.asks(AskLineage)[-1]).before and ask.before <= 213:
        bridge.show(rows(ask.before - 1, ask.count, id=ask.id))
        if lineage.rows.lowest_unknown() is None:
            break
    found = [lineage.rows.seq_at(n) for n in range(lineage.rows.rowCount())]
    assert found == sorted((seq for seq in range(1, 413) if seq % 9 == 0), reverse=True)
    assert "down to the genesis" in lineage.found.text()


def test_new_rows_that_match_join_a_filter_in_their_place(
    lineage: Lineage, bridge: Bridge, wire: Wire
) -> None:
    lineage.filter.setText("drift")
    bridge.show(head(413))
    bridge.show(rows(413, 1, id=wire.asks(AskLineage)[-1].id))
    assert lineage.rows.seq_at(0) == 413


def test_a_frame_that_a_filter_hides_is_shown_by_taking_it_away(lineage: Lineage) -> None:
    lineage.filter.setText("nothing has this word")
    assert lineage.rows.rowCount() == 0
    lineage.show_frame(399)
    assert lineage.current == 399
    assert lineage.filter.text() == ""


def test_another_stream_begins_another_lineage(lineage: Lineage, bridge: Bridge) -> None:
    bridge.show(head(2, stream_id="rappid:@ada/other:01"))
    assert lineage.rows.rowCount() == 3
    assert not lineage.rows.rows


def test_a_hundred_thousand_frames_cost_a_page(qtbot: QtBot, bridge: Bridge, wire: Wire) -> None:
    made = Lineage(bridge)
    qtbot.addWidget(made)
    made.resize(336, 600)
    made.show()
    bridge.show(head(99_999))
    assert made.rows.rowCount() == 100_000
    made.show_frame(12)
    assert made.current == 12
    assert len(wire.asks(AskLineage)) <= 4
