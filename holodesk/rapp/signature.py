"""Step 6: who signed a frame, and whether that key may (rapp/1 7.5, 10, 13.2).

Keys are found in the keyring alone; a key counts only where its own hash is the kid's tail.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NoReturn

from holodesk.errors import FrameRefused, Place, Refused
from holodesk.rapp.envelope import RE_GENESIS
from holodesk.rapp.frame import Frame
from holodesk.rapp.jws import check_detached
from holodesk.rapp.keys import Alg, SigningKey
from holodesk.rapp.names import check_tail

__all__ = ["Alg", "Keyring", "SigningKey", "check_signature"]


@dataclass(frozen=True, slots=True)
class Keyring:
    """What a registry says about keys and streams.

    keys: kid to DER SPKI. revoked, superseded: kid to the utc from which its frames are refused.
    genesis: stream_id to the frame_hash of its live genesis. owners: (from utc, rappid), in order;
    the first owner's utc is "", before every other.
    """

    keys: Mapping[str, bytes] = field(default_factory=dict)
    revoked: Mapping[str, str] = field(default_factory=dict)
    superseded: Mapping[str, str] = field(default_factory=dict)
    genesis: Mapping[str, str] = field(default_factory=dict)
    owners: tuple[tuple[str, str], ...] = ()

    EMPTY: ClassVar["Keyring"]

    def with_key(self, kid: str, spki: bytes) -> "Keyring":
        """This keyring and one more key.

        Raises:
            Refused: the key is unlawful, or not the one that kid was minted from.
        """
        check_tail(kid, spki)
        return replace(self, keys={**self.keys, kid: spki})

    def check_in_force(self, kid: str, utc: str) -> None:
        """Refuse a key for what is dated at or after its supersession or revocation.

        Raises:
            Refused: the key was no longer in force.
        """
        for ends, word in ((self.superseded, "superseded"), (self.revoked, "revoked")):
            since = ends.get(kid)
            if since is not None and utc >= since:
                raise Refused("rapp/1 10", f"{kid} is {word} since {since}, found a use at {utc}")

    def owner_at(self, utc: str) -> str | None:
        """The estate owner in effect at a moment; None where the keyring names none (13.2)."""
        in_effect = [rappid for since, rappid in self.owners if since <= utc]
        return in_effect[-1] if in_effect else None


Keyring.EMPTY = Keyring()


def check_signature(frame: Frame, keyring: Keyring) -> None:
    """Refuse a frame whose signature is missing where it must be, or does not hold.

    Raises:
        FrameRefused: step 6.
    """
    if frame.sig is None:
        if frame.family == "swarm":
            _refuse(frame, "a frame of a swarm stream must be signed")
        if frame.kind.endswith(RE_GENESIS):
            _refuse(frame, "a re-genesis frame must be signed by the owner")
        return
    try:
        kid = check_detached(frame.sig, frame.unsigned, keyring.keys).kid
        keyring.check_in_force(kid, frame.utc)
    except Refused as error:
        raise _refusal(frame, error.message) from error
    _check_owner(frame, kid, keyring)


def _check_owner(frame: Frame, kid: str, keyring: Keyring) -> None:
    if frame.kind.endswith(RE_GENESIS) and keyring.owners:
        owner = keyring.owner_at(frame.utc)
        if kid != owner:
            _refuse(frame, f"a re-genesis must be signed by the owner {owner}, found {kid}")


def _refusal(frame: Frame, message: str) -> FrameRefused:
    where = Place(stream=frame.stream_id, seq=frame.seq)
    return FrameRefused("rapp/1 7.5 step 6", message, where, step="6")


def _refuse(frame: Frame, message: str) -> NoReturn:
    raise _refusal(frame, message)
