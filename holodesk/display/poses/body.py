"""The body of the animal: where it is, how it breathes, and the skin of its bell (LH 3.11)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from holodesk.display.life import Life
from holodesk.display.poses.light import member, number
from holodesk.display.scene import F4

Curve = npt.NDArray[np.floating]

STAGE: Final = 0.40
"""Units of a hundred hundredths of the stage's half width."""
LIFT: Final = 0.20
RADIUS: Final = 0.53
TALL: Final = 0.70
RIM: Final = 0.80
"""Height of the rim of a bell at rest."""


@dataclass(frozen=True, slots=True)
class Mood:
    """What a mood does to a body: tempo, spread, light, how open the eye, sway and nod."""

    tempo: float
    spread: float
    bright: float
    eye: float
    sway: float
    tilt: float


MOODS: Final[dict[str, Mood]] = {
    "calm": Mood(0.75, 1.00, 1.00, 0.92, 0.7, 0.03),
    "curious": Mood(1.00, 1.03, 1.08, 1.08, 1.0, 0.16),
    "playful": Mood(1.45, 1.07, 1.16, 1.00, 1.7, 0.08),
    "shy": Mood(0.70, 0.84, 0.74, 0.55, 0.5, -0.08),
    "startled": Mood(2.10, 1.16, 1.30, 1.30, 1.3, -0.14),
}


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Everything that the parts of the animal share, worked out once."""

    seconds: float
    mood: Mood
    hue: float
    energy: float
    growth: float
    breath: float
    """-1 open .. 1 drawn together."""
    phase: float
    bright: float
    startle: float
    centre: F4
    forward: F4
    left: F4
    up: F4
    spread: float
    tall: float


def embody(object: Mapping[str, object], life: Life) -> Body:
    at, temper = member(object, "at"), member(object, "temper")
    named = temper.get("mood")
    mood = MOODS.get(named if isinstance(named, str) else "", MOODS["calm"])
    energy = number(temper.get("energy"), 50, 0, 100) / 100
    growth = number(object.get("growth"), 30, 0, 100) / 100
    t = life.seconds
    phase = 2 * np.pi * t * (0.14 + 0.30 * energy) * mood.tempo
    wave = np.sin(phase + 0.45 * np.sin(phase))
    facing = np.radians(number(object.get("facing"), 0, -1e6, 1e6) + life.turn)
    facing += 0.07 * mood.sway * np.sin(0.37 * t) + 0.02 * np.sin(1.3 * t)
    forward = np.array([np.sin(facing), -np.cos(facing), 0.0])
    left = np.array([np.cos(facing), np.sin(facing), 0.0])
    nod = mood.tilt + 0.03 * np.sin(0.53 * t)
    roll = 0.45 * life.lean + 0.05 * mood.sway * np.sin(0.61 * t + 1.0)
    up = np.array([0.0, 0.0, 1.0]) + nod * forward + roll * left
    up /= np.linalg.norm(up)
    forward = forward - (forward @ up) * up
    forward /= np.linalg.norm(forward)
    left = np.cross(up, forward)
    lift = number(at.get("z"), 40, 0, 100) / 100 * LIFT + 0.018 * wave
    centre = np.array(
        [
            on_stage(number(at.get("x"), 0, -100, 100) + life.shift_x),
            on_stage(number(at.get("y"), 0, -100, 100) + life.shift_y),
            lift,
        ]
    )
    startle = float(np.clip(life.startle, 0, 1))
    squash = float(np.clip(life.squash, -1, 1))
    bright = mood.bright * (0.82 + 0.3 * energy) * (1 + 0.6 * float(np.clip(life.glow, -1, 1)))
    return Body(
        seconds=t,
        mood=mood,
        hue=number(temper.get("hue"), 190, -1e6, 1e6),
        energy=energy,
        growth=growth,
        breath=float(wave),
        phase=float(phase),
        bright=float(bright * (1 + 0.35 * startle)),
        startle=startle,
        centre=centre.astype(np.float32),
        forward=forward.astype(np.float32),
        left=left.astype(np.float32),
        up=up.astype(np.float32),
        spread=float(mood.spread * (0.9 + 0.1 * growth) * (1 + 0.12 * squash + 0.12 * startle)),
        tall=float((0.92 + 0.08 * growth) * (1 - 0.2 * squash)),
    )


def on_stage(hundredths: float) -> float:
    """Units of hologram space for hundredths of the stage; nobody leaves it by far."""
    return min(130.0, max(-130.0, hundredths)) / 100 * STAGE


def skin(body: Body, u: Curve, v: Curve) -> F4:
    """Places on the bell: `u` the angle from where it looks, `v` 0 at the top to 1 at the rim."""
    late = np.sin(body.phase - 1.1 * v)
    pulse = (1 - 0.10 * body.breath * v) * (1 - 0.07 * late * v * v)
    round_ = np.sin(np.minimum(v, 1.12) * np.pi / 2 * 1.06) ** 0.86
    radius = RADIUS * body.spread * round_ * pulse
    radius = radius * (1 + 0.035 * np.cos(2 * u + 0.5) + 0.02 * np.sin(3 * u))
    height = (
        RIM
        + TALL * body.tall * (1 + 0.05 * body.breath) * np.maximum(np.cos(v * np.pi / 2), 0) ** 0.92
    )
    height = height - 0.05 * v * v * late
    return placed(body, radius * np.cos(u), radius * np.sin(u), height)


def placed(body: Body, ahead: Curve, leftward: Curve, above: Curve) -> F4:
    """Body places as places in the hologram; the body turns about the middle of its bell."""
    above = np.asarray(above - RIM)
    return np.asarray(
        body.centre
        + np.array([0, 0, RIM], np.float32)
        + np.asarray(ahead)[..., None] * body.forward
        + np.asarray(leftward)[..., None] * body.left
        + above[..., None] * body.up,
        np.float32,
    )
