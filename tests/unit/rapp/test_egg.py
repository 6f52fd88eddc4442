"""Eggs: manifest, files, variant, signature; one failure refuses the whole (rapp/1 9)."""

from typing import Any

import pytest

from holodesk.errors import NotCanonical, Refused
from holodesk.rapp.address import hash_octets, hash_value
from holodesk.rapp.archive import write_archive
from holodesk.rapp.canonical import canonical
from holodesk.rapp.egg import Egg, build_egg, check_path, parse_egg
from holodesk.rapp.jws import sign_detached
from holodesk.rapp.signature import Keyring
from tests.unit.rapp.chains import BODY, LATER, UTC, owner, ring

SOUL = b"# soul\n"


def identity(rappid: str) -> bytes:
    return canonical({"rappid": rappid, "schema": "rapp/1"})


def organism(rappid: str = BODY, **changes: Any) -> Egg:
    files = {"rappid.json": identity(rappid), "soul.md": SOUL} | changes.pop("files", {})
    given: dict[str, Any] = {"variant": "organism", "created_utc": UTC, "payload": {}} | changes
    return build_egg(rappid=rappid, files=files, **given)


def session(**changes: Any) -> Egg:
    payload = {"runtime": "test", "transcript": [{"role": "user"}]}
    given: dict[str, Any] = {"payload": payload, "rappid": BODY, "created_utc": UTC}
    return build_egg(variant="session", **(given | changes))


def refused(octets: bytes, keyring: Keyring = Keyring.EMPTY) -> Refused:
    with pytest.raises(Refused) as refusal:
        parse_egg(octets, keyring)
    return refusal.value


def test_an_egg_is_read_back_as_it_was_built() -> None:
    for egg in (organism(), session()):
        assert parse_egg(egg.octets) == egg
        assert (egg.variant, egg.rappid) == (egg.manifest["variant"], BODY)


def test_the_address_of_an_egg_leaves_out_its_signature_alone() -> None:
    kid, key = owner()
    plain, signed = session(), session(key=key, kid=kid)
    unsigned = {name: value for name, value in plain.manifest.items() if name != "sig"}
    assert plain.address == signed.address == hash_value("rapp/1:egg-manifest", unsigned)
    assert plain.octets != signed.octets


def test_a_json_egg_is_exactly_its_canonical_manifest() -> None:
    egg = session()
    assert egg.octets == canonical(egg.manifest)
    assert refused(b" " + egg.octets).rule == "rapp/1 9.1"
    with pytest.raises(NotCanonical):
        parse_egg(b"{")


def test_a_variant_comes_in_its_own_container() -> None:
    packed = write_archive([("manifest.json", session().octets)])
    assert refused(packed).rule == "rapp/1 9.2"
    assert refused(canonical(organism().manifest)).rule == "rapp/1 9.2"


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "rapp/1-egg "},
        {"variant": "omelette"},
        {"variant": 5},
        {"rappid": "kody"},
        {"rappid": None},
        {"created_utc": "today"},
        {"created_utc": 5},
        {"payload": []},
        {"sig": ""},
        {"sig": 5},
        {"contents": {}},
        {"contents": ["a"]},
        {"contents": [{"path": "a"}]},
        {"contents": [{"path": 5, "hash": "a" * 64}]},
        {"contents": [{"path": "a", "hash": "A" * 64}]},
        {"contents": [{"path": "a", "hash": "a" * 64}]},
        {"extra": 1},
    ],
)
def test_a_manifest_out_of_its_form_is_refused(changes: Any) -> None:
    refused(canonical(session().manifest | changes))


def test_a_manifest_without_a_member_is_refused() -> None:
    manifest = session().manifest
    for name in manifest:
        refused(canonical({k: v for k, v in manifest.items() if k != name}))


def repacked(egg: Egg, files: dict[str, bytes], **changes: Any) -> bytes:
    manifest = canonical(egg.manifest | changes)
    return write_archive([("manifest.json", manifest), *files.items()])


