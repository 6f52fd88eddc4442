"""One writer that verifies on opening, and appends whole or not at all (LH 3.4)."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from holodesk.errors import (
    ControlRefused,
    Fork,
    FrameRefused,
    Held,
    HolodeskError,
    Refused,
    Rejected,
    Rollback,
    Unavailable,
)
from holodesk.hologram import kinds, lease
from holodesk.hologram.perform import Runner
from holodesk.hologram.tile import Caller
from holodesk.host import clock
from holodesk.host.desk import RENEW_SECONDS, Desk, Turning
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.heads import kept_head
from holodesk.host.settings import Settings, config_folder
from holodesk.portal.caller import Choice
from holodesk.rapp import frame as frames
from holodesk.rapp.names import utc_milliseconds, utc_text
from holodesk.store.desk_file import DeskFile
from tests.simulator import HologramSimulator
from tests.unit.host.conftest import LEFT, UP, OpenDesk


def octets_of(folder: Path) -> list[bytes]:
    with DeskFile(folder / DESK_FILE, writable=False) as file:
        return list(file.read())


def change(folder: Path, *statements: str) -> None:
    db = sqlite3.connect(folder / DESK_FILE, isolation_level=None)
    try:
        for statement in statements:
            db.execute(statement)
    finally:
        db.close()


def put(folder: Path, octets: list[bytes]) -> None:
    """A desk file that holds these frames, verified or not."""
    made = [frames.parse(line, kinds.HOUSE_KINDS) for line in octets]
    with DeskFile.create(folder / DESK_FILE) as file:
        file.append(made, None)


# ---- opening ---------------------------------------------------------------------------------


def test_an_open_desk_names_its_verified_head(open_desk: OpenDesk) -> None:
    desk = open_desk()
    assert (desk.hologram.frames, desk.hologram.tiles, desk.hologram.signed) == (5, 2, True)
    assert desk.writable
    assert desk.why_not == ""


def test_an_altered_frame_is_refused_at_its_place_and_left_as_it_is(folder: Path) -> None:
    octets = octets_of(folder)[2]
    broken = octets.replace(b'"left"', b'"rite"')
    db = sqlite3.connect(folder / DESK_FILE, isolation_level=None)
    db.execute("UPDATE frames SET octets = ? WHERE seq = 2", (broken,))
    db.close()
    for write in (True, False):
        with pytest.raises(FrameRefused) as refused:
            Desk(folder, Settings(), write=write)
        assert (refused.value.where.seq, refused.value.step) == (2, "2")
    assert octets_of(folder)[2] == broken


CUTS: dict[str, tuple[str, ...]] = {
    "its frames": ("DELETE FROM frames WHERE seq > 2",),
    "its frames and its waves": (
        "DELETE FROM frames WHERE seq > 2",
        "DELETE FROM waves WHERE seq > 2",
    ),
    "everything": ("DELETE FROM frames", "DELETE FROM waves"),
}


@pytest.mark.parametrize("name", CUTS)
def test_a_desk_that_lost_what_was_verified_before_is_refused(name: str, folder: Path) -> None:
    change(folder, *CUTS[name])
    expected = Refused if name == "everything" else Rollback
    with pytest.raises(expected):
        Desk(folder, Settings(), write=False)


def elsewhere(tmp_path: Path, patch: pytest.MonkeyPatch) -> None:
    """From here on, another machine that has the owner's key and no memory."""
    config = tmp_path / "elsewhere"
    keys = config_folder() / "keys"
    patch.setenv("XDG_CONFIG_HOME", str(config))
    shutil.copytree(keys, config_folder() / "keys")


