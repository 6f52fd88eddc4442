"""Media is named by its content, and checked on every read (LH 3.5)."""

import os
from pathlib import Path

import pytest

from holodesk.errors import Refused, Unavailable
from holodesk.store.media import Media


def test_a_blob_is_read_back_by_its_address(tmp_path: Path) -> None:
    media = Media(tmp_path / "media")
    address = media.keep(b"light")
    assert media.keep(b"light") == address
    assert media.read(address) == b"light"
    assert [p.name for p in (tmp_path / "media").iterdir()] == [address]


def test_a_changed_blob_is_refused(tmp_path: Path) -> None:
    media = Media(tmp_path)
    address = media.keep(b"light")
    (tmp_path / address).write_bytes(b"dark")
    with pytest.raises(Refused, match="address"):
        media.read(address)


@pytest.mark.parametrize("address", ["", "../secret", "A" * 64, "0" * 63])
def test_only_an_address_is_looked_for(tmp_path: Path, address: str) -> None:
    with pytest.raises(Refused, match="64 hex"):
        Media(tmp_path).read(address)


def test_a_missing_blob_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        Media(tmp_path).read("0" * 64)


def test_a_folder_or_a_pipe_in_a_blobs_place_is_unavailable(tmp_path: Path) -> None:
    media = Media(tmp_path)
    (tmp_path / ("0" * 64)).mkdir()
    os.mkfifo(tmp_path / ("1" * 64))
    for address in ("0" * 64, "1" * 64):
        with pytest.raises(Unavailable):
            media.read(address)


def test_a_blob_that_cannot_be_kept_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "media").write_text("in the way")
    with pytest.raises(Unavailable):
        Media(tmp_path / "media").keep(b"light")
    assert [path.name for path in tmp_path.iterdir()] == ["media"]
