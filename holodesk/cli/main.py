"""The verbs: one table, each loaded when it is called (decisions 9).

Every verb takes `--json`: one JSON object on standard output and nothing else there, also when
something is refused. A refusal is one sentence on standard error. Exit 0 done, 1 refused, 2 wrong
usage, 3 unavailable.
"""

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, Final, NoReturn

from holodesk import VERSION
from holodesk.cli.answer import give_refusal
from holodesk.errors import HolodeskError, Place, Unavailable, Usage

VERBS: Final = {
    "show": ("show", "open the display and the console"),
    "new": ("new", "make a new hologram on a desk of its own"),
    "pass": ("take", "take a hologram through a lens, once"),
    "steer": ("steer", "turn one of the six controls"),
    "offer": ("offer", "print exactly what a caller would be shown"),
    "verify": ("verify", "verify a desk or a chain file, every tile replayed"),
    "log": ("log", "the lineage, newest first"),
    "export": ("export", "write a desk's chain as JSON Lines"),
    "import": ("bring", "make a desk from a chain file, verified first"),
    "follow": ("follow", "read on in a growing chain file"),
    "import-run": ("receipts", "bring a game run's press receipts into a hologram"),
    "checkpoint": ("checkpoint", "begin a new stream that carries the old head"),
    "snapshot": ("snapshot", "write the output picture, pixel for pixel"),
    "film": ("film", "write pictures of a hologram living, on a stepped clock"),
    "template": ("template", "the pyramid to cut, or the angle of the one you have"),
    "poke": ("poke", "touch a hologram that is shown"),
    "reflex": ("reflex", "what a body runs, and who verified it"),
    "lens": ("lens", "check lens files before they are offered"),
    "conform": ("conform", "run every vector file in a folder"),
    "bench": ("bench", "measure side by side with the naive way"),
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one sentence of our own; words are never guessed."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **given})

    def error(self, message: str) -> NoReturn:
        raise Usage(self.prog, message)


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code."""
    given = list(sys.argv[1:] if words is None else words)
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    wants_json = "--json" in given
    _speak_anywhere()
    try:
        code = _run(given)
        sys.stdout.flush()
    except HolodeskError as problem:
        return give_refusal(problem, as_json=wants_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        told = f"the system refuses: {problem.strerror or problem}"
        where = Place(file=str(problem.filename) if problem.filename else None)
        return give_refusal(Unavailable("system", told, where), as_json=wants_json)
    except KeyboardInterrupt:
        return 130
    return code


def _speak_anywhere() -> None:
    """A character that the terminal or pipe cannot carry is escaped; it ends no verb."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(given: list[str]) -> int:
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help", "--version")):
        given = ["show", *given]
    parser = Parser(prog="holodesk", description="Living holograms on a clear pyramid.")
    parser.add_argument("--version", action="version", version=f"holodesk {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    chosen = given[0] if given[0] in VERBS else None
    verb: Any = None
    for name, (module, told) in VERBS.items():
        sub = verbs.add_parser(name, help=told, description=told.capitalize() + ".")
        if name == chosen:
            verb = importlib.import_module(f"holodesk.cli.{module}")
            sub.add_argument("--json", action="store_true", help="answer with one JSON object")
            verb.add(sub)
    if chosen is None and not given[0].startswith("-"):
        raise Usage("holodesk", f"expected one of {', '.join(VERBS)}, found {given[0][:40]}")
    args = parser.parse_args(given)
    code = verb.run(args)
    return int(code)
