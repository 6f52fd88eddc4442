"""The desk file: compare-and-append in one transaction, or nothing at all (decisions 8)."""

import sqlite3
from pathlib import Path

import pytest

from holodesk.errors import Held, Refused, Unavailable
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.rapp import frame as frames
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import mint_keyless, utc_text
from holodesk.store.desk_file import PAGE, DeskFile

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
def file(tmp_path: Path):
    with DeskFile.create(tmp_path / "desk.sqlite") as made:
        yield made


def test_what_is_read_back_is_what_was_hashed(file: DeskFile) -> None:
    chain = chain_of(PAGE + 3)
    file.append(chain, None)
    assert list(file.read()) == [frame.octets for frame in chain]
    assert list(file.read(PAGE)) == [frame.octets for frame in chain[PAGE:]]
    assert file.waves() == {frame.seq: frame.frame_hash for frame in chain}
    assert file.frame(2) == chain[2].octets
    assert file.frame(PAGE + 3) is None
    assert file.newest(5, 2) == [chain[4].octets, chain[3].octets]
    assert file.count() == PAGE + 3


def test_appending_after_another_head_appends_nothing(file: DeskFile) -> None:
    chain = chain_of(3)
    file.append(chain[:2], None)
    for after in (None, chain[0].frame_hash):
        with pytest.raises(Held, match=chain[1].frame_hash[:16]):
            file.append(chain[2:], after)
    assert file.count() == 2
    file.append(chain[2:], chain[1].frame_hash)


def test_half_of_an_append_is_never_kept(file: DeskFile) -> None:
    chain = chain_of(3)
    with pytest.raises(Refused):
        file.append([chain[0], chain[1], chain[1]], None)
    assert file.count() == 0
    assert file.waves() == {}


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
        assert again.count() == 2


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