def test_the_files_are_those_of_contents_in_that_order() -> None:
    egg = organism()
    files = dict(egg.files)
    assert parse_egg(repacked(egg, files)) == egg
    for spoiled in (
        {**files, "z.txt": b""},
        {"soul.md": SOUL, "rappid.json": files["rappid.json"]},
        {"rappid.json": files["rappid.json"]},
    ):
        assert refused(repacked(egg, spoiled)).rule == "rapp/1 9.1"
    assert refused(repacked(egg, {**files, "soul.md": b"# other\n"})).rule == "rapp/1 9.3"
    assert refused(write_archive([("soul.md", SOUL)])).rule == "rapp/1 9.1"
    assert refused(write_archive([])).rule == "rapp/1 9.1"


def test_contents_are_sorted_by_the_octets_of_their_paths() -> None:
    egg = organism(files={"\U00010000": b"1", "\uffee": b"2", "Z": b"3"})
    assert list(egg.files) == ["Z", "rappid.json", "soul.md", "\uffee", "\U00010000"]
    entries = [
        {"path": path, "hash": hash_octets("rapp/1:egg", egg.files[path])} for path in egg.files
    ]
    for order in (entries[::-1], [*entries, entries[-1]]):
        files = {entry["path"]: egg.files[entry["path"]] for entry in order}
        assert refused(repacked(egg, files, contents=order)).rule == "rapp/1 9.1"


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/a",
        "a/",
        "a//b",
        "./a",
        "a/../b",
        "..",
        "a\\b",
        "c:/a",
        "a:b",
        "a\x1fb",
        "a.",
        "a ",
        "a./b",
        "con",
        "NUL.txt",
        "x/Lpt1.tar.gz",
        "manifest.json",
        "e\u0301.txt",
    ],
)
def test_a_path_that_is_not_plain_relative_and_portable_is_refused(path: str) -> None:
    with pytest.raises(Refused):
        check_path(path)
    with pytest.raises(Refused):
        organism(files={path: b""})


@pytest.mark.parametrize(
    "path", ["a", "docs/a.md", "x/manifest.json", "console", "com10", "\u00e9/\u65e5.txt", "...x"]
)
def test_a_plain_path_is_packed(path: str) -> None:
    check_path(path)
    assert path in organism(files={path: b"x"}).files


def test_paths_that_differ_in_case_or_nest_are_no_fault_of_the_egg() -> None:
    egg = organism(files={"docs": b"", "docs/a": b"", "Docs": b""})
    assert parse_egg(egg.octets) == egg


@pytest.mark.parametrize(
    "packed",
    [
        {"rappid.json": b"[]"},
        {"rappid.json": b"{}"},
        {"rappid.json": canonical({"rappid": BODY[:-1] + "b"})},
        {"rappid.json": canonical({"rappid": BODY, "schema": "rapp/2"})},
        {"rappid.json": b"{"},
    ],
)
def test_an_organism_names_the_identity_of_its_manifest(packed: dict[str, bytes]) -> None:
    with pytest.raises(Refused):
        organism(files=packed)


def test_an_organism_and_a_rapplication_hold_what_they_must() -> None:
    common: Any = {"rappid": BODY, "created_utc": UTC, "payload": {}}
    names, soul, agent = {"rappid.json": identity(BODY)}, {"soul.md": SOUL}, {"agent.py": b"pass"}
    assert build_egg(variant="rapplication", files=names | agent, **common)
    for variant, files in (
        ("organism", names),
        ("organism", soul),
        ("rapplication", names),
        ("rapplication", agent),
        ("rapplication", names | {"x/agent.py": b""}),
    ):
        with pytest.raises(Refused):
            build_egg(variant=variant, files=files, **common)


