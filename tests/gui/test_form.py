"""The form that a parameters block draws gives exactly what a person chose (LH 3.2)."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from holodesk.agent.schema import problems, schema_problems
from holodesk.gui.parts.fields import Field, Several
from holodesk.gui.parts.form import Form
from holodesk.gui.parts.inputs import JsonInput, NumberInput, OneOf, TextInput


def block(*, required: bool = True, **fields: Any) -> dict[str, Any]:
    for name, field in fields.items():
        field.setdefault("description", f"What {name} is for.")
    needed = list(fields) if required else []
    made: dict[str, Any] = {"type": "object", "properties": fields, "required": needed}
    assert not schema_problems(made)
    return made


def form(qtbot: QtBot, schema: dict[str, Any]) -> Form:
    made = Form(schema)
    qtbot.addWidget(made)
    made.resize(560, 600)
    made.show()
    return made


def field(made: Form, path: str) -> Field:
    return next(one for one in made.fields if one.path == path)


def test_a_whole_number_with_bounds_is_given_by_slider_or_by_typing(qtbot: QtBot) -> None:
    made = form(qtbot, block(far={"type": "integer", "minimum": -100, "maximum": 100}))
    number = field(made, "far").input
    assert isinstance(number, NumberInput)
    assert number.track is not None
    assert made.params() == {"far": 0}
    number.track.setValue(number.track.value() + 7)
    assert made.params() == {"far": 7}
    number.number.setFocus()
    number.number.selectAll()
    QTest.keyClicks(number.number, "-42")
    QTest.keyClick(number.number, Qt.Key.Key_Return)
    assert made.params() == {"far": -42}
    assert isinstance(made.params()["far"], int)
    assert number.track.value() == 58


def test_a_number_begins_at_rest_and_its_track_marks_the_rest(qtbot: QtBot) -> None:
    schema = {"type": "integer", "minimum": 10, "maximum": 20, "x-rest": 13}
    made = form(qtbot, block(far=schema))
    number = field(made, "far").input
    assert isinstance(number, NumberInput)
    assert number.track is not None
    assert made.params() == {"far": 13}
    assert number.track.rest == 3


def test_a_number_with_a_fraction_keeps_it(qtbot: QtBot) -> None:
    made = form(qtbot, block(share={"type": "number", "minimum": 0, "maximum": 1}))
    made.fill({"share": 0.25})
    assert made.params() == {"share": 0.25}
    number = field(made, "share").input
    assert isinstance(number, NumberInput)
    assert number.track is not None
    number.track.setValue(500)
    assert made.params() == {"share": 0.5}


def test_a_whole_number_without_bounds_goes_beyond_32_bits(qtbot: QtBot) -> None:
    made = form(qtbot, block(count={"type": "integer"}))
    made.fill({"count": 9_000_000_000})
    assert made.params() == {"count": 9_000_000_000}


def test_exclusive_bounds_of_whole_numbers_are_one_further_in(qtbot: QtBot) -> None:
    schema = {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10}
    made = form(qtbot, block(n=schema))
    number = field(made, "n").input
    assert isinstance(number, NumberInput)
    assert (number.number.minimum(), number.number.maximum()) == (1, 9)


def test_a_few_answers_are_a_row_of_presses(qtbot: QtBot) -> None:
    made = form(qtbot, block(toward={"type": "string", "enum": ["left", "right"]}))
    chosen = field(made, "toward").input
    assert isinstance(chosen, OneOf)
    assert chosen.answers is not None
    assert made.params() == {}
    QTest.mouseClick(chosen.answers.buttons[1], Qt.MouseButton.LeftButton)
    assert made.params() == {"toward": "right"}


def test_many_answers_are_a_list(qtbot: QtBot) -> None:
    names = [f"direction number {n}" for n in range(12)]
    made = form(qtbot, block(toward={"type": "string", "enum": names}))
    chosen = field(made, "toward").input
    assert isinstance(chosen, OneOf)
    assert chosen.list is not None
    assert made.params() == {}
    chosen.list.setCurrentIndex(3)
    assert made.params() == {"toward": "direction number 3"}


def test_an_answer_that_may_be_left_out_is_taken_back_by_a_second_press(qtbot: QtBot) -> None:
    made = form(qtbot, block(required=False, mood={"type": "string", "enum": ["calm", "shy"]}))
    chosen = field(made, "mood").input
    assert isinstance(chosen, OneOf)
    assert chosen.answers is not None
    for expected in ({"mood": "calm"}, {}):
        QTest.mouseClick(chosen.answers.buttons[0], Qt.MouseButton.LeftButton)
        assert made.params() == expected


def test_text_is_counted_and_too_much_of_it_is_said(qtbot: QtBot) -> None:
    made = form(qtbot, block(words={"type": "string", "maxLength": 5}))
    text = field(made, "words").input
    assert isinstance(text, TextInput)
    assert text.line is not None
    text.line.setText("héllo")
    assert made.params() == {"words": "héllo"}
    assert text.counter.text() == "5 of 5"
    QTest.keyClicks(text.line, "!")
    assert "too long" in text.counter.text()
    assert made.params() == {"words": "héllo!"}


def test_long_text_has_a_page_and_keeps_its_lines(qtbot: QtBot) -> None:
    made = form(qtbot, block(words={"type": "string", "maxLength": 280}))
    text = field(made, "words").input
    assert isinstance(text, TextInput)
    assert text.page is not None
    text.page.setPlainText("one\ntwo")
    assert made.params() == {"words": "one\ntwo"}


def test_empty_text_is_left_out_unless_it_is_required_and_lawful(qtbot: QtBot) -> None:
    text = {"type": "string", "maxLength": 40}
    assert form(qtbot, block(words=dict(text))).params() == {"words": ""}
    assert form(qtbot, block(required=False, words=dict(text))).params() == {}


def test_a_truth_value_is_answered_in_words(qtbot: QtBot) -> None:
    made = form(qtbot, block(lit={"type": "boolean"}))
    assert made.params() == {}
    made.fill({"lit": False})
    assert made.params() == {"lit": False}
    assert made.params()["lit"] is False


def test_a_list_of_known_values_is_pressed_together_in_order(qtbot: QtBot) -> None:
    schema = {
        "type": "array",
        "items": {"type": "string", "enum": ["a", "b", "up"]},
        "minItems": 1,
        "maxItems": 3,
    }
    made = form(qtbot, block(buttons=schema))
    several = field(made, "buttons").input
    assert isinstance(several, Several)
    for place in (2, 0, 2):
        QTest.mouseClick(several.adds[place], Qt.MouseButton.LeftButton)
    assert made.params() == {"buttons": ["up", "a", "up"]}
    assert not several.adds[0].isEnabled()
    first = several.chips[0]
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert made.params() == {"buttons": ["a", "up"]}
    assert several.adds[0].isEnabled()


def test_a_list_of_other_values_has_a_field_for_each(qtbot: QtBot) -> None:
    schema = {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 9, "description": "One reading."},
        "maxItems": 4,
    }
    made = form(qtbot, block(readings=schema))
    several = field(made, "readings").input
    assert isinstance(several, Several)
    for _ in range(3):
        QTest.mouseClick(several.adds[0], Qt.MouseButton.LeftButton)
    for place, value in enumerate((4, 5, 6)):
        field(made, f"readings[{place}]").fill(value)
    assert made.params() == {"readings": [4, 5, 6]}
    QTest.mouseClick(several.removes[1], Qt.MouseButton.LeftButton)
    assert made.params() == {"readings": [4, 6]}


def test_an_object_is_a_group_of_its_own_fields(qtbot: QtBot) -> None:
    inner = block(
        x={"type": "integer", "minimum": -9, "maximum": 9},
        y={"type": "integer", "minimum": -9, "maximum": 9},
    )
    made = form(qtbot, block(at=inner))
    made.fill({"at": {"x": 3, "y": -4}})
    assert made.params() == {"at": {"x": 3, "y": -4}}
    assert [one.path for one in made.fields] == ["at", "at.x", "at.y"]


def test_any_other_shape_is_written_as_json(qtbot: QtBot) -> None:
    made = form(qtbot, block(anything={}))
    written = field(made, "anything").input
    assert isinstance(written, JsonInput)
    written.page.setPlainText('{"a": [1, 2]}')
    assert made.params() == {"anything": {"a": [1, 2]}}
    written.page.setPlainText("{")
    assert "expected JSON" in written.problem.text()


def test_null_beside_a_type_is_given_when_the_field_is_empty(qtbot: QtBot) -> None:
    made = form(qtbot, block(words={"type": ["string", "null"], "maxLength": 40}))
    assert made.params() == {"words": None}
    made.fill({"words": "hello"})
    assert made.params() == {"words": "hello"}


def test_a_number_that_may_be_left_out_is_given_only_when_asked(qtbot: QtBot) -> None:
    made = form(qtbot, block(required=False, far={"type": "integer", "minimum": 0, "maximum": 9}))
    assert made.params() == {}
    made.fill({"far": 4})
    assert made.params() == {"far": 4}


LAWFUL: dict[str, dict[str, Any]] = {
    "far": {"type": "integer", "minimum": 1, "maximum": 60, "x-rest": 12},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "toward": {"type": "string", "enum": ["left", "right"], "default": "left"},
    "words": {"type": "string", "maxLength": 280},
    "lit": {"type": "boolean", "default": True},
    "buttons": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    "level": {"type": "integer", "enum": [1, 2, 4], "default": 2},
}


@pytest.mark.parametrize("name", LAWFUL)
def test_what_a_form_gives_at_first_is_what_its_schema_allows(qtbot: QtBot, name: str) -> None:
    given: dict[str, Any] = {name: dict(LAWFUL[name])}
    schema = block(**given)
    assert problems(schema, form(qtbot, schema).params()) == []


def test_the_description_stands_under_its_field(qtbot: QtBot) -> None:
    made = form(qtbot, block(far={"type": "integer", "description": "How far it goes."}))
    assert field(made, "far").description.text() == "How far it goes."
    assert field(made, "far").description.isVisible()


def test_a_problem_is_shown_at_its_own_field(qtbot: QtBot) -> None:
    inner = block(x={"type": "integer"})
    buttons = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}
    made = form(qtbot, block(far={"type": "integer"}, at=inner, buttons=buttons))
    made.show_problems(
        [
            "far: expected at most 9, found 12",
            "at.x: expected integer, found string 'a'",
            "buttons[1]: expected one of 'a', 'b'; found 'c'",
            "params: expected something else",
        ]
    )
    assert field(made, "far").problem.text() == "expected at most 9, found 12"
    assert field(made, "at.x").problem.text().startswith("expected integer")
    assert "buttons[1]" in field(made, "buttons").problem.text()
    assert made.problem.text() == "expected something else"
    made.clear_problems()
    assert not any(one.problem.isVisible() for one in made.fields)
    assert not made.problem.isVisible()
