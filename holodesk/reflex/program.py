"""A routine admitted: read, checked, priced and ready for the engines (LH 3.6; RL-1)."""

from dataclasses import dataclass
from typing import Final

from holodesk.errors import RoutineRefused

NATIVES: Final = frozenset({"self"})
PROFILE: Final = "rl/1:"


@dataclass(frozen=True, eq=False)
class Program:
    """An admitted routine. `bound` is the most steps it can take, where that can be said."""

    source: str
    subject: str
    natives: frozenset[str]
    bound: int | None
    tokens: int


def admit(source: str, grant: frozenset[str] = NATIVES) -> Program:
    """Read and check a routine.

    Raises:
        RoutineRefused: E_SYNTAX, E_LIMIT, E_FORM, E_NAME, E_GRANT or E_STATIC, with its place.
    """
    raise RoutineRefused("RL-1 E_SYNTAX", "there is no reader yet")
