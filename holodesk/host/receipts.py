"""A game run's public press receipts, as passes through `Press` (LH 4.1).

A receipt is one button decision: what was chosen, and what the game showed next. The file is read
and checked whole before anything is appended; a receipt that is on the chain already is passed
over, so that reading the same records again appends nothing.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final

from holodesk.errors import NotCanonical, Place, Refused, Unavailable
from holodesk.hologram.tile import Caller
from holodesk.portal.caller import Choice
from holodesk.rapp.canonical import Json, parse

SCHEMA: Final = "rappter-pokemon-execution/1.0"
RULE: Final = "receipts"
MAX_LINE: Final = 64 * 1024
MAX_LINES: Final = 200_000
MAX_LABEL: Final = 200
"""A caller's id on the chain is no longer."""
BUTTONS: Final = frozenset({"up", "down", "left", "right", "a", "b", "start", "select"})
MEMBERS: Final = {
    "record_id": str,
    "schema": str,
    "run_id": str,
    "sequence": int,
    "agent_sha256": str,
    "inference": dict,
    "game_time_seconds": int,
    "phase": str,
    "progress": dict,
    "action": dict,
    "outcome": dict,
    "quality": dict,
    "provenance": dict,
}
FLAGS: Final = ("lift_key", "silph_scope", "hall_of_fame")
COUNTS: Final = ("badge_count", "party_size", "pokedex_seen", "pokedex_caught")


@dataclass(frozen=True, slots=True)
class Receipt:
    """One decision: which run, its place in it, game time in seconds, the choice and the facts."""

    record_id: str
    run_id: str
    sequence: int
    game_time: int
    choice: Choice
    observed: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Run:
    """The receipts of one process, in sequence. `why_not` says why it cannot follow the others."""

    run_id: str
    receipts: tuple[Receipt, ...]
    why_not: str = ""


def read_receipts(path: Path) -> tuple[Receipt, ...]:
    """Every receipt of a `.jsonl` or `.jsonl.gz` file.

    Raises:
        Refused: an empty file, a broken line, or a receipt whose record_id does not hold.
        Unavailable: the file cannot be read.
    """
    receipts, seen = [], set()
    for number, line in enumerate(_lines(path), 1):
        where = Place(file=path.name, line=number)
        receipt = _receipt(line, where)
        if receipt.record_id in seen:
            raise Refused(RULE, f"expected each receipt once, found {receipt.record_id}", where)
        seen.add(receipt.record_id)
        receipts.append(receipt)
    if not receipts:
        raise Refused(RULE, "expected receipts, found an empty file", Place(file=path.name))
    return tuple(receipts)


def runs_of(receipts: Sequence[Receipt]) -> tuple[Run, ...]:
    """The runs in game-time order; those that cannot follow without a gap say why.

    A run follows when its sequence counts from 1 without a gap, its game time never goes back, and
    it begins after every run before it has ended.
    """
    grouped: dict[str, list[Receipt]] = {}
    for receipt in receipts:
        grouped.setdefault(receipt.run_id, []).append(receipt)
    ordered = [sorted(group, key=lambda receipt: receipt.sequence) for group in grouped.values()]
    ordered.sort(key=lambda group: (min(r.game_time for r in group), group[0].run_id))
    runs: list[Run] = []
    ended = -1
    for group in ordered:
        runs.append(Run(group[0].run_id, tuple(group), _gap(group, ended)))
        ended = max(ended, *(receipt.game_time for receipt in group))
    return tuple(runs)


def _gap(group: Sequence[Receipt], ended: int) -> str:
    for expected, receipt in enumerate(group, 1):
        if receipt.sequence != expected:
            return f"expected sequence {expected}, found {receipt.sequence}"
    for before, after in pairwise(group):
        if after.game_time < before.game_time:
            return f"game time goes back at sequence {after.sequence}"
    if group[0].game_time < ended:
        return f"begins at game time {group[0].game_time}, before {ended}, where another run ends"
    return ""


