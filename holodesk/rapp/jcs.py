"""One byte string for a value: the writer of RFC 8785 (rapp/1 4).

A fast writer stands in front of an exact one; whatever the fast writer cannot vouch for, the exact
one decides. Depth and size are rules of the intake, not of the writer.
"""

import re
from enum import Enum
from typing import Any, Final, TypeAlias

import msgspec
import orjson

from holodesk.errors import NotCanonical
from holodesk.rapp.number_text import MAX_SAFE, integer_text, number_text

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_WRITER_DEPTH: Final = 254
_OPTIONS: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)
# The same value in another writing, in which a float is CB and eight octets and a UUID is C4 10 and
# sixteen: no CB, no float; and neither CB 7F nor CB FF (a non-finite one) nor C4 10 is UTF-8.
_seen: Final = msgspec.msgpack.Encoder(uuid_format="bytes")

_ODD_FLOAT: Final = re.compile(
    rb"(?<![0-9.])-?(?:[0-9]+(?:\.0(?![0-9])|(?:\.[0-9]+)?e[-+]?[0-9]+)|0\.00000[0-9]*)"
)
_ASTRAL_NAME: Final = re.compile(rb'[\xf0-\xf4][^"\\]*(?:":|\\)')
_LEADS: Final = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")


def canonical(value: Json) -> bytes:
    """The canonical octets of a value.

    A tuple is written as an array and an enumeration member as its value.

    Raises:
        NotCanonical: NaN or infinity, an integer that is no binary64, an unpaired surrogate, a
            member name that is not a string, any other type, nesting beyond what can be written.
    """
    try:
        seen = _seen.encode(value)
        text = write_parsed(value)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        return canonical_slow(value)
    if text is None or (b"\xc4" in seen and b"\xc4\x10" in seen):
        return canonical_slow(value)
    if b"\xcb" not in seen:
        return text
    if b"\xcb\x7f" in seen or b"\xcb\xff" in seen:
        return canonical_slow(value)
    try:
        parse_plain(text)
    except OddFloatError:
        return mend_floats(text)
    return text


def write_parsed(value: Any) -> bytes | None:
    """The fast writer's text for a value that a JSON parser made, floats not yet mended.

    None where the exact writer has to decide.
    """
    try:
        text = orjson.dumps(value, option=_OPTIONS)
    except (TypeError, ValueError):
        return None
    return text if _IS_AS_PINNED and not may_disorder(text) else None


class OddFloatError(Exception):
    """A float token whose fast text may differ from ECMAScript's."""


def is_odd(token: str) -> bool:
    """Whether the fast writer may print a float in a manner of its own.

    It does for integral ones, for those with an exponent, and from 1e-6 up to 1e-5.
    """
    return token.endswith(".0") or "e" in token or "E" in token or "0.00000" in token


def _plain_float(token: str) -> float:
    if is_odd(token):
        raise OddFloatError
    return float(token)


parse_plain: Final = msgspec.json.Decoder(float_hook=_plain_float).decode
"""A JSON parser, strict in UTF-8 and lax in names, that raises OddFloatError at an odd float."""


def mend_floats(text: bytes) -> bytes:
    """The fast writer's text with every float token as ECMAScript prints it."""
    # The writer escapes every control character, so 00 and 01 are free to stand for escapes.
    pieces = text.replace(b"\\\\", b"\x00").replace(b'\\"', b"\x01").split(b'"')
    outside = _ODD_FLOAT.sub(_mended, b'"'.join(pieces[::2]))
    pieces[::2] = outside.split(b'"')
    return b'"'.join(pieces).replace(b"\x01", b'\\"').replace(b"\x00", b"\\\\")


def _mended(token: re.Match[bytes]) -> bytes:
    return number_text(float(token[0])).encode()


def may_disorder(text: bytes) -> bool:
    """Whether member names may sort otherwise by UTF-16 code units than by UTF-8 octets.

    That takes an astral character in a name, and a name with U+E000 to U+FFFF beside it.
    """
    if text.isascii() or not (b"\xee" in text or b"\xef" in text):
        return False
    return any(lead in text for lead in _LEADS) and _ASTRAL_NAME.search(text) is not None


