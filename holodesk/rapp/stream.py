"""A verified stream grows one frame at a time, or refuses (rapp/1 7.5 steps 1a, 4, 5, 6; 7.6).

Only `extend` makes a head, so a head is the proof that every frame up to it was judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from holodesk.errors import Fork, FrameRefused, Place, Rollback
from holodesk.rapp.address import Wave
from holodesk.rapp.envelope import RE_GENESIS
from holodesk.rapp.frame import Frame, Head
from holodesk.rapp.names import stream_family
from holodesk.rapp.signature import Keyring, check_signature

__all__ = ["Head", "Stream", "begin", "check_head", "check_links", "compare", "extend", "is_fork"]


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream as far as it was verified; `head` is None before its first frame."""

    stream_id: str
    head: Head | None
    keyring: Keyring


def begin(stream_id: str, keyring: Keyring = Keyring.EMPTY) -> Stream:
    """A stream of which nothing was read yet.

    Raises:
        Refused: the stream_id has none of the three forms.
    """
    stream_family(stream_id)
    return Stream(stream_id, None, keyring)


def extend(stream: Stream, frame: Frame) -> Stream:
    """The stream with one more verified frame.

    Raises:
        FrameRefused: step 1a, 4, 5 or 6.
    """
    check_links(stream, frame)
    check_signature(frame, stream.keyring)
    return Stream(stream.stream_id, frame.head, stream.keyring)


def check_links(stream: Stream, frame: Frame) -> None:
    """Refuse a frame that is not the next one of a stream; who signed it is not asked.

    Raises:
        FrameRefused: step 1a, 4 or 5.
    """
    if frame.stream_id != stream.stream_id:
        _refuse(frame, "1a", f"the frame belongs to another stream than {stream.stream_id}")
    if stream.head is None:
        _check_first(frame, stream.keyring)
    else:
        _check_next(frame, stream.head)
    _check_wave_link(frame, stream.head)


def _check_first(frame: Frame, keyring: Keyring) -> None:
    if frame.seq != 0:
        _refuse(frame, "4", f"the first frame must be seq 0, found seq {frame.seq}")
    if frame.prev is not None:
        _refuse(frame, "4", f"the first frame must have prev null, found {frame.prev}")
    registered = keyring.genesis.get(frame.stream_id)
    if registered is not None and registered != frame.frame_hash:
        _refuse(frame, "4", f"the registered genesis is {registered}, found {frame.frame_hash}")


def _check_next(frame: Frame, head: Head) -> None:
    if frame.kind.endswith(RE_GENESIS):
        _refuse(frame, "4", "a re-genesis frame must be the first of its stream")
    if frame.seq != head.seq + 1:
        _refuse(frame, "4", f"seq must be {head.seq + 1} after the head, found {frame.seq}")
    if frame.prev != head.payload_hash:
        _refuse(frame, "4", f"prev must be {head.payload_hash}, found {frame.prev}")
    if frame.utc < head.utc:
        _refuse(frame, "4", f"utc must not be before the head's {head.utc}, found {frame.utc}")


def _check_wave_link(frame: Frame, head: Head | None) -> None:
    expected = head.frame_hash if head is not None and frame.family == "swarm" else None
    if frame.prev_wave != expected:
        _refuse(
            frame, "5", f"prev_wave must be {expected or 'null'}, found {frame.prev_wave or 'null'}"
        )


def compare(known: Mapping[int, Wave], frame: Frame) -> None:
    """Refuse another frame at a seq that was verified before; frames are compared in order.

    Raises:
        Fork: the frame's hash is not the one known at its seq. In order, that is the first frame
            that differs, so it follows the same predecessor as the known one.
    """
    before = known.get(frame.seq)
    if before is not None and before != frame.frame_hash:
        raise Fork(
            "rapp/1 7.6",
            f"the frame verified here before is {before}, found {frame.frame_hash}",
            Place(stream=frame.stream_id, seq=frame.seq),
        )


def check_head(known: Mapping[int, Wave], head: Head | None) -> None:
    """Refuse a head below the highest seq that was verified before, or another frame in its place.

    Raises:
        Rollback: the head is lower, missing, or not the frame known at its seq.
    """
    if not known:
        return
    highest = max(known)
    seq = -1 if head is None else head.seq
    if head is None or seq < highest:
        found = "no frame" if head is None else f"seq {seq}"
        raise Rollback(
            "rapp/1 7.6",
            f"the head must not be below seq {highest} that was verified before, found {found}",
            Place(stream=None if head is None else head.stream_id, seq=None if seq < 0 else seq),
        )
    if known.get(seq, head.frame_hash) != head.frame_hash:
        raise Rollback(
            "rapp/1 7.6",
            f"the frame verified here before is {known[seq]}, found {head.frame_hash}",
            Place(stream=head.stream_id, seq=seq),
        )


def is_fork(one: Frame, other: Frame) -> bool:
    """Whether two valid frames follow the same predecessor: then neither branch may be followed."""
    return one.frame_hash != other.frame_hash and (
        (one.stream_id, one.seq, one.prev) == (other.stream_id, other.seq, other.prev)
    )


def _refuse(frame: Frame, step: str, message: str) -> NoReturn:
    where = Place(stream=frame.stream_id, seq=frame.seq)
    raise FrameRefused(f"rapp/1 7.5 step {step}", message, where, step=step)
