"""The natives of RL-1: what a routine sees of its world, and what it does with its body.

Acting for another id does nothing; a place that is nil moves nothing; every emission is finite
(LH 3.6; RL-1 5, 14).
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any, Final

from holodesk.reflex.forms import (
    EMOTES,
    LIMITS,
    MISSING,
    MOVE_SPEED,
    NEAR,
    PRICES,
    WANDER_CHANCE,
    WANDER_RADIUS,
    WANDER_SPEED,
)
from holodesk.reflex.operations import Operation
from holodesk.reflex.turn import Turn
from holodesk.reflex.values import List, Map, Verdict

_MAX_SPEED: Final = float(LIMITS["speed"])
_MAX_BODIES: Final = LIMITS["bodies"]
_MAX_SAID: Final = LIMITS["say"]
_POINT_WEIGHT: Final = 5
_LEAST_SQUARE: Final = 0.001


def _self(turn: Turn) -> str:
    return turn.id


def _distance(turn: Turn, one: Any, other: Any) -> float:
    here, there = turn.place(one), turn.place(other)
    if here is None or there is None:
        return MISSING
    dx, dz = here[0] - there[0], here[1] - there[1]
    return sqrt(dx * dx + dz * dz)


def _nearest(turn: Turn, id: Any) -> str | None:
    bodies = turn.world.bodies
    turn.charge(min(len(bodies), _MAX_BODIES) >> PRICES["bodies"])
    here = turn.place(id)
    if here is None:
        return None
    x, z = here
    found, least = None, 0.0
    for name, body in bodies.items():
        if name == id:
            continue
        if name == turn.id:
            dx, dz = turn.x - x, turn.z - z
        else:
            dx, dz = body.x - x, body.z - z
        apart = dx * dx + dz * dz
        if found is None or apart < least or (apart == least and name < found):
            found, least = name, apart
    return found


def _point(x: float, z: float) -> Map:
    return Map({"x": x, "z": z}, _POINT_WEIGHT)


def _agent_pos(turn: Turn, id: Any) -> Map | None:
    turn.charge(PRICES["agent-pos"])
    here = turn.place(id)
    return None if here is None else _point(*here)


def _player_pos(turn: Turn) -> Map:
    turn.charge(PRICES["player-pos"])
    player = turn.world.player
    return _point(0.0, 0.0) if player is None else _point(*player)


def _player_distance(turn: Turn, id: Any) -> float:
    player = turn.world.player
    apart = turn.apart(id, *(player or (0.0, 0.0)))
    return MISSING if apart is None or player is None else apart


def _aim(turn: Turn, x: Any, z: Any) -> tuple[float, float, float] | None:
    """The way to a place and its length, or None where the place is nil."""
    if x is None or z is None:
        return None
    if type(x) is not float or type(z) is not float:
        raise Verdict("E_TYPE")
    dx, dz = x - turn.x, z - turn.z
    apart = sqrt(dx * dx + dz * dz)
    if apart - apart != 0:
        raise Verdict("E_NUM")
    return dx, dz, apart


def _toward(turn: Turn, x: float, z: float, speed: float) -> float | None:
    aim = _aim(turn, x, z)
    if aim is None:
        return None
    dx, dz, apart = aim
    if apart > NEAR:
        dx, dz = dx / apart, dz / apart
        x, z = turn.x + dx * speed, turn.z + dz * speed
        if x - x != 0 or z - z != 0:
            raise Verdict("E_NUM")
        turn.emit("move", x, z, dx, dz)
        turn.x, turn.z, turn.dx, turn.dz = x, z, dx, dz
    return apart


def _move(turn: Turn, id: Any, x: Any, z: Any, speed: Any = None) -> float | None:
    if id != turn.id:
        return None
    if speed is None:
        speed = MOVE_SPEED
    elif type(speed) is not float:
        raise Verdict("E_TYPE")
    return _toward(turn, x, z, min(max(0.0, speed), _MAX_SPEED))


def _face(turn: Turn, id: Any, x: Any, z: Any) -> bool | None:
    aim = _aim(turn, x, z) if id == turn.id else None
    if aim is None:
        return None
    dx, dz, apart = aim
    if apart > 0:
        dx, dz = dx / apart, dz / apart
        turn.emit("face", dx, dz)
        turn.dx, turn.dz = dx, dz
    return True


def _wander(turn: Turn, id: Any, radius: Any = None) -> float | None:
    if id != turn.id:
        return None
    turn.charge(PRICES["wander"])
    if radius is None:
        radius = WANDER_RADIUS
    elif type(radius) is not float:
        raise Verdict("E_TYPE")
    draw = turn.draws.next
    if turn.target is None or draw() < WANDER_CHANCE:
        square = 0.0
        while not _LEAST_SQUARE < square < 1.0:
            u, v = 2.0 * draw() - 1.0, 2.0 * draw() - 1.0
            square = u * u + v * v
        length = sqrt(square)
        x = turn.home_x + radius * (u / length)
        z = turn.home_z + radius * (v / length)
        if x - x != 0 or z - z != 0:
            raise Verdict("E_NUM")
        turn.target = (x, z)
    return _toward(turn, *turn.target, WANDER_SPEED)


def _emote(turn: Turn, id: Any, kind: Any) -> bool | None:
    if id != turn.id or type(kind) is not str or kind not in EMOTES:
        return None
    turn.emit("emote", kind)
    return True


def _say(turn: Turn, id: Any, text: Any) -> bool | None:
    if id != turn.id or text is None or text == "":
        return None
    if type(text) is not str:
        raise Verdict("E_TYPE")
    turn.emit("say", text[:_MAX_SAID])
    return True


def _events(turn: Turn) -> List:
    turn.charge(PRICES["events"])
    return turn.events()


NATIVE_OPERATIONS: Final[Mapping[str, Operation]] = {
    "self": _self,
    "distance": _distance,
    "nearest-agent": _nearest,
    "agent-pos": _agent_pos,
    "player-pos": _player_pos,
    "player-distance": _player_distance,
    "move-toward": _move,
    "face-toward": _face,
    "wander": _wander,
    "emote": _emote,
    "say": _say,
    "events": _events,
}