def canonical_slow(value: Any) -> bytes:
    """The exact writer: RFC 8785 member by member, and the reference for the fast one."""
    pieces: list[str] = []
    _write(value, pieces, 1)
    try:
        return "".join(pieces).encode()
    except UnicodeEncodeError as error:
        raise NotCanonical("rapp/1 4(b)", "a string holds an unpaired surrogate") from error


def _write(value: Any, pieces: list[str], depth: int) -> None:
    if value is None:
        pieces.append("null")
    elif value is True:
        pieces.append("true")
    elif value is False:
        pieces.append("false")
    elif isinstance(value, str):
        pieces.append(_string(value))
    elif isinstance(value, int):
        pieces.append(integer_text(value))
    elif isinstance(value, float):
        pieces.append(number_text(value))
    elif isinstance(value, dict | list | tuple):
        _write_container(value, pieces, depth)
    elif isinstance(value, Enum):
        _write(value.value, pieces, depth)
    else:
        raise NotCanonical("rapp/1 4", f"a {type(value).__name__} is not a JSON value")


def _write_container(value: Any, pieces: list[str], depth: int) -> None:
    if depth > _WRITER_DEPTH:
        raise NotCanonical("rapp/1 4(d)", f"the value is nested more than {_WRITER_DEPTH} deep")
    if isinstance(value, dict):
        separator = "{"
        for name in sorted(value, key=_utf16_order):
            pieces.append(f"{separator}{_string(name)}:")
            _write(value[name], pieces, depth + 1)
            separator = ","
        pieces.append("}" if value else "{}")
        return
    separator = "["
    for item in value:
        pieces.append(separator)
        _write(item, pieces, depth + 1)
        separator = ","
    pieces.append("]" if value else "[]")


def _utf16_order(name: object) -> bytes:
    if not isinstance(name, str):
        raise NotCanonical("rapp/1 4", f"a member name must be a string, found {name!r:.40}")
    try:
        return name.encode("utf-16-be")
    except UnicodeEncodeError as error:
        raise NotCanonical("rapp/1 4(b)", "a member name holds an unpaired surrogate") from error


_ESCAPES: Final = {code: f"\\u{code:04x}" for code in range(0x20)} | {
    0x08: "\\b",
    0x09: "\\t",
    0x0A: "\\n",
    0x0C: "\\f",
    0x0D: "\\r",
    0x22: '\\"',
    0x5C: "\\\\",
}


def _string(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'


_PINNED_FLOATS: Final = tuple(
    sign * 10.0**power * factor
    for sign in (1, -1)
    for power in (
        -310,
        -200,
        -30,
        -8,
        -7,
        -6,
        -5,
        -4,
        -1,
        0,
        1,
        14,
        15,
        16,
        17,
        20,
        21,
        22,
        23,
        300,
    )
    for factor in (1.0, 1.5, 1.2345678901234567)
)
_PINNED_TEXT: Final = "".join(map(chr, range(0x100))) + "\u2028\u20ac\ud7ff\ue000\uffee\U0001f600"


def is_as_pinned() -> bool:
    """Whether the fast writer prints as the release that was pinned: its float text has changed.

    Where it does not, the exact writer does all the work.
    """
    plain = [number for number in _PINNED_FLOATS if not is_odd(repr(number))]
    values: tuple[Json, ...] = (
        {"b": [1, -1, True, None], "a": _PINNED_TEXT, _PINNED_TEXT: {}, "": []},
        [MAX_SAFE, -MAX_SAFE],
        list(plain),
    )
    if any(orjson.dumps(value, option=_OPTIONS) != canonical_slow(value) for value in values):
        return False
    text = orjson.dumps(_PINNED_FLOATS, option=_OPTIONS)
    try:
        orjson.dumps(MAX_SAFE + 1, option=_OPTIONS)
    except TypeError:
        return mend_floats(text) == canonical_slow(_PINNED_FLOATS)
    return False


_IS_AS_PINNED: Final = is_as_pinned()
