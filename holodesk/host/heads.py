"""The highest verified head of every stream, kept outside the desks (rapp/1 7.6).

A desk's own file can be put back to an earlier state as a whole, and a desk can be copied and both
copies written: this memory notices the one and keeps the other from forking the stream. What a
chain without a key says is kept apart, so that nobody but the key's holder can set what a keyed
chain is measured by.
"""

import contextlib
import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from holodesk.errors import Fork, Held, Place, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.host.settings import config_folder
from holodesk.rapp.address import Wave
from holodesk.rapp.stream import Head

RULE: Final = "rapp/1 7.6"
WAIT_SECONDS: Final = 10.0
"""How long another process may take to append to a copy of the same stream."""

log = logging.getLogger(__name__)


def kept_file(stream_id: str, *, keyed: bool) -> Path:
    """Where a stream's head is kept, by its whole name: tails alone can be chosen to collide."""
    name = hashlib.sha256(stream_id.encode()).hexdigest()
    return config_folder() / "heads" / f"{name}{'' if keyed else '.unsigned'}.json"


def kept_head(stream_id: str, *, keyed: bool) -> tuple[int, Wave] | None:
    """The highest seq verified on this machine and its wave, or None.

    Raises:
        Unavailable: the memory cannot be read.
    """
    return _read(kept_file(stream_id, keyed=keyed))


def keep_head(hologram: Hologram) -> None:
    """Remember a verified head; a lower one changes nothing.

    Raises:
        Held, Unavailable: the memory cannot be written.
    """
    with _locked(hologram) as path:
        kept = _read(path)
        if kept is None or kept[0] < hologram.head.seq:
            _replace(path, _part(path, hologram.head))


@contextmanager
def moving(before: Hologram, after: Hologram) -> Iterator[None]:
    """Hold a stream's memory while its head moves; the new head is kept when the block ends well.

    What can fail is tried before the block: when it ends well, its frames are on disk, and they
    are acknowledged whatever becomes of the memory.

    Raises:
        Fork: another copy of the same stream went on from here, or elsewhere.
        Held, Unavailable: the memory cannot be written; nothing was appended.
    """
    with _locked(before) as path:
        _check_newest(before.head, _read(path))
        part = _part(path, after.head)
        try:
            yield
        except BaseException:
            with contextlib.suppress(OSError):
                part.unlink()
            raise
        try:
            _replace(path, part)
        except Unavailable as problem:
            log.warning("%s", problem)


def _check_newest(head: Head, kept: tuple[int, Wave] | None) -> None:
    if kept is None or kept[0] < head.seq or kept == (head.seq, head.frame_hash):
        return
    told = f"expected frame {head.seq} to be the newest of its stream, found that another copy of "
    told += f"the desk went on to frame {kept[0]} ({kept[1][:16]}); going on here would fork it"
    raise Fork(RULE, told, Place(stream=head.stream_id, seq=head.seq))


@contextmanager
def _locked(hologram: Hologram) -> Iterator[Path]:
    path = kept_file(hologram.head.stream_id, keyed=hologram.genesis.spki is not None)
    lock = FileLock(path.with_suffix(".lock"), timeout=WAIT_SECONDS, thread_local=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout:
        told = "another holodesk is writing this stream"
        raise Held(RULE, told, Place(stream=hologram.head.stream_id)) from None
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    try:
        yield path
    finally:
        lock.release()


def _read(path: Path) -> tuple[int, Wave] | None:
    try:
        octets = path.read_bytes()
        if not octets.strip(b"\0"):  # a power cut while it was replaced: as if it were not there
            return None
        kept = json.loads(octets)
        return int(kept["seq"]), Wave(str(kept["frame_hash"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        told = f"the kept head cannot be read: {problem}"
        raise Unavailable(RULE, told, Place(file=str(path))) from problem


def _part(path: Path, head: Head) -> Path:
    """The new memory under another name; the lock makes the name nobody else's.

    It is not synced: the chain is, and a memory that a power cut loses is kept again on opening.
    """
    part = path.with_suffix(".part")
    kept = {"stream_id": head.stream_id, "seq": head.seq, "frame_hash": head.frame_hash}
    try:
        with part.open("w", encoding="ascii") as out:
            json.dump(kept, out)
    except OSError as problem:
        raise _unwritable(path, problem) from problem
    return part


def _replace(path: Path, part: Path) -> None:
    try:
        part.replace(path)
    except OSError as problem:
        raise _unwritable(path, problem) from problem


def _unwritable(path: Path, problem: OSError) -> Unavailable:
    told = f"the head cannot be kept: {problem.strerror or problem}"
    return Unavailable(RULE, told, Place(file=str(path)))
