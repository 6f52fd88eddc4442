"""A lens on the chain: its exact source, so that a removed lens still replays (LH 3.2, 4.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.agent.source import AgentSource, read
from holodesk.errors import FrameRefused, Place
from holodesk.hologram.payload import Check, check_payload, hashed, label, optional, shaped, text
from holodesk.hologram.perform import Runtime
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame

MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "name": label,
    "hash": hashed,
    "source": text,
    "runtime": shaped({"name": label, "sha256": hashed}),
}


@dataclass(frozen=True, slots=True)
class Lens:
    """An agent file that the chain holds, and the runtime it was judged by."""

    agent: AgentSource
    runtime: Runtime

    @property
    def name(self) -> str:
        return self.agent.surface.name


def step(frame: Frame) -> Lens:
    """The lens that one lens frame brings.

    Raises:
        FrameRefused: another shape, or a hash or a name that the source does not have.
        LensImpure, SurfaceIncomplete: the gate refuses the source.
    """
    check_payload(frame, MEMBERS)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    payload = frame.payload
    agent = sourced(str(payload["source"]), str(payload["hash"]), str(payload["name"]), where)
    runtime = payload["runtime"]
    assert isinstance(runtime, dict)
    return Lens(agent, Runtime(str(runtime["name"]), str(runtime["sha256"])))


def sourced(source: str, hash: str, name: str, where: Place) -> AgentSource:
    """A source held on the chain, checked against the hash and the name recorded beside it.

    Raises:
        FrameRefused: the hash or the name differs.
        LensImpure, SurfaceIncomplete: the gate refuses the source.
    """
    agent = read(source.encode(), file=f"{name[:60]} (frame {where.seq})")
    if agent.hash != hash:
        raise FrameRefused("LH 3.2", f"expected the source of lens {hash[:16]}", where)
    if agent.surface.name != name:
        told = f"expected the lens to be named {agent.surface.name}, found {name[:60]}"
        raise FrameRefused("LH 3.2", told, where)
    return agent


def payload(agent: AgentSource, runtime: Runtime, after: Wave) -> dict[str, Json]:
    """The payload of a lens frame that follows `after`."""
    return {
        "schema": "hologram-lens/1",
        "after": after,
        "name": agent.surface.name,
        "hash": agent.hash,
        "source": agent.source,
        "runtime": {"name": runtime.name, "sha256": runtime.sha256},
    }
