"""Choices against parameters blocks, and the blocks themselves (LH 3.4)."""

import pytest

from holodesk.agent.schema import MAX_SCHEMA_DEPTH, problems, schema_problems
from holodesk.rapp.canonical import Json

BUTTONS: dict[str, Json] = {
    "type": "object",
    "properties": {
        "buttons": {
            "type": "array",
            "items": {"type": "string", "enum": ["up", "down"]},
            "minItems": 1,
            "maxItems": 3,
            "uniqueItems": True,
            "description": "What to press.",
        },
        "why": {"type": "string", "minLength": 2, "maxLength": 5, "description": "Why."},
        "force": {"type": "integer", "minimum": 0, "maximum": 10, "description": "How hard."},
    },
    "required": ["buttons"],
}


def told(schema: dict[str, Json], value: Json) -> list[str]:
    return [str(problem) for problem in problems(schema, value)]


def test_a_lawful_choice_has_no_problem() -> None:
    assert told(BUTTONS, {"buttons": ["up"], "why": "why", "force": 3.0}) == []


def test_every_problem_is_told_with_its_place_in_a_fixed_order() -> None:
    choice: Json = {"why": "so long", "buttons": ["up", "left", "up"], "other": 1, "force": 11}
    assert told(BUTTONS, choice) == [
        'buttons: expected no item twice, found "up" again at 2',
        'buttons[1]: expected one of "up", "down"; found "left"',
        "force: expected at most 10, found 11",
        "other: expected buttons, force, why; found a member that the schema does not name",
        "why: expected at most 5 characters, found 7",
    ]


def test_the_order_does_not_depend_on_the_order_of_members() -> None:
    named = BUTTONS["properties"]
    assert isinstance(named, dict)
    backward: dict[str, Json] = {**BUTTONS, "properties": dict(reversed(list(named.items())))}
    choice: dict[str, Json] = {"why": "x", "force": -1}
    assert told(BUTTONS, choice) == told(backward, dict(reversed(list(choice.items()))))


def test_a_missing_member_is_told() -> None:
    assert told(BUTTONS, {}) == ["buttons: expected a value, found none"]


def test_a_wrong_type_is_told_once_and_nothing_else_of_that_value() -> None:
    assert told(BUTTONS, {"buttons": "up"}) == ['buttons: expected array, found string "up"']
    assert told(BUTTONS, []) == ["expected object, found array"]
    assert told(BUTTONS, None) == ["expected object, found null"]


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [3, 3.0, -1, 10**20], [3.5, True, "3", None]),
        ({"type": "number"}, [3, 3.5], [False, "3"]),
        ({"type": "boolean"}, [True, False], [1, 0, "true"]),
        ({"type": "null"}, [None], [0, "", False]),
        ({"type": ["string", "null"]}, ["", None], [0]),
        ({"enum": [1, "a", None, [1]]}, [1, 1.0, "a", None, [1.0]], [True, 2, [True], "A"]),
        (
            {"const": {"a": 1}, "additionalProperties": True},
            [{"a": 1.0}],
            [{"a": True}, {}, {"a": 1, "b": 2}],
        ),
        ({"minimum": 2}, [2, 2.0, "x"], [1.9]),
        ({"exclusiveMinimum": 2}, [2.1], [2]),
        ({"exclusiveMaximum": 2}, [1.9], [2, 3]),
        ({"multipleOf": 0.1}, [0.3, 1, 0], [0.35]),
        ({"multipleOf": 3}, [9, 3.0, -3], [4]),
        ({"minLength": 2}, ["ab", "\U0001f600\U0001f600"], ["a", "\U0001f600"]),
        ({"maxLength": 1}, ["", "\U0001f600"], ["ab"]),
        ({"minItems": 1}, [[1]], [[]]),
        ({"maxItems": 1.0}, [[1]], [[1, 2]]),
        ({"uniqueItems": True}, [[1, True, "1", None]], [[1, 1.0], [{"a": 1}, {"a": 1.0}]]),
        ({"uniqueItems": False}, [[1, 1]], []),
        ({"items": {"type": "integer"}}, [[1, 2], "x"], [[1, "2"]]),
        ({"type": "object", "additionalProperties": True}, [{"a": 1}], []),
        ({"type": "object", "additionalProperties": {"type": "null"}}, [{"a": None}], [{"a": 1}]),
    ],
)
def test_each_keyword_judges_its_own_kind_of_value(
    schema: dict[str, Json], good: list[Json], bad: list[Json]
) -> None:
    for value in good:
        assert told(schema, value) == [], value
    for value in bad:
        assert told(schema, value), value


