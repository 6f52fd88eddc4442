"""`holodesk new DESK`: a hologram with its key, its genesis and its own folders (LH 3.1)."""

import argparse
from dataclasses import replace
from pathlib import Path

from holodesk.agent.source import read
from holodesk.cli.answer import give, short
from holodesk.errors import Usage
from holodesk.host.content import KINDS, read_json_file, read_octets
from holodesk.host.desks import Beginning, from_kind, make_desk
from holodesk.host.keyring import key_file
from holodesk.host.modelling import TAG, begin_object, shaped
from holodesk.rapp.address import hash_octets
from holodesk.rapp.canonical import Json


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path, help="the folder to make")
    parser.add_argument("--kind", choices=KINDS, help="what it is (creature)")
    parser.add_argument("--object", metavar="FILE", type=Path, help="begin with this JSON object")
    parser.add_argument(
        "--model",
        metavar="FILE",
        type=Path,
        help="a GLB, glTF, OBJ, STL, PLY, OFF or XYZ, an image, a GIF or a video",
    )
    parser.add_argument("--up", choices=("y", "z"), help="which way is up in the model's file")
    parser.add_argument("--self-lens", metavar="FILE", type=Path, help="its own lens, for good")


def run(args: argparse.Namespace) -> int:
    kind = args.kind or ("model" if args.model is not None else "creature")
    beginning = _beginning(args, kind)
    if args.object is not None:
        beginning = replace(beginning, object=read_json_file(args.object))
    if args.self_lens is not None:
        source = read_octets(args.self_lens)
        beginning = replace(beginning, self_lens=read(source, args.self_lens.name))
    genesis = make_desk(args.desk, beginning)
    answer: dict[str, Json] = {
        "desk": str(args.desk),
        "kind": kind,
        "stream_id": genesis.stream_id,
        "head": {"seq": genesis.seq, "frame_hash": genesis.frame_hash},
        "key": str(key_file(genesis.stream_id)),
    }
    return give(
        args,
        answer,
        f"{args.desk}: a new {kind}, frame 0 ({short(genesis.frame_hash)})",
        f"its lenses: {args.desk / 'lenses'}",
        f"its key, which only you have: {key_file(genesis.stream_id)}",
    )


def _beginning(args: argparse.Namespace, kind: str) -> Beginning:
    """What its kind begins with; a model begins with the body of its file."""
    beginning = from_kind(kind)
    if (args.model is not None) != (kind == "model") and args.object is None:
        raise Usage("--model", "expected --model FILE for the kind model, and for no other")
    if args.model is None:
        return beginning
    if args.object is not None:
        raise Usage("--model", "expected --model or --object, found both")
    found = shaped(args.model, args.up)
    given = beginning.object if isinstance(beginning.object, dict) else {}
    address = hash_octets(TAG, found.octets)
    object = begin_object(found, address, args.model.stem, given)
    return replace(beginning, object=object, media=(found.octets,))
