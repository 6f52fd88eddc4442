"""`holodesk lens check FILE...`: may these files be offered, and could they be better (LH 3.2)?"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from holodesk.agent.lint import advice
from holodesk.agent.purity import findings
from holodesk.agent.source import AgentSource, read, text_of
from holodesk.agent.surface import Finding
from holodesk.cli.answer import refusal_json
from holodesk.errors import HolodeskError, Place, Unavailable
from holodesk.rapp.canonical import Json


@dataclass(frozen=True, slots=True)
class Judged:
    """What is to be said about one file."""

    path: Path
    agent: AgentSource | None
    refusal: HolodeskError | None
    found: tuple[Finding, ...]
    advice: tuple[Finding, ...]

    def as_json(self) -> dict[str, Json]:
        """The file's part of the answer."""
        told: dict[str, Json] = {
            "file": str(self.path),
            "offered": self.agent is not None,
            "findings": [{"line": one.line, "reason": one.reason} for one in self.found],
            "advice": [{"line": one.line, "reason": one.reason} for one in self.advice],
            "refusal": refusal_json(self.refusal) if self.refusal is not None else None,
        }
        if self.agent is not None:
            surface = self.agent.surface
            told |= {
                "hash": self.agent.hash,
                "name": surface.name,
                "description": surface.description,
                "parameters": surface.parameters,
                "converges": surface.converges,
                "reads": surface.reads,
                "performs": surface.performs,
            }
        return told

    def lines(self) -> list[str]:
        """The same for a person."""
        if self.agent is None:
            head = f"{self.path}: refused"
        else:
            head = f"{self.path}: {self.agent.surface.name}, {self.agent.hash[:8]}"
        told = [f"{self.path}:{one.line}: {one.reason}" for one in self.found]
        told += [f"{self.path}:{one.line}: advice: {one.reason}" for one in self.advice]
        return [head, *told]


def add(parser: argparse.ArgumentParser) -> None:
    """The words of the verb."""
    actions = parser.add_subparsers(dest="action", metavar="check", required=True)
    check = actions.add_parser("check", help="gate, surface, schema and advice; nothing is run")
    check.add_argument("files", metavar="FILE", type=Path, nargs="+", help="agent files")
    check.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="answer with one JSON object",
    )
    parser.set_defaults(json=False)


def run(args: argparse.Namespace) -> int:
    """Exit 0 when every file could be offered, 1 when one is refused, 3 when one is missing."""
    judged = [_judge(path, _octets(path)) for path in args.files]
    refusals = [one.refusal for one in judged if one.refusal is not None]
    if args.json:
        answer: dict[str, Json] = {"files": [one.as_json() for one in judged]}
        if refusals:
            answer["refusal"] = refusal_json(refusals[0])
        print(json.dumps(answer, ensure_ascii=True))
    else:
        for one in judged:
            print("\n".join(one.lines()))
    for refusal in refusals[:1]:
        more = f" ({len(refusals)} of {len(judged)} files are refused)" if len(judged) > 1 else ""
        print(f"holodesk: {refusal}{more}", file=sys.stderr)
    return 1 if refusals else 0


def _octets(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        why = problem.strerror or "it cannot be read"
        raise Unavailable("lens check", f"{path}: {why}", Place(file=str(path))) from None


def _judge(path: Path, octets: bytes) -> Judged:
    try:
        agent = read(octets, path.name)
    except HolodeskError as refusal:
        found: tuple[Finding, ...] = ()
        try:
            found = findings(text_of(octets, path.name))
        except HolodeskError:
            found = ()
        line = refusal.where.line or 1
        return Judged(path, None, refusal, found or (Finding(line, refusal.message),), ())
    return Judged(path, agent, None, (), tuple(advice(agent)))
