"""JSON Lines in and out: whole or not at all, only complete lines (decisions 8)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.errors import Refused, Unavailable
from holodesk.store.exchange import MAX_LINE, TOGETHER, Tail, read_lines, write_lines

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


WRONG: dict[str, Callable[[Path], Path]] = {
    "a folder": lambda folder: folder,
    "nothing at all": lambda folder: Path(),
    "the root": lambda folder: Path("/"),
    "under a file": lambda folder: folder / "file" / "out.jsonl",
    "a folder that is not there": lambda folder: folder / "none" / "out.jsonl",
    "too long a name": lambda folder: folder / ("n" * 300),
    "a name with a zero": lambda folder: folder / "a\0b",
    "a device": lambda folder: Path("/dev/null"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_place_that_no_chain_can_be_written_to_is_unavailable_and_left_alone(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(Unavailable):
        write_lines([b"one"], WRONG[name](tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize("name", [name for name in WRONG if name != "a device"])
def test_a_place_that_no_chain_can_be_read_from_is_unavailable(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(Unavailable):
        list(read_lines(WRONG[name](tmp_path)))
    with pytest.raises(Unavailable):
        Tail(WRONG[name](tmp_path)).read()


def test_frames_that_are_refused_on_the_way_out_leave_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"one"
        raise Refused("LH 3.3", "no")

    with pytest.raises(Refused):
        write_lines(broken(), tmp_path / "chain.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_chain_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").write_bytes(b"old\n")
    link = tmp_path / "link.jsonl"
    link.symlink_to("real.jsonl")
    write_lines([b"new"], link)
    assert link.is_symlink()
    assert (tmp_path / "real.jsonl").read_bytes() == b"new\n"


def test_a_great_file_of_line_ends_is_read_a_part_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "chain.jsonl"
    path.write_bytes(b"\n" * (TOGETHER + 1))
    tail = Tail(path)
    assert len(tail.read()) == TOGETHER
    assert len(tail.read()) == 1
    assert tail.read() == []
