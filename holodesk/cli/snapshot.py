"""`holodesk snapshot PATH --out PNG`: the output picture, pixel for pixel (decisions 9; LH 3.11).

The same desk, size and rig always give the same octets. With `--viewer K` it is the upright picture
that viewer K is meant to see, exactly the picture box; 0 is the front, then counter-clockwise seen
from above.
"""

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from holodesk.errors import Place, Refused, Unavailable, Usage
from holodesk.rapp.canonical import Json

if TYPE_CHECKING:
    from holodesk.display.optics import Layout
    from holodesk.display.profile import Profile
    from holodesk.display.rig import Rig, Screen
    from holodesk.display.scene import Plate
    from holodesk.display.sheet import Sheet
    from holodesk.host.reading import Shown

SIZE: Final = re.compile(r"^(\d{2,5})x(\d{2,5})$")
SIZE_PX: Final = "1920x1080"
DAY_SECONDS: Final = 86_400.0


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", nargs="?", help="a desk or a chain file")
    parser.add_argument("--out", metavar="PNG", type=Path, required=True)
    add_optics(parser)
    parser.add_argument("--pattern", action="store_true", help="the test picture instead")
    parser.add_argument(
        "--seconds", metavar="T", type=float, default=0.0, help="how long it has been alive"
    )


def add_optics(parser: argparse.ArgumentParser) -> None:
    """How screen and pyramid stand, who looks, and at which frame."""
    parser.add_argument("--profile", metavar="NAME|FILE", help="a screen as it was set up")
    parser.add_argument("--size", metavar="WxH", help="pixels of the screen (1920x1080)")
    parser.add_argument("--rig", choices=("A", "B", "C"), help="how it stands (A)")
    parser.add_argument("--faces", metavar="N", type=int, help="1 to 8 (4)")
    parser.add_argument("--turn", metavar="D", type=int, help="0, 90, 180 or 270, clockwise (0)")
    parser.add_argument(
        "--slope", metavar="DEG", type=float, help="of a face, from the horizontal (45)"
    )
    parser.add_argument("--seq", metavar="N", type=int, help="as it was at this frame")
    parser.add_argument("--viewer", metavar="K", type=int, help="what one viewer is meant to see")


def run(args: argparse.Namespace) -> int:
    from holodesk.cli.answer import give
    from holodesk.display.png import png
    from holodesk.display.raster import Raster
    from holodesk.gui.ghost.glyphs import letters

    if not 0 <= args.seconds <= DAY_SECONDS:
        raise Usage("--seconds", f"expected 0 to {DAY_SECONDS:g}, found {args.seconds:g}")
    made, drawn = laid_out(args)
    sheet, named = _sheet(args, drawn)
    raster = Raster(drawn, letters(), whole=args.pattern)
    raster.draw(sheet)
    pixels = raster.screen()
    _write(args.out, png(pixels))
    answer: dict[str, Json] = {
        "out": str(args.out),
        "width": int(pixels.shape[1]),
        "height": int(pixels.shape[0]),
        "viewer": args.viewer,
        **named,
        "geometry": _geometry(made),
    }
    return give(args, answer, f"{args.out}: {pixels.shape[1]} x {pixels.shape[0]}")


def laid_out(args: argparse.Namespace) -> "tuple[Layout, Layout]":
    """Where every face is, and what is drawn: all of it, or what one viewer is meant to see."""
    from holodesk.display.optics import layout
    from holodesk.display.sheet import upright

    profile = _profile(args.profile)
    made = layout(_rig(args, profile), _screen(args.size, profile))
    if args.viewer is None:
        return made, made
    if args.viewer not in made.rig.viewers:
        there = ", ".join(map(str, made.rig.viewers))
        raise Usage("--viewer", f"expected one of {there}, found {args.viewer}")
    return made, upright(made, args.viewer)


def _sheet(args: argparse.Namespace, drawn: "Layout") -> "tuple[Sheet, dict[str, Json]]":
    """What to draw, and the head that it names."""
    from holodesk.display.life import Life
    from holodesk.display.pattern import pattern_sheet
    from holodesk.display.pose import pose
    from holodesk.display.scene import Plate
    from holodesk.display.sheet import sheet
    from holodesk.host.reading import read_object

    if args.pattern:
        return pattern_sheet(drawn), {}
    if args.path is None:
        raise Usage("snapshot", "expected a desk, a chain file or --pattern, found none")
    shown = read_object(args.path, args.seq)
    fetch_body(args.path, shown.object)
    plate = Plate(shown.frame_hash, shown.seq, shown.freshness)
    return sheet(pose(shown.object, Life(args.seconds)), drawn, plate), told_head(shown, plate)


def fetch_body(path: str, object: Json) -> None:
    """Bring the media that an object names; what cannot be brought is said, and not drawn."""
    from holodesk.host.modelling import fetch

    if problem := fetch(Path(path), object):
        print(f"holodesk: the model is not shown: {problem}", file=sys.stderr)


def told_head(shown: "Shown", plate: "Plate") -> dict[str, Json]:
    """The head that a picture names, for an answer."""
    return {
        "head": {
            "stream_id": shown.stream_id,
            "seq": shown.seq,
            "frame_hash": shown.frame_hash,
        },
        "freshness": shown.freshness,
        "signed": shown.signed,
        "plate": plate.words,
    }


def _profile(named: str | None) -> "Profile | None":
    from holodesk.host.profiles import profile_path, read_profile

    return read_profile(profile_path(named)) if named is not None else None


def _rig(args: argparse.Namespace, profile: "Profile | None") -> "Rig":
    """The rig of the profile; what is said here counts more."""
    from holodesk.display.rig import Rig

    asked = {
        "kind": args.rig,
        "faces": args.faces,
        "turn_deg": args.turn,
        "slope_deg": args.slope,
    }
    given = {name: value for name, value in asked.items() if value is not None}
    try:
        return replace(Rig() if profile is None else profile.rig, **given)
    except Refused as problem:
        raise Usage("snapshot", problem.message, problem.where) from problem


def _screen(words: str | None, profile: "Profile | None") -> "Screen":
    from holodesk.display.rig import PX_PER_MM, Screen

    if words is None and profile is not None:
        bound = profile.screen
        return Screen(bound.width_px, bound.height_px, profile.px_per_mm or PX_PER_MM)
    size = SIZE.match(words or SIZE_PX)
    if size is None:
        raise Usage("--size", f"expected WIDTHxHEIGHT in pixels, found {str(words)[:40]}")
    density = profile.density(int(size[1])) if profile is not None else None
    try:
        return Screen(int(size[1]), int(size[2]), density or PX_PER_MM)
    except Refused as problem:
        raise Usage("--size", problem.message, problem.where) from problem


def _geometry(made: "Layout") -> dict[str, Json]:
    """Enough to follow the light by hand: millimetres, degrees, and the picture box."""
    return {
        "rig": made.rig.kind,
        "faces": made.rig.faces,
        "turn_deg": made.rig.turn_deg,
        "slope_deg": made.rig.slope_deg,
        "px_per_mm": made.screen.px_per_mm,
        "gap_mm": made.gap_mm,
        "half_mm": made.half_mm,
        "picture": {
            "width_mm": made.box.width_mm,
            "height_mm": made.box.height_mm,
            "bottom_mm": made.box.bottom_mm,
        },
    }


def _write(path: Path, octets: bytes) -> None:
    try:
        path.write_bytes(octets)
    except OSError as problem:
        told = f"the picture cannot be written: {problem.strerror or problem}"
        raise Unavailable("snapshot", told, Place(file=str(path))) from problem
