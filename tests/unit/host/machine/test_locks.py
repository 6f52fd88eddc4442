"""What the operating system takes away, tried in a process of its own (LH 6)."""

import signal
import subprocess
import sys

import pytest

from holodesk.host.machine.locks import ARM, X86, seccomp_program
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the locks of Linux")
BEGIN = """
import ctypes, mmap, os, socket, sys, threading
sys.path.insert(0, {root!r})
from holodesk.host.machine import locks
libc = ctypes.CDLL(None, use_errno=True)
ready, done = threading.Event(), threading.Event()
threading.Thread(target=lambda: (ready.set(), done.wait()), daemon=True).start()
ready.wait()
"""
LOCK = """
assert locks.no_new_privileges() and {lock}
"""
END = """
os.write(1, b"lived")
os._exit(0)
"""


def locked(lock: str, act: str) -> subprocess.CompletedProcess[bytes]:
    program = BEGIN.format(root=str(ROOT)) + LOCK.format(lock=lock) + act + END
    return subprocess.run([sys.executable, "-c", program], capture_output=True)


def works(lock: str) -> bool:
    return locked(lock, "").stdout == b"lived"


@pytest.mark.parametrize(
    "act",
    [
        "os.open('/dev/null', os.O_RDONLY)",
        "os.stat('/')",
        "socket.socket()",
        "os.fork()",
        "os.execv('/bin/true', ['true'])",
        "os.kill(os.getppid(), 0)",
        "os.getpid(), os.sched_yield()",
        "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
        "threading.Thread(target=print).start()",
        "libc.prctl(4, 1, 0, 0, 0)",
        "libc.syscall(9, 0, 4096, 7, 0x22, -1, 0)",
    ],
)
def test_a_call_outside_the_list_kills_the_process(act: str) -> None:
    if not works("locks.seccomp()"):
        pytest.skip("seccomp cannot be set here")
    run = locked("locks.seccomp()", act)
    assert (run.returncode, run.stdout) == (-signal.SIGSYS, b"")


def test_what_a_worker_needs_goes_on_behind_seccomp() -> None:
    if not works("locks.seccomp()"):
        pytest.skip("seccomp cannot be set here")
    act = "x = [bytearray(1 << 20) for n in range(40)]\ndel x\nmmap.mmap(-1, 1 << 20)\n"
    assert locked("locks.seccomp()", act + "import time; time.process_time()\n").stdout == b"lived"


def test_the_lock_holds_for_threads_that_were_there_before() -> None:
    if not works("locks.seccomp()"):
        pytest.skip("seccomp cannot be set here")
    late = BEGIN.replace("done.wait())", "done.wait(), os.stat('/'))")
    program = late.format(root=str(ROOT)) + LOCK.format(lock="locks.seccomp()")
    program += "done.set()\nthreading.Event().wait(5)\n" + END
    run = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert run.returncode == -signal.SIGSYS


@pytest.mark.parametrize(
    "act",
    [
        "open('/etc/hostname')",
        "open('/dev/null', 'w')",
        "os.listdir('/')",
        "os.mkdir('/tmp/pwned_x')",
    ],
)
def test_landlock_gives_no_right_on_any_file(act: str) -> None:
    if not works("locks.landlock()"):
        pytest.skip("this kernel has no Landlock")
    run = locked("locks.landlock()", act)
    assert b"PermissionError" in run.stderr
    assert run.stdout == b""


def test_limits_allow_no_file_to_grow_and_no_descriptor_to_be_made() -> None:
    act = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "import tempfile; file = tempfile.TemporaryFile()\n"
        "assert locks.limit_work() and locks.limit_new()\n"
        "for act in (lambda: os.write(file.fileno(), b'x'), lambda: os.dup(1)):\n"
        "    try: act()\n"
        "    except OSError: continue\n"
        "    os._exit(1)\n"
        "try: x = bytearray(600 << 20)\n"
        "except MemoryError: x = None\n"
        "assert x is None\n"
    )
    run = locked("True", act)
    assert run.stdout == b"lived", run.stderr


def test_the_program_lets_sixteen_calls_through_and_tests_two_for_execution() -> None:
    for machine in (X86, ARM):
        assert len(machine.plain) == 14
        assert len(machine.memory) == 2
        assert len(seccomp_program(machine)) == 8 * (4 + 16 + 5)
