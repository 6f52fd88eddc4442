"""Reflexes as movement: where a body went, where it looks, what it signs and says (LH 3.6, 3.11).

A tick leaves bodies and signs with the tick they were made in; here they become a Life that poses
draw. Nothing here goes back into a tick: it is for the eye alone.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import atan2, degrees, exp, pi, sin
from typing import Final

from holodesk.display.life import Life, Place, between_lives
from holodesk.reflex.world import Body

UNIT: Final = 10.0
"""Hundredths of the stage in a unit of the body's own space."""
WAKE_TICKS: Final = 5
WAKE: Final = 14
"""Places that are remembered, one in so many ticks: about three seconds."""
LEAST_STEP: Final = 0.6
"""Hundredths of the stage between two places that are remembered."""
STARTLE_TICKS: Final = 14.0
SAYS_TICKS: Final = 70
EASE_TICKS: Final = 8
"""How long the way is from one life to one that does not go on from it."""
LEAN: Final = 0.9

Sign = Callable[[float], dict[str, float]]


def _swell(share: float) -> float:
    """Up and down again over 0..1, without a corner."""
    return sin(pi * share) ** 2


def _bounce(s: float) -> dict[str, float]:
    return {"squash": 0.42 * sin(2 * pi * s) * (1 - s), "glow": 0.16 * _swell(s)}


def _nod(s: float) -> dict[str, float]:
    return {"squash": 0.34 * sin(2 * pi * s) ** 2 * (1 - 0.4 * s)}


def _look_around(s: float) -> dict[str, float]:
    return {"turn": 38 * sin(2 * pi * s) * _swell(s) ** 0.5}


def _wave(s: float) -> dict[str, float]:
    return {"lean": 0.62 * sin(6 * pi * s) * _swell(s) ** 0.5, "glow": 0.2 * _swell(s)}


def _think(s: float) -> dict[str, float]:
    return {"lean": 0.34 * _swell(s), "glow": -0.34 * _swell(s), "turn": 9 * _swell(s)}


def _dance(s: float) -> dict[str, float]:
    held = _swell(s) ** 0.4
    return {
        "lean": 0.5 * sin(6 * pi * s) * held,
        "turn": 26 * sin(3 * pi * s) * held,
        "squash": 0.34 * sin(12 * pi * s) * held,
        "glow": 0.3 * held,
    }


def _bow(s: float) -> dict[str, float]:
    return {"squash": 0.62 * _swell(s) ** 0.7, "glow": -0.14 * _swell(s)}


def _clap(s: float) -> dict[str, float]:
    return {"glow": 0.5 * sin(3 * pi * s) ** 2 * (1 - 0.4 * s), "squash": 0.14 * sin(6 * pi * s)}


def _celebrate(s: float) -> dict[str, float]:
    held = _swell(s) ** 0.5
    return {
        "glow": 0.85 * held,
        "squash": -0.44 * sin(5 * pi * s) * held,
        "turn": 360 * s * s * (3 - 2 * s),
    }


def _shrug(s: float) -> dict[str, float]:
    return {"squash": -0.5 * _swell(s), "lean": -0.22 * _swell(s)}


SIGNS: Final[Mapping[str, tuple[int, Sign]]] = {
    "bounce": (18, _bounce),
    "nod": (16, _nod),
    "look-around": (34, _look_around),
    "wave": (26, _wave),
    "think": (36, _think),
    "dance": (48, _dance),
    "bow": (26, _bow),
    "clap": (20, _clap),
    "celebrate": (32, _celebrate),
    "shrug": (18, _shrug),
}
"""How long each sign lasts, in ticks, and what it is at each share 0..1 of that."""


def bearing(body: Body) -> float:
    """Where a body looks: degrees, 0 toward the front viewer, counter-clockwise from above."""
    return degrees(atan2(body.dx, -body.dz))


def signed(body: Body, tick: int) -> dict[str, float]:
    """What the sign that a body made still adds at a tick."""
    if body.emote is None:
        return {}
    kind, made = body.emote
    ticks, sign = SIGNS.get(kind, (0, _nod))
    share = (tick - made) / ticks if ticks else 1.0
    return sign(share) if 0 <= share < 1 else {}


class Gestures:
    """Turns each tick's bodies into a Life, and keeps what only the eye needs: the wake, easing."""

    def __init__(self) -> None:
        self._start: Mapping[str, Body] = {}
        self._before: Mapping[str, Body] = {}
        self._wakes: dict[str, deque[Place]] = {}
        self._startled: dict[str, int] = {}
        self._turns: dict[str, float] = {}
        self._left = Life()
        self._eased = EASE_TICKS

    def begin(self, start: Mapping[str, Body], *, goes_on: bool) -> None:
        """Another segment begins: `start` is how the object itself has its bodies stand."""
        self._before = {}
        self._startled = {}
        self._eased = EASE_TICKS if goes_on else 0
        self._left = self.shown
        if not goes_on or start.keys() != self._start.keys():
            self._wakes = {}
        self._start = start

    shown: Life = Life()
    """What was last shown."""

    def startle(self, id: str, tick: int) -> None:
        """A body was touched at a tick."""
        self._startled[id] = tick

    def life(self, bodies: Mapping[str, Body], tick: int) -> Life:
        """The life that a tick leaves; `tick` counts from the segment's first."""
        lives = {id: self._of(id, body, tick) for id, body in bodies.items() if id in self._start}
        self._before = bodies
        if len(lives) == 1:
            (alone,) = lives.values()
            found = replace(alone, many=lives)
        else:
            found = Life(many=lives)
        if self._eased < EASE_TICKS:
            self._eased += 1
            share = self._eased / EASE_TICKS
            found = between_lives(self._left, found, share * share * (3 - 2 * share), 0.0)
        self.shown = found
        return found

    def _of(self, id: str, body: Body, tick: int) -> Life:
        start, before = self._start[id], self._before.get(id, body)
        added = signed(body, tick)
        shift_x, shift_y = (body.x - start.x) * UNIT, (body.z - start.z) * UNIT
        turn = self._unwound(id, bearing(body) - bearing(start) + added.get("turn", 0.0))
        aside = (body.x - before.x) * -body.dz + (body.z - before.z) * body.dx
        lean = max(-0.6, min(0.6, LEAN * aside * UNIT))
        return Life(
            turn=turn,
            lean=lean + added.get("lean", 0.0),
            squash=added.get("squash", 0.0),
            glow=added.get("glow", 0.0),
            startle=self._startle(id, tick),
            shift_x=shift_x,
            shift_y=shift_y,
            words=body.said[0] if body.said and tick - body.said[1] < SAYS_TICKS else "",
            wake=self._wake(id, (shift_x, shift_y), tick),
        )

    def _unwound(self, id: str, turn: float) -> float:
        """The same bearing, the short way round from the last one."""
        last = self._turns.get(id, 0.0)
        near = last + (turn - last + 180) % 360 - 180
        self._turns[id] = near
        return near

    def _startle(self, id: str, tick: int) -> float:
        made = self._startled.get(id)
        if made is None or tick < made:
            return 0.0
        age = tick - made
        return min(1.0, (age + 1) / 2) * exp(-age / (STARTLE_TICKS / 3))

    def _wake(self, id: str, here: Place, tick: int) -> tuple[Place, ...]:
        wake = self._wakes.setdefault(id, deque(maxlen=WAKE))
        if tick % WAKE_TICKS == 0:
            if not wake or abs(wake[-1][0] - here[0]) + abs(wake[-1][1] - here[1]) > LEAST_STEP:
                wake.append(here)
            elif wake:
                wake.popleft()
        return tuple(wake)
