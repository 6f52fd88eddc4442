"""Vectors of the form `own-vectors/1`: name, section, input, expected (rapp/1 4 to 12).

What a vector asks is told by the members of its input, not by its section.
"""

import re
from base64 import b64decode
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any, Final

from holodesk.errors import Fork, NotCanonical, Refused, Rollback
from holodesk.rapp.address import SEAL, hash_octets, hash_value
from holodesk.rapp.canonical import Json, admit, canonical, parse
from holodesk.rapp.chat_wire import (
    BAD_REQUEST,
    OK,
    ChatAnswer,
    ChatRequest,
    answer,
    answer_problems,
    parse_request,
)
from holodesk.rapp.egg import build_egg, parse_egg
from holodesk.rapp.frame import parse as parse_frame
from holodesk.rapp.jws import parse_jws, signing_input
from holodesk.rapp.names import Rappid, check_utc, mint_keyed, mint_keyless, stream_family
from holodesk.rapp.outcome import Case, Outcome, differs, head_of, ran, refuses, step_of
from holodesk.rapp.signature import Keyring
from holodesk.rapp.stream import check_head, compare, is_fork

SCHEMA: Final = "own-vectors/1"

Vector = dict[str, Any]


def run_own(document: dict[str, Any]) -> list[Outcome]:
    """The outcomes of the whole file."""
    vectors = document["vectors"]
    keyring = _keyring(vectors)
    outcomes = ran(_case(vector, keyring) for vector in vectors)
    count = document.get("count", len(vectors))
    if count != len(vectors):
        outcomes.append(Outcome("count", False, differs(count, len(vectors))))
    return outcomes


def _keyring(vectors: list[Vector]) -> Keyring:
    """Every key that the file's own vectors bring along."""
    keyring = Keyring.EMPTY
    for vector in vectors:
        given = vector["input"]
        if "spki_der_b64" in given:
            kid = parse_jws(given["frame"]["sig"]).kid
            keyring = keyring.with_key(kid, b64decode(given["spki_der_b64"]))
    return keyring


def _case(vector: Vector, keyring: Keyring) -> Case:
    given = vector["input"].keys()
    for needed, check in _CHECKS:
        if needed <= given:
            return vector["name"], partial(check, vector["input"], vector["expected"])
    if "frame" in given:
        return vector["name"], partial(_frame, vector["input"], vector["expected"], keyring)
    return vector["name"], lambda: f"no check is known for the input {', '.join(sorted(given))}"


def _verdict(expected: Vector, attempt: Callable[[], object]) -> str:
    """What is wrong where a vector only says accept or refuse."""
    if expected["verdict"] == "refuse":
        return refuses(attempt, Refused)
    attempt()
    return ""


def _text(given: Vector, expected: Vector) -> str:
    octets = _octets(given)
    if expected["verdict"] == "refuse":
        return refuses(partial(admit, octets), NotCanonical)
    written = admit(octets)[1]
    wanted = expected.get("canonical_utf8")
    return "" if wanted is None else differs(wanted.encode(), written)


_REPEATED: Final = re.compile(r"string of ([0-9]+) '(.)' characters.*")
_PADDED: Final = re.compile(r"([0-9]+) MiB of spaces then (.*)")


def _octets(given: Vector) -> bytes:
    if "bytes_hex" in given:
        return bytes.fromhex(given["bytes_hex"])
    if "json_text" in given:
        return str(given["json_text"]).encode()
    recipe = given["generate"]
    if (repeated := _REPEATED.fullmatch(recipe)) is not None:
        return b'"%s"' % (repeated[2].encode() * int(repeated[1]))
    if (padded := _PADDED.fullmatch(recipe)) is not None:
        return b" " * (int(padded[1]) << 20) + padded[2].encode()
    raise ValueError(recipe)


def _hash(given: Vector, expected: Vector) -> str:
    def hashed() -> str:
        if given["function"] == "H":
            return hash_value(given["tag"], given.get("value"))
        return hash_octets(given["tag"], bytes.fromhex(given.get("octets_hex", "")))

    return differs(expected["hash"], hashed()) if "hash" in expected else _verdict(expected, hashed)


def _utc(given: Vector, expected: Vector) -> str:
    return _verdict(expected, partial(check_utc, given["utc"]))


def _keyed(given: Vector, expected: Vector) -> str:
    octets = bytes.fromhex(given["spki_der_hex"])
    mint = partial(mint_keyed, given.get("owner", "kody"), given.get("slug", "twin"), octets)
    return _is_minted(expected, mint)


def _keyless(given: Vector, expected: Vector) -> str:
    octets = bytes.fromhex(given.get("uuid4_octets_hex") or given["uuid_octets_hex"])
    mint = partial(mint_keyless, given.get("owner", "kody"), given.get("slug", "twin"), octets)
    return _is_minted(expected, mint)


def _is_minted(expected: Vector, mint: Callable[[], Rappid]) -> str:
    if "rappid" in expected:
        return differs(expected["rappid"], str(mint()))
    return _verdict(expected, mint)


def _stream_form(given: Vector, expected: Vector) -> str:
    if expected["form"] is None:
        return refuses(partial(stream_family, given["stream_id"]))
    return differs(expected["form"], stream_family(given["stream_id"]))


def _frame(given: Vector, expected: Vector, keyring: Keyring) -> str:
    frame = given["frame"]
    if "signing_input_utf8" in given:
        jws = parse_jws(frame["sig"])
        unsigned = canonical({name: value for name, value in frame.items() if name != "sig"})
        problem = differs(
            given["signing_input_utf8"].encode(), signing_input(jws.protected, unsigned)
        )
        if problem:
            return problem
    found = step_of(
        canonical(frame),
        stream_id=given.get("stream_id_of_record"),
        head=given["head"],
        keyring=keyring,
    )
    return _is_verified(expected, found)


