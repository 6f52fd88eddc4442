"""A routine admitted: read, checked, priced and ready for the engines (LH 3.6; RL-1 5, 6)."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Final

from holodesk.errors import RoutineRefused
from holodesk.reflex import forms
from holodesk.reflex.bound import span
from holodesk.reflex.check import check
from holodesk.reflex.forms import LIMITS
from holodesk.reflex.judge import Judged, judged
from holodesk.reflex.nodes import Checked
from holodesk.reflex.reader import count_tokens, read

NATIVES: Final = frozenset(forms.NATIVES)
PROFILE: Final = forms.PROFILE
BUDGET: Final = LIMITS["budget"]


@dataclass(frozen=True, eq=False)
class Program:
    """An admitted routine. `bound` is the most steps it can take, where that can be said."""

    source: str
    subject: str
    natives: frozenset[str]
    bound: int | None
    tokens: int
    checked: Checked = field(repr=False)

    @cached_property
    def judged(self) -> Judged:
        """The routine as the judge runs it; made when it is first asked for."""
        return judged(self.checked)


def admit(source: str, grant: frozenset[str] = NATIVES) -> Program:
    """Read and check a routine.

    Raises:
        RoutineRefused: E_SYNTAX, E_LIMIT, E_FORM, E_NAME, E_GRANT or E_STATIC, with its place.
    """
    checked = check(source, read(source), grant)
    least, most = span(checked)
    if least > BUDGET:
        told = f"every way through it takes {least} steps, more than {BUDGET}"
        raise RoutineRefused("RL-1 E_STATIC", told)
    subject = sha256(source.encode("utf-8")).hexdigest()
    return Program(source, subject, checked.natives, most, count_tokens(source), checked)
