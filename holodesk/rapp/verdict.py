"""What a recorded chain is worth under this revision: a verdict, frame by frame (rapp/1 7.5).

Foreign chains are judged, not followed: each frame stands against its own stored predecessor, so
one refusal does not hide the next. A signature is judged by its form, as no keys are at hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from holodesk.errors import FrameRefused, HolodeskError, NotCanonical
from holodesk.rapp.address import particle, wave
from holodesk.rapp.canonical import Json, parse
from holodesk.rapp.envelope import Kinds, is_hash, is_uint53, place
from holodesk.rapp.frame import Frame, Head
from holodesk.rapp.frame import parse as parse_frame
from holodesk.rapp.names import BASE_KINDS
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import Stream, check_links


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many of `frames` hold: by their hashes, by those and their links, and by the steps.

    `strict` takes any well-formed kind, `strict_14` the fourteen of the base set. `refusal` is the
    first one of the strictest reading. A chain that begins past seq 0 has no `links` to judge.
    """

    frames: int
    hashes: int
    links: int | None
    strict: int
    strict_14: int
    refusal: HolodeskError | None


def is_frame_like(value: Json) -> bool:
    """Whether a value claims to be a frame of any revision."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("spec"), str)
        and isinstance(value.get("kind"), str)
        and "seq" in value
        and "payload" in value
    )


def judge(octets: Sequence[bytes]) -> Verdict:
    """The verdict on the frames of one stream, in order of seq."""
    values = [_members(each) for each in octets]
    before: list[dict[str, Any] | None] = [None, *values]
    hashes = [_has_hashes(value) for value in values]
    links = [
        held and _is_linked(value, before[index], index == 0)
        for index, (value, held) in enumerate(zip(values, hashes, strict=True))
    ]
    strict = [_refusal(each, before[i], i, None) for i, each in enumerate(octets)]
    base = [_refusal(each, before[i], i, BASE_KINDS) for i, each in enumerate(octets)]
    begins_late = bool(values) and values[0].get("seq") not in (0, None)
    return Verdict(
        frames=len(octets),
        hashes=sum(hashes),
        links=None if begins_late and len(octets) == 1 else sum(links),
        strict=strict.count(None),
        strict_14=base.count(None),
        refusal=next((each for each in base if each is not None), None),
    )


def _members(octets: bytes) -> dict[str, Any]:
    try:
        value = parse(octets)
    except NotCanonical:
        return {}
    return value if isinstance(value, dict) else {}


def _has_hashes(members: dict[str, Any]) -> bool:
    return (
        "payload" in members
        and members.get("payload_hash") == particle(members["payload"])
        and members.get("frame_hash") == wave(members)
    )


def _is_linked(members: dict[str, Any], before: dict[str, Any] | None, is_first: bool) -> bool:
    if is_first or before is None:
        return members.get("prev") is None
    then, now = before.get("utc"), members.get("utc")
    in_time = isinstance(then, str) and isinstance(now, str) and then <= now
    return in_time and members.get("prev") == before.get("payload_hash")


_UNREADABLE: Final = "the stored predecessor is no frame that one could follow"


def _refusal(
    octets: bytes, before: dict[str, Any] | None, index: int, kinds: Kinds
) -> HolodeskError | None:
    try:
        frame = parse_frame(octets, kinds)
        head = None if index == 0 or before is None else _head(before, frame)
        stream_id = frame.stream_id if head is None else head.stream_id
        check_links(Stream(stream_id, head, Keyring.EMPTY), frame)
        if frame.sig is None and frame.family == "swarm":
            raise FrameRefused(
                "rapp/1 7.5 step 6", "a frame of a swarm stream must be signed", step="6"
            )
    except HolodeskError as error:
        return error
    return None


def _head(before: dict[str, Any], frame: Frame) -> Head:
    """The head that a stored predecessor claims to be."""
    addresses = (before.get("frame_hash"), before.get("payload_hash"))
    names = (before.get("stream_id"), before.get("utc"))
    if (
        not is_uint53(before.get("seq"))
        or not all(map(is_hash, addresses))
        or not all(isinstance(name, str) for name in names)
    ):
        members = {"stream_id": frame.stream_id, "seq": frame.seq}
        raise FrameRefused("rapp/1 7.5 step 4", _UNREADABLE, place(members), step="4")
    return Head(
        before["stream_id"],
        before["seq"],
        before["frame_hash"],
        before["payload_hash"],
        before["utc"],
    )
