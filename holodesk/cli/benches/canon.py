"""Canonical form and strict intake beside the plain library ways (RFC 8785; rapp/1 4)."""

import argparse
import json
from decimal import Decimal
from typing import Any

import rfc8785

from holodesk.cli.benches.figures import Bench, best_seconds
from holodesk.cli.benches.gamerun import frame_like
from holodesk.rapp.canonical import admit, canonical

ROUNDS = 2000


def measure(args: argparse.Namespace) -> Bench:
    """Microseconds a frame of 2.7 KB, and how many times the plain way takes longer."""
    octets = frame_like()
    value = json.loads(octets)
    assert canonical(value) == rfc8785.dumps(value) == octets
    ours = best_seconds(lambda: _times(ROUNDS, lambda: canonical(value))) / ROUNDS
    theirs = best_seconds(lambda: _times(200, lambda: rfc8785.dumps(value))) / 200
    admitted = best_seconds(lambda: _times(ROUNDS, lambda: admit(octets))) / ROUNDS
    hooked = best_seconds(lambda: _times(200, lambda: with_hooks(octets))) / 200
    return Bench(
        figures={
            "octets": len(octets),
            "canonical_us": ours * 1e6,
            "rfc8785_us": theirs * 1e6,
            "admit_us": admitted * 1e6,
            "hooks_us": hooked * 1e6,
        },
        ratios={"vs_rfc8785": theirs / ours, "admit_vs_hooks": hooked / admitted},
    )


def _times(count: int, work: Any) -> None:
    for _ in range(count):
        work()


def with_hooks(octets: bytes) -> Any:
    """The same strictness as one would first write it: hooks, a walk, and the canonical size."""

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        assert len(made) == len(found)
        return made

    def number(token: str) -> float:
        value = float(token)
        assert Decimal(token) == Decimal(rfc8785.dumps(value).decode())
        return value

    def integer(token: str) -> int:
        value = int(token)
        assert abs(value) < 1 << 53
        return value

    value = json.loads(
        octets,
        object_pairs_hook=pairs,
        parse_float=number,
        parse_int=integer,
        parse_constant=number,
    )
    waiting = [(value, 1)]
    while waiting:
        node, depth = waiting.pop()
        assert depth <= 64
        if isinstance(node, dict):
            waiting += [(inner, depth + 1) for inner in node.values()]
        elif isinstance(node, list):
            waiting += [(inner, depth + 1) for inner in node]
    assert len(rfc8785.dumps(value)) <= 1 << 20
    return value
