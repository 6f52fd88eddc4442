"""What every test shares: where the shared data is."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from holodesk.hologram.perform import Runner

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

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
