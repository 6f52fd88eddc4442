"""`holodesk snapshot` writes the output picture, and says how to follow the light."""

import json
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holodesk.cli.main import main
from holodesk.display.png import pixels
from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Rig
from holodesk.display.trim import Tone, Trim
from holodesk.host.profiles import profile_path, write_profile
from tests.unit.display.looking import CREATURE, Pixels, alike


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    folder, object = tmp_path / "lumen", tmp_path / "object.json"
    object.write_text(json.dumps(CREATURE), encoding="utf-8")
    assert main(["new", str(folder), "--kind", "creature", "--object", str(object)]) == 0
    capsys.readouterr()
    return folder


def taken(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """Take a picture; the answer."""
    assert main(["snapshot", *words, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def picture(path: Path) -> Pixels:
    return pixels(path.read_bytes())


def followed(frame: Pixels, geometry: dict[str, Any], viewer: int) -> Pixels:
    """What a far viewer sees, from the answer's own numbers and nothing of the program."""
    density, gap, half = geometry["px_per_mm"], geometry["gap_mm"], geometry["half_mm"]
    box = geometry["picture"]
    rows = round(box["height_mm"] * density)
    columns = round(box["width_mm"] * density)
    azimuth = radians(-90 + 360 * viewer / geometry["faces"])
    out = np.array([cos(azimuth), sin(azimuth), 0.0])
    right = np.array([-sin(azimuth), cos(azimuth), 0.0])
    slope, height = radians(geometry["slope_deg"]), half - gap
    kind = geometry["rig"]
    forward = -out if kind == "C" else out
    normal = sin(slope) * forward + np.array([0, 0, -cos(slope) if kind == "A" else cos(slope)])
    point = (half if kind == "C" else gap) * forward + np.array([0, 0, height * (kind == "B")])
    origin = {"A": gap, "B": half - height, "C": -half}[kind] * out
    x = ((np.arange(columns) + 0.5) / columns - 0.5) * box["width_mm"]
    y = box["bottom_mm"] + (1 - (np.arange(rows) + 0.5) / rows) * box["height_mm"]
    up = np.array([0.0, 0.0, 1.0])
    target = origin + x[None, :, None] * right + y[:, None, None] * up
    eye = origin + (box["bottom_mm"] + box["height_mm"] / 2) * up + 5000 * out
    ray = target - eye
    reach = ((point - eye) @ normal) / (ray @ normal)
    hit = eye + reach[..., None] * ray
    bounced = ray - 2 * (ray @ normal)[..., None] * normal
    screen = height if kind == "B" else 0.0
    place = hit + ((screen - hit[..., 2]) / bounced[..., 2])[..., None] * bounced
    u, v = place[..., 0], place[..., 1] * (1 if kind == "B" else -1)
    column = np.floor(u * density + frame.shape[1] / 2).astype(int)
    row = np.floor(v * density + frame.shape[0] / 2).astype(int)
    return np.asarray(frame[row, column])


@pytest.mark.parametrize("kind", ["A", "B", "C"])
def test_the_answer_is_enough_to_see_what_each_viewer_sees(
    kind: str, desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, one = tmp_path / "whole.png", tmp_path / "one.png"
    words = (str(desk), "--size", "1280x720", "--rig", kind)
    answer = taken(capsys, *words, "--out", str(whole))
    for viewer in range(4):
        taken(capsys, *words, "--out", str(one), "--viewer", str(viewer))
        seen = followed(picture(whole), answer["geometry"], viewer)
        assert alike(seen, picture(one)) > 0.99


def test_the_geometry_has_exactly_its_members(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "s.png"
    words = ("--size", "1280x720", "--rig", "B", "--faces", "6", "--turn", "90", "--slope", "50")
    answer = taken(capsys, str(desk), "--out", str(out), *words)
    geometry = answer["geometry"]
    assert set(geometry) == {
        "rig",
        "faces",
        "turn_deg",
        "slope_deg",
        "px_per_mm",
        "gap_mm",
        "half_mm",
        "picture",
    }
    assert set(geometry["picture"]) == {"width_mm", "height_mm", "bottom_mm"}
    assert (geometry["rig"], geometry["faces"], geometry["turn_deg"]) == ("B", 6, 90)
    assert geometry["half_mm"] * geometry["px_per_mm"] == pytest.approx(360)
    assert picture(out).shape == (720, 1280, 3)


def test_the_same_desk_gives_the_same_octets(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, later = tmp_path / "1.png", tmp_path / "2.png", tmp_path / "3.png"
    for out in (one, two):
        taken(capsys, str(desk), "--out", str(out), "--size", "640x480")
    taken(capsys, str(desk), "--out", str(later), "--size", "640x480", "--seconds", "1.5")
    assert one.read_bytes() == two.read_bytes() != later.read_bytes()


def test_it_names_the_head_it_shows(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = taken(capsys, str(desk), "--out", str(tmp_path / "s.png"), "--size", "640x480")
    assert answer["plate"] == f"{answer['head']['frame_hash'][:8]} · 0 · live"
    assert answer["signed"] is True
    past = taken(capsys, str(desk), "--out", str(tmp_path / "p.png"), "--seq", "0")
    assert past["plate"].endswith("· 0 · past")


def test_a_viewer_is_exactly_the_picture_box(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "v.png"
    answer = taken(capsys, str(desk), "--out", str(out), "--size", "1920x1080", "--viewer", "3")
    box, density = answer["geometry"]["picture"], answer["geometry"]["px_per_mm"]
    assert picture(out).shape[:2] == (round(box["height_mm"] * density), 360)


def test_the_test_picture_needs_no_desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "p.png"
    answer = taken(capsys, "--pattern", "--out", str(out), "--size", "1280x720")
    assert "plate" not in answer
    one = tmp_path / "one.png"
    for viewer in range(4):
        taken(capsys, "--pattern", "--out", str(one), "--size", "1280x720", "--viewer", str(viewer))
        seen = followed(picture(out), answer["geometry"], viewer)
        assert alike(seen, picture(one)) > 0.99


def test_a_profile_says_how_the_screen_was_set_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = Rig("B", gap_mm=12.0, half_mm=80.0, trims=(Trim(gain=0.5),), tone=Tone(8))
    write_profile(
        profile_path("stage"), Profile(Bound("", "HDMI-1", 1280, 720), rig, px_per_mm=4.0)
    )
    out = tmp_path / "p.png"
    answer = taken(capsys, "--pattern", "--out", str(out), "--profile", "stage")
    geometry = answer["geometry"]
    assert (answer["width"], answer["height"]) == (1280, 720)
    assert (geometry["rig"], geometry["gap_mm"], geometry["half_mm"]) == ("B", 12.0, 80.0)
    assert geometry["px_per_mm"] == 4.0
    frame = picture(out)
    front = followed(frame, geometry, 0).mean()
    assert front < 0.75 * followed(frame, geometry, 2).mean()
    words = ("--profile", str(profile_path("stage")), "--rig", "A", "--size", "640x360")
    other = taken(capsys, "--pattern", "--out", str(out), *words)["geometry"]
    assert (other["rig"], other["px_per_mm"]) == ("A", 2.0)


def test_a_profile_that_cannot_be_is_refused_and_stays_where_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("[rig]\nkind = 'Q'\n", encoding="utf-8")
    words = ["snapshot", "--pattern", "--out", str(tmp_path / "p.png"), "--json"]
    assert main([*words, "--profile", str(bad)]) == 1
    assert "bad.toml" in json.dumps(json.loads(capsys.readouterr().out)["refusal"])
    assert bad.exists()
    assert main([*words, "--profile", "nowhere"]) == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--pattern", "--size", "big"), 2),
        (("--pattern", "--size", "10x10"), 2),
        (("--pattern", "--faces", "9"), 2),
        (("--pattern", "--turn", "45"), 2),
        (("--pattern", "--slope", "5"), 2),
        (("--pattern", "--viewer", "4"), 2),
        (("--pattern", "--seconds", "-1"), 2),
        ((), 2),
        (("no-such-desk",), 3),
    ],
)
def test_what_cannot_be_drawn_is_one_clear_sentence(
    words: tuple[str, ...], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.png"
    assert main(["snapshot", *words, "--out", str(out), "--json"]) == code
    told = capsys.readouterr()
    assert json.loads(told.out)["refusal"]["message"]
    assert len(told.err.strip().splitlines()) == 1
    assert not out.exists()


def test_a_picture_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "none" / "x.png"
    assert main(["snapshot", "--pattern", "--out", str(out), "--json"]) == 3
    assert "cannot be written" in capsys.readouterr().err