def _lines(path: Path) -> Iterator[bytes]:
    where = Place(file=path.name)
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            if zipped:
                with gzip.open(raw) as unpacked:
                    yield from _bounded(unpacked, where)
            else:
                yield from _bounded(raw, where)
    except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
        raise Refused(RULE, f"expected a whole gzip file: {problem}", where) from problem
    except OSError as problem:
        told = f"the receipts cannot be read: {problem.strerror or problem}"
        raise Unavailable(RULE, told, where) from problem


def _bounded(lines: IO[bytes] | gzip.GzipFile, where: Place) -> Iterator[bytes]:
    for number in range(1, MAX_LINES + 2):
        line = lines.readline(MAX_LINE + 1)
        if not line:
            return
        if len(line) > MAX_LINE or number > MAX_LINES:
            told = f"expected lines of at most {MAX_LINE} octets and {MAX_LINES} lines, found more"
            raise Refused(RULE, told, Place(file=where.file, line=number))
        yield line.rstrip(b"\r\n")


def _receipt(line: bytes, where: Place) -> Receipt:
    try:
        value = parse(line)
    except NotCanonical as problem:
        raise Refused(RULE, f"expected a JSON object: {problem.message}", where) from problem
    if not isinstance(value, dict) or value.keys() != MEMBERS.keys():
        raise Refused(RULE, f"expected the {len(MEMBERS)} members of {SCHEMA}", where)
    given: dict[str, Any] = value
    for name, kind in MEMBERS.items():
        if not isinstance(given[name], kind) or isinstance(given[name], bool):
            raise Refused(RULE, f"{name}: expected {kind.__name__}", where)
    if given["schema"] != SCHEMA:
        raise Refused(RULE, f"expected {SCHEMA}, found {given['schema'][:40]}", where)
    if given["record_id"] != _record_id(given):
        raise Refused(RULE, "the record_id is not that of this receipt", where)
    return Receipt(
        given["record_id"],
        given["run_id"],
        given["sequence"],
        given["game_time_seconds"],
        _choice(given, where),
        _observed(given, where),
    )


def _record_id(given: dict[str, Any]) -> str:
    """The publisher's own hash: the receipt less its id, names sorted, no spaces."""
    rest = {name: value for name, value in given.items() if name != "record_id"}
    octets = json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()
    return f"sha256:{hashlib.sha256(octets).hexdigest()}"


def _choice(given: dict[str, Any], where: Place) -> Choice:
    buttons, source = given["action"].get("buttons"), given["action"].get("source")
    lawful = isinstance(buttons, list) and all(
        isinstance(button, str) and button in BUTTONS for button in buttons
    )
    if not lawful or not _is_label(source):
        raise Refused(RULE, "action: expected known buttons and a source", where)
    model = given["inference"].get("requested_model")
    caller = Caller(source, "host")
    if source == "model":
        caller = Caller(model if _is_label(model) else "model", "model", "Player")
    return Choice("Press", {"buttons": buttons}, caller)


def _is_label(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_LABEL


def _observed(given: dict[str, Any], where: Place) -> dict[str, Json]:
    outcome, stuck = given["outcome"].get("movement_result"), given["outcome"].get("stuck_reasons")
    if not isinstance(outcome, str) or not isinstance(stuck, list):
        raise Refused(RULE, "outcome: expected movement_result and stuck_reasons", where)
    progress = given["progress"]
    return {
        "outcome": outcome,
        "stuck": [str(reason)[:60] for reason in stuck],
        "phase": given["phase"],
        "progress": {
            **{name: progress[name] for name in COUNTS if isinstance(progress.get(name), int)},
            **{name: progress[name] for name in FLAGS if isinstance(progress.get(name), bool)},
        },
        "game_time": given["game_time_seconds"],
        "run": given["run_id"],
        "sequence": given["sequence"],
        "record": given["record_id"],
    }
