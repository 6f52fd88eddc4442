"""Whole, bounded messages between window and host, whatever the pipe does (decisions 8a)."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holodesk.host.client import read_message
from holodesk.host.line import Line, listen
from holodesk.host.messages import (
    MAX_MESSAGE,
    AskDetail,
    Choose,
    Detail,
    Leave,
    Message,
    Refusal,
    Request,
    Working,
    frame_message,
    read_notice,
    read_request,
)

REQUESTS: st.SearchStrategy[Request] = st.one_of(
    st.builds(AskDetail, st.integers(0, 2**31), st.integers(-(2**63), 2**63)),
    st.builds(
        Choose,
        st.integers(0, 99),
        st.text(),
        st.dictionaries(st.text(), st.none() | st.integers(-9, 9) | st.text()),
    ),
    st.just(Leave()),
)


class Dripping(io.RawIOBase):
    """A pipe that gives at most a few octets at a time."""

    def __init__(self, octets: bytes, few: int) -> None:
        self._octets, self._few = octets, few

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._octets[: min(self._few, len(buffer))]
        self._octets = self._octets[len(part) :]
        buffer[: len(part)] = part
        return len(part)


@given(requests=st.lists(REQUESTS, max_size=8), few=st.integers(1, 9))
def test_messages_arrive_whole_and_in_order_however_they_are_split(
    requests: list[Request], few: int
) -> None:
    octets = b"".join(frame_message(request) for request in requests)
    for stream in (io.BytesIO(octets), Dripping(octets, few)):
        found = []
        while (message := read_message(stream)) is not None:  # type: ignore[arg-type]
            found.append(read_request(message))
        assert found == requests


@given(request=REQUESTS, data=st.data())
def test_a_message_that_is_cut_is_the_end(request: Request, data: st.DataObject) -> None:
    octets = frame_message(request)
    cut = data.draw(st.integers(0, len(octets) - 1))
    assert read_message(io.BytesIO(octets[:cut])) is None


def test_a_length_over_the_limit_is_the_end_before_it_is_read() -> None:
    assert read_message(io.BytesIO((MAX_MESSAGE + 1).to_bytes(4, "little") + b"x" * 99)) is None
    assert read_message(io.BytesIO(b"\xff" * 4)) is None


def told(*messages: Message) -> list[Any]:
    out = io.BytesIO()
    line = Line(out)
    for message in messages:
        line.tell(message)
    out.seek(0)
    found = []
    while (octets := read_message(out)) is not None:
        found.append(read_notice(octets))
    return found


def test_an_answer_over_the_limit_is_a_refusal_of_its_request() -> None:
    great = Detail(7, 3, "tile", [("Object", "x" * (MAX_MESSAGE + 1))])
    refusal, after = told(great, Working("going on", 0.5))
    assert isinstance(refusal, Refusal)
    assert (refusal.id, refusal.family) == (7, "Unavailable")
    assert after == Working("going on", 0.5)


def test_a_window_that_has_left_is_told_nothing_and_ends_nothing() -> None:
    out = io.BytesIO()
    out.close()
    Line(out).tell(Working("x", 0))


@pytest.mark.parametrize("tail", [b"", b"\xff\xff\xff\xff", b"\x05\x00\x00\x00ab"])
def test_the_end_is_said_once_whatever_came_before_it(tail: bytes) -> None:
    asked: list[Request] = []
    ends: list[None] = []
    deep = b"\x84\xa2is\xa6choose\xa2id\x01\xa4lens\xa1a\xa6params\x81\xa1a" + b"\x91" * 5000
    octets = b"".join(
        len(one).to_bytes(4, "little") + one for one in (b"", b"\xc1", b"\x93\x01", deep + b"\x01")
    )
    stream = io.BytesIO(octets + frame_message(AskDetail(1, 2)) + tail)
    listen(stream, asked.append, lambda: ends.append(None))
    assert asked == [AskDetail(1, 2)]
    assert len(ends) == 1


def test_the_end_is_said_even_when_asking_fails() -> None:
    ends: list[None] = []

    def broken(request: Request) -> None:
        raise RuntimeError(str(request))

    with pytest.raises(RuntimeError):
        listen(io.BytesIO(frame_message(Leave())), broken, lambda: ends.append(None))
    assert len(ends) == 1
