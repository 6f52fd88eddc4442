"""Registry entries: each type with exactly its members, each member in its form (rapp/1 13.3).

A type that this table does not know is kept and means nothing here: the registry may grow.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from holodesk.errors import Refused
from holodesk.rapp.canonical import Json, canonical
from holodesk.rapp.envelope import is_hash, is_stream_id, is_uint53
from holodesk.rapp.jws import parse_jws, sign_detached
from holodesk.rapp.keys import SigningKey
from holodesk.rapp.names import Family, check_kind, check_utc, parse_rappid

RULE: Final = "rapp/1 13.3"
Case = Literal["upgrade", "rotation", "compromise", "tag-migrate"]

_GRAIL_KERNEL: Final = (
    "release_scope grail_id repository immutable_ref object_format commit path mode blob "
    "sha256 size_bytes activated_utc predecessor declared_by sig"
)
_SHAPES: Final[Mapping[str, tuple[str, str]]] = {
    "protocol": ("name spec_repo spec_path spec_hash deprecated", ""),
    "kind": ("kind family deprecated", ""),
    "egg-variant": ("variant deprecated", ""),
    "error-code": ("code", ""),
    "genesis": ("stream_id frame_hash deprecated", "old_stream_id new_stream_id"),
    "spki": ("rappid spki_der_b64 deprecated", ""),
    "tombstone": ("rappid revoked_utc sig", ""),
    "re-anchor": ("old_rappid new_rappid case utc sig", "old_key_sig"),
    "grail-kernel": (_GRAIL_KERNEL, ""),
    "estate_owner": ("rappid", ""),
    "master-plan": ("repo path", ""),
}
"""The members of each type beside `type`: those that must be there, those that may."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, its members as they stand in the document."""

    members: dict[str, Any]

    @property
    def type(self) -> str:
        """The word that says what the entry is."""
        return str(self.members["type"])

    def without(self, *names: str) -> bytes:
        """The canonical octets less some members: what an entry's own signatures cover."""
        return canonical({k: v for k, v in self.members.items() if k not in names})

    @classmethod
    def estate_owner(cls, rappid: str) -> "Entry":
        """Who owns the estate. Its tenure begins with a re-anchor record, or with the estate."""
        return parse_entry({"type": "estate_owner", "rappid": rappid})

    @classmethod
    def spki(cls, rappid: str, spki: bytes, *, deprecated: bool = False) -> "Entry":
        """The key of an identity, as DER."""
        text = b64encode(spki).decode()
        members: dict[str, Json] = {"rappid": rappid, "spki_der_b64": text}
        return parse_entry({"type": "spki", "deprecated": deprecated, **members})

    @classmethod
    def genesis(cls, stream_id: str, frame_hash: str, *, deprecated: bool = False) -> "Entry":
        """The genesis of a stream; of all for one stream exactly one is not deprecated."""
        members: dict[str, Json] = {"stream_id": stream_id, "frame_hash": frame_hash}
        return parse_entry({"type": "genesis", "deprecated": deprecated, **members})

    @classmethod
    def kind(cls, kind: str, family: Family, *, deprecated: bool = False) -> "Entry":
        """A kind and the one family it belongs to."""
        members: dict[str, Json] = {"kind": kind, "family": family}
        return parse_entry({"type": "kind", "deprecated": deprecated, **members})

    @classmethod
    def tombstone(cls, rappid: str, revoked_utc: str, *, owner: str, key: SigningKey) -> "Entry":
        """From when on a key's signatures are refused; signed by the estate owner."""
        members: dict[str, Json] = {
            "type": "tombstone",
            "rappid": rappid,
            "revoked_utc": revoked_utc,
        }
        return parse_entry({**members, "sig": sign_detached(key, owner, canonical(members))})

    @classmethod
    def re_anchor(
        cls,
        old: str,
        new: str,
        case: Case,
        utc: str,
        *,
        owner: str,
        key: SigningKey,
        old_key: SigningKey | None = None,
    ) -> "Entry":
        """One identity's passage to another, signed by the owner; a rotation by the old key too."""
        members: dict[str, Json] = {"type": "re-anchor", "case": case, "utc": utc}
        members |= {"old_rappid": old, "new_rappid": new}
        if old_key is not None:
            members["old_key_sig"] = sign_detached(old_key, old, canonical(members))
        return parse_entry({**members, "sig": sign_detached(key, owner, canonical(members))})


