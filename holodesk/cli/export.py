"""`holodesk export DESK OUT.jsonl`: the chain as JSON Lines, one canonical frame a line."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, short
from holodesk.host.exchanging import export_chain
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument("out", metavar="OUT.jsonl", type=Path)


def run(args: argparse.Namespace) -> int:
    count, hologram = export_chain(args.desk, args.out)
    head = hologram.head
    answer: dict[str, Json] = {
        "out": str(args.out),
        "frames": count,
        "head": {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash},
    }
    return give(args, answer, f"{args.out}: {count} frames, head {short(head.frame_hash)}")
