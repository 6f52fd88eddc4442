"""Advice: what a caller would be grateful for (TC 2.1)."""

import pytest

from holodesk.agent.lint import advice
from holodesk.agent.source import read
from tests.unit.agent.writing import METADATA, PERFORM, PLAIN, agent

DESCRIPTION = "Use it when something is tried. If it is skipped, the trial is lost."
INNER = (
    '{"type": "object", "description": "All.", "properties": '
    '{"x": {"type": "string", "description": "X it is."}}}'
)
FIELD = '{"type": "string", "maxLength": 40, "description": "What is said."}'


def told(source: str, file: str | None = "try_agent.py") -> list[str]:
    return [one.reason for one in advice(read(source.encode(), file))]


def test_a_good_surface_needs_no_advice() -> None:
    assert told(PLAIN) == []


@pytest.mark.parametrize(
    ("description", "words"),
    [
        ("Short when lost.", "has only 16 characters"),
        ("It says a word, and if not then that word is lost.", ""),
        ("It says a word to everybody, otherwise the word is lost.", "when to use it"),
        ("Use it when there is a word that somebody wants to say.", "what is lost"),
    ],
)
def test_a_description_says_when_and_what_is_lost(description: str, words: str) -> None:
    found = told(PLAIN.replace(DESCRIPTION, description))
    assert (words in found[0]) if words else not found


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ('{"type": "string", "description": "What is said."}', "a text without enum or maxLength"),
        ('{"type": "integer", "maximum": 9, "description": "How."}', "without enum or minimum"),
        ('{"type": "number", "minimum": 0, "description": "How."}', "without enum or maximum"),
        ('{"type": "array", "items": {"type": "null"}, "description": "All."}', "without maxItems"),
        ('{"type": "array", "maxItems": 2, "description": "All."}', "what its items are"),
        ('{"type": "array", "maxItems": 2, "items": {"type": "string"}, "description": "All."}',
         "each item: a text without enum or maxLength"),
        ('{"description": "Anything."}', "no type and no enum"),
        ('{"type": "boolean", "description": "word"}', "only repeats the name"),
        (INNER, "x: a text without enum"),
    ],
)  # fmt: skip
def test_a_free_value_is_given_its_bounds(field: str, words: str) -> None:
    (found,) = told(PLAIN.replace(FIELD, field))
    assert words in found


@pytest.mark.parametrize(
    "field",
    [
        '{"enum": ["a"], "description": "What is said."}',
        '{"type": "number", "exclusiveMinimum": 0, "maximum": 1, "description": "How much."}',
        '{"type": "boolean", "description": "Whether."}',
    ],
)
def test_a_bounded_value_needs_no_advice(field: str) -> None:
    assert told(PLAIN.replace(FIELD, field)) == []


def test_perform_and_the_schema_meet() -> None:
    needs = PLAIN.replace("**params", "word")
    assert told(needs) == ["perform needs word, which the schema does not require"]
    takes = PLAIN.replace(", **params", "")
    assert told(takes) == ["perform does not take word, a field of the schema"]
    assert told(PLAIN.replace("**params", "word=None")) == []
    assert told(PLAIN.replace("**params", "*, word=None")) == []


def test_a_file_name_that_is_never_offered_is_told() -> None:
    assert told(PLAIN, "try.py") == ["only files named *_agent.py are offered, this is try.py"]


def test_a_reader_without_perform_is_not_asked_about_parameters() -> None:
    reader = "    def system_context(self):\n        return ''\n"
    assert told(agent(body=METADATA, perform=reader)) == []
    assert PERFORM


def test_a_self_lens_goes_by_its_own_name() -> None:
    assert told(PLAIN, "self_lens.py") == []
