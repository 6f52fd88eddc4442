"""The desk file: compare-and-append in one transaction, or nothing at all (decisions 8)."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from holodesk.errors import Held, Refused, Unavailable
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.rapp import frame as frames
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import mint_keyless, utc_text
from holodesk.store.desk_file import PAGE, DeskFile
from holodesk.store.schema import MAX_VALUE
from holodesk.store.waves import PAGE as WAVES_PAGE
from tests.conftest import ROOT

STREAM = str(mint_keyless("me", "test", bytes.fromhex("00112233445546778899aabbccddeeff")))


def chain_of(count: int) -> list[Frame]:
    made: list[Frame] = []
    for number in range(count):
        made.append(
            frames.build(
                kind="body.pulse",
                stream_id=STREAM,
                payload={"n": number},
                utc=utc_text(1_790_000_000_000 + number),
                head=made[-1].head if made else None,
                kinds=HOUSE_KINDS,
            )
        )
    return made


@pytest.fixture
def file(tmp_path: Path) -> Iterator[DeskFile]:
    with DeskFile.create(tmp_path / "desk.sqlite") as made:
        yield made


def test_what_is_read_back_is_what_was_hashed(file: DeskFile) -> None:
    chain = chain_of(PAGE + 3)
    file.append(chain, None)
    assert list(file.read()) == [frame.octets for frame in chain]
    assert list(file.read(PAGE)) == [frame.octets for frame in chain[PAGE:]]
    assert dict(file.waves()) == {frame.seq: frame.frame_hash for frame in chain}
    assert file.frame(2) == chain[2].octets
    assert file.frame(PAGE + 3) is None
    assert list(islice(file.newest(5), 2)) == [chain[4].octets, chain[3].octets]
    assert list(file.newest(PAGE + 3)) == [frame.octets for frame in reversed(chain)]


def test_appending_after_another_head_appends_nothing(file: DeskFile) -> None:
    chain = chain_of(3)
    file.append(chain[:2], None)
    for after in (None, chain[0].frame_hash):
        with pytest.raises(Held, match=chain[1].frame_hash[:16]):
            file.append(chain[2:], after)
    assert list(file.read()) == [frame.octets for frame in chain[:2]]
    file.append(chain[2:], chain[1].frame_hash)


def test_half_of_an_append_is_never_kept(file: DeskFile) -> None:
    chain = chain_of(3)
    with pytest.raises(Refused):
        file.append([chain[0], chain[1], chain[1]], None)
    assert list(file.read()) == []
    assert len(file.waves()) == 0


def test_a_second_writer_that_read_an_old_head_is_held(file: DeskFile) -> None:
    chain = chain_of(2)
    file.append(chain[:1], None)
    with DeskFile(file.path, writable=True) as other:
        other.append(chain[1:], chain[0].frame_hash)
    with pytest.raises(Held):
        file.append(chain[1:], chain[0].frame_hash)


def test_an_unacknowledged_append_is_not_there_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    chain = chain_of(3)
    file = DeskFile.create(path)
    file.append(chain[:2], None)
    file._db.execute("BEGIN IMMEDIATE")
    file._db.execute(
        "INSERT INTO frames VALUES (2, ?, '', '', ?)", (chain[2].frame_hash, chain[2].octets)
    )
    file._db.close()
    with DeskFile(path, writable=True) as again:
        assert list(again.read()) == [frame.octets for frame in chain[:2]]


def test_a_file_that_is_no_desk_is_refused_in_one_sentence(tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.sqlite"
    garbage.write_bytes(b"not a database at all, by a long way" * 100)
    empty = tmp_path / "empty.sqlite"
    empty.write_bytes(b"")
    foreign = tmp_path / "foreign.sqlite"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE frames (seq)")
    db.commit()
    db.close()
    for path in (garbage, empty, foreign):
        with pytest.raises(Refused) as refused:
            DeskFile(path, writable=False)
        assert path.name in str(refused.value)
    with pytest.raises(Unavailable):
        DeskFile(tmp_path / "none.sqlite", writable=False)


def test_a_truncated_desk_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    with DeskFile.create(path) as file:
        file.append(chain_of(400), None)
        file._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(path.read_bytes()[:20_000])
    before = path.read_bytes()
    with pytest.raises((Refused, Unavailable)), DeskFile(path, writable=False) as file:
        list(file.read())
    assert path.read_bytes() == before


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    with DeskFile.create(path) as file:
        file._db.execute("PRAGMA user_version = 2")
    with pytest.raises(Refused, match="format 1"):
        DeskFile(path, writable=False)


def test_a_desk_is_never_made_over_another(file: DeskFile) -> None:
    with pytest.raises(Refused, match="found one"):
        DeskFile.create(file.path)


def test_a_reader_cannot_append(file: DeskFile) -> None:
    with DeskFile(file.path, writable=False) as reader, pytest.raises(Unavailable):
        reader.append(chain_of(1), None)


APPENDER = """
import sys
from pathlib import Path
from holodesk.errors import Held
from holodesk.store.desk_file import DeskFile
from tests.unit.store.test_desk_file import chain_of
chain = chain_of(120)
with DeskFile(Path(sys.argv[1]), writable=True) as file:
    print("ready", flush=True)
    sys.stdin.readline()
    at = 0
    while at < len(chain):
        after = chain[at - 1].frame_hash if at else None
        try:
            file.append(chain[at : at + 3], after)
            print("won", at, flush=True)
        except Held:
            print("held", at, flush=True)
        at += 3
