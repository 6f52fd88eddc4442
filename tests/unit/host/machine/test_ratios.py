"""How the machine's times stand to each other, each pair taken in one run (LH 6)."""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holodesk.host.machine.cache import interpreter
from holodesk.host.machine.parent import WALL_SECONDS, Machine
from tests.unit.host.machine.calls import answer, call, how, performing
from tests.unit.host.machine.test_parent import Honest, of_case

pytestmark = pytest.mark.slow


def quickest(times: int, act: Callable[[], Any]) -> float:
    """The least time of several: what the work needs when nothing else is in the way."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        found.append(time.perf_counter() - began)
    return min(found)


@pytest.fixture(scope="module")
def warm(cache: Path) -> Any:
    with Machine(cache) as one:
        one.warm()
        yield one


def test_a_limit_is_answered_long_before_the_wall(warm: Machine) -> None:
    numbers = iter(range(100))

    def loop() -> None:
        source = performing(f"x = {next(numbers)}", "while True: pass")
        assert how(answer(warm, source)) == "spent"

    assert quickest(4, loop) < 0.25 * WALL_SECONDS


def test_a_new_lens_is_ready_within_six_starts_of_python(warm: Machine) -> None:
    numbers = iter(range(100))

    def fresh() -> None:
        source = performing(f'return {{"object": {next(numbers)}, "data_slush": {{}}}}')
        assert how(answer(warm, source)) == "answered"

    def rested() -> float:
        time.sleep(0.4)
        return quickest(1, fresh)

    start = quickest(5, lambda: subprocess.run([interpreter(), "-I", "-S", "-c", "pass"]))
    assert min(rested() for _ in range(4)) < 6 * start


def test_a_live_pass_costs_at_most_four_batched_calls(warm: Machine, honest: Honest) -> None:
    source, cases = honest["press"]
    calls = [of_case(case) for case in cases]
    batched = quickest(8, lambda: warm.submit(source, calls).replies()) / len(calls)
    assert quickest(30, lambda: answer(warm, source, calls[0])) < 4 * batched
    assert call()
