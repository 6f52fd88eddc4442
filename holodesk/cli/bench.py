"""`holodesk bench [NAME…]`: side by side with the naive way, in one run (decisions 9)."""

import argparse
import importlib
import json
import os
import platform
from typing import Final

from holodesk.cli.benches.figures import Bench
from holodesk.errors import Usage
from holodesk.rapp.canonical import Json

BENCHES: Final = {
    "replay": "replay",
    "canon": "canon",
    "pass": "passing",
    "display": "display",
    "reflex": "reliving",
}
MOST_PRIMITIVES: Final = 1_000_000


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help=", ".join(BENCHES))
    parser.add_argument(
        "--primitives", metavar="N", type=int, nargs="+", help="display: so many, not 10000"
    )
    parser.add_argument("--chain", metavar="FILE", help="replay: this chain instead of a made one")


def run(args: argparse.Namespace) -> int:
    for name in args.names:
        if name not in BENCHES:
            raise Usage("bench", f"expected one of {', '.join(BENCHES)}, found {name[:40]}")
    for count in args.primitives or ():
        if not 1 <= count <= MOST_PRIMITIVES:
            raise Usage("--primitives", f"expected 1 to {MOST_PRIMITIVES}, found {count}")
    found: dict[str, Bench] = {}
    for name in args.names or BENCHES:
        module = importlib.import_module(f"holodesk.cli.benches.{BENCHES[name]}")
        found[name] = module.measure(args)
        if not args.json:
            print(found[name].told(name), flush=True)
    if args.json:
        answer: dict[str, Json] = {
            "machine": _machine(),
            "benches": {name: bench.as_json() for name, bench in found.items()},
        }
        print(json.dumps(answer))
    return 0


def _machine() -> dict[str, Json]:
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "cores": os.cpu_count() or 1,
        "processor": platform.processor() or platform.machine(),
    }
