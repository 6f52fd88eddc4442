"""Every hostile lens against the machine: held as its manifest asks, and nobody harmed (LH 6)."""

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.unit.host.machine.corpus import PORT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the corpus is made for Linux")
PINNED = {"harmless", "refused_at_output"}
"""What also counts in the category nondet, because the runtime is pinned."""


@pytest.fixture
def canary() -> Iterator[Path]:
    """A folder that the user of the worker may reach and write."""
    with tempfile.TemporaryDirectory(prefix="canary") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if not all(letter.isalnum() or letter in "/._-" for letter in name):
            pytest.skip(f"the canary's folder cannot be named in a shell: {name}")
        with socket.socket() as door:
            try:
                door.bind(("127.0.0.1", PORT))
            except OSError:
                pytest.skip(f"the canary's port {PORT} is taken")
        yield folder / "canary"


def run(folder: Path, canary: Path, cache: Path, *, guarded: bool) -> dict[str, Any]:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    given = {
        "lenses": str(folder),
        "canary": str(canary),
        "cache": str(cache),
        "guarded": guarded,
        "files": {one["file"]: one["category"] for one in manifest},
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.host.machine.corpus", json.dumps(given)],
        cwd=ROOT,
        capture_output=True,
        start_new_session=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    found["manifest"] = manifest
    return found


def not_held(found: dict[str, Any]) -> dict[str, Any]:
    """The lenses whose outcome is not accepted, or that did harm."""
    bad = {}
    for one in found["manifest"]:
        said = found["answers"][one["file"]]
        accepted = set(one["accept"]) | (PINNED if one["category"] == "nondet" else set())
        if said["outcome"] not in accepted or said["harms"]:
            bad[one["name"]] = said
    return bad


@pytest.mark.slow
def test_gate_and_machine_hold_the_whole_corpus(shared: Path, cache: Path, canary: Path) -> None:
    found = run(shared / "data/hostile_lenses_agent", canary, cache, guarded=True)
    assert len(found["answers"]) == 110
    assert not_held(found) == {}
    assert found["left"] == []


@pytest.mark.slow
def test_the_machine_alone_lets_nothing_reach_the_host(
    shared: Path, cache: Path, canary: Path
) -> None:
    found = run(shared / "data/hostile_lenses_agent", canary, cache, guarded=False)
    assert [said["harms"] for said in found["answers"].values() if said["harms"]] == []
    assert set(not_held(found)) <= {"monkeypatch_json"}
    assert found["left"] == []
