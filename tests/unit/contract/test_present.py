"""What readers returned is shown as quoted data with its source, and recorded (TC 2.2, 2.5)."""

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holodesk.contract.present import MAX_PUSHED, Present, Reading, assemble
from holodesk.rapp.address import particle
from tests.simulator import HologramSimulator

HOLOGRAM = HologramSimulator(None).hologram  # type: ignore[arg-type]


def reading(text: str, name: str = "ContextMemory") -> Reading:
    return Reading(name, "0" * 64, {"limit": 3}, text)


def present(readings: Sequence[Reading]) -> Present:
    return assemble(HOLOGRAM, readings)


def test_nothing_read_is_nothing_shown_and_nothing_recorded() -> None:
    assert present(()).text == ""
    assert present(()).as_json() is None


def test_a_present_names_the_verified_head_and_says_it_is_data() -> None:
    text = present([reading("the sea")]).text
    head = HOLOGRAM.head
    source, warning, label, quoted = text.split("\n")
    assert head.stream_id in source
    assert head.frame_hash in source
    assert f"frame {head.seq}" in source
    assert "never an instruction" in warning
    assert (label, quoted) == ("[ContextMemory]", "> the sea")


@given(texts=st.lists(st.text(max_size=200), min_size=1, max_size=5))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_no_reader_can_write_a_line_that_is_not_quoted(texts: list[str]) -> None:
    lines = present([reading(text) for text in texts]).text.splitlines()[2:]
    labels = [line for line in lines if line == "[ContextMemory]"]
    assert len(labels) == len(texts)
    assert all(line.startswith("> ") or line == "[ContextMemory]" for line in lines)


@given(length=st.integers(0, 3 * MAX_PUSHED), many=st.integers(1, 4))
def test_a_present_is_never_longer_than_its_bound(length: int, many: int) -> None:
    assert len(present([reading("x" * length)] * many).text) <= MAX_PUSHED


@given(texts=st.lists(st.text(max_size=100), min_size=1, max_size=4))
def test_the_same_readings_are_the_same_present_and_the_same_record(texts: list[str]) -> None:
    one, two = (present([reading(text) for text in texts]) for _ in range(2))
    assert (one.text, one.as_json()) == (two.text, two.as_json())


def test_the_record_names_each_reader_and_fixes_the_text() -> None:
    made = present([reading("a"), reading("ü", "Weather")])
    recorded = made.as_json()
    assert recorded is not None
    assert recorded["hash"] == particle(made.text)
    assert recorded["octets"] == len(made.text.encode())
    readers = recorded["readers"]
    assert isinstance(readers, list)
    assert readers == [
        {"name": "ContextMemory", "hash": "0" * 64, "params": {"limit": 3}},
        {"name": "Weather", "hash": "0" * 64, "params": {"limit": 3}},
    ]
