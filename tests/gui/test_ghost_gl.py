"""The GPU and the raster show the same picture, to a few levels; where there is a GL context."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

CHILD = """
import sys
from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication

app = QApplication([])
import numpy as np
from holodesk.display.pattern import balance_sheet, pattern_sheet
from holodesk.display.rig import Rig
from holodesk.display.trim import Tone, Trim
from holodesk.display.scene import Scene, facets
from holodesk.display.sheet import sheet
from holodesk.display.raster import Raster
from holodesk.gui.ghost.choose import probe
from holodesk.gui.ghost.glyphs import letters
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import OBJECTS, PLATE, stand

if not probe().name:
    print("no context")
    sys.exit(77)
rig = Rig(sys.argv[1], int(sys.argv[2]))
if sys.argv[3] == "by hand":
    pins = ((1.0, 2.0), (-2.0, 1.0), (0.0, -3.0), (2.0, 2.0))
    rig = Rig(
        sys.argv[1],
        int(sys.argv[2]),
        corner=True,
        trims=(Trim((2.0, -1.0), 0.9, 6.0, pins, 0.6), Trim(gain=2.5)),
        tone=Tone(6, 1.3),
        feather_mm=4.0,
        drift_mm=(0.3, 0.2),
    )
window = GhostWindow(rig, "gl")
window.resize(640, 480)
window.show()
clock = QElapsedTimer()
clock.start()
while clock.elapsed() < 400:
    app.processEvents()
made, view = window.layout_now, window._view
wall = facets([[[-0.6, 0, 0.2], [0.6, 0, 0.2], [0, 0.3, 1.4]]], colour=(0.4, 0.6, 0.9))
scenes = {name: stand(object) for name, object in OBJECTS.items()}
scenes["facets"] = Scene(facets=(wall,))
sheets = {name: sheet(scene, made, PLATE) for name, scene in scenes.items()}
sheets["pattern"] = pattern_sheet(made, 1, "chosen")
sheets["balance"] = balance_sheet(made)
for name, laid in sheets.items():
    view.show_sheet(laid)
    gpu = view.sheet_pixels().astype(int)
    raster = Raster(made, letters(), whole=laid.flat)
    raster.draw(laid)
    away = np.abs(gpu - raster.screen())
    print(name, int(away.max()), float(away.mean()), int(gpu.max()), float((away > 6).mean()))
window.dark = True
print("dark", int(window.sheet_pixels().max()))
window.close()
app.processEvents()
"""


@pytest.mark.parametrize(
    ("kind", "faces", "how"), [("A", 4, "as built"), ("B", 6, "as built"), ("A", 4, "by hand")]
)
def test_both_renderers_show_the_same_picture(kind: str, faces: int, how: str) -> None:
    runner = [] if os.environ.get("DISPLAY") else [shutil.which("xvfb-run") or "", "-a"]
    if runner and not runner[0]:
        pytest.skip("no DISPLAY and no xvfb-run: a GL context needs one of them")
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*runner, sys.executable, "-c", CHILD, kind, str(faces), how],
        capture_output=True,
        text=True,
        timeout=120,
        env=surroundings,
        cwd=ROOT,
        check=False,
    )
    if done.returncode == 77 or "Could not load the Qt platform plugin" in done.stderr:
        pytest.skip("this display gives no GL context")
    assert done.returncode == 0, done.stderr[-2000:]
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert told.pop("dark") == "0"
    assert len(told) == 9
    for name, figures in told.items():
        most, mean, brightest, apart = (float(figure) for figure in figures.split())
        assert brightest > 100, name
        assert mean < 0.2, name
        assert apart < 0.002, name
        assert most < 16 or name in ("facets", "balance"), name
