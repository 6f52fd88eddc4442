"""What a caller sees of a file, and what is refused when it sees too little (TC 2.1)."""

import pytest

from holodesk.agent.surface import Finding, read_surface
from holodesk.errors import SurfaceIncomplete
from tests.unit.agent.test_purity import CONSTRUCTED
from tests.unit.agent.writing import METADATA, PERFORM, PLAIN, agent


def line_with(source: str, text: str) -> int:
    return next(n for n, line in enumerate(source.split("\n"), 1) if text in line)


def test_the_surface_is_read_from_the_class_body() -> None:
    surface = read_surface(PLAIN)
    assert (surface.name, surface.converges, surface.reads, surface.performs) == (
        "Try",
        False,
        False,
        True,
    )
    assert surface.description.startswith("Use it when")
    assert surface.parameters["properties"] == {
        "word": {"type": "string", "maxLength": 40, "description": "What is said."}
    }


def test_the_surface_is_read_from_the_constructor() -> None:
    assert read_surface(agent(body=CONSTRUCTED)).parameters == {"type": "object"}


def test_the_optional_methods_are_seen() -> None:
    more = (
        "    def converged(self, object):\n        return True\n"
        "    def system_context(self):\n        return ''\n"
    )
    surface = read_surface(agent(after=more))
    assert (surface.converges, surface.reads) == (True, True)
    reader = read_surface(agent(perform=more))
    assert not reader.performs


@pytest.mark.parametrize(
    ("old", "new", "words", "at"),
    [
        ('"name": "Try"', '"name": "Try it"', "letters, digits, _ and -", '"name"'),
        ('"name": "Try"', '"name": "Other"', "expected one name", '"name"'),
        ('"name": "Try",', "", "expected a name in metadata", "metadata = {"),
        ('"description": "Use', '"describe": "Use', "expected a description", "metadata = {"),
        ('"description": "Use it when something is tried. If it is skipped, the trial is lost."',
         '"description": " "', "expected a description", '"description"'),
        ('"parameters"', '"params"', "expected parameters", "metadata = {"),
        (', "description": "What is said."', "", "parameters.properties.word: expected a descr",
         '"word"'),
        ('"What is said."', '""', "expected a text", '"word"'),
        ('"maxLength": 40', '"pattern": "x"', "patterns are not the same", '"word"'),
        ('"type": "object"', '"type": "array"', 'expected type "object"', '"parameters"'),
    ],
)  # fmt: skip
def test_a_gap_is_refused_with_its_line(old: str, new: str, words: str, at: str) -> None:
    assert old in PLAIN
    source = PLAIN.replace(old, new)
    with pytest.raises(SurfaceIncomplete) as refusal:
        read_surface(source, "try_agent.py")
    assert words in refusal.value.message
    assert refusal.value.where.file == "try_agent.py"
    assert refusal.value.where.line == line_with(source, at)


def test_a_file_without_a_class_or_without_literal_metadata_is_refused() -> None:
    for source in (
        "x = 1\n",
        agent(body=METADATA.replace("metadata = {", "metadata = dict() or {")),
    ):
        with pytest.raises(SurfaceIncomplete):
            read_surface(source)


def test_a_finding_reads_as_a_line_and_a_reason() -> None:
    assert str(Finding(9, "why")) == "line 9: why"
    assert PERFORM in PLAIN
