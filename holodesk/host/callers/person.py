"""A person at the console: their choice arrives as a request (LH 3.2)."""

from collections.abc import Mapping

from holodesk.hologram.tile import Caller as Identity
from holodesk.portal.caller import Choice
from holodesk.rapp.canonical import Json


def choice_of(lens: str, params: Mapping[str, Json], owner: str) -> Choice:
    """The choice of the desk's owner, made by hand."""
    return Choice(lens, params, Identity(owner, "person"))
