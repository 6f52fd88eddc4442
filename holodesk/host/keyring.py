"""Keys live outside the desk, in the user's configuration folder, mode 0600 (decisions 8)."""

import os
from pathlib import Path
from typing import Final

from holodesk.errors import Place, Refused, Unavailable
from holodesk.host.settings import config_folder
from holodesk.rapp.names import parse_rappid
from holodesk.rapp.signature import SigningKey
from holodesk.store.whole import sync_folder

RULE: Final = "rapp/1 10"


def key_file(stream_id: str) -> Path:
    """Where the key of a stream is kept: named by the fingerprint that is the stream's own tail."""
    return config_folder() / "keys" / f"{parse_rappid(stream_id).tail}.pem"


def keep_key(stream_id: str, key: SigningKey) -> Path:
    """Write a new key, readable by its owner alone, before the first frame is signed with it.

    Raises:
        Unavailable: the disk refuses.
    """
    path = key_file(stream_id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(path, "xb", opener=_open_private) as out:
            try:
                out.write(key.to_pem())
                out.flush()
                os.fsync(out.fileno())
            except BaseException:
                path.unlink()
                raise
        sync_folder(path.parent)
    except OSError as problem:
        told = f"the key cannot be kept: {problem.strerror or problem}"
        raise Unavailable(RULE, told, Place(file=path.name)) from problem
    return path


def find_key(stream_id: str, spki: bytes) -> SigningKey | None:
    """The key of a stream, or None where it is not on this machine.

    Raises:
        Refused: a file that is no key, or another stream's.
    """
    path = key_file(stream_id)
    where = Place(file=path.name)
    try:
        octets = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        told = f"the key cannot be read: {problem.strerror or problem}"
        raise Unavailable(RULE, told, where) from problem
    try:
        key = SigningKey.from_pem(octets)
    except Refused as problem:
        raise Refused(RULE, "expected a private key in PEM", where) from problem
    if key.spki != spki:
        raise Refused(RULE, "expected the key of this stream, found another", where)
    return key


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
