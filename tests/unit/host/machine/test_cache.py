"""The compiled runtime is made once, kept privately, and never taken from elsewhere (LH 6)."""

import os
from pathlib import Path

import pytest

from holodesk.errors import Unavailable
from holodesk.host.machine import cache as room
from holodesk.host.machine.cache import WORDS, Cache, wasm_file
from holodesk.host.machine.parent import Machine
from tests.unit.host.machine.calls import answer, how, returning

posix = pytest.mark.skipif(os.name != "posix", reason="owners and modes as POSIX has them")


def test_the_wasm_file_is_the_pinned_one() -> None:
    assert wasm_file().stat().st_size == 26_267_204


def test_another_file_in_its_place_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(room, "WASM_SHA256", "0" * 64)
    with Machine(tmp_path / "cache") as machine, pytest.raises(Unavailable) as refusal:
        machine.warm()
    assert "expected a runtime with sha256 000" in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "cache").exists()


def test_a_package_that_is_not_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(room, "find_spec", lambda name: None)
    with Machine(tmp_path / "cache") as machine:
        assert machine.submit(returning("1"), []).replies() == []
        with pytest.raises(Unavailable, match="is not installed"):
            machine.gate(returning("1"))


def test_it_is_made_once_with_progress_and_then_only_loaded(tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []
    folder = tmp_path / "cache"
    with Machine(folder, progress=lambda words, part: told.append((words, part))) as machine:
        assert told == []
        assert how(answer(machine, returning("1"))) == "answered"
    assert {words for words, _ in told} == {WORDS}
    parts = [part for _, part in told]
    assert (parts[0], parts[-1]) == (0.0, 1.0)
    assert parts == sorted(parts)
    made = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert sum(name.endswith(".native") for name in made) == 1
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700
        assert all(path.stat().st_mode & 0o077 == 0 for path in folder.glob("python-*"))
    told.clear()
    with Machine(folder, progress=lambda words, part: told.append((words, part))) as machine:
        machine.warm()
    assert told == []
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == made
    _a_broken_one_is_made_anew(folder)


def _a_broken_one_is_made_anew(folder: Path) -> None:
    (folder / "making-left").mkdir()
    (native,) = folder.glob("*-metered.native")
    native.write_bytes(b"no native code" * 100)
    with Machine(folder) as machine:
        assert how(answer(machine, returning("1"))) == "answered"
    assert native.stat().st_size > 1_000_000
    assert not (folder / "making-left").exists()


@posix
def test_a_folder_that_others_may_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(Unavailable, match="others may write"):
        Cache(folder).prepared(None)


@posix
def test_a_folder_inside_one_that_others_may_write_is_refused(tmp_path: Path) -> None:
    above = tmp_path / "open"
    above.mkdir()
    above.chmod(0o777)
    with pytest.raises(Unavailable, match="others may write"):
        Cache(above / "cache").prepared(None)


@posix
def test_a_link_in_the_folder_s_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(Unavailable):
        Cache(tmp_path / "link").prepared(None)


@posix
def test_a_file_that_others_may_write_is_never_loaded(tmp_path: Path, cache: Path) -> None:
    with Machine(cache) as machine:
        machine.warm()
    made = Cache(cache)
    made.prepared(None)
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o700)
    planted = Cache(folder)
    planted._names = made._names
    path = planted._path("metered")
    path.write_bytes(b"native code of somebody else")
    path.chmod(0o666)
    assert not planted._is_whole("metered")
    path.chmod(0o600)
    assert planted._is_whole("metered")
    path.unlink()
    path.symlink_to(made._path("metered"))
    assert not planted._is_whole("metered")


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable):
        Cache(tmp_path / "file" / "cache").prepared(None)
