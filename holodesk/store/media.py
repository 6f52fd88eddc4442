"""Larger material, named by its content and checked on every read (LH 3.5; decisions 7)."""

from pathlib import Path
from typing import Final

from holodesk.errors import Place, Refused, Unavailable
from holodesk.rapp.address import hash_octets
from holodesk.store.plain import open_plain
from holodesk.store.whole import whole_file

TAG: Final = "rapp/1:egg"
HEX: Final = frozenset("0123456789abcdef")


class Media:
    """A folder of blobs, each named by its 64-hex content address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, octets: bytes) -> str:
        """Keep a blob; its address. Keeping it again changes nothing.

        Raises:
            Unavailable: the disk refuses.
        """
        address = hash_octets(TAG, octets)
        path = self._folder / address
        try:
            if path.is_file() and path.read_bytes() == octets:
                return address
            self._folder.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as out:
                out.write(octets)
        except OSError as problem:
            told = f"the blob cannot be kept: {problem.strerror or problem}"
            raise Unavailable("media", told, Place(file=address[:16])) from problem
        return address

    def read(self, address: str) -> bytes:
        """The blob of an address.

        Raises:
            Refused: not an address, or octets that do not have it.
            Unavailable: no such blob.
        """
        where = Place(file=address[:16])
        if len(address) != 64 or not HEX.issuperset(address):
            raise Refused("LH 3.5", "expected a content address of 64 hex digits", where)
        try:
            with open_plain(self._folder / address) as blob:
                octets = blob.read()
        except OSError as problem:
            raise Unavailable("media", "the blob is not here", where) from problem
        if hash_octets(TAG, octets) != address:
            raise Refused("LH 3.5", "the blob's content does not have its address", where)
        return octets