@pytest.mark.parametrize(
    "payload",
    [
        {"runtime": "x"},
        {"runtime": 5, "transcript": []},
        {"runtime": "x", "transcript": {}},
        {"runtime": "x", "transcript": ["hi"]},
        {"runtime": "x", "transcript": [], "more": 1},
    ],
)
def test_a_session_is_a_runtime_and_a_transcript(payload: Any) -> None:
    with pytest.raises(Refused):
        session(payload=payload)


INVITE: dict[str, Any] = {
    "target_rappid": BODY,
    "target_url": "https://example.com",
    "target_kind": "estate",
}


def invite(kid: str, key: Any, **changes: Any) -> Egg:
    payload = INVITE | changes
    return build_egg(
        variant="invite", rappid=BODY, created_utc=UTC, payload=payload, key=key, kid=kid
    )


def test_an_invite_is_signed_by_an_owner_of_the_estate() -> None:
    (kid, key), (other, other_key) = owner(), owner("other")
    keys = ring((kid, key), (other, other_key)).keys
    keyring = Keyring(keys=keys, owners=(("", kid),))
    assert parse_egg(invite(kid, key).octets, keyring)
    assert refused(invite(other, other_key).octets, keyring).rule == "rapp/1 9.1"
    assert (
        refused(canonical(invite(kid, key).manifest | {"sig": None}), keyring).rule == "rapp/1 9.2"
    )
    for changes in (
        {"target_rappid": "kody"},
        {"target_rappid": 5},
        {"target_url": 5},
        {"target_kind": "city"},
        {"more": 1},
    ):
        with pytest.raises(Refused):
            invite(kid, key, **changes)


@pytest.mark.parametrize("variant", ["omelette", 5, None])
def test_a_variant_that_nobody_knows_is_refused(variant: Any) -> None:
    with pytest.raises(Refused, match="not known"):
        organism(variant=variant)


def test_a_signed_egg_is_checked_with_a_key_in_force() -> None:
    kid, key = owner()
    egg = session(key=key, kid=kid)
    assert parse_egg(egg.octets, ring((kid, key))) == egg
    refused(egg.octets)
    refused(egg.octets, Keyring(keys={kid: key.spki}, revoked={kid: UTC}))
    assert parse_egg(egg.octets, Keyring(keys={kid: key.spki}, revoked={kid: LATER}))
    moved = egg.manifest | {"created_utc": LATER}
    assert refused(canonical(moved), ring((kid, key))).rule == "rapp/1 10"


def neighborhood(*eggs: Egg, rappid: str = BODY, **changes: Any) -> Egg:
    members = [egg.rappid for egg in eggs]
    files = {_file(egg.rappid): egg.octets for egg in eggs}
    given: dict[str, Any] = {
        "variant": "neighborhood",
        "payload": {"members": members},
        "files": files,
    } | changes
    return build_egg(rappid=rappid, created_utc=UTC, **given)


def _file(rappid: str) -> str:
    name = rappid.removeprefix("rappid:@").partition(":")[0]
    return name.replace("/", "--") + ".egg"


def test_a_neighborhood_packs_organisms_and_an_estate_neighborhoods() -> None:
    one, two = organism(owner("one")[0]), organism(owner("two")[0])
    street = neighborhood(one, two)
    assert parse_egg(street.octets).manifest["payload"]["members"] == [one.rappid, two.rappid]
    estate = neighborhood(
        street,
        variant="estate",
        payload={"neighborhoods": [street.rappid]},
        rappid=owner("estate")[0],
    )
    assert parse_egg(estate.octets) == estate
    assert parse_egg(neighborhood().octets).files == {}


