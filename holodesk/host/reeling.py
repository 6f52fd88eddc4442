"""Moving pictures from a stranger's file, inside the process that reads it (decisions 7).

A GIF's own times are kept to within a picture; a video is drawn as finely and as often as its
length leaves room for.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from holodesk.display.reel import FASTEST_MS, MOST_FRAMES, encode_reel

VIDEOS: Final = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi"})
SIDES: Final = (96, 80, 64, 48)
STEPS_MS: Final = (50, 66, 100, 125, 200)
ROOM: Final = 11 << 20
PACKED: Final = 0.45
"""What packing leaves of a video's octets, on the safe side."""
LEVELS: Final = np.uint8(0xF8)
"""Colours are kept to five bits: light on black shows no more, and it packs twice as well."""
DEFAULT_MS: Final = 100
WAY: Final = ("-protocol_whitelist", "file,pipe", "-nostdin")

U1 = npt.NDArray[np.uint8]


class Unreelable(Exception):
    """Why a file is no moving picture, in a sentence."""


def gif_reel(image: Any, side: int) -> bytes | None:
    """The pictures of an open GIF as a reel; None when it has only one."""
    if getattr(image, "n_frames", 1) < 2:
        return None
    times = []
    for number in range(image.n_frames):
        image.seek(number)
        times.append(max(20, int(image.info.get("duration") or DEFAULT_MS)))
    step = max(FASTEST_MS, min(times))
    count = max(1, round(sum(times) / step))
    if count > MOST_FRAMES:
        step = -(-sum(times) // MOST_FRAMES)
        count = sum(times) // step
    image.seek(0)
    card = image.convert("RGB")
    card.thumbnail((side, side))
    return encode_reel(card.height, card.width, step, _gif(image, times, step, count, card.size))


def _gif(
    image: Any, times: list[int], step: int, count: int, size: tuple[int, int]
) -> Iterator[U1]:
    """The picture that is shown at each step."""
    ends = np.cumsum(times)
    last = -1
    picture: U1 = np.zeros((size[1], size[0], 3), np.uint8)
    for number in range(count):
        wanted = min(int(np.searchsorted(ends, number * step, side="right")), len(times) - 1)
        if wanted != last:
            image.seek(wanted)
            clear = image.convert("RGBA").resize(size)
            pixels = np.asarray(clear, np.uint16)
            lit = pixels[..., :3] * pixels[..., 3:] // 255
            picture, last = (lit.astype(np.uint8) & LEVELS), wanted
        yield picture


def video_reel(path: Path) -> bytes:
    """A video as a reel. Raises Unreelable."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise Unreelable(
            "it is a video, and the package imageio-ffmpeg is not installed here "
            "(holodesk's extra `film`)"
        ) from None
    reader = imageio_ffmpeg.read_frames(str(path), input_params=list(WAY[:2]))
    try:
        about: dict[str, Any] = next(reader)
    except Exception as problem:  # whatever the decoder says of a strange file
        raise Unreelable("it is no video that can be read") from problem
    finally:
        reader.close()
    wide, high = about["size"]
    columns, rows, step = measures(wide, high, float(about.get("duration") or 0))
    return encode_reel(rows, columns, step, _video(imageio_ffmpeg, path, (columns, rows), step))


def measures(wide: int, high: int, seconds: float) -> tuple[int, int, int]:
    """Columns, rows and milliseconds a picture: the finest that so long a video has room for.

    Raises Unreelable: it has no size, or is too long.
    """
    if wide < 1 or high < 1:
        raise Unreelable("it has no pictures")
    for side in SIDES:
        share = side / max(wide, high)
        columns, rows = max(1, round(wide * share)), max(1, round(high * share))
        for step in STEPS_MS:
            count = seconds * 1000 / step
            if count <= MOST_FRAMES and count * rows * columns * 3 * PACKED <= ROOM:
                return columns, rows, step
    raise Unreelable(f"it lasts {seconds / 60:.0f} minutes, longer than is kept")


def _video(package: Any, path: Path, size: tuple[int, int], step: int) -> Iterator[U1]:
    columns, rows = size
    words = [package.get_ffmpeg_exe(), "-v", "error", *WAY, "-i", str(path), "-an", "-sn", "-dn"]
    shape = f"fps=1000/{step},scale={columns}:{rows}:flags=area"
    words += ["-vf", shape, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as decoder:
        assert decoder.stdout is not None
        octets = columns * rows * 3
        while len(picture := decoder.stdout.read(octets)) == octets:
            yield np.frombuffer(picture, np.uint8).reshape(rows, columns, 3) & LEVELS
