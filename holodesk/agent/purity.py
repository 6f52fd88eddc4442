"""The gate: an agent file is read as a syntax tree and never run; impure ones are refused (LH 3.2).

An allow-list with lines and reasons. Here it gives an author an instant answer; the same texts run
inside the pinned runtime to give the verdict that counts (`TEXTS` names them in order).
"""

from typing import Final

from holodesk.agent.purity_tree import readings
from holodesk.agent.surface import Finding

TEXTS: Final = (
    "purity_tables",
    "purity_text",
    "purity_shape",
    "purity_names",
    "purity_expression",
    "purity_tree",
)
"""The modules of this room that are the gate, in the order in which they need each other."""


def findings(source: str) -> tuple[Finding, ...]:
    """Everything the gate has against a source, by line; empty when it passes. Never raises."""
    return tuple(Finding(line, reason) for line, reason in readings(source))
