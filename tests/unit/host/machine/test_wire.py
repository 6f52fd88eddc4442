"""The pipes between host and worker: nothing odd gets through the reader (LH 6)."""

import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.host.machine.wire import (
    ENDINGS,
    FINE,
    LETTERS,
    Answer,
    BadMessage,
    Done,
    done_message,
    framed,
    packed,
    read_done,
    read_message,
    unpacked,
    write_all,
)

LIMIT = 1000
ANSWERS = st.lists(
    st.builds(
        Answer,
        st.sampled_from([bytes([letter]) for letter in LETTERS]),
        st.integers(0, 2**64 - 1),
        st.binary(max_size=40),
    ),
    max_size=5,
).map(tuple)
DONES = st.builds(
    Done,
    st.sampled_from([bytes([letter]) for letter in ENDINGS]),
    st.text("abc \u00e9", max_size=60),
    st.integers(0, 2**32 - 1),
    ANSWERS,
)


@given(ANSWERS)
def test_answers_come_back_as_they_went(answers: tuple[Answer, ...]) -> None:
    assert unpacked(packed(answers), LIMIT) == answers


@given(DONES)
def test_an_end_comes_back_as_it_went(done: Done) -> None:
    assert read_done(done_message(done), LIMIT) == done


@given(st.binary(max_size=200))
def test_any_octets_are_read_or_refused_and_nothing_else(octets: bytes) -> None:
    for read in (unpacked, read_done):
        try:
            read(octets, LIMIT)
        except BadMessage:
            continue


@given(DONES, st.data())
def test_a_changed_end_is_read_or_refused_and_nothing_else(done: Done, data: st.DataObject) -> None:
    octets = bytearray(done_message(done))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(octets) - 1))
        octets[at] = data.draw(st.integers(0, 255))
    cut = octets[: data.draw(st.integers(0, len(octets)))]
    for read in (bytes(octets), bytes(cut)):
        try:
            read_done(read, LIMIT)
        except BadMessage:
            continue


@pytest.mark.parametrize(
    "octets",
    [
        b"O",
        struct.pack("<cQI", b"Q", 0, 0),
        struct.pack("<cQI", b"O", 0, 5) + b"four",
        struct.pack("<cQI", b"O", 0, LIMIT + 1) + bytes(LIMIT + 1),
        struct.pack("<cQI", b"O", 0, 0) + b"left over",
    ],
)
def test_an_answer_of_another_form_is_refused(octets: bytes) -> None:
    with pytest.raises(BadMessage):
        unpacked(octets, LIMIT)


def test_an_unknown_ending_or_a_text_cut_short_is_refused() -> None:
    for octets in (
        b"D",
        b"D" + struct.pack("<cIH", b"?", 0, 0),
        b"D" + struct.pack("<cIH", FINE, 0, 9),
    ):
        with pytest.raises(BadMessage):
            read_done(octets, LIMIT)


def test_messages_keep_their_bounds_in_a_pipe() -> None:
    reading, writing = os.pipe()
    try:
        write_all(writing, framed(b"one") + framed(b"") + framed(b"three") + b"\3\0\0\0on")
        os.close(writing)
        assert read_message(reading, LIMIT) == b"one"
        assert read_message(reading, LIMIT) == b""
        with pytest.raises(BadMessage):
            read_message(reading, 4)
        assert os.read(reading, 5) == b"three"
        with pytest.raises(BadMessage):
            read_message(reading, LIMIT)
        assert read_message(reading, LIMIT) is None
    finally:
        os.close(reading)
