"""Vector files: the published ones hold, and a spoiled one is caught (rapp/1 4 to 12)."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from holodesk.errors import NotCanonical
from holodesk.rapp.canonical import admit, canonical
from holodesk.rapp.conformance import Outcome, run_document, run_pair
from holodesk.rapp.outcome import differs, ran, refuses
from tests.conftest import ROOT

PAIRS = ("arrays", "french", "structures", "unicode", "values", "weird")


@pytest.fixture(scope="session")
def documents(shared: Path) -> dict[str, Any]:
    """The vector documents of the shared data, by file name."""
    folder = shared / "data" / "vectors"
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


def outcomes(document: Any) -> list[Outcome]:
    found = run_document(document)
    assert found is not None
    return found


def counts(document: Any) -> tuple[int, int, int]:
    """How many hold, fail and conflict."""
    found = [outcome.ok for outcome in outcomes(document)]
    return found.count(True), found.count(False), found.count(None)


def test_the_official_vectors_hold(documents: dict[str, Any]) -> None:
    assert counts(documents["rapp-1-vectors"]) == (103, 0, 1)


def test_our_own_vectors_hold(documents: dict[str, Any]) -> None:
    assert counts(documents["own-vectors"]) == (186, 0, 0)


def test_the_openrappter_vectors_hold_but_for_the_early_container(
    documents: dict[str, Any],
) -> None:
    assert counts(documents["openrappter-conformance-vectors"]) == (10, 0, 1)


def test_the_vectors_of_this_project_hold() -> None:
    files = sorted((ROOT / "tests" / "vectors").glob("*.json"))
    assert files
    for path in files:
        held, failed, conflicts = counts(json.loads(path.read_bytes()))
        assert held > 0
        assert (failed, conflicts) == (0, 0)


@pytest.mark.parametrize("name", PAIRS)
def test_the_pairs_of_rfc_8785_hold(shared: Path, name: str) -> None:
    folder = shared / "data" / "jcs"
    given = (folder / "input" / f"{name}.json").read_bytes()
    expected = (folder / "output" / f"{name}.json").read_bytes()
    hexed = (folder / "outhex" / f"{name}.txt").read_text()
    assert [outcome.ok for outcome in run_pair(name, given, expected, hexed)] == [True] * 3
    assert canonical(json.loads(given)) == expected
    if name == "values":
        with pytest.raises(NotCanonical, match=r"333333333\.33333329"):
            admit(given)
    else:
        assert admit(given)[1] == expected


def test_a_pair_that_does_not_hold_is_said_so() -> None:
    assert [each.ok for each in run_pair("x", b"[1.0]", b"[1.0]", "5b315d")] == [False] * 3
    assert [each.ok for each in run_pair("x", b'{"a":1,"a":2}', b'{"a":2}')] == [True, False]


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"schema": "x"}, {"schema": []}, {"canonical": [], "identity": {}}],
)
def test_another_document_is_not_recognised(document: Any) -> None:
    assert run_document(document) is None


@pytest.mark.parametrize(
    "document",
    [
        {"schema": "own-vectors/1"},
        {"schema": "own-vectors/1", "vectors": [5]},
        {"schema": "own-vectors/1", "vectors": [{"name": "x", "input": {"spki_der_b64": "x"}}]},
        {"schema": "rapp/1-conformance-vectors", "sections": {"5_hash": {}}},
        {"canonical": 5, "identity": {}, "frame": {}, "rapplication_egg": {}},
    ],
)
def test_a_document_of_another_inner_form_fails(document: Any) -> None:
    assert [outcome.ok for outcome in outcomes(document)][:1] == [False]


def test_an_own_vector_that_nobody_can_run_fails() -> None:
    vectors = [
        {"name": "unknown", "input": {"colour": "blue"}, "expected": {}},
        {"name": "recipe", "input": {"generate": "an omelette"}, "expected": {"verdict": "accept"}},
        {"name": "no verdict", "input": {"json_text": "1"}, "expected": {}},
    ]
    document = {"schema": "own-vectors/1", "count": 4, "vectors": vectors}
    assert counts(document) == (0, 4, 0)


def test_a_spoiled_signing_input_fails(documents: dict[str, Any]) -> None:
    document = copy.deepcopy(documents["own-vectors"])
    vectors = [each for each in document["vectors"] if "signing_input_utf8" in each["input"]]
    for vector in vectors:
        vector["input"]["signing_input_utf8"] += " "
    assert counts({"schema": "own-vectors/1", "vectors": vectors}) == (0, 2, 0)


def test_an_unknown_section_of_the_official_form_fails() -> None:
    document = {"schema": "rapp/1-conformance-vectors", "sections": {"13_registry": []}}
    assert outcomes(document) == [Outcome("13_registry", False, "this section is not known")]


def flipped(text: str) -> str:
    """A text with its last letter or digit replaced by another."""
    return text[:-1] + ("0" if text[-1] != "0" else "1")


@pytest.mark.parametrize(
    "place",
    [
        ("4_canonical", 0, "canonical"),
        ("4_numbers", 5, "canonical"),
        ("4_parse_accept", 1, "canonical"),
        ("5_hash", "H", "rapp/1:wave"),
        ("5_hash", "Hb", "rapp/1:rappid"),
        ("6_rappid", "keyed_mint", "rappid"),
        ("7_frame", "genesis", "frame_hash"),
        ("7_frame", "child", "prev"),
        ("7_frame", "tampers", 0, "expect_step"),
        ("9_egg", "egg_address"),
    ],
)
def test_a_spoiled_official_vector_fails(documents: dict[str, Any], place: tuple[Any, ...]) -> None:
    document = copy.deepcopy(documents["rapp-1-vectors"])
    holder = document["sections"]
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = flipped(holder[place[-1]])
    assert counts(document)[1] >= 1


def test_what_should_be_refused_and_is_not_fails(documents: dict[str, Any]) -> None:
    document = copy.deepcopy(documents["rapp-1-vectors"])
    sections = document["sections"]
    sections["4_refuse"] = [{"json_text": "1", "why": "nothing"}]
    sections["6_rappid"]["invalid"] = sections["6_rappid"]["valid"]
    assert counts(document)[1] == 2


def test_every_own_vector_fails_when_its_expectation_is_turned_round(
    documents: dict[str, Any],
) -> None:
    turned = 0
    for vector in documents["own-vectors"]["vectors"]:
        expected = copy.deepcopy(vector["expected"])
        if "verdict" in expected:
            expected["verdict"] = "refuse" if expected["verdict"] == "accept" else "accept"
        elif "verify" in expected:
            expected["verify"] = [not expected["verify"][0], "6"]
        elif "status" in expected:
            expected["status"] += 1
        elif "form" in expected:
            expected["form"] = "swarm" if expected["form"] != "swarm" else "body"
        else:
            continue
        # Every key of the file comes along, so that only the expectation is wrong.
        alone = [
            each for each in documents["own-vectors"]["vectors"] if "spki_der_b64" in each["input"]
        ]
        document = {
            "schema": "own-vectors/1",
            "vectors": [*alone, {**vector, "expected": expected}],
        }
        assert outcomes(document)[-1].ok is False, vector["name"]
        turned += 1
    assert turned > 160


def test_values_that_look_alike_differ_by_type() -> None:
    assert differs(1, 1) == ""
    assert "found 1.0" in differs(1, 1.0)
    assert len(differs("x" * 500, "")) < 300
    assert "found 5" in refuses(lambda: 5)


def test_a_check_that_is_refused_fails_with_the_reason() -> None:
    def check() -> str:
        raise NotCanonical("rapp/1 4", "no")

    assert ran([("x", check)]) == [Outcome("x", False, "refused: no (rapp/1 4)")]
