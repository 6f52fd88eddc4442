"""What a folder of public data holds: vector files, recorded chains, and the rest.

Everything is told by its shape. Folders of lenses are never opened: `hostile_lenses` and the like.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from holodesk.errors import NotCanonical, Unavailable
from holodesk.rapp.canonical import Json, parse
from holodesk.rapp.conformance import run_document, run_pair
from holodesk.rapp.outcome import Outcome
from holodesk.rapp.verdict import Verdict, is_frame_like, judge

NEVER_OPENED: Final = ("hostile_lenses", "honest_lenses")
MAX_FILE_OCTETS: Final = 64 << 20
"""The longest file that is read."""


@dataclass(slots=True)
class Findings:
    """Outcomes by vector file, verdicts by chain, and the names of what was passed over."""

    vectors: dict[str, list[Outcome]] = field(default_factory=dict)
    chains: dict[str, Verdict] = field(default_factory=dict)
    passed_over: list[str] = field(default_factory=list)


def look_through(folder: Path) -> Findings:
    """Run and judge everything under a folder.

    Raises:
        Unavailable: the folder is not there, or does not let itself be read.
    """
    if not folder.is_dir():
        raise Unavailable("conform", f"there is no folder {folder}")
    found = Findings()
    loose: dict[tuple[str, str], list[tuple[str, bytes]]] = {}
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            if not _take(path, name, found, loose):
                found.passed_over.append(name)
        except OSError as problem:
            told = f"{name} cannot be read: {problem.strerror or problem}"
            raise Unavailable("conform", told) from problem
    for (parent, _), frames in sorted(loose.items()):
        frames.sort(key=lambda frame: _seq(frame[1]))
        title = frames[0][0] if len(frames) == 1 else f"{parent or '.'}/ ({len(frames)} files)"
        found.chains[title] = judge([octets for _, octets in frames])
    return found


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(NEVER_OPENED))
        for name in sorted(names):
            yield Path(parent, name)


def _take(
    path: Path, name: str, found: Findings, loose: dict[tuple[str, str], list[tuple[str, bytes]]]
) -> bool:
    """Whether a file was recognised; what it holds goes where it belongs."""
    if _belongs_to_a_pair(path):
        return True
    if path.suffix not in (".json", ".jsonl") or not path.is_file():
        return False
    if path.stat().st_size > MAX_FILE_OCTETS:
        return False
    octets = path.read_bytes()
    if path.suffix == ".jsonl":
        lines = [line for line in octets.split(b"\n") if line.strip()]
        if not lines or not is_frame_like(_value(lines[0])):
            return False
        found.chains[name] = judge(lines)
        return True
    output = _output_of(path)
    if output is not None:
        found.vectors[name] = run_pair(path.stem, octets, output.read_bytes(), _hex_of(path))
        return True
    value = _value(octets)
    if isinstance(value, dict) and is_frame_like(value):
        parent = name.rpartition("/")[0]
        loose.setdefault((parent, str(value.get("stream_id"))), []).append((name, octets))
        return True
    outcomes = run_document(value)
    if outcomes is not None:
        found.vectors[name] = outcomes
    return outcomes is not None


def _value(octets: bytes) -> Json:
    """A parsed file; a vector document may hold what the intake refuses, that is its purpose."""
    try:
        return parse(octets)
    except NotCanonical:
        pass
    try:
        value: Json = json.loads(octets)
    except (ValueError, RecursionError):
        return None
    return value


def _seq(octets: bytes) -> int:
    value = _value(octets)
    seq = value.get("seq") if isinstance(value, dict) else None
    return seq if isinstance(seq, int) else -1


def _output_of(path: Path) -> Path | None:
    """The canonical text beside an input of RFC 8785, in the sibling folder `output`."""
    output = path.parent.parent / "output" / path.name
    return output if path.parent.name == "input" and output.is_file() else None


def _hex_of(path: Path) -> str | None:
    hexed = path.parent.parent / "outhex" / f"{path.stem}.txt"
    return hexed.read_text(encoding="ascii") if hexed.is_file() else None


def _belongs_to_a_pair(path: Path) -> bool:
    """Whether a file is the output or the hex of an input that is run with it."""
    if path.parent.name not in ("output", "outhex"):
        return False
    return (path.parent.parent / "input" / f"{path.stem}.json").is_file()
