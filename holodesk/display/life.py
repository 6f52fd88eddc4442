"""What moves between frames: time, and what reflexes will show; never on the chain (LH 3.6)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Life:
    """The transient part of a pose. Every default is neutral."""

    seconds: float = 0.0
    """Since some start; the same seconds give the same pose."""
    turn: float = 0.0
    """Degrees added to where the body looks, counter-clockwise from above."""
    lean: float = 0.0
    """-1..1, to its right or to its left."""
    squash: float = 0.0
    """-1..1, drawn out or pressed flat."""
    glow: float = 0.0
    """-1..1, darker or brighter."""
    startle: float = 0.0
    """0..1, how much it is taken by surprise."""
    words: str = ""
    """A short line it would say, shown above it."""
