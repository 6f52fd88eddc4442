"""The ZIP container of an egg: stored files, every header field pinned (rapp/1 9.1, E-13).

Two packers of the same files write the same octets. A reader leaves open only what the rule leaves
open: who made it, the version needed where both headers agree, and the attributes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Final, NoReturn
from zlib import crc32

from holodesk.errors import Refused

RULE: Final = "rapp/1 9.1"

_LOCAL: Final = Struct("<4s5H3L2H")
_CENTRAL: Final = Struct("<4s6H3L5H2L")
_END: Final = Struct("<4s4H2LH")
_LOCAL_MARK: Final = b"PK\x03\x04"
_CENTRAL_MARK: Final = b"PK\x01\x02"
_END_MARK: Final = b"PK\x05\x06"
_VERSION: Final = 20
_UTF8_NAMES: Final = 0x0800
_STORED: Final = 0
_TIME: Final = 0
_DATE: Final = 0x0021
_MAX_FILES: Final = 0xFFFF
_MAX_OCTETS: Final = 0xFFFFFFFF
"""ZIP64 is not used, so these values never stand for themselves."""

File = tuple[str, bytes]
"""A path and its octets."""


def write_archive(files: Sequence[File]) -> bytes:
    """The archive of files in the order given.

    Raises:
        Refused: more files or octets than the container holds without ZIP64.
    """
    records: list[bytes] = []
    directory: list[bytes] = []
    offset = 0
    for path, octets in files:
        name = path.encode()
        about = (_UTF8_NAMES, _STORED, _TIME, _DATE, crc32(octets), len(octets), len(octets))
        if max(offset, len(octets)) >= _MAX_OCTETS or len(name) > _MAX_FILES:
            _refuse("an egg must fit a ZIP container without ZIP64")
        local = _LOCAL.pack(_LOCAL_MARK, _VERSION, *about, len(name), 0) + name + octets
        directory.append(
            _CENTRAL.pack(
                _CENTRAL_MARK, _VERSION, _VERSION, *about, len(name), 0, 0, 0, 0, 0, offset
            )
            + name
        )
        records.append(local)
        offset += len(local)
    size = sum(map(len, directory))
    if len(files) >= _MAX_FILES or offset + size >= _MAX_OCTETS:
        _refuse("an egg must fit a ZIP container without ZIP64")
    end = _END.pack(_END_MARK, 0, 0, len(files), len(files), size, offset, 0)
    return b"".join((*records, *directory, end))


@dataclass(frozen=True, slots=True)
class _Record:
    """A local record: what its central header must say again."""

    offset: int
    version: int
    about: tuple[int, ...]
    name: bytes
    octets: bytes


def read_archive(octets: bytes) -> tuple[File, ...]:
    """The files of an archive, in its order.

    Raises:
        Refused: any octet that is not as `write_archive` writes it, the open fields excepted.
    """
    count, size, start = _read_end(octets)
    records: list[_Record] = []
    offset = 0
    while offset < start:
        record = _read_local(octets, offset)
        records.append(record)
        offset += _LOCAL.size + len(record.name) + len(record.octets)
    if offset != start or len(records) != count:
        _refuse("the archive must be its local records without a gap, then the directory")
    for record in records:
        offset = _check_central(octets, offset, record)
    if offset != start + size:
        _refuse("the archive's directory must hold one header for each file, and nothing else")
    return tuple((_text(record.name), record.octets) for record in records)


def _read_end(octets: bytes) -> tuple[int, int, int]:
    """How many files there are, the octets of the directory, and where it starts."""
    where = len(octets) - _END.size
    if where < 0:
        _refuse("the archive must end in an end record")
    mark, disk, first, here, count, size, start, comment = _END.unpack_from(octets, where)
    if mark != _END_MARK or disk or first or here != count or comment or start + size != where:
        _refuse("the archive must end in an end record without disks, comment or gap")
    return count, size, start


def _read_local(octets: bytes, offset: int) -> _Record:
    begin = offset + _LOCAL.size
    if begin > len(octets):
        _refuse("a local record of the archive is cut short")
    mark, version, *about, name_size, extra = _LOCAL.unpack_from(octets, offset)
    flags, method, time, date, crc, packed, whole = about
    if (flags, method, time, date) != (_UTF8_NAMES, _STORED, _TIME, _DATE):
        _refuse("a file of the archive must be stored, with UTF-8 names and the pinned date")
    if mark != _LOCAL_MARK or extra or packed != whole or whole >= _MAX_OCTETS:
        _refuse("a local record of the archive has another form")
    name = octets[begin : begin + name_size]
    content = octets[begin + name_size : begin + name_size + whole]
    if len(name) != name_size or len(content) != whole:
        _refuse("a local record of the archive is cut short")
    if crc32(content) != crc:
        _refuse("a file of the archive has another checksum than its record says")
    return _Record(offset, version, tuple(about), name, content)


def _check_central(octets: bytes, offset: int, record: _Record) -> int:
    """Where the next header begins, once this one says what the local record says."""
    if offset + _CENTRAL.size > len(octets):
        _refuse("the archive's directory is cut short")
    mark, _made_by, version, *rest = _CENTRAL.unpack_from(octets, offset)
    *about, name_size, extra, comment, disk, _internal, _external, at = map(int, rest)
    begin = offset + _CENTRAL.size
    name = octets[begin : begin + name_size]
    if (mark, version, tuple(about), name, at) != (
        _CENTRAL_MARK,
        record.version,
        record.about,
        record.name,
        record.offset,
    ):
        _refuse("a header of the archive's directory must say what the local record says")
    if extra or comment or disk:
        _refuse("a header of the archive's directory must have no extra field and no comment")
    return begin + name_size


def _text(name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError as error:
        raise Refused(RULE, "a path of the archive is not UTF-8") from error


def _refuse(message: str) -> NoReturn:
    raise Refused(RULE, message)
