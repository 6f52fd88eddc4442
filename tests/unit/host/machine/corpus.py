"""The program that runs the hostile corpus: a process of its own between it and the tests.

Started by its file with one argument, a JSON object: the folder of the lenses, the folder for the
canary, the compiled cache, whether the gate reads the files, and their names. It prints one JSON
object: for each file an outcome, and every harm that was seen. Each file is only ever handed to the
machine under test, as text.
"""

import contextlib
import json
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from holodesk.agent.source import text_of
from holodesk.errors import HolodeskError
from holodesk.hologram.perform import Answered, Call, Failed, Reply, Undetermined
from holodesk.host.machine import wire
from holodesk.host.machine.parent import Machine
from holodesk.rapp.canonical import admit
from tests.unit.host.machine.behind import calls_behind_the_gate

PORT = 47999
CALL = Call(b'{"schema":"t/1","v":1}', b"{}", b"{}")
FAILURES = {
    "gate": "refused_at_load",
    "raised": "blocked_at_run",
    "output": "refused_at_output",
    "spent": "killed_by_limit",
}
HOST_SECRET = "TOKEN-" + secrets.token_hex(16)


class Canary:
    """A secret in a file, in the environment and in a global; a port; and who touched them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = HOST_SECRET
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        (folder / "secret.txt").write_text(self.token, "utf-8")
        (folder / "secret.txt").chmod(0o644)
        os.environ["SBX_SECRET"] = self.token
        self.knocks = 0
        self._door = socket.socket()
        self._door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._door.bind(("127.0.0.1", PORT))
        self._door.listen()
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while True:
            visitor, _ = self._door.accept()
            self.knocks += 1
            visitor.close()

    def harms(self, replies: list[Reply]) -> Iterator[str]:
        for reply in replies:
            text = str(reply)
            if self.token in text:
                yield "the secret came back"
            if isinstance(reply, Answered):
                yield from self._claims(reply.octets)
        for path in self.folder.iterdir():
            if path.name.startswith("pwned_"):
                yield f"a file was written: {path.name}"
        if self.knocks:
            yield "the port was reached"

    def _claims(self, octets: bytes) -> Iterator[str]:
        with contextlib.suppress(ValueError):
            value = json.loads(octets)
            object = value.get("object") if isinstance(value, dict) else None
            claim = object.get("pwned") if isinstance(object, dict) else None
            if isinstance(claim, str) and claim.startswith(("forked:", "listing:", "peeked")):
                yield f"a result claims {claim[:40]}"


def outcome_of(runs: list[list[Reply]], category: str) -> str:
    """The order of judging of the corpus: load, limits, first result, first error, differences."""
    first = runs[0]
    for reply in (reply for run in runs for reply in run):
        if isinstance(reply, Failed) and reply.how == "gate":
            return "refused_at_load"
    for reply in (reply for run in runs for reply in run):
        if isinstance(reply, Failed) and reply.how == "spent":
            return "killed_by_limit"
        if isinstance(reply, Undetermined):
            return f"undetermined: {reply.reason}"
    if isinstance(first[0], Failed):
        return FAILURES[first[0].how]
    results = [
        [reply.octets if isinstance(reply, Answered) else b"" for reply in run] for run in runs
    ]
    try:
        for octets in results[0]:
            admit(octets)
    except HolodeskError:
        return "refused_at_output"
    if any(run[0] != run[1] for run in results):
        return "state leak" if category in ("state", "module", "resource") else "replay_mismatch"
    return "harmless" if all(run == results[0] for run in results) else "replay_mismatch"


def processes() -> set[int]:
    """Every process that descends from this one, and those left to the first process."""
    found = set()
    with contextlib.suppress(OSError):
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                found.add(int(entry.name))
    return found


def run_twice(machines: tuple[Machine, Machine], source: str) -> list[list[Reply]]:
    """Two runs in two machines at once, each of two equal calls."""
    under_way = []
    for number, machine in enumerate(machines):
        os.environ["SBX_RUN"] = f"run {number}"
        under_way.append(machine.submit(source, [CALL, CALL]))
    return [list(batch.replies()) for batch in under_way]


def run_unguarded(machines: tuple[Machine, Machine], source: str) -> list[list[Reply]]:
    """Without the gate, as the machine would never run it: one call at a time, in one guest."""
    return [
        calls_behind_the_gate(machine, source, [CALL, CALL], wire.METERED) for machine in machines
    ]


def main() -> None:
    given: dict[str, Any] = json.loads(sys.argv[1])
    canary = Canary(Path(given["canary"]))
    answers: dict[str, Any] = {}
    before = processes()
    with Machine(Path(given["cache"])) as one, Machine(Path(given["cache"])) as other:
        run = run_twice if given["guarded"] else run_unguarded
        for name, category in given["files"].items():
            octets = (Path(given["lenses"]) / name).read_bytes()
            octets = octets.replace(b"@CANARY@", str(canary.folder).encode())
            began = time.monotonic()
            try:
                source = text_of(octets, name)
            except HolodeskError as refusal:
                answers[name] = {"outcome": "refused_at_load", "why": str(refusal), "harms": []}
                continue
            runs = run((one, other), source)
            harms = [harm for run in runs for harm in canary.harms(run)]
            seconds = time.monotonic() - began
            if seconds > 12:
                harms.append(f"the host waited {seconds:.1f} s")
            why = str(runs[0][0])[:160]
            answers[name] = {"outcome": outcome_of(runs, category), "why": why, "harms": harms}
            answers[name]["seconds"] = round(seconds, 2)
    time.sleep(0.2)
    left = [pid for pid in processes() - before if is_mine(pid)]
    print(json.dumps({"answers": answers, "left": left}))


def is_mine(pid: int) -> bool:
    try:
        state = (Path("/proc") / str(pid) / "stat").read_text("utf-8")
    except OSError:
        return False
    parent, group = state.rpartition(")")[2].split()[1:3]
    return int(parent) == os.getpid() or int(group) == os.getpgid(0)


if __name__ == "__main__":
    main()
