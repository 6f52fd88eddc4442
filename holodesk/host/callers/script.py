"""A script: choices from a JSON Lines file, one a pass (decisions 9).

Each line is an object with `lens` and `params`, and may have `id`, `kind`, `persona` and `facts`.
The whole file is read and checked before the first choice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holodesk.errors import NotCanonical, Place, Refused, Rejected
from holodesk.hologram.genesis import CALLER_KINDS
from holodesk.hologram.tile import Caller as Identity
from holodesk.portal.caller import Choice
from holodesk.portal.offer import Offer
from holodesk.rapp.canonical import Json, parse
from holodesk.store.exchange import read_lines

MEMBERS: Final = ("lens", "params", "id", "kind", "persona", "facts")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: a choice, and what was observed after it."""

    choice: Choice
    facts: Mapping[str, Json]


class Script:
    """Hands out its lines in order; a rejected line is passed over."""

    name = "script"

    def __init__(self, path: Path) -> None:
        """Read a script whole.

        Raises:
            Refused: a line that is no choice.
            Unavailable: the file cannot be read.
        """
        self._lines = read_script(path)
        self._next = 0

    @property
    def left(self) -> int:
        """How many choices are left."""
        return len(self._lines) - self._next

    def facts(self) -> Mapping[str, Json]:
        """What was observed after the choice last handed out."""
        return self._lines[self._next - 1].facts if self._next else {}

    def step_back(self) -> None:
        """The choice last handed out was not judged: hand it out again."""
        self._next = max(0, self._next - 1)

    def choose(self, offer: Offer, rejected: Rejected | None) -> Choice | None:
        """The next line's choice, or None at the end."""
        if self._next >= len(self._lines):
            return None
        self._next += 1
        return self._lines[self._next - 1].choice


def read_script(path: Path) -> tuple[Line, ...]:
    """The lines of a script; blank ones are passed over. Raises as `Script`."""
    lines = []
    for number, octets in enumerate(read_lines(path), 1):
        if octets.strip():
            lines.append(_line(octets, Place(file=path.name, line=number)))
    return tuple(lines)


def _line(octets: bytes, where: Place) -> Line:
    try:
        given = parse(octets)
    except NotCanonical as problem:
        raise Refused("script", f"expected a JSON object: {problem.message}", where) from problem
    if not isinstance(given, dict) or not {"lens", "params"} <= given.keys():
        raise Refused("script", "expected an object with lens and params", where)
    if extra := sorted(given.keys() - set(MEMBERS)):
        told = f"expected only {', '.join(MEMBERS)}, found {', '.join(extra)[:80]}"
        raise Refused("script", told, where)
    lens, params, facts = given["lens"], given["params"], given.get("facts", {})
    caller, kind, persona = (
        given.get("id", "script"),
        given.get("kind", "script"),
        given.get("persona"),
    )
    shaped = isinstance(lens, str) and isinstance(params, dict) and isinstance(facts, dict)
    if not shaped or not isinstance(caller, str) or kind not in CALLER_KINDS:
        raise Refused("script", "expected a lens by name, params and a caller", where)
    assert isinstance(lens, str)
    assert isinstance(params, dict)
    assert isinstance(facts, dict)
    identity = Identity(caller, str(kind), persona if isinstance(persona, str) else None)
    return Line(Choice(lens, params, identity), facts)
