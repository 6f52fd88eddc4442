"""The text of a number is ECMAScript's `Number::toString` of its binary64 (RFC 8785 3.2.2.3).

Both ways are here: the text of a value, and the value of a token that survives that text exactly
(rapp/1 4(c)).
"""

from decimal import Decimal, InvalidOperation
from math import inf, isfinite
from typing import Final

from holodesk.errors import NotCanonical

MAX_SAFE: Final = 2**53 - 1
"""The largest integer that is its own text; larger ones go through their binary64."""

_ALWAYS_EXACT_DIGITS: Final = 15


def number_text(value: float) -> str:
    """The ECMAScript text of a binary64.

    Raises:
        NotCanonical: the value is NaN or infinite.
    """
    if not isfinite(value):
        raise NotCanonical(
            "rapp/1 4", f"a number must be a finite binary64, found {float.__repr__(value)}"
        )
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = float.__repr__(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(power or 0)
    return sign + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """Shortest digits with the decimal point `point` places after the first one's left edge."""
    count = len(digits)
    if count <= point <= 21:
        return digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    rest = f".{digits[1:]}" if count > 1 else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"


def integer_text(value: int) -> str:
    """The text of an integer.

    One beyond 2**53-1 is printed as its binary64, and must equal that or what is printed.

    Raises:
        NotCanonical: it equals neither.
    """
    if -MAX_SAFE <= value <= MAX_SAFE:
        return int.__repr__(value)
    try:
        nearest = float(value)
    except OverflowError:
        nearest = inf
    if isfinite(nearest):
        text = number_text(nearest)
        if nearest == value or Decimal(text) == value:
            return text
    raise NotCanonical("rapp/1 4", "an integer must survive binary64, found one that does not")


def token_value(token: str) -> int | float:
    """The value of a JSON number token, as an int where it is integral and within 2**53-1.

    Raises:
        NotCanonical: the token's value is not the one that its binary64 is printed as.
    """
    if len(token) <= _ALWAYS_EXACT_DIGITS and token.lstrip("-").isdigit():
        return int(token)
    nearest = float(token)
    if not isfinite(nearest):
        raise NotCanonical("rapp/1 4(c)", f"the number {_short(token)} is beyond binary64")
    if not _is_same_value(token, number_text(nearest)):
        raise NotCanonical(
            "rapp/1 4(c)",
            f"the number {_short(token)} does not survive binary64, "
            f"which holds {number_text(nearest)}",
        )
    if nearest.is_integer() and abs(nearest) <= MAX_SAFE:
        return int(nearest)
    return nearest


def _is_same_value(token: str, text: str) -> bool:
    try:
        return Decimal(token) == Decimal(text)
    except InvalidOperation:
        # Only an exponent outside Decimal's range comes here: the value is zero or out of reach.
        mantissa = token.lower().partition("e")[0]
        return not mantissa.strip("-0.")


def _short(token: str) -> str:
    return token if len(token) <= 40 else f"{token[:37]}..."
