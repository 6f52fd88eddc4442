"""The worker process: what it loads, where it stands, how it ends (LH 6, house II.4)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import holodesk
from holodesk.host.machine.cache import Cache, clean_environment, interpreter, packages
from holodesk.host.machine.parent import Machine
from tests.conftest import ROOT

CHILD = ROOT / "holodesk/host/machine/child.py"


@pytest.fixture(scope="module")
def place(cache: Path) -> str:
    prepared = Cache(cache).prepared(None)
    return json.dumps(
        {
            "root": str(Path(holodesk.__file__).resolve().parent.parent),
            "packages": str(packages()),
            "codes": str(prepared.codes),
            "metered": str(prepared.metered),
            "unmetered": None,
        }
    )


def started(place: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A worker that finds its request pipe at its end."""
    return subprocess.run(
        [interpreter(), "-I", "-S", "-B", *words, str(CHILD), place],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=clean_environment(),
    )


def test_a_worker_loads_this_room_and_nothing_else_of_holodesk(place: str) -> None:
    run = started(place, "-X", "importtime")
    names = {line.rpartition(b"|")[2].strip().decode() for line in run.stderr.splitlines()}
    ours = {name for name in names if name.startswith("holodesk")}
    room = {"boot", "engine", "instance", "locks", "runtime", "slots", "wasi", "wire"}
    assert ours == {f"holodesk.host.machine.{name}" for name in room}
    roots = {name.partition(".")[0] for name in names}
    assert not roots & {"PySide6", "sqlite3", "numpy", "msgspec", "socket", "subprocess", "asyncio"}
    assert "wasmtime" in roots


def test_a_worker_ends_when_its_host_is_gone(place: str) -> None:
    run = started(place)
    assert run.returncode == 0
    assert run.stdout[4:5] == b"K"


def test_a_worker_that_cannot_start_says_why(place: str) -> None:
    wrong = json.dumps({**json.loads(place), "metered": "/no/such/file"})
    run = started(wrong)
    assert run.returncode == 1
    assert run.stderr
    assert run.stdout == b""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_worker_stands_in_the_root_with_two_pipes_and_no_environment(
    machine: Machine, cache: Path
) -> None:
    machine.warm()
    process = Path("/proc") / str(machine._workers[0].pid)
    assert str((process / "cwd").readlink()) == "/"
    assert (process / "environ").read_bytes() == b"MALLOC_ARENA_MAX=1\0"
    held = sorted(str(one.readlink()).partition(":")[0] for one in (process / "fd").iterdir())
    native = str(Cache(cache).folder)
    others = [one for one in held if not one.startswith(native)]
    assert others == ["/dev/null"] * 3 + ["pipe"] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_worker_s_limits_are_hard(machine: Machine) -> None:
    machine.warm()
    assert "limits" in machine.walls
    text = (Path("/proc") / str(machine._workers[0].pid) / "limits").read_text("utf-8")
    limits = {line[:25].strip(): line[26:].split()[:2] for line in text.splitlines()[1:]}
    for name, most in {
        "Max cpu time": "60",
        "Max file size": "0",
        "Max data size": str(512 << 20),
        "Max core file size": "0",
        "Max processes": "0",
        "Max open files": "0",
    }.items():
        assert limits[name] == [most, most], name


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_worker_at_work_ends_with_a_host_that_is_killed(cache: Path) -> None:
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from holodesk.host.machine.parent import Machine\n"
        "from tests.unit.host.machine.calls import call, performing\n"
        "machine = Machine(Path(sys.argv[1]))\n"
        "batch = machine.submit(performing('while True: pass'), [call()] * 64)\n"
        "print(batch.worker.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(cache)], cwd=ROOT, stdout=subprocess.PIPE
    )
    process = Path("/proc") / run.stdout.decode().strip()
    until = time.monotonic() + 2
    while process.exists() and process.joinpath("stat").read_text("utf-8").split()[2] != "Z":
        assert time.monotonic() < until, "the worker goes on without its host"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="the locks of Linux")
def test_the_machine_says_which_walls_stand(machine: Machine) -> None:
    machine.warm()
    status = (Path("/proc") / str(machine._workers[0].pid) / "status").read_text("utf-8")
    said = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert ("no-new-privileges" in machine.walls) == (said["NoNewPrivs"] == "1")
    assert ("seccomp" in machine.walls) == (said["Seccomp"] == "2")
    assert ("nobody" in machine.walls) == (os.geteuid() == 0)
    if os.geteuid() == 0:
        assert said["Uid"].split() == ["65534"] * 4
        assert said.get("Groups", "").split() == []
