"""What a desk file must be before anything is read from it, and how SQLite's faults are told.

The file may be a stranger's: only one with exactly these tables is opened, no schema of its own is
run, and no value longer than a frame is read (decisions 8; rapp/1 7.1).
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from holodesk.errors import Held, Place, Refused, Unavailable
from holodesk.rapp.canonical import MAX_OCTETS

FORMAT: Final = 1
APPLICATION: Final = 0x686F6C6F
"""SQLite's application_id of a desk file: the letters `holo`."""
MAX_VALUE: Final = 2 * MAX_OCTETS
"""No row is larger: a frame is at most 1 MiB (rapp/1 7.1)."""

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

WORLD: Final = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOLFS,
    }
)
"""What SQLite says when the disk, and not the file's content, is at fault."""
BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """A connection to a desk file that is there; it runs no schema of the file's own.

    Raises:
        Refused: another database, another format or other tables.
        Held, Unavailable: the file or its disk cannot be used.
    """
    where = f"{path.absolute().as_uri()}?mode={'rw' if writable else 'ro'}"
    if not writable and _is_sealed(path):
        where += "&immutable=1"
    with our_errors(path):
        db = sqlite3.connect(where, uri=True, isolation_level=None, timeout=5)
    try:
        with our_errors(path):
            db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
            db.execute("PRAGMA trusted_schema = OFF")
            _check_format(db, Place(file=path.name))
            if writable:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        db.close()
        raise
    return db


def _is_sealed(path: Path) -> bool:
    """A desk in a folder that cannot be written, closed properly: SQLite needs to be told."""
    return not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()


def _check_format(db: sqlite3.Connection, where: Place) -> None:
    application = db.execute("PRAGMA application_id").fetchone()[0]
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise Refused("desk file", "expected a holodesk desk, found another database", where)
    if found != FORMAT:
        raise Refused("desk file", f"expected desk format {FORMAT}, found {found}", where)
    if _tables(db) != _own_tables():
        raise Refused("desk file", f"expected the tables of desk format {FORMAT}", where)


def _tables(db: sqlite3.Connection) -> list[tuple[str, str, str | None]]:
    return db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name LIMIT 16").fetchall()


@lru_cache(maxsize=1)
def _own_tables() -> list[tuple[str, str, str | None]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return _tables(db)


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """SQLite's own errors in this house's families."""
    where = Place(file=path.name)
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as problem:
        code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in BUSY:
            told = "somebody else is writing the desk file"
            raise Held("LH 3.4", told, where) from problem
        if code in WORLD:
            told = f"the desk file cannot be used: {problem}"
            raise Unavailable("desk file", told, where) from problem
        told = f"expected a readable desk file, found a broken one: {problem}"
        raise Refused("desk file", told, where) from problem
