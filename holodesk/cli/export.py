"""`holodesk export DESK OUT.jsonl`: the chain as JSON Lines, one canonical frame a line."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, short
from holodesk.host.exchanging import export_chain
from holodesk.host.modelling import media_folder, media_of
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument("out", metavar="OUT.jsonl", type=Path)


def run(args: argparse.Namespace) -> int:
    count, hologram, stays = export_chain(args.desk, args.out)
    head = hologram.head
    answer: dict[str, Json] = {
        "out": str(args.out),
        "frames": count,
        "head": {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash},
    }
    lines = [f"{args.out}: {count} frames, head {short(head.frame_hash)}"]
    if (address := media_of(hologram.object)) is not None:
        answer["media"] = None if stays else address
        lines.append(stays or f"its media: {media_folder(args.out) / address}")
    return give(args, answer, *lines)
