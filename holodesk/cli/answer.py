"""How a verb answers: one JSON object, or plain lines; a refusal is one sentence (decisions 9)."""

import argparse
import json
import sys
from collections.abc import Mapping

from holodesk.errors import HolodeskError, Place, Rejected, Usage
from holodesk.rapp.canonical import Json, parse
from holodesk.view.words import plain


def give(args: argparse.Namespace, answer: Mapping[str, Json], *lines: str) -> int:
    """Answer a verb that did what was asked, in lines that are one line each; exit code 0."""
    if args.json:
        print(json.dumps(answer))
    else:
        for line in lines:
            print(plain(line))
    return 0


def give_refusal(problem: HolodeskError, *, as_json: bool) -> int:
    """One sentence on standard error, and the object where it was asked for; the exit code."""
    if as_json:
        print(json.dumps({"refusal": refusal_json(problem)}))
    say(problem)
    return problem.exit_code


def say(problem: HolodeskError) -> None:
    """A refusal as one sentence on standard error, on one line whatever it quotes."""
    print(f"holodesk: {plain(str(problem))}", file=sys.stderr)


def refusal_json(problem: HolodeskError) -> dict[str, Json]:
    """A refusal as an answer carries it."""
    told: dict[str, Json] = {
        "family": type(problem).__name__,
        "rule": problem.rule,
        "step": problem.step,
        "seq": problem.where.seq,
        "message": problem.message,
        "place": str(problem.where),
    }
    if isinstance(problem, Rejected):
        told["problems"] = list(problem.problems)
    return told


def json_object(text: str, name: str) -> dict[str, Json]:
    """A JSON object given as a word of the command.

    Raises:
        Usage: not a JSON object.
    """
    try:
        value = parse(text.encode())
    except (HolodeskError, UnicodeEncodeError) as problem:
        why = problem.message if isinstance(problem, HolodeskError) else "not UTF-8"
        raise Usage(name, f"expected a JSON object: {why}", Place(field=name)) from problem
    if not isinstance(value, dict):
        raise Usage(name, f"expected a JSON object, found {text[:40]}", Place(field=name))
    return value


def names(text: str | None) -> tuple[str, ...] | None:
    """A comma-separated list of names; None where none was given."""
    if text is None:
        return None
    return tuple(name for part in text.split(",") if (name := part.strip()))


def short(frame_hash: str) -> str:
    """The eight digits by which people name a frame."""
    return frame_hash[:8]
