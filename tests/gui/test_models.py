"""A model in the real window: it comes from the real host, and a fine mesh never stalls it."""

import json
from pathlib import Path

import numpy as np
import pytest
import trimesh
from pytestqt.qtbot import QtBot

from holodesk.cli.main import main
from holodesk.display.model import thinned
from holodesk.display.png import pixels
from holodesk.display.scene import Plate
from holodesk.display.shelf import keep
from holodesk.gui.ghost.window import GhostWindow
from holodesk.host.modelling import WINDOW_TRIANGLES
from tests.unit.display.test_model import torus


def test_the_window_draws_a_mesh_of_100_000_triangles_thinned(qtbot: QtBot) -> None:
    body = thinned(torus(400, 125), WINDOW_TRIANGLES)
    assert len(body.triangles) <= WINDOW_TRIANGLES
    keep("b" * 64, body)
    window = GhostWindow(renderer="raster")
    qtbot.addWidget(window)
    window.resize(1920, 1080)
    window.show()
    model = {"schema": "model/1", "name": "ring", "media": "b" * 64}
    window.show_object(model, Plate("9f3c2a71", 1, "live"))
    qtbot.waitUntil(lambda: window.frames > 20, timeout=30_000)
    assert window.sheet_pixels().max() > 100


def test_the_host_hands_the_body_to_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, desk, out = tmp_path / "ball.stl", tmp_path / "ball", tmp_path / "out"
    trimesh.creation.icosphere(3).export(path)
    assert main(["new", str(desk), "--model", str(path)]) == 0
    capsys.readouterr()
    words = ["show", str(desk), "--headless", "--seconds", "2", "--out", str(out), "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["freshness"] == "live"
    still = tmp_path / "still.png"
    assert main(["snapshot", str(desk), "--out", str(still), "--size", "1280x720"]) == 0
    lit = (pixels(still.read_bytes()).max(axis=2) > 100).mean()
    from PIL import Image

    with Image.open(answer["output"]) as image:
        shown = np.asarray(image.convert("RGB")).max(axis=2) > 100
    assert shown.mean() == pytest.approx(lit, rel=0.3), "a body is shown, not its mark"
