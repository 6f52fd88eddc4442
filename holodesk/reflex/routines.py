"""From the present to routines: a pure compiler with lineage (LH 3.6; issue: the body).

Each body of an object gets one routine, printed from a tree by the one printer, and each part of
it says which part of the object it came from. A routine that the object itself carries is kept
beside it, and runs only where a gate admits it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from types import MappingProxyType
from typing import Any, Final

from holodesk.rapp.address import particle
from holodesk.rapp.canonical import Json
from holodesk.reflex.characters import MOODS, Place, creature, quiet, standing
from holodesk.reflex.forms import LIMITS, NATIVES
from holodesk.reflex.printer import print_form
from holodesk.reflex.shape import MAX_BODIES, is_id
from holodesk.reflex.tree import Form
from holodesk.reflex.world import Body

COMPILER: Final = particle({"compiler": "holodesk-routines", "version": 1})
"""The name of this compiler; whatever changes a routine it makes, changes its version."""
SELF: Final = "self"
"""The id of a body that stands alone and carries no routine of its own."""
GRANTED: Final = frozenset(NATIVES)

Lineage = tuple[tuple[str, str], ...]
"""(part of the routine, path in the object) pairs."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A routine for one body, and what became of the program that the object carries for it.

    `source` is what runs; `authored` the object's own program, `fallback` why that one does not.
    """

    id: str
    source: str
    lineage: Lineage
    start: Body
    authored: str | None = None
    grant: frozenset[str] = GRANTED
    origin: str = "compiled"
    gate: str | None = None
    fallback: str | None = None


def drafts(object: Json) -> tuple[Draft, ...]:
    """The routines of an object, one for each of its bodies, at most 60, in the object's order."""
    told: dict[str, Any] = object if isinstance(object, dict) else {}
    schema = told.get("schema")
    carried = _carried(told.get("routines"))
    alone = next(iter(carried), SELF)
    found: dict[str, Draft] = {}
    compiler = _BY_SCHEMA.get(schema if isinstance(schema, str) else "", _thing)
    for id, form, lineage, place in compiler(told, alone):
        if len(found) < MAX_BODIES and id not in found:
            found[id] = Draft(id, print_form(form), lineage, _standing_at(place))
    for number, id in enumerate(carried):
        if id not in found and len(found) < MAX_BODIES:
            found[id] = _visitor(id, number, carried[id])
    return tuple(
        replace(draft, authored=carried[id]["program"], grant=_grant(carried[id]))
        if id in carried
        else draft
        for id, draft in found.items()
    )


# ------------------------------------------------------------------------------ by schema

_Made = tuple[str, Form, Lineage, Place]


def _creature(told: Mapping[str, Any], alone: str) -> Iterator[_Made]:
    temper = _mapping(told.get("temper"))
    name = temper.get("mood")
    mood = MOODS.get(name if isinstance(name, str) else "", MOODS["calm"])
    energy = _whole(temper.get("energy"), 0, 100, 45)
    place = _place(told.get("at"), told.get("facing"))
    at, words = _heaviest(told.get("memories"))
    lineage: list[tuple[str, str]] = [
        ("breath", "temper.energy"),
        ("touch", "temper.mood"),
        ("greeting", "temper.mood"),
        ("gaze", "facing"),
        ("way", "at"),
    ]
    if words:
        lineage.append(("words", f"memories[{at}].words"))
    yield alone, creature(place, mood, energy, words), tuple(lineage), place


def _world(told: Mapping[str, Any], alone: str) -> Iterator[_Made]:
    bodies = told.get("bodies")
    light = _whole(told.get("light"), 0, 100, 60)
    for number, body in enumerate(bodies if isinstance(bodies, list) else []):
        if not isinstance(body, dict) or not is_id(body.get("id")):
            continue
        period = 110 - light // 2 + number * 7 % 20
        place = _place(body, 0)
        form = quiet(place, period=period, phase=number * 17, touched="nod", wanders=1.2)
        at = f"bodies[{number}]"
        lineage = (("breath", "light"), ("touch", at), ("gaze", at), ("way", at))
        yield body["id"], form, lineage, place


_ANSWERS: Final[Mapping[str, str]] = MappingProxyType(
    {"Done": "celebrate", "Blocked": "shrug", "Review": "think", "QA": "think"}
)
"""What a card answers to a touch, by its status."""


def _card(told: Mapping[str, Any], alone: str) -> Iterator[_Made]:
    status = told.get("status")
    touched = _ANSWERS.get(status if isinstance(status, str) else "", "nod")
    form = standing(period=90, touched=touched, greets="nod")
    lineage = (("breath", "schema"), ("touch", "status"), ("gaze", "schema"))
    yield alone, form, lineage, _place(None, 0)