def test_a_packed_egg_is_the_one_that_is_listed() -> None:
    one, two = organism(owner("one")[0]), organism(owner("two")[0])
    spoils: Any = (
        {"payload": {"members": [one.rappid, one.rappid]}},
        {"payload": {"members": [one.rappid]}},
        {"payload": {"members": [two.rappid]}},
        {"payload": {"members": {}}},
        {"payload": {"members": [5]}},
        {"payload": {"members": [one.rappid, two.rappid], "more": 1}},
        {"payload": {}},
        {"files": {_file(one.rappid): two.octets, _file(two.rappid): one.octets}},
        {"files": {_file(one.rappid): one.octets, _file(two.rappid): b"no egg"}},
        {"variant": "estate", "payload": {"neighborhoods": [one.rappid, two.rappid]}},
    )
    for changes in spoils:
        with pytest.raises(Refused):
            neighborhood(one, two, **changes)


def sealed(kid: str, key: Any, **changes: Any) -> Egg:
    payload: dict[str, Any] = {
        "schema": "rapp-sealed-artifact/1",
        "cipher": "A256GCM",
        "nonce": "AAAAAAAAAAAAAAAA",
        "plaintext_commitment": "a" * 64,
        "plaintext_bytes": 10,
        "media_type": "application/wasm",
        "key_id": "b" * 64,
        "key_service_rappid": BODY,
        "key_service_url": "https://keys.example.com/chat",
        "access": "scoped-key-release",
    } | changes
    payload.setdefault("aad_hash", hash_value("rapp/1:sealed-aad", _descriptor(kid, payload)))
    return build_egg(
        variant="sealed",
        rappid=kid,
        created_utc=UTC,
        payload={name: value for name, value in payload.items() if value is not None},
        files={"ciphertext.bin": bytes(26)},
        key=key,
    )


def _descriptor(kid: str, payload: dict[str, Any]) -> Any:
    names = ("schema", "key_id", "plaintext_commitment", "plaintext_bytes", "media_type")
    return {name: payload[name] for name in names} | {"artifact_rappid": kid, "created_utc": UTC}


def test_a_sealed_egg_is_signed_by_the_identity_it_names() -> None:
    (kid, key), (other, other_key) = owner(), owner("other")
    keyring = ring((kid, key), (other, other_key))
    egg = sealed(kid, key)
    assert parse_egg(egg.octets, keyring) == egg
    unsigned = canonical({name: value for name, value in egg.manifest.items() if name != "sig"})
    stolen = repacked(egg, dict(egg.files), sig=sign_detached(other_key, other, unsigned))
    assert refused(stolen, keyring).rule == "rapp/1 9.2.1"
    assert refused(repacked(egg, dict(egg.files), sig=None), keyring).rule == "rapp/1 9.2"


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "rapp-sealed-artifact/2"},
        {"cipher": "A128GCM"},
        {"access": "open"},
        {"nonce": "AAAAAAAAAAAAAAA"},
        {"nonce": "AAAAAAAAAAAAAAA="},
        {"nonce": 5},
        {"plaintext_commitment": "a"},
        {"plaintext_bytes": -1},
        {"plaintext_bytes": 2**30 + 1},
        {"plaintext_bytes": 11},
        {"media_type": 5},
        {"key_id": "B" * 64},
        {"key_service_rappid": "kody"},
        {"key_service_url": "http://keys.example.com/chat"},
        {"key_service_url": "https://keys.example.com/talk"},
        {"aad_hash": "c" * 64},
        {"aad_hash": None},
        {"more": 1},
        {"cipher": None},
    ],
)
def test_a_sealed_egg_has_its_closed_payload(changes: Any) -> None:
    kid, key = owner()
    with pytest.raises(Refused):
        sealed(kid, key, **changes)


def test_a_sealed_egg_holds_its_ciphertext_alone() -> None:
    kid, key = owner()
    with pytest.raises(Refused):
        build_egg(
            variant="sealed",
            rappid=kid,
            created_utc=UTC,
            payload=sealed(kid, key).manifest["payload"],
            files={"ciphertext.bin": bytes(26), "more": b""},
            key=key,
        )


def test_a_producer_writes_no_member_name_that_is_not_nfc() -> None:
    with pytest.raises(Refused):
        organism(payload={"e\u0301": 1})
