"""Rails narrow the menu and damp echo: pure functions of a lens and a value (LH 3.4, 3.5, 6)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.errors import ControlRefused, Place
from holodesk.rapp.canonical import Json

REPEATS: Final = 3
"""The same lens and params may run this often in a row once rails are tight (decisions 4)."""
TIGHT: Final = 50
"""The percentage from which repeats are refused."""


def narrowed(schema: Mapping[str, Json], rails: int) -> dict[str, Json]:
    """A parameters block with every numeric bound drawn toward its `x-rest` by `rails` percent.

    Integer bounds stay integers and never cross the rest value; a field without a rest value or
    without bounds stays as its author wrote it.
    """
    return {
        name: _narrow_member(name, value, rails) for name, value in _drawn(schema, rails).items()
    }


def _narrow_member(name: str, value: Json, rails: int) -> Json:
    if name == "properties" and isinstance(value, dict):
        return {
            field: narrowed(inner, rails) if isinstance(inner, dict) else inner
            for field, inner in value.items()
        }
    if name == "items" and isinstance(value, dict):
        return narrowed(value, rails)
    return value


def _drawn(schema: Mapping[str, Json], rails: int) -> dict[str, Json]:
    drawn = dict(schema)
    rest = schema.get("x-rest")
    if rails == 0 or not _is_number(rest):
        return drawn
    for bound in ("minimum", "maximum"):
        given = schema.get(bound)
        if _is_number(given):
            drawn[bound] = _toward(given, rest, rails)
    return drawn


def _toward(bound: Json, rest: Json, rails: int) -> Json:
    if isinstance(bound, int) and isinstance(rest, int):
        room = (abs(bound - rest) * (100 - rails)) // 100
        return rest + room if bound >= rest else rest - room
    assert isinstance(bound, int | float)
    assert isinstance(rest, int | float)
    return rest + (bound - rest) * (100 - rails) / 100


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Run:
    """How often the newest choice was made in a row: a lens by hash, and canonical params."""

    lens: str
    params: bytes
    times: int

    def then(self, lens: str, params: bytes) -> "Run":
        """The run after one more choice."""
        same = lens == self.lens and params == self.params
        return Run(lens, params, self.times + 1 if same else 1)


NO_RUN: Final = Run("", b"", 0)


def check_run(run: Run, rails: int, where: Place) -> None:
    """From 50 % up, no echo: the same choice more than three times running is refused.

    Raises:
        ControlRefused: one time too many.
    """
    if rails >= TIGHT and run.times > REPEATS:
        raise ControlRefused(
            "LH 3.5 rails",
            f"rails at {rails} % allow the same choice {REPEATS} times running, found {run.times}",
            where,
        )
