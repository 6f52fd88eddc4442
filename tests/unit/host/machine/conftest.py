"""One real machine for all tests of this room; the runtime is compiled once and kept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holodesk.host.machine.parent import Machine
from holodesk.host.settings import cache_folder


@pytest.fixture(scope="session")
def cache() -> Path:
    """Where the compiled runtime lies, made by the first test that needs it."""
    return cache_folder()


@pytest.fixture(scope="session")
def machine(cache: Path) -> Iterator[Machine]:
    with Machine(cache, workers=2) as one:
        one.warm()
        yield one


@pytest.fixture(scope="session")
def honest(shared: Path) -> dict[str, tuple[str, list[dict[str, Any]]]]:
    """Each honest lens: its source, and its cases in order."""
    folder = shared / "data"
    lines = (folder / "honest_lenses/inputs.jsonl").read_bytes().splitlines()
    found: dict[str, tuple[str, list[dict[str, Any]]]] = {}
    for case in map(json.loads, lines):
        name = case["lens"]
        if name not in found:
            path = folder / f"honest_lenses_agent/{name}_agent.py"
            found[name] = (path.read_bytes().decode(), [])
        found[name][1].append(case)
    return found
