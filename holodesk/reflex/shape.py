"""The shape of a stranger's reflex log: each member's type and bound, before anything runs
(LH 3.6; reflex 10)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from holodesk.rapp.canonical import canonical

Check = Callable[[Any], str | None]
"""None when the value is lawful, else what was expected."""

KINDS: Final = ("poke", "enter", "leave", "near", "env")
"""Everything from outside that a body can meet."""
MARKS: Final = ("fresh", "stale", "unavailable")
MAX_BODIES: Final = 60
MAX_ID: Final = 128
MAX_FIELDS: Final = 8
MAX_NAME: Final = 32
MAX_WORDS: Final = 64
MAX_WHOLE: Final = 1_000_000_000
MAX_TICKS: Final = 1_200
"""A minute: the longest segment."""
MAX_LOGGED: Final = 2_000
"""Events in one segment."""
MAX_GROWTH: Final = 48 * 1024
"""Canonical octets of one segment's events."""
MAX_FAILED: Final = 256
"""Failures told one by one; the rest are counted."""
MARK_TICKS: Final = 200
"""A mark every ten seconds, so that a difference is found near where it began."""
MAX_STATE: Final = 4 * 1024
MAX_BODY: Final = 2 * 1024
MAX_STEPS: Final = 1 << 31

HEX: Final = frozenset("0123456789abcdef")


def is_hash(value: Any) -> bool:
    """64 lowercase hex digits."""
    return isinstance(value, str) and len(value) == 64 and HEX.issuperset(value)


def is_id(value: Any) -> bool:
    """A body's name: a string of 1 to 128."""
    return isinstance(value, str) and 0 < len(value) <= MAX_ID


def whole(low: int, high: int) -> Check:
    """An integer from `low` to `high` that is no truth value."""

    def check(value: Any) -> str | None:
        lawful = type(value) is int and low <= value <= high
        return None if lawful else f"an integer from {low} to {high}"

    return check


def event_problem(kind: Any, payload: Any) -> str | None:
    """Why something is no event, or None: a known kind, few and short fields, whole numbers."""
    if kind not in KINDS:
        return f"a kind of {', '.join(KINDS)}"
    if not isinstance(payload, Mapping) or len(payload) > MAX_FIELDS:
        return f"an event payload of at most {MAX_FIELDS} fields"
    for name, value in payload.items():
        if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isascii():
            return f"event fields named by 1 to {MAX_NAME} ASCII characters"
        short = isinstance(value, str) and len(value) <= MAX_WORDS
        number = type(value) is int and abs(value) <= MAX_WHOLE
        if not (short or number or isinstance(value, bool)):
            return f"{name}: a whole number, a truth value or a string of at most {MAX_WORDS}"
    if any(name in payload and type(payload[name]) is not int for name in ("x", "z")):
        return "x and z: whole numbers, thousandths of a unit"
    if kind == "env" and payload.get("mark") not in MARKS:
        return f"an env event marked {', '.join(MARKS)}"
    return None


def problem(log: Mapping[str, Any]) -> str | None:
    """The first way in which a log's members are not what they must be, or None.

    Only `schema` and `after` are somebody else's to check.
    """
    found = log.keys() - {"schema", "after"}
    if found != MEMBERS.keys():
        missing, extra = sorted(MEMBERS.keys() - found), sorted(found - MEMBERS.keys())
        return f"exactly {', '.join(MEMBERS)} (missing {missing}, not expected {extra})"
    for name, check in MEMBERS.items():
        if (why := check(log[name])) is not None:
            return f"{name}: {why}"
    return _together(log)


def _together(log: Mapping[str, Any]) -> str | None:
    """What one member demands of another."""
    ticks = log["ticks"]
    ids = [row[0] for row in log["routines"]]
    for name in ("fired", "parked"):
        if not set(log[name]) <= set(ids):
            return f"{name}: only ids of its routines"
    last = -1
    for low, high in log["late"]:
        if not last < low <= high < ticks:
            return "late: spans in order, apart, and before the end"
        last = high
    if (why := _ascending(log["aborts"], ticks, "aborts")) is not None:
        return why
    if [tick for tick in log["aborts"] if _is_late(tick, log["late"])]:
        return "aborts: no tick that was late"
    at = [event[0] for event in log["events"]]
    if at != sorted(at) or (at and at[-1] >= ticks):
        return "events: in the order of their ticks, and before the end"
    if len(canonical(log["events"])) > MAX_GROWTH:
        return f"events: at most {MAX_GROWTH} octets"
    if log["failures"] < len(log["failed"]):
        return "failures: at least those that are told"
    return None


