"""Every frame kind this house writes, in one table (decisions 1.3; LH 6: unregistered)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from holodesk.rapp.names import BASE_KINDS, Family

GENESIS: Final = "hologram.genesis"
LENS: Final = "hologram.lens"
TILE: Final = "hologram.tile"
CONTROL: Final = "hologram.control"
REFLEX: Final = "hologram.reflex"
LEASE: Final = "hologram.lease"
GATE: Final = "hologram.gate"
VERDICT: Final = "hologram.verdict"

SCHEMAS: Final[Mapping[str, str]] = MappingProxyType(
    {
        GENESIS: "hologram-genesis/1",
        LENS: "hologram-lens/1",
        TILE: "hologram-tile/1",
        CONTROL: "hologram-control/1",
        REFLEX: "hologram-reflex/1",
        LEASE: "hologram-lease/1",
        GATE: "hologram-gate/1",
        VERDICT: "hologram-verdict/1",
    }
)
"""Each kind's own schema string, so that the same payload can be carried in another kind."""

HOUSE_KINDS: Final[Mapping[str, Family]] = MappingProxyType(
    {**BASE_KINDS, **dict.fromkeys(SCHEMAS, "body")}
)
"""The base set of rapp/1 13 and ours, each bound to one family."""
