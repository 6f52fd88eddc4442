"""Numbers are printed as ECMAScript prints them, and tokens must survive that (RFC 8785, 4(c))."""

import pytest

from holodesk.errors import NotCanonical
from holodesk.rapp.number_text import integer_text, number_text, token_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (20.0, "20"),
        (-1.5, "-1.5"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-1.25e-7, "-1.25e-7"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.2e21, "1.2e+21"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (0.1, "0.1"),
        (333333333.3333333, "333333333.3333333"),
    ],
)
def test_a_number_is_printed_as_ecmascript_prints_it(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(NotCanonical):
        number_text(value)


def test_an_integer_within_two_to_the_53_is_its_own_text() -> None:
    assert integer_text(2**53 - 1) == "9007199254740991"
    assert integer_text(-(2**53) + 1) == "-9007199254740991"


def test_a_larger_integer_is_printed_through_its_binary64() -> None:
    assert integer_text(2**53) == "9007199254740992"
    assert integer_text(10**21) == "1e+21"
    assert integer_text(int(2.0**68)) == "295147905179352830000"
    assert integer_text(295147905179352830000) == "295147905179352830000"
    assert integer_text(-(10**23)) == "-1e+23"


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 10**23 + 1, 10**400])
def test_an_integer_that_is_no_binary64_is_refused(value: int) -> None:
    with pytest.raises(NotCanonical):
        integer_text(value)


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("-12", -12),
        ("1.00", 1),
        ("1e0", 1),
        ("-0.000e9999", 0),
        ("9007199254740991", 2**53 - 1),
        ("9007199254740992", 2.0**53),
        ("295147905179352830000", 2.0**68),
        ("0.1", 0.1),
        ("1E+21", 1e21),
        ("0e999999999999999999999999", 0),
    ],
)
def test_a_token_is_an_int_where_it_is_integral_and_safe(token: str, value: float) -> None:
    found = token_value(token)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "token",
    [
        "9007199254740993",
        "0.10000000000000001",
        "1.0000000000000001",
        "295147905179352825856",
        "1e999",
        "-1e999",
        "1e-999",
        "1e-400",
        "1e-999999999999999999999999",
        "2.00000000000000000001",
        "333333333.33333329",
    ],
)
def test_a_token_that_does_not_survive_binary64_is_refused(token: str) -> None:
    with pytest.raises(NotCanonical) as refusal:
        token_value(token)
    assert refusal.value.rule == "rapp/1 4(c)"
