"""The registry: one owner-signed document that says whose keys and which genesis count (rapp/1 13).

What rev-18 leaves open is estate-local here: the entries ride in `entries`, `canonical_source` is
an HTTPS address or null. The one thing taken on trust is the anchor, a rappid handed over by hand:
its tail is the fingerprint of the key that everything else hangs on.
"""

from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, NoReturn, cast

from holodesk.errors import Refused, Rollback
from holodesk.rapp.canonical import Json, admit, canonical
from holodesk.rapp.entries import Entry, is_https, parse_entry
from holodesk.rapp.envelope import is_uint53
from holodesk.rapp.intake import number_tokens
from holodesk.rapp.jws import check_detached, parse_jws, sign_detached
from holodesk.rapp.keys import SigningKey
from holodesk.rapp.names import Family, check_tail, parse_rappid
from holodesk.rapp.signature import Keyring

__all__ = ["Entry", "Registry", "build_registry", "check_successor", "parse_registry"]

SCHEMA: Final = "rapp/1-registry"


@dataclass(frozen=True, slots=True)
class Registry:
    """A verified registry: `keyring` and `kinds` are what its entries say in sum."""

    owner: str
    registry_seq: int
    canonical_source: str | None
    entries: tuple[Entry, ...]
    keyring: Keyring
    kinds: Mapping[str, Family]
    octets: bytes


def parse_registry(octets: bytes, anchor: str, *, at_least: int = 0) -> Registry:
    """The registry in a JSON text, for somebody who trusts the owner named by `anchor`.

    `at_least` is the highest registry_seq verified before.

    Raises:
        NotCanonical: the text is outside the parse profile.
        Refused: another form, an owner that does not descend from the anchor, a signature that is
            missing or does not hold, entries that contradict each other.
        Rollback: registry_seq is below `at_least`.
    """
    document, written = _document(octets)
    if document["registry_seq"] < at_least:
        raise Rollback(
            "rapp/1 13.1",
            f"registry_seq must not be below {at_least}, found {document['registry_seq']}",
        )
    entries = tuple(parse_entry(value) for value in document["entries"])
    keys = _keys(entries)
    owners = _owners(entries, anchor)
    owner = owners[-1][1]
    unsigned = canonical({name: value for name, value in document.items() if name != "sig"})
    if check_detached(document["sig"], unsigned, keys).kid != owner:
        _refuse("rapp/1 13.1", f"the registry must be signed by its owner {owner}")
    revoked = _revoked(entries)
    if owner in revoked:
        _refuse("rapp/1 13.2", "the owner's own key is revoked: a new anchor is needed")
    keyring = Keyring(
        keys=keys,
        revoked=revoked,
        superseded={
            old: entry.members["utc"]
            for entry in _of(entries, "re-anchor")
            if (old := entry.members["old_rappid"]) in keys
        },
        genesis=_genesis(entries),
        owners=owners,
    )
    _check_records(entries, keyring)
    source = document.get("canonical_source")
    kinds = _kinds(entries)
    return Registry(owner, document["registry_seq"], source, entries, keyring, kinds, written)


def build_registry(
    *,
    owner: str,
    registry_seq: int,
    entries: Iterable[Entry],
    key: SigningKey,
    canonical_source: str | None = None,
) -> bytes:
    """The canonical octets of a registry signed by its owner, judged as anybody's would be.

    Raises:
        Refused: as `parse_registry`.
    """
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "registry_seq": registry_seq,
        "canonical_source": canonical_source,
        "entries": [entry.members for entry in entries],
    }
    sig = sign_detached(key, owner, canonical(document))
    return parse_registry(canonical({**document, "sig": sig}), owner).octets


def check_successor(held: Registry, found: Registry) -> None:
    """Refuse a registry that takes back what a verified one said: entries are only ever appended.

    Raises:
        Rollback: a lower registry_seq, or another document under the same one.
        Refused: an entry is gone, or changed in more than `deprecated`.
    """
    if found.registry_seq < held.registry_seq or (
        found.registry_seq == held.registry_seq and found.octets != held.octets
    ):
        raise Rollback(
            "rapp/1 13.1",
            f"registry_seq must go up from {held.registry_seq}, found {found.registry_seq}",
        )
    kept = Counter(entry.without("deprecated") for entry in found.entries)
    for entry in held.entries:
        same = entry.without("deprecated")
        if not kept[same]:
            _refuse("rapp/1 13.3", f"an entry of type {entry.type} is gone from the registry")
        kept[same] -= 1


