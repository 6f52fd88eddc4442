"""A caller sees an offer and returns a choice; nothing else passes between them (LH 3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from holodesk.errors import Rejected
from holodesk.hologram.tile import Caller as Identity
from holodesk.portal.offer import Offer
from holodesk.rapp.canonical import Json


@dataclass(frozen=True, slots=True)
class Choice:
    """A lens by name, its parameters, and who chose."""

    lens: str
    params: Mapping[str, Json]
    caller: Identity


class Caller(Protocol):
    """Whoever chooses: a person, a script, a model."""

    @property
    def name(self) -> str: ...

    def choose(self, offer: Offer, rejected: Rejected | None) -> Choice | None:
        """The next choice, or None at its end. `rejected`: why the last one was not taken."""
        ...
