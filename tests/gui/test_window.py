"""The console as one window: the head first, emergencies at once, every key, every name."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.window import ConsoleWindow
from holodesk.gui.ghost.window import GhostWindow
from holodesk.gui.theme import CONTRAST, DARK, LIGHT
from holodesk.host.messages import (
    AskDetail,
    AskLineage,
    Choose,
    Folder,
    FolderFile,
    Pace,
    Refusal,
    Turn,
    Working,
)
from tests.gui.conftest import Wire, control_states, head, offer, rows


@pytest.fixture
def console(qtbot: QtBot, bridge: Bridge, output: GhostWindow) -> Iterator[ConsoleWindow]:
    made = ConsoleWindow(bridge, output, DARK)
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    yield made
    made.dress(DARK)


def fill(console: ConsoleWindow, bridge: Bridge, wire: Wire) -> None:
    """A head, its lineage, its folder and an offer."""
    bridge.show(head(412, controls=control_states(rails=40, rails_since=411)))
    bridge.show(rows(412, id=wire.asks(AskLineage)[-1].id))
    bridge.show(Folder([FolderFile("drift_agent.py", "Drift", "offered", "", 0)]))
    bridge.show(offer())
    bridge.show(Pace("person", -1.0, False))
    console.repaint()


# ------------------------------------------------------------------ what is so


def test_before_any_head_the_window_says_what_would_be_here(console: ConsoleWindow) -> None:
    assert console.head.address.freshness.text() == "no head yet"
    assert console.folder.empty.isVisible()
    assert console.caller.empty.isVisible()
    assert console.lineage.empty.isVisible()
    assert console.status.next_pass.text() == "waiting for the host"


def test_the_head_line_and_the_title_name_the_head(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    assert console.head.address.hash.text() == "9f3c2a71"
    assert "9f3c2a71" in console.windowTitle()
    assert "frame 412" in console.windowTitle()


def test_a_lost_host_leaves_the_head_stale_in_words_and_the_pictures_dimmed(
    qtbot: QtBot, console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    with qtbot.waitSignal(bridge.host_lost):
        wire.lost("the host process ended (-9)")
    assert console.head.address.freshness.text() == "stale"
    assert console.viewers.picture.note == "stale"
    assert console.screen_view.picture.note == "stale"
    assert "the host process ended (-9)" in console.lost.told.text()
    assert console.lost.isVisible()
    assert not console.caller.append.isEnabled()
    assert not console.head.hold_button.isEnabled()


def test_when_a_host_is_back_everything_is_live_again(
    qtbot: QtBot, console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    with qtbot.waitSignal(bridge.host_lost):
        wire.lost("it fell")
    qtbot.waitUntil(lambda: wire.calls == 2)
    bridge.show(head(412))
    assert console.head.address.freshness.text() == "live"
    assert console.viewers.picture.note == ""
    assert not console.lost.isVisible()
    assert console.caller.append.isEnabled()


def test_a_refused_head_is_said_to_be_refused(console: ConsoleWindow, bridge: Bridge) -> None:
    bridge.show(head(412, freshness="refused", why_not="its chain breaks a rule at frame 400"))
    assert console.head.address.freshness.text() == "refused"
    assert console.viewers.picture.note == "refused"
    assert "frame 400" in console.lost.told.text()


def test_a_desk_that_cannot_be_opened_is_said_across_the_window(
    console: ConsoleWindow, bridge: Bridge
) -> None:
    told = "expected a genesis frame, found none"
    bridge.show(Refusal(0, "Refused", told, "LH 3.1", "creature", "", [], ""))
    assert console.lost.isVisible()
    assert told in console.lost.told.text()
    assert "LH 3.1; creature" in console.lost.told.text()


def test_the_viewers_are_seen_in_the_output_itself(
    qtbot: QtBot, console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    qtbot.waitUntil(lambda: len(console.viewers.seen) == 4)
    assert [one.name for one in console.viewers.seen] == ["front", "right", "back", "left"]


def test_refusals_are_counted_below_and_one_press_away(
    console: ConsoleWindow, bridge: Bridge
) -> None:
    for _ in range(2):
        bridge.show(Refusal(0, "Refused", "the hash differs", "rapp/1 7.5", "", "2", [], ""))
    assert console.status.refusals.text() == "2 refusals"
    console.status.refusals.click()
    assert console.past.currentWidget() is console.refusals


def test_long_work_is_said_and_measured_and_ends(console: ConsoleWindow, bridge: Bridge) -> None:
    bridge.show(Working("preparing the lens machine", 0.25))
    assert console.status.work.text() == "preparing the lens machine 25%"
    assert console.status.bar.isVisible()
    assert console.status.bar.value() == 250
    bridge.show(Working("preparing the lens machine", 1))
    assert not console.status.bar.isVisible()
    assert console.status.work.text() == ""


def test_the_countdown_goes_down_by_itself(
    qtbot: QtBot, console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    bridge.show(Pace("script", 6.0, False))
    assert console.status.next_pass.text() == "next pass 6 s"
    qtbot.waitUntil(lambda: console.status.next_pass.text() == "next pass 5 s", timeout=3000)


def test_a_desk_that_somebody_else_writes_is_read_only_in_words(
    console: ConsoleWindow, bridge: Bridge
) -> None:
    bridge.show(head(412, writable=False, why_not="ada holds the pen"))
    assert "ada holds the pen" in console.status.pen.text()
    assert console.controls.note.isVisible()


# ------------------------------------------------------------------ emergencies


def test_panic_makes_the_output_dark_at_once_and_again_changes_nothing(
    console: ConsoleWindow, output: GhostWindow
) -> None:
    QTest.keyClick(console, Qt.Key.Key_P)
    assert output.dark
    assert console.dark.isVisible()
    assert console.head.panic_button.text() == "DARK"
    assert console.viewers.picture.note == "dark"
    QTest.mouseClick(console.head.panic_button, Qt.MouseButton.LeftButton)
    assert output.dark
    assert console.head.panic_button.isChecked()
    assert not output.sheet_pixels().any()


def test_the_output_is_lit_again_only_by_asking_for_it(
    console: ConsoleWindow, output: GhostWindow
) -> None:
    console.panic()
    console.dark.button.click()
    dark = output.dark
    assert not dark
    console.panic()
    QTest.keyClick(console, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert not output.dark
    assert not console.dark.isVisible()


def test_panic_works_while_a_number_or_a_list_has_the_focus(
    console: ConsoleWindow, bridge: Bridge, wire: Wire, output: GhostWindow
) -> None:
    fill(console, bridge, wire)
    places: list[QWidget] = [
        console.controls.rows["rails"].number,
        console.controls.rows["rails"].track,
        console.caller.list,
        console.lineage.table,
        console.lineage.kind,
    ]
    for place in places:
        console.relight()
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_P)
        assert output.dark, place


def test_a_letter_in_a_text_field_is_a_letter_and_ctrl_p_is_still_panic(
    console: ConsoleWindow, output: GhostWindow
) -> None:
    field = console.lineage.filter
    field.setFocus()
    QTest.keyClicks(field, "pfh1")
    assert field.text() == "pfh1"
    dark = output.dark
    assert not dark
    QTest.keyClick(field, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert output.dark


def test_freeze_stands_still_and_goes_on(console: ConsoleWindow, output: GhostWindow) -> None:
    QTest.keyClick(console, Qt.Key.Key_F)
    frozen = output.frozen
    assert frozen
    assert console.head.freeze_button.text() == "Frozen"
    QTest.mouseClick(console.head.freeze_button, Qt.MouseButton.LeftButton)
    assert not output.frozen
    assert console.head.freeze_button.text() == "Freeze"


def test_hold_is_tempo_nought_and_lets_go_to_what_it_was(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    bridge.show(head(412, controls=control_states(tempo=14)))
    QTest.keyClick(console, Qt.Key.Key_H)
    assert [(t.control, t.value) for t in wire.asks(Turn)] == [("tempo", 0)]
    assert not console.head.hold_button.isChecked()
    bridge.show(head(413, controls=control_states(tempo=0, tempo_since=413)))
    assert console.head.hold_button.isChecked()
    assert console.head.hold_button.text() == "Held"
    QTest.mouseClick(console.head.hold_button, Qt.MouseButton.LeftButton)
    assert wire.asks(Turn)[-1].value == 14


# ------------------------------------------------------------------ keys


def test_one_to_six_put_the_focus_on_a_control(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    for number, row in enumerate(console.controls.rows.values(), 1):
        QTest.keyClick(console, Qt.Key(Qt.Key.Key_0 + number))
        assert console.focusWidget() is row.track
        assert row.question.isVisible()


def test_space_appends_the_choice_while_a_list_has_the_focus(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    console.caller.list.setFocus()
    QTest.keyClick(console.caller.list, Qt.Key.Key_Space)
    assert [choice.lens for choice in wire.asks(Choose)] == ["Drift"]


def test_space_on_a_button_presses_that_button(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    console.head.freeze_button.setFocus()
    QTest.keyClick(console.head.freeze_button, Qt.Key.Key_Space)
    assert not wire.asks(Choose)
    assert console.output.frozen


def test_f1_shows_the_sheet_of_keys_and_escape_puts_it_away(console: ConsoleWindow) -> None:
    QTest.keyClick(console, Qt.Key.Key_F1)
    assert console.sheet.isVisible()
    assert console.rect().contains(console.sheet.geometry())
    QTest.keyClick(console, Qt.Key.Key_Escape)
    assert not console.sheet.isVisible()


def test_l_and_ctrl_f_lead_to_the_lineage_and_its_filter(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    console.past.setCurrentWidget(console.slush)
    QTest.keyClick(console, Qt.Key.Key_L)
    assert console.past.currentWidget() is console.lineage
    assert console.focusWidget() is console.lineage.table
    QTest.keyClick(console, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert console.focusWidget() is console.lineage.filter


def test_the_since_link_selects_the_frame_in_the_lineage(
    qtbot: QtBot, console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    console.past.setCurrentWidget(console.refusals)
    console.controls.rows["rails"].since.click()
    assert console.past.currentWidget() is console.lineage
    assert console.lineage.current == 411
    qtbot.waitUntil(lambda: [ask.seq for ask in wire.asks(AskDetail)] == [411])


# ------------------------------------------------------------------ for everybody

INTERACTIVE = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextBrowser,
    QAbstractItemView,
    QTabBar,
)


def interactive(console: ConsoleWindow) -> list[QWidget]:
    """What a hand or a key can act on; not the parts that Qt makes inside one of these."""
    found: list[QWidget] = []
    for widget in console.findChildren(QWidget):
        above = widget.parentWidget()
        inside = isinstance(above, QAbstractSpinBox | QComboBox | QLineEdit | QTabBar)
        own_scroll = isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_")
        popup = above is not None and above.inherits("QComboBoxPrivateContainer")
        corner = isinstance(widget, QAbstractButton) and isinstance(above, QAbstractItemView)
        if isinstance(widget, INTERACTIVE) and not (inside or own_scroll or popup or corner):
            found.append(widget)
    return found


def test_every_interactive_widget_has_an_accessible_name(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    found = interactive(console)
    assert len(found) > 50
    nameless = [
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"
        for widget in found
        if not widget.accessibleName()
    ]
    assert not nameless


def test_everything_that_can_be_pressed_is_large_enough(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    pressed = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox)
    small = [
        (widget.accessibleName(), widget.width(), widget.height())
        for widget in interactive(console)
        if isinstance(widget, pressed)
        and widget.isVisible()
        and min(widget.width(), widget.height()) < 32
    ]
    assert not small


@pytest.mark.parametrize("size", [(1120, 640), (1280, 720), (1920, 1080)])
def test_no_words_are_cut_off(
    qtbot: QtBot,
    console: ConsoleWindow,
    bridge: Bridge,
    wire: Wire,
    size: tuple[int, int],
) -> None:
    console.resize(*size)
    fill(console, bridge, wire)
    qtbot.wait(30)
    cut = [
        (label.text(), label.width(), label.fontMetrics().horizontalAdvance(label.text()))
        for label in console.findChildren(QLabel)
        if label.isVisible()
        and not label.wordWrap()
        and label.fontMetrics().horizontalAdvance(label.text()) > label.width() + 1
    ]
    assert not cut


def test_nothing_is_a_dialog(console: ConsoleWindow, bridge: Bridge, wire: Wire) -> None:
    fill(console, bridge, wire)
    bridge.show(Refusal(0, "Refused", "the hash differs", "rapp/1 7.5", "", "2", [], ""))
    assert not console.findChildren(QDialog)


def test_every_theme_dresses_what_paints_itself(
    console: ConsoleWindow, bridge: Bridge, wire: Wire
) -> None:
    fill(console, bridge, wire)
    for made in (LIGHT, CONTRAST, DARK):
        console.dress(made)
        assert console.controls.rows["rails"].track.theme is made
        assert console.caller.form is not None
        tracks = [
            w for w in console.caller.form.findChildren(QAbstractSlider) if hasattr(w, "theme")
        ]
        assert tracks
        assert all(track.theme is made for track in tracks)
        corner = console.grab().toImage().pixelColor(2, 2)
        assert corner.name().upper() == made.ground.upper()