def _document(octets: bytes) -> tuple[dict[str, Any], bytes]:
    value, written = admit(octets)
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        _refuse("rapp/1 13.1", f"a registry must be an object of schema {SCHEMA}")
    if not is_uint53(value.get("registry_seq")) or (
        written is not octets and not str(number_tokens(octets)["registry_seq"]).isdigit()
    ):
        _refuse("rapp/1 13.1", "registry_seq must be an integer from 0 to 2**53-1")
    source = value.get("canonical_source")
    if source is not None and not is_https(source):
        _refuse("rapp/1 13", "canonical_source must be an HTTPS address or null")
    if not isinstance(value.get("entries"), list):
        _refuse("rapp/1 13.3", "entries must be an array")
    if not isinstance(value.get("sig"), str):
        _refuse("rapp/1 13.1", "a registry must be signed by its owner")
    return value, written


def _of(entries: Iterable[Entry], word: str) -> list[Entry]:
    return [entry for entry in entries if entry.type == word]


def _keys(entries: tuple[Entry, ...]) -> dict[str, bytes]:
    untagged = _untagged(entries)
    keys: dict[str, bytes] = {}
    for entry in _of(entries, "spki"):
        rappid, spki = entry.members["rappid"], b64decode(entry.members["spki_der_b64"])
        if keys.get(rappid, spki) != spki:
            _refuse("rapp/1 13.3", f"two keys are named for {rappid}")
        if rappid in untagged:
            if sha256(spki).hexdigest() != parse_rappid(rappid).tail:
                _refuse("rapp/1 6.3", f"the old tail of {rappid} is not the hash of its key")
            continue
        check_tail(rappid, spki)
        keys[rappid] = spki
    return keys


def _untagged(entries: tuple[Entry, ...]) -> set[str]:
    """Identities of the early form, whose tail is the plain hash of their key (rapp/1 6.3)."""
    records = _of(entries, "re-anchor")
    return {
        entry.members["old_rappid"] for entry in records if entry.members["case"] == "tag-migrate"
    }


def _owners(entries: tuple[Entry, ...], anchor: str) -> tuple[tuple[str, str], ...]:
    """Every owner with the utc its tenure begins at, the first one's "" (rapp/1 13.2)."""
    named = _of(entries, "estate_owner")
    if len(named) != 1:
        _refuse("rapp/1 13.3", f"a registry must name exactly one estate_owner, found {len(named)}")
    owner = str(named[0].members["rappid"])
    passages = _passages(entries)
    owners: list[tuple[str, str]] = []
    while (passage := passages.pop(owner, None)) is not None:
        if passage.members["case"] == "compromise":
            _refuse("rapp/1 13.2", "a compromised owner is replaced by a new anchor alone")
        owners.append((passage.members["utc"], owner))
        owner = passage.members["old_rappid"]
    owners.append(("", owner))
    owners.reverse()
    if anchor not in {rappid for _, rappid in owners}:
        _refuse("rapp/1 13.1", f"the registry's owner does not descend from the anchor {anchor}")
    if any(later <= earlier for (earlier, _), (later, _) in pairwise(owners)):
        _refuse("rapp/1 13.2", "the owners' tenures must follow each other in time")
    return tuple(owners)


def _passages(entries: tuple[Entry, ...]) -> dict[str, Entry]:
    """The re-anchor records by where they lead."""
    records = _of(entries, "re-anchor")
    for end in ("old_rappid", "new_rappid"):
        if len({entry.members[end] for entry in records}) != len(records):
            _refuse("rapp/1 6.3", f"two re-anchor records share an {end}")
    return {entry.members["new_rappid"]: entry for entry in records}


