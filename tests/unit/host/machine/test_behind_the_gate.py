"""The walls behind the gate, tried without it: nothing is there, and nothing can be read (LH 6)."""

import pytest

from holodesk.hologram.perform import Answered, Failed
from holodesk.host.machine import verdict
from holodesk.host.machine.parent import Machine
from holodesk.host.machine.wire import METERED
from holodesk.rapp.canonical import parse
from tests.unit.host.machine.behind import calls_behind_the_gate, outcome_behind_the_gate
from tests.unit.host.machine.calls import call, performing


def tried(machine: Machine, *lines: str) -> object:
    """What a lens without a gate finds: its object, or how the call failed."""
    source = performing(*lines, 'return {"object": x, "data_slush": {}}')
    (reply,) = calls_behind_the_gate(machine, source, [call()], METERED)
    if isinstance(reply, Answered):
        value = parse(reply.octets)
        assert isinstance(value, dict)
        return value["object"]
    assert isinstance(reply, Failed)
    return reply.message


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("x = open('/etc/passwd').read()",), "Error"),
        (("x = open('/tmp/pwned_here', 'w')",), "Error"),
        (("import os", "x = os.listdir('/')"), "Error"),
        (("import os", "x = os.system('id')"), "AttributeError"),
        (("import posix", "x = posix.read(3, 10)"), "Error"),
        (("import posix", "x = posix.write(4, b'x')"), "Error"),
        (("import socket", "x = socket.socket()"), "Error"),
        (("import ctypes", "x = 1"), "Error"),
        (("import subprocess", "x = subprocess.run(['id'])"), "Error"),
        (("import time", "x = time.time()"), "OSError"),
        (("import os", "x = os.urandom(4).hex()"), "Error"),
        (("import threading", "x = threading.Thread(target=print).start()"), "can't start"),
    ],
)
def test_nothing_of_the_world_can_be_reached(
    machine: Machine, lines: tuple[str, ...], words: str
) -> None:
    found = tried(machine, *lines)
    assert isinstance(found, str)
    assert words in found


def test_the_environment_holds_one_constant(machine: Machine) -> None:
    assert tried(machine, "import os", "x = dict(os.environ)") == {"PYTHONHASHSEED": "0"}


def test_the_hash_is_the_same_in_every_guest(machine: Machine) -> None:
    found = {str(tried(machine, f"x = [hash('lens'), {n} * 0]")) for n in range(3)}
    assert len(found) == 1


def test_a_guest_that_ends_itself_is_a_failure_with_a_name(machine: Machine) -> None:
    assert "ended itself with 7" in str(tried(machine, "import posix", "posix._exit(7)"))
    assert "SystemExit" in str(tried(machine, "import sys", "sys.exit(3)"))
    assert "SystemExit" in str(tried(machine, "raise SystemExit"))


def test_printing_reaches_nobody(machine: Machine) -> None:
    assert tried(machine, "print('hello')", "x = 1") == 1


def test_a_forged_reply_is_a_breach(machine: Machine) -> None:
    forged = "O" + "\\x02\\0\\0\\0" + "{}"
    found = tried(machine, "import posix", f"posix.write(1, b'{forged}')", "x = 1")
    assert "a breach of the protocol" in str(found)
    found = tried(machine, "import posix", "posix.write(1, b'nonsense')", "x = 1")
    assert "a breach of the protocol" in str(found)


def test_the_next_request_cannot_be_read(machine: Machine) -> None:
    for size in (1000, 0):
        found = tried(machine, "import posix", f"x = len(posix.read(0, {size}))")
        assert "a read between a request and its reply" in str(found)


def test_reading_buys_no_fuel(machine: Machine) -> None:
    source = performing(
        "import posix", "n = 0", "while True:", "    n += 1", "    if n % 1000 == 0:",
        "        posix.read(0, 0)",
    )  # fmt: skip
    outcome = outcome_behind_the_gate(machine, source, [call()], METERED)
    assert outcome.ending == b"b"
    loop = performing("n = 0", "while True: n += 1")
    outcome = outcome_behind_the_gate(machine, loop, [call()], METERED)
    assert outcome.ending == b"F"


def test_a_patched_module_is_the_lens_s_own_and_gone_with_its_guest(machine: Machine) -> None:
    patch = performing("import json", "json.dumps = None", 'return {"object": 1, "data_slush": {}}')
    assert isinstance(calls_behind_the_gate(machine, patch, [call()], METERED)[0], Answered)
    other = performing("import json", 'return {"object": json.dumps([1]), "data_slush": {}}')
    reply = calls_behind_the_gate(machine, other, [call()], METERED)[0]
    assert reply == Answered(b'{"data_slush":{},"object":"[1]"}')


def test_an_exception_whose_text_is_code_cannot_break_the_reply(machine: Machine) -> None:
    lines = (
        "class Odd(Exception):",
        "    def __str__(self): raise KeyboardInterrupt",
        "raise Odd",
    )
    assert tried(machine, *lines) == "Odd"


def test_what_a_worker_says_is_told_apart_from_what_it_does_not_say() -> None:
    outcome = verdict.Outcome(verdict.LATE, "", None, ())
    assert "wall limit" in verdict.why(outcome)
    assert "gone" in verdict.why(verdict.BEGUN)
