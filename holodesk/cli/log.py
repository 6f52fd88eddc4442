"""`holodesk log DESK`: who chose what, through which lens, newest first (LH 3.3)."""

import argparse
from collections import deque
from dataclasses import asdict
from pathlib import Path
from typing import Final

from holodesk.cli.answer import give, short
from holodesk.errors import Usage
from holodesk.host.reading import verify
from holodesk.rapp.canonical import Json
from holodesk.view.lineage import LineageRow, row

MAX_ROWS: Final = 1_000_000


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="DESK", type=Path, help="a desk or a chain file")
    parser.add_argument("--count", type=int, default=50, metavar="N", help="how many rows (50)")


def run(args: argparse.Namespace) -> int:
    if not 0 < args.count <= MAX_ROWS:
        raise Usage("--count", f"expected 1 to {MAX_ROWS}, found {args.count}")
    rows: deque[LineageRow] = deque(maxlen=args.count)
    found = verify(args.path, None, seen=lambda frame, hologram: rows.append(row(frame)))
    if found.outcome.refusal is not None:
        raise found.outcome.refusal
    newest = list(reversed(rows))
    total = found.head.frames if found.head else 0
    answer: dict[str, Json] = {"rows": [asdict(each) for each in newest], "total": total}
    return give(args, answer, *(_line(each) for each in newest))


def _line(each: LineageRow) -> str:
    mark = "" if each.signed else "  unsigned"
    told = f"{each.seq:>6}  {short(each.frame_hash)}  {each.utc}  {each.kind:<8} {each.title:<14}"
    return f"{told} {each.caller:<20} {each.summary}{mark}".rstrip()
