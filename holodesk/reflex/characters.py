"""What bodies do by themselves: breath, gaze, a start at a poke, a small way (LH 3.6).

Trees only, never text: whatever a name or a memory holds, it becomes a constant. Movement is
calm: gaze glides, breath is unhurried, and nobody goes far from where they stand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from holodesk.reflex.tree import Form, Grown, Symbol, call, let

ME: Final = call("self")
SIGHT: Final = 8
"""Units within which a passer-by is seen."""
ASLEEP: Final = 12
"""Energy below which a body only breathes, and starts when it is touched."""


@dataclass(frozen=True, slots=True)
class Mood:
    """How a mood answers: to a touch, to the fourth in a row, to a passer-by; how far it leans
    toward one (below 0: away), and how often it breathes."""

    touched: str
    annoyed: str
    greets: str
    leans: float
    breath: float = 1.0
    looks_away: bool = False


MOODS: Final[Mapping[str, Mood]] = MappingProxyType(
    {
        "calm": Mood("bounce", "shrug", "nod", 0.0, 1.1),
        "curious": Mood("bounce", "shrug", "nod", 0.12),
        "playful": Mood("celebrate", "dance", "wave", 0.18, 0.85),
        "shy": Mood("bow", "bow", "look-around", -0.14, 1.0, looks_away=True),
        "startled": Mood("shrug", "shrug", "bounce", -0.1, 0.6),
    }
)
"""The five moods of `creature/1`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a body stands and looks, in units."""

    x: float
    z: float
    dx: float
    dz: float


def creature(place: Place, mood: Mood, energy: int, words: str) -> Form:
    """A creature: it breathes by its energy, answers by its mood, and says what it remembers to
    one who stays."""
    parts: list[Grown] = [*_senses(), _signs(mood, energy), *_counts()]
    if energy >= ASLEEP:
        parts += [_way(place, mood, energy), *_gaze(place, mood)]
    if words and energy >= ASLEEP and not mood.looks_away:
        parts.append(call("if", call("=", _name("dwell"), 140), call("say", ME, words), None))
    return call("do", *parts)


def quiet(place: Place, *, period: int, phase: int, touched: str, wanders: float = 0.0) -> Form:
    """A body among others: breath, a look at who comes near, a sign where it is touched. Sixty of
    them live on one budget."""
    breath = call("=", call("mod", call("tick"), period), phase % period)
    sign = call("if", _touched_at(place), touched, call("if", breath, "bounce", ""))
    otherwise: Grown = None
    if wanders:
        turn = call("mod", call("+", call("tick"), phase * 13), 600)
        otherwise = call("if", call("<", turn, 120), call("wander", ME, wanders), None)
    near = call("<", call("player-distance", ME), 4)
    return call("do", call("emote", ME, sign), call("if", near, _look_at_player(), otherwise))


def standing(*, period: int, touched: str, greets: str) -> Form:
    """A thing that stands alone: a quiet breath, a gaze at who passes, a sign at a touch."""
    breath = call("=", call("mod", call("tick"), period), 0)
    signs = call(
        "if",
        _name("poke"),
        touched,
        call("if", _comes(), greets, call("if", breath, "bounce", "")),
    )
    gaze = call("if", _name("here"), _look_at_player(), None)
    return call("do", *_senses(), call("emote", ME, signs), *_counts(), gaze)


# ------------------------------------------------------------------------------- the parts


def _name(name: str) -> Symbol:
    return Symbol(name)


def _define(name: str, value: Grown) -> Form:
    return call("def", Symbol(name), value)


def _or_else(name: str, value: float) -> Form:
    """What was kept under a name, or a value where nothing was yet."""
    return call("if", call("=", Symbol(name), None), value, Symbol(name))


def _is_poke(event: Grown) -> Form:
    return call("=", call("get", event, "kind"), "poke")


def _last(events: Grown) -> Form:
    return call("nth", events, call("-", call("count", events), 1))


def _senses() -> list[Form]:
    """Was it touched, and is somebody near?"""
    events = Symbol("es")
    touched = call("or", _is_poke(call("first", events)), _is_poke(_last(events)))
    return [
        _define("poke", let((("es", call("events")),), touched)),
        _define("here", call("<", call("player-distance", ME), SIGHT)),
    ]


def _counts() -> list[Form]:
    """Ticks since nobody was there, since somebody came, since it was touched; touches in a row.

    They are counted after the signs of a tick, which so see the tick before.
    """
    one_more = {
        name: call("min", 2000, call("+", _or_else(name, 0), 1))
        for name in ("alone", "dwell", "calm")
    }
    fewer = call("if", call(">", _name("calm"), 160), 0, _or_else("pokes", 0))
    return [
        _define("alone", call("if", _name("here"), 0, one_more["alone"])),
        _define("dwell", call("if", _name("here"), one_more["dwell"], 0)),
        _define("calm", call("if", _name("poke"), 0, one_more["calm"])),
        _define("pokes", call("if", _name("poke"), call("+", _or_else("pokes", 0), 1), fewer)),
    ]


def _comes() -> Form:
    """Somebody is here, and for a while nobody was."""
    return call("and", _name("here"), call(">", _or_else("alone", 999), 60))


def _signs(mood: Mood, energy: int) -> Form:
    """One sign a tick, the most urgent: a touch, a greeting, loneliness, the breath."""
    many = call(">", _or_else("pokes", 0), 2)
    touched = call("if", many, mood.annoyed, mood.touched)
    fresh = call("and", _name("poke"), call(">", _or_else("calm", 999), 5))
    lonely = call("and", call(">", _or_else("alone", 0), 300), call("<", call("rand"), 0.004))
    period = max(20, round((92 - energy * 0.6) * mood.breath))
    still = call(">", _or_else("calm", 999), 30)
    breath = call("and", still, call("=", call("mod", call("tick"), period), 0))
    otherwise = call("if", breath, "bounce", "")
    if energy >= ASLEEP:
        otherwise = call("if", _comes(), mood.greets, call("if", lonely, "look-around", otherwise))
    return call("emote", ME, call("if", fresh, touched, otherwise))


def _gaze(place: Place, mood: Mood) -> list[Form]:
    """A look that glides: to who is near, past them where it is shy or has had enough, or ahead."""
    rest = {"x": place.x + 6 * place.dx, "z": place.z + 6 * place.dz}
    away: Grown = call("and", call(">", _or_else("pokes", 0), 3), call("<", _name("calm"), 120))
    if mood.looks_away:
        away = call("or", away, call("<", _name("dwell"), 100))
    made = []
    for axis, name in (("x", "gaze-x"), ("z", "gaze-z")):
        player, own = Symbol("p"), call("get", call("agent-pos", ME), axis)
        past = call("-", call("*", 2, own), player)
        seen = let((("p", call("get", call("player-pos"), axis)),), call("if", away, past, player))
        close = call("<", call("player-distance", ME), 1)
        looks = call("if", close, _or_else(name, rest[axis]), seen)
        toward = call("if", _name("here"), looks, rest[axis])
        glide = call("+", call("*", 0.9, _or_else(name, rest[axis])), call("*", 0.1, toward))
        made.append(_define(name, glide))
    return [*made, call("face-toward", ME, _name("gaze-x"), _name("gaze-z"))]


def _way(place: Place, mood: Mood, energy: int) -> Form:
    """A small way around its own place, and a lean toward or away from one who stays."""
    speed = 0.008 + 0.0003 * energy
    own = call("if", call("<", call("mod", call("tick"), 480), 170), _stroll(energy), None)
    if not mood.leans:
        return own
    at = [
        call(
            "+",
            call("*", 1 - mood.leans, here),
            call("*", mood.leans, call("get", call("player-pos"), axis)),
        )
        for axis, here in (("x", place.x), ("z", place.z))
    ]
    stays = call("and", _name("here"), call(">", _name("dwell"), 20))
    return call("if", stays, call("move-toward", ME, *at, speed), own)


def _stroll(energy: int) -> Form:
    return call("wander", ME, 0.7 + energy * 0.008)


def _look_at_player() -> Form:
    at = Symbol("p")
    return let(
        (("p", call("player-pos")),),
        call("face-toward", ME, call("get", at, "x"), call("get", at, "z")),
    )


def _touched_at(place: Place) -> Form:
    """Is the last thing that came a poke within three units of a place?"""
    event = Symbol("e")
    near = [
        call("<", call("abs", call("-", call("get", event, axis, 0), round(1000 * at))), 3000)
        for axis, at in (("x", place.x), ("z", place.z))
    ]
    return let((("e", _last(call("events"))),), call("and", _is_poke(event), *near))
