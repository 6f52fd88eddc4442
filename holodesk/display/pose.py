"""An object stands as its schema says; one of an unknown schema stands as a tree (LH 3.11)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from holodesk.display.life import Life
from holodesk.display.poses.card import card
from holodesk.display.poses.creature import creature
from holodesk.display.poses.gamerun import gamerun
from holodesk.display.poses.model import model
from holodesk.display.poses.story import story
from holodesk.display.poses.tree import tree
from holodesk.display.poses.world import world
from holodesk.display.scene import Scene

Posing = Callable[[Mapping[str, object], Life], Scene]

POSES: Final[dict[str, Posing]] = {
    "creature/1": creature,
    "card/1": card,
    "world/1": world,
    "story/1": story,
    "gamerun/1": gamerun,
    "model/1": model,
}
ROUND: Final = {"hue": 360.0, "facing": 360.0, "turn": 360.0}
"""Members that go round: from 350 to 10 is 20 on, not 340 back."""
DEEPEST: Final = 12


def pose(object: Any, life: Life) -> Scene:
    """How any JSON value stands; never raises for one, and the same twice is the same."""
    if isinstance(object, Mapping):
        schema = object.get("schema")
        known = POSES.get(schema) if isinstance(schema, str) else None
        if known is not None:
            return known(object, life)
    return tree(object, life)


def between(old: Any, new: Any, share: float) -> Any:
    """What to show on the way from one object to the next, 0 the old and 1 the new.

    Numbers move; everything else is the new one's at once. Only for the eye, never for the chain.
    """
    return new if share >= 1 else _between(old, new, share, "", 0)


def _between(old: Any, new: Any, share: float, name: str, depth: int) -> Any:
    if depth > DEEPEST or isinstance(old, bool) or isinstance(new, bool):
        return new
    if isinstance(old, int | float) and isinstance(new, int | float):
        whole = ROUND.get(name)
        if abs(old) > 1e12 or abs(new) > 1e12:
            return new
        way = new - old
        if whole is not None:
            way = (way + whole / 2) % whole - whole / 2
        return old + way * share
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        if old.get("schema") != new.get("schema"):
            return new
        return {
            key: _between(old[key], value, share, str(key), depth + 1) if key in old else value
            for key, value in new.items()
        }
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = zip(old, new, strict=True)
        return [_between(one, two, share, "", depth + 1) for one, two in pairs]
    return new


def same_schema(old: Any, new: Any) -> bool:
    """Both are objects of one schema, so that one can become the other."""
    return (
        isinstance(old, Mapping)
        and isinstance(new, Mapping)
        and old.get("schema") == new.get("schema")
        and isinstance(new.get("schema"), str)
    )
