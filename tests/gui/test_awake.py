"""The desktop is asked not to sleep while the output is shown; nobody to ask is no error."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from pytestqt.qtbot import QtBot

from holodesk.gui.ghost.awake import REASON, Awake
from holodesk.gui.ghost.window import GhostWindow

CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>"""


@pytest.fixture
def bus(tmp_path: Path) -> Iterator[str]:
    """The address of a bus of our own."""
    daemon = shutil.which("dbus-daemon")
    if daemon is None or shutil.which("dbus-monitor") is None:
        pytest.skip("no dbus-daemon and dbus-monitor here")
    config, path = tmp_path / "bus.conf", tmp_path / "bus"
    config.write_text(CONFIG.format(path=path), encoding="utf-8")
    running = subprocess.Popen(
        [daemon, f"--config-file={config}", "--nofork", "--nopidfile"], stderr=subprocess.PIPE
    )
    until = monotonic() + 10
    while not path.exists() and monotonic() < until:
        sleep(0.02)
    yield f"unix:path={path}"
    running.terminate()
    running.communicate(timeout=10)


@pytest.fixture
def heard(bus: str, tmp_path: Path) -> Iterator[Path]:
    """Everything that is said on the bus."""
    file = tmp_path / "heard"
    with file.open("wb") as out:
        words = ["dbus-monitor", "--address", bus]
        monitor = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
        until = monotonic() + 10
        while not file.stat().st_size and monotonic() < until:
            sleep(0.02)
        yield file
        monitor.terminate()
        monitor.wait(10)


def says(heard: Path, words: str) -> bool:
    return words in heard.read_text(encoding="utf-8", errors="replace")


def connected(bus: str, heard: Path) -> bool:
    """Is the one who asked still on the bus?"""
    asked = next(line for line in heard.read_text().splitlines() if "member=Inhibit" in line)
    sender = asked.split("sender=")[1].split()[0]
    words = ["dbus-send", f"--bus={bus}", "--print-reply", "--dest=org.freedesktop.DBus"]
    method = "org.freedesktop.DBus.ListNames"
    told = subprocess.run(
        [*words, "/org/freedesktop/DBus", method], capture_output=True, text=True, check=True
    )
    return f'"{sender}"' in told.stdout


def test_the_desktop_is_asked_and_let_go_by_leaving(bus: str, heard: Path, qtbot: QtBot) -> None:
    awake = Awake(bus)
    awake.hold()
    awake.hold()
    qtbot.waitUntil(lambda: says(heard, "member=Inhibit"), timeout=5000)
    assert says(heard, REASON)
    assert heard.read_text(errors="replace").count("member=Inhibit") == 1
    assert connected(bus, heard)
    awake.release()
    qtbot.waitUntil(lambda: not connected(bus, heard), timeout=5000)
    assert not awake.held


@pytest.mark.complaint(43)
def test_the_output_asks_while_it_is_shown(bus: str, heard: Path, qtbot: QtBot) -> None:
    window = GhostWindow("A", "raster")
    qtbot.addWidget(window)
    window.awake = Awake(bus)
    assert not window.awake.held
    window.show()
    qtbot.waitUntil(lambda: says(heard, "member=Inhibit"), timeout=5000)
    window.hide()
    qtbot.waitUntil(lambda: not connected(bus, heard), timeout=5000)
    window.show()
    held = [window.awake.held]
    window.close()
    assert [*held, window.awake.held] == [True, False]


def test_no_bus_is_no_error(tmp_path: Path) -> None:
    awake = Awake(f"unix:path={tmp_path / 'nobody'}")
    awake.hold()
    assert not awake.held
    awake.release()
