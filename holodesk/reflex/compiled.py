"""Stand-in until the compiler is in: the judge runs."""

from collections.abc import Callable
from typing import Any

from holodesk.reflex.judge import judged
from holodesk.reflex.nodes import Checked
from holodesk.reflex.turn import Turn

Compiled = Callable[[Turn, list[Any]], None]


def compiled(checked: Checked) -> Compiled:
    return judged(checked)
