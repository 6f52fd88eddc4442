"""`holodesk show`: pictures where there is no screen, a sentence where it cannot (decisions 9)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from holodesk.cli.show import has_screen
from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Rig
from holodesk.display.trim import Trim
from holodesk.host.desks import from_kind, make_desk
from holodesk.host.profiles import profile_path, profiles_folder, read_profile, write_profile


def run_show(*words: str, platform: str = "") -> subprocess.CompletedProcess[str]:
    """Run the verb as a person would, without any screen but those of `platform`."""
    around = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
    around.pop("DISPLAY", None)
    around["QT_QPA_PLATFORM"] = platform
    return subprocess.run(
        [sys.executable, "-m", "holodesk", "show", *words],
        capture_output=True,
        text=True,
        env=around,
        timeout=180,
    )


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    made = tmp_path / "creature"
    make_desk(made, from_kind("creature"))
    return made


def test_without_a_screen_it_says_so_and_saves_what_both_windows_show(
    desk: Path, tmp_path: Path
) -> None:
    out = tmp_path / "pictures"
    ran = run_show(str(desk), "--seconds", "1", "--out", str(out), "--json")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.splitlines() == ["holodesk: there is no screen here, so this runs off screen"]
    answer = json.loads(ran.stdout)
    assert (answer["desk"], answer["seq"], answer["freshness"]) == ("creature", 0, "live")
    output, console = QImage(answer["output"]), QImage(answer["console"])
    assert (output.width(), output.height()) == (1280, 720)
    assert (console.width(), console.height()) == (1440, 900)
    assert output.pixelColor(0, 0).lightness() == 0
    lit = sum(
        output.pixelColor(x, y).lightness() > 60
        for x in range(0, output.width(), 4)
        for y in range(0, output.height(), 4)
    )
    assert lit > 50


def test_alone_it_makes_and_opens_the_default_desk(tmp_path: Path) -> None:
    ran = run_show("--headless", "--seconds", "0.2", "--out", str(tmp_path / "o"), "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["desk"] == "creature"
    assert (tmp_path / "data" / "holodesk" / "creature" / "desk.sqlite").is_file()


def test_the_output_covers_the_screen_that_was_named(desk: Path, tmp_path: Path) -> None:
    screens = [
        {"name": "CONSOLE-1", "x": 0, "y": 0, "width": 1920, "height": 1080},
        {"name": "PYRAMID-2", "x": 1920, "y": 0, "width": 1024, "height": 768},
    ]
    told = tmp_path / "screens.json"
    told.write_text(json.dumps({"screens": [{**s, "logicalDpi": 96, "dpr": 1} for s in screens]}))
    out = tmp_path / "o"
    words = [str(desk), "--headless", "--seconds", "0.5", "--out", str(out), "--json"]
    platform = f"offscreen:configfile={told}"
    ran = run_show(*words, "--screen", "PYRAMID-2", platform=platform)
    assert ran.returncode == 0, ran.stderr
    output = QImage(json.loads(ran.stdout)["output"])
    assert (output.width(), output.height()) == (1024, 768)


def test_a_screen_that_is_not_there_is_one_sentence_and_exit_3(desk: Path, tmp_path: Path) -> None:
    ran = run_show(str(desk), "--screen", "HDMI-7", "--json", "--out", str(tmp_path / "o"))
    assert ran.returncode == 3
    assert json.loads(ran.stdout)["refusal"]["family"] == "Unavailable"
    assert "HDMI-7" in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


def test_a_desk_that_is_not_there_is_one_sentence_and_exit_3(tmp_path: Path) -> None:
    ran = run_show(str(tmp_path / "nothing"), "--headless")
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1


def test_a_forged_chain_file_is_refused_with_its_step_and_exit_1(
    desk: Path, tmp_path: Path
) -> None:
    chain = tmp_path / "chain.jsonl"
    words = [sys.executable, "-m", "holodesk", "export", str(desk), str(chain)]
    subprocess.run(words, check=True, capture_output=True)
    forged = chain.read_text(encoding="utf-8").replace("Lumen", "Lumem")
    assert "Lumem" in forged
    chain.write_text(forged, encoding="utf-8")
    ran = run_show(str(chain), "--headless", "--json", "--out", str(tmp_path / "o"))
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["refusal"]["step"] == "2"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="screens are asked for elsewhere")
@pytest.mark.parametrize(
    ("platform", "display", "wayland", "expected"),
    [
        ("", "", "", False),
        ("", ":0", "", True),
        ("", "", "wayland-0", True),
        ("offscreen", ":0", "", False),
        ("offscreen:configfile=a.json", ":0", "", False),
        ("xcb", "", "", True),
    ],
)
def test_a_screen_is_there_when_the_surroundings_say_so(
    monkeypatch: pytest.MonkeyPatch, platform: str, display: str, wayland: str, expected: bool
) -> None:
    names = {"QT_QPA_PLATFORM": platform, "DISPLAY": display, "WAYLAND_DISPLAY": wayland}
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    assert has_screen() is expected


def test_a_profile_is_shown_as_it_was_set_up(desk: Path, tmp_path: Path) -> None:
    profile = tmp_path / "stage.toml"
    bound = Bound("", "PYRAMID-2", 800, 600)
    write_profile(profile, Profile(bound, Rig("B", trims=(Trim(gain=0.1),) * 4), 4.0))
    words = (str(desk), "--headless", "--seconds", "0.5", "--json")
    ran = run_show(*words, "--out", str(tmp_path / "o"), "--profile", str(profile))
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    output = QImage(answer["output"])
    assert (output.width(), output.height()) == (800, 600)
    brightest = max(
        output.pixelColor(x, y).lightness() for x in range(0, 800, 4) for y in range(0, 600, 4)
    )
    assert 0 < brightest < 170


def test_a_profile_that_cannot_be_is_one_sentence_and_exit_1(desk: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("[screen]\nserial = 4\n")
    ran = run_show(str(desk), "--headless", "--profile", str(bad))
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1
    assert "serial" in ran.stderr
    assert bad.exists()


def test_a_broken_profile_of_ones_own_is_set_aside_and_the_show_goes_on(
    desk: Path, tmp_path: Path
) -> None:
    own = profile_path("stage")
    own.parent.mkdir(parents=True)
    own.write_text("not [toml")
    words = (str(desk), "--headless", "--seconds", "0.3", "--json", "--profile", "stage")
    ran = run_show(*words, "--out", str(tmp_path / "o"))
    assert ran.returncode == 0, ran.stderr
    assert "stage.toml.broken" in json.loads(ran.stdout)["note"]
    assert own.with_name("stage.toml.broken").read_text() == "not [toml"


def test_the_measured_bar_is_kept_from_the_command_line(desk: Path, tmp_path: Path) -> None:
    words = (str(desk), "--headless", "--seconds", "0.3", "--measured", "80")
    ran = run_show(*words, "--out", str(tmp_path / "o"))
    assert ran.returncode == 0, ran.stderr
    kept = [read_profile(path) for path in profiles_folder().glob("*.toml")]
    assert len(kept) == 1
    assert kept[0].px_per_mm is not None
    ran = run_show(str(desk), "--headless", "--measured", "0", "--out", str(tmp_path / "o"))
    assert ran.returncode == 2
    assert "mm" in ran.stderr


@pytest.mark.complaint(19)
@pytest.mark.parametrize("order", [1, -1])
def test_a_screen_that_was_set_up_is_found_again_whatever_its_place(
    order: int, desk: Path, tmp_path: Path
) -> None:
    room = [
        {"name": "CONSOLE-1", "x": 0, "y": 0, "width": 1440, "height": 900},
        {"name": "OTHER-3", "x": 1440, "y": 0, "width": 640, "height": 480},
        {"name": "PYRAMID-2", "x": 2080, "y": 0, "width": 1024, "height": 768},
    ]
    told = tmp_path / "screens.json"
    screens = [room[0], *room[1:][::order]]
    told.write_text(json.dumps({"screens": [{**s, "logicalDpi": 96, "dpr": 1} for s in screens]}))
    bound = Bound("", "PYRAMID-2", 1024, 768)
    write_profile(profile_path("stage"), Profile(bound, Rig("C"), 4.0))
    out = tmp_path / "o"
    words = [str(desk), "--headless", "--seconds", "0.3", "--out", str(out), "--json"]
    ran = run_show(*words, platform=f"offscreen:configfile={told}")
    assert ran.returncode == 0, ran.stderr
    output = QImage(json.loads(ran.stdout)["output"])
    assert (output.width(), output.height()) == (1024, 768)
