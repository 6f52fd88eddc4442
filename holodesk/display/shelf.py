"""Bodies that came through the door, by their content address: it names one for ever (LH 3.5)."""

from collections import OrderedDict
from typing import Final

from holodesk.display.model import Model, decode
from holodesk.display.reel import Reel, decode_reel, is_reel

SHELF: Final = 8
_shelf: Final[OrderedDict[str, Model | Reel]] = OrderedDict()


def opened(octets: bytes) -> Model | Reel:
    """A model or a reel from its octets.

    Raises:
        Refused: anything else.
    """
    return decode_reel(octets) if is_reel(octets) else decode(octets)


def keep(address: str, body: Model | Reel) -> None:
    """Put a body on the shelf; the oldest leaves."""
    _shelf[address] = body
    while len(_shelf) > SHELF:
        _shelf.popitem(last=False)


def kept(address: object) -> Model | Reel | None:
    """The body of this address, if it came through the door."""
    return _shelf.get(address) if isinstance(address, str) else None
