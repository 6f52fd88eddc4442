"""What each variant of an egg must hold (rapp/1 9.2, 9.2.1).

One table: the variant's word, and the check of its payload and its files.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, Protocol

from holodesk.errors import Refused
from holodesk.rapp.address import hash_value
from holodesk.rapp.canonical import parse
from holodesk.rapp.entries import is_https
from holodesk.rapp.envelope import SPEC, is_hash, is_uint53
from holodesk.rapp.names import parse_rappid

SEALED_AAD: Final = "rapp/1:sealed-aad"
MAX_SEALED_OCTETS: Final = 1 << 30
"""The largest plaintext of a sealed egg, in octets."""
CIPHERTEXT: Final = "ciphertext.bin"
_TAG_OCTETS: Final = 16


class Packed(Protocol):
    """An egg as far as the egg around it must know it."""

    @property
    def variant(self) -> str: ...

    @property
    def rappid(self) -> str: ...


Files = Mapping[str, bytes]
Reader = Callable[[bytes], Packed]


def check_variant(manifest: dict[str, Any], files: Files, read: Reader) -> None:
    """Refuse an egg that does not hold what its variant must hold.

    `read` reads an egg that is packed in this one.

    Raises:
        Refused: an unknown variant, another payload, other files.
    """
    variant = manifest["variant"]
    check = _CHECKS.get(variant) if isinstance(variant, str) else None
    if check is None:
        _refuse(f"the variant {variant!r:.60} is not known")
    check(manifest, files, read)


def _check_organism(manifest: dict[str, Any], files: Files, _read: Reader) -> None:
    if "soul.md" not in files:
        _refuse("an organism must hold rappid.json and soul.md")
    _check_identity(manifest, files)


def _check_rapplication(manifest: dict[str, Any], files: Files, _read: Reader) -> None:
    if "agent.py" not in files:
        _refuse("a rapplication must hold rappid.json and one agent.py")
    _check_identity(manifest, files)


def _check_identity(manifest: dict[str, Any], files: Files) -> None:
    if "rappid.json" not in files:
        _refuse(f"an egg of variant {manifest['variant']} must hold rappid.json")
    identity = parse(files["rappid.json"])
    if not isinstance(identity, dict) or identity.get("rappid") != manifest["rappid"]:
        _refuse("rappid.json must be an object that names the manifest's rappid")
    if identity.get("schema", SPEC) != SPEC:
        _refuse(f"the schema of rappid.json must be {SPEC!r}")


def _check_session(manifest: dict[str, Any], files: Files, _read: Reader) -> None:
    payload = manifest["payload"]
    if (
        files
        or payload.keys() != {"runtime", "transcript"}
        or not isinstance(payload["runtime"], str)
        or not isinstance(payload["transcript"], list)
        or not all(isinstance(turn, dict) for turn in payload["transcript"])
    ):
        _refuse("a session must hold exactly a runtime and a transcript of objects")


def _check_invite(manifest: dict[str, Any], files: Files, _read: Reader) -> None:
    payload = manifest["payload"]
    if (
        files
        or payload.keys() != {"target_rappid", "target_url", "target_kind"}
        or not isinstance(payload["target_url"], str)
        or payload["target_kind"] not in ("neighborhood", "estate")
    ):
        _refuse("an invite must hold exactly target_rappid, target_url and target_kind")
    _check_rappid(payload["target_rappid"])


def _check_rappid(value: object) -> None:
    if not isinstance(value, str):
        _refuse(f"expected a rappid, found {value!r:.60}")
    parse_rappid(value)


def _packs(member: str, variant: str) -> Callable[[dict[str, Any], Files, Reader], None]:
    """The check of an egg that packs one egg of `variant` for each rappid of its list."""

    def check(manifest: dict[str, Any], files: Files, read: Reader) -> None:
        payload = manifest["payload"]
        listed = payload.get(member)
        if payload.keys() != {member} or not isinstance(listed, list):
            _refuse(f"the payload must be exactly the array {member}")
        for rappid in listed:
            _check_rappid(rappid)
        names = {_file_of(rappid): rappid for rappid in listed}
        if len(names) != len(listed) or names.keys() != files.keys():
            _refuse(f"the files must be one egg for each of {member}, each once")
        for name, rappid in names.items():
            packed = read(files[name])
            if packed.variant != variant or packed.rappid != rappid:
                _refuse(f"{name!r:.160} must be the {variant} {rappid}")

    return check


def _file_of(rappid: str) -> str:
    identity = parse_rappid(rappid)
    return f"{identity.owner}--{identity.slug}.egg"


def _check_sealed(manifest: dict[str, Any], files: Files, _read: Reader) -> None:
    if files.keys() != {CIPHERTEXT}:
        _refuse(f"a sealed egg must hold exactly {CIPHERTEXT}")
    payload = manifest["payload"]
    if payload.keys() != _SEALED.keys():
        _refuse(f"the payload of a sealed egg must be exactly {', '.join(sorted(_SEALED))}")
    for name, form in _SEALED.items():
        if not form(payload[name]):
            _refuse(f"{name} of a sealed egg has another form, found {payload[name]!r:.80}")
    if len(files[CIPHERTEXT]) != payload["plaintext_bytes"] + _TAG_OCTETS:
        _refuse(f"{CIPHERTEXT} must be plaintext_bytes and {_TAG_OCTETS} octets long")
    descriptor = {
        "schema": payload["schema"],
        "artifact_rappid": manifest["rappid"],
        "created_utc": manifest["created_utc"],
        "key_id": payload["key_id"],
        "plaintext_commitment": payload["plaintext_commitment"],
        "plaintext_bytes": payload["plaintext_bytes"],
        "media_type": payload["media_type"],
    }
    if hash_value(SEALED_AAD, descriptor) != payload["aad_hash"]:
        _refuse("aad_hash must be the hash of the egg's own descriptor")


_NONCE: Final = re.compile("[A-Za-z0-9_-]{16}")


def _is_nonce(value: Any) -> bool:
    is_text = isinstance(value, str) and _NONCE.fullmatch(value) is not None
    return is_text and len(urlsafe_b64decode(value)) == 12


def _is_rappid(value: Any) -> bool:
    try:
        _check_rappid(value)
    except Refused:
        return False
    return True


def _is_chat_address(value: Any) -> bool:
    return is_https(value) and value.endswith("/chat")


_SEALED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "schema": lambda value: value == "rapp-sealed-artifact/1",
    "cipher": lambda value: value == "A256GCM",
    "access": lambda value: value == "scoped-key-release",
    "nonce": _is_nonce,
    "plaintext_commitment": is_hash,
    "plaintext_bytes": lambda value: is_uint53(value) and value <= MAX_SEALED_OCTETS,
    "media_type": lambda value: isinstance(value, str),
    "key_id": is_hash,
    "key_service_rappid": _is_rappid,
    "key_service_url": _is_chat_address,
    "aad_hash": is_hash,
}

_CHECKS: Final[Mapping[str, Callable[[dict[str, Any], Files, Reader], None]]] = {
    "organism": _check_organism,
    "rapplication": _check_rapplication,
    "session": _check_session,
    "invite": _check_invite,
    "neighborhood": _packs("members", "organism"),
    "estate": _packs("neighborhoods", "neighborhood"),
    "sealed": _check_sealed,
}


def _refuse(message: str) -> NoReturn:
    raise Refused("rapp/1 9.2", message)
