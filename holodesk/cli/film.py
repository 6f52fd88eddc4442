"""`holodesk film PATH --out DIR|FILE`: pictures of a hologram living (decisions 9; LH 3.11).

The clock is stepped: picture k stands at k / fps seconds, however long it takes to draw, so there
are exactly seconds x fps pictures and a second run gives the same octets. DIR takes PNG files, a
FILE ending in .gif is a GIF, and one ending in .mp4 needs the package imageio-ffmpeg.
"""

import argparse
import importlib.util
import itertools
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from holodesk.cli.snapshot import DAY_SECONDS, add_optics, fetch_body, laid_out, told_head
from holodesk.errors import Place, Refused, Unavailable, Usage
from holodesk.rapp.canonical import Json

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from holodesk.display.optics import Layout

    Pixels = npt.NDArray[np.uint8]

FASTEST: Final = 120.0
MOST: Final = 100_000
TELL_AFTER_SECONDS: Final = 1.0
NAME: Final = "picture-{:05d}.png"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a desk or a chain file")
    parser.add_argument(
        "--out", metavar="DIR|FILE", type=Path, required=True, help="a folder, a .gif or an .mp4"
    )
    parser.add_argument("--seconds", metavar="S", type=float, default=5.0, help="how long (5)")
    parser.add_argument("--fps", metavar="F", type=float, default=25.0, help="pictures a second")
    add_optics(parser)


def run(args: argparse.Namespace) -> int:
    from holodesk.cli.answer import give
    from holodesk.display.scene import Plate
    from holodesk.host.reading import read_object

    count = _count(args)
    write = _writer(args.out)
    _, drawn = laid_out(args)
    shown = read_object(args.path, args.seq)
    fetch_body(args.path, shown.object)
    plate = Plate(shown.frame_hash, shown.seq, shown.freshness)
    pictures = _told(_pictures(shown.object, plate, drawn, count, args.fps), count)
    try:
        write(args.out, pictures, args.fps, count)
    except OSError as problem:
        told = f"the film cannot be written: {problem.strerror or problem}"
        raise Unavailable("film", told, Place(file=str(args.out))) from problem
    answer: dict[str, Json] = {
        "out": str(args.out),
        "pictures": count,
        "fps": args.fps,
        "width": drawn.screen.width_px,
        "height": drawn.screen.height_px,
        "viewer": args.viewer,
        **told_head(shown, plate),
    }
    return give(args, answer, f"{args.out}: {count} pictures")


def _count(args: argparse.Namespace) -> int:
    if not 0 < args.fps <= FASTEST:
        raise Usage("--fps", f"expected more than 0 and at most {FASTEST:g}, found {args.fps:g}")
    if not 0 < args.seconds <= DAY_SECONDS:
        told = f"expected more than 0 and at most {DAY_SECONDS:g}, found {args.seconds:g}"
        raise Usage("--seconds", told)
    count = round(float(args.seconds) * float(args.fps))
    if not 1 <= count <= MOST:
        raise Usage("film", f"expected 1 to {MOST} pictures, found {count}")
    return count


def _pictures(
    object: Json, plate: Any, drawn: "Layout", count: int, fps: float
) -> "Iterator[Pixels]":
    """Every picture in turn, (rows, columns, 3)."""
    from holodesk.display.life import Life
    from holodesk.display.pose import pose
    from holodesk.display.raster import Raster
    from holodesk.display.sheet import sheet
    from holodesk.gui.ghost.glyphs import letters

    raster = Raster(drawn, letters())
    for number in range(count):
        raster.draw(sheet(pose(object, Life(number / fps)), drawn, plate))
        yield raster.screen()


def _told(pictures: "Iterator[Pixels]", count: int) -> "Iterator[Pixels]":
    """The same pictures; how far they are is said where it takes longer than a moment."""
    start = last = time.monotonic()
    said = False
    for number, picture in enumerate(pictures, 1):
        yield picture
        now = time.monotonic()
        if now - start > TELL_AFTER_SECONDS and (now - last > TELL_AFTER_SECONDS or not said):
            print(f"holodesk: film: {number} of {count} pictures", file=sys.stderr)
            last, said = now, True


def _writer(out: Path) -> Any:
    """How to write what this name asks for."""
    match out.suffix.lower():
        case ".gif":
            return _write_gif
        case ".mp4":
            if importlib.util.find_spec("imageio_ffmpeg") is None:
                told = "an MP4 needs the package imageio-ffmpeg, which is not installed here"
                raise Unavailable("film", told, Place(file=out.name))
            return _write_mp4
        case "":
            return _write_folder
    raise Usage("--out", f"expected a folder, a .gif or an .mp4, found {out.name[:60]}")


def _write_folder(out: Path, pictures: "Iterator[Pixels]", fps: float, count: int) -> None:
    from holodesk.display.png import png

    out.mkdir(parents=True, exist_ok=True)
    mine = {NAME.format(number) for number in range(count)}
    strange = sorted({path.name for path in out.glob("picture-*.png")} - mine)
    if strange:
        told = f"expected no picture of a longer film in the folder, found {strange[0]}"
        raise Refused("film", told, Place(file=str(out)))
    for number, picture in enumerate(pictures):
        (out / NAME.format(number)).write_bytes(png(picture))


def _write_gif(out: Path, pictures: "Iterator[Pixels]", fps: float, count: int) -> None:
    """Each picture in its own 256 colours; a GIF's time goes in hundredths of a second."""
    from PIL import Image

    begun = _hundredths(fps, count)
    frames = (Image.fromarray(picture).quantize(256) for picture in pictures)
    first = next(frames)
    with out.open("wb") as octets:
        first.save(
            octets,
            "GIF",
            save_all=True,
            append_images=frames,
            duration=[10 * (two - one) for one, two in itertools.pairwise(begun)],
            loop=0,
            optimize=False,
        )


def _hundredths(fps: float, count: int) -> list[int]:
    """When each picture begins, and the end; no two at once."""
    at = [0]
    for number in range(1, count + 1):
        at.append(max(at[-1] + 1, round(100 * number / fps)))
    return at


def _write_mp4(out: Path, pictures: "Iterator[Pixels]", fps: float, count: int) -> None:
    import imageio_ffmpeg
    import numpy as np

    first = next(pictures)
    rows, columns = (size - size % 2 for size in first.shape[:2])
    film: Generator[None, bytes, None] = imageio_ffmpeg.write_frames(
        str(out), (columns, rows), fps=fps, macro_block_size=1, quality=8
    )
    film.send(None)  # type: ignore[arg-type]
    film.send(np.ascontiguousarray(first[:rows, :columns]).tobytes())
    for picture in pictures:
        film.send(np.ascontiguousarray(picture[:rows, :columns]).tobytes())
    film.close()
