"""JSON Lines in and out: whole or not at all, only complete lines (decisions 8)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.errors import Refused, Unavailable
from holodesk.store.exchange import MAX_LINE, Tail, read_lines, write_lines

LINES = st.lists(
    st.binary(min_size=1, max_size=40).filter(lambda b: not set(b) & {10, 13}), min_size=1
)


@given(lines=LINES)
def test_export_then_import_is_identity(lines: list[bytes], tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("x") / "chain.jsonl"
    assert write_lines(lines, path) == len(lines)
    assert list(read_lines(path)) == lines


def test_a_failed_export_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"old\n")

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise OSError(28, "No space left on device")

    with pytest.raises(Unavailable, match="No space"):
        write_lines(broken(), path)
    assert path.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"x" * (MAX_LINE + 2)])
def test_nothing_and_too_much_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_bytes(content)
    with pytest.raises(Refused, match=r"chain\.jsonl"):
        list(read_lines(path))


def test_a_missing_file_is_unavailable(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    with pytest.raises(Unavailable, match="cannot be read"):
        list(read_lines(path))
    with pytest.raises(Unavailable, match="cannot be read"):
        Tail(path).read()


@given(lines=LINES, cuts=st.lists(st.integers(1, 30), max_size=30))
def test_a_growing_file_gives_each_line_once_and_only_when_complete(
    lines: list[bytes], cuts: list[int], tmp_path_factory
) -> None:
    path = tmp_path_factory.mktemp("x") / "chain.jsonl"
    path.write_bytes(b"")
    whole = b"".join(line + b"\n" for line in lines)
    tail, found, at = Tail(path), [], 0
    for cut in [*cuts, len(whole)]:
        with path.open("ab") as out:
            out.write(whole[at : at + cut])
        at += cut
        found += tail.read()
    assert found == lines


def test_a_file_that_was_cut_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"one\ntwo\n")
    tail = Tail(path)
    assert tail.read() == [b"one", b"two"]
    path.write_bytes(b"one\n")
    with pytest.raises(Refused, match="cut"):
        tail.read()
