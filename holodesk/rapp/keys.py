"""Keys that an identity may hang on: Ed25519, and P-256 as an uncompressed point (rapp/1 6.2).

The octets of a key decide an identity, so they are taken to the letter: one encoding, a point that
is on its curve, nothing before or after.
"""

from functools import lru_cache
from typing import Final, Literal

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

from holodesk.errors import Refused

Alg = Literal["EdDSA", "ES256"]
SIGNATURE_OCTETS: Final = 64

_ED25519_HEAD: Final = bytes.fromhex("302a300506032b6570032100")
_P256_HEAD: Final = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")

_PublicKey = ed25519.Ed25519PublicKey | ec.EllipticCurvePublicKey
_PrivateKey = ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey


@lru_cache(maxsize=1024)
def _public_key(spki: bytes) -> _PublicKey:
    if len(spki) == 44 and spki.startswith(_ED25519_HEAD) and _is_ed25519_point(spki[12:]):
        return ed25519.Ed25519PublicKey.from_public_bytes(spki[12:])
    if len(spki) == 91 and spki.startswith(_P256_HEAD):
        try:
            return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), spki[26:])
        except ValueError as error:
            raise Refused("rapp/1 6.2", "the key's point is not on P-256") from error
    raise Refused(
        "rapp/1 6.2",
        "a key must be the DER SPKI of an Ed25519 point or of an uncompressed P-256 point",
    )


_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P


def _is_ed25519_point(encoded: bytes) -> bool:
    """Whether 32 octets decode to a point by RFC 8032 5.1.3 (small order is not asked)."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    if y >= _P:
        return False
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if square == 0:
        return sign == 0
    return pow(square, (_P - 1) // 2, _P) == 1


def key_alg(spki: bytes) -> Alg:
    """The signature algorithm of a DER SPKI.

    Raises:
        Refused: the octets are not exactly one lawful key (rapp/1 6.2).
    """
    return "EdDSA" if isinstance(_public_key(spki), ed25519.Ed25519PublicKey) else "ES256"


def is_signed(spki: bytes, octets: bytes, signature: bytes) -> bool:
    """Whether 64 signature octets are this key's over the octets.

    EdDSA by the cofactorless equation with S below the order; ES256 as raw r and s.

    Raises:
        Refused: the key's octets are not lawful.
    """
    key = _public_key(spki)
    if len(signature) != SIGNATURE_OCTETS:
        return False
    try:
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, octets)
        else:
            r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
            key.verify(encode_dss_signature(r, s), octets, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


class SigningKey:
    """A private key. Its `spki` is the DER public half, its `alg` the JWS name."""

    __slots__ = ("_private", "alg", "spki")

    def __init__(self, private: _PrivateKey) -> None:
        self._private = private
        self.spki: Final = private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.alg: Final = key_alg(self.spki)

    def __repr__(self) -> str:
        return f"SigningKey({self.alg})"

    @classmethod
    def generate(cls, alg: Alg = "EdDSA") -> "SigningKey":
        """A new key from the system's randomness."""
        if alg == "EdDSA":
            return cls(ed25519.Ed25519PrivateKey.generate())
        return cls(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def from_pem(cls, octets: bytes, password: bytes | None = None) -> "SigningKey":
        """The key of a PEM text.

        Raises:
            Refused: not a PEM private key, another password, or a key of another kind.
        """
        try:
            private = serialization.load_pem_private_key(octets, password)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise Refused("rapp/1 10", "the key file does not open as a private key") from error
        if not isinstance(private, ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey):
            raise Refused("rapp/1 10", "a signing key must be Ed25519 or P-256")
        return cls(private)

    def to_pem(self, password: bytes | None = None) -> bytes:
        """PKCS #8 as PEM, encrypted when a password is given."""
        lock: serialization.KeySerializationEncryption = (
            serialization.NoEncryption()
            if password is None
            else serialization.BestAvailableEncryption(password)
        )
        return self._private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock
        )

    def sign(self, octets: bytes) -> bytes:
        """64 signature octets; the same ones for the same octets (RFC 8032, RFC 6979)."""
        if isinstance(self._private, ed25519.Ed25519PrivateKey):
            return self._private.sign(octets)
        r, s = decode_dss_signature(
            self._private.sign(octets, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        )
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")
