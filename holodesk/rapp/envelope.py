"""Step 1: the eleven members of a frame, each in its form (rapp/1 7.1, 7.2, 7.4, 12.1)."""

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from holodesk.errors import FrameRefused, Place, Refused
from holodesk.rapp.canonical import Json
from holodesk.rapp.jws import parse_jws
from holodesk.rapp.names import Family, check_kind, check_utc, stream_family

SPEC: Final = "rapp/1"
MEMBERS: Final = frozenset(
    {
        "spec",
        "kind",
        "stream_id",
        "seq",
        "utc",
        "payload",
        "payload_hash",
        "frame_hash",
        "prev",
        "prev_wave",
        "sig",
    }
)
MAX_SEQ: Final = 2**53 - 1
"""The largest seq: a uint53 (rapp/1 7.4)."""
_TEXTS: Final = ("stream_id", "kind", "utc")
RE_GENESIS: Final = ".re-genesis"

Kinds = Mapping[str, Family] | None
"""The registered kinds with their families. None: any well-formed kind, its family not judged."""

_is_hash: Final = re.compile("[0-9a-f]{64}").fullmatch
_ADDRESS: Final = "64 lowercase hex"
_LINK: Final = "null or 64 lowercase hex"
_HASHES: Final = (
    ("payload_hash", _ADDRESS),
    ("frame_hash", _ADDRESS),
    ("prev", _LINK),
    ("prev_wave", _LINK),
)
_UINT53: Final = re.compile("0|[1-9][0-9]{0,15}")


def check_envelope(members: Json, kinds: Kinds) -> dict[str, Any]:
    """The members of a well-formed frame.

    Raises:
        FrameRefused: step 1.
    """
    if not isinstance(members, dict):
        refuse("1", "a frame must be an object", {})
    value: dict[str, Any] = members
    if value.keys() != MEMBERS:
        _refuse_members(value)
    if value["spec"] != SPEC:
        refuse("1", f"spec must be {SPEC!r}, found {value['spec']!r:.60}", value)
    _check_seq(value)
    if value["sig"] is not None and not isinstance(value["sig"], str):
        refuse("1", "sig must be null or a string", value)
    _check_names(value, kinds)
    _check_hashes(value)
    if not isinstance(value["payload"], dict):
        refuse("1", "payload must be an object", value)
    if value["kind"].endswith(RE_GENESIS):
        _check_re_genesis(value)
    return value


def is_hash(value: object) -> bool:
    """Whether a value is the text of an address: 64 lowercase hex."""
    return isinstance(value, str) and _is_hash(value) is not None


def is_stream_id(value: object) -> bool:
    """Whether a value has one of the three forms of a stream_id."""
    try:
        stream_family(value if isinstance(value, str) else "")
    except Refused:
        return False
    return True


def is_uint53(value: object) -> bool:
    """Whether a parsed value is an integer from 0 to 2**53-1."""
    return type(value) is int and 0 <= value <= MAX_SEQ


def _refuse_members(value: dict[str, Json]) -> NoReturn:
    missing = ", ".join(sorted(MEMBERS - value.keys()))
    extra = ", ".join(sorted(repr(name) for name in value.keys() - MEMBERS))
    found = "; ".join(
        part for part in (missing and f"without {missing}", extra and f"with {extra:.200}") if part
    )
    refuse("1", f"a frame must have exactly its eleven members, found it {found}", value)


def _check_seq(value: dict[str, Any]) -> None:
    if not is_uint53(value["seq"]):
        refuse("1", f"seq must be an integer from 0 to 2**53-1, found {value['seq']!r:.40}", value)


def _check_hashes(value: dict[str, Any]) -> None:
    for name, expected in _HASHES:
        text = value[name]
        if text is None and expected is _LINK:
            continue
        if not isinstance(text, str) or _is_hash(text) is None:
            refuse("1", f"{name} must be {expected}, found {text!r:.80}", value)


def _check_names(value: dict[str, Any], kinds: Kinds) -> None:
    for name in _TEXTS:
        if not isinstance(value[name], str):
            refuse("1", f"{name} must be a string", value)
    name = "stream_id"
    try:
        family = stream_family(value[name])
        check_kind(value[name := "kind"])
        check_utc(value[name := "utc"])
        if value["sig"] is not None:
            parse_jws(value[name := "sig"])
    except Refused as error:
        told = f"{name}: {error.message}"
        raise FrameRefused(error.rule, told, place(value), step="1") from error
    if kinds is None:
        return
    registered = kinds.get(value["kind"])
    if registered is None:
        refuse("1", f"the kind {value['kind']} is not registered", value)
    if registered != family:
        told = f"{value['kind']} belongs on a {registered} stream, found a {family} one"
        refuse("1", told, value)


def _check_re_genesis(value: dict[str, Any]) -> None:
    payload = value["payload"]
    old = payload.get("migrated_from")
    if (
        payload.keys() != {"migrated_from"}
        or not isinstance(old, dict)
        or old.keys() != {"stream_id", "terminal_seal", "terminal_seq"}
        or not is_stream_id(old["stream_id"])
        or not is_hash(old["terminal_seal"])
        or not is_uint53(old["terminal_seq"])
    ):
        refuse(
            "1",
            "a re-genesis payload must be exactly migrated_from with stream_id, terminal_seal "
            "and terminal_seq",
            value,
            rule="rapp/1 12.1",
        )


def check_tokens(tokens: Any, value: dict[str, Any]) -> None:
    """Refuse uint53 fields whose token has a sign, a fraction or an exponent (rapp/1 7.4).

    `tokens` is the same frame with every number as its token; only a text that is not canonical
    can hold such a token.

    Raises:
        FrameRefused: step 1.
    """
    found = [("seq", tokens["seq"])]
    if value["kind"].endswith(RE_GENESIS):
        found.append(("terminal_seq", tokens["payload"]["migrated_from"]["terminal_seq"]))
    for name, token in found:
        if _UINT53.fullmatch(token) is None:
            refuse("1", f"{name} must be written as plain digits, found {token:.40}", value)


def place(value: Mapping[str, Any]) -> Place:
    """Where a frame stands, as far as its members tell."""
    stream, seq = value.get("stream_id"), value.get("seq")
    return Place(
        stream=stream if isinstance(stream, str) else None,
        seq=seq if is_uint53(seq) else None,
    )


def refuse(
    step: str, message: str, value: Mapping[str, Any], *, rule: str | None = None
) -> NoReturn:
    """Refuse a frame at a step of rapp/1 7.5, saying where."""
    raise FrameRefused(rule or f"rapp/1 7.5 step {step}", message, place(value), step=step)
