"""The parse profile: admitted whole or refused whole (rapp/1 4)."""

import pytest

from holodesk.errors import NotCanonical
from holodesk.rapp.canonical import MAX_DEPTH, MAX_OCTETS, admit, parse
from holodesk.rapp.intake import MAX_RAW_OCTETS, admit_strictly, number_tokens


def refused(octets: bytes) -> NotCanonical:
    with pytest.raises(NotCanonical) as refusal:
        admit(octets)
    with pytest.raises(NotCanonical) as strictly:
        admit_strictly(octets)
    assert strictly.value.rule == refusal.value.rule
    return refusal.value


def test_canonical_text_is_its_own_canonical_form() -> None:
    octets = b'{"a":[1,2.5,1e+21,0.000001],"b":"x"}'
    assert admit(octets) == ({"a": [1, 2.5, 1e21, 1e-6], "b": "x"}, octets)
    assert admit(octets)[1] is octets
    assert admit(octets) == admit_strictly(octets)


def test_white_space_order_and_odd_tokens_are_admitted_and_rewritten() -> None:
    value, written = admit(b' { "b" : 20.0 , "a" : "\\u0041\\/" , "c" : 1E2 } \n')
    assert written == b'{"a":"A/","b":20,"c":100}'
    assert value == {"a": "A/", "b": 20, "c": 100}


def test_the_value_does_not_tell_how_the_text_was_written() -> None:
    assert isinstance(value := parse(b'{"b":20.0,"a":-0}'), dict)
    assert list(value) == ["a", "b"]
    assert [type(number) for number in value.values()] == [int, int]
    assert type(parse(b"9007199254740992")) is float


@pytest.mark.parametrize(
    ("octets", "rule"),
    [
        (b"\xef\xbb\xbf{}", "rapp/1 4"),
        (b'"\xff"', "rapp/1 4"),
        (b'"\xed\xa0\x80"', "rapp/1 4"),
        (b'"\x00"\x00', "rapp/1 4"),
        (b"", "rapp/1 4"),
        (b"[1,]", "rapp/1 4"),
        (b"1 2", "rapp/1 4"),
        (b"01", "rapp/1 4"),
        (b"+1", "rapp/1 4"),
        (b'"\t"', "rapp/1 4"),
        (b'{"a":1,"a":2}', "rapp/1 4(a)"),
        (b'{"a":1,"\\u0061":2}', "rapp/1 4(a)"),
        (b'{"x":{"a":1,"b":2,"a":1}}', "rapp/1 4(a)"),
        (b'"\\ud800"', "rapp/1 4(b)"),
        (b'{"\\udc00":1}', "rapp/1 4(b)"),
        (b'"\\ufdd0"', "rapp/1 4(b)"),
        (b'"\xef\xb7\x90"', "rapp/1 4(b)"),
        (b'"\xef\xbf\xbe"', "rapp/1 4(b)"),
        (b'"\xf4\x8f\xbf\xbf"', "rapp/1 4(b)"),
        (b'{"\xf0\x9f\xbf\xbe":1}', "rapp/1 4(b)"),
        (b"NaN", "rapp/1 4(c)"),
        (b"[Infinity]", "rapp/1 4(c)"),
        (b"-Infinity", "rapp/1 4(c)"),
        (b"9007199254740993", "rapp/1 4(c)"),
        (b"0.10000000000000001", "rapp/1 4(c)"),
        (b"[1e999]", "rapp/1 4(c)"),
    ],
)
def test_a_text_outside_the_profile_is_refused_and_the_rule_named(octets: bytes, rule: str) -> None:
    assert refused(octets).rule == rule


@pytest.mark.parametrize(
    "text", ["\ufdcf", "\ufdf0", "\ufffd", "\ufeff", "\U0001f600", "\uffee\U0001f600"]
)
def test_neighbours_of_the_noncharacters_are_admitted(text: str) -> None:
    octets = f'["{text}"]'.encode()
    assert admit(octets) == ([text], octets)


@pytest.mark.parametrize("inner", [b"", b"1", b'"]]]]"', b'"\\"[[[["'])
def test_depth_64_is_admitted_and_65_refused(inner: bytes) -> None:
    deep = b"[" * MAX_DEPTH + inner + b"]" * MAX_DEPTH
    assert admit(deep)[1] == deep
    assert refused(b"[" + deep + b"]").rule == "rapp/1 4(d)"


def test_objects_count_toward_depth_as_arrays_do() -> None:
    deep = b'{"a":[' * 32 + b"]}" * 32
    assert admit(deep)[1] == deep
    assert refused(b'{"a":' + deep + b"}").rule == "rapp/1 4(d)"
    assert refused(b"[" * 100_000 + b"]" * 100_000).rule == "rapp/1 4(d)"


def test_many_shallow_containers_are_no_depth() -> None:
    wide = b"[" + b",".join([b"[]", b"{}"] * 100) + b"]"
    assert admit(wide)[1] == wide


def test_the_canonical_form_is_bounded_and_padding_is_not() -> None:
    longest = b'"' + b"a" * (MAX_OCTETS - 2) + b'"'
    assert admit(longest)[1] == longest
    assert refused(b'"' + b"a" * (MAX_OCTETS - 1) + b'"').rule == "rapp/1 4(d)"
    assert admit(b" " * (2 * MAX_OCTETS) + b"{}")[1] == b"{}"


def test_a_text_beyond_64_mib_is_not_looked_at() -> None:
    with pytest.raises(NotCanonical):
        admit(b" " * (MAX_RAW_OCTETS + 1))


def test_a_long_text_that_is_all_structure_is_refused_before_it_is_parsed() -> None:
    assert refused(b"[" + b"[]," * 700_000 + b"[]]").rule == "rapp/1 4(d)"
    spaced = b"[" + b" 1 ,  " * 300_000 + b'"[[,,::"]'
    assert admit(spaced)[1] == b"[" + b"1," * 300_000 + b'"[[,,::"]'


def test_a_duplicate_among_many_names_is_found() -> None:
    names = b",".join(b'"%d":0' % n for n in range(60_000))
    assert refused(b"{" + names + b',"59999":1}').rule == "rapp/1 4(a)"


def test_number_tokens_are_kept_where_they_are_ruled() -> None:
    assert number_tokens(b'{"seq":1e0,"n":[-0,1.50]}') == {"seq": "1e0", "n": ["-0", "1.50"]}
