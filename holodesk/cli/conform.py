"""`holodesk conform [DIR]`: vector files run, recorded chains judged (decisions 9).

Vectors hold or fail; foreign chains are only judged, and a refusal among them is no failure.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from holodesk.cli.answer import refusal_json
from holodesk.cli.vector_files import Findings, look_through
from holodesk.errors import HolodeskError, Refused
from holodesk.rapp.canonical import Json
from holodesk.rapp.outcome import Outcome
from holodesk.rapp.verdict import Verdict

DEFAULT: Final = Path("../shared/data")
_COLUMNS: Final = ("chain", "frames", "hashes", "links", "strict", "strict-14", "first refusal")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dir", metavar="DIR", nargs="?", type=Path, default=DEFAULT)


def run(args: argparse.Namespace) -> int:
    found = look_through(args.dir)
    failure = _failure(found)
    if args.json:
        print(json.dumps(_answer(found, failure), ensure_ascii=False))
    else:
        for line in _lines(found):
            print(line)
    if failure is None:
        return 0
    print(f"holodesk: {failure}", file=sys.stderr)
    return failure.exit_code


def _failure(found: Findings) -> HolodeskError | None:
    outcomes = [outcome for file in found.vectors.values() for outcome in file]
    failed = _count(outcomes, False)
    if not failed:
        return None
    counted = failed + _count(outcomes, True)
    return Refused("conform", f"{failed} of {counted} vectors do not hold")


def _count(outcomes: Iterable[Outcome], ok: bool | None) -> int:
    return sum(outcome.ok is ok for outcome in outcomes)


def _answer(found: Findings, failure: HolodeskError | None) -> dict[str, Json]:
    answer: dict[str, Json] = {
        "verdict": "holds" if failure is None else "fails",
        "vectors": {name: _file_json(outcomes) for name, outcomes in found.vectors.items()},
        "chains": {name: _verdict_json(verdict) for name, verdict in found.chains.items()},
        "passed_over": list(found.passed_over),
    }
    if failure is not None:
        answer["refusal"] = refusal_json(failure)
    return answer


def _file_json(outcomes: list[Outcome]) -> dict[str, Json]:
    return {
        "held": _count(outcomes, True),
        "failed": _count(outcomes, False),
        "failures": _named(outcomes, False),
        "conflicts": _named(outcomes, None),
    }


def _named(outcomes: list[Outcome], ok: bool | None) -> list[Json]:
    return [{"name": each.name, "message": each.message} for each in outcomes if each.ok is ok]


def _verdict_json(verdict: Verdict) -> dict[str, Json]:
    return {
        "frames": verdict.frames,
        "hashes": verdict.hashes,
        "links": verdict.links,
        "strict": verdict.strict,
        "strict_14": verdict.strict_14,
        "refusal": None if verdict.refusal is None else refusal_json(verdict.refusal),
    }


def _lines(found: Findings) -> Iterator[str]:
    width = max(map(len, found.vectors), default=0)
    for name, outcomes in found.vectors.items():
        held, failed = _count(outcomes, True), _count(outcomes, False)
        known = _count(outcomes, None)
        conflicts = f", {known} known to conflict" if known else ""
        yield f"{name:<{width}}  {held} of {held + failed} hold{conflicts}"
        for outcome in outcomes:
            if outcome.ok is False:
                yield f"  FAILS {outcome.name}: {outcome.message}"
            elif outcome.ok is None:
                yield f"  conflict {outcome.name}: {outcome.message}"
    if found.chains:
        yield ""
        yield from _table([_COLUMNS, *(_row(name, each) for name, each in found.chains.items())])
    yield ""
    yield f"{len(found.passed_over)} files passed over"
    for name in found.passed_over:
        yield f"  {name}"


def _row(name: str, verdict: Verdict) -> tuple[str, ...]:
    # Without its predecessor a single frame has no links, and nothing that rests on them.
    lone = verdict.links is None
    counts = (verdict.links, verdict.strict, verdict.strict_14)
    return (
        name,
        str(verdict.frames),
        str(verdict.hashes),
        *("–" if lone or count is None else f"{count}/{verdict.frames}" for count in counts),
        _told(verdict.refusal),
    )


def _told(refusal: HolodeskError | None) -> str:
    if refusal is None:
        return "–"
    step = "" if refusal.step is None else f"step {refusal.step}: "
    place = str(refusal.where)
    return f"{step}{refusal.message}{f' ({place})' if place else ''}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
