"""`holodesk reflex check|verdict|admit`: what a body runs, and the mirror gate (LH 3.6)."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from holodesk.cli.answer import give, refusal_json, say, short
from holodesk.errors import HolodeskError, Place, Usage
from holodesk.hologram import reflexes
from holodesk.hologram.chain import Hologram
from holodesk.hologram.replay import Follower
from holodesk.host.content import read_octets
from holodesk.host.desk import Desk
from holodesk.host.living import admit, append_verdict, read_verdict, write_verdict
from holodesk.host.mirror import probed
from holodesk.host.reading import Source, no_genesis
from holodesk.host.settings import read_settings
from holodesk.rapp.canonical import Json, parse
from holodesk.reflex.mirror import Found
from holodesk.reflex.routines import GRANTED, Draft


def add(parser: argparse.ArgumentParser) -> None:
    """The words of the verb."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="the routines of a hologram, or the gate on one file")
    check.add_argument("path", metavar="DESK|FILE", type=Path)
    verdict = actions.add_parser("verdict", help="probe somebody's routine, and say so as a frame")
    verdict.add_argument("desk", metavar="DESK", type=Path, help="your own desk")
    verdict.add_argument("subject", metavar="SUBJECT-FILE", type=Path, help="the routine")
    verdict.add_argument("--out", metavar="FILE.jsonl", type=Path, required=True)
    admission = actions.add_parser("admit", help="let a routine run that a peer has verified")
    admission.add_argument("desk", metavar="DESK", type=Path)
    admission.add_argument("verdict", metavar="VERDICT.jsonl", type=Path)
    for action in (check, verdict, admission):
        action.add_argument(
            "--json",
            action="store_true",
            default=argparse.SUPPRESS,
            help="answer with one JSON object",
        )
    parser.set_defaults(json=False)


def run(args: argparse.Namespace) -> int:
    """Exit 1 where a routine is refused, 3 where it cannot be probed."""
    return {"check": _check, "verdict": _verdict, "admit": _admit}[args.action](args)


# ------------------------------------------------------------------------------------ check


def _check(args: argparse.Namespace) -> int:
    path: Path = args.path
    if path.is_dir() or path.name.endswith((".sqlite", ".jsonl")):
        return _check_hologram(args, _followed(path))
    source, grant = _routine(path)
    found = probed(source, grant, path.name)
    return give(args, _found_json(found), *_found_lines(found, path.name))


def _followed(path: Path) -> Hologram:
    with Source(path) as source:
        outcome = Follower(None, known=source.recall).follow(source.frames())
        if (refusal := outcome.refusal or source.fault) is not None:
            raise refusal
    if outcome.hologram is None:
        raise no_genesis(path)
    return outcome.hologram


def _check_hologram(args: argparse.Namespace, hologram: Hologram) -> int:
    moment, newest = hologram.moment, hologram.lived.newest
    begun = reflexes.segment_at(hologram.object, moment, newest, hologram.head.utc)
    told: list[Json] = []
    lines = [f"frame {moment.seq} ({short(moment.frame_hash)}): {moment.budget} steps a tick"]
    refusals: list[HolodeskError] = []
    for routine, draft in zip(begun.segment.routines, begun.drafts, strict=True):
        program = routine.program
        row: dict[str, Json] = {
            "id": routine.id,
            "origin": routine.origin,
            "gate": routine.gate,
            "subject": program.subject,
            "bound": program.bound,
            "quota": routine.quota,
            "lineage": [list(part) for part in draft.lineage],
            "source": program.source,
            "fallback": draft.fallback,
        }
        lines.append(f"{routine.id}: {routine.origin}, {_bound(program.bound)} of {routine.quota}")
        lines += [f"  {part} from {where}" for part, where in draft.lineage]
        lines.append(f"  {program.source}")
        if draft.fallback is not None:
            lines.append(f"  its own program does not run: {draft.fallback}")
        if draft.authored is not None:
            row["authored"] = _authored(draft, lines, refusals)
        told.append(row)
    answer: dict[str, Json] = {
        "head": {"seq": moment.seq, "frame_hash": moment.frame_hash},
        "budget": moment.budget,
        "routines": told,
    }
    if not refusals:
        return give(args, answer, *lines)
    answer["refusal"] = refusal_json(refusals[0])
    give(args, answer, *lines)
    say(refusals[0])
    return refusals[0].exit_code


def _authored(draft: Draft, lines: list[str], refusals: list[HolodeskError]) -> Json:
    """The machine half on the program that the object carries."""
    try:
        found = probed(draft.authored or "", draft.grant, draft.id)
    except HolodeskError as problem:
        refusals.append(problem)
        lines.append(f"  its own program is refused: {problem.message}")
        return {"refusal": refusal_json(problem)}
    lines += [f"  {line}" for line in _found_lines(found, "its own program")]
    return _found_json(found)


def _found_json(found: Found) -> dict[str, Json]:
    told: dict[str, Any] = asdict(found)
    return {**told, "natives": list(found.natives)}


def _found_lines(found: Found, name: str) -> list[str]:
    return [
        f"{name}: passes the machine half, {_bound(found.bound)}, {found.most_steps} at most seen",
        f"subject {found.subject}",
        f"profile {found.profile}",
        f"digest {found.digest}",
    ]


def _bound(bound: int | None) -> str:
    return "steps without a static bound" if bound is None else f"{bound} steps at most"


def _routine(path: Path) -> tuple[str, frozenset[str]]:
    """A routine's source and grant: a text, or a JSON object with a `program`."""
    octets = read_octets(path)
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise Usage("reflex", "expected UTF-8", Place(file=path.name)) from problem
    if not text.lstrip().startswith("{"):
        return text, GRANTED
    value = parse(octets)
    program = value.get("program") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(program, str):
        raise Usage("reflex", "expected an object with a program", Place(file=path.name))
    grant = value.get("grant")
    if not isinstance(grant, list):
        return program, GRANTED
    return program, frozenset(name for name in grant if isinstance(name, str)) & GRANTED


# ---------------------------------------------------------------------------------- the gate


def _verdict(args: argparse.Namespace) -> int:
    source, _ = _routine(args.subject)
    with Desk(args.desk, read_settings(), program="reflex verdict") as desk:
        frame, found = append_verdict(desk, source, args.subject.name)
        write_verdict(desk, frame, args.out)
    answer: dict[str, Json] = {
        "seq": frame.seq,
        "frame_hash": frame.frame_hash,
        "peer": frame.stream_id,
        "out": str(args.out),
        **_found_json(found),
    }
    line = f"{args.out}: frame {frame.seq} ({short(frame.frame_hash)}) of {frame.stream_id}"
    return give(args, answer, line, *_found_lines(found, args.subject.name))


def _admit(args: argparse.Namespace) -> int:
    verdict, spki = read_verdict(args.verdict)
    with Desk(args.desk, read_settings(), program="reflex admit") as desk:
        frame = admit(desk, verdict, spki)
    answer: dict[str, Json] = {
        "seq": frame.seq,
        "frame_hash": frame.frame_hash,
        "subject": frame.payload["subject"],
        "digest": frame.payload["digest"],
        "peer": verdict.stream_id,
    }
    told = f"frame {frame.seq} ({short(frame.frame_hash)}): subject {answer['subject']}"
    return give(args, answer, f"{told} is admitted, verified by {verdict.stream_id}")
