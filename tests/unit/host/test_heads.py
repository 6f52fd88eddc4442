"""The highest verified head is kept outside the desks, and never falls (rapp/1 7.6)."""

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holodesk.errors import Fork, Held, Unavailable
from holodesk.hologram.chain import Hologram
from holodesk.host import heads
from holodesk.host.heads import keep_head, kept_file, kept_head, moving
from tests.simulator import HologramSimulator


def author(*, signed: bool = True) -> HologramSimulator:
    return HologramSimulator(None, signed=signed)  # type: ignore[arg-type]


def states(sim: HologramSimulator, count: int) -> list[Hologram]:
    """A hologram at each of its first heads."""
    found = [sim.hologram]
    for number in range(count - 1):
        sim.turn("rails", 30 + number)
        found.append(sim.hologram)
    return found


SIM = author()
STATES = states(SIM, 12)
STREAM = STATES[0].head.stream_id


def kept() -> tuple[int, str] | None:
    return kept_head(STREAM, keyed=True)


@given(order=st.lists(st.integers(0, 11), min_size=1, max_size=12))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_kept_head_never_falls(order: list[int]) -> None:
    kept_file(STREAM, keyed=True).unlink(missing_ok=True)
    highest = -1
    for seq in order:
        keep_head(STATES[seq])
        highest = max(highest, seq)
        assert kept() == (highest, STATES[highest].head.frame_hash)


def test_a_stream_never_read_here_has_none() -> None:
    assert kept() is None


def test_streams_whose_tails_are_made_to_collide_are_kept_apart() -> None:
    tail = STREAM.rpartition(":")[2]
    other = f"rappid:@stranger/other:{tail}"
    keep_head(STATES[3])
    assert kept_head(other, keyed=True) is None
    assert kept_file(other, keyed=True) != kept_file(STREAM, keyed=True)


def test_a_chain_without_a_key_sets_nothing_for_one_with_a_key() -> None:
    keep_head(STATES[3])
    unsigned = states(author(signed=False), 9)[-1]
    keep_head(unsigned)
    assert kept_head(unsigned.head.stream_id, keyed=True) is None
    assert kept_head(unsigned.head.stream_id, keyed=False) is not None
    assert kept() == (3, STATES[3].head.frame_hash)


def test_a_move_is_kept_only_when_it_ends_well() -> None:
    keep_head(STATES[0])
    with pytest.raises(Held), moving(STATES[0], STATES[1]):
        raise Held("LH 3.4", "somebody was first")
    assert kept() == (0, STATES[0].head.frame_hash)
    with moving(STATES[0], STATES[1]):
        pass
    assert kept() == (1, STATES[1].head.frame_hash)
    folder = kept_file(STREAM, keyed=True).parent
    assert [path.name for path in folder.iterdir() if path.suffix == ".part"] == []


def test_a_move_from_a_head_that_is_not_the_newest_is_a_fork() -> None:
    keep_head(STATES[5])
    entered = False
    with pytest.raises(Fork), moving(STATES[2], STATES[3]):
        entered = True
    assert not entered
    SIM.hologram = STATES[4]
    SIM.turn("tempo", 1)
    with pytest.raises(Fork, match="frame 5"), moving(SIM.hologram, STATES[6]):
        pass


def test_a_move_past_a_lower_memory_goes_on() -> None:
    keep_head(STATES[2])
    with moving(STATES[5], STATES[6]):
        pass
    assert kept() == (6, STATES[6].head.frame_hash)


HOLDER = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_another_process_that_appends_is_waited_for_and_then_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_head(STATES[0])
    monkeypatch.setattr(heads, "WAIT_SECONDS", 0.1)
    lock = kept_file(STREAM, keyed=True).with_suffix(".lock")
    words = [sys.executable, "-c", HOLDER, str(lock)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(Held), moving(STATES[0], STATES[1]):
            pass
        other.communicate(b"\n")
    with moving(STATES[0], STATES[1]):
        pass


@pytest.mark.parametrize("octets", [b"", b"\0" * 180])
def test_a_memory_that_a_power_cut_emptied_is_none_and_is_kept_again(octets: bytes) -> None:
    path = kept_file(STREAM, keyed=True)
    path.parent.mkdir(parents=True)
    path.write_bytes(octets)
    assert kept() is None
    keep_head(STATES[3])
    assert kept() == (3, STATES[3].head.frame_hash)


@pytest.mark.parametrize("octets", [b"{", b"[]", b'{"seq":"x"}', b"\xff", b'{"seq":1}'])
def test_a_broken_memory_is_told_with_its_file_and_stops_what_it_guards(octets: bytes) -> None:
    path = kept_file(STREAM, keyed=True)
    path.parent.mkdir(parents=True)
    path.write_bytes(octets)
    with pytest.raises(Unavailable, match=path.name):
        kept()
    with pytest.raises(Unavailable), moving(STATES[0], STATES[1]):
        pass
    assert path.read_bytes() == octets


def test_a_memory_that_cannot_be_written_is_told_before_anything_is_appended() -> None:
    folder = kept_file(STREAM, keyed=True).parent
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    entered = False
    with pytest.raises(Unavailable), moving(STATES[0], STATES[1]):
        entered = True
    assert not entered


def test_the_memory_is_its_owners_alone() -> None:
    keep_head(STATES[0])
    if os.name == "posix":
        assert kept_file(STREAM, keyed=True).parent.stat().st_mode & 0o077 == 0
