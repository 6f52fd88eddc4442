"""A picture as PNG octets, the same for the same pixels (LH 3.11; PNG is ISO/IEC 15948)."""

import struct
import zlib
from typing import Final

import numpy as np
import numpy.typing as npt

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
LEVEL: Final = 6


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Encode (rows, columns, 3) red, green, blue, without any time or text in it."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + columns * 3), np.uint8)
    lines[:, 1:] = pixels.reshape(rows, columns * 3)
    head = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    packed = zlib.compress(lines.tobytes(), LEVEL)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(name: bytes, octets: bytes) -> bytes:
    return (
        struct.pack(">I", len(octets))
        + name
        + octets
        + struct.pack(">I", zlib.crc32(name + octets))
    )


def pixels(octets: bytes) -> npt.NDArray[np.uint8]:
    """Decode what `png` encoded: eight bits, red, green, blue, no filters.

    Raises:
        ValueError: any other PNG, or none.
    """
    if not octets.startswith(SIGNATURE):
        raise ValueError("not a PNG")
    at, packed, size = len(SIGNATURE), b"", (0, 0)
    while at + 12 <= len(octets):
        (length,) = struct.unpack(">I", octets[at : at + 4])
        name, body = octets[at + 4 : at + 8], octets[at + 8 : at + 8 + length]
        if name == b"IHDR":
            if length != 13:
                raise ValueError("a header of another size")
            columns, rows, *form = struct.unpack(">IIBBBBB", body)
            if form != [8, 2, 0, 0, 0]:
                raise ValueError("not eight bits of red, green, blue")
            size = (rows, columns)
        elif name == b"IDAT":
            packed += body
        at += 12 + length
    rows, columns = size
    try:
        unpacked = zlib.decompress(packed)
    except zlib.error as problem:
        raise ValueError("no picture") from problem
    lines = np.frombuffer(unpacked, np.uint8).reshape(rows, 1 + columns * 3)
    if lines[:, 0].any():
        raise ValueError("filtered lines")
    return lines[:, 1:].reshape(rows, columns, 3).copy()
