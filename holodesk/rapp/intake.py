"""The parse profile: octets are admitted whole or refused whole, never mended (rapp/1 4).

Stored frames are canonical, so text that equals its own canonical form needs one parse, one write
and one comparison: a duplicate name would have vanished, an odd escape or number been rewritten.
Everything else goes to the strict reference, which decides and words the refusal.
"""

import json
import re
from collections import Counter
from typing import Any, Final, NoReturn

import msgspec

from holodesk.errors import NotCanonical
from holodesk.rapp.jcs import (
    Json,
    OddFloatError,
    canonical,
    is_odd,
    mend_floats,
    parse_plain,
    write_parsed,
)
from holodesk.rapp.number_text import number_text, token_value

MAX_OCTETS: Final = 1 << 20
"""The largest canonical form, in octets (rapp/1 4(d))."""
MAX_DEPTH: Final = 64
"""The deepest nesting; the root is 1, and only arrays and objects add to it (rapp/1 4(d))."""
MAX_RAW_OCTETS: Final = 64 << 20
"""The longest text that is looked at: padding may make it longer than its canonical form."""


def admit(octets: bytes) -> tuple[Json, bytes]:
    """The value of a JSON text and its canonical octets.

    The value is the one that its canonical octets parse to: integral numbers within 2**53-1 are
    int whatever their token was, all others float.

    Raises:
        NotCanonical: the text is outside the parse profile of rapp/1 4.
    """
    if len(octets) <= MAX_OCTETS:
        try:
            value = parse_plain(octets)
        except OddFloatError:
            return _admit_odd(octets)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return admit_strictly(octets)
        if write_parsed(value) == octets and _is_surely_within(octets):
            return value, octets
    return admit_strictly(octets)


def parse(octets: bytes) -> Json:
    """The value alone; see `admit`."""
    return admit(octets)[0]


def _admit_odd(octets: bytes) -> tuple[Json, bytes]:
    """The fast way for a text with float tokens that the fast writer prints in its own manner."""
    odd: list[tuple[str, float]] = []

    def float_noted(token: str) -> float:
        number = float(token)
        if is_odd(token):
            odd.append((token, number))
        return number

    try:
        value = msgspec.json.Decoder(float_hook=float_noted).decode(octets)
        are_own_text = all(number_text(number) == token for token, number in odd)
    except (msgspec.MsgspecError, ValueError, RecursionError, NotCanonical):
        return admit_strictly(octets)
    text = write_parsed(value) if are_own_text else None
    if text is not None and mend_floats(text) == octets and _is_surely_within(octets):
        return value, octets
    return admit_strictly(octets)


_BRACKETS_ONLY: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(octet for octet in range(256) if octet not in b"[]{}")


def _is_surely_within(text: bytes) -> bool:
    """Whether canonical text is surely within the depth and surely free of noncharacters."""
    if text.count(b"[") + text.count(b"{") > MAX_DEPTH and not _is_shallow(text):
        return False
    # One octet is looked for before two: that is several times faster, and mostly the whole answer.
    if b"\xbf" in text and (b"\xbf\xbe" in text or b"\xbf\xbf" in text):
        return False
    return not (b"\xef" in text and b"\xef\xb7" in text)


def _is_shallow(text: bytes) -> bool:
    brackets = _outside_strings(text).translate(_BRACKETS_ONLY, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"")
    return not brackets


def _outside_strings(text: bytes) -> bytes:
    unescaped = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(unescaped.split(b'"')[::2])


def _check_structure(text: bytes) -> None:
    """Refuse a long text whose structure alone is over the limit, before it becomes objects."""
    outside = _outside_strings(text)
    if sum(map(outside.count, (b"[", b"]", b"{", b"}", b",", b":"))) > MAX_OCTETS:
        _refuse("rapp/1 4(d)", f"the canonical form is over {MAX_OCTETS} octets")


_NONCHARACTER: Final = re.compile(
    "[\ufdd0-\ufdef"
    + "".join(f"{chr(p | 0xFFFE)}{chr(p | 0xFFFF)}" for p in range(0, 0x110000, 0x10000))
    + "]"
)


def admit_strictly(octets: bytes) -> tuple[Json, bytes]:
    """`admit` without its fast way: the reference, which decides and words every refusal."""
    if len(octets) > MAX_RAW_OCTETS:
        _refuse("rapp/1 4(d)", f"the text is {len(octets)} octets, over {MAX_RAW_OCTETS}")
    if len(octets) > MAX_OCTETS:
        _check_structure(octets)
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError as error:
        _refuse("rapp/1 4", f"the text is not UTF-8 from octet {error.start} on")
    if text.startswith("\ufeff"):
        _refuse("rapp/1 4", "the text begins with a byte order mark")
    try:
        value = _loads(text)
    except json.JSONDecodeError as error:
        _refuse("rapp/1 4", f"the text is not JSON at character {error.pos}: {error.msg}")
    except RecursionError:
        _refuse_depth()
    _check_depth(value)
    written = canonical(value)
    if len(written) > MAX_OCTETS:
        _refuse("rapp/1 4(d)", f"the canonical form is {len(written)} octets, over {MAX_OCTETS}")
    found = _NONCHARACTER.search(written.decode())
    if found is not None:
        _refuse("rapp/1 4(b)", f"a string holds the noncharacter U+{ord(found[0]):04X}")
    # Members in canonical order, so that no reader can tell how the text was written.
    return _loads(written.decode()), written


def _loads(text: str) -> Any:
    return json.loads(
        text,
        object_pairs_hook=_object,
        parse_int=token_value,
        parse_float=token_value,
        parse_constant=_constant,
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        counted = Counter(name for name, _ in pairs)
        _refuse("rapp/1 4(a)", f"an object names {counted.most_common(1)[0][0]!r:.60} twice")
    return members


def _constant(word: str) -> NoReturn:
    _refuse("rapp/1 4(c)", f"a number must be finite, found {word}")


def _check_depth(value: Any) -> None:
    level = [value] if isinstance(value, dict | list) else []
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            _refuse_depth()
        below: list[Any] = []
        for container in level:
            items = container.values() if isinstance(container, dict) else container
            below.extend(item for item in items if isinstance(item, dict | list))
        level = below


def number_tokens(octets: bytes) -> Any:
    """An admitted text with every number as its token, where tokens are ruled (rapp/1 7.4)."""
    return json.loads(octets, parse_int=str, parse_float=str)


def _refuse_depth() -> NoReturn:
    _refuse("rapp/1 4(d)", f"the text is nested more than {MAX_DEPTH} deep")


def _refuse(rule: str, message: str) -> NoReturn:
    raise NotCanonical(rule, message)
