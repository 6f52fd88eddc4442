"""The desk's one SQLite file: frames, sources, waves; appended by compare in one transaction.

Frames are kept as their canonical octets, so what is read back is what was hashed. `frames` and
`sources` are not trusted and are verified when the desk is opened; `waves`, every wave verified so
far, is (decisions 8; rapp/1 7.6).
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from holodesk.errors import Held, Place, Refused, Unavailable
from holodesk.rapp.address import Wave
from holodesk.rapp.frame import Frame

FORMAT: Final = 1
APPLICATION: Final = 0x686F6C6F
"""SQLite's application_id of a desk file: the letters `holo`."""
PAGE: Final = 256
"""Frames read from the file at once."""

SCHEMA: Final = f"""
CREATE TABLE frames (
    seq INTEGER PRIMARY KEY CHECK (seq >= 0),
    wave TEXT NOT NULL UNIQUE,
    particle TEXT NOT NULL,
    kind TEXT NOT NULL,
    octets BLOB NOT NULL
) STRICT;
CREATE TABLE sources (hash TEXT PRIMARY KEY, source TEXT NOT NULL) STRICT;
CREATE TABLE waves (
    stream_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    wave TEXT NOT NULL,
    PRIMARY KEY (stream_id, seq)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""


class DeskFile:
    """One open desk file. `writable` files append; others only read."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        """Open an existing desk file.

        Raises:
            Refused: not a desk file, or one of another format.
            Unavailable: the file or its disk cannot be read.
        """
        self.path = path
        if not path.is_file():
            raise Unavailable("desk file", f"expected a desk file, found none at {path.name}")
        mode = "rw" if writable else "ro"
        with _told(path):
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5
            )
        try:
            with _told(path):
                self._check_format()
                if writable:
                    self._db.execute("PRAGMA journal_mode = WAL")
                    self._db.execute("PRAGMA synchronous = FULL")
        except BaseException:
            self._db.close()
            raise

    @classmethod
    def create(cls, path: Path) -> "DeskFile":
        """Make an empty desk file. Raises Refused when there is one already."""
        if path.exists():
            raise Refused("desk file", "expected no desk here, found one", Place(file=path.name))
        part = path.with_name(path.name + ".new")
        part.unlink(missing_ok=True)
        with _told(path):
            db = sqlite3.connect(part, isolation_level=None)
            try:
                db.executescript(f"BEGIN;{SCHEMA}COMMIT;")
            finally:
                db.close()
            part.rename(path)
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
            Unavailable: the disk refuses.
        """
        with _told(self.path), self._transaction():
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

    def read(self, start: int = 0) -> Iterator[bytes]:
        """Octets of the frames from `start` on, in order, a page at a time."""
        while True:
            with _told(self.path):
                rows = self._db.execute(
                    "SELECT octets FROM frames WHERE seq >= ? ORDER BY seq LIMIT ?", (start, PAGE)
                ).fetchall()
            for (octets,) in rows:
                yield bytes(octets)
            if len(rows) < PAGE:
                return
            start += len(rows)

    def frame(self, seq: int) -> bytes | None:
        """Octets of one frame, or None."""
        with _told(self.path):
            row = self._db.execute("SELECT octets FROM frames WHERE seq = ?", (seq,)).fetchone()
        return bytes(row[0]) if row else None

    def newest(self, before: int, count: int) -> list[bytes]:
        """Octets of at most `count` frames below `before`, newest first."""
        with _told(self.path):
            rows = self._db.execute(
                "SELECT octets FROM frames WHERE seq < ? ORDER BY seq DESC LIMIT ?", (before, count)
            ).fetchall()
        return [bytes(row[0]) for row in rows]

    def newest_of(self, kind: str, before: int) -> bytes | None:
        """Octets of the newest frame of a kind below `before`, or None."""
        with _told(self.path):
            row = self._db.execute(
                "SELECT octets FROM frames WHERE seq < ? AND kind = ? ORDER BY seq DESC LIMIT 1",
                (before, kind),
            ).fetchone()
        return bytes(row[0]) if row else None

    def count(self) -> int:
        """How many frames there are."""
        with _told(self.path):
            return int(self._db.execute("SELECT count(*) FROM frames").fetchone()[0])

    def waves(self) -> dict[int, Wave]:
        """Every wave verified so far, by seq."""
        with _told(self.path):
            rows = self._db.execute("SELECT seq, wave FROM waves").fetchall()
        return {int(seq): Wave(wave) for seq, wave in rows}

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def _check_format(self) -> None:
        application = self._db.execute("PRAGMA application_id").fetchone()[0]
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        where = Place(file=self.path.name)
        if application != APPLICATION:
            raise Refused("desk file", "expected a holodesk desk, found another database", where)
        if found != FORMAT:
            raise Refused("desk file", f"expected desk format {FORMAT}, found {found}", where)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's own errors in this house's families."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        told = f"the desk file cannot be used: {problem}"
        raise Unavailable("desk file", told, Place(file=path.name)) from problem
    except sqlite3.DatabaseError as problem:
        told = f"expected a readable desk file, found a broken one: {problem}"
        raise Refused("desk file", told, Place(file=path.name)) from problem


def _short(wave: str | None) -> str:
    return "none" if wave is None else str(wave)[:16]
