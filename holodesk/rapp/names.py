"""The grammar of names: rappid, stream_id, kind and utc (rapp/1 6, 6.1.1, 7.2, 7.4).

A name is whole or it is nothing: every match is a full match, ASCII only, and case counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from holodesk.errors import Refused
from holodesk.rapp.address import RAPPID, hash_octets
from holodesk.rapp.keys import key_alg

Family = Literal["body", "memory", "swarm"]

BASE_KINDS: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "memory.chat-turn": "memory",
        "memory.tool-call": "memory",
        "memory.save": "memory",
        "memory.reconstructed": "memory",
        "memory.re-genesis": "memory",
        "swarm.guidance": "swarm",
        "swarm.echo": "swarm",
        "swarm.telemetry": "swarm",
        "swarm.reconstructed": "swarm",
        "swarm.re-genesis": "swarm",
        "body.pulse": "body",
        "body.twin-pulse": "body",
        "body.reconstructed": "body",
        "body.re-genesis": "body",
    }
)
"""The fourteen kinds that every anchor frame of the protocol registers."""

MAX_OWNER: Final = 39
MAX_SLUG: Final = 100
MAX_LABEL: Final = 64

_LABEL: Final = "[a-z0-9]+(?:-[a-z0-9]+)*"
_RAPPID: Final = re.compile(rf"rappid:@({_LABEL})/({_LABEL}):([0-9a-f]{{64}})")
_STREAM: Final = re.compile(rf"(rappid:@{_LABEL}/{_LABEL}:[0-9a-f]{{64}})(?::({_LABEL}))?")
_SWARM: Final = re.compile(rf"net:{_LABEL}")
_KIND: Final = re.compile(rf"({_LABEL})\.({_LABEL})")
_UTC: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])\.([0-9]{3})Z"
)


@dataclass(frozen=True, slots=True)
class Rappid:
    """An identity: who minted it, what for, and the 64 hex that were minted once (rapp/1 6.1)."""

    owner: str
    slug: str
    tail: str

    def __str__(self) -> str:
        return f"rappid:@{self.owner}/{self.slug}:{self.tail}"


@lru_cache(maxsize=4096)
def parse_rappid(text: str) -> Rappid:
    """The parts of a rappid.

    Raises:
        Refused: the text is not a whole rappid.
    """
    match = _RAPPID.fullmatch(text)
    if match is None or len(match[1]) > MAX_OWNER or len(match[2]) > MAX_SLUG:
        raise Refused(
            "rapp/1 6.1", f"expected rappid:@owner/slug:64 lowercase hex, found {text!r:.120}"
        )
    return Rappid(match[1], match[2], match[3])


def mint_keyless(owner: str, slug: str, octets: bytes) -> Rappid:
    """A new identity without a key, from the 16 octets of a UUIDv4. It can never gain a key.

    Raises:
        Refused: the octets are not a UUID of version 4, or owner or slug is not a label.
    """
    if len(octets) != 16 or octets[6] >> 4 != 4 or octets[8] >> 6 != 0b10:
        raise Refused("rapp/1 6.2", "a keyless identity is minted from the 16 octets of a UUIDv4")
    return _minted(owner, slug, octets)


def mint_keyed(owner: str, slug: str, spki: bytes) -> Rappid:
    """The identity of a public key, given as DER SPKI.

    Raises:
        Refused: the octets are not a lawful key, or owner or slug is not a label.
    """
    key_alg(spki)
    return _minted(owner, slug, spki)


def _minted(owner: str, slug: str, octets: bytes) -> Rappid:
    return parse_rappid(str(Rappid(owner, slug, hash_octets(RAPPID, octets))))


def check_tail(rappid: str, spki: bytes) -> None:
    """Refuse a key that is not the one the identity was minted from (rapp/1 10).

    Raises:
        Refused: another tail, an unlawful key, or a text that is no rappid.
    """
    identity = parse_rappid(rappid)
    key_alg(spki)
    if hash_octets(RAPPID, spki) != identity.tail:
        raise Refused("rapp/1 10", f"the key is not the one that {identity} was minted from")


@lru_cache(maxsize=4096)
def stream_family(stream_id: str) -> Family:
    """The family that a stream's form belongs to.

    Raises:
        Refused: none of the three forms.
    """
    match = _STREAM.fullmatch(stream_id)
    if match is not None:
        parse_rappid(match[1])
        if match[2] is None:
            return "body"
        if len(match[2]) <= MAX_LABEL:
            return "memory"
    elif _SWARM.fullmatch(stream_id) is not None:
        return "swarm"
    raise Refused(
        "rapp/1 6.1.1",
        f"expected a rappid, a rappid with an instance, or net:label, found {stream_id!r:.160}",
    )


@lru_cache(maxsize=1024)
def check_kind(kind: str) -> None:
    """Refuse what is not two labels of at most 64 with a dot between (rapp/1 7.2).

    Raises:
        Refused: another form.
    """
    match = _KIND.fullmatch(kind)
    if match is None or len(match[1]) > MAX_LABEL or len(match[2]) > MAX_LABEL:
        raise Refused("rapp/1 7.2", f"expected a kind of two labels, found {kind!r:.160}")


def check_utc(text: str) -> None:
    """Refuse what is not 24 ASCII octets naming a real day and time (rapp/1 7.4).

    Raises:
        Refused: another form, or a day that the calendar does not have.
    """
    match = _UTC.fullmatch(text)
    if match is None or not _is_day(match[1]):
        raise Refused("rapp/1 7.4", f"expected YYYY-MM-DDTHH:MM:SS.mmmZ, found {text!r:.60}")


@lru_cache(maxsize=1024)
def _is_day(text: str) -> bool:
    year, month, day = int(text[:4]), int(text[5:7]), int(text[8:])
    if not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = (31, 29 if is_leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return 1 <= day <= days


_DAY_MS: Final = 86_400_000
_EPOCH_DAY: Final = 719_468
"""Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar."""
_ERA_DAYS: Final = 146_097
"""Days in 400 years."""


def utc_milliseconds(utc: str) -> int:
    """Milliseconds since 1970-01-01T00:00:00.000Z; negative before it.

    Raises:
        Refused: the text is not a utc.
    """
    check_utc(utc)
    year, month, day = int(utc[:4]), int(utc[5:7]), int(utc[8:10])
    # Years that begin in March put the leap day last, so that days within a year need no table.
    year -= month <= 2
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    of_era = year % 400 * 365 + year % 400 // 4 - year % 400 // 100 + of_year
    days = year // 400 * _ERA_DAYS + of_era - _EPOCH_DAY
    hours, minutes, seconds = int(utc[11:13]), int(utc[14:16]), int(utc[17:19])
    return ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000 + int(utc[20:23])


def utc_text(milliseconds: int) -> str:
    """The utc of a moment, in milliseconds since 1970-01-01T00:00:00.000Z.

    Raises:
        Refused: the moment is outside the years 0000 to 9999.
    """
    days, rest = divmod(milliseconds, _DAY_MS)
    era, of_era = divmod(days + _EPOCH_DAY, _ERA_DAYS)
    of_400 = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * of_400 + of_400 // 4 - of_400 // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = era * 400 + of_400 + (month <= 2)
    if not 0 <= year <= 9999:
        raise Refused("rapp/1 7.4", f"the moment {milliseconds} ms is outside years 0000 to 9999")
    seconds, thousandths = divmod(rest, 1000)
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    return (
        f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{thousandths:03d}Z"
    )
