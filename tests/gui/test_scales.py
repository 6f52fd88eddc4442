"""At any scale of the desktop the output is laid out in device pixels, and is seen rightly."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.conftest import ROOT

CHILD = """
import json, sys
import numpy as np
from PySide6.QtWidgets import QApplication

app = QApplication([])
from holodesk.display.rig import Rig
from holodesk.display.sheet import sheet
from holodesk.gui.ghost.window import GhostWindow
from tests.unit.display.looking import CREATURE, PLATE, alike, sees_rightly, stand

told = []
wide, high = int(sys.argv[1]), int(sys.argv[2])
for kind, faces, turn in (("A", 4, 0), ("B", 3, 90), ("C", 6, 270)):
    window = GhostWindow(Rig(kind, faces, turn_deg=turn), "raster")
    ratio = window.devicePixelRatioF()
    window.resize(round(wide / ratio), round(high / ratio))
    window.show()
    app.processEvents()
    window._beat.stop()
    made, scene = window.layout_now, stand(CREATURE)
    window._view.show_sheet(sheet(scene, made, PLATE))
    said = window._view.sheet_pixels()
    grab = window.grab().toImage()
    image = grab.convertToFormat(grab.Format.Format_RGB888)
    octets = np.frombuffer(image.constBits(), np.uint8)
    shown = octets.reshape(image.height(), -1)[:, : image.width() * 3]
    shown = shown.reshape(image.height(), image.width(), 3)
    outside = np.ones(shown.shape[:2], np.bool_)
    low = np.min([face.cell.min(axis=0) for face in made.faces], axis=0).astype(int)
    high_ = np.max([face.cell.max(axis=0) for face in made.faces], axis=0).astype(int) + 1
    outside[max(0, low[1]) : high_[1], max(0, low[0]) : high_[0]] = False
    told.append(
        {
            "ratio": ratio,
            "pixels": list(said.shape[:2]),
            "grabbed": list(shown.shape[:2]),
            "alike": alike(shown, said),
            "away": int(np.abs(shown.astype(int) - said).max()),
            "outside": int(shown[outside].max(initial=0)),
            "wrong": sees_rightly(made, shown.copy(), scene),
        }
    )
    window.close()
print(json.dumps(told))
"""


@pytest.mark.complaint(23, 25)
@pytest.mark.parametrize(
    ("scale", "wide", "high"), [(1.0, 1280, 720), (1.5, 1080, 1920), (2.0, 1920, 1080)]
)
def test_the_grabbed_window_is_seen_rightly_at_every_scale(
    scale: float, wide: int, high: int
) -> None:
    surroundings = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "QT_SCALE_FACTOR": str(scale),
        "PYTHONPATH": str(ROOT),
    }
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, str(wide), str(high)],
        capture_output=True,
        text=True,
        timeout=120,
        env=surroundings,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    told: list[dict[str, Any]] = json.loads(ran.stdout)
    for seen in told:
        assert seen["ratio"] == scale
        assert seen["pixels"] == seen["grabbed"] == [high, wide]
        assert seen["away"] == 0, "every drawn pixel is a pixel of the screen"
        assert seen["outside"] == 0
        assert seen["wrong"] == []
