"""The container of an egg: every header octet is ruled (rapp/1 9.1)."""

import io
import zipfile
from collections.abc import Callable

import pytest

from holodesk.errors import Refused
from holodesk.rapp import archive
from holodesk.rapp.archive import read_archive, write_archive

FILES = (("manifest.json", b"{}"), ("a/b.txt", b"hello"), ("\u00e9.txt", b""))


@pytest.fixture(scope="module")
def octets() -> bytes:
    return write_archive(FILES)


def test_what_is_written_is_read_back(octets: bytes) -> None:
    assert read_archive(octets) == FILES
    assert read_archive(write_archive(())) == ()


def test_an_ordinary_reader_reads_the_archive_too(octets: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(octets)) as ordinary:
        assert ordinary.testzip() is None
        assert [(each.filename, ordinary.read(each)) for each in ordinary.infolist()] == list(FILES)
        assert all(each.date_time == (1980, 1, 1, 0, 0, 0) for each in ordinary.infolist())


def test_any_octet_changed_is_refused_save_in_the_open_fields(octets: bytes) -> None:
    start = octets.index(b"PK\x01\x02")
    open_fields = set()
    at = start
    for path, _ in FILES:
        # Made by, and internal and external attributes.
        open_fields |= {at + offset for offset in (4, 5, *range(36, 42))}
        at += 46 + len(path.encode())
    changed = []
    for index in range(len(octets)):
        spoiled = bytearray(octets)
        spoiled[index] ^= 0x21
        try:
            read_archive(bytes(spoiled))
        except Refused:
            continue
        changed.append(index)
    assert set(changed) == open_fields


def test_the_version_needed_may_be_any_where_both_headers_agree() -> None:
    octets = bytearray(write_archive(FILES[:1]))
    central = octets.index(b"PK\x01\x02")
    octets[4] = octets[central + 6] = 10
    assert read_archive(bytes(octets)) == FILES[:1]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda octets: b"x" + octets,
        lambda octets: octets + b"x",
        lambda octets: octets[:-1],
        lambda octets: octets[:20],
        lambda octets: b"",
        lambda octets: octets[-22:],
        lambda octets: octets[:40] + octets[-22:],
    ],
)
def test_an_archive_that_is_cut_or_padded_is_refused(
    octets: bytes, spoil: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(Refused):
        read_archive(spoil(octets))


def test_a_packer_of_another_manner_is_refused() -> None:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as ordinary:
            ordinary.writestr("manifest.json", "{}")
        with pytest.raises(Refused):
            read_archive(buffer.getvalue())


def test_a_gap_between_the_records_and_the_directory_is_refused(octets: bytes) -> None:
    start = octets.index(b"PK\x01\x02")
    end = octets[-22:]
    moved = end[:16] + (start + 4).to_bytes(4, "little") + end[20:]
    with pytest.raises(Refused):
        read_archive(octets[:start] + b"PK\x03\x04" + octets[start:-22] + moved)


def test_a_directory_with_a_header_too_many_is_refused(octets: bytes) -> None:
    start = octets.index(b"PK\x01\x02")
    directory = octets[start:-22]
    end = octets[-22:]
    size = (len(directory) + 59).to_bytes(4, "little")
    longer = end[:12] + size + end[16:]
    with pytest.raises(Refused):
        read_archive(octets[:start] + directory + directory[:59] + longer)


def test_records_and_headers_that_are_cut_short_are_refused() -> None:
    def end(count: int, start: int) -> bytes:
        counts = count.to_bytes(2, "little") * 2
        return b"PK\x05\x06" + bytes(4) + counts + bytes(4) + start.to_bytes(4, "little") + bytes(2)

    record = write_archive([("a", b"")])[:31]
    assert len(end(0, 0)) == 22
    for octets in (b"12345" + end(1, 5), record + end(1, 31), record + end(2, 31)):
        with pytest.raises(Refused):
            read_archive(octets)


def test_a_path_that_is_not_utf8_is_refused() -> None:
    octets = write_archive([("ab", b"")]).replace(b"ab", b"\xff\xfe")
    with pytest.raises(Refused):
        read_archive(octets)


def test_more_than_the_container_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused):
        write_archive([(f"{n:05}", b"") for n in range(0xFFFF)])
    with pytest.raises(Refused):
        write_archive([("a" * 0x10000, b"")])
    monkeypatch.setattr(archive, "_MAX_OCTETS", 100)
    with pytest.raises(Refused):
        write_archive([("a", b"x" * 100)])
    with pytest.raises(Refused):
        write_archive([("a", b"x" * 60)])
    octets = write_archive([])
    assert read_archive(octets) == ()
