"""`holodesk poke DESK`: touch a hologram that is shown, or tell its body of the world (LH 3.6)."""

import argparse
from pathlib import Path

from holodesk.cli.answer import give
from holodesk.errors import Usage
from holodesk.host.desks import find_desk
from holodesk.host.outside import send
from holodesk.rapp.canonical import Json
from holodesk.reflex.shape import MARKS, event_problem
from holodesk.reflex.world import Event

FARTHEST = 10.0
"""Units from the middle to the edge of the stage."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("desk", metavar="DESK", type=Path)
    parser.add_argument(
        "--at", metavar="X,Z", default="0,0", help="where: units to the right and to the back"
    )
    parser.add_argument("--times", metavar="N", type=int, default=1, help="so often, 1 to 8")
    parser.add_argument(
        "--env", metavar="NAME=VALUE", help="no touch: a whole number or a word of the world"
    )
    parser.add_argument("--mark", choices=MARKS, default="fresh", help="how fresh the world is")


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.times <= 8:
        raise Usage("--times", f"expected 1 to 8, found {args.times}")
    event = _touch(args.at) if args.env is None else _world(args.env, args.mark)
    problem = event_problem(event.kind, event.payload)
    if problem is not None:
        raise Usage("poke", f"expected {problem}")
    desk = find_desk(args.desk)
    for _ in range(args.times):
        send(desk, event)
    answer: dict[str, Json] = {
        "desk": str(args.desk),
        "kind": event.kind,
        "payload": event.payload,
        "times": args.times,
    }
    return give(args, answer, f"{args.desk}: {event.kind} heard")


def _touch(words: str) -> Event:
    try:
        x, z = (float(part) for part in words.split(","))
    except ValueError:
        raise Usage("--at", f"expected X,Z in units, found {words[:40]}") from None
    if not (abs(x) <= FARTHEST and abs(z) <= FARTHEST):
        raise Usage("--at", f"expected units from -10 to 10, found {words[:40]}")
    return Event("poke", {"x": round(x * 1000), "z": round(z * 1000)})


def _world(words: str, mark: str) -> Event:
    name, equals, value = words.partition("=")
    if not equals or not name:
        raise Usage("--env", f"expected NAME=VALUE, found {words[:40]}")
    told: Json = int(value) if value.lstrip("-").isdigit() and len(value) < 16 else value
    return Event("env", {"source": name, "value": told, "mark": mark})
