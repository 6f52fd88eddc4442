"""The only reader of time and chance; both leave here as facts (house: time is an argument)."""

import secrets
import time

from holodesk.rapp.names import utc_text


def now() -> str:
    """This moment as a rapp/1 utc (24 ASCII octets, milliseconds)."""
    return utc_text(time.time_ns() // 1_000_000)


def monotonic() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()


def chance(octets: int) -> bytes:
    """Fresh random octets, for keys and names; never for anything that must replay."""
    return secrets.token_bytes(octets)
