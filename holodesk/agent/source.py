"""An agent file's text becomes its surface and its identity, without being run (LH 3.2, 4.1).

The identity is the address of the whole text as a JSON string, line ends kept, so that one changed
description makes another lens.
"""

from dataclasses import dataclass

from holodesk.agent.purity import findings
from holodesk.agent.purity_tables import MAX_SOURCE
from holodesk.agent.surface import Surface, read_surface
from holodesk.errors import LensImpure, Place
from holodesk.rapp.address import Particle, particle

_RULE = "LH 3.2"


@dataclass(frozen=True, slots=True)
class AgentSource:
    """An agent file that may be offered: it passed the gate and its surface is whole."""

    source: str
    hash: Particle
    surface: Surface
    file: str | None


def text_of(octets: bytes, file: str | None = None) -> str:
    """The file's text, line ends kept.

    Raises:
        LensImpure: over 64 KiB, or not UTF-8.
    """
    if len(octets) > MAX_SOURCE:
        raise LensImpure(
            _RULE,
            f"expected at most {MAX_SOURCE} octets of source, found {len(octets)}",
            Place(file=file),
        )
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError as refusal:
        line = octets.count(b"\n", 0, refusal.start) + 1
        raise LensImpure(
            _RULE,
            f"expected UTF-8, found octet {octets[refusal.start]:#04x}",
            Place(file=file, line=line),
        ) from None


def read(octets: bytes, file: str | None = None) -> AgentSource:
    """Gate first, then surface; the file never runs.

    Raises:
        LensImpure: the gate refuses it; the place is the first finding's line.
        SurfaceIncomplete: a caller could not tell from it what the file is for.
    """
    source = text_of(octets, file)
    found = findings(source)
    if found:
        raise LensImpure(_RULE, found[0].reason, Place(file=file, line=found[0].line))
    return AgentSource(source, particle(source), read_surface(source, file), file)
