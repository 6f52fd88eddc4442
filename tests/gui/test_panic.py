"""PANIC is black within one picture whatever is stuck; freeze holds the picture and says so."""

import os
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.gui.app import Show, Wanted
from holodesk.gui.ghost.window import GhostWindow
from holodesk.host.client import MOST_WAITING, Client
from holodesk.host.desks import from_kind, make_desk

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "SIGSTOP"), reason="a process can only be stopped where there are signals"
)
"""A picture at 60 Hz; how busy this machine is comes on top."""


@pytest.fixture
def show(tmp_path: Path, qtbot: QtBot) -> Iterator[Show]:
    """The real windows over a real host that has told its head."""
    desk = tmp_path / "lumen"
    make_desk(desk, from_kind("creature"))
    made = Show(Wanted(dial=partial(Client, desk), renderer="raster"))
    made.open()
    qtbot.waitUntil(lambda: made.head is not None, timeout=120_000)
    qtbot.waitUntil(lambda: made.output.frames > 5, timeout=10_000)
    yield made
    os.kill(host(made).pid, signal.SIGCONT)
    made.close()


def host(show: Show) -> Client:
    client = show.bridge._line
    assert isinstance(client, Client)
    return client


def brightest(output: GhostWindow) -> int:
    """Of what the window paints, not of what it says."""
    image = output.grab().toImage().convertToFormat(output.grab().toImage().Format.Format_RGB888)
    octets = np.frombuffer(image.constBits(), np.uint8)
    return int(octets.reshape(image.height(), -1)[:, : image.width() * 3].max())


def panic(show: Show) -> None:
    """Press P on the output: the very next picture is black, before anything else happens."""
    shown = show.output._view.shown  # type: ignore[attr-defined]
    show.output.activateWindow()
    QTest.keyClick(show.output, Qt.Key.Key_P)
    assert show.output._view.shown == shown + 1  # type: ignore[attr-defined]


@pytest.mark.complaint(53)
def test_panic_is_black_at_once_while_the_host_hangs(show: Show, qtbot: QtBot) -> None:
    assert brightest(show.output) > 60
    os.kill(host(show).pid, signal.SIGSTOP)
    qtbot.wait(100)
    panic(show)
    assert brightest(show.output) == 0
    assert show.output.sheet_pixels().max() == 0
    qtbot.wait(200)
    assert brightest(show.output) == 0


def test_panic_is_black_at_once_while_a_pass_is_running(show: Show, qtbot: QtBot) -> None:
    before = show.head
    show.bridge.choose("Drift", {"toward": "left", "distance": 12})
    panic(show)
    assert brightest(show.output) == 0
    qtbot.waitUntil(lambda: show.head is not before, timeout=60_000)
    qtbot.wait(100)
    assert brightest(show.output) == 0, "a new head does not light it"
    show.console.relight()
    qtbot.waitUntil(lambda: brightest(show.output) > 60, timeout=3000)


def test_a_window_that_asks_a_hanging_host_without_end_never_waits(
    show: Show, qtbot: QtBot
) -> None:
    os.kill(host(show).pid, signal.SIGSTOP)
    for _ in range(MOST_WAITING + 500):
        show.bridge.choose("Drift", {"toward": "left", "distance": 12, "why": "x" * 60})
    panic(show)
    assert brightest(show.output) == 0


def test_freeze_holds_the_picture_while_the_host_hangs_and_says_frozen(
    show: Show, qtbot: QtBot
) -> None:
    os.kill(host(show).pid, signal.SIGSTOP)
    show.output.activateWindow()
    QTest.keyClick(show.output, Qt.Key.Key_F)
    assert show.output.frozen
    held = show.output.sheet_pixels()
    sheet = show.output._sheet
    assert sheet is not None
    assert sheet.plate is not None
    assert sheet.plate.words.endswith("frozen")
    qtbot.wait(150)
    assert (show.output.sheet_pixels() == held).all()
    show.output.activateWindow()
    QTest.keyClick(show.output, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: bool((show.output.sheet_pixels() != held).any()), timeout=3000)
