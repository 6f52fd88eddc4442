"""Every wave verified so far, read a page at a time however long the chain (rapp/1 7.6)."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from holodesk.errors import Place, Refused
from holodesk.rapp.address import Wave
from holodesk.store.schema import our_errors

PAGE: Final = 512
"""Waves held in memory at once."""


class Waves(Mapping[int, Wave]):
    """The waves of a desk file by seq, ascending. Frames are read in order, and so are these."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        """Raises Refused: the file holds waves of more than one stream."""
        self._db = db
        self._path = path
        with our_errors(path):
            first = db.execute("SELECT min(stream_id) FROM waves").fetchone()[0]
            last = db.execute("SELECT max(stream_id) FROM waves").fetchone()[0]
        if first != last:
            where = Place(file=path.name)
            raise Refused("desk file", "expected the waves of one stream, found two", where)
        self._stream = first
        self._at = -1
        self._page: dict[int, Wave] = {}

    def __getitem__(self, seq: int) -> Wave:
        if seq // PAGE != self._at:
            self._at = seq // PAGE
            self._page = self._rows(self._at * PAGE)
        return self._page[seq]

    def __iter__(self) -> Iterator[int]:
        at = 0
        while page := self._rows(at):
            yield from page
            at = max(page) + 1

    def __len__(self) -> int:
        with our_errors(self._path):
            return int(self._db.execute("SELECT count(*) FROM waves").fetchone()[0])

    @property
    def highest(self) -> int:
        """The highest seq that was verified, or -1."""
        query = "SELECT max(seq) FROM waves WHERE stream_id = ?"
        with our_errors(self._path):
            found = self._db.execute(query, (self._stream,)).fetchone()[0]
        return -1 if found is None else int(found)

    def _rows(self, start: int) -> dict[int, Wave]:
        query = "SELECT seq, wave FROM waves WHERE stream_id = ? AND seq >= ? ORDER BY seq LIMIT ?"
        with our_errors(self._path):
            rows = self._db.execute(query, (self._stream, start, PAGE))
            return {int(seq): Wave(str(wave)) for seq, wave in rows}
