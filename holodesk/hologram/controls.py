"""The six controls: one table, and what is in force at a head (LH 3.7; decisions 4).

A control shapes the space of choices, never the choice, and never edits a frame. Each turn is one
frame, effective from the next pass; `previous` is checked against the fold (compare-and-set).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from holodesk.errors import ControlRefused, Place
from holodesk.rapp.canonical import Json

RULE: Final = "LH 3.7"


@dataclass(frozen=True, slots=True)
class Control:
    """One row: `low` to `high` inclusive in `unit`; `list_name` names its list, if it has one."""

    name: str
    label: str
    question: str
    low: int
    high: int
    default: int
    unit: str
    list_name: str | None = None
    detents: tuple[str, ...] = ()


CONTROLS: Final[Mapping[str, Control]] = MappingProxyType(
    {
        control.name: control
        for control in (
            Control(
                "lens",
                "Lens offer",
                "How many task lenses may a caller choose from?",
                1,
                16,
                16,
                "lenses",
                list_name="allow",
            ),
            Control(
                "rails",
                "Rails",
                "How tightly is a choice held to rest and kept from repeating?",
                0,
                100,
                25,
                "%",
            ),
            Control(
                "slush",
                "Carry",
                "How much of the past may the next pass carry?",
                0,
                64,
                64,
                "KiB",
                list_name="drop",
            ),
            Control(
                "tempo",
                "Tempo",
                "How many passes a minute does the host start by itself? 0 holds.",
                0,
                60,
                6,
                "a minute",
            ),
            Control(
                "reflex",
                "Reflex",
                "How many steps may the body take in a tick? 0 keeps it still.",
                0,
                4000,
                4000,
                "steps",
            ),
            Control(
                "membrane",
                "Membrane",
                "What of the world outside may come in?",
                0,
                3,
                1,
                "",
                detents=("closed", "host facts", "fresh frames too", "stale frames too"),
            ),
        )
    }
)
SETTLING_RAILS: Final = 0
"""The rails of a hologram that should settle rather than go on (decisions 4)."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one control says: its value, and its list where it has one (None: not limited)."""

    value: int
    detail: tuple[str, ...] | None = None

    def as_json(self, name: str) -> dict[str, Json]:
        return {"value": self.value, "detail": detail_json(name, self.detail)}


@dataclass(frozen=True, slots=True)
class Turned:
    """A setting in force: since which frame, and who turned it when."""

    setting: Setting
    since: int
    by: str
    utc: str


InForce = Mapping[str, Turned]
"""All six, by name."""


def detail_json(name: str, detail: tuple[str, ...] | None) -> Json:
    """A control's `detail` member: null, or an object with its one list."""
    list_name = CONTROLS[name].list_name
    if list_name is None or detail is None:
        return None
    return {list_name: list(detail)}


def parse_setting(name: str, value: Json, detail: Json, where: Place) -> Setting:
    """One control's value and list, checked against its row.

    Raises:
        ControlRefused: no such control, out of range, or a list it does not have.
    """
    control = CONTROLS.get(name)
    if control is None:
        raise ControlRefused(
            RULE, f"expected one of {', '.join(CONTROLS)}, found {str(name)[:40]}", where
        )
    if not isinstance(value, int) or isinstance(value, bool):
        raise ControlRefused(RULE, f"{name}: expected an integer, found {str(value)[:40]}", where)
    if not control.low <= value <= control.high:
        raise ControlRefused(
            RULE, f"{name}: expected {control.low} to {control.high}, found {value}", where
        )
    return Setting(value, _parse_detail(control, detail, where))


def _parse_detail(control: Control, detail: Json, where: Place) -> tuple[str, ...] | None:
    if detail is None:
        return None
    if control.list_name is None:
        raise ControlRefused(RULE, f"{control.name}: expected no list, found one", where)
    wanted = f"{control.name}: expected a list {control.list_name} of different names"
    if not isinstance(detail, dict) or detail.keys() != {control.list_name}:
        raise ControlRefused(RULE, f"{wanted}, found {str(detail)[:40]}", where)
    items = detail[control.list_name]
    if items is None:
        return None
    if not isinstance(items, list):
        raise ControlRefused(RULE, f"{wanted}, found {str(items)[:40]}", where)
    found = tuple(item for item in items if isinstance(item, str) and 0 < len(item) <= 200)
    if len(found) != len(items) or len(set(found)) != len(items) or len(items) > 256:
        raise ControlRefused(RULE, f"{wanted}, found {str(items)[:80]}", where)
    return found


def defaults(*, settling: bool = False) -> dict[str, Setting]:
    """The six at a genesis that says nothing else."""
    given = {name: Setting(control.default) for name, control in CONTROLS.items()}
    if settling:
        given["rails"] = Setting(SETTLING_RAILS)
    return given


def initial(controls: Json, by: str, utc: str, where: Place) -> InForce:
    """The six as a genesis carries them.

    Raises:
        ControlRefused: not exactly the six, or one out of range.
    """
    if not isinstance(controls, dict) or controls.keys() != CONTROLS.keys():
        raise ControlRefused(RULE, f"expected the six controls {', '.join(CONTROLS)}", where)
    in_force = {}
    for name in CONTROLS:
        given = controls[name]
        if not isinstance(given, dict) or given.keys() != {"value", "detail"}:
            raise ControlRefused(RULE, f"{name}: expected value and detail", where)
        setting = parse_setting(name, given["value"], given["detail"], where)
        in_force[name] = Turned(setting, 0, by, utc)
    return MappingProxyType(in_force)


def turn(in_force: InForce, name: str, turned: Turned, previous: Json, where: Place) -> InForce:
    """What is in force after one control frame.

    Raises:
        ControlRefused: `previous` is not what was in force, or nothing changes.
    """
    before = in_force[name].setting
    if previous != before.as_json(name):
        raise ControlRefused(
            RULE,
            f"{name}: expected previous to be {before.value}, found {str(previous)[:60]}",
            where,
        )
    return MappingProxyType({**in_force, name: turned})
