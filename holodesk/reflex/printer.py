"""Trees become text, by one printer that shares the reader's escapes (LH 3.6; RL-1).

`read(print_forms(trees)) == trees` for every lawful tree: a text can never become anything else.
"""

from math import isfinite
from typing import Final

from holodesk.errors import RoutineRefused
from holodesk.rapp.number_text import number_text
from holodesk.reflex.reader import NAME, NUMBER, WORDS
from holodesk.reflex.tree import Form, Literal, Symbol, Tree

_ESCAPED: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"})


def print_forms(forms: tuple[Tree, ...]) -> str:
    """The text of a routine, one form a line.

    Raises:
        RoutineRefused: E_SYNTAX, a name or a number that no text reads as.
    """
    return "\n".join(print_form(form) for form in forms)


def print_form(tree: Tree) -> str:
    """The text of one form.

    Raises:
        RoutineRefused: E_SYNTAX, a name or a number that no text reads as.
    """
    match tree:
        case Form(items):
            return f"({' '.join(print_form(item) for item in items)})"
        case Symbol(name):
            if name in WORDS or not NAME.fullmatch(name) or NUMBER.match(name):
                raise RoutineRefused("RL-1 E_SYNTAX", f"{name[:40]!r} is no name")
            return name
        case Literal(value):
            return _literal(value)


def _literal(value: bool | float | str | None) -> str:
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPED)}"'
    if not isfinite(value):
        raise RoutineRefused("RL-1 E_SYNTAX", "a number in a routine is finite")
    return number_text(value)
