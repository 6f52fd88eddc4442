"""`holodesk pass DESK LENS`: one pass of the portal (LH 3.4)."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give, json_object, short
from holodesk.cli.runner import lens_machine
from holodesk.errors import Place, Usage
from holodesk.hologram.genesis import CALLER_KINDS
from holodesk.hologram.tile import Caller
from holodesk.host.desk import Desk
from holodesk.host.settings import read_settings
from holodesk.portal.caller import Choice
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument("lens", metavar="LENS", help="a lens on offer, by name")
    parser.add_argument("--params", metavar="JSON", default="{}", help="what the caller chooses")
    parser.add_argument(
        "--facts",
        metavar="JSON",
        help='facts by source; "observed" is what was seen after the choice',
    )
    parser.add_argument("--caller", metavar="ID", help="who chooses (the desk's owner)")
    parser.add_argument("--caller-kind", metavar="KIND", default="person", choices=CALLER_KINDS)
    parser.add_argument("--persona", metavar="NAME", help="under which name they work")


def run(args: argparse.Namespace) -> int:
    params = json_object(args.params, "--params")
    facts = None if args.facts is None else json_object(args.facts, "--facts")
    observed = (facts or {}).pop("observed", None)
    if observed is not None and not isinstance(observed, dict):
        told = "expected observed to be an object of facts"
        raise Usage("--facts", told, Place(field="--facts"))
    with (
        Desk(args.desk, read_settings(), program="pass") as desk,
        lens_machine() as machine,
    ):
        caller = Caller(args.caller or desk.hologram.genesis.owner, args.caller_kind, args.persona)
        a_pass = desk.open_pass(machine, facts or None)
        tile = desk.take(a_pass, Choice(args.lens, params, caller), observed)
        answer: dict[str, Json] = {
            "seq": tile.seq,
            "frame_hash": tile.frame_hash,
            "lens": args.lens,
            "object": tile.payload["object"],
            "data_slush": tile.payload["data_slush"],
        }
    return give(args, answer, f"frame {tile.seq} ({short(tile.frame_hash)}): {args.lens}")
