"""All that a caller gets to see in one pass, and nothing else (LH 3.2, the bias rule)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holodesk.agent.source import AgentSource
from holodesk.contract.present import Present
from holodesk.hologram.chain import Hologram
from holodesk.hologram.rails import narrowed
from holodesk.rapp.canonical import Json
from holodesk.rapp.stream import Head


@dataclass(frozen=True, slots=True)
class OfferedLens:
    """A lens as a caller sees it: its words and its schema as the rails in force narrow it."""

    name: str
    description: str
    parameters: Mapping[str, Json]
    is_self: bool

    def as_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
            "self": self.is_self,
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """What a caller is shown: lenses, the object, the present and the slush, at a verified head."""

    head: Head
    lenses: tuple[OfferedLens, ...]
    object: Json
    present: str
    slush: Mapping[str, Json]
    resting: bool

    def lens(self, name: str) -> OfferedLens | None:
        """The offered lens of that name, or None."""
        return next((lens for lens in self.lenses if lens.name == name), None)

    def as_json(self) -> dict[str, Json]:
        """The offer as a caller outside the program reads it."""
        return {
            "head": {
                "stream_id": self.head.stream_id,
                "seq": self.head.seq,
                "frame_hash": self.head.frame_hash,
            },
            "lenses": [lens.as_json() for lens in self.lenses],
            "object": self.object,
            "present": self.present,
            "slush": dict(self.slush),
            "resting": self.resting,
        }


@dataclass(frozen=True, slots=True)
class Allowed:
    """Agent files in the order of their files, sorted by what the `lens` control says of them."""

    offered: tuple[AgentSource, ...]
    not_allowed: tuple[AgentSource, ...]
    beyond: tuple[AgentSource, ...]


def allow(hologram: Hologram, found: Sequence[AgentSource]) -> Allowed:
    """At most as many task lenses as the control says, of those its list allows (LH 3.7)."""
    setting = hologram.controls["lens"].setting
    listed = setting.detail
    allowed = [agent for agent in found if listed is None or agent.surface.name in listed]
    barred = [agent for agent in found if agent not in allowed]
    return Allowed(tuple(allowed[: setting.value]), tuple(barred), tuple(allowed[setting.value :]))


def make(
    hologram: Hologram,
    offered: Sequence[AgentSource],
    present: Present,
    slush: Mapping[str, Json],
    *,
    resting: bool,
) -> Offer:
    """The offer at a hologram's head: the self-lens first, then the task lenses in file order."""
    rails = hologram.value("rails")
    self_lens = hologram.genesis.self_lens
    given = [] if self_lens is None else [(self_lens, True)]
    given += [(agent, False) for agent in offered]
    return Offer(
        head=hologram.head,
        lenses=tuple(
            OfferedLens(
                agent.surface.name,
                agent.surface.description,
                narrowed(agent.surface.parameters, rails),
                own,
            )
            for agent, own in given
        ),
        object=hologram.object,
        present=present.text,
        slush=slush,
        resting=resting,
    )
