"""What every test shares: where the shared data is."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from holodesk.hologram.perform import Runner

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# The same commit gives the same verdict: drawn cases follow from the test's own text. `make fuzz`
# draws new ones. No deadline: a busy machine is not a broken promise.
settings.register_profile("steady", derandomize=True, database=None, deadline=None)
settings.register_profile("wide", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has configuration and data folders of its own; the compiled machine is shared."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data; a test that needs it skips where it is absent."""
    folder = Path(os.environ.get("HOLODESK_SHARED", ROOT.parent / "shared")).resolve()
    if not (folder / "data").is_dir():
        pytest.skip(f"the shared data is not at {folder} (HOLODESK_SHARED)")
    return folder


@pytest.fixture(scope="session")
def machine() -> Iterator[Runner]:
    """The real lens machine, one for the whole session."""
    from holodesk.host.runner import open_machine

    with open_machine(1) as runner:
        yield runner
