"""JSON values: types, sameness and how a message shows one (LH 3.4)."""

from holodesk.agent.values import is_distinct, same, shown, type_of
from holodesk.rapp.canonical import Json


def test_every_value_has_one_narrowest_type() -> None:
    values: list[Json] = [{}, [], "", 1, 1.0, 1.5, True, None]
    names = "object, array, string, integer, integer, number, boolean, null"
    assert ", ".join(type_of(value) for value in values) == names


def test_sameness_follows_json_and_not_python() -> None:
    assert same(1, 1.0)
    assert same({"a": [1]}, {"a": [1.0]})
    assert not same(1, True)
    assert not same(0, False)
    assert not same("1", 1)
    assert not same([1, 2], [2, 1])
    assert not same(None, False)


def test_a_list_is_distinct_when_no_two_values_are_the_same() -> None:
    assert is_distinct([1, True, "1", None, [], {}, [1], {"a": 1}])
    assert not is_distinct([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}])


def test_a_message_shows_short_values_whole_and_long_ones_by_their_kind() -> None:
    values: list[Json] = [None, True, False, 3, "a", [1, 2], {"a": 1}]
    shortest = 'null, true, false, 3, "a", an array of 2, an object of 1'
    assert ", ".join(shown(value) for value in values) == shortest
    assert len(shown("x" * 1000)) < 50
