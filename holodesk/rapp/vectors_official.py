"""The official vector file of the protocol, section by section (rapp/1 4 to 9)."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from struct import unpack
from typing import Any, Final

from holodesk.errors import NotCanonical
from holodesk.rapp.address import RAPPID, hash_octets, hash_value
from holodesk.rapp.canonical import admit, canonical
from holodesk.rapp.egg import build_egg, parse_egg
from holodesk.rapp.names import mint_keyed, parse_rappid
from holodesk.rapp.outcome import Case, Outcome, differs, ran, refuses, step_of

SCHEMA: Final = "rapp/1-conformance-vectors"
UNPUBLISHED: Final = "the octets behind this value were never published"

Sections = dict[str, Any]


def run_official(document: dict[str, Any]) -> list[Outcome]:
    """The outcomes of the whole file."""
    sections = document["sections"]
    outcomes = [
        outcome
        for name, cases in _SECTIONS.items()
        if name in sections
        for outcome in ran(cases(sections))
    ]
    conflicts = [
        Outcome(f"5_hash Hb {tag}", None, UNPUBLISHED)
        for tag in sections.get("5_hash", {}).get("Hb", {})
        if tag != RAPPID
    ]
    unknown = sorted(sections.keys() - _SECTIONS.keys())
    strange = [Outcome(name, False, "this section is not known") for name in unknown]
    return outcomes + conflicts + strange


def _canonical(sections: Sections) -> Iterator[Case]:
    for index, vector in enumerate(sections["4_canonical"]):
        yield f"4_canonical {index}", partial(_is_written, vector["value"], vector["canonical"])


def _is_written(value: Any, text: str) -> str:
    octets = text.encode()
    return differs(octets, canonical(value)) or differs((value, octets), admit(octets))


def _numbers(sections: Sections) -> Iterator[Case]:
    for vector in sections["4_numbers"]:
        text = vector["binary64_hex"]
        yield f"4_numbers {text}", partial(_is_printed, text, vector["canonical"])


def _is_printed(binary64_hex: str, text: str) -> str:
    return differs(text.encode(), canonical(_binary64(binary64_hex)))


def _binary64(text: str) -> float:
    return float(unpack(">d", bytes.fromhex(text))[0])


def _refused_numbers(sections: Sections) -> Iterator[Case]:
    for vector in sections["4_number_refuse"]:
        text = vector["binary64_hex"]
        write = partial(canonical, _binary64(text))
        yield f"4_number_refuse {text}", partial(refuses, write, NotCanonical)


def _accepted(sections: Sections) -> Iterator[Case]:
    for vector in sections["4_parse_accept"]:
        text = vector["json_text"]
        yield f"4_parse_accept {text}", partial(_is_admitted, text, vector["canonical"])


def _is_admitted(text: str, expected: str) -> str:
    return differs(expected.encode(), admit(text.encode())[1])


def _refused(sections: Sections) -> Iterator[Case]:
    for vector in sections["4_refuse"]:
        text = vector["json_text"]
        yield f"4_refuse {text}", partial(refuses, partial(admit, text.encode()), NotCanonical)


def _hashes(sections: Sections) -> Iterator[Case]:
    section = sections["5_hash"]
    for tag, expected in section["H"].items():
        yield f"5_hash H {tag}", partial(_is_hash_of, tag, section["value"], expected)
    # The octets of the one usable Hb vector are those of the keyed mint.
    octets = bytes.fromhex(sections["6_rappid"]["keyed_mint"]["spki_der_hex"])
    yield f"5_hash Hb {RAPPID}", lambda: differs(section["Hb"][RAPPID], hash_octets(RAPPID, octets))


def _is_hash_of(tag: str, value: Any, expected: str) -> str:
    return differs(expected, hash_value(tag, value))


def _rappids(sections: Sections) -> Iterator[Case]:
    section = sections["6_rappid"]
    for text in section["valid"]:
        yield f"6_rappid valid {text}", partial(_is_rappid, text)
    for text in section["invalid"]:
        yield f"6_rappid invalid {text}", partial(refuses, partial(parse_rappid, text))
    yield "6_rappid keyed_mint", partial(_is_minted, section["keyed_mint"])


def _is_rappid(text: str) -> str:
    return differs(text, str(parse_rappid(text)))


def _is_minted(vector: dict[str, str]) -> str:
    """The tail is the hash of the octets; since rev-17 a minter refuses such octets (6.2)."""
    identity = parse_rappid(vector["rappid"])
    octets = bytes.fromhex(vector["spki_der_hex"])
    mint = partial(mint_keyed, identity.owner, identity.slug, octets)
    return differs(identity.tail, hash_octets(RAPPID, octets)) or refuses(mint)


def _frames(sections: Sections) -> Iterator[Case]:
    section = sections["7_frame"]
    genesis, child, stream_id = section["genesis"], section["child"], section["stream_id"]
    yield "7_frame genesis", partial(_is_refused_at, None, genesis, None, stream_id)
    yield "7_frame child", partial(_is_refused_at, None, child, genesis, stream_id)
    for vector in section["tampers"]:
        yield (
            f"7_frame tamper {vector['label']}",
            partial(
                _is_refused_at,
                vector["expect_step"],
                vector["frame"],
                vector["head"],
                vector["stream_id_of_record"],
            ),
        )


def _is_refused_at(step: str | None, frame: Any, head: Any, stream_id: str) -> str:
    return differs(step, step_of(canonical(frame), stream_id=stream_id, head=head))


def _eggs(sections: Sections) -> Iterator[Case]:
    yield "9_egg", partial(_is_egg, sections["9_egg"])


def _is_egg(vector: dict[str, Any]) -> str:
    manifest, octets = vector["manifest"], bytes.fromhex(vector["egg_octets_hex"])
    egg = build_egg(
        variant=manifest["variant"],
        rappid=manifest["rappid"],
        created_utc=manifest["created_utc"],
        payload=manifest["payload"],
    )
    return (
        differs(octets, egg.octets)
        or differs(vector["egg_address"], egg.address)
        or differs(egg, parse_egg(octets))
    )


_SECTIONS: Final[Mapping[str, Callable[[Sections], Iterator[Case]]]] = {
    "4_canonical": _canonical,
    "4_numbers": _numbers,
    "4_number_refuse": _refused_numbers,
    "4_parse_accept": _accepted,
    "4_refuse": _refused,
    "5_hash": _hashes,
    "6_rappid": _rappids,
    "7_frame": _frames,
    "9_egg": _eggs,
}
