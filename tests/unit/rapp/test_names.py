"""The grammar of names: whole, ASCII, case-sensitive (rapp/1 6, 7.2, 7.4)."""

import pytest

from holodesk.errors import Refused
from holodesk.rapp.address import hash_octets
from holodesk.rapp.names import (
    BASE_KINDS,
    Rappid,
    check_kind,
    check_tail,
    check_utc,
    mint_keyed,
    mint_keyless,
    parse_rappid,
    stream_family,
    utc_milliseconds,
    utc_text,
)
from holodesk.rapp.signature import SigningKey

TAIL = "0123456789abcdef" * 4
UUID4 = bytes.fromhex("af5c44dd59bb4b6f8adf72e192cf3772")


def test_a_rappid_is_owner_slug_and_tail() -> None:
    text = f"rappid:@kody-w/rapp-1:{TAIL}"
    assert parse_rappid(text) == Rappid("kody-w", "rapp-1", TAIL)
    assert str(parse_rappid(text)) == text
    assert parse_rappid(f"rappid:@{'a' * 39}/{'b' * 100}:{TAIL}").slug == "b" * 100


@pytest.mark.parametrize(
    "text",
    [
        f"rappid:@Kody/x:{TAIL}",
        f"rappid:@kody/x:{TAIL.upper()}",
        f"rappid:@kody/x:{TAIL[:-1]}",
        f"rappid:@kody/x:{TAIL}0",
        f"rappid:@kody/x:{TAIL}\n",
        f"rappid:@kody/x:{TAIL}:y",
        f" rappid:@kody/x:{TAIL}",
        f"rappid:@-kody/x:{TAIL}",
        f"rappid:@kody-/x:{TAIL}",
        f"rappid:@kody--w/x:{TAIL}",
        f"rappid:@kody//x:{TAIL}",
        f"rappid:@{'a' * 40}/x:{TAIL}",
        f"rappid:@a/{'b' * 101}:{TAIL}",
        f"rappid:@k\u00f6dy/x:{TAIL}",
        f"rappid:@kody/x:{TAIL[:-1]}\u0661",
        f"rappid:x:{TAIL}",
        "",
    ],
)
def test_any_other_text_is_no_rappid(text: str) -> None:
    with pytest.raises(Refused):
        parse_rappid(text)


def test_a_keyless_identity_is_minted_from_a_uuid4_alone() -> None:
    assert mint_keyless("kody", "twin", UUID4).tail == hash_octets("rapp/1:rappid", UUID4)
    for octets in (
        UUID4[:-1],
        bytes(16),
        bytes.fromhex("af5c44dd59bb7b6f8adf72e192cf3772"),
        bytes.fromhex("af5c44dd59bb4b6fcadf72e192cf3772"),
        bytes.fromhex("af5c44dd59bb4b6f0adf72e192cf3772"),
    ):
        with pytest.raises(Refused):
            mint_keyless("kody", "twin", octets)


def test_a_name_that_is_no_label_mints_nothing() -> None:
    for owner, slug in (("Kody", "twin"), ("kody", "a_b"), ("kody", ""), ("a/b", "c")):
        with pytest.raises(Refused):
            mint_keyless(owner, slug, UUID4)


def test_a_keyed_identity_hangs_on_its_key() -> None:
    key, other = SigningKey.generate(), SigningKey.generate("ES256")
    rappid = mint_keyed("kody", "twin", key.spki)
    check_tail(str(rappid), key.spki)
    with pytest.raises(Refused):
        check_tail(str(rappid), other.spki)
    with pytest.raises(Refused):
        mint_keyed("kody", "twin", b"0*fake-spki")


@pytest.mark.parametrize(
    ("stream_id", "family"),
    [
        (f"rappid:@a/b:{TAIL}", "body"),
        (f"rappid:@a/b:{TAIL}:laptop", "memory"),
        (f"rappid:@a/b:{TAIL}:{'a' * 64}", "memory"),
        ("net:commons", "swarm"),
        (f"net:{'a' * 300}", "swarm"),
    ],
)
def test_the_form_of_a_stream_id_is_its_family(stream_id: str, family: str) -> None:
    assert stream_family(stream_id) == family


@pytest.mark.parametrize(
    "stream_id",
    [
        "net:",
        "net:A",
        "net:a--b",
        "net:a\n",
        f"rappid:@a/b:{TAIL}:",
        f"rappid:@a/b:{TAIL}:{'a' * 65}",
        f"rappid:@a/b:{TAIL}:x:y",
        f"rappid:@{'a' * 40}/b:{TAIL}",
        f"rappid:@{'a' * 40}/b:{TAIL}:x",
        "tick:@kody-w/global",
        "",
    ],
)
def test_any_other_form_is_no_stream_id(stream_id: str) -> None:
    with pytest.raises(Refused):
        stream_family(stream_id)


def test_a_kind_is_two_labels_of_at_most_64() -> None:
    for kind in (*BASE_KINDS, "a.b", f"{'a' * 64}.{'b' * 64}", "hologram.tile"):
        check_kind(kind)
    for kind in (
        "a",
        "a.b.c",
        "A.b",
        "a.",
        ".b",
        "a.b\n",
        f"{'a' * 65}.b",
        f"a.{'b' * 65}",
        "a-.b",
    ):
        with pytest.raises(Refused):
            check_kind(kind)


def test_the_base_set_has_fourteen_kinds_each_of_the_family_it_begins_with() -> None:
    assert len(BASE_KINDS) == 14
    assert all(kind.split(".")[0] == family for kind, family in BASE_KINDS.items())


@pytest.mark.parametrize(
    ("utc", "milliseconds"),
    [
        ("1970-01-01T00:00:00.000Z", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("2000-02-29T12:00:00.000Z", 951_825_600_000),
        ("2026-10-08T00:00:00.123Z", 1_791_417_600_123),
        ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ],
)
def test_a_utc_and_its_milliseconds_are_one(utc: str, milliseconds: int) -> None:
    assert utc_milliseconds(utc) == milliseconds
    assert utc_text(milliseconds) == utc


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-29T00:00:00.000Z",
        "1900-02-29T00:00:00.000Z",
        "2026-00-10T00:00:00.000Z",
        "2026-13-10T00:00:00.000Z",
        "2026-04-31T00:00:00.000Z",
        "2026-04-00T00:00:00.000Z",
        "2026-04-01T24:00:00.000Z",
        "2026-04-01T00:60:00.000Z",
        "2026-04-01T00:00:60.000Z",
        "2026-04-01T00:00:00.00Z",
        "2026-04-01T00:00:00Z",
        "2026-04-01t00:00:00.000Z",
        "2026-04-01T00:00:00.000Z\n",
        "\uff12026-04-01T00:00:00.000Z",
        "2026-04-01T00:00:00.000+00:00",
        "",
    ],
)
def test_any_other_text_is_no_utc(text: str) -> None:
    with pytest.raises(Refused):
        check_utc(text)
    with pytest.raises(Refused):
        utc_milliseconds(text)


@pytest.mark.parametrize("milliseconds", [-62_167_219_200_001, 253_402_300_800_000])
def test_a_moment_outside_four_digit_years_has_no_utc(milliseconds: int) -> None:
    with pytest.raises(Refused):
        utc_text(milliseconds)
