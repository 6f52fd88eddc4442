"""Keys are outside the desk, whole, and readable by their owner alone (decisions 8)."""

import os
from pathlib import Path

import pytest

from holodesk.errors import Refused, Unavailable
from holodesk.host.keyring import find_key, keep_key, key_file
from holodesk.rapp.names import mint_keyed
from holodesk.rapp.signature import SigningKey

KEY = SigningKey.generate()
STREAM = str(mint_keyed("me", "test", KEY.spki))


def test_a_kept_key_signs_as_before() -> None:
    path = keep_key(STREAM, KEY)
    found = find_key(STREAM, KEY.spki)
    assert found is not None
    assert found.sign(b"x") == KEY.sign(b"x")
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o077 == 0


def test_the_owners_mask_does_not_open_a_key_to_others() -> None:
    before = os.umask(0)
    try:
        path = keep_key(STREAM, KEY)
    finally:
        os.umask(before)
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_is_never_written_over_another() -> None:
    path = keep_key(STREAM, KEY)
    before = path.read_bytes()
    with pytest.raises(Unavailable, match="exists"):
        keep_key(STREAM, SigningKey.generate())
    assert path.read_bytes() == before


def test_a_key_that_is_not_here_is_none() -> None:
    assert find_key(STREAM, KEY.spki) is None


@pytest.mark.parametrize("octets", [b"", b"no key", b"\xff" * 40])
def test_a_file_that_is_no_key_is_refused_and_left(octets: bytes) -> None:
    path = key_file(STREAM)
    path.parent.mkdir(parents=True)
    path.write_bytes(octets)
    with pytest.raises(Refused, match="PEM"):
        find_key(STREAM, KEY.spki)
    assert path.read_bytes() == octets


def test_another_streams_key_is_refused() -> None:
    path = key_file(STREAM)
    path.parent.mkdir(parents=True)
    path.write_bytes(SigningKey.generate().to_pem())
    with pytest.raises(Refused, match="another"):
        find_key(STREAM, KEY.spki)


def test_a_key_that_cannot_be_read_is_unavailable() -> None:
    key_file(STREAM).mkdir(parents=True)
    with pytest.raises(Unavailable):
        find_key(STREAM, KEY.spki)


def test_a_key_that_cannot_be_kept_whole_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable, match="No space"):
        keep_key(STREAM, KEY)
    monkeypatch.undo()
    assert not key_file(STREAM).exists()
    keep_key(STREAM, KEY)


def test_no_key_is_kept_where_the_folder_is_in_the_way() -> None:
    folder = key_file(STREAM).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    Path(folder).write_text("in the way")
    with pytest.raises(Unavailable):
        keep_key(STREAM, KEY)