def test_inside_a_field_unnamed_members_are_allowed_unless_it_says_otherwise() -> None:
    inner: Json = {"type": "object", "description": "d"}
    assert told({"properties": {"a": inner}}, {"a": {"b": 1}}) == []
    closed: Json = {"type": "object", "additionalProperties": False, "description": "d"}
    assert told({"properties": {"a": closed}}, {"a": {"b": 1}}) == [
        "a.b: expected no member; found a member that the schema does not name"
    ]


def block(**field: Json) -> dict[str, Json]:
    return {"type": "object", "properties": {"a": {"description": "It is a.", **field}}}


def test_a_lawful_block_has_no_problem() -> None:
    assert schema_problems(BUTTONS) == []
    every = block(
        type="number",
        title="A",
        minimum=0,
        maximum=1,
        exclusiveMinimum=-1,
        exclusiveMaximum=2,
        multipleOf=0.5,
        default=0.5,
        examples=[1],
    )
    assert schema_problems(every) == []
    more: dict[str, Json] = {"x-rest": 3, "x-observes": ["sun"]}
    assert schema_problems(block(**more)) == []


@pytest.mark.parametrize(
    ("keyword", "words"),
    [
        ("pattern", "patterns are not the same on every machine"),
        ("$ref", "a reference may reach outside"),
        ("format", "formats are not the same"),
        ("anyOf", "cannot be drawn as one form"),
        ("minContains", "not a keyword that every machine reads the same"),
    ],
)
def test_an_unknown_keyword_is_refused_with_its_reason(keyword: str, words: str) -> None:
    (problem,) = schema_problems(block(**{keyword: "x"}))
    assert problem.path == f"properties.a.{keyword}"
    assert words in problem.message


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ([], "expected an object, found array"),
        ({}, 'expected type "object", found null'),
        ({"type": "array"}, 'expected type "object"'),
        ({"type": "object", "properties": {"a": {}}}, "expected a description, found none"),
        ({"type": "object", "properties": {"a": 1}}, "expected an object, found integer"),
        (block(description=" "), "expected a text"),
        (block(type="float"), "expected one or more of object"),
        (block(type=[]), "expected one or more of object"),
        (block(enum=[]), "expected a list of different values"),
        (block(enum=[1, 1.0]), "expected a list of different values"),
        (block(minimum="0"), "expected a number"),
        (block(minLength=-1), "expected a whole number from 0"),
        (block(maxItems=1.5), "expected a whole number from 0"),
        (block(multipleOf=0), "expected a number over 0"),
        (block(uniqueItems=1), "expected true or false"),
        (block(items=[]), "expected an object"),
        (block(required=["b", "b"]), "expected a list of different names"),
        (block(required=["b"]), "expected a named field, found b"),
        (block(additionalProperties=1), "expected true, false or an object"),
        (block(**{"x-observes": "sun"}), "expected a list of different names"),
        (block(minimum=2, maximum=1), "expected minimum up to maximum, found 2 and 1"),
        (block(minItems=2, maxItems=1), "expected minItems up to maxItems"),
        (block(type="integer", default=0.5), "does not fit its own field"),
        (block(type="integer", maximum=3, **{"x-rest": 4}), "does not fit its own field"),
        (block(type="string", enum=["a", 1]), "does not fit its own field"),
        (block(items={"properties": {"b": {}}}), "expected a description, found none"),
        (block(items={"type": "integer", "default": "x"}), "does not fit its own field"),
    ],
)
def test_a_block_that_makes_no_sense_is_told(schema: Json, words: str) -> None:
    assert any(words in str(problem) for problem in schema_problems(schema))


def test_a_block_has_a_depth() -> None:
    deep: dict[str, Json] = {"description": "d"}
    for _ in range(MAX_SCHEMA_DEPTH + 1):
        deep = {"description": "d", "type": "array", "items": deep}
    found = schema_problems({"type": "object", "properties": {"a": deep}})
    assert "levels" in found[-1].message


def test_a_large_enum_and_a_large_list_are_judged_in_little_time() -> None:
    many: list[Json] = [f"word {n}" for n in range(5_000)]
    assert schema_problems(block(enum=many)) == []
    assert told({"uniqueItems": True}, [*range(200_000)]) == []
