"""The desk's one SQLite file: frames, sources, waves; appended by compare in one transaction.

Frames are kept as their canonical octets, so what is read back is what was hashed. `frames` and
`sources` are not trusted and are verified when the desk is opened; `waves`, every wave verified so
far, is (decisions 8; rapp/1 7.6).
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from holodesk.errors import Held, Place, Refused, Unavailable
from holodesk.rapp.address import Wave
from holodesk.rapp.frame import Frame
from holodesk.store.schema import SCHEMA, connect, our_errors
from holodesk.store.waves import Waves

PAGE: Final = 32
"""Frames read from the file at once: at most 32 MiB of them."""


class DeskFile:
    """One open desk file. `writable` files append; others only read."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        """Open an existing desk file.

        Raises:
            Refused: not a desk file, or one of another format.
            Unavailable: the file or its disk cannot be read.
        """
        self.path = path
        self._file = _stat(path)
        self._db = connect(path, writable=writable)

    @classmethod
    def create(cls, path: Path) -> "DeskFile":
        """Make an empty desk file. Raises Refused when there is one already, Unavailable."""
        if path.exists():
            raise Refused("desk file", "expected no desk here, found one", Place(file=path.name))
        part = path.with_name(path.name + ".new")
        try:
            part.unlink(missing_ok=True)
            with (
                our_errors(path),
                contextlib.closing(sqlite3.connect(part, isolation_level=None)) as db,
            ):
                db.executescript(f"BEGIN;{SCHEMA}COMMIT;")
            part.rename(path)
        except OSError as problem:
            told = f"the desk file cannot be made: {problem.strerror or problem}"
            raise Unavailable("desk file", told, Place(file=path.name)) from problem
        return cls(path, writable=True)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def append(
        self, made: Sequence[Frame], after: Wave | None, sources: Mapping[str, str] | None = None
    ) -> None:
        """Append frames that follow `after` (None: an empty desk), or nothing at all.

        The frames, any new sources and the new waves go in one transaction; when this returns
        they are on disk.

        Raises:
            Held: somebody else appended first.
            Unavailable: the disk refuses, or another file took this one's place.
        """
        self.check_place()
        with our_errors(self.path), self._transaction():
            found = self._db.execute("SELECT wave FROM frames ORDER BY seq DESC LIMIT 1").fetchone()
            head = found[0] if found else None
            if head != after:
                raise Held(
                    "LH 3.4",
                    f"expected the head {_short(after)}, found {_short(head)}",
                    Place(file=self.path.name),
                )
            self._db.executemany(
                "INSERT INTO frames VALUES (?, ?, ?, ?, ?)",
                [(f.seq, f.frame_hash, f.payload_hash, f.kind, f.octets) for f in made],
            )
            self._db.executemany(
                "INSERT OR IGNORE INTO sources VALUES (?, ?)", list((sources or {}).items())
            )
            self._db.executemany(
                "INSERT INTO waves VALUES (?, ?, ?)",
                [(f.stream_id, f.seq, f.frame_hash) for f in made],
            )

    def check_place(self) -> None:
        """Refuse to go on with a file that is no longer the one at its path.

        Raises:
            Unavailable: it was moved, deleted or replaced; what is appended to it would be lost.
        """
        if not os.path.samestat(self._file, _stat(self.path)):
            told = "expected the desk file that was opened, found another in its place"
            raise Unavailable("desk file", told, Place(file=self.path.name))

    def read(self, start: int = 0) -> Iterator[bytes]:
        """Octets of the frames from `start` on, in order, a page at a time."""
        return self._pages("seq >= ? ORDER BY seq", start, 1)

    def newest(self, before: int) -> Iterator[bytes]:
        """Octets of the frames below `before`, newest first, a page at a time."""
        return self._pages("seq < ? ORDER BY seq DESC", before, -1)

    def frame(self, seq: int) -> bytes | None:
        """Octets of one frame, or None."""
        with our_errors(self.path):
            row = self._db.execute("SELECT octets FROM frames WHERE seq = ?", (seq,)).fetchone()
            return None if row is None else _octets(row[0])

    def waves(self) -> Waves:
        """Every wave verified so far, by seq. Raises Refused: of more than one stream."""
        return Waves(self._db, self.path)

    def _pages(self, part: str, at: int, way: int) -> Iterator[bytes]:
        query = f"SELECT seq, octets FROM frames WHERE {part} LIMIT {PAGE}"  # noqa: S608
        while True:
            with our_errors(self.path):
                rows = [(int(seq), _octets(o)) for seq, o in self._db.execute(query, (at,))]
            for _, octets in rows:
                yield octets
            if len(rows) < PAGE:
                return
            at = rows[-1][0] + (1 if way > 0 else 0)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # SQLite ends some failed transactions by itself
                self._db.execute("ROLLBACK")
            raise


def _stat(path: Path) -> os.stat_result:
    try:
        if path.is_file():
            return path.stat()
    except OSError as problem:
        told = f"the desk file cannot be used: {problem.strerror or problem}"
        raise Unavailable("desk file", told, Place(file=path.name)) from problem
    told = f"expected a desk file, found none at {path.name}"
    raise Unavailable("desk file", told, Place(file=path.name))


def _octets(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise sqlite3.DatabaseError("a frame that is no octets")
    return value


def _short(wave: str | None) -> str:
    return "none" if wave is None else str(wave)[:16]