def _ascending(ticks: Sequence[int], end: int, name: str) -> str | None:
    last = -1
    for tick in ticks:
        if not last < tick < end:
            return f"{name}: different ticks in order, before the end"
        last = tick
    return None


def _is_late(tick: int, late: Sequence[Sequence[int]]) -> bool:
    return any(low <= tick <= high for low, high in late)


def _hash(value: Any) -> str | None:
    return None if is_hash(value) else "64 lowercase hex digits"


def _optional_hash(value: Any) -> str | None:
    return None if value is None or is_hash(value) else "null or 64 lowercase hex digits"


def _short(most: int) -> Check:
    def check(value: Any) -> str | None:
        lawful = isinstance(value, str) and 0 < len(value) <= most
        return None if lawful else f"a string of 1 to {most}"

    return check


def _listed(row: Check, most: int) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > most:
            return f"a list of at most {most}"
        return next((why for item in value if (why := row(item)) is not None), None)

    return check


def _row(*checks: Check) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, list) or len(value) != len(checks):
            return f"rows of {len(checks)}"
        told = (why for each, item in zip(checks, value, strict=True) if (why := each(item)))
        return next(told, None)

    return check


def _by_id(check: Check) -> Check:
    def check_all(value: Any) -> str | None:
        if not isinstance(value, dict) or len(value) > MAX_BODIES:
            return f"an object by id of at most {MAX_BODIES}"
        if not all(is_id(id) for id in value):
            return f"ids of 1 to {MAX_ID} characters"
        return next((why for item in value.values() if (why := check(item)) is not None), None)

    return check_all


def _id(value: Any) -> str | None:
    return None if is_id(value) else f"an id of 1 to {MAX_ID} characters"


def _origin(value: Any) -> str | None:
    return None if value in ("compiled", "self-authored") else "compiled or self-authored"


def _routines(value: Any) -> str | None:
    row = _row(_id, _hash, whole(0, 4000), _origin, _optional_hash)
    if (why := _listed(row, MAX_BODIES)(value)) is not None:
        return why
    ids = [routine[0] for routine in value]
    if len(set(ids)) != len(ids):
        return "each id once"
    if any((origin == "compiled") != (gate is None) for _, _, _, origin, gate in value):
        return "a gate for what is self-authored, and for nothing else"
    return None


def _event(value: Any) -> str | None:
    if not isinstance(value, list) or len(value) != 3:
        return "rows of tick, kind and payload"
    return whole(0, MAX_TICKS - 1)(value[0]) or event_problem(value[1], value[2])


def _final(value: Any) -> str | None:
    if not isinstance(value, dict) or value.keys() != {"state", "body"}:
        return "a state and a body"
    state, body = value["state"], value["body"]
    if not isinstance(state, dict) or not isinstance(body, dict):
        return "a state and a body that are objects"
    if len(canonical(state)) > MAX_STATE or len(canonical(body)) > MAX_BODY:
        return f"a state of at most {MAX_STATE} octets and a body of at most {MAX_BODY}"
    return None


_TICK: Final = whole(0, MAX_TICKS)
_COUNT: Final = whole(0, MAX_WHOLE)

MEMBERS: Final[Mapping[str, Check]] = {
    "head": _hash,
    "from": _optional_hash,
    "lang": _short(100),
    "compiler": _hash,
    "hz": whole(20, 20),
    "budget": whole(1, 4000),
    "seed": _hash,
    "ticks": whole(1, MAX_TICKS),
    "t0": _short(24),
    "routines": _routines,
    "events": _listed(_event, MAX_LOGGED),
    "dropped": _COUNT,
    "fired": _by_id(_row(_TICK, _COUNT, whole(0, MAX_STEPS), whole(0, MAX_STEPS))),
    "failed": _listed(_row(_TICK, _id, _short(16), _COUNT), MAX_FAILED),
    "failures": _COUNT,
    "parked": _by_id(_TICK),
    "late": _listed(_row(_TICK, _TICK), MAX_TICKS),
    "aborts": _listed(_TICK, MAX_TICKS),
    "marks": _listed(_row(_TICK, _hash), MAX_TICKS // MARK_TICKS),
    "outputs": _hash,
    "final": _by_id(_final),
}
"""Each member of `hologram-reflex/1` but `schema` and `after`, and what it may hold."""
