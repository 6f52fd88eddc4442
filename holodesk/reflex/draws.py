"""Chance in a tick is counted, not kept: any tick can be drawn again alone (LH 3.6; RL-1 14).

Draw i of a tick is four octets of SHA-256(key, tick, block), block i >> 3, times 2**-32.
"""

from hashlib import sha256
from struct import Struct
from typing import Final

_PLACE: Final = Struct(">QI")
_EIGHT: Final = Struct(">8I")
_UNIT: Final = 2.0**-32


class Draws:
    """The draws of one routine in one tick; `count` of them were taken."""

    __slots__ = ("_block", "count", "key", "tick")

    def __init__(self, key: bytes, tick: int) -> None:
        self.key = key
        self.tick = tick
        self.count = 0
        self._block: tuple[int, ...] = ()

    def next(self) -> float:
        """The next draw, at least 0 and less than 1."""
        at = self.count & 7
        if at == 0:
            place = _PLACE.pack(self.tick, self.count >> 3)
            self._block = _EIGHT.unpack(sha256(self.key + place).digest())
        self.count += 1
        return self._block[at] * _UNIT
