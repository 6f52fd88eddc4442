"""The gate's first look: the text itself, before any parser sees it (LH 3.2).

What is refused here would strain the parser, would hide from a reader's eye, or would be read
differently by another version of Python. The reading is our own, so that it is the same everywhere.
"""

import re
from bisect import bisect_right
from typing import Final

from holodesk.agent.purity_tables import (
    MAX_BLOCKS,
    MAX_BRACKETS,
    MAX_CHAIN,
    MAX_ELIF,
    MAX_SIGNS,
    MAX_SOURCE,
    REFUSED_CHARACTERS,
)

TOO_DEEP: Final = "the source is nested too deeply"
NOT_PYTHON: Final = "this is not valid Python"
_OWN_QUOTES: Final = "a replacement field uses the quotes of its own string"
_MAX_LAMBDAS: Final = 20
_MAX_FIELD: Final = 2 * MAX_CHAIN
_CHAIN_WORDS: Final = frozenset(
    {"not", "and", "or", "if", "else", "in", "is", "lambda", "await", "yield", "for"}
)
_STRING_PREFIXES: Final = r"(?:[rR][bBfF]|[bBfF][rR]|[rRbBfFuU])?"
_TOKEN: Final = re.compile(
    r"(?P<comment>#[^\n]*)"
    rf"|(?P<string>{_STRING_PREFIXES}(?:"
    r"'''(?:[^\\]|\\.)*?'''|\"\"\"(?:[^\\]|\\.)*?\"\"\""
    r"|'(?:[^\\\n']|\\.)*'|\"(?:[^\\\n\"]|\\.)*\"))"
    r"|(?P<number>0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+"
    r"|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9][0-9_]*)?[jJ]?)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<line>\n)|(?P<joined>\\\n)|(?P<sign>[^ \t])",
    re.DOTALL,
)
_STRING: Final = re.compile(
    rf"{_STRING_PREFIXES}(?:'''[^\\]*?'''|\"\"\"[^\\]*?\"\"\"|'[^\\\n']*'|\"[^\\\n\"]*\")"
)
_ODD: Final = re.compile(r"\r(?!\n)|[^\t\n\r -~]")
_NESTS: Final = re.compile(r"[-~+](?: *[-~+])*|[()\[\]{}]")
_COOKIE: Final = re.compile(r"[ \t]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_WIDE_OCTAL: Final = re.compile(r"\\[4-7][0-7][0-7]")
_TEXT_ESCAPES: Final = frozenset("\n\\'\"abfnrtv01234567xuU")
_OCTET_ESCAPES: Final = _TEXT_ESCAPES - frozenset("uU")


def _refused_ranges() -> tuple[list[int], list[int]]:
    starts: list[int] = []
    ends: list[int] = []
    numbers = [int(word, 36) for word in REFUSED_CHARACTERS.split()]
    end = 0
    for distance, more in zip(numbers[::2], numbers[1::2], strict=True):
        start = end + distance
        end = start + more
        starts.append(start)
        ends.append(end)
    return starts, ends


_STARTS, _ENDS = _refused_ranges()


def is_refused(code: int) -> bool:
    """Whether this code point may not stand in a source (Unicode 15.0)."""
    at = bisect_right(_STARTS, code) - 1
    return at >= 0 and code <= _ENDS[at]


def _kind(code: int) -> str:
    if code == 0xFEFF:
        return "a byte order mark"
    if code in (0x61C, 0x200E, 0x200F) or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
        return "a bidi control character"
    if code < 0x20 or 0x7F <= code < 0xA0:
        return "a control character"
    if 0xD800 <= code <= 0xDFFF:
        return "a surrogate"
    if 0xE000 <= code <= 0xF8FF or (code >= 0xF0000 and code & 0xFFFF < 0xFFFE):
        return "a private-use character"
    if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
        return "a noncharacter"
    return "a format or unassigned character"


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1


def _characters(source: str) -> list[tuple[int, str]]:
    found = []
    before, end = "", -1
    for odd in _ODD.finditer(source):
        code = ord(odd[0])
        if code == 0x0D:
            reason = "U+000D: a carriage return alone hides what follows it"
            found.append((_line(source, odd.start()), reason))
        elif is_refused(code):
            kind = _kind(code)
            if kind != before or odd.start() != end:
                reason = f"U+{code:04X}: {kind}; write it as an escape"
                found.append((_line(source, odd.start()), reason))
            before, end = kind, odd.end()
    return found


def _nesting(source: str) -> list[tuple[int, str]]:
    """Brackets and signs in a row, counted on the raw text, strings included."""
    depth = 0
    for mark in _NESTS.finditer(source):
        text = mark[0]
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth = max(0, depth - 1)
        if depth > MAX_BRACKETS or len(text.replace(" ", "")) > MAX_SIGNS:
            return [(_line(source, mark.start()), TOO_DEEP)]
    return []


def _cookies(source: str) -> list[tuple[int, str]]:
    found = []
    for line, text in enumerate(source.split("\n", 2)[:2], 1):
        cookie = _COOKIE.match(text)
        if cookie and cookie[1].lower().replace("_", "-") not in ("utf-8", "utf8"):
            found.append((line, f"a coding cookie other than utf-8: {cookie[1]}"))
    return found


def _escapes(text: str, line: int) -> list[tuple[int, str]]:
    """What another version of Python would read otherwise, in one string token."""
    quote = min(text.find(mark) for mark in "'\"" if mark in text)
    prefix = text[:quote].lower()
    if "r" in prefix:
        return []
    allowed = _OCTET_ESCAPES if "b" in prefix else _TEXT_ESCAPES
    found = []
    for escape in _ESCAPE.finditer(text):
        at = line + text.count("\n", 0, escape.start())
        if escape[1] not in allowed:
            found.append((at, f"the escape \\{escape[1]} is not the same in every version"))
        elif _WIDE_OCTAL.match(text, escape.start()):
            found.append((at, "an octal escape over \\377 is not the same in every version"))
    return found


def _fields(text: str) -> str | None:
    """Why the replacement fields of an f-string token cannot stand, or None."""
    quote = min(text.find(mark) for mark in "'\"" if mark in text)
    if "f" not in text[:quote].lower():
        return None
    width = 3 if text[quote : quote + 3] in ("'''", '"""') else 1
    body = text[quote + width : -width]
    at = 0
    while at < len(body):
        if body[at] == "{":
            if body[at + 1 : at + 2] == "{":
                at += 2
                continue
            at, reason = _field(body, at + 1)
            if reason is not None:
                return reason
        at += 1
    return None


def _field(body: str, start: int) -> tuple[int, str | None]:
    """One replacement field: where its closing brace stands, and why it is refused if it is."""
    at, depth = start, 0
    if body[start:].lstrip().startswith("*"):
        return at, "a replacement field begins with a star"
    while at < len(body):
        character = body[at]
        if character in "\\#" or character > "~":
            return at, "a replacement field holds a backslash, a comment or a sign outside ASCII"
        inner = _string_at(body, start, at)
        if inner is not None:
            reason = _fields(inner)
            if reason is not None:
                return at, reason
            at += len(inner)
            continue
        if character in "'\"":
            return at, _OWN_QUOTES
        if character in "([{":
            depth += 1
        elif character in ")]}" and depth:
            depth -= 1
        elif character == "}":
            return at, None if at - start <= _MAX_FIELD else "a replacement field is too long"
        elif character == ":" and not depth:
            end = body.find("}", at)
            if end < 0 or "{" in body[at:end]:
                return at, "an f-string's format is a constant"
            return end, None if at - start <= _MAX_FIELD else "a replacement field is too long"
        at += 1
    return at, _OWN_QUOTES


def _string_at(body: str, start: int, at: int) -> str | None:
    """The string token that begins here in a replacement field, or None."""
    if body[at] not in "'\"rRbBfFuU":
        return None
    if at > start and (body[at - 1].isalnum() or body[at - 1] == "_"):
        return None
    inner = _STRING.match(body, at)
    return None if inner is None else inner[0]


class _Level:
    """What has been counted at one depth of brackets."""

    __slots__ = ("best", "lambdas", "links", "nested")

    def __init__(self) -> None:
        self.best = self.links = self.nested = self.lambdas = 0

    def part(self) -> None:
        """A separator: what follows is another expression."""
        self.best = max(self.best, self.links + self.nested)
        self.links = self.nested = 0

    def is_over(self) -> bool:
        return self.links + self.nested > MAX_CHAIN or self.lambdas > _MAX_LAMBDAS


class _Scan:
    """One pass over the tokens of a source whose characters and nesting are in order."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[tuple[int, str]] = []
        self.line = 1
        self.levels = [_Level()]
        self.elifs = 0
        self.indents = [0]
        self.starts_line = True

    def read(self) -> list[tuple[int, str]]:
        kinds = {
            "string": self._string,
            "number": self._number,
            "word": self._word,
            "sign": self._sign,
        }
        for token in _TOKEN.finditer(self.source):
            kind = token.lastgroup or ""
            text = token[0]
            if kind in kinds:
                if self.starts_line:
                    self._indent(token.start())
                kinds[kind](text, token.end())
                if self.levels[-1].is_over() or self.elifs > MAX_ELIF:
                    return [*self.found, (self.line, TOO_DEEP)]
                if kind == "string":
                    self.line += text.count("\n")
            elif kind != "comment":
                self.line += 1
                if kind == "line" and len(self.levels) == 1:
                    self.levels = [_Level()]
                    self.starts_line = True
            if len(self.indents) > MAX_BLOCKS:
                return [*self.found, (self.line, TOO_DEEP)]
        return self.found

    def _indent(self, start: int) -> None:
        column = 0
        for character in self.source[self.source.rfind("\n", 0, start) + 1 : start]:
            column = (column // 8 + 1) * 8 if character == "\t" else column + 1
        while self.indents[-1] > column:
            self.indents.pop()
        if self.indents[-1] < column:
            self.indents.append(column)
        self.starts_line = False

    def _string(self, text: str, _end: int) -> None:
        self.found += _escapes(text, self.line)
        reason = _fields(text)
        if reason is not None:
            self.found.append((self.line, reason))

    def _number(self, _text: str, end: int) -> None:
        after = self.source[end : end + 1]
        if after.isalnum() or after == "_":
            self.found.append((self.line, "write a space after the number"))

    def _word(self, text: str, _end: int) -> None:
        level = self.levels[-1]
        level.links += text in _CHAIN_WORDS
        level.lambdas += text == "lambda"
        self.elifs += text == "elif"

    def _sign(self, text: str, _end: int) -> None:
        level = self.levels[-1]
        if text in "([{":
            level.links += 1
            self.levels.append(_Level())
        elif text in ")]}":
            if len(self.levels) > 1:
                self.levels.pop()
                level.part()
                outer = self.levels[-1]
                outer.nested = max(outer.nested, level.best + 1)
        elif text in ",;":
            level.part()
        elif text in "+-*/%@&|^<>~.":
            level.links += 1
        elif text in "'\"":
            self.found.append((self.line, NOT_PYTHON))
        elif text > "~":
            self.found.append((self.line, f"U+{ord(text):04X}: names are plain ASCII"))


def text_findings(source: str) -> list[tuple[int, str]]:
    """Every (line, reason) that the text alone gives; empty when a parser may see it."""
    octets = len(source.encode("utf-8", "surrogatepass"))
    if octets > MAX_SOURCE:
        return [(1, f"expected at most {MAX_SOURCE} octets of source, found {octets}")]
    found = _nesting(source) or _characters(source)
    if found:
        return found
    plain = source.replace("\r\n", "\n")
    return sorted(_cookies(plain) + _Scan(plain).read(), key=lambda pair: pair[0])
