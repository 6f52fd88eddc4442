"""Always and never, of choices and their blocks (LH 3.4)."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holodesk.agent.purity import findings
from holodesk.agent.schema import problems, schema_problems
from holodesk.agent.values import key, same
from tests.unit.agent.writing import PLAIN

NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, allow_nan=False)
LEAVES = st.none() | st.booleans() | NUMBERS | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
WORDS = (
    "type enum const minimum maximum exclusiveMinimum multipleOf minLength maxLength minItems "
    "maxItems uniqueItems items properties required additionalProperties description default "
    "x-rest x-observes pattern $ref title examples"
)
KEYWORDS = st.sampled_from(WORDS.split())


def blocks(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(KEYWORDS, inner | VALUES | st.sampled_from(["object", "integer"]))


SCHEMAS = st.recursive(st.dictionaries(KEYWORDS, VALUES), blocks, max_leaves=10)


def fields(kind: str, **bounds: Any) -> dict[str, Any]:
    return {"type": kind, "description": "d", **bounds}


@st.composite
def lawful(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A lawful block and a choice that fits it."""
    schema: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
    choice: dict[str, Any] = {}
    for name in draw(st.lists(st.text("abc", min_size=1, max_size=3), unique=True, max_size=4)):
        low = draw(st.integers(-50, 50))
        high = low + draw(st.integers(0, 50))
        count = draw(st.integers(0, 4))
        made: list[tuple[dict[str, Any], Any]] = [
            (fields("integer", minimum=low, maximum=high), draw(st.integers(low, high))),
            (fields("string", maxLength=count), draw(st.text(max_size=count))),
            (fields("boolean"), draw(st.booleans())),
            (fields("string", enum=["a", "b"]), draw(st.sampled_from("ab"))),
            (
                fields("array", items={"type": "number", "minimum": low}, maxItems=count),
                draw(st.lists(st.floats(low, low + 9), max_size=count)),
            ),
        ]
        schema["properties"][name], choice[name] = draw(st.sampled_from(made))
        if draw(st.booleans()):
            schema["required"].append(name)
    return schema, choice


@given(lawful())
def test_a_choice_made_to_fit_always_fits(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    schema, choice = pair
    assert schema_problems(schema) == []
    assert problems(schema, choice) == []


@given(lawful(), st.text("xyz", min_size=1, max_size=3))
def test_a_member_that_is_not_named_is_always_a_problem(
    pair: tuple[dict[str, Any], dict[str, Any]], name: str
) -> None:
    schema, choice = pair
    assert [one.path for one in problems(schema, {**choice, name: 1})] == [name]


@given(lawful())
def test_every_required_member_is_missed(pair: tuple[dict[str, Any], dict[str, Any]]) -> None:
    schema, _ = pair
    assert {one.path for one in problems(schema, {})} == set(schema["required"])


@given(SCHEMAS)
def test_no_block_whatever_breaks_the_check_of_blocks(schema: Any) -> None:
    for problem in schema_problems(schema):
        assert problem.message


@given(SCHEMAS, VALUES)
@settings(max_examples=300)
def test_a_lawful_block_judges_every_value_without_failing(schema: Any, value: Any) -> None:
    if not schema_problems(schema):
        assert problems(schema, value) == problems(schema, value)


@given(VALUES, VALUES)
def test_sameness_is_what_canonical_text_says(one: Any, other: Any) -> None:
    def text(value: Any) -> str:
        return json.dumps(plain(value), sort_keys=True)

    def plain(value: Any) -> Any:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, dict):
            return {name: plain(member) for name, member in value.items()}
        return value

    assert same(one, other) == (text(one) == text(other))
    assert (key(one) == key(other)) == same(one, other)


PIECES = st.sampled_from(
    ["(", ")", "{", "}", "'", '"', "'''", "f'{", "\\", "#", "\n", "\r", "\t", "    ", "lambda: ",
     "not ", "self.", "context", "__class__", "import os\n", "def f(x): ", "\u202e", "\ud800",
     "\uff4f", "0x", "1e", "*", "**", "@", "async ", "yield ", "if ", "elif ", "else:", ":=", "%"]
)  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, len(PLAIN)), PIECES), min_size=1, max_size=6))
@settings(max_examples=400)
def test_the_gate_judges_every_text_and_never_fails(edits: list[tuple[int, str]]) -> None:
    source = PLAIN
    for at, piece in edits:
        source = source[:at] + piece + source[at:]
    for finding in findings(source):
        assert 1 <= finding.line <= source.count("\n") + 2
        assert finding.reason


@given(st.text(max_size=400))
def test_the_gate_refuses_any_text_that_is_no_agent_file(text: str) -> None:
    assert findings(text)
