"""A moving picture becomes a reel: it keeps its times, is bounded, and opens part by part."""

import subprocess
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from holodesk.display.life import Life
from holodesk.display.optics import layout
from holodesk.display.pose import pose
from holodesk.display.reel import (
    FASTEST_MS,
    MOST_FRAMES,
    PART,
    Reel,
    decode_reel,
    encode_reel,
)
from holodesk.display.rig import Rig, Screen
from holodesk.display.shelf import keep
from holodesk.display.trace import trace
from holodesk.errors import Refused
from holodesk.host.modelling import begin_object, shaped, window_body
from holodesk.host.reeling import Unreelable, measures
from holodesk.rapp.address import hash_octets
from holodesk.store.media import TAG, Media
from tests.unit.display.looking import alike, drawn, meant

RED, GREEN, BLUE = (248, 0, 0), (0, 248, 0), (0, 0, 248)


def gif(path: Path, *pictures: tuple[tuple[int, int, int], int]) -> Path:
    """A GIF of plain pictures, each shown for so many milliseconds."""
    first, *rest = [Image.new("RGB", (40, 20), colour) for colour, _ in pictures]
    times = [time for _, time in pictures]
    first.save(path, save_all=True, append_images=rest, duration=times, loop=0)
    return path


def reel_of(path: Path) -> Reel:
    found = shaped(path).reel
    assert found is not None
    return found


def test_a_gif_is_a_reel_that_keeps_its_times(tmp_path: Path) -> None:
    reel = reel_of(gif(tmp_path / "a.gif", (RED, 100), (GREEN, 300), (BLUE, 100)))
    assert (reel.columns, reel.rows) == (40, 20)
    assert reel.frame_ms == 100
    seen = [tuple(reel.colours(0.05 + 0.1 * step)[0].tolist()) for step in range(7)]
    assert seen == [RED, GREEN, GREEN, GREEN, BLUE, RED, GREEN]


def test_a_gif_of_one_picture_is_a_still_card(tmp_path: Path) -> None:
    found = shaped(gif(tmp_path / "still.gif", (RED, 100)))
    assert found.reel is None
    assert len(found.model.points)


def test_what_is_clear_in_a_gif_is_dark(tmp_path: Path) -> None:
    path = tmp_path / "clear.gif"
    pictures = []
    for number in range(3):
        picture = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
        picture.paste((240, 200, 40, 255), (number * 4, 4, number * 4 + 4, 16))
        pictures.append(picture)
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=80, disposal=2)
    colours = reel_of(path).colours(0.0).reshape(20, 20, 3)
    assert colours[10, 2].max() > 150
    assert colours[10, 15].max() == 0


def test_a_hologram_of_it_moves_and_names_its_measures(tmp_path: Path) -> None:
    found = shaped(gif(tmp_path / "b.gif", (RED, 100), (BLUE, 100)))
    object = begin_object(found, "c" * 64, "b", {"schema": "model/1"})
    assert isinstance(object, dict)
    assert (object["frames"], object["frame_ms"]) == (2, 100)
    assert found.reel is not None
    keep("c" * 64, found.reel)
    one, two = pose(object, Life(0.05)), pose(object, Life(0.15))
    assert one.facing[0].colour[0].argmax() == 0
    assert two.facing[0].colour[0].argmax() == 2
    assert len(one.facing[0].colour) == 800


def test_the_window_is_handed_the_reel_as_it_is(tmp_path: Path) -> None:
    octets = shaped(gif(tmp_path / "d.gif", (RED, 100), (BLUE, 100))).octets
    address = Media(tmp_path / "media").keep(octets)
    assert address == hash_octets(TAG, octets)
    assert window_body(tmp_path / "media", address) == ("reel", octets)


