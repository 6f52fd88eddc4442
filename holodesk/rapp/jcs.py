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
from holodesk.rapp.number_text import integer_text, number_text

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_WRITER_DEPTH: Final = 254
_OPTIONS: Final = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)
# Binary form of the same value, in which floats and non-finite floats can be seen at a glance:
# a float is CB and eight octets, and neither CB 7F nor CB FF can be part of UTF-8.
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
        text = orjson.dumps(value, option=_OPTIONS)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        return canonical_slow(value)
    if b"\xcb" in seen and (b"\xcb\x7f" in seen or b"\xcb\xff" in seen):
        return canonical_slow(value)
    if b"\xc4\x10" in seen:
        return canonical_slow(value)
    if b"\xcb" in seen:
        text = mend_floats(text)
    if may_disorder(text):
        return canonical_slow(value)
    return text


def write_parsed(value: Any) -> bytes | None:
    """The fast writer's text for a value that a JSON parser made, floats not yet mended.

    None where the exact writer has to decide.
    """
    try:
        text = orjson.dumps(value, option=_OPTIONS)
    except (TypeError, ValueError):
        return None
    return None if may_disorder(text) else text


def mend_floats(text: bytes) -> bytes:
    """The fast writer's text with every float token as ECMAScript prints it."""
    if _ODD_FLOAT.search(text) is None:
        return text
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
