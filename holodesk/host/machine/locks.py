"""What the operating system takes away from a worker before any agent code runs (LH 6).

The second wall; WebAssembly is the first. On Linux a worker keeps sixteen system calls: no file, no
network, no new process, no executable memory. Elsewhere it keeps what its system cannot take away,
and says so: each lock gives back its name when it is in place, or nothing.
"""

import contextlib
import ctypes
import os
import platform
import struct
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Final, NamedTuple

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows has none
    resource = None

NOBODY: Final = 65534
MAX_DATA: Final = 512 << 20
MAX_SECONDS: Final = 60
_NO_NEW_PRIVILEGES, _EXECUTABLE = 38, 4
_FILTER_MODE, _ALL_THREADS = 1, 1
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_LOAD_WORD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_CALL, _ARCHITECTURE, _THIRD = 0, 4, 32


class Machine(NamedTuple):
    """A processor's numbers: its mark in the kernel's audit, seccomp's call, and the sixteen."""

    audit: int
    seccomp: int
    plain: tuple[int, ...]
    """read write munmap brk mremap madvise futex clock_gettime rt_sigreturn rt_sigprocmask
    sigaltstack restart_syscall exit exit_group"""
    memory: tuple[int, ...]
    """mmap mprotect, each only without execution"""


X86: Final = Machine(
    0xC000003E, 317, (0, 1, 11, 12, 25, 28, 202, 228, 15, 14, 131, 219, 60, 231), (9, 10)
)
ARM: Final = Machine(
    0xC00000B7, 277, (63, 64, 215, 214, 216, 233, 98, 113, 139, 135, 132, 128, 93, 94), (222, 226)
)
_LANDLOCK_CREATE, _LANDLOCK_RESTRICT = 444, 446
_FILE_RIGHTS: Final = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}
_ALL_FILE_RIGHTS: Final = 0xFFFF


def _machine() -> Machine | None:
    if sys.platform != "linux":
        return None
    return {"x86_64": X86, "aarch64": ARM}.get(platform.machine())


def leave_privileges() -> str | None:
    """Nobody, when the host runs as root."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    return "nobody"


def limit(names: Sequence[tuple[str, int]]) -> str | None:
    """Hard limits by their names in `resource`, for what this system knows."""
    if resource is None:
        return None
    for name, most in names:
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))
    return "limits"


def limit_work() -> str | None:
    """No file grows, nothing is dumped, memory and processor time have an end."""
    return limit(
        [
            ("RLIMIT_CORE", 0),
            ("RLIMIT_FSIZE", 0),
            ("RLIMIT_MEMLOCK", 0),
            ("RLIMIT_DATA", MAX_DATA),
            ("RLIMIT_CPU", MAX_SECONDS),
        ]
    )


def limit_new() -> str | None:
    """No new descriptor and no new process; after the worker's own threads have started."""
    return limit([("RLIMIT_NOFILE", 0), ("RLIMIT_NPROC", 0)])


def no_new_privileges() -> str | None:
    """What seccomp and Landlock ask for first."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    return "no-new-privileges" if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 else None


def landlock() -> str | None:
    """Every right that this kernel knows is handled, and none is given."""
    if _machine() is None:
        return None
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return None
    files = _FILE_RIGHTS.get(version, _ALL_FILE_RIGHTS)
    words = [files, 3, 3][: 1 + (version >= 4) + (version >= 6)]
    rights = struct.pack(f"<{len(words)}Q", *words)
    ruleset = call(_LANDLOCK_CREATE, rights, ctypes.c_size_t(len(rights)), 0)
    if ruleset < 0:
        return None
    fine = call(_LANDLOCK_RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return f"landlock-{version}" if fine else None


def seccomp_program(machine: Machine) -> bytes:
    """The allow-list as a BPF program: another architecture or any other call kills the process."""

    def line(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("<HBBI", code, yes, no, value)

    program = [
        line(_LOAD_WORD, _ARCHITECTURE),
        line(_EQUAL, machine.audit, 1, 0),
        line(_RETURN, _KILL),
        line(_LOAD_WORD, _CALL),
    ]
    numbers = (*machine.memory, *machine.plain)
    for index, number in enumerate(numbers):
        beyond = len(numbers) - index - 1
        to_allowed = 1 if index < len(machine.memory) else 4
        program.append(line(_EQUAL, number, beyond + to_allowed, 0))
    program += [
        line(_RETURN, _KILL),
        line(_LOAD_WORD, _THIRD),
        line(_ANY_BIT, _EXECUTABLE, 0, 1),
        line(_RETURN, _KILL),
        line(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def seccomp() -> str | None:
    """The last lock, for every thread of the process."""
    machine = _machine()
    if machine is None:
        return None
    program = seccomp_program(machine)
    octets = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(octets))
    call = ctypes.CDLL(None, use_errno=True).syscall
    fine = call(machine.seccomp, _FILTER_MODE, _ALL_THREADS, ctypes.c_char_p(header)) == 0
    return "seccomp" if fine else None
