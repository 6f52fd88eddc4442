"""A moving picture as light can draw it: a card of points whose colours change (decisions 7).

As octets: a mark, the measures, the size of each part, then the parts: `PART` pictures of red,
green and blue each, packed. Only the part that is being shown is unpacked, so that ten minutes take
no more room than a moment.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.model import U1, Model
from holodesk.errors import Refused

MARK: Final = b"holodesk reel/1\0"
HEAD: Final = struct.Struct("<16sHHII")
PART: Final = 16
"""Pictures that are packed together."""
MOST_SIDE: Final = 108
MOST_FRAMES: Final = 18_000
MOST_OCTETS: Final = 12 << 20
FASTEST_MS: Final = 50
SLOWEST_MS: Final = 60_000


@dataclass(frozen=True, slots=True, eq=False)
class Reel:
    """`frames` pictures of `rows` by `columns`, `frame_ms` milliseconds each, round and round."""

    rows: int
    columns: int
    frames: int
    frame_ms: int
    parts: tuple[bytes, ...]
    body: Model
    """The card: a place for each point, in the colours of the first picture."""
    _open: dict[int, U1] = field(default_factory=dict)

    def colours(self, seconds: float) -> U1:
        """(rows x columns, 3): the picture of that moment, row by row from above."""
        number = int(seconds * 1000 / self.frame_ms) % self.frames
        part = number // PART
        if part not in self._open:
            self._open.clear()
            self._open[part] = _unpacked(self, part)
        picture: U1 = self._open[part][number % PART]
        return picture


def encode_reel(rows: int, columns: int, frame_ms: int, pictures: Iterable[U1]) -> bytes:
    """The one form of a reel; `pictures` are (rows, columns, 3), taken one by one.

    Raises:
        Refused: more pictures or more octets than a reel may have, or none.
    """
    parts: list[bytes] = []
    count = octets = 0
    for some in _by_part(pictures):
        parts.append(zlib.compress(np.stack(some).tobytes(), 6))
        count += len(some)
        octets += len(parts[-1])
        if count > MOST_FRAMES or octets > MOST_OCTETS:
            raise _strange(f"more than {MOST_FRAMES} pictures or {MOST_OCTETS} octets")
    if not count:
        raise _strange("no picture")
    head = HEAD.pack(MARK, rows, columns, count, frame_ms)
    sizes = np.array([len(part) for part in parts], "<u4").tobytes()
    return head + sizes + b"".join(parts)


def decode_reel(octets: bytes) -> Reel:
    """A reel from its octets.

    Raises:
        Refused: anything else, or numbers out of their range.
    """
    if len(octets) < HEAD.size or len(octets) > MOST_OCTETS + (1 << 20):
        raise _strange(f"{len(octets)} octets")
    mark, rows, columns, frames, frame_ms = HEAD.unpack_from(octets)
    if mark != MARK:
        raise _strange("another mark")
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE and 1 <= frames <= MOST_FRAMES):
        raise _strange(f"{frames} pictures of {columns} by {rows}")
    if not FASTEST_MS <= frame_ms <= SLOWEST_MS:
        raise _strange(f"{frame_ms} ms a picture")
    count = -(-frames // PART)
    at = HEAD.size + 4 * count
    if len(octets) < at:
        raise _strange("too few octets")
    sizes = np.frombuffer(octets, "<u4", count, HEAD.size).tolist()
    if at + sum(sizes) != len(octets):
        raise _strange("octets that do not fit the sizes")
    parts = []
    for size in sizes:
        parts.append(octets[at : at + size])
        at += size
    bare = Reel(rows, columns, frames, frame_ms, tuple(parts), _card(rows, columns, None))
    first = _unpacked(bare, 0)[0]
    return Reel(rows, columns, frames, frame_ms, bare.parts, _card(rows, columns, first))


def is_reel(octets: bytes) -> bool:
    """Do these octets say that they are a reel?"""
    return octets.startswith(MARK)


def _by_part(pictures: Iterable[U1]) -> Iterator[list[U1]]:
    some: list[U1] = []
    for picture in pictures:
        some.append(picture)
        if len(some) == PART:
            yield some
            some = []
    if some:
        yield some


def _unpacked(reel: Reel, part: int) -> U1:
    """(pictures, points, 3) of one part; what it unpacks to is bounded before it is unpacked."""
    count = min(PART, reel.frames - part * PART)
    wanted = count * reel.rows * reel.columns * 3
    packed = zlib.decompressobj()
    try:
        octets = packed.decompress(reel.parts[part], wanted + 1)
    except zlib.error:
        octets = b""
    if len(octets) != wanted:
        raise _strange(f"part {part} that is not its pictures")
    return np.frombuffer(octets, np.uint8).reshape(count, reel.rows * reel.columns, 3)


def _card(rows: int, columns: int, first: U1 | None) -> Model:
    """A point for each pixel, upright on the floor; the longer side is 1."""
    down, across = np.mgrid[0:rows, 0:columns]
    size = float(max(rows - 1, columns - 1, 1))
    places = np.zeros((rows * columns, 3), np.float32)
    places[:, 0] = (across.ravel() - (columns - 1) / 2) / size
    places[:, 2] = (rows - 1 - down.ravel()) / size
    none: npt.NDArray[np.uint8] = np.zeros(places.shape, np.uint8)
    colours = none if first is None else first
    return Model(places, np.zeros_like(places), colours, np.zeros((0, 3), np.uint32))


def _strange(found: str) -> Refused:
    return Refused("media", f"expected a reel in its normal form, found {found}")
