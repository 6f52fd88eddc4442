"""A person at the console: their choices and turns arrive as requests (LH 3.2, 3.7)."""

from typing import Any

from holodesk.errors import NotCanonical, Rejected
from holodesk.hologram.tile import Caller as Identity
from holodesk.host.desk import Turning
from holodesk.host.messages import Turn
from holodesk.portal.caller import Choice
from holodesk.rapp.canonical import canonical, parse


def choice_of(lens: str, params: dict[str, Any], owner: str) -> Choice:
    """The choice of the desk's owner, made by hand; its parameters as JSON, whatever crossed.

    Raises:
        Rejected: parameters that have no canonical form.
    """
    try:
        lawful = parse(canonical(params))
    except NotCanonical as problem:
        raise Rejected(problem.rule, f"expected JSON: {problem.message}") from problem
    assert isinstance(lawful, dict)
    return Choice(lens, lawful, Identity(owner, "person"))


def turning_of(asked: Turn) -> Turning:
    """A request to turn a control; a list in it replaces the one in force."""
    if asked.detail is None:
        return Turning(asked.control, asked.value, reason=asked.reason)
    items = next(iter(asked.detail.values()), None)
    detail = tuple(str(item) for item in items) if isinstance(items, list) else None
    return Turning(asked.control, asked.value, detail, keep_detail=False, reason=asked.reason)