def parse_entry(value: Json) -> Entry:
    """The entry in a parsed value.

    Raises:
        Refused: not an object with a type, or a known type with other members or another form.
    """
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        _refuse("a registry entry must be an object with a type")
    members: dict[str, Any] = value
    if members["type"] in _SHAPES:
        _check_shape(members)
    return Entry(members)


def _check_shape(members: dict[str, Any]) -> None:
    word = members["type"]
    needed, allowed = (set(names.split()) for names in _SHAPES[word])
    found = members.keys() - {"type"}
    if not needed <= found <= needed | allowed:
        _refuse(f"{word} must have {', '.join(sorted(needed))}, found {', '.join(sorted(found))}")
    for name in sorted(found):
        form, told = _form(word, name, members)
        if not form(members[name]):
            _refuse(f"{name} of {word} must be {told}, found {members[name]!r:.80}")


_Form = tuple[Callable[[Any], bool], str]


def _form(word: str, name: str, members: dict[str, Any]) -> _Form:
    if word == "re-anchor" and name == "old_rappid" and members["case"] == "upgrade":
        return _is_provisional, "a rappid of an old short tail"
    return _FORMS.get(name, (_is_text, "a string"))


def _holds(check: Callable[[str], object]) -> Callable[[Any], bool]:
    def is_met(value: Any) -> bool:
        try:
            check(value if isinstance(value, str) else "")
        except Refused:
            return False
        return True

    return is_met


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_key(value: Any) -> bool:
    try:
        octets = b64decode(value, validate=True) if isinstance(value, str) else b""
    except (Base64Error, ValueError):
        return False
    return octets != b"" and b64encode(octets).decode() == value


def _is_size(value: Any) -> bool:
    return is_uint53(value) and value > 0


def _is_grail(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("grail:") and is_hash(value[6:])


def _is_predecessor(value: Any) -> bool:
    return value is None or _is_grail(value)


_PROVISIONAL: Final = re.compile(r"rappid:@[a-z0-9-]+/[a-z0-9-]+:[0-9a-f]{1,63}")
_OBJECT_ID: Final = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_HTTPS: Final = re.compile(r"https://[^\s/]+\S*")


def _is_provisional(value: Any) -> bool:
    return isinstance(value, str) and _PROVISIONAL.fullmatch(value) is not None


def _is_object_id(value: Any) -> bool:
    return isinstance(value, str) and _OBJECT_ID.fullmatch(value) is not None


def is_https(value: object) -> bool:
    """Whether a value is an absolute HTTPS address."""
    return isinstance(value, str) and _HTTPS.fullmatch(value) is not None


def _one_of(*words: str) -> _Form:
    return (lambda value: value in words), " or ".join(words)


_RAPPID: Final = (_holds(parse_rappid), "a rappid")
_UTC: Final = (_holds(check_utc), "a utc")
_HASH: Final = (is_hash, "64 lowercase hex")
_STREAM: Final = (is_stream_id, "a stream_id")
_SIG: Final = (_holds(parse_jws), "a detached JWS")

_FORMS: Final[Mapping[str, _Form]] = {
    "deprecated": (_is_bool, "true or false"),
    "rappid": _RAPPID,
    "old_rappid": _RAPPID,
    "new_rappid": _RAPPID,
    "declared_by": _RAPPID,
    "kind": (_holds(check_kind), "a kind"),
    "family": _one_of("body", "memory", "swarm"),
    "stream_id": _STREAM,
    "old_stream_id": _STREAM,
    "new_stream_id": _STREAM,
    "frame_hash": _HASH,
    "spec_hash": _HASH,
    "sha256": _HASH,
    "spki_der_b64": (_is_key, "standard base64"),
    "utc": _UTC,
    "revoked_utc": _UTC,
    "activated_utc": _UTC,
    "sig": _SIG,
    "old_key_sig": _SIG,
    "case": _one_of("upgrade", "rotation", "compromise", "tag-migrate"),
    "object_format": _one_of("sha1", "sha256"),
    "mode": _one_of("100644", "100755"),
    "commit": (_is_object_id, "a whole object id"),
    "blob": (_is_object_id, "a whole object id"),
    "size_bytes": (_is_size, "a positive integer"),
    "grail_id": (_is_grail, "grail: and 64 lowercase hex"),
    "predecessor": (_is_predecessor, "null or a grail_id"),
    "release_scope": (is_https, "an HTTPS address"),
    "repository": (is_https, "an HTTPS address"),
}


def _refuse(message: str) -> NoReturn:
    raise Refused(RULE, message)
