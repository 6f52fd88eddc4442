"""Outside the faces the output is exactly black in every picture it ever shows (LH 3.11).

A thousand pictures are grabbed from the real window: at its start, through objects and heads,
another screen, other rigs, the pattern, panic and freeze.
"""

from typing import Any

import pytest

from tests.gui.screens import on_two_screens

CHILD = """
import json
from dataclasses import replace
import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

app = QApplication([])
from holodesk.display.rig import Rig
from holodesk.display.scene import Plate
from holodesk.display.trim import Trim
from holodesk.gui.ghost.placing import Placing
from holodesk.gui.ghost.screens import listed_screen
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import OBJECTS
from tests.unit.display.test_raster import outside

first, second = QGuiApplication.screens()
window = GhostWindow(Rig("A"), "raster")
console = QWidget()
console.setGeometry(first.geometry())
console.show()
placing = Placing(window, lambda: console.screen())
told = {"grabbed": 0, "brightest": 0, "lit": 0, "parts": {}}

def grab(part, times):
    worst = 0
    for _ in range(times):
        QTest.qWait(1)
        window.advance()
        shot = window.grab().toImage()
        image = shot.convertToFormat(shot.Format.Format_RGB888)
        octets = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        pixels = octets[:, : image.width() * 3].reshape(image.height(), image.width(), 3)
        screen = window.layout_now.screen
        assert pixels.shape[:2] == (screen.height_px, screen.width_px), part
        worst = max(worst, outside(window.layout_now, pixels))
        told["lit"] += int(pixels.max() > 60)
        told["grabbed"] += 1
    told["parts"][part] = worst

window.resize(480, 360)
window.show()
grab("before any head", 40)
for seq, (name, object) in enumerate(OBJECTS.items()):
    window.show_object(object, Plate("9f3c2a71d5e8b406", seq, "live"))
    grab(f"a new head: {name}", 40)
window.show_object(OBJECTS["creature"], Plate("9f3c2a71d5e8b406", 9, "stale"))
grab("stale", 30)
trims = (Trim(shift_mm=(3.0, 2.0), scale=1.2, turn_deg=4.0, gain=1.5),)
presets = [
    Rig("B", 3), Rig("C", 6, turn_deg=90), Rig("A", 8), Rig("A", 1), Rig("A", corner=True),
    Rig("A", slope_deg=52.0, eye_elevation_deg=10.0), Rig("A", off=frozenset({1})),
    Rig("A", mirror=True), Rig("A", trims=trims, feather_mm=2.0),
]
for rig in presets:
    window.take_rig(rig)
    grab(f"preset {rig.kind} {rig.faces} {rig.slope_deg} {rig.turn_deg} {rig.corner}", 30)
window.take_rig(Rig("A"))
placing.choose(listed_screen(second).bound)
grab("the first pictures on another screen", 60)
for size in ((640, 360), (360, 640), (333, 517), (720, 720)):
    placing.be_window(QRect(5, 5, *size))
    grab(f"a window of {size}", 40)
QTest.keyClick(window, Qt.Key.Key_C)
grab("the pattern", 40)
QTest.keyClick(window, Qt.Key.Key_Right)
grab("the pattern moved", 20)
QTest.keyClick(window, Qt.Key.Key_C)
window.frozen = True
grab("frozen", 20)
window.frozen = False
window.dark = True
grab("panic", 20)
window.dark = False
grab("lit again", max(0, 1000 - told["grabbed"]))
window.close()
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a thousand pictures showed outside the faces."""
    return on_two_screens(CHILD, tmp_path_factory.mktemp("screens"), (800, 600))


def test_a_thousand_pictures_are_black_outside_the_faces(told: dict[str, Any]) -> None:
    assert told["grabbed"] >= 1000
    assert told["lit"] > 700, "the faces themselves are lit"
    assert {part: level for part, level in told["parts"].items() if level} == {}