@pytest.mark.complaint(9)
def test_ten_minutes_take_no_more_room_than_a_moment() -> None:
    count, rows, columns = 6000, 54, 96
    down, across = np.mgrid[0:rows, 0:columns]
    ground = np.stack([down * 4, across * 2, down + across], axis=-1).astype(np.uint8) & 0xF8
    pictures = (np.roll(ground, number, axis=1) for number in range(count))
    reel = decode_reel(encode_reel(rows, columns, 100, pictures))
    assert reel.frames == count
    tracemalloc.start()
    for number in range(0, count, 40):
        reel.colours(number / 10 + 0.05)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * PART * rows * columns * 3
    assert (reel.colours(599.95) == np.roll(ground, count - 1, axis=1).reshape(-1, 3)).all()


@given(st.binary(max_size=400))
def test_no_octets_whatever_do_more_than_be_refused(octets: bytes) -> None:
    good = encode_reel(2, 3, 100, [np.full((2, 3, 3), 8, np.uint8)] * 20)
    for tried in (octets, good[: len(octets)], good[:28] + octets, good[:-9] + octets):
        try:
            reel = decode_reel(tried)
            reel.colours(1.9)
        except Refused:
            continue
        assert tried == good


def test_a_part_that_unpacks_to_more_than_its_pictures_is_refused() -> None:
    import zlib

    good = encode_reel(2, 3, 100, [np.zeros((2, 3, 3), np.uint8)])
    bomb = zlib.compress(bytes(50_000_000))
    octets = good[:28] + len(bomb).to_bytes(4, "little") + bomb
    with pytest.raises(Refused, match="part 0"):
        decode_reel(octets)


@given(st.integers(1, 8000), st.integers(1, 8000), st.floats(0, 3600))
def test_measures_always_keep_within_the_room(wide: int, high: int, seconds: float) -> None:
    try:
        columns, rows, step = measures(wide, high, seconds)
    except Unreelable:
        assert seconds > 600
        return
    assert 1 <= columns <= 96
    assert 1 <= rows <= 96
    assert step >= FASTEST_MS
    assert seconds * 1000 / step <= MOST_FRAMES


def test_a_broken_gif_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = gif(tmp_path / "e.gif", (RED, 100), (BLUE, 100))
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(Refused) as found:
        shaped(path)
    assert "\n" not in found.value.message


def test_a_video_is_a_reel_where_its_package_is_and_one_sentence_elsewhere(
    tmp_path: Path,
) -> None:
    path = tmp_path / "film.mp4"
    try:
        import imageio_ffmpeg
    except ImportError:
        path.write_bytes(b"nothing")
        with pytest.raises(Refused, match="imageio-ffmpeg"):
            shaped(path)
        return
    shape = "testsrc=size=320x180:rate=25:duration=3"
    words = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-f", "lavfi", "-i", shape, str(path)]
    subprocess.run(words, check=True)
    reel = reel_of(path)
    assert (reel.columns, reel.rows, reel.frame_ms) == (96, 54, 50)
    assert reel.frames == pytest.approx(60, abs=2)
    assert (reel.colours(0.0) != reel.colours(2.0)).any()
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(Refused, match="no video"):
        shaped(path)


def test_what_is_flat_turns_its_front_to_every_viewer(tmp_path: Path) -> None:
    path = gif(tmp_path / "f.gif", (RED, 100), (BLUE, 100))
    found = shaped(path)
    assert found.reel is not None
    keep("d" * 64, found.reel)
    object = begin_object(found, "d" * 64, "", {"schema": "model/1", "turn": -5})
    made = layout(Rig("A", 4), Screen(960, 540))
    scene = pose(object, Life(0.05))
    frame = drawn(made, scene)
    for viewer in made.rig.viewers:
        assert alike(trace(made, viewer, frame).picture, meant(made, viewer, scene)) > 0.97
    views = [meant(made, viewer, scene, None) for viewer in made.rig.viewers]
    assert all(view.max() > 120 for view in views)
    assert all(alike(view, views[0]) > 0.9 for view in views)
