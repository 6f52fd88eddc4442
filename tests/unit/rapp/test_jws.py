"""The form of a signature, before any key is asked (rapp/1 10)."""

from base64 import urlsafe_b64encode
from typing import Any

import pytest

from holodesk.errors import Refused
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.jws import check_detached, parse_jws, sign_detached, signing_input
from tests.unit.rapp.chains import BODY, owner

HEADER: dict[str, Json] = {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": BODY}


def base64url(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


SIGNATURE = base64url(bytes(64))


def text(header: bytes, signature: str = SIGNATURE) -> str:
    return f"{base64url(header)}..{signature}"


def test_a_detached_signature_has_a_header_and_64_octets() -> None:
    jws = parse_jws(text(canonical(HEADER)))
    assert (jws.alg, jws.kid, jws.signature) == ("EdDSA", BODY, bytes(64))
    assert signing_input(jws.protected, b"{}") == f"{jws.protected}.{{}}".encode()


@pytest.mark.parametrize(
    "spoiled",
    [
        "",
        "..",
        f"{base64url(canonical(HEADER))}.{SIGNATURE}",
        f"{base64url(canonical(HEADER))}.e30.{SIGNATURE}",
        text(canonical(HEADER)) + ".",
        text(canonical(HEADER), SIGNATURE + "=="),
        text(canonical(HEADER), SIGNATURE[:-1] + "B"),
        text(canonical(HEADER), SIGNATURE[:-1] + "+"),
        text(canonical(HEADER), SIGNATURE[:-1]),
        text(canonical(HEADER), SIGNATURE + "AAA"),
        text(canonical(HEADER), base64url(bytes(63))),
        text(canonical(HEADER), base64url(bytes(65))),
        text(canonical(HEADER), SIGNATURE + "\n"),
        text(b" " + canonical(HEADER)),
        text(b'{"kid":"x","alg":"EdDSA"}'),
        text(b"not json"),
        text(canonical([1])),
    ],
)
def test_any_other_writing_is_refused(spoiled: str) -> None:
    with pytest.raises(Refused):
        parse_jws(spoiled)


@pytest.mark.parametrize(
    "changes",
    [
        {"alg": "none"},
        {"alg": "HS256"},
        {"alg": None},
        {"b64": True},
        {"b64": 0},
        {"crit": []},
        {"crit": ["b64", "exp"]},
        {"kid": "kody"},
        {"kid": 5},
        {"typ": "JWS"},
    ],
)
def test_a_header_with_other_members_or_values_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        parse_jws(text(canonical(HEADER | changes)))


def test_a_header_without_a_member_is_refused() -> None:
    for name in HEADER:
        with pytest.raises(Refused):
            parse_jws(text(canonical({k: v for k, v in HEADER.items() if k != name})))


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
def test_a_signature_is_checked_with_the_key_its_kid_was_minted_from(alg: str) -> None:
    (kid, key), (other_kid, other) = owner("one", alg), owner("two", alg)
    sig = sign_detached(key, kid, b"{}")
    assert check_detached(sig, b"{}", {kid: key.spki}).kid == kid
    for octets, keys in (
        (b"{ }", {kid: key.spki}),
        (b"{}", {}),
        (b"{}", {other_kid: other.spki}),
        (b"{}", {kid: other.spki}),
        (b"{}", {kid: b""}),
    ):
        with pytest.raises(Refused):
            check_detached(sig, octets, keys)


def test_a_signature_of_another_algorithm_than_its_key_is_refused() -> None:
    kid, key = owner("one", "ES256")
    header = canonical(HEADER | {"kid": kid})
    sig = f"{base64url(header)}..{base64url(key.sign(b'x'))}"
    with pytest.raises(Refused, match="EdDSA"):
        check_detached(sig, b"{}", {kid: key.spki})


def test_a_kid_that_is_no_rappid_signs_nothing() -> None:
    with pytest.raises(Refused):
        sign_detached(owner()[1], "kody", b"{}")
