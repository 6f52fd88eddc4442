"""The form of a signature: a detached, unencoded, compact JWS (rapp/1 10; RFC 7515, 7797).

Form is a matter of step 1 and needs no key; whether the signature holds is step 6.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from holodesk.errors import Refused
from holodesk.rapp.canonical import admit, canonical
from holodesk.rapp.keys import SIGNATURE_OCTETS, Alg, SigningKey, is_signed, key_alg
from holodesk.rapp.names import check_tail, parse_rappid

_BASE64URL: Final = re.compile("[A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Jws:
    """A parsed signature. `protected` is the header as it stands in the text and is signed."""

    alg: Alg
    kid: str
    protected: str
    signature: bytes


def parse_jws(text: str) -> Jws:
    """The parts of a detached JWS.

    Raises:
        Refused: not three parts with an empty middle, base64url that is padded or not strict, a
            header that is not canonical or has other members, a signature not of 64 octets.
    """
    parts = text.split(".")
    if len(parts) != 3 or parts[1]:
        raise Refused("rapp/1 10", "a signature must be header..signature with nothing between")
    alg, kid = _header(parts[0])
    signature = _octets(parts[2])
    if len(signature) != SIGNATURE_OCTETS:
        raise Refused(
            "rapp/1 10", f"a signature must be {SIGNATURE_OCTETS} octets, found {len(signature)}"
        )
    return Jws(alg, kid, parts[0], signature)


@lru_cache(maxsize=1024)
def _header(protected: str) -> tuple[Alg, str]:
    octets = _octets(protected)
    header, written = admit(octets)
    if written != octets:
        raise Refused("rapp/1 10", "the signature's header is not canonical")
    if not isinstance(header, dict) or header.keys() != {"alg", "b64", "crit", "kid"}:
        raise Refused(
            "rapp/1 10", "the signature's header must hold exactly alg, b64, crit and kid"
        )
    alg, kid = header["alg"], header["kid"]
    if alg not in ("EdDSA", "ES256"):
        raise Refused("rapp/1 10", f"alg must be EdDSA or ES256, found {alg!r:.40}")
    if header["b64"] is not False or header["crit"] != ["b64"]:
        raise Refused("rapp/1 10", "b64 must be false, and crit must name exactly b64")
    if not isinstance(kid, str):
        raise Refused("rapp/1 10", "kid must be a rappid")
    parse_rappid(kid)
    return ("EdDSA" if alg == "EdDSA" else "ES256"), kid


def _octets(text: str) -> bytes:
    if _BASE64URL.fullmatch(text) is None or len(text) % 4 == 1:
        raise Refused("rapp/1 10", "a signature must be strict base64url without padding")
    octets = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if _text(octets) != text:
        raise Refused("rapp/1 10", "a signature must be base64url without stray bits")
    return octets


def _text(octets: bytes) -> str:
    return urlsafe_b64encode(octets).rstrip(b"=").decode()


def check_detached(text: str, unsigned: bytes, keys: Mapping[str, bytes]) -> Jws:
    """Refuse a signature that is not its kid's over the octets; the key is looked for in `keys`.

    Raises:
        Refused: no such key, a key that kid was not minted from, another algorithm, or a
            signature that does not hold.
    """
    jws = parse_jws(text)
    spki = keys.get(jws.kid)
    if spki is None:
        raise Refused("rapp/1 10", f"the key of {jws.kid} is not in the registry")
    _checked_tail(jws.kid, spki)
    alg = key_alg(spki)
    if alg != jws.alg:
        raise Refused("rapp/1 10", f"the signature says {jws.alg}, the key is for {alg}")
    if not is_signed(spki, signing_input(jws.protected, unsigned), jws.signature):
        raise Refused("rapp/1 10", f"the signature is not one of {jws.kid} over these octets")
    return jws


_checked_tail = lru_cache(maxsize=1024)(check_tail)


def signing_input(protected: str, unsigned: bytes) -> bytes:
    """What is signed: the header's text, a dot, and the canonical octets without `sig`."""
    return b"%s.%s" % (protected.encode(), unsigned)


def sign_detached(key: SigningKey, kid: str, unsigned: bytes) -> str:
    """The `sig` text over canonical octets that hold no `sig`.

    Raises:
        Refused: kid is not a rappid.
    """
    parse_rappid(kid)
    header = canonical({"alg": key.alg, "b64": False, "crit": ["b64"], "kid": kid})
    protected = _text(header)
    return f"{protected}..{_text(key.sign(signing_input(protected, unsigned)))}"
