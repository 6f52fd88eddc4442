"""A stranger's model file becomes media, or is refused in one sentence, and in time."""

import json
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from PIL import Image

from holodesk.cli.main import main
from holodesk.display.model import decode
from holodesk.display.shelf import kept
from holodesk.errors import HolodeskError, Refused, Unavailable, Usage
from holodesk.host import modelling
from holodesk.host.messages import Media as MediaMessage
from holodesk.host.messages import frame_message, read_notice
from holodesk.host.modelling import SUFFIXES, fetch, media_of, shaped
from holodesk.host.reading import read_object
from holodesk.host.telling import media

CORPUS = Path("/usr/share/assimp/models")


def box(folder: Path, name: str) -> Path:
    """A real box as a file of this kind."""
    path = folder / name
    trimesh.creation.box((2.0, 1.0, 4.0)).export(path)
    return path


@pytest.mark.parametrize("suffix", [".glb", ".obj", ".stl", ".ply", ".off"])
def test_a_box_is_read_whatever_its_file(tmp_path: Path, suffix: str) -> None:
    found = shaped(box(tmp_path, f"box{suffix}"), "z").model
    assert len(found.triangles) == 12
    assert found.closed
    assert found.points.min(axis=0) == pytest.approx([-0.25, -0.125, 0])
    assert found.points.max(axis=0) == pytest.approx([0.25, 0.125, 1])


def test_what_is_up_in_the_file_is_up_on_the_floor(tmp_path: Path) -> None:
    path = box(tmp_path, "box.obj")
    assert shaped(path, "y").model.points[:, 2].max() == pytest.approx(0.25)
    assert shaped(path, "z").model.points[:, 2].max() == pytest.approx(1)


@pytest.mark.complaint(55)
def test_quads_negative_indices_and_names_with_spaces(tmp_path: Path) -> None:
    path = tmp_path / "a name with spaces.obj"
    path.write_text(
        "o a box\nusemtl no such material\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
        "f -4 -3 -2 -1\nv 0 0 2\nv 1 0 2\nv 1 1 2\nf -3// -2// -1//\n"
    )
    found = shaped(path, "z").model
    assert len(found.triangles) == 3
    assert len(found.points) == 7
    assert sorted(found.points[found.triangles[2], 2].tolist()) == [1, 1, 1]


@pytest.mark.complaint(29)
@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_a_tiny_and_a_huge_model_stand_alike(tmp_path: Path, size: float) -> None:
    path = tmp_path / "one.obj"
    path.write_text(f"v 0 0 0\nv {size} 0 0\nv 0 0 {size}\nf 1 2 3\n")
    found = shaped(path, "z").model
    assert found.points.max(axis=0) == pytest.approx([0.5, 0, 1])


def test_points_without_triangles_are_a_cloud(tmp_path: Path) -> None:
    path = tmp_path / "points.xyz"
    path.write_text("".join(f"{k} {k * k} {-k}\n" for k in range(50)))
    found = shaped(path).model
    assert len(found.points) == 50
    assert not len(found.triangles)


def test_an_image_is_a_card_of_points_in_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "card.png"
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[5:20, 10:50] = (250, 40, 10)
    Image.fromarray(picture).save(path)
    found = shaped(path).model
    assert len(found.points) == 15 * 40
    assert (found.colours == (250, 40, 10)).all()
    assert found.points[:, 1].max() == found.points[:, 1].min()


@pytest.mark.parametrize(
    ("name", "octets", "words"),
    [
        ("empty.obj", b"", "nothing"),
        ("noise.glb", b"glTF" + bytes(range(200)), "cannot be read"),
        ("noise.ply", b"\xff" * 500, "cannot be read"),
        ("dark.png", None, "dark"),
        ("infinite.obj", b"v nan 0 0\nv inf 0 0\nv 0 0 1e39\nf 1 2 3\n", "nothing"),
    ],
)
def test_what_is_no_model_is_refused_in_one_sentence(
    tmp_path: Path, name: str, octets: bytes | None, words: str
) -> None:
    path = tmp_path / name
    if octets is None:
        Image.new("RGB", (20, 20)).save(path)
    else:
        path.write_bytes(octets)
    with pytest.raises(Refused, match=words) as found:
        shaped(path)
    assert "\n" not in str(found.value)


