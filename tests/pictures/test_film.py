"""`holodesk film` writes exactly the pictures it promises, the same twice."""

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from holodesk.cli.main import main
from holodesk.display.png import pixels

SIZE = ("--size", "320x180")


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    folder = tmp_path / "lumen"
    assert main(["new", str(folder)]) == 0
    capsys.readouterr()
    return str(folder)


def filmed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["film", *words, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def sums(folder: Path) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())]


@pytest.mark.complaint(54)
def test_there_are_exactly_seconds_by_fps_pictures_and_the_same_twice(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (*SIZE, "--seconds", "1.5", "--fps", "8")
    one, two = tmp_path / "one", tmp_path / "two"
    assert filmed(capsys, desk, "--out", str(one), *words)["pictures"] == 12
    filmed(capsys, desk, "--out", str(two), *words)
    assert len(sums(one)) == 12
    assert sums(one) == sums(two)
    assert len(set(sums(one))) == 12, "it lives"


def test_a_picture_is_the_snapshot_of_its_moment(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filmed(capsys, desk, "--out", str(tmp_path / "film"), *SIZE, "--seconds", "1", "--fps", "4")
    still = tmp_path / "still.png"
    assert main(["snapshot", desk, "--out", str(still), *SIZE, "--seconds", "0.75"]) == 0
    assert (tmp_path / "film" / "picture-00003.png").read_bytes() == still.read_bytes()


def test_one_viewer_may_be_filmed(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--out", str(tmp_path / "film"), *SIZE, "--seconds", "0.2", "--fps", "5")
    answer = filmed(capsys, desk, *words, "--viewer", "1")
    made = pixels((tmp_path / "film" / "picture-00000.png").read_bytes())
    assert made.shape[:2] == (answer["height"], answer["width"])
    assert made.max() > 60


def test_a_gif_has_every_picture_and_its_time_the_same_twice(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one.gif", tmp_path / "two.gif"
    for out in (one, two):
        filmed(capsys, desk, "--out", str(out), *SIZE, "--seconds", "1", "--fps", "6")
    assert one.read_bytes() == two.read_bytes()
    with Image.open(one) as film:
        assert film.n_frames == 6  # type: ignore[attr-defined]
        whole = 0
        for number in range(6):
            film.seek(number)
            whole += film.info["duration"]
        assert whole == 1000


def test_a_longer_film_in_the_folder_is_not_mixed_with_this_one(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--out", str(tmp_path / "film"), *SIZE, "--fps", "5")
    filmed(capsys, desk, *words, "--seconds", "0.6")
    assert main(["film", desk, *words, "--seconds", "0.2"]) == 1
    assert "picture-00001.png" in capsys.readouterr().err


def test_an_mp4_without_its_package_is_one_sentence(
    desk: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["film", desk, "--out", str(tmp_path / "film.mp4")]) == 3
    err = capsys.readouterr().err
    assert "imageio-ffmpeg" in err
    assert err.count("\n") == 1


def test_a_strange_file_or_count_is_wrong_usage(desk: str, tmp_path: Path) -> None:
    out = str(tmp_path / "film")
    assert main(["film", desk, "--out", f"{out}.avi"]) == 2
    assert main(["film", desk, "--out", out, "--fps", "0"]) == 2
    assert main(["film", desk, "--out", out, "--seconds", "-1"]) == 2
    assert main(["film", desk, "--out", out, "--seconds", "86400", "--fps", "120"]) == 2
