"""Runs a program of its own on two screens that are only said to be there."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT


def on_two_screens(child: str, folder: Path, second: tuple[int, int]) -> dict[str, Any]:
    """The JSON object that `child` prints: a console of 1280x720, and beside it `second`."""
    sizes = (("CONSOLE-1", 0, 1280, 720), ("PYRAMID-2", 1280, *second))
    screens = [
        {"name": name, "x": x, "y": 0, "width": wide, "height": high, "logicalDpi": 96, "dpr": 1}
        for name, x, wide, high in sizes
    ]
    file = folder / "screens.json"
    file.write_text(json.dumps({"screens": screens}))
    surroundings = {
        **os.environ,
        "QT_QPA_PLATFORM": f"offscreen:configfile={file}",
        "PYTHONPATH": str(ROOT),
    }
    ran = subprocess.run(
        [sys.executable, "-c", child],
        capture_output=True,
        text=True,
        timeout=300,
        env=surroundings,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer
