"""`holodesk import IN.jsonl DESK`: a desk from a chain file, verified and replayed first."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, short
from holodesk.cli.runner import lens_machine
from holodesk.host.exchanging import import_chain
from holodesk.host.keyring import key_file
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chain", metavar="IN.jsonl", type=Path)
    parser.add_argument("desk", metavar="DESK", type=Path)


def run(args: argparse.Namespace) -> int:
    with lens_machine(many=True) as machine:
        hologram, stays = import_chain(args.chain, args.desk, machine)
    head = hologram.head
    writable = key_file(head.stream_id).exists() and hologram.genesis.spki is not None
    answer: dict[str, Json] = {
        "desk": str(args.desk),
        "frames": hologram.frames,
        "head": {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash},
        "signed": hologram.signed,
        "writable": writable,
    }
    may = "" if writable else "; read only: its key is not on this machine"
    told = f"{args.desk}: {hologram.frames} frames, head {short(head.frame_hash)}{may}"
    return give(args, answer, told, *([stays] if stays else []))
