"""Replaying a game run: contained, beside the naive way and beside the floor (LH 4.1).

The naive way is what one would write first: `json`, the reference serializer, and `exec` in the
same process, nothing contained and nothing strict. The floor canonicalises and hashes, no more.
"""

import argparse
import hashlib
import json
import os
import sys
import types
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import rfc8785

from holodesk.cli.benches.figures import Bench, best_seconds
from holodesk.cli.benches.gamerun import make_game_run
from holodesk.hologram.replay import Follower
from holodesk.host.runner import open_machine
from holodesk.rapp import frame as frames
from holodesk.rapp import stream as streams
from holodesk.rapp.canonical import admit, canonical
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import Stream

PAPER_RATE: Final = 3059 / 5
"""Frames a second that LH 4.1 tells of."""
Perform = Callable[[Any, Any, dict[str, Any]], Any]


def measure(args: argparse.Namespace) -> Bench:
    """Frames a second of each way over one chain."""
    workers = os.cpu_count() or 1
    with open_machine(workers) as machine:
        octets = _chain(args.chain) if args.chain else make_game_run(machine)
        count = len(octets)

        def replay(fuel: bool) -> None:
            outcome = Follower(machine, fuel=fuel).follow(octets)
            if outcome.refusal is not None:
                raise outcome.refusal
            assert outcome.unjudged == 0

        replay(fuel=True)
        fuelled = best_seconds(lambda: replay(fuel=True))
        trusted = best_seconds(lambda: replay(fuel=False))
    naive = best_seconds(lambda: naive_way(octets), 1)
    in_process = best_seconds(lambda: in_process_way(octets))
    floor = best_seconds(lambda: floor_way(octets))
    admit_floor = best_seconds(lambda: admit_and_hash(octets))
    host = best_seconds(lambda: host_only(octets))
    structure = best_seconds(lambda: Follower(None).follow(octets))
    return Bench(
        figures={
            "frames": count,
            "workers": workers,
            "frames_s": count / trusted,
            "frames_s_fuel": count / fuelled,
            "naive_frames_s": count / naive,
            "inprocess_frames_s": count / in_process,
            "structure_frames_s": count / structure,
            "floor_frames_s": count / floor,
        },
        ratios={
            "vs_paper": count / trusted / PAPER_RATE,
            "vs_paper_fuel": count / fuelled / PAPER_RATE,
            "vs_naive": naive / trusted,
            "time_vs_inprocess": trusted / in_process,
            "time_vs_floor": trusted / floor,
            "host_vs_admit": host / admit_floor,
        },
    )


def _chain(path: str) -> list[bytes]:
    return Path(path).read_bytes().splitlines()


def naive_way(octets: Sequence[bytes]) -> None:
    """Parse, check links, rebuild every hash with the reference serializer, exec each lens."""
    lenses: dict[str, Perform] = {}
    objects: dict[str, Any] = {}
    prev, after = None, None
    for line in octets:
        frame = json.loads(line)
        payload = frame["payload"]
        assert _hash("rapp/1:particle", payload) == frame["payload_hash"]
        rest = {k: v for k, v in frame.items() if k not in ("frame_hash", "sig")}
        assert _hash("rapp/1:wave", rest) == frame["frame_hash"]
        assert (frame["prev"], payload["after"]) == (prev, after)
        prev, after = frame["payload_hash"], frame["frame_hash"]
        _replay(payload, lenses, objects, frame["frame_hash"], rfc8785.dumps)


def _hash(tag: str, value: Any) -> str:
    return hashlib.sha256(tag.encode() + b"\n" + rfc8785.dumps(value)).hexdigest()


def in_process_way(octets: Sequence[bytes]) -> None:
    """All seven steps as here, and each lens by exec in this process: nothing contained."""
    lenses: dict[str, Perform] = {}
    objects: dict[str, Any] = {}
    stream = None
    for line in octets:
        frame = frames.parse(line, None)
        if stream is None:
            keyring = Keyring.EMPTY.with_key(frame.stream_id, _spki(frame.payload))
            stream = streams.begin(frame.stream_id, keyring)
        stream = streams.extend(stream, frame)
        _replay(frame.payload, lenses, objects, frame.frame_hash, canonical)


def _spki(payload: dict[str, Any]) -> bytes:
    import base64

    return base64.b64decode(payload["key"]["spki_der_b64"])


def _replay(
    payload: dict[str, Any],
    lenses: dict[str, Perform],
    objects: dict[str, Any],
    wave: str,
    write: Callable[[Any], bytes],
) -> None:
    if "source" in payload:
        lenses[payload["hash"]] = _loaded(payload["source"])
        return
    if "input" in payload:
        perform = lenses[payload["lens"]["hash"]]
        came_in = objects[payload["input"]["frame_hash"]]
        made = perform(deepcopy(came_in), deepcopy(payload["slush_in"]), payload["params"])
        wanted = {"object": payload["object"], "data_slush": payload["data_slush"]}
        assert write(made) == write(wanted)
    if "object" in payload:
        objects[wave] = payload["object"]


def _loaded(source: str) -> Perform:
    """A lens that ships with the program, run here and now: only ever our own, for comparison."""
    shape = types.ModuleType("agents.basic_agent")
    shape.BasicAgent = type("BasicAgent", (), {})  # type: ignore[attr-defined]
    sys.modules["agents"] = types.ModuleType("agents")
    sys.modules["agents.basic_agent"] = shape
    space: dict[str, Any] = {"__name__": "lens"}
    exec(compile(source, "lens", "exec"), space)  # noqa: S102
    cls = next(v for k, v in space.items() if isinstance(v, type) and k != "BasicAgent")

    def perform(object: Any, slush: Any, params: dict[str, Any]) -> Any:
        agent = cls()
        agent.context = types.SimpleNamespace(object=object, slush=slush)
        return agent.perform(**params)

    return perform


def floor_way(octets: Sequence[bytes]) -> None:
    """Canonicalise and hash, no more."""
    for line in octets:
        frame = json.loads(line)
        hashlib.sha256(canonical(frame["payload"])).digest()
        hashlib.sha256(canonical(frame)).digest()


def admit_and_hash(octets: Sequence[bytes]) -> None:
    """Strict intake and two hashes over the same octets."""
    for line in octets:
        admit(line)
        hashlib.sha256(line).digest()
        hashlib.sha256(line).digest()


def host_only(octets: Sequence[bytes]) -> None:
    """What the host does of one frame without keys and lenses: steps 1 to 5."""
    stream = None
    for line in octets:
        frame = frames.parse(line, None)
        if stream is None:
            stream = streams.begin(frame.stream_id)
        streams.check_links(stream, frame)
        stream = Stream(stream.stream_id, frame.head, stream.keyring)