def _revoked(entries: tuple[Entry, ...]) -> dict[str, str]:
    revoked: dict[str, str] = {}
    for entry in _of(entries, "tombstone"):
        rappid, utc = entry.members["rappid"], entry.members["revoked_utc"]
        revoked[rappid] = min(utc, revoked.get(rappid, utc))
    return revoked


def _genesis(entries: tuple[Entry, ...]) -> dict[str, str]:
    live: dict[str, list[str]] = {}
    for entry in _of(entries, "genesis"):
        hashes = live.setdefault(entry.members["stream_id"], [])
        if not entry.members["deprecated"]:
            hashes.append(entry.members["frame_hash"])
    for stream_id, hashes in live.items():
        if len(hashes) != 1:
            found = f"found {len(hashes)}"
            _refuse("rapp/1 12.1", f"{stream_id} must have exactly one live genesis, {found}")
    return {stream_id: hashes[0] for stream_id, hashes in live.items()}


def _kinds(entries: tuple[Entry, ...]) -> dict[str, Family]:
    kinds: dict[str, Family] = {}
    for entry in _of(entries, "kind"):
        kind, family = entry.members["kind"], entry.members["family"]
        if kinds.setdefault(kind, family) != family:
            _refuse("rapp/1 13.3", f"the kind {kind} is bound to two families")
    return kinds


def _check_records(entries: tuple[Entry, ...], keyring: Keyring) -> None:
    """The entries that carry signatures of their own."""
    owners = {rappid for _, rappid in keyring.owners}
    for entry in _of(entries, "tombstone"):
        # The entry does not say when it was issued, so any owner of the succession may have.
        jws = check_detached(entry.members["sig"], entry.without("sig"), keyring.keys)
        if jws.kid not in owners:
            _refuse("rapp/1 10", "a tombstone must be signed by an owner of the estate")
    for entry in _of(entries, "re-anchor"):
        _check_passage(entry, keyring)
    kernels = _of(entries, "grail-kernel")
    for entry in kernels:
        _check_owner_signed(entry, entry.members["activated_utc"], keyring)
        if parse_jws(entry.members["sig"]).kid != entry.members["declared_by"]:
            _refuse("rapp/1 13.3", "a grail-kernel must be signed by the one that declares it")
    for name in ("grail_id", "release_scope"):
        if len({entry.members[name] for entry in kernels}) != len(kernels):
            _refuse("rapp/1 13.3", f"two grail-kernel entries share a {name}")


def _check_passage(entry: Entry, keyring: Keyring) -> None:
    """A re-anchor record: signed by the owner in effect, and proven as its case asks (6.3)."""
    members = entry.members
    old, case = members["old_rappid"], members["case"]
    owners = [rappid for _, rappid in keyring.owners]
    if (members["utc"], members["new_rappid"]) in keyring.owners:
        # The owner's own passage is signed by the outgoing owner, whose tenure it ends.
        before = owners[owners.index(members["new_rappid"]) - 1]
        _check_kid(entry, before, keyring)
    else:
        _check_owner_signed(entry, members["utc"], keyring)
    if (case == "rotation") != ("old_key_sig" in members):
        _refuse("rapp/1 6.3", "a rotation, and nothing else, must be signed by the old key too")
    if case == "rotation":
        unsigned = entry.without("sig", "old_key_sig")
        if check_detached(members["old_key_sig"], unsigned, keyring.keys).kid != old:
            _refuse("rapp/1 6.3", f"old_key_sig must be signed by {old}")
    if case == "compromise" and old not in keyring.revoked:
        _refuse("rapp/1 6.3", f"a compromise must come with a tombstone for {old}")


def _check_owner_signed(entry: Entry, utc: str, keyring: Keyring) -> None:
    _check_kid(entry, cast("str", keyring.owner_at(utc)), keyring)


def _check_kid(entry: Entry, owner: str, keyring: Keyring) -> None:
    kid = check_detached(entry.members["sig"], entry.without("sig"), keyring.keys).kid
    if kid != owner:
        _refuse("rapp/1 13.2", f"a {entry.type} must be signed by the owner {owner}, found {kid}")


def _refuse(rule: str, message: str) -> NoReturn:
    raise Refused(rule, message)