def _frame_text(given: Vector, expected: Vector) -> str:
    return _is_verified(expected, step_of(given["frame_json_text"].encode()))


def _is_verified(expected: Vector, found: str | None) -> str:
    holds, step = expected["verify"]
    return differs([holds, step], [found is None, found])


def _frames(given: Vector, expected: Vector) -> str:
    frames = [parse_frame(canonical(frame)) for frame in given["frames"]]
    if "order_frame_hash" in expected:
        ordered = sorted(frames, key=lambda frame: frame.order)
        return differs(expected["order_frame_hash"], [frame.frame_hash for frame in ordered])
    genesis, one, other = frames
    known = {genesis.seq: genesis.frame_hash, one.seq: one.frame_hash}
    alone = [step_of(each.octets, head=given["frames"][0]) for each in (one, other)]
    return (
        differs([None, None], alone)
        or differs(True, is_fork(one, other))
        or differs(False, is_fork(one, one))
        or refuses(partial(compare, known, other), Fork)
    )


def _rollback(given: Vector, _expected: Vector) -> str:
    held = given["persisted"]
    presented = head_of(given["presented_head"])
    return refuses(partial(check_head, {held["seq"]: held["frame_hash"]}, presented), Rollback)


def _two_pasts(given: Vector, expected: Vector) -> str:
    """Outside swarm streams a head does not fix what is two frames back (7.3, 7.4)."""
    real, forged = given["real"], given["forged"]
    steps = [
        step_of(canonical(frame), head=chain[seq - 1] if seq else None)
        for chain in (real, forged)
        for seq, frame in enumerate(chain)
    ]
    pairs = enumerate(zip(real, forged, strict=True))
    return (
        differs(expected["both_chains_pass_steps_1_to_5"], steps == [None] * len(steps))
        or differs(real[-1]["frame_hash"], forged[-1]["frame_hash"])
        or differs(expected["differs_at_seq"], [seq for seq, (one, other) in pairs if one != other])
    )


def _seal(given: Vector, expected: Vector) -> str:
    return differs(expected["terminal_seal"], hash_octets(SEAL, given["head_octets_utf8"].encode()))


def _egg(given: Vector, expected: Vector) -> str:
    manifest = given["manifest"]
    egg = build_egg(
        variant=manifest["variant"],
        rappid=manifest["rappid"],
        created_utc=manifest["created_utc"],
        payload=manifest["payload"],
        files={path: text.encode() for path, text in given["files_utf8"].items()},
    )
    return (
        differs(manifest, egg.manifest)
        or differs(expected["egg_address"], egg.address)
        or differs(expected["octets_hex"], egg.octets.hex())
        or differs(expected["sha256"], sha256(egg.octets).hexdigest())
        or differs(expected["size"], len(egg.octets))
        or differs(egg, parse_egg(egg.octets))
    )


_RAW_BODY: Final = re.compile(r"<bytes: (.*)>", re.DOTALL)
_NEW_SESSION: Final = "00000000-0000-4000-8000-000000000000"


def _chat(given: Vector, expected: Vector) -> str:
    request = parse_request(_body(given["request"]))
    if isinstance(request, ChatRequest):
        answered = answer(request, "hello", new_session=_NEW_SESSION)
    else:
        answered = request
    problems = answer_problems(answered)
    return "; ".join(problems) or _is_answered(given["request"], expected, answered)


def _body(request: Json) -> Json:
    raw = _RAW_BODY.fullmatch(request) if isinstance(request, str) else None
    if raw is None:
        return request
    try:
        return parse(raw[1].encode())
    except NotCanonical:
        return None


def _is_answered(request: Any, expected: Vector, answered: ChatAnswer) -> str:
    if expected.get("rev18") == "removed":
        # The early 422 is gone: the same request is answered like any other.
        expected = {"status": OK, "session_id": request["session_id"]}
    problem = differs(expected["status"], answered.status)
    if answered.status == BAD_REQUEST:
        wanted = expected.get("grail_error_text", answered.members["error"])
        members = expected.get("members_exactly", ["error"])
        return (
            problem
            or differs(sorted(members), sorted(answered.members))
            or differs(wanted, answered.members["error"])
        )
    missing = expected.get("members_at_least", {}).keys() - answered.members.keys()
    session = expected.get("session_id", answered.members["session_id"])
    return (
        problem or differs([], sorted(missing)) or differs(session, answered.members["session_id"])
    )


_CHECKS: Final[tuple[tuple[frozenset[str], Callable[[Vector, Vector], str]], ...]] = (
    (frozenset({"bytes_hex"}), _text),
    (frozenset({"json_text"}), _text),
    (frozenset({"generate"}), _text),
    (frozenset({"function", "tag"}), _hash),
    (frozenset({"utc"}), _utc),
    (frozenset({"spki_der_hex"}), _keyed),
    (frozenset({"uuid4_octets_hex"}), _keyless),
    (frozenset({"uuid_octets_hex"}), _keyless),
    (frozenset({"stream_id"}), _stream_form),
    (frozenset({"frame_json_text"}), _frame_text),
    (frozenset({"frames"}), _frames),
    (frozenset({"persisted", "presented_head"}), _rollback),
    (frozenset({"real", "forged"}), _two_pasts),
    (frozenset({"head_octets_utf8"}), _seal),
    (frozenset({"manifest", "files_utf8"}), _egg),
    (frozenset({"request"}), _chat),
)
