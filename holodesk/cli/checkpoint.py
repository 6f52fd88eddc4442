"""`holodesk checkpoint DESK NEW`: a new stream that carries the old head (LH 3.1)."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, short
from holodesk.host.checkpointing import make_checkpoint
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument("new", metavar="NEW", type=Path, help="the desk of the new stream")


def run(args: argparse.Namespace) -> int:
    genesis = make_checkpoint(args.desk, args.new)
    came_from = genesis.payload["from"]
    answer: dict[str, Json] = {
        "desk": str(args.new),
        "stream_id": genesis.stream_id,
        "from": came_from,
    }
    told = f"{args.new}: a new stream from frame {came_from['seq']} "
    return give(args, answer, f"{told}({short(came_from['frame_hash'])}) of {args.desk}")
