"""`holodesk follow IN.jsonl`: each new verified head of a growing chain file, as it comes."""

import argparse
import json
from pathlib import Path

from holodesk.cli.answer import short
from holodesk.cli.runner import lens_machine
from holodesk.errors import Refused, Usage
from holodesk.hologram.chain import Hologram
from holodesk.host.exchanging import follow_file


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chain", metavar="IN.jsonl", type=Path)
    parser.add_argument("--once", action="store_true", help="stop at the end of the file")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after so many seconds")


def run(args: argparse.Namespace) -> int:
    def told(hologram: Hologram) -> None:
        if not args.json:
            print(f"frame {hologram.head.seq} ({short(hologram.head.frame_hash)})", flush=True)

    if args.seconds is not None and not args.seconds >= 0:
        raise Usage("--seconds", f"expected seconds from 0 on, found {args.seconds:g}")
    with lens_machine() as machine:
        hologram = follow_file(args.chain, machine, told, once=args.once, seconds=args.seconds)
    if hologram is None:
        raise Refused("chain file", "expected frames, found none")
    head = hologram.head
    if args.json:
        answer = {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash}
        print(json.dumps({"head": answer, "frames": hologram.frames}))
    return 0
