"""Carried state: three sources, in order, none overwriting another (LH 3.5; decisions 3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.errors import ControlRefused, Place, SlushConflict, SlushTooLarge
from holodesk.hologram.controls import Setting
from holodesk.rapp.canonical import Json, canonical

MAX_SLUSH: Final = 64 * 1024
"""Octets of one pass's slush in canonical form (LH 3.5)."""
REFLEX: Final = "reflex"
FACTS: Final = "facts"
HOST_NAMES: Final = (REFLEX, FACTS)
"""Keys that only the second and the third source may write."""

CLOSED, HOST, FRESH, STALE = range(4)
"""The four positions of the membrane (decisions 4)."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What the first source keeps under the `slush` control, and the names it omits."""

    kept: Mapping[str, Json]
    omitted: tuple[str, ...]


def check_emitted(data_slush: Mapping[str, Json], where: Place) -> None:
    """A lens may not emit a key that belongs to the host.

    Raises:
        SlushConflict: `reflex` or `facts` in `data_slush`.
    """
    for name in HOST_NAMES:
        if name in data_slush:
            raise SlushConflict(
                "LH 3.5", f"data_slush may not name {name}: that key is the host's", where
            )


def carry(data_slush: Mapping[str, Json], setting: Setting) -> Carried:
    """Dropped keys omitted, then whole keys in canonical order as long as they fit the cap."""
    cap = setting.value * 1024
    drop = frozenset(setting.detail or ())
    kept: dict[str, Json] = {}
    omitted = []
    room = cap - 2
    for name in sorted(data_slush, key=lambda key: key.encode("utf-16-be", "surrogatepass")):
        size = len(canonical({name: data_slush[name]})) - 2 + (1 if kept else 0)
        if name in drop or size > room:
            omitted.append(name)
        else:
            kept[name] = data_slush[name]
            room -= size
    return Carried(kept, tuple(omitted))


def gather(
    carried: Carried, reflex: Json, facts: Mapping[str, Json], where: Place
) -> dict[str, Json]:
    """Merge the three sources; a later one may add keys, never change one.

    `reflex` is the digest of the log since the previous tile, or None. `facts` are namespaced by
    source; the names that the carry omitted are recorded in them under `slush`.

    Raises:
        SlushConflict: two sources name the same key.
        SlushTooLarge: the merged object is over 64 KiB.
    """
    gathered: dict[str, Json] = dict(carried.kept)
    namespaced: dict[str, Json] = dict(facts)
    if carried.omitted:
        _add(namespaced, "slush", {"omitted": list(carried.omitted)}, where)
    if reflex is not None:
        _add(gathered, REFLEX, reflex, where)
    if namespaced:
        _add(gathered, FACTS, namespaced, where)
    check_size(gathered, where)
    return gathered


def check_size(slush: Mapping[str, Json], where: Place) -> None:
    """Raises SlushTooLarge over 64 KiB of canonical octets (LH 3.5)."""
    octets = len(canonical(dict(slush)))
    if octets > MAX_SLUSH:
        raise SlushTooLarge(
            "LH 3.5", f"expected slush of at most {MAX_SLUSH} octets, found {octets}", where
        )


def _add(into: dict[str, Json], name: str, value: Json, where: Place) -> None:
    if name in into:
        raise SlushConflict("LH 3.5", f"two sources of slush name the key {name}", where)
    into[name] = value


def check_facts(facts: Json, membrane: int, where: Place) -> None:
    """Only what the membrane lets in (LH 3.10; decisions 4).

    `slush` is the host's own bookkeeping and passes always; `frames` holds outside frames, each
    with a `mark` of fresh, stale or unavailable; every other name is a host fact.

    Raises:
        ControlRefused: a fact that the membrane in force keeps out.
    """
    if not isinstance(facts, dict):
        raise ControlRefused("LH 3.5", f"expected facts by source, found {str(facts)[:40]}", where)
    for source, fact in facts.items():
        if source == "slush":
            continue
        if membrane == CLOSED:
            raise ControlRefused(
                "LH 3.10", f"the membrane is closed and the facts name {source[:40]}", where
            )
        if source == "frames":
            _check_outside(fact, membrane, where)


def _check_outside(frames: Json, membrane: int, where: Place) -> None:
    allowed = {HOST: (), FRESH: ("fresh", "unavailable"), STALE: ("fresh", "stale", "unavailable")}
    marks = allowed[membrane]
    if not marks:
        raise ControlRefused("LH 3.10", "the membrane lets no outside frame in", where)
    if not isinstance(frames, dict):
        raise ControlRefused("LH 3.10", "expected outside frames by their name", where)
    for name, frame in frames.items():
        mark = frame.get("mark") if isinstance(frame, dict) else None
        if mark not in marks:
            raise ControlRefused(
                "LH 3.10",
                f"{name[:40]}: expected a mark of {' or '.join(marks)}, found {str(mark)[:20]}",
                where,
            )


def check_slush_in(
    slush_in: Mapping[str, Json], carried: Carried, reflex: Json, where: Place
) -> None:
    """A tile's slush_in is what its predecessor and the controls in force make it (LH 3.3, 3.5).

    Raises:
        SlushConflict: another carry, another reflex digest or other omitted names.
        SlushTooLarge: over 64 KiB.
    """
    check_size(slush_in, where)
    own = {name: value for name, value in slush_in.items() if name not in HOST_NAMES}
    if canonical(own) != canonical(dict(carried.kept)):
        raise SlushConflict(
            "LH 3.5",
            f"expected slush_in to carry {sorted(carried.kept)} unchanged, found {sorted(own)}",
            where,
        )
    if slush_in.get(REFLEX) != reflex:
        raise SlushConflict("LH 3.6", "slush_in does not hold the digest of the reflex log", where)
    facts = slush_in.get(FACTS)
    recorded = facts.get("slush") if isinstance(facts, dict) else None
    expected: Json = {"omitted": list(carried.omitted)} if carried.omitted else None
    if recorded != expected:
        raise SlushConflict("LH 3.5", "slush_in does not record the omitted names", where)
    if FACTS in slush_in and facts == {}:
        raise SlushConflict("LH 3.5", "slush_in holds an empty facts object", where)
