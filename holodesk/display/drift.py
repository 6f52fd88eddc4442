"""A picture that stands still for days burns in: it goes slowly round a ring of pixels (LH 3.11).

One pixel at a time, less than the ghost of a thin sheet away, and never faster than half a
millimetre a minute.
"""

from typing import Final

from holodesk.display.trim import Pair

REACH_MM: Final = 0.3
MM_A_MINUTE: Final = 0.25
"""Half of what is allowed, so that no minute with one step more goes beyond it."""


def drift_mm(seconds: float, px_per_mm: float) -> Pair:
    """Where the pictures are after so long, right and down: whole pixels, the middle first."""
    radius = int(REACH_MM * px_per_mm)
    if radius < 1:
        return (0.0, 0.0)
    steps = int(seconds / 60 * MM_A_MINUTE * px_per_mm)
    if steps < radius:
        return (steps / px_per_mm, 0.0)
    return _on_ring(steps - radius, radius, px_per_mm)


def _on_ring(steps: int, radius: int, px_per_mm: float) -> Pair:
    """A place on the square ring, from the middle of its right side downwards."""
    side, along = divmod((steps + radius) % (8 * radius), 2 * radius)
    ways = (
        (radius, along - radius),
        (radius - along, radius),
        (-radius, radius - along),
        (along - radius, -radius),
    )
    x, y = ways[side]
    return (x / px_per_mm, y / px_per_mm)
