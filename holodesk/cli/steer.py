"""`holodesk steer DESK CONTROL VALUE`: turn one of the six controls (LH 3.7)."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, names, short
from holodesk.errors import Place, Usage
from holodesk.hologram.controls import CONTROLS
from holodesk.host.desk import Desk, Turning
from holodesk.host.settings import read_settings
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument("control", metavar="CONTROL", help=", ".join(CONTROLS))
    parser.add_argument("value", metavar="VALUE", help="an integer in the control's range")
    parser.add_argument("--allow", metavar="A,B", help="lens: offer only these ('*': all again)")
    parser.add_argument("--drop", metavar="A,B", help="slush: never carry these ('': carry all)")
    parser.add_argument("--reason", default="", help="why, in a few words")


def run(args: argparse.Namespace) -> int:
    turning = _turning(args)
    with Desk(args.desk, read_settings(), program="steer") as desk:
        frame = desk.turn(turning)
    answer: dict[str, Json] = {
        "seq": frame.seq,
        "frame_hash": frame.frame_hash,
        **{name: frame.payload[name] for name in ("control", "value", "detail", "previous")},
    }
    before = frame.payload["previous"]["value"]
    told = f"frame {frame.seq} ({short(frame.frame_hash)}): {args.control} {before} → "
    return give(args, answer, f"{told}{frame.payload['value']}, from the next pass on")


def _turning(args: argparse.Namespace) -> Turning:
    try:
        value = int(args.value)
    except ValueError:
        told = f"expected an integer, found {args.value[:40]}"
        raise Usage("VALUE", told, Place(field=args.control[:40])) from None
    for flag, control in (("allow", "lens"), ("drop", "slush")):
        if getattr(args, flag) is not None and args.control != control:
            raise Usage(f"--{flag}", f"--{flag} goes with the control {control}")
    listed = args.allow if args.allow is not None else args.drop
    if listed is None:
        return Turning(args.control, value, reason=args.reason)
    detail = None if listed.strip() == "*" else names(listed)
    if args.drop is not None and not detail:
        detail = None
    return Turning(args.control, value, detail, keep_detail=False, reason=args.reason)
