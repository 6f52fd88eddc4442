"""A payload has exactly the members of its kind, and names its predecessor (decisions 1.3, 1.4)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from holodesk.errors import FrameRefused, Place
from holodesk.hologram.kinds import SCHEMAS
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame

HEX: Final = frozenset("0123456789abcdef")
Check = Callable[[Json], str | None]
"""None when the value is lawful, else what was expected."""


def is_hash(value: Json) -> bool:
    """64 lowercase hex digits (rapp/1 5)."""
    return isinstance(value, str) and len(value) == 64 and HEX.issuperset(value)


def is_integer(value: Json) -> bool:
    """An integer that is not a truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def hashed(value: Json) -> str | None:
    return None if is_hash(value) else "64 lowercase hex digits"


def text(value: Json) -> str | None:
    return None if isinstance(value, str) else "a string"


def label(value: Json) -> str | None:
    return None if isinstance(value, str) and 0 < len(value) <= 200 else "a string of 1 to 200"


def number(value: Json) -> str | None:
    return None if is_integer(value) else "an integer"


def anything(value: Json) -> str | None:
    return None


def mapping(value: Json) -> str | None:
    return None if isinstance(value, dict) else "an object"


def optional(check: Check) -> Check:
    """Null, or what `check` asks."""
    return lambda value: None if value is None else check(value)


def one_of(*names: str) -> Check:
    return lambda value: None if value in names else f"one of {', '.join(names)}"


def shaped(members: Mapping[str, Check]) -> Check:
    """An object with exactly these members."""

    def check(value: Json) -> str | None:
        if not isinstance(value, dict):
            return f"an object with {', '.join(members)}"
        return misfit(value, members)

    return check


def listed(check: Check) -> Check:
    def check_all(value: Json) -> str | None:
        if not isinstance(value, list):
            return "a list"
        wrong = [f"item {n}: {why}" for n, item in enumerate(value) if (why := check(item))]
        return wrong[0] if wrong else None

    return check_all


def misfit(value: Mapping[str, Json], members: Mapping[str, Check]) -> str | None:
    """The first way in which an object differs from a table of members, or None."""
    if value.keys() != members.keys():
        missing = sorted(members.keys() - value.keys())
        extra = sorted(value.keys() - members.keys())
        return f"exactly {', '.join(members)} (missing {missing}, not expected {extra})"
    for name, check in members.items():
        if (why := check(value[name])) is not None:
            return f"{name}: {why}"
    return None


def check_payload(frame: Frame, members: Mapping[str, Check]) -> None:
    """Schema string, exact members and `after` of one payload.

    Raises:
        FrameRefused: another schema, other members, or a member of another shape.
    """
    where = Place(stream=frame.stream_id, seq=frame.seq)
    expected = SCHEMAS[frame.kind]
    if frame.payload.get("schema") != expected:
        found = str(frame.payload.get("schema"))[:80]
        raise FrameRefused("LH 6", f"expected the schema {expected}, found {found}", where)
    if (why := misfit(frame.payload, members)) is not None:
        raise FrameRefused("LH 3.3", f"a {frame.kind} payload needs {why}", where)


def check_after(frame: Frame, predecessor: str | None) -> None:
    """`after` names the predecessor's frame_hash: a head fixes the history (decisions 1.4)."""
    found = frame.payload.get("after")
    if found != predecessor:
        raise FrameRefused(
            "LH after",
            f"expected after to name the predecessor {_short(predecessor)}, found {_short(found)}",
            Place(stream=frame.stream_id, seq=frame.seq),
        )


def _short(value: Json) -> str:
    return value[:16] if isinstance(value, str) else str(value)[:40]


def names(value: Json) -> Sequence[str]:
    """The strings of a list that was checked to hold strings."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
