"""What a bench gives: figures with their units in their names, and ratios (decisions 9)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from holodesk.rapp.canonical import Json


@dataclass(slots=True)
class Bench:
    """Figures and ratios of one bench, by name; notes say what was left out, and why."""

    figures: dict[str, float] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        told: dict[str, Json] = {
            "figures": _rounded(self.figures),
            "ratios": _rounded(self.ratios),
        }
        if self.notes:
            told["notes"] = dict(self.notes)
        return told

    def told(self, name: str) -> str:
        """The bench as lines for a person."""
        lines = [name]
        lines += [f"  {key:<28} {value:>14,.2f}" for key, value in self.figures.items()]
        lines += [f"  {key:<28} {value:>14,.2f} x" for key, value in self.ratios.items()]
        lines += [f"  {key}: {words}" for key, words in self.notes.items()]
        return "\n".join(lines)


def best_seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The least seconds of several rounds: what the machine can do when it is not disturbed."""
    least = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def _rounded(values: Mapping[str, float]) -> dict[str, Json]:
    return {name: round(value, 4) for name, value in values.items()}
