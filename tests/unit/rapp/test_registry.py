"""The registry: one owner-signed document at the root of trust (rapp/1 13, 6.3, 10)."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from holodesk.errors import NotCanonical, Refused, Rollback
from holodesk.rapp.canonical import canonical, parse
from holodesk.rapp.entries import Entry
from holodesk.rapp.jws import sign_detached
from holodesk.rapp.registry import Registry, build_registry, check_successor, parse_registry
from holodesk.rapp.signature import SigningKey
from holodesk.rapp.stream import begin, extend
from tests.unit.rapp.chains import BODY, LATER, SWARM, UTC, body_chain, owner

MUCH_LATER = "2027-01-01T00:00:00.000Z"


class Estate:
    """An owner and what it registers."""

    def __init__(self) -> None:
        self.rappid, self.key = owner("estate")
        self.entries = [
            Entry.estate_owner(self.rappid),
            Entry.spki(self.rappid, self.key.spki),
        ]

    def build(self, *more: Entry, seq: int = 0, **options: Any) -> bytes:
        given: dict[str, Any] = {"owner": self.rappid, "key": self.key, **options}
        return build_registry(registry_seq=seq, entries=[*self.entries, *more], **given)

    def parse(self, *more: Entry, **options: Any) -> Registry:
        return parse_registry(self.build(*more, **options), self.rappid)

    def document(self, *more: Entry, **changes: Any) -> bytes:
        """A document that is signed whatever it says."""
        members: dict[str, Any] = {
            "schema": "rapp/1-registry",
            "registry_seq": 0,
            "canonical_source": None,
            "entries": [entry.members for entry in (*self.entries, *more)],
        } | changes
        return canonical(
            {**members, "sig": sign_detached(self.key, self.rappid, canonical(members))}
        )


@pytest.fixture
def estate() -> Estate:
    return Estate()


def refused(octets: bytes, anchor: str) -> Refused:
    with pytest.raises(Refused) as refusal:
        parse_registry(octets, anchor)
    return refusal.value


def test_a_registry_gives_the_keys_genesis_and_kinds_it_names(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    found = estate.parse(
        Entry.spki(worker, worker_key.spki),
        Entry.genesis(BODY, "a" * 64, deprecated=True),
        Entry.genesis(BODY, "b" * 64),
        Entry.kind("hologram.tile", "body"),
        Entry.kind("hologram.old", "body", deprecated=True),
        seq=3,
        canonical_source="https://example.com/registry.json",
    )
    assert found.owner == estate.rappid
    assert found.registry_seq == 3
    assert found.canonical_source == "https://example.com/registry.json"
    assert found.keyring.keys == {estate.rappid: estate.key.spki, worker: worker_key.spki}
    assert found.keyring.genesis == {BODY: "b" * 64}
    assert found.kinds == {"hologram.tile": "body", "hologram.old": "body"}
    assert found.keyring.owners == (("", estate.rappid),)
    assert parse_registry(found.octets, estate.rappid) == found


def test_a_registry_is_the_keyring_of_a_strangers_chain(estate: Estate) -> None:
    frames = body_chain(2)
    keyring = estate.parse(Entry.genesis(BODY, frames[0].frame_hash)).keyring
    stream = begin(BODY, keyring)
    for frame in frames:
        stream = extend(stream, frame)
    assert stream.head == frames[1].head


def test_the_owner_must_descend_from_the_anchor(estate: Estate) -> None:
    assert refused(estate.build(), owner("other")[0]).rule == "rapp/1 13.1"


def test_a_registry_signed_by_another_key_is_refused(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    members = parse(estate.document(Entry.spki(worker, worker_key.spki)))
    assert isinstance(members, dict)
    unsigned = {name: value for name, value in members.items() if name != "sig"}
    sig = sign_detached(worker_key, worker, canonical(unsigned))
    assert refused(canonical({**unsigned, "sig": sig}), estate.rappid).rule == "rapp/1 13.1"
    assert refused(canonical({**unsigned, "sig": None}), estate.rappid).rule == "rapp/1 13.1"
    assert refused(canonical({**members, "registry_seq": 1}), estate.rappid).rule == "rapp/1 10"


def test_a_member_that_nobody_named_is_covered_by_the_signature_and_means_nothing(
    estate: Estate,
) -> None:
    octets = estate.document(created_utc=UTC)
    assert parse_registry(octets, estate.rappid).owner == estate.rappid
    spoiled = octets.replace(UTC.encode(), LATER.encode())
    assert refused(spoiled, estate.rappid).rule == "rapp/1 10"


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "rapp/1-registry "},
        {"registry_seq": -1},
        {"registry_seq": "0"},
        {"registry_seq": None},
        {"canonical_source": "http://example.com"},
        {"canonical_source": {"path": "x"}},
        {"entries": {}},
        {"entries": ["x"]},
        {"entries": [{"name": "no type"}]},
        {"entries": []},
    ],
)
def test_a_document_of_another_form_is_refused(estate: Estate, changes: Any) -> None:
    refused(estate.document(**changes), estate.rappid)


def test_what_is_no_registry_at_all_is_refused(estate: Estate) -> None:
    refused(b"[]", estate.rappid)
    with pytest.raises(NotCanonical):
        parse_registry(b"{", estate.rappid)


def test_registry_seq_is_written_as_plain_digits(estate: Estate) -> None:
    octets = estate.build(seq=1)
    assert parse_registry(octets.replace(b":1,", b" : 1,"), estate.rappid).octets == octets
    assert refused(octets.replace(b'"registry_seq":1', b'"registry_seq":1.0'), estate.rappid)


def test_an_older_registry_is_a_rollback(estate: Estate) -> None:
    octets = estate.build(seq=4)
    assert parse_registry(octets, estate.rappid, at_least=4)
    with pytest.raises(Rollback):
        parse_registry(octets, estate.rappid, at_least=5)


def test_entries_are_only_ever_appended(estate: Estate) -> None:
    genesis = Entry.genesis(BODY, "a" * 64)
    held = estate.parse(genesis, seq=1)
    retired = Entry.genesis(BODY, "a" * 64, deprecated=True)
    check_successor(held, held)
    check_successor(held, estate.parse(retired, Entry.genesis(BODY, "b" * 64), seq=2))
    with pytest.raises(Refused):
        check_successor(held, estate.parse(seq=2))
    with pytest.raises(Refused):
        check_successor(held, estate.parse(Entry.genesis(BODY, "b" * 64), seq=2))
    with pytest.raises(Rollback):
        check_successor(held, estate.parse(genesis, Entry.kind("a.b", "body"), seq=1))
    with pytest.raises(Rollback):
        check_successor(held, estate.parse(genesis, seq=0))


def test_exactly_one_owner_is_named(estate: Estate) -> None:
    refused(estate.document(Entry.estate_owner(owner("two")[0])), estate.rappid)


def test_two_live_geneses_of_one_stream_or_none_are_refused(estate: Estate) -> None:
    one, two = Entry.genesis(SWARM, "a" * 64), Entry.genesis(SWARM, "b" * 64)
    assert refused(estate.document(one, two), estate.rappid).rule == "rapp/1 12.1"
    gone = Entry.genesis(SWARM, "a" * 64, deprecated=True)
    assert refused(estate.document(gone), estate.rappid).rule == "rapp/1 12.1"


def test_a_kind_of_two_families_and_a_kid_of_two_keys_are_refused(estate: Estate) -> None:
    refused(estate.document(Entry.kind("a.b", "body"), Entry.kind("a.b", "swarm")), estate.rappid)
    assert estate.parse(Entry.kind("a.b", "body"), Entry.kind("a.b", "body", deprecated=True))
    stranger = SigningKey.generate()
    refused(estate.document(Entry.spki(estate.rappid, stranger.spki)), estate.rappid)
    other, _ = owner("other")
    refused(estate.document(Entry.spki(other, stranger.spki)), estate.rappid)


def test_a_tombstone_of_an_owner_revokes_a_key_from_the_earliest_utc(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    keys = Entry.spki(worker, worker_key.spki)
    signer: Any = {"owner": estate.rappid, "key": estate.key}
    late = Entry.tombstone(worker, LATER, **signer)
    early = Entry.tombstone(worker, UTC, **signer)
    assert estate.parse(keys, late, early).keyring.revoked == {worker: UTC}
    forged = Entry.tombstone(estate.rappid, UTC, owner=worker, key=worker_key)
    refused(estate.document(keys, forged), estate.rappid)
    self_made = Entry.tombstone(worker, UTC, owner=worker, key=worker_key)
    assert refused(estate.document(keys, self_made), estate.rappid).rule == "rapp/1 10"


def test_an_owner_whose_own_key_is_revoked_signs_nothing_any_more(estate: Estate) -> None:
    stone = Entry.tombstone(estate.rappid, LATER, owner=estate.rappid, key=estate.key)
    assert refused(estate.document(stone), estate.rappid).rule == "rapp/1 13.2"


def passage(
    estate: Estate, old: tuple[str, SigningKey], new: str, case: Any = "rotation", **options: Any
) -> Entry:
    given: dict[str, Any] = {"owner": estate.rappid, "key": estate.key} | options
    if case == "rotation" and "old_key" not in given:
        given["old_key"] = old[1]
    return Entry.re_anchor(old[0], new, case, LATER, **given)


def test_a_rotation_is_signed_by_owner_and_old_key_and_supersedes(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    heir, heir_key = owner("heir")
    keys = (Entry.spki(worker, worker_key.spki), Entry.spki(heir, heir_key.spki))
    lawful = passage(estate, (worker, worker_key), heir)
    assert estate.parse(*keys, lawful).keyring.superseded == {worker: LATER}
    for forged in (
        passage(estate, (worker, worker_key), heir, old_key=heir_key),
        passage(estate, (worker, worker_key), heir, owner=worker, key=worker_key),
        passage(estate, (worker, worker_key), heir, key=worker_key),
        passage(estate, (worker, worker_key), heir, old_key=None),
        passage(estate, (worker, worker_key), heir, "compromise", old_key=worker_key),
    ):
        refused(estate.document(*keys, forged), estate.rappid)


def test_an_old_key_sig_by_another_identity_is_refused(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    heir, heir_key = owner("heir")
    keys = (Entry.spki(worker, worker_key.spki), Entry.spki(heir, heir_key.spki))
    members: dict[str, Any] = {
        "type": "re-anchor",
        "case": "rotation",
        "utc": LATER,
        "old_rappid": worker,
        "new_rappid": heir,
    }
    members["old_key_sig"] = sign_detached(heir_key, heir, canonical(members))
    members["sig"] = sign_detached(estate.key, estate.rappid, canonical(members))
    refusal = refused(estate.document(*keys, Entry(members)), estate.rappid)
    assert refusal.rule == "rapp/1 6.3"


def test_a_compromise_comes_with_a_tombstone(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    heir, _ = owner("heir")
    keys = Entry.spki(worker, worker_key.spki)
    record = passage(estate, (worker, worker_key), heir, "compromise")
    assert refused(estate.document(keys, record), estate.rappid).rule == "rapp/1 6.3"
    stone = Entry.tombstone(worker, UTC, owner=estate.rappid, key=estate.key)
    found = estate.parse(keys, stone, record).keyring
    assert (found.revoked, found.superseded) == ({worker: UTC}, {worker: LATER})


def test_an_identity_passes_on_once_and_is_reached_once(estate: Estate) -> None:
    worker, worker_key = owner("worker")
    heirs = [owner("heir-1")[0], owner("heir-2")[0]]
    keys = Entry.spki(worker, worker_key.spki)
    records = [passage(estate, (worker, worker_key), heir) for heir in heirs]
    assert refused(estate.document(keys, *records), estate.rappid).rule == "rapp/1 6.3"


def test_an_upgrade_leads_from_a_short_tail(estate: Estate) -> None:
    heir, _ = owner("heir")
    short = "rappid:@kody/worker:" + "a" * 32
    record = passage(estate, (short, estate.key), heir, "upgrade")
    assert estate.parse(record).keyring.superseded == {}
    with pytest.raises(Refused):
        passage(estate, (short, estate.key), heir)
    with pytest.raises(Refused):
        passage(estate, (heir, estate.key), short, "upgrade")


def test_an_untagged_tail_is_the_plain_hash_of_its_key(estate: Estate) -> None:
    worker_key = SigningKey.generate()
    heir, _ = owner("heir")
    early = f"rappid:@kody/worker:{sha256(worker_key.spki).hexdigest()}"
    record = passage(estate, (early, worker_key), heir, "tag-migrate")
    assert estate.parse(Entry.spki(early, worker_key.spki), record).keyring.keys.keys() == {
        estate.rappid
    }
    other = SigningKey.generate()
    refused(estate.document(Entry.spki(early, other.spki), record), estate.rappid)


class Succession(Estate):
    """An estate whose owner passed it on at LATER."""

    def __init__(self, case: Any = "rotation", utc: str = LATER) -> None:
        super().__init__()
        self.old, self.old_key = self.rappid, self.key
        self.rappid, self.key = owner("successor")
        old_key = self.old_key if case == "rotation" else None
        self.record = Entry.re_anchor(
            self.old, self.rappid, case, utc, owner=self.old, key=self.old_key, old_key=old_key
        )
        self.entries = [
            Entry.estate_owner(self.rappid),
            Entry.spki(self.old, self.old_key.spki, deprecated=True),
            Entry.spki(self.rappid, self.key.spki),
            self.record,
        ]


def test_an_owner_is_followed_by_the_one_it_named() -> None:
    estate = Succession()
    octets = estate.build()
    for anchor in (estate.old, estate.rappid):
        keyring = parse_registry(octets, anchor).keyring
        assert keyring.owners == (("", estate.old), (LATER, estate.rappid))
        assert keyring.owner_at(UTC) == estate.old
        assert keyring.owner_at(LATER) == estate.rappid


def test_tombstones_of_former_owners_still_hold() -> None:
    estate = Succession()
    worker, worker_key = owner("worker")
    stone = Entry.tombstone(worker, UTC, owner=estate.old, key=estate.old_key)
    assert estate.parse(Entry.spki(worker, worker_key.spki), stone).keyring.revoked == {worker: UTC}


def test_a_record_belongs_to_the_owner_of_its_time() -> None:
    estate = Succession()
    worker, worker_key = owner("worker")
    heir, _ = owner("heir")
    keys = Entry.spki(worker, worker_key.spki)
    given: dict[str, Any] = {"old_key": worker_key}
    early = Entry.re_anchor(
        worker, heir, "rotation", UTC, owner=estate.old, key=estate.old_key, **given
    )
    assert estate.parse(keys, early).keyring.superseded[worker] == UTC
    late = Entry.re_anchor(
        worker, heir, "rotation", MUCH_LATER, owner=estate.old, key=estate.old_key, **given
    )
    assert refused(estate.document(keys, late), estate.rappid).rule == "rapp/1 13.2"


def test_an_owner_that_names_itself_is_refused() -> None:
    estate = Succession()
    forged = Entry.re_anchor(
        estate.old,
        estate.rappid,
        "rotation",
        LATER,
        owner=estate.rappid,
        key=estate.key,
        old_key=estate.key,
    )
    estate.entries[3] = forged
    refused(estate.document(), estate.old)


def test_a_compromised_owner_is_replaced_by_a_new_anchor_alone() -> None:
    estate = Succession("compromise")
    assert refused(estate.document(), estate.old).rule == "rapp/1 13.2"


def test_owners_follow_each_other_in_time() -> None:
    estate = Succession()
    third, third_key = owner("third")
    record = Entry.re_anchor(
        estate.rappid,
        third,
        "rotation",
        UTC,
        owner=estate.rappid,
        key=estate.key,
        old_key=estate.key,
    )
    estate.entries += [record, Entry.spki(third, third_key.spki)]
    estate.entries[0] = Entry.estate_owner(third)
    estate.rappid, estate.key = third, third_key
    assert refused(estate.document(), estate.old).rule == "rapp/1 13.2"


def test_owners_that_follow_each_other_in_a_circle_are_refused() -> None:
    estate = Succession()
    back = Entry.re_anchor(
        estate.rappid,
        estate.old,
        "rotation",
        UTC,
        owner=estate.rappid,
        key=estate.key,
        old_key=estate.key,
    )
    refused(estate.document(back), estate.old)


def grail(estate: Estate, **changes: Any) -> Entry:
    members: dict[str, Any] = {
        "type": "grail-kernel",
        "release_scope": "https://example.com/scope",
        "grail_id": "grail:" + "a" * 64,
        "repository": "https://example.com/repo",
        "immutable_ref": "refs/tags/v1",
        "object_format": "sha1",
        "commit": "b" * 40,
        "path": "kernel.py",
        "mode": "100644",
        "blob": "c" * 40,
        "sha256": "d" * 64,
        "size_bytes": 10,
        "activated_utc": UTC,
        "predecessor": None,
        "declared_by": estate.rappid,
    } | changes
    return Entry({**members, "sig": sign_detached(estate.key, estate.rappid, canonical(members))})


def test_a_grail_kernel_is_declared_and_signed_by_the_owner(estate: Estate) -> None:
    assert estate.parse(grail(estate)).entries[-1].type == "grail-kernel"
    worker, worker_key = owner("worker")
    keys = Entry.spki(worker, worker_key.spki)
    for changes in (
        {"declared_by": worker},
        {"mode": "100600"},
        {"commit": "b" * 39},
        {"size_bytes": 0},
        {"grail_id": "a" * 64},
        {"predecessor": 5},
        {"repository": "example.com"},
        {"release_scope": "https:///scope"},
    ):
        refused(estate.document(keys, grail(estate, **changes)), estate.rappid)


def test_two_grail_kernels_share_neither_identity_nor_scope(estate: Estate) -> None:
    second = {"grail_id": "grail:" + "e" * 64, "predecessor": "grail:" + "a" * 64}
    scope = {"release_scope": "https://example.com/two"}
    assert estate.parse(grail(estate), grail(estate, **second, **scope))
    for changes in (second, scope):
        refused(estate.document(grail(estate), grail(estate, **changes)), estate.rappid)


def test_a_type_that_nobody_knows_yet_is_kept(estate: Estate) -> None:
    unknown = Entry({"type": "constellation", "stars": 7})
    assert estate.parse(unknown).entries[-1] == unknown


@pytest.mark.parametrize(
    "changes",
    [
        {"deprecated": 0},
        {"rappid": "kody"},
        {"spki_der_b64": "="},
        {"spki_der_b64": ""},
        {"spki_der_b64": 5},
        {"spki_der_b64": b64encode(b"xy").decode().rstrip("=")},
        {"extra": 1},
    ],
)
def test_an_entry_with_another_member_or_form_is_refused(estate: Estate, changes: Any) -> None:
    members = Entry.spki(estate.rappid, estate.key.spki).members | changes
    refused(estate.document(Entry(members)), estate.rappid)


@pytest.mark.parametrize(
    "members",
    [
        {"type": "kind", "kind": "a.b", "family": "soul", "deprecated": False},
        {"type": "kind", "kind": "A.b", "family": "body", "deprecated": False},
        {"type": "error-code", "code": ""},
        {"type": "error-code"},
        {"type": "genesis", "stream_id": "x", "frame_hash": "a" * 64, "deprecated": False},
        {"type": "genesis", "stream_id": BODY, "frame_hash": "A" * 64, "deprecated": False},
        {"type": "tombstone", "rappid": BODY, "revoked_utc": "now", "sig": "x"},
        {"type": "master-plan", "repo": "r", "path": 1},
    ],
)
def test_an_entry_of_a_known_type_is_held_to_its_shape(estate: Estate, members: Any) -> None:
    refused(estate.document(Entry(members)), estate.rappid)


def test_an_entry_may_name_where_its_stream_came_from(estate: Estate) -> None:
    genesis = Entry.genesis(BODY, "a" * 64)
    moved = Entry(genesis.members | {"old_stream_id": SWARM, "new_stream_id": BODY})
    assert estate.parse(moved).keyring.genesis == {BODY: "a" * 64}