def test_another_branch_by_the_owner_is_refused_even_where_the_desk_forgot_its_waves(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    with Desk(folder, Settings(), program="test") as desk:
        desk.turn(Turning("rails", 30))
    with monkeypatch.context() as patch:
        elsewhere(tmp_path, patch)
        with Desk(other, Settings(), program="test") as desk:
            desk.turn(Turning("tempo", 1))
            desk.turn(Turning("tempo", 2))
    change(other, "DELETE FROM waves")
    with pytest.raises(Fork) as fork:
        Desk(other, Settings(), write=False)
    assert fork.value.where.seq == 5


def test_a_head_from_the_future_is_quarantined(tmp_path: Path) -> None:
    sim = HologramSimulator(None)  # type: ignore[arg-type]
    sim._now = utc_milliseconds(clock.now()) + (clock.FUTURE_SECONDS + 60) * 1000
    sim.turn("rails", 30)
    folder = tmp_path / "future"
    (folder / LENSES).mkdir(parents=True)
    put(folder, sim.frames)
    with pytest.raises(Refused, match="ahead of this machine's clock"):
        Desk(folder, Settings(), write=False)


def test_a_head_a_little_ahead_is_not_and_time_never_goes_back(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Desk(folder, Settings(), program="test") as desk:
        ahead = utc_text(utc_milliseconds(clock.now()) + 200_000)
        monkeypatch.setattr(time, "time_ns", lambda: utc_milliseconds(ahead) * 1_000_000)
        desk.turn(Turning("rails", 30))
        monkeypatch.undo()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with Desk(folder, Settings(), program="test") as desk:
        assert desk.turn(Turning("rails", 20)).utc == ahead


def test_an_unsigned_chain_is_read_and_never_written(tmp_path: Path) -> None:
    sim = HologramSimulator(None, signed=False)  # type: ignore[arg-type]
    folder = tmp_path / "unsigned"
    (folder / LENSES).mkdir(parents=True)
    put(folder, sim.frames)
    with Desk(folder, Settings(), program="test") as desk:
        assert not desk.writable
        assert not desk.hologram.signed
        with pytest.raises(Unavailable, match="unsigned"):
            desk.turn(Turning("rails", 30))
    assert octets_of(folder) == sim.frames


def test_nothing_is_left_open_by_a_desk_that_is_refused(folder: Path) -> None:
    change(folder, "UPDATE frames SET octets = x'7b7d' WHERE seq = 4")
    with pytest.raises(HolodeskError):
        Desk(folder, Settings(), program="test")
    before = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0
    for _ in range(20):
        for write in (True, False):
            with pytest.raises(FrameRefused):
                Desk(folder, Settings(), program="test", write=write)
    if before:
        assert len(list(Path("/proc/self/fd").iterdir())) <= before
    assert not (folder / "pen.json").exists()


# ---- one writer ------------------------------------------------------------------------------


def test_a_second_writer_is_held_and_a_reader_is_not(open_desk: OpenDesk) -> None:
    desk = open_desk()
    with pytest.raises(Held, match=f"process {os.getpid()}"):
        open_desk()
    assert open_desk(write=False).hologram.head == desk.hologram.head
    desk.close()
    assert open_desk().writable


def test_of_two_copies_of_a_desk_only_one_goes_on(
    folder: Path, open_desk: OpenDesk, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    one, two = open_desk(), open_desk(other)
    one.turn(Turning("rails", 30))
    before = octets_of(other)
    with pytest.raises(Fork, match="another copy"):
        two.turn(Turning("tempo", 1))
    assert octets_of(other) == before
    assert two.hologram.head.seq == 4
    one.turn(Turning("rails", 20))


def test_what_is_appended_is_on_disk_and_kept_outside(
    folder: Path, machine: Runner, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    tile = desk.take(desk.open_pass(machine), LEFT)
    assert desk.hologram.head.frame_hash == tile.frame_hash
    assert octets_of(folder)[-1] == tile.octets
    assert kept_head(tile.stream_id, keyed=True) == (tile.seq, tile.frame_hash)


def test_where_the_head_cannot_be_kept_nothing_is_appended(
    folder: Path, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    heads = config_folder() / "heads"
    shutil.rmtree(heads)
    heads.write_text("in the way")
    before = octets_of(folder)
    with pytest.raises(Unavailable):
        desk.turn(Turning("rails", 30))
    assert octets_of(folder) == before
    heads.unlink()
    assert desk.turn(Turning("rails", 30)).seq == 5


def test_a_frame_of_another_stream_is_judged_and_not_appended(
    folder: Path, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    sim = HologramSimulator(None)  # type: ignore[arg-type]
    foreign = sim.turn("rails", 30)
    before = octets_of(folder)
    with pytest.raises(HolodeskError):
        desk.append((foreign,))
    assert octets_of(folder) == before


def test_a_desk_deleted_while_it_is_open_acknowledges_nothing_more(
    folder: Path, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    shutil.rmtree(folder)
    with pytest.raises(Unavailable):
        desk.turn(Turning("rails", 30))
    assert desk.hologram.head.seq == 4
    desk.close()


# ---- reading on ------------------------------------------------------------------------------


def test_a_reader_follows_what_a_writer_appends(open_desk: OpenDesk) -> None:
    writer, reader = open_desk(), open_desk(write=False)
    assert not reader.reread()
    for value in (30, 20):
        writer.turn(Turning("rails", value))
    assert reader.reread()
    assert reader.hologram.head == writer.hologram.head
    assert reader.hologram.value("rails") == 20
    assert not reader.reread()


def test_a_reader_refuses_a_frame_that_breaks_a_rule(folder: Path, open_desk: OpenDesk) -> None:
    reader = open_desk(write=False)
    bad = octets_of(folder)[4].replace(b'"seq":4', b'"seq":5')
    db = sqlite3.connect(folder / DESK_FILE, isolation_level=None)
    db.execute("INSERT INTO frames VALUES (5, 'x', 'x', 'hologram.control', ?)", (bad,))
    db.close()
    with pytest.raises(FrameRefused):
        reader.reread()
    assert reader.hologram.head.seq == 4


GONE: dict[str, tuple[type[HolodeskError], Callable[[Path, Path], object]]] = {
    "deleted": (Unavailable, lambda folder, other: (folder / DESK_FILE).unlink()),
    "replaced": (
        Unavailable,
        lambda folder, other: (other / DESK_FILE).replace(folder / DESK_FILE),
    ),
    "cut": (Rollback, lambda folder, other: change(folder, "DELETE FROM waves WHERE seq > 2")),
}


@pytest.mark.parametrize("name", GONE)
def test_a_reader_never_calls_current_what_is_gone(
    name: str, folder: Path, open_desk: OpenDesk, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    reader = open_desk(write=False)
    family, gone = GONE[name]
    gone(folder, other)
    with pytest.raises(family):
        reader.reread()


# ---- offers, controls, leases ----------------------------------------------------------------


def test_a_rejected_choice_appends_nothing(
    folder: Path, machine: Runner, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    before = octets_of(folder)
    for choice in (
        Choice("Fly", {}, Caller("me")),
        Choice("Drift", {"toward": "left", "distance": 1000}, Caller("me")),
        Choice("Drift", {}, Caller("me")),
    ):
        with pytest.raises(Rejected):
            desk.take(desk.open_pass(machine), choice)
    assert octets_of(folder) == before


def test_one_who_only_looks_is_shown_what_the_holder_of_the_lease_is_shown(
    machine: Runner, open_desk: OpenDesk
) -> None:
    writer, reader = open_desk(), open_desk(write=False)
    assert writer.hold_lease()
    reader.reread()
    shown, seen = writer.offer(machine), reader.offer(machine)
    assert seen.head == shown.head
    assert [lens.as_json() for lens in seen.lenses] == [lens.as_json() for lens in shown.lenses]


def test_a_control_that_would_not_change_or_is_out_of_range_appends_nothing(
    folder: Path, open_desk: OpenDesk
) -> None:
    desk = open_desk()
    before = octets_of(folder)
    for turning in (
        Turning("rails", 40),
        Turning("rails", 101),
        Turning("speed", 1),
        Turning("rails", 30, ("a",), keep_detail=False),
        Turning("lens", 4, ("a", "a"), keep_detail=False),
    ):
        with pytest.raises(ControlRefused):
            desk.turn(turning)
    assert octets_of(folder) == before


def test_a_turn_says_what_was_before_and_keeps_its_list(open_desk: OpenDesk) -> None:
    desk = open_desk()
    desk.turn(Turning("lens", 8, ("Drift",), keep_detail=False, reason="few"))
    frame = desk.turn(Turning("lens", 4))
    assert frame.payload["previous"] == {"value": 8, "detail": {"allow": ["Drift"]}}
    assert frame.payload["detail"] == {"allow": ["Drift"]}
    assert frame.payload["by"] == {"id": "me", "kind": "person"}


def test_a_lease_is_taken_once_and_renewed_before_it_runs_out(open_desk: OpenDesk) -> None:
    desk = open_desk()
    assert desk.hold_lease()
    assert not desk.hold_lease()
    desk.lease("release")
    desk.lease("take", RENEW_SECONDS - 60)
    assert desk.hold_lease()
    assert not desk.hold_lease()


def test_somebody_elses_lease_holds_every_frame(folder: Path, machine: Runner) -> None:
    with Desk(folder, Settings(machine="here"), program="test") as desk:
        desk.lease("take")
    before = octets_of(folder)
    with Desk(folder, Settings(machine="there"), program="test") as desk:
        for act in (
            desk.hold_lease,
            lambda: desk.turn(Turning("rails", 30)),
            lambda: desk.open_pass(machine),
        ):
            with pytest.raises(Held, match="here"):
                act()
    assert octets_of(folder) == before
    assert lease.in_force(desk.hologram.lease, clock.now()) is not None


def test_a_preview_keeps_nothing(folder: Path, machine: Runner, open_desk: OpenDesk) -> None:
    desk = open_desk()
    before = octets_of(folder)
    shown = desk.preview(machine, UP)
    assert octets_of(folder) == before
    assert desk.take(desk.open_pass(machine), UP).payload["object"] == shown
