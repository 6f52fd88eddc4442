"""The README's pictures, made by the program: `make pictures` (house II.14)."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import trimesh
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
HOLODESK = Path(sys.executable).with_name("holodesk")
VIEW, SCREEN = 360, 340
HALL = {
    "schema": "orchestra/3",
    "players": [{"name": "ada", "parts": ["first", "second"]}, {"name": "bo", "parts": []}],
    "hall": {"seats": 800, "open": True},
    "tempo": 72,
}
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


def shoot_console(desk: Path, folder: Path) -> None:
    """The console at three sizes: a small screen, a large one, and twice the scale."""
    for name, size, scale in (
        ("console", "1440x900", "1"),
        ("console-1280x720", "1280x720", "1"),
        ("console-1920x1080", "1920x1080", "1"),
        ("console-scale-2", "1280x720", "2"),
    ):
        words = ("--headless", "--seconds", "6", "--out", folder / "out", "--console", size)
        run("show", desk, *words, QT_SCALE_FACTOR=scale)
        shutil.copyfile(folder / "out" / "console.png", PICTURES / f"{name}.png")


def other_desks(folder: Path) -> dict[str, Path]:
    """A desk of every other pose: the shipped kinds, a mesh, and an object of no known schema."""
    made = {kind: folder / kind for kind in ("card", "world", "story", "gamerun")}
    for kind, place in made.items():
        run("new", place, "--kind", kind)
    body = trimesh.creation.torus(major_radius=1.0, minor_radius=0.38)
    body.export(folder / "ring.glb")
    made["mesh"] = folder / "mesh"
    run("new", made["mesh"], "--model", folder / "ring.glb")
    (folder / "hall.json").write_text(json.dumps(HALL))
    made["tree"] = folder / "tree"
    run("new", made["tree"], "--object", folder / "hall.json")
    return made


def gallery(kind: str, desk: Path | None, folder: Path) -> None:
    """One sheet: what each of four viewers sees, and the whole screen at three sizes."""
    what = ("--pattern",) if desk is None else (desk, "--seconds", "3")
    sheet = Image.new("RGB", (4 * VIEW, VIEW + SCREEN), (16, 18, 22))
    for viewer in range(4):
        out = folder / "view.png"
        run("snapshot", *what, "--out", out, "--size", "1080x1080", "--viewer", viewer)
        with Image.open(out) as seen:
            sheet.paste(seen.resize((VIEW - 4, VIEW - 4)), (viewer * VIEW, 0))
    left = 0
    for size in ("1280x720", "1920x1080", "1080x1920"):
        out = folder / "screen.png"
        run("snapshot", *what, "--out", out, "--size", size, "--rig", "A")
        with Image.open(out) as seen:
            wide = round(seen.width * SCREEN / seen.height)
            sheet.paste(seen.resize((wide - 4, SCREEN)), (left, VIEW))
            left += wide
    sheet.save(PICTURES / f"gallery-{kind}.png", optimize=True)


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
        shoot_console(desk, folder)
        desks = {"creature": desk, **other_desks(folder)}
        for kind in ("card", "world", "story", "gamerun"):
            out = PICTURES / f"{kind}.png"
            run("snapshot", desks[kind], "--out", out, "--size", "1200x1200", "--viewer", "0")
        for kind, place in desks.items():
            gallery(kind, place, folder)
        gallery("pattern", None, folder)
    for made in sorted(PICTURES.iterdir()):
        print(made.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
