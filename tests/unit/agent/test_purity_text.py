"""The text of a source, before a parser sees it (LH 3.2)."""

import unicodedata

import pytest

from holodesk.agent.purity_text import NOT_PYTHON, TOO_DEEP, is_refused, text_findings

REFUSED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def test_the_table_agrees_with_unicode_wherever_the_versions_agree() -> None:
    assigned_since = "14.0.0" if unicodedata.unidata_version == "14.0.0" else ""
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if code in (9, 10, 13):
            assert not is_refused(code)
        elif category in REFUSED and is_refused(code) != (category in REFUSED):
            assert category == "Cn", hex(code)
            assert assigned_since or unicodedata.unidata_version > "15.0.0", hex(code)
        elif category not in REFUSED and is_refused(code):
            assert unicodedata.unidata_version > "15.0.0", hex(code)


@pytest.mark.parametrize(
    ("character", "words"),
    [
        ("\ufeff", "a byte order mark"),
        ("\u202e", "a bidi control character"),
        ("\u200f", "a bidi control character"),
        ("\x00", "a control character"),
        ("\x0c", "a control character"),
        ("\x7f", "a control character"),
        ("\x85", "a control character"),
        ("\ud800", "a surrogate"),
        ("\ue000", "a private-use character"),
        ("\U00100000", "a private-use character"),
        ("\ufdd0", "a noncharacter"),
        ("\U0001ffff", "a noncharacter"),
        ("\u200d", "a format or unassigned character"),
        ("\u0378", "a format or unassigned character"),
        ("\u2028", "a format or unassigned character"),
    ],
)
def test_a_character_that_hides_is_refused_and_named(character: str, words: str) -> None:
    (found,) = text_findings(f"x = 1\ny = '{character}'\n")
    assert found == (2, f"U+{ord(character):04X}: {words}; write it as an escape")


def test_a_row_of_such_characters_is_told_once() -> None:
    assert len(text_findings("x = '\u202e\u202e\u202e'")) == 1
    assert len(text_findings("x = '\u202e' + '\u202e'")) == 2


def test_other_languages_may_stand_in_texts_and_comments_but_not_in_names() -> None:
    assert text_findings("x = 'h\u00e9 \u4e16\u754c \U0001f600'  # \u00e9\n") == []
    assert text_findings("\u00e9 = 1") == [(1, "U+00E9: names are plain ASCII")]
    assert text_findings("x = \uff4fpen") == [(1, "U+FF4F: names are plain ASCII")]
    assert text_findings("x = f'{\u00e9}'")


def test_a_lone_carriage_return_is_refused_and_line_ends_of_windows_are_not() -> None:
    assert text_findings("x = 1\r\ny = 2\r\n") == []
    assert text_findings("x = 1\ry = 2\n")[0][0] == 1


def test_a_coding_cookie_may_only_say_utf_8() -> None:
    assert text_findings("# -*- coding: utf-8 -*-\n") == []
    assert text_findings("# coding=UTF_8\n") == []
    assert text_findings("#\n# coding: utf-7\n") == [(2, "a coding cookie other than utf-8: utf-7")]
    assert text_findings("#\n#\n# coding: utf-7\n") == []


@pytest.mark.parametrize(
    "text",
    ['"\\d"', '"\\N{DASH}"', '"\\400"', "b'\\u1234'", '"\\\u00e9"', "'''\n\\q'''", "f'\\{x}'"],
)
def test_escapes_that_versions_read_differently_are_refused(text: str) -> None:
    assert text_findings(f"x = {text}\n")


def test_escapes_that_every_version_knows_pass_and_raw_texts_have_none() -> None:
    every = r'"\n\\\'\"\a\b\f\r\t\v\0\377\x41\u0041\U00000041"'
    assert text_findings(f"x = {every}\ny = r'\\d\\q'\nz = '''a\\\nb'''\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "f'{x[\"a\"]}{y['b']}'",
        'f"{x["a"]}"',
        "f'{'a'}'",
        "f'{x\\n}'",
        "f'{x:{y}}'",
        "f'''{\n# c\nx}'''",
        "f'{*x}'",
        "f'{x!r:{y}}'",
        "f'{x[y}'",
        "f'{f\"{y!r:{z}}\"}'",
        "f'{" + "x+" * 250 + "x}'",
    ],
)
def test_f_strings_that_older_versions_cannot_read_are_refused(text: str) -> None:
    assert text_findings(f"x = {text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "f'{x}'",
        "f'{{x}}'",
        "f'{x[\"a\"]!r:>10}'",
        'f"{x:\'>4}"',
        "f'''{x[\"a\"]} {y}\n{z}'''",
        "f\"{f'{x}'}\"",
        "rf'{x}\\d'",
        "f'{ {1: 2}[1] }'",
        "f'{x:%Y}'",
    ],
)
def test_f_strings_that_every_version_reads_alike_pass(text: str) -> None:
    assert text_findings(f"x = {text}\n") == []


def test_a_number_ends_before_a_word_begins() -> None:
    assert text_findings("x = 1if y else 2\n") == [(1, "write a space after the number")]
    assert text_findings("x = 0x1for y in z\n") == [(1, "write a space after the number")]
    assert text_findings("x = 1_000.5e-3 + 0x1F + 0b1 + .5\n") == []


def test_an_open_text_is_not_python() -> None:
    assert text_findings("x = 'abc\n") == [(1, NOT_PYTHON)]


def test_brackets_are_counted_on_the_raw_text() -> None:
    assert text_findings("x = '" + "(" * 61 + "'\n") == [(1, TOO_DEEP)]
    assert text_findings("x = '" + "()" * 500 + "'\n") == []
    assert text_findings("\n\n" + "[" * 60 + "]" * 60) == []


def test_signs_in_a_row_are_counted_across_spaces_but_not_across_lines() -> None:
    assert text_findings("x = " + "- " * 41 + "1") == [(1, TOO_DEEP)]
    assert text_findings("x = " + "- " * 40 + "1") == []


def test_blocks_have_a_depth() -> None:
    def nested(levels: int) -> str:
        lines = "".join(" " * n + "if x:\n" for n in range(levels))
        return lines + " " * levels + "y = 1\n"

    assert text_findings(nested(16)) == []
    assert text_findings(nested(18)) == [(19, TOO_DEEP)]


def test_the_size_is_counted_in_octets() -> None:
    assert text_findings("#" + "\u00e9" * 32_768)[0][1].startswith("expected at most 65536 octets")
    assert text_findings("#" * 65_536) == []
