"""`holodesk verify PATH`: all seven steps, the controls, and the replay of every tile (LH 3.3)."""

import argparse
import json
from pathlib import Path

from holodesk.cli.answer import refusal_json, say, short
from holodesk.cli.runner import lens_machine
from holodesk.errors import Unavailable, Usage
from holodesk.host.content import read_octets
from holodesk.host.reading import Verified, verify
from holodesk.rapp.registry import parse_registry
from holodesk.rapp.signature import Keyring
from holodesk.view.words import plain

EXIT = {"verified": 0, "links-verified": 0, "refused": 1, "undetermined": 3}


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", type=Path, help="a desk or a chain file")
    parser.add_argument("--links-only", action="store_true", help="check the links, replay nothing")
    parser.add_argument("--registry", metavar="FILE", type=Path, help="a signed registry document")
    parser.add_argument("--owner", metavar="RAPPID", help="whose registry it must be, told to you")


def run(args: argparse.Namespace) -> int:
    registry = _registry(args)
    if args.links_only:
        found = verify(args.path, None, registry=registry)
    else:
        if not args.path.exists():
            raise Unavailable("chain", f"expected a desk or a chain file at {args.path}")
        with lens_machine(many=True) as machine:
            found = verify(args.path, machine, registry=registry)
    answer = found.as_json()
    if found.outcome.refusal is not None:
        answer["refusal"] = refusal_json(found.outcome.refusal)
    if args.json:
        print(json.dumps(answer))
    else:
        print(_told(found))
    if found.outcome.refusal is not None:
        say(found.outcome.refusal)
    return EXIT[found.verdict]


def _registry(args: argparse.Namespace) -> Keyring:
    """The keys that a registry names; it counts only for the owner one was told of (13.1)."""
    if (args.registry is None) != (args.owner is None):
        raise Usage("--registry", "--registry and --owner go together")
    if args.registry is None:
        return Keyring.EMPTY
    return parse_registry(read_octets(args.registry), args.owner).keyring


def _told(found: Verified) -> str:
    outcome, last = found.outcome, found.head
    if last is None:
        return f"{found.verdict}: no frame holds"
    signed = "signed" if last.signed else "unsigned: it says nothing of who wrote it"
    head = f"head {short(last.head.frame_hash)}, frame {last.head.seq}"
    counts = f"{last.frames} frames, {last.tiles} tiles, {outcome.replayed} replayed"
    lines = [f"{found.verdict}: {counts}, {signed}; {head}; {found.seconds:.2f} s"]
    unjudged = outcome.undetermined
    lines += [f"frame {seq} could not be judged here: {plain(why)}" for seq, why in unjudged]
    if found.note:
        lines.append(found.note)
    return "\n".join(lines)
