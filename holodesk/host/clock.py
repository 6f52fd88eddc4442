"""The only reader of time and chance; both leave here as facts (house: time is an argument)."""

import secrets
import time
from typing import Final

from holodesk.errors import Place, Refused
from holodesk.rapp.names import utc_milliseconds, utc_text

FUTURE_SECONDS: Final = 300
"""A frame further ahead of the clock than this is quarantined (decisions 1.5; rapp/1 14)."""


def now() -> str:
    """This moment as a rapp/1 utc (24 ASCII octets, milliseconds)."""
    return utc_text(time.time_ns() // 1_000_000)


def monotonic() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()


def pause(seconds: float) -> None:
    """Wait."""
    time.sleep(seconds)


def chance(octets: int) -> bytes:
    """Fresh random octets, for keys and names; never for anything that must replay."""
    return secrets.token_bytes(octets)


def seconds_ahead(utc: str) -> int:
    """By how many whole seconds a utc is ahead of this machine's clock; negative behind it."""
    return (utc_milliseconds(utc) - utc_milliseconds(now())) // 1000


def check_clock(utc: str, where: Place) -> None:
    """Quarantine a chain whose head is from the future; utc never falls, so the head is enough.

    Raises:
        Refused: the head is more than 300 s ahead of this machine's clock.
    """
    ahead = seconds_ahead(utc)
    if ahead >= FUTURE_SECONDS:
        told = f"the head is {ahead} s ahead of this machine's clock, which allows {FUTURE_SECONDS}"
        raise Refused("rapp/1 14", f"{told} s: quarantined; check the clock", where)