def _gamerun(told: Mapping[str, Any], alone: str) -> Iterator[_Made]:
    progress = _mapping(told.get("progress"))
    touched = "celebrate" if progress.get("hall_of_fame") is True else "nod"
    form = standing(period=60, touched=touched, greets="look-around")
    lineage = (("breath", "schema"), ("touch", "progress.hall_of_fame"), ("gaze", "schema"))
    yield alone, form, lineage, _place(None, 0)


def _thing(told: Mapping[str, Any], alone: str) -> Iterator[_Made]:
    form = standing(period=80, touched="nod", greets="nod")
    at = _mapping(told.get("at"))
    place = _place(at, told.get("facing"))
    yield alone, form, (("breath", "schema"), ("touch", "schema"), ("gaze", "schema")), place


_BY_SCHEMA: Final[Mapping[str, Callable[[Mapping[str, Any], str], Iterator[_Made]]]] = (
    MappingProxyType(
        {"creature/1": _creature, "world/1": _world, "card/1": _card, "gamerun/1": _gamerun}
    )
)


# --------------------------------------------------------------- what the object carries


def _carried(routines: Any) -> dict[str, dict[str, Any]]:
    """The routines that an object carries, by the body they are for; of two the first counts."""
    found: dict[str, dict[str, Any]] = {}
    for one in routines if isinstance(routines, list) else []:
        if not isinstance(one, dict) or len(found) >= MAX_BODIES:
            continue
        id = next((one[name] for name in ("id", "agentId", "agent") if name in one), None)
        program = one.get("program")
        short = isinstance(program, str) and len(program) <= LIMITS["characters"]
        if short and isinstance(id, str) and is_id(id):
            found.setdefault(id, one)
    return found


def _grant(one: Mapping[str, Any]) -> frozenset[str]:
    """The natives that an object lets its routine name: those listed, or all."""
    listed = one.get("grant")
    if not isinstance(listed, list):
        return GRANTED
    return frozenset(name for name in listed if isinstance(name, str)) & GRANTED


def _visitor(id: str, number: int, one: Mapping[str, Any]) -> Draft:
    """A body that only its routine names: it stands where that says, or in a row."""
    if isinstance(one.get("x"), int | float) and isinstance(one.get("z"), int | float):
        place = Place(_unit(one["x"], 1), _unit(one["z"], 1), 0.0, -1.0)
    else:
        place = Place(-7.0 + number % 8 * 2, -4.0 + number // 8 % 8 * 1.5, 0.0, -1.0)
    form = quiet(place, period=80, phase=number * 17, touched="nod")
    path = "routines"
    lineage = (("breath", path), ("touch", path), ("gaze", path))
    return Draft(id, print_form(form), lineage, _standing_at(place))


# ---------------------------------------------------------------- strangers' values, read


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _whole(value: Any, low: int, high: int, otherwise: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return otherwise
    return int(max(low, min(high, value)))


def _unit(value: Any, parts: int) -> float:
    """A coordinate in units, on the stage, given in so many parts of one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(max(-10 * parts, min(10 * parts, value))) / parts


def _place(at: Any, facing: Any) -> Place:
    where = _mapping(at)
    dx, dz = direction(_whole(facing, 0, 359, 0))
    return Place(_unit(where.get("x"), 10), _unit(where.get("y"), 10), dx, dz)


def _standing_at(place: Place) -> Body:
    return Body(place.x, place.z, place.dx, place.dz, place.x, place.z)


def _heaviest(memories: Any) -> tuple[int, str]:
    """The place and the words of what weighs most, the newest of those; none: ""."""
    best = (0, -1, "")
    for number, memory in enumerate(memories if isinstance(memories, list) else []):
        words = _mapping(memory).get("words")
        weight = _whole(_mapping(memory).get("weight"), 1, 5, 1)
        if isinstance(words, str) and words and weight >= best[0]:
            best = (weight, number, words[: LIMITS["say"]])
    return best[1], best[2]


def direction(degrees: int) -> tuple[float, float]:
    """A facing of 0 to 359 degrees as a unit vector: 0 is towards the front viewer, then
    counter-clockwise seen from above. Exact at quarter turns, the same on every machine."""
    quarter, rest = divmod(degrees % 360, 90)
    angle = rest * 0.017453292519943295
    sine, cosine = _series(angle, 1), _series(angle, 0)
    length = sqrt(sine * sine + cosine * cosine)
    sine, cosine = sine / length, cosine / length
    x, z = ((sine, -cosine), (cosine, sine), (-sine, cosine), (-cosine, -sine))[quarter]
    return x + 0.0, z + 0.0


def _series(angle: float, odd: int) -> float:
    """Sine (1) or cosine (0) of 0 to a quarter turn, by their series: no libm decides a start."""
    term = angle if odd else 1.0
    total = term
    for n in range(1, 12):
        term = -term * angle * angle / ((2 * n + odd - 1) * (2 * n + odd))
        total += term
    return total
