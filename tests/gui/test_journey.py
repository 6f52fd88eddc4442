"""A person's first pass, with the real host process, the real output and a fresh desk (LH 3.4)."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.gui.app import Show, Wanted
from holodesk.gui.parts.inputs import OneOf
from holodesk.host.client import Client
from holodesk.host.desks import from_kind, make_desk

SLOW: int = 120_000
"""Milliseconds for a first start: the lens machine may have to be made."""


class Door:
    """Starts hosts, and knows the one that was started last."""

    def __init__(self, desk: Path) -> None:
        self._desk = desk
        self.client: Client | None = None

    def dial(self, notice: Callable[..., None], lost: Callable[[str], None]) -> Client:
        self.client = Client(self._desk, notice, lost)
        return self.client


@pytest.fixture
def door(tmp_path: Path) -> Door:
    desk = tmp_path / "creature"
    make_desk(desk, from_kind("creature"))
    return Door(desk)


@pytest.fixture
def show(qtbot: QtBot, door: Door) -> Iterator[Show]:
    made = Show(Wanted(dial=door.dial, renderer="raster"))
    qtbot.addWidget(made.console)
    qtbot.addWidget(made.output)
    made.open()
    try:
        qtbot.waitUntil(lambda: made.console.caller.form is not None, timeout=SLOW)
        yield made
    finally:
        made.close()


def choose_left(show: Show) -> None:
    """Choose Drift, to the left, as a hand would."""
    caller = show.console.caller
    caller.choose_lens("Drift")
    assert caller.form is not None
    toward = next(field.input for field in caller.form.fields if field.path == "toward")
    assert isinstance(toward, OneOf)
    assert toward.answers is not None
    QTest.mouseClick(toward.answers.buttons[0], Qt.MouseButton.LeftButton)


def test_a_lens_chosen_in_the_form_becomes_a_head_a_row_and_a_picture(
    qtbot: QtBot, show: Show
) -> None:
    assert show.head is not None
    console, before = show.console, show.head
    choose_left(show)
    QTest.mouseClick(console.caller.append, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "appended" in console.caller.told.text(), timeout=SLOW)
    head = show.head
    assert head.seq > before.seq
    assert head.object["at"]["x"] < before.object["at"]["x"]
    assert console.head.address.hash.text() == head.frame_hash[:8]
    qtbot.waitUntil(lambda: head.seq in console.lineage.rows.rows, timeout=5000)
    row = console.lineage.rows.rows[console.lineage.rows.head]
    assert (row.kind, row.title) == ("tile", "Drift")
    qtbot.waitUntil(lambda: bool(show.output.sheet_pixels().any()), timeout=5000)

    console.show_frame(head.seq)
    qtbot.waitUntil(console.lineage.detail.replay.isVisible, timeout=SLOW)
    QTest.mouseClick(console.lineage.detail.replay, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "valid" in console.lineage.detail.verdict.text(), timeout=SLOW)
    assert "invalid" not in console.lineage.detail.verdict.text()


def test_a_choice_without_its_parameter_is_rejected_at_its_field(qtbot: QtBot, show: Show) -> None:
    console = show.console
    assert show.head is not None
    before = show.head
    console.caller.choose_lens("Drift")
    QTest.mouseClick(console.caller.append, Qt.MouseButton.LeftButton)
    form = console.caller.form
    assert form is not None
    toward = next(field for field in form.fields if field.path == "toward")
    qtbot.waitUntil(toward.problem.isVisible, timeout=SLOW)
    assert "expected a value" in toward.problem.text()
    assert (show.head.tiles, show.head.object) == (before.tiles, before.object)
    assert show.head.frames - before.frames in (0, 1), "only what the body lived until then"
    assert show.head is before or show.head.kind == "reflex"


def test_a_turned_control_is_in_force_since_its_own_frame(qtbot: QtBot, show: Show) -> None:
    turned: list[int] = []
    show.bridge.head_moved.connect(
        lambda head: turned.append(head.seq) if head.kind == "control" else None
    )
    row = show.console.controls.rows["rails"]
    row.number.setValue(60)
    row.settle()
    assert row.pending.isVisible()
    qtbot.waitUntil(row.pending.isHidden, timeout=SLOW)
    assert row.in_force.text() == "60 %"
    assert row.state is not None
    assert turned == [row.state.since]


def test_a_preview_shows_the_object_as_it_would_be_and_appends_nothing(
    qtbot: QtBot, show: Show
) -> None:
    assert show.head is not None
    seq = show.head.seq
    choose_left(show)
    QTest.mouseClick(show.console.caller.preview, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(show.console.object.preview.isVisible, timeout=SLOW)
    assert "at.x" in show.console.object.changes.text()
    assert show.head.seq == seq


def test_a_host_that_is_killed_leaves_the_picture_stale_and_another_takes_over(
    qtbot: QtBot, show: Show, door: Door
) -> None:
    first = door.client
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    address = show.console.head.address
    qtbot.waitUntil(lambda: address.freshness.text() == "stale", timeout=5000)
    assert show.console.lost.isVisible()
    assert show.output.sheet_pixels().any()
    qtbot.waitUntil(lambda: address.freshness.text() == "live", timeout=SLOW)
    assert door.client is not first
    assert not show.console.lost.isVisible()


def test_a_bug_is_logged_whole_and_said_to_be_one(
    show: Show, caplog: pytest.LogCaptureFixture
) -> None:
    bug = ZeroDivisionError("by nothing")
    show.tell_bug(type(bug), bug, None)
    assert "ZeroDivisionError" in caplog.text
    newest = show.console.refusals.list.rows.lines[0]
    assert newest.title == "ZeroDivisionError: by nothing"
    assert "bug in this program" in newest.below


def test_a_script_chooses_by_itself_at_the_tempo_in_force(
    qtbot: QtBot, show: Show, tmp_path: Path
) -> None:
    lines = [
        {"lens": "Drift", "params": {"toward": "up", "distance": 12}, "id": "night"},
        {"lens": "Drift", "params": {"toward": "left", "distance": 12}, "id": "night"},
    ]
    script = tmp_path / "choices.jsonl"
    script.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    console = show.console
    console.controls.turn("tempo", 60)
    qtbot.waitUntil(lambda: console.controls.rows["tempo"].in_force.text() == "60 a minute")
    console.caller.caller.buttons[1].click()
    console.caller.script.setText(str(script))
    console.caller.script.returnPressed.emit()
    qtbot.waitUntil(lambda: "script" in console.status.caller.text())
    qtbot.waitUntil(lambda: show.head is not None and show.head.tiles == 2, timeout=SLOW)
    qtbot.waitUntil(lambda: console.lineage.rows.head in console.lineage.rows.rows)
    newest = console.lineage.rows.rows[console.lineage.rows.head]
    assert newest.caller == "script: night"


def test_a_lens_file_that_appears_is_offered_without_a_restart(
    qtbot: QtBot, show: Show, door: Door, tmp_path: Path
) -> None:
    lenses = tmp_path / "creature" / "lenses"
    source = (lenses / "drift_agent.py").read_text(encoding="utf-8")
    lost = lenses / "drift_agent.py"
    lost.unlink()
    console = show.console
    qtbot.waitUntil(lambda: "Drift" not in console.caller.lenses, timeout=10_000)
    assert console.caller.chosen != "Drift"
    lost.write_text(source, encoding="utf-8")
    qtbot.waitUntil(lambda: "Drift" in console.caller.lenses, timeout=10_000)
    broken = lenses / "broken_agent.py"
    broken.write_text("import time\n" + source, encoding="utf-8")
    status = partial(file_status, show, "broken_agent.py")
    qtbot.waitUntil(lambda: status() == "set aside", timeout=10_000)


def file_status(show: Show, file: str) -> str:
    """What the folder panel says of a file."""
    lines = show.console.folder.list.rows.lines
    return next((line.right for line in lines if line.key == file), "")
