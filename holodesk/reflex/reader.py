"""The text of a routine becomes trees, bounded before anything else looks at it (LH 3.6; RL-1).

Names are ASCII, numbers finite decimals, `'x` is `(quote x)`, `:word` is the text "word", and a
text knows four escapes. Everything else is refused with its line and column.
"""

import re
from math import isfinite
from typing import Final

from holodesk.errors import Place, RoutineRefused
from holodesk.reflex.forms import LIMITS
from holodesk.reflex.tree import Form, Literal, Symbol, Tree

ESCAPES: Final = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
WORDS: Final = {"nil": None, "true": True, "false": False}
NAME: Final = re.compile(r"[A-Za-z!$%&*/<=>?^_~+\-][A-Za-z0-9!$%&*/<=>?^_~+\-]*")
NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN: Final = re.compile(
    r"[ \t\r\n]+|;[^\n]*"
    r"|(?P<mark>[()'])"
    r'|(?P<text>"(?:[^"\\]|\\[\s\S])*")'
    r"|(?P<word>:[^\s()'\";]*)"
    r"|(?P<atom>[^\s()'\";:][^\s()'\";]*)"
)


def read(source: str) -> tuple[Tree, ...]:
    """The forms of a routine, in order.

    Raises:
        RoutineRefused: E_SYNTAX or E_LIMIT, with line and column.
    """
    return _Reader(source).forms()


def count_tokens(source: str) -> int:
    """How many tokens a text has that was read: marks, texts, words and atoms."""
    return sum(match.lastgroup is not None for match in _TOKEN.finditer(source))


def place_of(source: str, at: int) -> Place:
    """The line and column of a place in the source, both counted from one."""
    before = source[:at]
    column = at - (before.rfind("\n") + 1) + 1
    return Place(line=before.count("\n") + 1, field=f"column {column}")


def refused(code: str, message: str, source: str, at: int) -> RoutineRefused:
    """A refusal of RL-1 with its place."""
    return RoutineRefused(f"RL-1 {code}", message, place_of(source, at))


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.tokens = 0
        if len(source) > LIMITS["characters"]:
            raise self._over("characters", len(source), 0)
        try:
            source.encode()
        except UnicodeEncodeError as problem:
            raise refused("E_SYNTAX", "an unpaired surrogate", source, problem.start) from None

    def forms(self) -> tuple[Tree, ...]:
        """Every form; an explicit stack, so that no nesting can exhaust the reader."""
        waiting: list[tuple[int, list[Tree], bool]] = [(0, [], False)]
        while (token := self._next()) is not None:
            kind, text, at = token
            if text in ("(", "'") and kind == "mark":
                waiting.append((at, [] if text == "(" else [Symbol("quote", at)], text == "'"))
                if len(waiting) - 1 > LIMITS["nesting"]:
                    raise self._over("nesting", len(waiting) - 1, at)
                continue
            if kind == "mark":
                start, items, quoting = waiting.pop()
                if not waiting or quoting:
                    raise refused("E_SYNTAX", "a closing parenthesis too many", self.source, at)
                tree: Tree = Form(tuple(items), start)
            else:
                tree = self._atom(kind, text, at)
            while True:
                waiting[-1][1].append(tree)
                if not waiting[-1][2]:
                    break
                start, items, _ = waiting.pop()
                tree = Form(tuple(items), start)
        start, items, quoting = waiting[-1]
        if len(waiting) > 1:
            told = "a quote without a form" if quoting else "a parenthesis that is never closed"
            raise refused("E_SYNTAX", told, self.source, start)
        if not items:
            raise refused("E_SYNTAX", "expected a form, found nothing", self.source, 0)
        if len(items) > LIMITS["forms"]:
            raise self._over("forms", len(items), items[LIMITS["forms"]].at)
        return tuple(items)

    def _next(self) -> tuple[str, str, int] | None:
        while self.at < len(self.source):
            match = _TOKEN.match(self.source, self.at)
            if match is None:
                told = (
                    "a text that is never closed" if self.source[self.at] == '"' else "a stray sign"
                )
                raise refused("E_SYNTAX", told, self.source, self.at)
            at, self.at = self.at, match.end()
            if match.lastgroup is not None:
                self.tokens += 1
                if self.tokens > LIMITS["tokens"]:
                    raise self._over("tokens", self.tokens, at)
                return match.lastgroup, match.group(), at
        return None

    def _atom(self, kind: str, text: str, at: int) -> Tree:
        if kind == "text":
            return Literal(self._text(text[1:-1], at), at)
        if kind == "word":
            if NAME.fullmatch(text[1:]) is None:
                raise refused("E_SYNTAX", f"{text[:40]} is no word", self.source, at)
            return Literal(self._sized(text[1:], at), at)
        if text in WORDS:
            return Literal(WORDS[text], at)
        if NUMBER.fullmatch(text):
            number = float(text)
            if not isfinite(number):
                raise refused("E_SYNTAX", f"{text[:40]} is beyond a number", self.source, at)
            return Literal(number + 0.0, at)
        if NAME.fullmatch(text) and NUMBER.match(text) is None:
            return Symbol(text, at)
        raise refused("E_SYNTAX", f"{text[:40]} is no name and no number", self.source, at)

    def _text(self, inner: str, at: int) -> str:
        parts = inner.split("\\")
        whole, rest = [parts[0]], parts[1:]
        while rest:
            part = rest.pop(0)
            mark = part[0] if part else "\\"
            if mark not in ESCAPES:
                raise refused("E_SYNTAX", f"\\{mark} is no escape", self.source, at)
            whole.append(ESCAPES[mark])
            whole.append(part[1:] if part else rest.pop(0))
        return self._sized("".join(whole), at)

    def _sized(self, text: str, at: int) -> str:
        if len(text) > LIMITS["text"]:
            raise self._over("text", len(text), at)
        return text

    def _over(self, limit: str, found: int, at: int) -> RoutineRefused:
        told = f"{limit}: expected at most {LIMITS[limit]}, found {found}"
        return refused("E_LIMIT", told, self.source, min(at, len(self.source)))
