"""`holodesk template`: the pyramid to cut, or the angle of the one you have (display A4).

`template --out FILE.svg|.dxf|.pdf` draws the pyramid of a rig to scale. `template --measure INNER
OUTER THIRD` says what pyramid three lengths make.
"""

import argparse
from pathlib import Path

from holodesk.cli.answer import give
from holodesk.display.drawing import FORMATS
from holodesk.display.rig import Rig, Screen
from holodesk.display.sight import FEW, share_of_face
from holodesk.display.template import (
    Pyramid,
    ghost_offset_mm,
    measured,
    net,
    of_rig,
    thinnest_ghost_mm,
)
from holodesk.errors import Usage
from holodesk.host.content import write_whole
from holodesk.rapp.canonical import Json

SCREEN_PX_PER_MM = 4.0


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, help="a .svg, .dxf or .pdf to write")
    parser.add_argument("--faces", metavar="N", type=int, default=4, help="1 to 8 (4)")
    parser.add_argument("--rig", choices=("A", "B", "C"), default="A")
    parser.add_argument("--slope", metavar="DEG", type=float, default=45.0, help="of a face (45)")
    parser.add_argument("--half", metavar="MM", type=float, default=100.0, help="centre to edge")
    parser.add_argument("--gap", metavar="MM", type=float, default=10.0, help="centre to opening")
    parser.add_argument("--eye", metavar="DEG", type=float, help="how high the viewers' eyes are")
    parser.add_argument("--sheet", metavar="MM", type=float, help="thickness of the clear sheet")
    parser.add_argument("--px-per-mm", metavar="N", type=float, default=SCREEN_PX_PER_MM)
    parser.add_argument(
        "--measure", nargs=3, type=float, metavar=("INNER", "OUTER", "THIRD"), help="lengths in mm"
    )
    parser.add_argument("--third", choices=("edge", "slant", "height"), default="edge")


def run(args: argparse.Namespace) -> int:
    if args.out is not None and args.out.suffix.lstrip(".") not in FORMATS:
        told = f"expected a file ending in .{', .'.join(FORMATS)}, found {args.out.name}"
        raise Usage("--out", told)
    if args.measure is not None:
        inner, outer, third = args.measure
        pyramid = measured(inner, outer, third, args.third, args.faces)
        rig = Rig(args.rig, args.faces, slope_deg=min(75.0, max(20.0, pyramid.slope_deg)))
    else:
        rig = Rig(args.rig, args.faces, slope_deg=args.slope, gap_mm=args.gap, half_mm=args.half)
        side = int(2 * args.half * args.px_per_mm)
        pyramid = of_rig(rig, Screen(side, side, args.px_per_mm))
    if args.out is not None:
        write_whole(args.out, FORMATS[args.out.suffix.lstrip(".")](net(pyramid)))
    return _tell(args, rig, pyramid)


def _tell(args: argparse.Namespace, rig: Rig, pyramid: Pyramid) -> int:
    best = 2 * pyramid.slope_deg - 90 if rig.kind != "B" else 90 - 2 * pyramid.slope_deg
    eye = best if args.eye is None else args.eye
    share = share_of_face(rig, eye)
    answer: dict[str, Json] = {
        "faces": pyramid.faces,
        "slope_deg": round(pyramid.slope_deg, 3),
        "inner_mm": round(pyramid.inner_mm, 3),
        "outer_mm": round(pyramid.outer_mm, 3),
        "slant_mm": round(pyramid.slant_mm, 3),
        "edge_mm": round(pyramid.edge_mm, 3),
        "height_mm": round(pyramid.height_mm, 3),
        "base_angle_deg": round(pyramid.base_angle_deg, 3),
        "best_eye_deg": round(best, 3),
        "eye_deg": round(eye, 3),
        "visible_share": round(share, 3),
        "out": None if args.out is None else str(args.out),
    }
    lines = [
        (
            f"{pyramid.faces} faces at {pyramid.slope_deg:.1f} degrees, "
            f"{pyramid.height_mm:.1f} mm high; edges {pyramid.inner_mm:.2f} and "
            f"{pyramid.outer_mm:.2f} mm, slant {pyramid.slant_mm:.2f} mm"
        ),
        (
            f"seen best from {best:+.0f} degrees; from {eye:+.0f} degrees one sees "
            f"{share:.0%} of each face's height"
        ),
    ]
    if share < FEW:
        lines.append("that is little: raise or lower the eyes, or choose another slope")
    if args.sheet is not None:
        lines.append(_ghost(args, pyramid, answer))
    if args.out is not None:
        lines.append(f"{args.out}: print it at 100 %")
    return give(args, answer, *lines)


def _ghost(args: argparse.Namespace, pyramid: Pyramid, answer: dict[str, Json]) -> str:
    offset = ghost_offset_mm(args.sheet, pyramid.slope_deg)
    thin = thinnest_ghost_mm(args.px_per_mm, pyramid.slope_deg)
    answer["ghost_mm"] = round(offset, 3)
    answer["ghost_px"] = round(offset * args.px_per_mm, 2)
    told = f"the second surface shows a ghost {offset:.2f} mm beside the picture"
    return f"{told} ({offset * args.px_per_mm:.1f} px); under {thin:.2f} mm it is under one pixel"
