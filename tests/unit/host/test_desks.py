"""A desk is made whole or not at all (decisions 8)."""

import os
import shutil
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk.errors import HolodeskError, Refused, Unavailable, Usage
from holodesk.hologram import genesis
from holodesk.hologram.controls import defaults
from holodesk.host.content import KINDS
from holodesk.host.desk import Desk
from holodesk.host.desks import (
    DESK_FILE,
    REGISTRY,
    NewFolder,
    begin_desk,
    ensure_default,
    find_desk,
    from_kind,
    make_desk,
)
from holodesk.host.keyring import key_file
from holodesk.host.settings import Settings, config_folder, default_desk
from holodesk.rapp.canonical import Json
from holodesk.rapp.registry import parse_registry


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_kind_makes_a_desk_that_opens_to_write(kind: str, tmp_path: Path) -> None:
    first = make_desk(tmp_path / kind, from_kind(kind))
    with Desk(tmp_path / kind, Settings(), program="test") as desk:
        assert desk.writable
        assert desk.hologram.schema.startswith(f"{kind}/")
        assert desk.hologram.head.frame_hash == first.frame_hash
        assert [state.reason for state in desk.offering().files if state.reason] == []
    names = sorted(path.name for path in (tmp_path / kind).iterdir())
    assert names == ["agents", "desk.sqlite", "lenses", "media", "pen.lock", "registry.json"]


def test_the_key_is_outside_the_desk_and_its_owners_alone(tmp_path: Path) -> None:
    first = make_desk(tmp_path / "d", from_kind("creature"))
    key = key_file(first.stream_id)
    assert config_folder() in key.parents
    if os.name == "posix":
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    secret = key.read_bytes().splitlines()[1]
    inside = [path for path in (tmp_path / "d").rglob("*") if path.is_file()]
    assert not any(secret in path.read_bytes() for path in inside)


def test_the_desks_registry_names_its_owner_its_key_and_its_genesis(tmp_path: Path) -> None:
    first = make_desk(tmp_path / "d", from_kind("creature"))
    registry = parse_registry((tmp_path / "d" / REGISTRY).read_bytes(), first.stream_id)
    assert registry.keyring.genesis == {first.stream_id: first.frame_hash}


def test_two_desks_of_one_name_are_two_streams(tmp_path: Path) -> None:
    one = make_desk(tmp_path / "a" / "d", from_kind("creature"))
    two = make_desk(tmp_path / "b" / "d", from_kind("creature"))
    assert one.stream_id != two.stream_id


@pytest.mark.parametrize("name", ["Große Wolke", "--x--", "…", "a" * 200, "-", "日本", ".hidden"])
def test_any_name_of_a_folder_can_be_a_desk(name: str, tmp_path: Path) -> None:
    first = make_desk(tmp_path / name, from_kind("story"))
    assert first.stream_id.startswith("rappid:@me/")
    assert find_desk(tmp_path / name) == tmp_path / name


def test_the_working_folder_can_become_a_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    first = make_desk(Path(), from_kind("story"))
    assert first.stream_id.startswith("rappid:@me/here:")
    assert (tmp_path / "here" / DESK_FILE).is_file()


def in_the_way(folder: Path) -> Path:
    (folder / "old").write_text("old")
    return folder


TAKEN: dict[str, Callable[[Path], Path]] = {
    "a folder with something in it": in_the_way,
    "a file": lambda folder: in_the_way(folder) / "old",
    "under a file": lambda folder: in_the_way(folder) / "old" / "d",
    "too long a name": lambda folder: folder / ("n" * 300),
    "the root": lambda folder: Path("/"),
    "a link to itself": lambda folder: linked(folder / "loop", folder / "loop"),
    "a name with a zero": lambda folder: folder / "a\0b",
}


def linked(link: Path, target: Path) -> Path:
    link.symlink_to(target)
    return link


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_in_the_way_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    path = TAKEN[name](place)
    before = sorted((p, p.lstat().st_mtime_ns) for p in tmp_path.rglob("*"))
    with pytest.raises(HolodeskError):
        make_desk(path, from_kind("story"))
    after = sorted((p, p.lstat().st_mtime_ns) for p in tmp_path.rglob("*"))
    assert [p for p, _ in after if "config" not in p.parts] == [p for p, _ in before]


def test_a_desk_whose_filling_fails_is_not_there(tmp_path: Path) -> None:
    def full(part: Path) -> None:
        (part / "half").write_text("half")
        raise OSError(28, "No space left on device")

    def payload(spki: bytes) -> dict[str, Json]:
        controls = defaults()
        return genesis.payload(object=1, controls=controls, self_lens=None, spki=spki, owner="me")

    with pytest.raises(Unavailable, match="No space"):
        begin_desk(tmp_path / "d", payload, full)
    assert [path.name for path in tmp_path.iterdir() if path.name != "config"] == []


def test_a_folder_that_is_filled_meanwhile_wins(tmp_path: Path) -> None:
    def meanwhile() -> None:
        with NewFolder(tmp_path / "d") as part:
            (part / "ours").write_text("ours")
            (tmp_path / "d").mkdir()
            (tmp_path / "d" / "theirs").write_text("theirs")

    with pytest.raises(Unavailable):
        meanwhile()
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["theirs"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d"]


def test_the_default_desk_is_made_once_however_many_start_at_once() -> None:
    made: list[Path] = []

    def start() -> None:
        made.append(ensure_default())

    starts = [threading.Thread(target=start) for _ in range(4)]
    for one in starts:
        one.start()
    for one in starts:
        one.join()
    assert made == [default_desk()] * 4
    assert [path.name for path in default_desk().parent.iterdir()] == [default_desk().name]


def test_deleting_a_desk_never_deletes_its_key(tmp_path: Path) -> None:
    first = make_desk(tmp_path / "d", from_kind("story"))
    shutil.rmtree(tmp_path / "d")
    assert key_file(first.stream_id).is_file()


MISSING: dict[str, tuple[type[HolodeskError], Callable[[Path], Path]]] = {
    "nothing": (Unavailable, lambda folder: folder / "none"),
    "a folder without a desk": (Unavailable, lambda folder: folder),
    "a file": (Usage, lambda folder: in_the_way(folder) / "old"),
    "too long a name": (Unavailable, lambda folder: folder / ("n" * 300)),
    "under a file": (Unavailable, lambda folder: in_the_way(folder) / "old" / "d"),
}


@pytest.mark.parametrize("name", MISSING)
def test_what_is_no_desk_is_said_in_one_sentence(name: str, tmp_path: Path) -> None:
    family, path = MISSING[name]
    with pytest.raises(family) as told:
        find_desk(path(tmp_path))
    assert "\n" not in str(told.value)


def test_a_kind_of_nothing_is_told_with_the_kinds_there_are() -> None:
    with pytest.raises(Usage, match="creature"):
        from_kind("dragon")


def test_a_desk_is_never_made_over_a_desk(tmp_path: Path) -> None:
    first = make_desk(tmp_path / "d", from_kind("story"))
    with pytest.raises(Refused):
        make_desk(tmp_path / "d", from_kind("creature"))
    with Desk(tmp_path / "d", Settings(), write=False) as desk:
        assert desk.hologram.head.frame_hash == first.frame_hash
