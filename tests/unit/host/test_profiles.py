"""A profile is whole or not there, says what it cannot be, and knows its screen again."""

import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Rig
from holodesk.display.trim import Tone, Trim
from holodesk.errors import Refused, Unavailable
from holodesk.host.profiles import (
    Shelf,
    profile_path,
    profile_text,
    profiles_folder,
    read_profile,
    write_profile,
)
from tests.conftest import ROOT

SCREEN = Bound("SN-0042", "HDMI-1", 1920, 1080)
PINS = ((0.5, 0.0), (0.0, -1.25), (2.0, 0.0), (0.0, 0.0))
WHOLE = Profile(
    SCREEN,
    Rig(
        "B",
        6,
        off=frozenset({3}),
        turn_deg=90,
        slope_deg=52.5,
        gap_mm=11.0,
        half_mm=97.5,
        eye_elevation_deg=8.0,
        eye_distance_mm=650.0,
        corner=True,
        mirror=True,
        trims=(Trim(), Trim((1.5, -2.0), 0.95, 3.0, PINS, 1.8)),
        tone=Tone(6, 1.4),
        feather_mm=3.0,
    ),
    px_per_mm=3.6182,
    pixel_shift=True,
)


def kept(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_was_kept_is_read_again_whole(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    write_profile(path, WHOLE)
    assert read_profile(path) == WHOLE


@settings(max_examples=60, deadline=None)
@given(
    name=st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=40),
    shift=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
    gain=st.floats(0.1, 4),
    density=st.none() | st.floats(0.1, 200),
)
def test_any_profile_is_read_again_whole(
    name: str, shift: tuple[float, float], gain: float, density: float | None
) -> None:
    made = Profile(
        Bound("", name, 1280, 720), Rig(trims=(Trim(shift_mm=shift, gain=gain),)), density
    )
    from holodesk.host.profiles import _profile

    assert _profile(tomllib.loads(profile_text(made))) == made


TEXT = profile_text(WHOLE)


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("kind =", "kindd =", "kindd"),
        ("[light]", "[lights]", "lights"),
        ("[face.1]", "[face.9]", "9"),
        ("faces = 6", "faces = 60", "60"),
        ("faces = 6", "faces = true", "whole number"),
        ("slope_deg = 52.5", 'slope_deg = "steep"', "slope_deg"),
        ("slope_deg = 52.5", "slope_deg = nan", "slope"),
        ("gain = 1.8", "gain = 18.0", "gain"),
        ("crush = 6", "crush = 300", "crush"),
        ("off = [3]", "off = [0, 1, 2, 3, 4, 5]", "none"),
        ("off = [3]", 'off = ["x"]', "viewers"),
        ("width_px = 1920", "width_px = 0", "width"),
        ("width_px = 1920\n", "", "width_px"),
        ("shift_mm = [1.5, -2.0]", "shift_mm = [1.5]", "two numbers"),
        ("px_per_mm = 3.6182", "px_per_mm = -1.0", "millimetre"),
        ("[rig]", "[rig", "TOML"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    was: str, now: str, told: str, tmp_path: Path
) -> None:
    assert was in TEXT
    path = kept(tmp_path / "p.toml", TEXT.replace(was, now))
    with pytest.raises(Refused) as problem:
        read_profile(path)
    assert told in problem.value.message
    assert "\n" not in problem.value.message
    assert problem.value.where.file == "p.toml"


def test_a_file_that_is_not_there_or_too_large_is_told(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        read_profile(tmp_path / "none.toml")
    with pytest.raises(Refused):
        read_profile(kept(tmp_path / "big.toml", "#" * 70_000))
    with pytest.raises(Refused):
        profile_path("etc passwd")


def test_a_name_is_a_file_in_the_folder_and_a_place_is_itself() -> None:
    assert profile_path("stage") == profiles_folder() / "stage.toml"
    assert profile_path("./a/b.toml") == Path("a/b.toml")


def test_a_serial_number_decides_whatever_plug_and_mode(tmp_path: Path) -> None:
    shelf = Shelf()
    shelf.keep(WHOLE)
    assert shelf.find(Bound("SN-0042", "DP-3", 1280, 720)) == WHOLE
    assert shelf.find(Bound("SN-0043", "HDMI-1", 1920, 1080)) is None
    assert shelf.find(Bound("", "HDMI-1", 1920, 1080)) is None
    assert WHOLE.density(960) == pytest.approx(3.6182 / 2)


def test_without_a_serial_number_name_and_resolution_decide() -> None:
    shelf, made = Shelf(), Profile(Bound("", "HDMI-1", 1920, 1080), Rig("C"))
    shelf.keep(made)
    assert shelf.find(Bound("", "HDMI-1", 1920, 1080)) == made
    assert shelf.find(Bound("", "HDMI-2", 1920, 1080)) is None
    assert shelf.find(Bound("", "HDMI-1", 1280, 720)) is None


def test_a_screen_has_one_file_however_often_it_is_kept() -> None:
    shelf = Shelf()
    for gain in (1.0, 2.0, 3.0):
        shelf.keep(Profile(SCREEN, Rig(trims=(Trim(gain=gain),))))
    shelf.keep(Profile(Bound("", "SN 0042", 800, 600), Rig()))
    assert len(list(profiles_folder().iterdir())) == 2
    found = shelf.find(SCREEN)
    assert found is not None
    assert found.rig.trim(0).gain == 3.0


def test_a_broken_file_is_set_aside_with_a_sentence_and_nothing_lost() -> None:
    broken = kept(profiles_folder() / "a.toml", "kind = 7")
    shelf = Shelf()
    assert shelf.find(SCREEN) is None
    assert not broken.exists()
    assert broken.with_name("a.toml.broken").read_text() == "kind = 7"
    assert "a.toml.broken" in shelf.note
    assert "kind" in shelf.note
    shelf.keep(WHOLE)
    assert shelf.find(SCREEN) == WHOLE


CHILD = """
import os, signal, sys
from pathlib import Path
from dataclasses import replace
sys.path.insert(0, sys.argv[3])
from tests.unit.host.test_profiles import WHOLE
from holodesk.host.profiles import write_profile
left = int(sys.argv[2])

def dies(inner):
    def step(*words, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return inner(*words, **more)
    return step

for place, name in ((Path, "open"), (os, "fsync"), (Path, "replace"), (os, "open")):
    setattr(place, name, dies(getattr(place, name)))
write_profile(Path(sys.argv[1]), replace(WHOLE, pixel_shift=False))
print("whole")
"""


def test_a_write_that_is_killed_at_any_step_leaves_a_profile_that_loads(tmp_path: Path) -> None:
    path, after = tmp_path / "p.toml", None
    outcomes = []
    for step in range(12):
        write_profile(path, WHOLE)
        words = [sys.executable, "-c", CHILD, str(path), str(step), str(ROOT)]
        ran = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=60)
        after = read_profile(path)
        assert after.rig == WHOLE.rig
        outcomes.append((ran.returncode, after.pixel_shift))
        if ran.returncode == 0:
            break
        assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert outcomes[0] == (-signal.SIGKILL, True)
    assert outcomes[-1] == (0, False)
    assert len(outcomes) >= 4


def test_a_disk_that_refuses_is_one_sentence_and_keeps_what_was(tmp_path: Path) -> None:
    path = tmp_path / "file" / "p.toml"
    kept(tmp_path / "file", "in the way")
    with pytest.raises(Unavailable):
        write_profile(path, WHOLE)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
