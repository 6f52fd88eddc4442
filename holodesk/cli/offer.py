"""`holodesk offer DESK`: exactly what a caller would be shown, and nothing else (LH 3.2)."""

import argparse
import json
from pathlib import Path

from holodesk.cli.answer import give
from holodesk.cli.runner import lens_machine
from holodesk.host.desk import Desk
from holodesk.host.settings import read_settings


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)


def run(args: argparse.Namespace) -> int:
    with Desk(args.desk, read_settings(), write=False) as desk, lens_machine() as machine:
        offer = desk.offer(machine).as_json()
    return give(args, offer, *json.dumps(offer, indent=2, ensure_ascii=False).split("\n"))
