"""How finely to draw so that nobody waits: the window never works longer than its share (8a).

(decisions 8a.) Software drawing takes as long as it has pixels. When pictures take too long they
are drawn coarser and spread over the same place; when there is room again, finer.
"""

from typing import Final

SCALES: Final = (1.0, 0.75, 0.5, 0.375)
BUDGET_MS: Final = 12.5
ROOM_MS: Final = 9.0
"""A finer scale is taken when it would still be drawn in this time."""
PATIENCE: Final = 12
"""Pictures in a row that must be late before the scale is changed."""
REST: Final = 240
"""Pictures that must be early before a finer scale is tried again."""


class Pace:
    """Chooses the scale from how long the last pictures took."""

    def __init__(self) -> None:
        self.scale = SCALES[0]
        self._late = 0
        self._early = 0
        self._rest = REST

    def took(self, milliseconds: float) -> bool:
        """A picture took this long; True when the scale changed."""
        finer = self._neighbour(-1)
        would_take = milliseconds * (finer / self.scale) ** 2
        self._late = self._late + 1 if milliseconds > BUDGET_MS else 0
        early = finer > self.scale and would_take < ROOM_MS
        self._early = self._early + 1 if early else 0
        if self._late >= PATIENCE and self._neighbour(1) < self.scale:
            self.scale = self._neighbour(1)
            self._late = self._early = 0
            self._rest = min(self._rest * 2, REST * 16)
            return True
        if self._early >= self._rest:
            self.scale = finer
            self._late = self._early = 0
            return True
        return False

    def _neighbour(self, step: int) -> float:
        at = SCALES.index(self.scale) + step
        return SCALES[min(max(at, 0), len(SCALES) - 1)]
