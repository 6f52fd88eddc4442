"""The README's pictures, made by the program: `make pictures` (house II.14)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
HOLODESK = Path(sys.executable).with_name("holodesk")
PASSES = (
    ("Remember", {"words": "Ada likes the sea.", "weight": 4}),
    ("Drift", {"toward": "left", "distance": 22}),
    ("Drift", {"toward": "near", "distance": 18}),
    ("Remember", {"words": "Brook comes on Fridays.", "weight": 3}),
    ("Temper", {"mood": "curious", "energy": 60, "hue": 170}),
    ("Drift", {"toward": "right", "distance": 30}),
    ("Being", {"attends": "front", "growth": 2}),
)


def run(*words: object, **env: str) -> None:
    """Run the program; a failure ends the making."""
    subprocess.run([str(HOLODESK), *map(str, words)], check=True, env={**os.environ, **env})


def main() -> int:
    """Make every picture anew from a desk of its own."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        desk = folder / "lumen"
        run("new", desk)
        for lens, params in PASSES:
            run("pass", desk, lens, "--params", json.dumps(params), "--caller", "ada")
        run("steer", desk, "rails", 40, "--reason", "it drifts too far")
        out = PICTURES / "output.png"
        run("snapshot", desk, "--out", out, "--size", "1280x720", "--rig", "A", "--seconds", "3")
        for viewer, side in enumerate(("front", "right", "back", "left")):
            out = PICTURES / f"viewer-{side}.png"
            size = ("--size", "1080x1080", "--seconds", "3")
            run("snapshot", desk, "--out", out, *size, "--viewer", viewer)
        run("snapshot", "--out", PICTURES / "pattern.png", "--size", "1280x720", "--pattern")
        run("show", desk, "--headless", "--seconds", "6", "--out", folder / "out")
        shutil.copyfile(folder / "out" / "console.png", PICTURES / "console.png")
        for kind in ("card", "world", "story", "gamerun"):
            run("new", folder / kind, "--kind", kind)
            out = PICTURES / f"{kind}.png"
            run("snapshot", folder / kind, "--out", out, "--size", "1200x1200", "--viewer", "0")
    for made in sorted(PICTURES.iterdir()):
        print(made.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
