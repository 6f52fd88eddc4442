"""The highest verified head of every stream, kept outside the desks (rapp/1 7.6).

A desk's own file can be put back to an earlier state as a whole; this memory notices.
"""

import contextlib
import json
from pathlib import Path
from typing import Final

from holodesk.errors import Place, Rollback, Unavailable
from holodesk.host.settings import config_folder
from holodesk.rapp.address import Wave
from holodesk.rapp.names import parse_rappid
from holodesk.rapp.stream import Head

RULE: Final = "rapp/1 7.6"


def kept_file(stream_id: str) -> Path:
    """Where a stream's head is kept."""
    return config_folder() / "heads" / f"{parse_rappid(stream_id).tail}.json"


def kept_head(stream_id: str) -> tuple[int, Wave] | None:
    """The highest seq verified on this machine and its wave, or None.

    Raises:
        Unavailable: the memory cannot be read.
    """
    path = kept_file(stream_id)
    try:
        kept = json.loads(path.read_bytes())
        return int(kept["seq"]), Wave(str(kept["frame_hash"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        told = f"the kept head cannot be read: {problem}"
        raise Unavailable(RULE, told, Place(file=path.name)) from problem


def keep_head(head: Head) -> None:
    """Remember a verified head; a lower one changes nothing.

    Raises:
        Unavailable: the memory cannot be written.
    """
    path = kept_file(head.stream_id)
    with contextlib.suppress(Unavailable):
        kept = kept_head(head.stream_id)
        if kept is not None and kept[0] >= head.seq:
            return
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.write_text(json.dumps({"seq": head.seq, "frame_hash": head.frame_hash}))
        part.replace(path)
    except OSError as problem:
        told = f"the head cannot be kept: {problem.strerror or problem}"
        raise Unavailable(RULE, told, Place(file=path.name)) from problem


def check_kept(head: Head) -> None:
    """Refuse a head below the kept one, or another frame at its seq.

    Raises:
        Rollback: this copy is older than what was verified here, or another branch.
    """
    kept = kept_head(head.stream_id)
    if kept is None or kept[0] < head.seq or kept == (head.seq, head.frame_hash):
        return
    told = f"expected the head verified before, frame {kept[0]} ({kept[1][:16]}), found frame "
    told += f"{head.seq} ({head.frame_hash[:16]}); the kept head is in {kept_file(head.stream_id)}"
    raise Rollback(RULE, told, Place(stream=head.stream_id, seq=head.seq))
