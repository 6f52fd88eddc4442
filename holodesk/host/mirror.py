"""The machine half on this host: fresh interpreters under two hash seeds must agree (reflex 8).

A self-authored routine is probed in a bounded child with nothing of this process: it gets the
source on its standard input, and gives one line of JSON back.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import holodesk
from holodesk.errors import Place, RoutineRefused, Unavailable
from holodesk.host.machine.cache import clean_environment
from holodesk.reflex.mirror import Found
from holodesk.reflex.routines import GRANTED

SECONDS: Final = 60.0
"""How long a probe may take; most take less than one."""
SEEDS: Final = ("1", "4711")
"""Two hash seeds: what depends on one is no pure routine's."""
MEMORY: Final = 1 << 30
PROGRAM: Final = """
import json, sys
sys.path.insert(0, sys.argv[1])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
from dataclasses import asdict
from holodesk.errors import RoutineRefused
from holodesk.reflex.mirror import machine_half
source, grant = json.load(sys.stdin)
try:
    answer = asdict(machine_half(source, frozenset(grant)))
except RoutineRefused as problem:
    answer = {"rule": problem.rule, "message": problem.message}
    answer |= {"line": problem.where.line, "field": problem.where.field}
print(json.dumps(answer))
"""


def probed(source: str, grant: frozenset[str] = GRANTED, file: str | None = None) -> Found:
    """The machine half of the gate on a source, told the same by two fresh interpreters.

    Raises:
        RoutineRefused: as `reflex.mirror.machine_half`; H_ENGINE where the two disagree.
        Unavailable: no interpreter can be started, or one does not end well.
    """
    answers = [_ask(source, grant, seed, file) for seed in SEEDS]
    if answers[0] != answers[1]:
        told = "two interpreters disagree on this routine"
        raise RoutineRefused("RL-1 H_ENGINE", told, Place(file=file))
    answer = answers[0]
    if "rule" in answer:
        where = Place(file=file, line=answer["line"], field=answer["field"])
        raise RoutineRefused(answer["rule"], answer["message"], where)
    return Found(**{**answer, "natives": tuple(answer["natives"])})


def _ask(source: str, grant: frozenset[str], seed: str, file: str | None) -> dict[str, Any]:
    root = Path(holodesk.__file__).resolve().parent.parent
    words = [sys.executable, "-s", "-P", "-B", "-X", "utf8", "-c", PROGRAM]
    try:
        ran = subprocess.run(
            [*words, os.fspath(root), str(MEMORY)],
            input=json.dumps([source, sorted(grant)]).encode(),
            capture_output=True,
            timeout=SECONDS,
            cwd=root.anchor,
            env={**clean_environment(), "PYTHONHASHSEED": seed},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _unavailable(f"it took more than {SECONDS:.0f} s", file) from None
    except OSError as problem:
        raise _unavailable(problem.strerror or str(problem), file) from problem
    if ran.returncode != 0:
        words_left = ran.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _unavailable(words_left[-1][:200] if words_left else "it ended early", file)
    answer = json.loads(ran.stdout)
    assert isinstance(answer, dict)
    return answer


def _unavailable(why: str, file: str | None) -> Unavailable:
    return Unavailable("LH 3.6", f"the routine could not be probed here: {why}", Place(file=file))
