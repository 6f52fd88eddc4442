"""Nothing is copied into a desk or out of it unread (decisions 8)."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import trimesh

from holodesk.agent.source import read
from holodesk.cli.main import main
from holodesk.errors import Fork, HolodeskError, Refused, Rollback, Unavailable, Usage
from holodesk.hologram import kinds, lens
from holodesk.hologram.chain import Hologram
from holodesk.hologram.perform import Runner
from holodesk.host import exchanging
from holodesk.host.checkpointing import make_checkpoint
from holodesk.host.desk import Desk, Turning
from holodesk.host.desks import DESK_FILE, LENSES
from holodesk.host.exchanging import export_chain, follow_file, import_chain
from holodesk.host.heads import keep_head, kept_head
from holodesk.host.machine.parent import Machine
from holodesk.host.modelling import media_of
from holodesk.host.offering import MAX_FILES
from holodesk.host.settings import Settings, config_folder
from holodesk.rapp import frame as frames
from holodesk.rapp.canonical import Json, canonical
from holodesk.store.desk_file import DeskFile
from holodesk.store.exchange import read_lines
from tests.simulator import Act, HologramSimulator, creature, shipped_lens
from tests.unit.host.conftest import agent_file
from tests.unit.host.test_desk import change, octets_of


def write(path: Path, octets: list[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in octets))
    return path


# ---- out -------------------------------------------------------------------------------------


def test_what_is_exported_is_the_verified_chain_a_canonical_frame_a_line(
    folder: Path, tmp_path: Path
) -> None:
    count, hologram, _ = export_chain(folder, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_bytes().splitlines()
    assert count == len(lines) == hologram.frames == 5
    assert lines == octets_of(folder)
    assert all(canonical(json.loads(line)) == line for line in lines)


def test_a_desk_whose_octets_are_not_canonical_is_exported_canonically(
    folder: Path, tmp_path: Path
) -> None:
    before = octets_of(folder)
    pretty = json.dumps(json.loads(before[1]), indent=1).replace("'", "''")
    change(folder, f"UPDATE frames SET octets = CAST('{pretty}' AS BLOB) WHERE seq = 1")
    export_chain(folder, tmp_path / "out.jsonl")
    assert list(read_lines(tmp_path / "out.jsonl")) == before


@pytest.mark.parametrize("seq", [0, 2, 4])
def test_a_broken_desk_exports_nothing_and_leaves_what_was_there(
    seq: int, folder: Path, tmp_path: Path
) -> None:
    change(folder, f"UPDATE frames SET octets = x'7b7d' WHERE seq = {seq}")
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"old\n")
    with pytest.raises(Refused):
        export_chain(folder, out)
    assert out.read_bytes() == b"old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config", "d", "out.jsonl"]


def test_a_cut_desk_exports_nothing(folder: Path, tmp_path: Path) -> None:
    change(folder, "DELETE FROM frames WHERE seq > 2", "DELETE FROM waves WHERE seq > 2")
    with pytest.raises(Rollback):
        export_chain(folder, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_an_export_never_takes_a_desk_files_place(folder: Path) -> None:
    before = octets_of(folder)
    for name in (DESK_FILE, f"{DESK_FILE}-wal"):
        with pytest.raises(Usage):
            export_chain(folder, folder / name)
    assert octets_of(folder) == before


# ---- in --------------------------------------------------------------------------------------


def test_export_then_import_is_identity(folder: Path, tmp_path: Path, machine: Runner) -> None:
    before = octets_of(folder)
    export_chain(folder, tmp_path / "out.jsonl")
    shutil.rmtree(folder)
    hologram, _ = import_chain(tmp_path / "out.jsonl", folder, machine)
    assert (hologram.frames, hologram.head.seq) == (5, 4)
    assert octets_of(folder) == before
    with DeskFile(folder / DESK_FILE, writable=False) as file:
        assert len(file.waves()) == 5
    with Desk(folder, Settings(), program="test") as desk:
        assert desk.writable


def refused(path: Path, desk: Path, machine: Runner, family: type[HolodeskError]) -> HolodeskError:
    before = sorted(desk.parent.iterdir())
    with pytest.raises(family) as problem:
        import_chain(path, desk, machine)
    assert sorted(desk.parent.iterdir()) == before
    return problem.value


def test_a_forged_tile_with_honest_hashes_brings_nothing(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    forged = sim.forge(9, lambda payload: payload["object"].update(age=77))
    path = write(tmp_path / "chain.jsonl", forged)
    (tmp_path / "config").mkdir()
    problem = refused(path, tmp_path / "d", machine, Refused)
    assert problem.where.seq == 9
    assert kept_head(sim.hologram.head.stream_id, keyed=True) is None


def test_an_older_chain_than_the_one_known_here_brings_nothing(
    folder: Path, tmp_path: Path, machine: Runner
) -> None:
    export_chain(folder, tmp_path / "old.jsonl")
    with Desk(folder, Settings(), program="test") as desk:
        desk.turn(Turning("rails", 30))
    refused(tmp_path / "old.jsonl", tmp_path / "copy", machine, Rollback)


def test_a_strangers_chain_under_my_name_does_not_harm_my_desk(
    folder: Path, tmp_path: Path, machine: Runner
) -> None:
    with Desk(folder, Settings(), program="test") as desk:
        mine = desk.hologram.head.stream_id
    sim = HologramSimulator(machine, signed=False)
    made: list[bytes] = []
    head = None
    for line in [*sim.frames, *(sim.turn("rails", 30 + n).octets for n in range(9))]:
        old = frames.parse(line, kinds.HOUSE_KINDS)
        payload = {**old.payload, "after": None if head is None else head.frame_hash}
        new = frames.build(
            kind=old.kind,
            stream_id=mine,
            payload=payload,
            utc=old.utc,
            head=head,
            kinds=kinds.HOUSE_KINDS,
        )
        made.append(new.octets)
        head = new.head
    import_chain(write(tmp_path / "stranger.jsonl", made), tmp_path / "theirs", machine)
    with Desk(folder, Settings(), program="test") as desk:
        assert desk.turn(Turning("rails", 30)).seq == 5


def test_another_branch_of_a_known_stream_brings_nothing(tmp_path: Path, machine: Runner) -> None:
    sim = HologramSimulator(machine)
    before = sim.hologram
    sim.turn("rails", 30)
    keep_head(sim.hologram)
    sim.hologram, sim.frames = before, sim.frames[:1]
    for value in (31, 32, 33):
        sim.turn("rails", value)
    path = write(tmp_path / "branch.jsonl", sim.frames)
    refused(path, tmp_path / "d", machine, Fork)


def test_a_chain_from_the_future_is_quarantined(tmp_path: Path, machine: Runner) -> None:
    sim = HologramSimulator(machine)
    sim._now += 10**12
    sim.turn("rails", 30)
    path = write(tmp_path / "future.jsonl", sim.frames)
    assert "ahead" in refused(path, tmp_path / "d", machine, Refused).message


def test_where_the_head_cannot_be_kept_nothing_is_brought(tmp_path: Path, machine: Runner) -> None:
    path = write(tmp_path / "chain.jsonl", creature(machine).frames)
    heads = config_folder() / "heads"
    heads.parent.mkdir(parents=True)
    heads.write_text("in the way")
    refused(path, tmp_path / "d", machine, Unavailable)


def test_what_cannot_be_judged_here_brings_nothing_and_is_no_forgery(
    tmp_path: Path, machine: Runner
) -> None:
    path = write(tmp_path / "chain.jsonl", creature(machine).frames)
    closed = Machine(tmp_path / "cache")
    closed.close()
    refused(path, tmp_path / "d", closed, Unavailable)


def test_many_frames_are_put_in_whole_a_few_at_a_time(
    tmp_path: Path, machine: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchanging, "TOGETHER", 3)
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames)
    import_chain(path, tmp_path / "d", machine)
    assert octets_of(tmp_path / "d") == sim.frames


SCHEMAS: list[Json] = [
    "creature/1",
    "../../etc",
    "x" * 5000,
    "",
    "CREATURE/1",
    "．．/1",
    "con/1",
    7,
    None,
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_objects_schema_never_leads_outside_the_shipped_kinds(
    schema: Json, tmp_path: Path, machine: Runner
) -> None:
    sim = HologramSimulator(machine, object={"schema": schema})
    path = write(tmp_path / "chain.jsonl", sim.frames)
    import_chain(path, tmp_path / "d", machine)
    brought = sorted(path.name for path in (tmp_path / "d" / LENSES).iterdir())
    assert bool(brought) == (schema == "creature/1")


def lens_frames(sim: HologramSimulator, sources: list[str]) -> None:
    for source in sources:
        agent = read(source.encode())
        head = sim.hologram.head.frame_hash
        sim.write(kinds.LENS, lens.payload(agent, sim.runner.runtime, head))


def test_the_newest_version_of_each_lens_comes_with_the_chain(
    tmp_path: Path, machine: Runner
) -> None:
    sim = HologramSimulator(machine, object={"schema": "other/1"})
    first, second, dashed = (agent_file(name) for name in ("Sing", "Sing", "My-lens"))
    second = second + "\n# newer\n"
    lens_frames(sim, [first, second, dashed])
    path = write(tmp_path / "chain.jsonl", sim.frames)
    import_chain(path, tmp_path / "d", machine)
    lenses = tmp_path / "d" / LENSES
    assert sorted(p.name for p in lenses.iterdir()) == ["my_lens_agent.py", "sing_agent.py"]
    assert (lenses / "sing_agent.py").read_text() == second
    with Desk(tmp_path / "d", Settings(), write=False) as desk:
        offered = [agent.surface.name for agent in desk.offering().lenses]
    assert offered == ["My-lens", "Sing"]


def test_a_shipped_lens_keeps_its_file(tmp_path: Path, machine: Runner) -> None:
    sim = HologramSimulator(machine, lenses=(shipped_lens("creature", "drift_agent"),))
    lens_frames(sim, [agent_file("Drift")])
    sim.act(Act("Drift", {"toward": "left", "distance": 8}))
    path = write(tmp_path / "chain.jsonl", sim.frames)
    import_chain(path, tmp_path / "d", machine)
    shipped = shipped_lens("creature", "drift_agent").source
    assert (tmp_path / "d" / LENSES / "drift_agent.py").read_text() == shipped


def test_a_chain_of_very_many_lenses_brings_no_more_files_than_are_read(
    tmp_path: Path, machine: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchanging, "MAX_FILES", 3)
    sim = HologramSimulator(machine, object={"schema": "other/1"})
    lens_frames(sim, [agent_file(f"Lens{number}") for number in range(6)])
    path = write(tmp_path / "chain.jsonl", sim.frames)
    import_chain(path, tmp_path / "d", machine)
    names = sorted(p.name for p in (tmp_path / "d" / LENSES).iterdir())
    assert names == ["lens3_agent.py", "lens4_agent.py", "lens5_agent.py"]
    assert MAX_FILES > 3


# ---- as it grows -----------------------------------------------------------------------------


def test_each_new_head_of_a_growing_file_is_told_once(tmp_path: Path, machine: Runner) -> None:
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames[:4])
    heads: list[int] = []

    def told(hologram: Hologram) -> None:
        heads.append(hologram.head.seq)
        if len(heads) < 3:
            with path.open("ab") as out:
                out.write(sim.frames[heads[-1] + 1] + b"\n")
                out.write(sim.frames[heads[-1] + 2] + b"\n")

    found = follow_file(path, machine, told, seconds=0, pause=0)
    assert heads == [3, 5, 7]
    assert found is not None
    assert found.head.seq == 7


GROWN: dict[str, Callable[[Path, list[bytes]], object]] = {
    "cut": lambda path, frames: os.truncate(path, 100),
    "a frame left out": lambda path, frames: write(path, [*frames[:4], frames[5]]),
    "a line that is none": lambda path, frames: write(path, [*frames[:4], b"hello"]),
}


@pytest.mark.parametrize("name", GROWN)
def test_a_growing_file_that_breaks_a_rule_is_refused_with_its_name(
    name: str, tmp_path: Path, machine: Runner
) -> None:
    sim = creature(machine)
    path = write(tmp_path / "chain.jsonl", sim.frames[:4])

    def told(hologram: Hologram) -> None:
        GROWN[name](path, sim.frames)

    with pytest.raises(Refused, match=r"chain\.jsonl"):
        follow_file(path, machine, told, once=True)


def test_a_frame_that_cannot_be_judged_is_not_told(tmp_path: Path, machine: Runner) -> None:
    path = write(tmp_path / "chain.jsonl", creature(machine).frames)
    closed = Machine(tmp_path / "cache")
    closed.close()
    heads: list[object] = []
    with pytest.raises(Unavailable):
        follow_file(path, closed, heads.append, once=True)
    assert heads == []


def test_a_file_without_a_whole_line_is_followed_to_nothing(
    tmp_path: Path, machine: Runner
) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b'{"half":')
    assert follow_file(path, machine, lambda hologram: None, once=True) is None


def test_the_media_of_a_model_go_with_it_out_and_in_and_into_a_checkpoint(
    tmp_path: Path, machine: Runner
) -> None:
    trimesh.creation.box((1.0, 2.0, 1.0)).export(tmp_path / "box.stl")
    desk, out = tmp_path / "box", tmp_path / "sent" / "box.jsonl"
    assert main(["new", str(desk), "--model", str(tmp_path / "box.stl")]) == 0
    out.parent.mkdir()
    _, hologram, stays = export_chain(desk, out)
    address = media_of(hologram.object)
    assert address is not None
    assert stays == ""
    assert (out.parent / "media" / address).read_bytes() == (desk / "media" / address).read_bytes()
    _, stays = import_chain(out, tmp_path / "theirs", machine)
    assert stays == ""
    assert (tmp_path / "theirs" / "media" / address).is_file()
    make_checkpoint(desk, tmp_path / "again")
    assert (tmp_path / "again" / "media" / address).is_file()
    (out.parent / "media" / address).write_bytes(b"another body")
    _, stays = import_chain(out, tmp_path / "last", machine)
    assert "does not have its address" in stays
    assert list((tmp_path / "last" / "media").iterdir()) == []