def test_draco_is_named_where_its_package_is_missing(tmp_path: Path) -> None:
    if __import__("importlib.util").util.find_spec("DracoPy"):
        pytest.skip("DracoPy is installed")
    words = {"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_draco_mesh_compression"]}
    body = json.dumps(words).encode()
    body += b" " * (-len(body) % 4)
    head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(body), len(body), b"JSON")
    path = tmp_path / "packed.glb"
    path.write_bytes(head + body)
    with pytest.raises(Refused, match=r"Draco.*DracoPy"):
        shaped(path)


def test_a_strange_or_missing_or_too_large_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Usage):
        shaped(tmp_path / "model.exe")
    with pytest.raises(Unavailable):
        shaped(tmp_path / "model.obj")
    path = box(tmp_path, "box.obj")
    monkeypatch.setattr(modelling, "MOST_OCTETS", 10)
    with pytest.raises(Refused, match="octets"):
        shaped(path)


def test_a_file_that_wants_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "greedy.ply"
    path.write_bytes(
        b"ply\nformat binary_little_endian 1.0\nelement vertex 90000000\nproperty double x\n"
        b"property double y\nproperty double z\nend_header\n" + bytes(4096)
    )
    start = time.monotonic()
    with pytest.raises(Refused):
        shaped(path)
    assert time.monotonic() - start < 10


def made(tmp_path: Path, model: Path) -> Path:
    desk = tmp_path / "desk"
    assert main(["new", str(desk), "--model", str(model), "--json"]) == 0
    return desk


def test_a_new_model_is_an_object_that_names_its_media(tmp_path: Path) -> None:
    desk = made(tmp_path, box(tmp_path, "a_box.glb"))
    shown: Any = read_object(str(desk)).object
    assert shown["schema"] == "model/1"
    assert shown["name"] == "a box"
    assert shown["triangles"] == 12
    address = media_of(shown)
    assert address is not None
    assert len(decode((desk / "media" / address).read_bytes()).triangles) == 12
    assert fetch(desk, shown) == ""
    assert kept(address) is not None
    assert sorted(path.name for path in (desk / "lenses").glob("*_agent.py")) == [
        "stand_agent.py",
        "tint_agent.py",
        "turn_agent.py",
    ]


def test_the_window_is_handed_the_body_whole_in_one_bounded_message(tmp_path: Path) -> None:
    desk = made(tmp_path, box(tmp_path, "box.glb"))
    address = media_of(read_object(str(desk)).object)
    assert address is not None
    octets = frame_message(media(desk / "media", address))
    found = read_notice(octets[4:])
    assert isinstance(found, MediaMessage)
    assert found.address == address
    assert len(decode(found.octets).triangles) == 12


def test_media_that_were_changed_or_are_gone_are_never_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = made(tmp_path, box(tmp_path, "other.stl"))
    shown = read_object(str(desk)).object
    file = desk / "media" / str(media_of(shown))
    octets = bytearray(file.read_bytes())
    octets[60] ^= 1
    file.write_bytes(bytes(octets))
    assert "address" in fetch(desk, shown)
    file.unlink()
    assert "not here" in fetch(desk, shown)
    out = tmp_path / "still.png"
    assert main(["snapshot", str(desk), "--out", str(out), "--size", "320x180"]) == 0
    assert "the model is not shown" in capsys.readouterr().err


def test_model_and_kind_must_agree(tmp_path: Path) -> None:
    path, desk = box(tmp_path, "box.obj"), str(tmp_path / "desk")
    assert main(["new", desk, "--kind", "model"]) == 2
    assert main(["new", desk, "--kind", "card", "--model", str(path)]) == 2
    assert not Path(desk).exists()


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no test models at {CORPUS}")
def test_a_wide_corpus_is_read_or_refused_and_never_late() -> None:
    folders = ("OBJ", "STL", "PLY", "glTF2", "invalid")
    files = [path for name in folders for path in sorted((CORPUS / name).rglob("*"))]
    read, told = 0, []
    for path in [path for path in files if path.suffix.lower() in SUFFIXES][::3]:
        start = time.monotonic()
        try:
            shaped(path)
            read += 1
        except HolodeskError as problem:
            told.append(str(problem))
        assert time.monotonic() - start < 8
    assert read > 15
    assert not [words for words in told if "\n" in words]
