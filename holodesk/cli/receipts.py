"""`holodesk import-run RECEIPTS DESK`: a real game run into a hologram (LH 4.1)."""

import argparse
import sys
from pathlib import Path

from holodesk.cli.answer import give, short
from holodesk.cli.runner import lens_machine
from holodesk.host.running import import_run
from holodesk.host.settings import read_settings
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("receipts", metavar="RECEIPTS", type=Path, help="jsonl or jsonl.gz")
    parser.add_argument("desk", metavar="DESK", type=Path, help="a desk of the kind gamerun")


def run(args: argparse.Namespace) -> int:
    def progress(done: int, total: int) -> None:
        if sys.stderr.isatty():
            end = "\n" if done == total else ""
            print(f"\r{done} of {total} presses", end=end, file=sys.stderr, flush=True)

    with lens_machine() as machine:
        brought = import_run(args.receipts, args.desk, read_settings(), machine, progress)
    head = brought.hologram.head
    aside = [run for run in brought.runs if run.why_not]
    answer: dict[str, Json] = {
        "appended": brought.appended,
        "known": brought.known,
        "runs": [
            {"run": run.run_id, "presses": len(run.receipts), "set_aside": run.why_not}
            for run in brought.runs
        ],
        "head": {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash},
    }
    taken = len(brought.runs) - len(aside)
    return give(
        args,
        answer,
        f"{brought.appended} presses appended, {brought.known} known already, from {taken} runs; "
        f"head {short(head.frame_hash)}, frame {head.seq}",
        *(f"run {run.run_id} set aside: {run.why_not}" for run in aside),
    )
