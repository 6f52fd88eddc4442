"""The quieter panels: each says what it was told, and what would be here while it is empty."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenuBar
from pytestqt.qtbot import QtBot

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.folder import FolderPanel
from holodesk.gui.console.head import HeadLine
from holodesk.gui.console.object import ObjectPanel
from holodesk.gui.console.refusals import Refusals
from holodesk.gui.console.slush import SlushPanel
from holodesk.gui.console.timeline import Timeline
from holodesk.host.messages import Folder, FolderFile, Previewed, Refusal
from tests.gui.conftest import HASH, control_states, head, offer, rows


def head_line(qtbot: QtBot) -> HeadLine:
    made = HeadLine(QMenuBar())
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_head_line_names_the_head(qtbot: QtBot) -> None:
    line = head_line(qtbot)
    line.show_head(head(412), "live")
    address = line.address
    assert [address.hash.text(), address.frame.text()] == ["9f3c2a71", "frame 412"]
    assert [address.freshness.text(), address.signed.text()] == ["live", "signed"]
    assert line.desk.text() == "creature"
    for word in ("9f3c2a71", "frame 412", "live", "signed"):
        assert word in address.accessibleName()


def test_an_unsigned_head_and_a_stale_one_say_so_in_words(qtbot: QtBot) -> None:
    line = head_line(qtbot)
    line.show_head(head(412, signed=False), "stale")
    assert line.address.signed.text() == "unsigned"
    assert line.address.freshness.text() == "stale"
    assert line.address.mark.freshness == "stale"


def test_a_press_on_the_head_copies_its_whole_address(qtbot: QtBot) -> None:
    line = head_line(qtbot)
    line.show_head(head(412), "live")
    QTest.mouseClick(line.address, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == HASH
    assert line.address.signed.text() == "copied"


def test_the_emergency_presses_are_always_there_and_large(qtbot: QtBot) -> None:
    line = head_line(qtbot)
    for button in (line.hold_button, line.freeze_button, line.panic_button):
        assert button.isVisible()
        assert button.height() >= 44


def test_a_folder_file_shows_its_status_and_its_reason(qtbot: QtBot, bridge: Bridge) -> None:
    panel = FolderPanel(bridge)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.empty.isVisible()
    reason = "import time: a lens must be pure; reads the clock"
    bridge.show(
        Folder(
            [
                FolderFile("drift_agent.py", "drift", "offered", "", 0),
                FolderFile("bad_agent.py", "", "set aside", reason, 12),
            ]
        )
    )
    offered, aside = panel.list.rows.lines
    assert (offered.title, offered.right) == ("drift", "offered")
    assert (aside.title, aside.right, aside.mark) == ("bad_agent.py", "set aside", "refused")
    assert aside.below == f"line 12: {reason}"
    assert reason in aside.spoken
    assert panel.count.text() == "1 of 2 files offered"
    assert not panel.empty.isVisible()


def test_refusals_are_sentences_with_rule_and_place_newest_first(
    qtbot: QtBot, bridge: Bridge
) -> None:
    panel = Refusals(bridge)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.empty.isVisible()
    counts: list[int] = []
    panel.counted.connect(counts.append)
    bridge.show(Refusal(0, "Held", "ada holds the pen", "LH 3.9", "", "", [], "Wait."))
    bridge.show(
        Refusal(0, "Refused", "the hash differs", "rapp/1 7.5", "frame 7", "2", [], "Nothing.")
    )
    first, second = panel.list.rows.lines
    assert first.title == "the hash differs"
    for part in ("Refused", "rapp/1 7.5", "step 2", "frame 7", "Nothing."):
        assert part in first.below
    assert second.title == "ada holds the pen"
    assert counts == [1, 2]


def test_the_object_is_a_tree_that_stays_open_when_the_head_moves(
    qtbot: QtBot, bridge: Bridge
) -> None:
    panel = ObjectPanel(bridge)
    qtbot.addWidget(panel)
    panel.show()
    bridge.show(head(412))
    assert panel.title.text() == "creature/1"
    place = panel.rows.find(("at",))
    panel.tree.setExpanded(place, True)
    panel.tree.setExpanded(panel.rows.find(("name",)), True)
    moved = {"schema": "creature/1", "name": "Lumen", "at": {"x": 9, "y": 2, "z": 3}}
    bridge.show(head(413, object=moved))
    place = panel.rows.find(("at",))
    assert panel.tree.isExpanded(place)
    value = panel.rows.find(("at", "x")).siblingAtColumn(1)
    assert value.data() == "9"


def test_a_preview_says_what_would_change_and_can_be_put_away(qtbot: QtBot, bridge: Bridge) -> None:
    panel = ObjectPanel(bridge)
    qtbot.addWidget(panel)
    panel.show()
    bridge.show(head(412))
    would = {"schema": "creature/1", "name": "Lumen", "at": {"x": 50, "y": 2, "z": 3}}
    bridge.show(Previewed(5, would))
    assert "at.x: 1 → 50" in panel.changes.text()
    assert panel.told.text() == "nothing was appended"
    assert panel.now.isVisible()
    assert panel.now.picture != panel.then.picture
    assert not panel.tree.isVisible()
    panel.put_away.click()
    assert panel.rows.find(("at", "x")).siblingAtColumn(1).data() == "1"
    assert panel.tree.isVisible()
    assert not panel.changes.isVisible()


def test_the_slush_shows_each_key_with_its_size_and_the_present_as_text(
    qtbot: QtBot, bridge: Bridge
) -> None:
    panel = SlushPanel(bridge)
    qtbot.addWidget(panel)
    panel.show()
    assert panel.empty.isVisible()
    bridge.show(offer(slush={"mood": {"a": 1}, "drift": 2}, present="<b>quoted</b>"))
    assert [line.title for line in panel.list.rows.lines] == ["drift", "mood"]
    assert panel.list.rows.lines[1].right == "7 B"
    assert panel.present.toPlainText() == "<b>quoted</b>"
    assert panel.present.isReadOnly()


def test_the_timeline_has_a_mark_for_each_frame_and_steps_for_each_control(
    qtbot: QtBot, bridge: Bridge
) -> None:
    panel = Timeline(bridge)
    qtbot.addWidget(panel)
    panel.resize(600, 300)
    panel.show()
    assert panel.empty.isVisible()
    bridge.show(head(30, controls=control_states(rails=28)))
    bridge.show(rows(30))
    panel.draw()
    assert panel.plot.marked == set(range(31))
    rails = next(steps for steps in panel.plot.steps if steps.label == "Rails")
    assert rails.seqs == [0, 9, 18, 27]
    assert rails.shares == [0.09, 0.10, 0.19, 0.28]
    assert not panel.empty.isVisible()
