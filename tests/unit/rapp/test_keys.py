"""Keys to the letter: Ed25519 and P-256, one encoding each (rapp/1 6.2, 10)."""

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from holodesk.errors import Refused
from holodesk.rapp.keys import Alg, SigningKey, is_signed, key_alg

ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
def test_a_signature_holds_for_its_octets_and_its_key_alone(alg: Alg) -> None:
    key, other = SigningKey.generate(alg), SigningKey.generate(alg)
    signature = key.sign(b"octets")
    assert (key.alg, key_alg(key.spki), len(signature)) == (alg, alg, 64)
    assert is_signed(key.spki, b"octets", signature)
    assert not is_signed(key.spki, b"octet", signature)
    assert not is_signed(other.spki, b"octets", signature)
    assert not is_signed(key.spki, b"octets", signature[:-1])
    assert not is_signed(key.spki, b"octets", bytes(64))


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
def test_the_same_octets_are_signed_alike(alg: Alg) -> None:
    key = SigningKey.generate(alg)
    assert key.sign(b"octets") == key.sign(b"octets")


def test_an_eddsa_signature_with_s_at_or_over_the_order_is_refused() -> None:
    key = SigningKey.generate()
    signature = key.sign(b"octets")
    s = int.from_bytes(signature[32:], "little") + ED25519_ORDER
    assert not is_signed(key.spki, b"octets", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("alg", ["EdDSA", "ES256"])
@pytest.mark.parametrize("password", [None, b"secret"])
def test_a_key_survives_its_pem(alg: Alg, password: bytes | None) -> None:
    key = SigningKey.generate(alg)
    again = SigningKey.from_pem(key.to_pem(password), password)
    assert again.spki == key.spki
    assert alg in repr(key)
    assert "PRIVATE" not in repr(key)


def test_a_pem_that_does_not_open_is_refused() -> None:
    locked = SigningKey.generate().to_pem(b"secret")
    plain = SigningKey.generate().to_pem()
    for octets, password in ((b"no pem", None), (locked, None), (locked, b"other"), (plain, b"x")):
        with pytest.raises(Refused):
            SigningKey.from_pem(octets, password)


def test_a_key_of_another_kind_is_refused() -> None:
    form = (
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    for private in (rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP384R1())):
        with pytest.raises(Refused):
            SigningKey.from_pem(private.private_bytes(*form))


def test_a_small_order_point_is_a_key_and_a_wrong_encoding_is_not() -> None:
    head = bytes.fromhex("302a300506032b6570032100")
    assert key_alg(head + (1).to_bytes(32, "little")) == "EdDSA"
    for y in (2, 2**255 - 19, 2**255 - 18, 1 | 1 << 255):
        with pytest.raises(Refused):
            key_alg(head + y.to_bytes(32, "little"))


def test_any_other_octets_are_no_key() -> None:
    spki = SigningKey.generate("ES256").spki
    compressed = ec.derive_private_key(5, ec.SECP256R1()).public_key()
    point = compressed.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.CompressedPoint
    )
    for octets in (b"", spki[:-1], spki + b"\x00", spki[:-1] + bytes([spki[-1] ^ 1]), point):
        with pytest.raises(Refused):
            key_alg(octets)
    with pytest.raises(Refused):
        is_signed(b"", b"", bytes(64))
