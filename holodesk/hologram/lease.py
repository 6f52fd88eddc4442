"""One writer at a time: a lease is taken, renewed, released, or runs out (LH 3.4, 3.9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from holodesk.errors import FrameRefused, Held, Place
from holodesk.hologram.payload import (
    Check,
    check_payload,
    hashed,
    label,
    one_of,
    optional,
    text,
)
from holodesk.rapp.address import Wave
from holodesk.rapp.canonical import Json
from holodesk.rapp.frame import Frame
from holodesk.rapp.names import check_utc

LEASE_SECONDS: Final = 4 * 3600
"""The default length of a lease (LH 3.9)."""
RULE: Final = "LH 3.9"

MEMBERS: Final[Mapping[str, Check]] = {
    "schema": text,
    "after": optional(hashed),
    "action": one_of("take", "renew", "release"),
    "holder": label,
    "machine": label,
    "head": hashed,
    "expires": text,
}


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease in force: whose, on which machine, until when, by which frame."""

    holder: str
    machine: str
    expires: str
    frame_hash: Wave
    seq: int

    def holds(self, utc: str) -> bool:
        """Is it still in force at `utc`? Compared as bytes, like every utc (rapp/1 7.4)."""
        return utc < self.expires


def in_force(lease: Lease | None, utc: str) -> Lease | None:
    """The lease that binds a frame written at `utc`, or None."""
    return lease if lease is not None and lease.holds(utc) else None


def check_holder(lease: Lease | None, utc: str, holder: str, machine: str) -> None:
    """May this holder, on this machine, write at `utc`?

    Raises:
        Held: somebody else's lease is in force.
    """
    standing = in_force(lease, utc)
    if standing is not None and (standing.holder, standing.machine) != (holder, machine):
        raise Held(
            RULE,
            f"{standing.holder} on {standing.machine} holds the lease until {standing.expires}",
            Place(seq=standing.seq),
        )


def step(lease: Lease | None, frame: Frame) -> Lease | None:
    """The lease after one lease frame.

    Raises:
        FrameRefused: another shape, a lease that somebody else holds, or one not held to renew.
    """
    check_payload(frame, MEMBERS)
    where = Place(stream=frame.stream_id, seq=frame.seq)
    payload = frame.payload
    expires = str(payload["expires"])
    check_utc(expires)
    if payload["head"] != payload["after"]:
        raise FrameRefused(RULE, "expected the lease to start from its predecessor", where)
    asked = Lease(
        str(payload["holder"]), str(payload["machine"]), expires, frame.frame_hash, frame.seq
    )
    standing = in_force(lease, frame.utc)
    own = standing is not None and (standing.holder, standing.machine) == (
        asked.holder,
        asked.machine,
    )
    if standing is not None and not own:
        raise FrameRefused(
            RULE,
            f"expected the lease of {standing.holder} on {standing.machine} to have ended, "
            f"found it in force until {standing.expires}",
            where,
        )
    action = payload["action"]
    if action == "take":
        return _running(asked, frame.utc, where)
    if not own:
        raise FrameRefused(RULE, f"expected a lease to {action}, found none in force", where)
    return None if action == "release" else _running(asked, frame.utc, where)


def _running(lease: Lease, utc: str, where: Place) -> Lease:
    if not lease.holds(utc):
        raise FrameRefused(RULE, f"expected expires after {utc}, found {lease.expires}", where)
    return lease


def payload(action: str, *, holder: str, machine: str, head: Wave, expires: str) -> dict[str, Json]:
    """The payload of a lease frame that follows `head`."""
    return {
        "schema": "hologram-lease/1",
        "after": head,
        "action": action,
        "holder": holder,
        "machine": machine,
        "head": head,
        "expires": expires,
    }
