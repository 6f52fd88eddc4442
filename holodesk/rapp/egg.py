"""The egg: a cartridge whose manifest names it and every file in it (rapp/1 9).

Integrity first, then whether it can live: manifest, file hashes, variant, signature. One failure
refuses the whole.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NoReturn

from holodesk.errors import Refused
from holodesk.rapp.address import EGG, EGG_MANIFEST, hash_octets, hash_value
from holodesk.rapp.archive import read_archive, write_archive
from holodesk.rapp.canonical import Json, admit, canonical
from holodesk.rapp.egg_variants import check_variant
from holodesk.rapp.envelope import is_hash
from holodesk.rapp.frame import check_names
from holodesk.rapp.jws import check_detached, parse_jws, sign_detached
from holodesk.rapp.keys import SigningKey
from holodesk.rapp.names import check_utc, parse_rappid
from holodesk.rapp.signature import Keyring

SCHEMA: Final = "rapp/1-egg"
MANIFEST: Final = "manifest.json"
MEMBERS: Final = frozenset(
    {"schema", "variant", "rappid", "created_utc", "contents", "payload", "sig"}
)
JSON_VARIANTS: Final = frozenset({"session", "invite"})
SIGNED_VARIANTS: Final = frozenset({"invite", "sealed"})


@dataclass(frozen=True, slots=True)
class Egg:
    """A verified egg. `address` names it: the hash of its manifest less `sig`."""

    manifest: dict[str, Any]
    files: Mapping[str, bytes]
    address: str
    octets: bytes

    @property
    def variant(self) -> str:
        """What the egg packs."""
        return str(self.manifest["variant"])

    @property
    def rappid(self) -> str:
        """The identity of the artifact."""
        return str(self.manifest["rappid"])


def parse_egg(octets: bytes, keyring: Keyring = Keyring.EMPTY) -> Egg:
    """The egg in its octets.

    Raises:
        NotCanonical: a manifest outside the parse profile.
        Refused: any rule of the container, the manifest, the files, the variant or the signature.
    """
    egg = _read(octets)
    _check_signature(egg, keyring)
    return egg


def build_egg(
    *,
    variant: str,
    rappid: str,
    created_utc: str,
    payload: dict[str, Json],
    files: Mapping[str, bytes] | None = None,
    key: SigningKey | None = None,
    kid: str | None = None,
) -> Egg:
    """The egg of the given parts, read back as anybody's would be; its signature is not checked.

    Raises:
        Refused: parts that make no lawful egg, or a member name a producer must not write.
    """
    check_names(payload)
    packed = files or {}
    contents: list[Json] = [
        {"path": path, "hash": hash_octets(EGG, packed[path])}
        for path in sorted(packed, key=str.encode)
    ]
    manifest: dict[str, Json] = {
        "schema": SCHEMA,
        "variant": variant,
        "rappid": rappid,
        "created_utc": created_utc,
        "contents": contents,
        "payload": payload,
    }
    unsigned = canonical(manifest)
    manifest["sig"] = None if key is None else sign_detached(key, kid or rappid, unsigned)
    return _read(_container(manifest, packed))


def _container(manifest: dict[str, Json], files: Mapping[str, bytes]) -> bytes:
    written = canonical(manifest)
    if manifest["variant"] in JSON_VARIANTS:
        return written
    order = sorted(files, key=str.encode)
    return write_archive([(MANIFEST, written), *((path, files[path]) for path in order)])


def _read(octets: bytes) -> Egg:
    packed = read_archive(octets) if octets.startswith(b"PK") else ((MANIFEST, octets),)
    if not packed or packed[0][0] != MANIFEST:
        _refuse("9.1", "the first file of an egg must be manifest.json")
    manifest = _manifest(packed[0][1])
    if (manifest["variant"] in JSON_VARIANTS) == octets.startswith(b"PK"):
        _refuse("9.2", f"the variant {manifest['variant']} comes in the other container")
    files = dict(packed[1:])
    listed = [(entry["path"], entry["hash"]) for entry in manifest["contents"]]
    if [path for path, _ in packed[1:]] != [path for path, _ in listed]:
        _refuse("9.1", "the files of an egg must be those of contents, in that order")
    for path, address in listed:
        if hash_octets(EGG, files[path]) != address:
            _refuse("9.3", f"the file {path!r:.120} is not the one that contents names")
    unsigned = {name: value for name, value in manifest.items() if name != "sig"}
    egg = Egg(manifest, files, hash_value(EGG_MANIFEST, unsigned), octets)
    if egg.variant in SIGNED_VARIANTS and manifest["sig"] is None:
        _refuse("9.2", f"an egg of variant {egg.variant} must be signed")
    check_variant(manifest, files, _read)
    return egg


def _manifest(octets: bytes) -> dict[str, Any]:
    manifest, written = admit(octets)
    if written != octets:
        _refuse("9.1", "a manifest must be in canonical form")
    if not isinstance(manifest, dict) or manifest.keys() != MEMBERS:
        _refuse("9.1", "a manifest must have exactly its seven members")
    found: dict[str, Any] = manifest
    if found["schema"] != SCHEMA:
        _refuse("9.1", f"schema must be {SCHEMA!r}, found {found['schema']!r:.60}")
    for name, check in (("rappid", parse_rappid), ("created_utc", check_utc)):
        if not isinstance(found[name], str):
            _refuse("9.1", f"{name} must be a string")
        check(found[name])
    if not isinstance(found["payload"], dict):
        _refuse("9.1", "payload must be an object")
    if found["sig"] is not None:
        if not isinstance(found["sig"], str):
            _refuse("9.1", "sig must be null or a detached JWS")
        parse_jws(found["sig"])
    _check_contents(found["contents"])
    return found


def _check_contents(contents: object) -> None:
    if not isinstance(contents, list):
        _refuse("9.1", "contents must be an array")
    paths: list[bytes] = []
    for entry in contents:
        if not isinstance(entry, dict) or entry.keys() != {"path", "hash"}:
            _refuse("9.1", "an entry of contents must have exactly path and hash")
        if not isinstance(entry["path"], str) or not is_hash(entry["hash"]):
            _refuse("9.1", "an entry of contents must name a path and 64 lowercase hex")
        check_path(entry["path"])
        paths.append(entry["path"].encode())
    if any(later <= earlier for earlier, later in pairwise(paths)):
        _refuse("9.1", "contents must be sorted by path, each path once")


_DEVICE: Final = re.compile("CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9]", re.IGNORECASE | re.ASCII)
_CONTROL: Final = re.compile("[\x00-\x1f]")


def check_path(path: str) -> None:
    """Refuse a path that is not a plain, relative, portable one (rapp/1 9.1).

    Raises:
        Refused: such a path.
    """
    segments = path.split("/")
    if (
        path == MANIFEST
        or "\\" in path
        or not unicodedata.is_normalized("NFC", path)
        or any(_is_unlawful(segment) for segment in segments)
    ):
        _refuse("9.1", f"an egg must not hold the path {path!r:.160}")


def _is_unlawful(segment: str) -> bool:
    return (
        segment in ("", ".", "..")
        or segment.endswith((".", " "))
        or ":" in segment
        or _CONTROL.search(segment) is not None
        or _DEVICE.fullmatch(segment.partition(".")[0]) is not None
    )


def _check_signature(egg: Egg, keyring: Keyring) -> None:
    sig = egg.manifest["sig"]
    if sig is None:
        return
    unsigned = {name: value for name, value in egg.manifest.items() if name != "sig"}
    kid = check_detached(sig, canonical(unsigned), keyring.keys).kid
    keyring.check_in_force(kid, egg.manifest["created_utc"])
    if egg.variant == "invite" and kid not in {rappid for _, rappid in keyring.owners}:
        _refuse("9.1", f"an invite must be signed by an owner of the estate, found {kid}")
    if egg.variant == "sealed" and kid != egg.rappid:
        _refuse("9.2.1", f"a sealed egg must be signed by {egg.rappid}, found {kid}")


def _refuse(section: str, message: str) -> NoReturn:
    raise Refused(f"rapp/1 {section}", message)
