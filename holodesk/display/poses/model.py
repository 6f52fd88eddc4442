"""A model from a file: shaded triangles or points, fitted to the box, on the floor (LH 3.11).

Until its body has come through the door its place is marked by a ring and a thread of light.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from holodesk.display.life import Life
from holodesk.display.model import U1, Model
from holodesk.display.poses.light import LUMA, QUIET, floor_ring, hue, line, member, number, text
from holodesk.display.reel import Reel
from holodesk.display.scene import BODY, F4, Label, Scene, dots, facets, strokes
from holodesk.display.shelf import kept

REACH: Final = 0.80
"""How far from the axis a fitted body reaches."""
TALLEST: Final = BODY * 0.94
DARKEST: Final = 0.16
"""A dark surface is lifted this far off the black ground."""
BRIGHT: Final = np.float32(1.4)
GLOWS: Final = 220
SWAY: Final = 5.0


def model(object: Mapping[str, object], life: Life) -> Scene:
    """The body, a ring on the floor under it, and its name."""
    body = kept(object.get("media"))
    moment = None
    if isinstance(body, Reel):
        moment = body.colours(life.seconds)
        body = body.body
    name = text(object.get("name"), 28)
    labels = (Label(name, (0.0, 0.0, 0.005), 0.066, (0.55, 0.68, 0.76), fit=1.7),) if name else ()
    if body is None or not len(body.points):
        thread = strokes(line((0, 0, 0.05), (0, 0, BODY * 0.6)), width=0.014, colour=QUIET)
        return Scene((floor_ring(0, 0, 0.4, QUIET), thread), (), (), labels)
    gain = 1 + 0.5 * float(np.clip(life.glow, -1, 1)) + 0.2 * float(np.clip(life.startle, 0, 1))
    places, reach = _placed(body, object, life)
    flat = not len(body.triangles) and not np.ptp(body.points[:, 1])
    own = body.colours if moment is None else moment
    colours = _lit(own, object, 0 if flat else DARKEST) * np.float32(gain)
    ring = floor_ring(0, 0, min(0.5, reach + 0.06), colours.mean(axis=0) * 0.20, 0.014)
    if not len(body.triangles):
        size = float(np.clip(0.55 / len(places) ** 0.5, 0.0045, 0.03))
        cloud = dots(places, radius=size, colour=colours * np.float32(1.1), glow=0.8)
        return Scene((ring,), () if flat else (cloud,), (), labels, (cloud,) if flat else ())
    corners = body.triangles
    shade = (colours[corners[:, 0]] + colours[corners[:, 1]] + colours[corners[:, 2]]) / 3
    solid = facets(places[corners], colour=shade, closed=body.closed)
    some = np.linspace(0, len(places) - 1, min(GLOWS, len(places))).astype(np.intp)
    glow = dots(places[some], radius=0.035, colour=colours[some] * 0.30, glow=0.5, mist=True)
    return Scene((ring,), (glow,), (solid,), labels)


@lru_cache(maxsize=4)
def _extent(body: Model) -> tuple[float, float]:
    """How far from its axis it reaches and how high, in its own units."""
    wide = float(np.sqrt((body.points[:, :2] ** 2).sum(axis=1)).max(initial=0.0))
    return wide, float(body.points[:, 2].max(initial=0.0))


def _fit(body: Model) -> float:
    """Units for one of the model's own, so that it fits the box however it is turned."""
    wide, tall = _extent(body)
    return min(TALLEST / max(tall, 1e-6), REACH / max(wide, 1e-6))


def _placed(body: Model, object: Mapping[str, object], life: Life) -> tuple[F4, float]:
    """Where its points are, and how far from the axis they reach."""
    scale = _fit(body) * number(object.get("size"), 100, 10, 200) / 100
    turn = number(object.get("turn"), 0, -1e6, 1e6) + life.turn + SWAY * np.sin(0.4 * life.seconds)
    lean = number(object.get("lean"), 0, -30, 30) + 20 * float(np.clip(life.lean, -1, 1))
    squash = 1 - 0.2 * float(np.clip(life.squash, -1, 1))
    a, b = np.radians(turn), np.radians(lean)
    around = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    aside = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    way = (np.diag([1, 1, squash]) @ aside @ around * scale).astype(np.float32)
    places = np.asarray(body.points @ way.T, np.float32)
    if lean:
        places[:, 2] -= places[:, 2].min()
    return places, scale * _extent(body)[0]


def _lit(given: U1, object: Mapping[str, object], darkest: float) -> F4:
    """Its own colours as light, drawn toward the tint; black is `darkest`."""
    own = given.astype(np.float32) * np.float32(1 / 255)
    own = (np.float32(darkest) + np.float32(1 - darkest) * own) * BRIGHT
    tint = member(object, "tint")
    share = np.float32(number(tint.get("strength"), 0, 0, 100) / 100)
    if share <= 0:
        return np.asarray(own, np.float32)
    level = (own * LUMA).sum(axis=1, keepdims=True)
    wanted = hue(np.float32(number(tint.get("hue"), 190, -1e6, 1e6))) * (0.35 + 0.9 * level)
    return np.asarray(own + (wanted - own) * share, np.float32)
