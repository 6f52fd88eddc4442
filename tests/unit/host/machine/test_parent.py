"""What goes in, what comes out, and the verdict for every way it can end (LH 3.3, 6)."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from holodesk.errors import Unavailable
from holodesk.hologram.perform import Answered, Call, Failed, Undetermined
from holodesk.host.machine.parent import Machine
from holodesk.host.machine.runtime import MAX_CALLS, WASM_SHA256
from holodesk.rapp.canonical import canonical, parse
from tests.unit.host.machine.calls import answer, answers, call, how, performing, returning

Honest = dict[str, tuple[str, list[dict[str, Any]]]]
LOOP = performing("while True: pass")
BY_NUMBER = performing(
    "n = self.context.object",
    "while n == 2: pass",
    "if n == 3: raise ValueError('three')",
    "if n == 4: return self.perform()",
    "x = [0]",
    "while n == 5: x = x + x",
    'return {"object": n, "data_slush": {}}',
)


def of_case(case: dict[str, Any]) -> Call:
    return call(case["object"], case["slush"], case["params"])


@pytest.mark.parametrize("fuel", [True, False])
def test_the_honest_lenses_give_exactly_the_expected_octets(
    machine: Machine, honest: Honest, fuel: bool
) -> None:
    compared = 0
    for source, cases in honest.values():
        replies = machine.submit(source, [of_case(case) for case in cases], fuel=fuel).replies()
        for case, reply in zip(cases, replies, strict=True):
            if "refused" in case:
                assert reply == Failed("raised", f"ValueError: {case['refused']}")
            else:
                assert isinstance(reply, Answered)
                assert canonical(parse(reply.octets)) == canonical(case["result"])
            compared += 1
    assert compared == 320


def test_the_same_call_burns_the_same_fuel_in_every_process(
    machine: Machine, cache: Path, honest: Honest
) -> None:
    source, cases = honest["press"]
    burnt = []
    with Machine(cache) as other:
        for one in (machine, other, machine):
            outcome = one._alone_again(source, [of_case(cases[0])])
            assert outcome.gate is not None
            burnt.append((outcome.gate.fuel, outcome.answers[0].fuel))
    assert len(set(burnt)) == 1
    assert burnt[0][1] > 100_000


def test_the_runtime_is_known_before_anything_has_started(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "nowhere")
    assert machine.runtime.sha256 == WASM_SHA256
    assert not (tmp_path / "nowhere").exists()
    machine.close()


def test_every_reading_of_the_context_is_a_new_copy(machine: Machine) -> None:
    source = performing(
        "self.context.object['a'].append(1)",
        "first = self.context.object",
        "first['b'] = 2",
        'return {"object": self.context.object, "data_slush": self.context.slush}',
    )
    reply = answer(machine, source, call({"a": []}, {"c": 3}))
    assert reply == Answered(b'{"data_slush":{"c":3},"object":{"a":[]}}')


def test_the_head_and_the_facts_reach_a_reader(machine: Machine) -> None:
    reader = performing(
        'return {"object": [self.context.head, self.context.facts], "data_slush": {}}'
    )
    one = Call(b"1", b"{}", b"{}", head=b'{"seq":7}', facts=b'{"clock":"now"}')
    assert answer(machine, reader, one) == Answered(
        b'{"data_slush":{},"object":[{"seq":7},{"clock":"now"}]}'
    )


def test_nothing_is_kept_between_calls(machine: Machine) -> None:
    source = performing(
        "KEPT.append(1)",
        "self.LIST.append(1)",
        'return {"object": [len(KEPT), len(self.LIST)], "data_slush": {}}',
        before="KEPT = []\n",
        after="    LIST = []\n",
    )
    replies = answers(machine, source, [call()] * 5) + answers(machine, source, [call()])
    assert set(replies) == {Answered(b'{"data_slush":{},"object":[1,1]}')}


def test_text_results_are_handed_on_as_they_are(machine: Machine) -> None:
    text = '{"object": 20.0,\\n "data_slush": {}, "object": 1}'
    reply = answer(machine, performing(f"return '{text}'"))
    assert reply == Answered(b'{"object": 20.0,\n "data_slush": {}, "object": 1}')


def test_a_self_lens_says_whether_it_has_converged(machine: Machine) -> None:
    method = "    def converged(self, object):\n        return object[0]\n"
    source = performing("return 1", after=method)
    calls = [call([value], method="converged") for value in (True, False, 1, None)]
    replies = answers(machine, source, calls)
    assert replies[:2] == [Answered(b"true"), Answered(b"false")]
    assert [how(reply) for reply in replies[2:]] == ["output", "output"]


def test_a_reader_gives_back_plain_data(machine: Machine) -> None:
    def reader(value: str) -> str:
        method = f"    def system_context(self):\n        return {value}\n"
        return performing("return 1", after=method)

    asked = call(method="system_context")
    assert answer(machine, reader('"a text"'), asked) == Answered(b'"a text"')
    assert answer(machine, reader("None"), asked) == Answered(b"null")
    assert answer(machine, reader('["a", {"b": 1}]'), asked) == Answered(b'["a",{"b":1}]')
    assert how(answer(machine, reader("(1, 2)"), asked)) == "output"


def test_a_method_that_is_not_there_is_the_agent_s_failure(machine: Machine) -> None:
    reply = answer(machine, returning("1"), call(method="converged"))
    assert isinstance(reply, Failed)
    assert reply.how == "raised"
    assert "AttributeError" in reply.message


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("(1, 2)", "tuple"),
        ("{1: 2}", "a member's name is not a text"),
        ("{None: 2}", "a member's name is not a text"),
        ("lambda: 1", "function"),
        ("range(3)", "range"),
        ("float('nan')", "not JSON"),
        ("float('inf')", "not JSON"),
        ("'\\ud800'", "a lone surrogate"),
        ("'x' * 1048577", "at most 1048576 octets"),
        ("[0] * 1048577", "at most 1048576 octets"),
        ("10 ** 5000", "not JSON"),
    ],
)
def test_what_is_not_plain_data_is_refused_by_name(
    machine: Machine, expression: str, words: str
) -> None:
    reply = answer(machine, returning(expression))
    assert isinstance(reply, Failed)
    assert reply.how == "output"
    assert words in reply.message


@pytest.mark.parametrize(
    "value",
    ["None", "1", "[]", "{}", '{"object": 1}', '{"object": 1, "data_slush": []}',
     '{"object": 1, "data_slush": {}, "more": 1}', '"text"', '"[]"', '"{\\"object\\":1}"'],
)  # fmt: skip
def test_a_result_has_exactly_two_members(machine: Machine, value: str) -> None:
    assert how(answer(machine, performing(f"return {value}"))) == "output"


def test_deep_and_shared_results_end_in_a_refusal(machine: Machine) -> None:
    deep = performing(
        "x = []", "for n in range(70): x = [x]", 'return {"object": x, "data_slush": {}}'
    )
    assert how(answer(machine, deep)) == "output"
    circular = performing("x = []", "x.append(x)", 'return {"object": x, "data_slush": {}}')
    assert how(answer(machine, circular)) == "output"
    laughs = performing(
        "x = [1] * 10", "for n in range(9): x = [x] * 10", 'return {"object": x, "data_slush": {}}'
    )
    assert how(answer(machine, laughs)) in ("output", "spent")


def test_what_an_agent_raises_is_told(machine: Machine) -> None:
    assert answer(machine, performing("return 1 // 0")) == Failed(
        "raised", "ZeroDivisionError: integer division or modulo by zero"
    )
    long = answer(machine, performing("raise ValueError('x' * 10000)"))
    assert isinstance(long, Failed)
    assert len(long.message) <= 500


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("while True: pass",), "fuel"),
        (("x = 'x'", "while True: x = x + x"), "memory"),
        (("return self.perform()",), "stack"),
        (("return sum(range(10 ** 9))",), "fuel"),
        (("x = 9 ** 9 ** 9",), "fuel"),
        (("import_ = 'x' * (2 ** 31 - 1)",), "memory"),
    ],
)
def test_a_spent_call_is_a_failure_and_the_limit_is_named(
    machine: Machine, lines: tuple[str, ...], words: str
) -> None:
    began = time.monotonic()
    reply = answer(machine, performing(*lines))
    assert isinstance(reply, Failed)
    assert (reply.how, words in reply.message) == ("spent", True), reply.message
    assert time.monotonic() - began < 6


def test_work_at_load_is_spent_too(machine: Machine) -> None:
    source = performing("return 1", before="X = sum(range(10 ** 10))\n")
    assert how(answer(machine, source)) == "spent"


def test_one_bad_call_in_a_batch_spoils_no_other(machine: Machine) -> None:
    numbers = [1, 2, 6, 3, 7, 4, 8, 5, 9]
    replies = answers(machine, BY_NUMBER, [call(n) for n in numbers])
    assert [how(reply) for reply in replies] == [
        "answered", "spent", "answered", "raised", "answered", "spent", "answered", "spent",
        "answered",
    ]  # fmt: skip
    assert replies[-1] == Answered(b'{"data_slush":{},"object":9}')


def test_without_fuel_a_loop_gets_the_same_verdict(machine: Machine) -> None:
    machine.warm(unmetered=True)
    replies = machine.submit(BY_NUMBER, [call(n) for n in (1, 2, 3)], fuel=False).replies()
    assert [how(reply) for reply in replies] == ["answered", "spent", "raised"]


def test_judging_one_call_alone_gives_the_verdict_of_the_batch(machine: Machine) -> None:
    for number in (1, 2, 3, 4):
        assert machine.judge(BY_NUMBER, call(number)) == answer(machine, BY_NUMBER, call(number))


def test_a_refused_file_answers_every_call_with_the_gate_s_reason(machine: Machine) -> None:
    for line in ("print(1)", "import sys", "x = open('/etc/passwd')"):
        replies = answers(machine, performing(line), [call()] * 3)
        assert len(set(map(str, replies))) == 1
        assert isinstance(replies[0], Failed)
        assert (replies[0].how, "line 18" in replies[0].message) == ("gate", True)


def test_the_gate_answers_from_inside_the_runtime(machine: Machine) -> None:
    assert machine.gate(returning("1")) == ()
    (found,) = machine.gate(performing("import time", "return 1"))[:1]
    assert (found.line, found.reason) == (
        18,
        "import time: a lens must be pure; reads the clock",
    )
    assert machine.gate(returning("1")) == ()
    assert machine.gate("#" * 70_000)[0].reason.startswith("expected at most 65536")
    assert machine.gate("x = '\ud800'")[0].reason == "U+D800: a surrogate"


def test_a_source_that_cannot_be_handed_over_is_refused_by_the_gate(machine: Machine) -> None:
    for source in ("x = '\ud800'", "#" * 70_000):
        for reply in (answer(machine, source), machine.judge(source, call())):
            assert how(reply) == "gate"


def test_the_gate_s_answers_are_kept_for_so_many_sources_and_no_more(machine: Machine) -> None:
    for number in range(140):
        assert machine.gate("#" * 66_000 + str(number))
    assert len(machine._gated) <= 128


def test_handing_over_does_not_wait_for_the_batch(machine: Machine) -> None:
    answer(machine, LOOP)
    began = time.monotonic()
    under_way = machine.submit(LOOP, [call()])
    handed = time.monotonic() - began
    assert [how(reply) for reply in under_way.replies()] == ["spent"]
    assert handed < (time.monotonic() - began) / 2


def test_workers_take_turns_and_the_order_of_asking_does_not_matter(machine: Machine) -> None:
    batches = [machine.submit(returning(str(n)), [call()] * 3) for n in range(5)]
    assert len({batch.worker.pid for batch in batches[:2] if batch.worker}) == 2
    for number, batch in reversed(list(enumerate(batches))):
        wanted = b'{"data_slush":{},"object":%d}' % number
        assert batch.replies() == [Answered(wanted)] * 3
        assert batch.replies() == [Answered(wanted)] * 3


def test_a_batch_has_a_size(machine: Machine) -> None:
    assert machine.submit(returning("1"), []).replies() == []
    assert len(answers(machine, returning("1"), [call()] * MAX_CALLS)) == MAX_CALLS
    with pytest.raises(ValueError, match="expected at most 64 calls, found 65"):
        machine.submit(returning("1"), [call()] * (MAX_CALLS + 1))


def test_more_sources_than_a_worker_keeps_are_all_answered(machine: Machine) -> None:
    for _ in range(2):
        for number in range(12):
            assert how(answer(machine, returning(str(number)))) == "answered"


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_worker_killed_at_work_is_replaced_and_its_calls_are_undetermined(
    machine: Machine,
) -> None:
    under_way = machine.submit(LOOP, [call()] * 2)
    assert under_way.worker is not None
    os.kill(under_way.worker.pid, signal.SIGKILL)
    replies = under_way.replies()
    assert [how(reply) for reply in replies] == ["undetermined"] * 2
    assert isinstance(replies[0], Undetermined)
    assert "gone" in replies[0].reason
    for _ in range(2):
        assert how(answer(machine, returning("1"))) == "answered"


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_worker_killed_at_rest_is_replaced_and_nothing_is_lost(machine: Machine) -> None:
    before = {worker.pid for worker in machine._workers}
    for worker in machine._workers:
        os.kill(worker.pid, signal.SIGKILL)
        worker._process.wait()
    assert how(answer(machine, returning("1"))) == "answered"
    assert how(answer(machine, returning("2"))) == "answered"
    assert not before & {worker.pid for worker in machine._workers}


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_the_wall_limit_only_says_that_it_could_not_be_judged(machine: Machine) -> None:
    under_way = machine.submit(LOOP, [call()])
    assert under_way.worker is not None
    os.kill(under_way.worker.pid, signal.SIGSTOP)
    began = time.monotonic()
    (reply,) = under_way.replies()
    assert how(reply) in ("spent", "undetermined")
    assert time.monotonic() - began > 2.9
    assert how(answer(machine, returning("1"))) == "answered"


def test_a_closed_machine_judges_nothing(cache: Path) -> None:
    machine = Machine(cache)
    under_way = machine.submit(LOOP, [call()])
    machine.close()
    assert [how(reply) for reply in under_way.replies()] == ["undetermined"]
    with pytest.raises(Unavailable):
        machine.submit(LOOP, [call()])


@pytest.mark.skipif(os.name != "posix", reason="/proc and process groups")
def test_closing_ends_every_process(cache: Path) -> None:
    with Machine(cache, workers=2) as machine:
        machine.warm()
        workers = [*machine._workers, machine._spare]
        pids = [worker.pid for worker in workers if worker is not None]
    assert len(pids) == 3
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