"""


def test_of_two_processes_that_append_after_one_head_only_one_wins_and_none_half(
    file: DeskFile,
) -> None:
    words = [sys.executable, "-c", APPENDER, str(file.path)]
    both = [
        subprocess.Popen(
            words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for _ in range(2)
    ]
    for one in both:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("go\n")
    said = [one.communicate(timeout=60)[0].splitlines() for one in both]
    won = [int(line[4:]) for lines in said for line in lines if line.startswith("won")]
    assert sorted(won) == list(range(0, 120, 3)), said
    assert all(one.returncode == 0 for one in both)
    assert list(file.read()) == [frame.octets for frame in chain_of(120)]
    assert dict(file.waves()) == {frame.seq: frame.frame_hash for frame in chain_of(120)}


def test_a_commit_that_fails_leaves_nothing_and_the_next_append_goes_through(
    file: DeskFile,
) -> None:
    chain = chain_of(2)
    file._db.execute("PRAGMA foreign_keys = ON")
    file._db.execute("CREATE TEMP TABLE parent (id INTEGER PRIMARY KEY)")
    file._db.execute(
        "CREATE TEMP TABLE child (id REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)"
    )
    file._db.execute(
        "CREATE TEMP TRIGGER broken AFTER INSERT ON main.frames BEGIN INSERT INTO child VALUES (7);"
        " END"
    )
    with pytest.raises(Refused):
        file.append(chain[:1], None)
    file._db.execute("DROP TRIGGER broken")
    assert list(file.read()) == []
    file.append(chain, None)
    assert list(file.read()) == [frame.octets for frame in chain]


def test_a_full_disk_is_unavailable_and_appends_nothing(file: DeskFile) -> None:
    chain = chain_of(400)
    pages = file._db.execute("PRAGMA page_count").fetchone()[0]
    file._db.execute(f"PRAGMA max_page_count = {pages + 4}")
    with pytest.raises(Unavailable, match="full"):
        file.append(chain, None)
    file._db.execute("PRAGMA max_page_count = 1000000")
    assert list(file.read()) == []
    file.append(chain, None)


def test_a_file_that_somebody_else_is_writing_is_held(file: DeskFile) -> None:
    chain = chain_of(1)
    file._db.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(file.path, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Held):
            file.append(chain, None)
        other.execute("ROLLBACK")
    finally:
        other.close()
    file.append(chain, None)


REPLACED: dict[str, Callable[[Path, Path], object]] = {
    "deleted": lambda path, other: path.unlink(),
    "moved": lambda path, other: path.rename(path.with_name("elsewhere.sqlite")),
    "replaced": lambda path, other: other.replace(path),
}


@pytest.mark.parametrize("name", REPLACED)
def test_nothing_is_appended_to_a_file_that_is_no_longer_in_its_place(
    name: str, file: DeskFile, tmp_path: Path
) -> None:
    other = tmp_path / "other.sqlite"
    DeskFile.create(other).close()
    chain = chain_of(2)
    file.append(chain[:1], None)
    REPLACED[name](file.path, other)
    with pytest.raises(Unavailable):
        file.append(chain[1:], chain[0].frame_hash)
    assert list(file.read()) == [chain[0].octets]


FOREIGN: dict[str, str] = {
    "a view that never ends": (
        "DROP TABLE frames; CREATE VIEW frames AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
        "SELECT i + 1 FROM n) SELECT i AS seq, '' AS wave, '' AS particle, '' AS kind, 1 AS octets "
        "FROM n"
    ),
    "a table more": "CREATE TABLE more (a)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON frames BEGIN DELETE FROM waves; END",
    "a table less": "DROP TABLE sources",
    "columns of any kind": (
        "DROP TABLE frames; CREATE TABLE frames (seq, wave, particle, kind, octets)"
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_only_the_tables_of_a_desk_are_opened(name: str, tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    with DeskFile.create(path) as file:
        file._db.executescript(FOREIGN[name])
    for writable in (False, True):
        with pytest.raises(Refused, match="tables"):
            DeskFile(path, writable=writable)


def test_a_row_longer_than_a_frame_can_be_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    with DeskFile.create(path) as file:
        file._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 1 << 30)
        file._db.execute(f"INSERT INTO frames VALUES (0, '', '', '', zeroblob({MAX_VALUE + 1}))")
    with DeskFile(path, writable=False) as file, pytest.raises(Refused):
        list(file.read())


def test_waves_of_two_streams_are_refused(file: DeskFile) -> None:
    file.append(chain_of(1), None)
    file._db.execute("INSERT INTO waves VALUES ('net:other', 0, 'x')")
    with pytest.raises(Refused, match="one stream"):
        file.waves()


def test_waves_are_found_in_any_order_and_only_where_they_are(file: DeskFile) -> None:
    chain = chain_of(WAVES_PAGE + 5)
    file.append(chain, None)
    waves = file.waves()
    for seq in (0, WAVES_PAGE + 4, 3, WAVES_PAGE - 1, WAVES_PAGE):
        assert waves[seq] == chain[seq].frame_hash
    for seq in (-1, WAVES_PAGE + 5, 10**6):
        assert seq not in waves
    assert waves.highest == WAVES_PAGE + 4
    assert len(waves) == WAVES_PAGE + 5


def test_an_empty_desk_knows_no_wave(file: DeskFile) -> None:
    assert file.waves().highest == -1
    assert dict(file.waves()) == {}


READER = """
import os, sys
from pathlib import Path
from holodesk.store.desk_file import DeskFile
os.setgid(65534); os.setuid(65534)
with DeskFile(Path(sys.argv[1]), writable=False) as file:
    print(sum(1 for _ in file.read()))
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs another user")
def test_a_desk_that_may_not_be_written_can_be_read(tmp_path: Path) -> None:
    folder = Path("/tmp") / f"holodesk-sealed-{os.getpid()}"
    folder.mkdir()
    try:
        with DeskFile.create(folder / "desk.sqlite") as file:
            file.append(chain_of(3), None)
        (folder / "desk.sqlite").chmod(0o444)
        folder.chmod(0o555)
        run = subprocess.run(
            [sys.executable, "-c", READER, str(folder / "desk.sqlite")],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert (run.returncode, run.stdout) == (0, "3\n"), run.stderr
        assert sorted(path.name for path in folder.iterdir()) == ["desk.sqlite"]
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
