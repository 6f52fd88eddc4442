"""The guest's world, met by small WebAssembly programs and by Python inside (LH 6)."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from wasmtime import Engine, Module, Store, wat2wasm

from holodesk.host.machine import instance
from holodesk.host.machine.boot import KEEPER
from holodesk.host.machine.cache import Cache
from holodesk.host.machine.engine import engine as pinned_engine
from holodesk.host.machine.engine import load
from holodesk.host.machine.runtime import FUEL, MAX_MEMORY, MAX_REPLY, START_FUEL
from holodesk.host.machine.wasi import SERVED, Breach, Dismissed, Record, Request, World


@pytest.fixture(scope="module")
def runtime(cache: Path) -> tuple[Engine, Module]:
    return load(str(Cache(cache).prepared(None).metered), metered=True)


def asking(*requests: Request) -> Callable[[], Request]:
    """What a guest is given, one after the other; then it is dismissed."""

    def each() -> Iterator[Request]:
        yield from requests
        raise Dismissed

    return each().__next__


def python(
    runtime: tuple[Engine, Module], text: str, *requests: Request
) -> tuple[instance.Ending, list[Record]]:
    """Run Python text as a guest that has `take`, `request`, `give` and may answer."""
    said: list[Record] = []
    ending = instance.run(
        *runtime, asking(*requests), said.append, text=KEEPER + text, metered=True
    )
    return ending, said


ANSWER = 'give(b"O" + len(t).to_bytes(4, "little") + t)\n'
NOTHING = Request(b"", FUEL, 1)


def test_a_request_arrives_whole_and_its_reply_goes_back(runtime: tuple[Engine, Module]) -> None:
    text = "n = int.from_bytes(take(4), 'little')\nt = take(n)[::-1]\n" + ANSWER
    ending, said = python(runtime, text, Request(b"abc", FUEL, 1))
    assert said[0].octets == b"cba"
    assert 0 < said[0].fuel < FUEL
    assert ending[0] == instance.LEFT


def test_reading_between_a_request_and_its_reply_is_a_breach(
    runtime: tuple[Engine, Module],
) -> None:
    for size in (1, 0):
        ending, said = python(runtime, f"take(4)\nposix.read(0, {size})\n", NOTHING, NOTHING)
        assert ending == (instance.BREACH, "a read between a request and its reply")
        assert not said


def test_fuel_is_set_by_the_request_and_not_by_reading(runtime: tuple[Engine, Module]) -> None:
    loop = "take(4)\nwhile True: pass\n"
    ending, _ = python(runtime, loop, Request(b"x" * 4096, 10_000_000, 1))
    assert ending[0] == instance.FUEL_SPENT
    parts = "take(4)\nfor n in range(4096): take(1)\nwhile True: pass\n"
    ending, _ = python(runtime, parts, Request(b"x" * 4096, 100_000_000, 1))
    assert ending[0] == instance.FUEL_SPENT


@pytest.mark.parametrize(
    "reply",
    ['b"O\\5\\0\\0\\0hello" * 2', 'b"Q\\1\\0\\0\\0x"', 'b"O\\xff\\xff\\xff\\xff"', 'b"\\0" * 5'],
)
def test_a_reply_of_no_lawful_form_is_a_breach(runtime: tuple[Engine, Module], reply: str) -> None:
    ending, _ = python(runtime, f"take(4)\ngive({reply})\n", NOTHING)
    assert ending == (instance.BREACH, "a reply of no lawful form")


def test_a_reply_that_nobody_asked_for_is_a_breach(runtime: tuple[Engine, Module]) -> None:
    ending, _ = python(runtime, 't = b"x"\n' + ANSWER)
    assert ending[0] == instance.BREACH
    many = "take(4)\nfor n in range(9):\n    t = bytes(1 << 20)\n    " + ANSWER
    ending, said = python(runtime, many, Request(b"", START_FUEL, 9))
    assert ending[0] == instance.BREACH
    assert sum(len(record.octets) for record in said) <= MAX_REPLY


def test_clock_and_chance_are_constant_until_the_first_request_and_then_gone(
    runtime: tuple[Engine, Module],
) -> None:
    text = (
        "import time\nbefore = [time.time(), posix.urandom(4)]\ntake(4)\nfound = []\n"
        "for ask in (time.time, time.monotonic, lambda: posix.urandom(4)):\n"
        "    try:\n        found.append(ask())\n"
        "    except (OSError, NotImplementedError) as e:\n        found.append(type(e).__name__)\n"
        "t = repr([before, found]).encode()\n"
    )
    _, said = python(runtime, text + ANSWER, NOTHING)
    assert said[0].octets.startswith(b"[[0.0, b'****'], [")
    assert said[0].octets.count(b"Error") == 3


def test_memory_ends_at_its_limit_and_the_guest_lives_on(runtime: tuple[Engine, Module]) -> None:
    text = (
        "take(4)\nkept = []\ntry:\n    while True: kept.append(bytes(1 << 20))\n"
        "except MemoryError:\n    n = len(kept)\n    del kept\nt = str(n).encode()\n"
    )
    counts = {python(runtime, text + ANSWER, NOTHING)[1][0].octets for _ in range(2)}
    assert len(counts) == 1
    assert 90 < int(counts.pop()) < MAX_MEMORY >> 20


def test_a_trap_is_named_and_the_log_is_cut(runtime: tuple[Engine, Module]) -> None:
    ending, _ = python(runtime, "posix.abort()\n")
    assert ending[0] == instance.LEFT
    ending, _ = python(runtime, "raise ValueError('x' * 9000)\n")
    assert ending[0] == instance.LEFT
    assert len(ending[1]) < 2100


def world(source: str, *requests: Request) -> Breach | int:
    """A small program calls one import; what its world answers."""
    engine = pinned_engine(metered=False)
    module = Module(engine, bytes(wat2wasm(source)))
    store = Store(engine)
    one = World([b"python"], asking(*requests), lambda record: None, False, store)
    exports = one.linker(module).instantiate(store, module).exports(store)
    one.memory = exports["memory"]  # type: ignore[assignment]
    start = exports["ask"]
    try:
        return int(start(store))  # type: ignore[operator]
    except Breach as breach:
        return breach


def asks(name: str, kinds: str, *given: str) -> str:
    values = " ".join(
        f"({kind}.const {value})" for kind, value in zip(kinds.split(), given, strict=True)
    )
    return (
        f'(module (import "wasi_snapshot_preview1" "{name}" (func $f (param {kinds}) (result i32)))'
        f'(memory (export "memory") 1) (func (export "ask") (result i32) (call $f {values})))'
    )


@pytest.mark.parametrize(
    ("name", "kinds", "given"),
    [
        ("args_get", "i32 i32", ("65534", "0")),
        ("args_get", "i32 i32", ("0", "-8")),
        ("environ_get", "i32 i32", ("0", "65535")),
        ("random_get", "i32 i32", ("-4", "4")),
        ("random_get", "i32 i32", ("4", "-4")),
        ("random_get", "i32 i32", ("65535", "2")),
        ("clock_time_get", "i32 i64 i32", ("0", "0", "65530")),
        ("fd_fdstat_get", "i32 i32", ("0", "65520")),
        ("fd_filestat_get", "i32 i32", ("1", "65500")),
        ("fd_write", "i32 i32 i32 i32", ("2", "65532", "1", "0")),
        ("fd_write", "i32 i32 i32 i32", ("2", "0", "-1", "0")),
        ("fd_write", "i32 i32 i32 i32", ("2", "0", "1", "-4")),
        ("fd_write", "i32 i32 i32 i32", ("2", "0", "100000", "0")),
        ("fd_read", "i32 i32 i32 i32", ("0", "65532", "1", "0")),
    ],
)
def test_a_pointer_outside_the_memory_is_a_breach(
    name: str, kinds: str, given: tuple[str, ...]
) -> None:
    assert isinstance(world(asks(name, kinds, *given), Request(b"x", 0, 0)), Breach)


@pytest.mark.parametrize(
    ("name", "kinds", "given", "number"),
    [
        ("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32", ("3",) + ("0",) * 8, 76),
        ("path_unlink_file", "i32 i32 i32", ("3", "0", "0"), 76),
        ("sock_send", "i32 i32 i32 i32 i32", ("3", "0", "0", "0", "0"), 76),
        ("fd_prestat_get", "i32 i32", ("3", "0"), 8),
        ("fd_seek", "i32 i64 i32 i32", ("0", "0", "0", "0"), 70),
        ("fd_close", "i32", ("0",), 0),
        ("fd_readdir", "i32 i32 i32 i64 i32", ("0", "0", "0", "0", "0"), 52),
        ("sched_yield", "", (), 52),
        ("poll_oneoff", "i32 i32 i32 i32", ("0", "0", "0", "0"), 52),
        ("fd_read", "i32 i32 i32 i32", ("3", "0", "0", "0"), 8),
        ("fd_write", "i32 i32 i32 i32", ("3", "0", "0", "0"), 8),
        ("fd_fdstat_get", "i32 i32", ("3", "0"), 8),
        ("fd_filestat_get", "i32 i32", ("-1", "0"), 8),
    ],
)
def test_what_is_not_there_answers_with_its_number(
    name: str, kinds: str, given: tuple[str, ...], number: int
) -> None:
    assert world(asks(name, kinds, *given)) == number


def test_an_import_of_another_kind_is_refused() -> None:
    other = '(module (import "env" "system" (func)) (memory (export "memory") 1))'
    with pytest.raises(Breach):
        world(other)


def test_twelve_imports_are_served_and_the_module_asks_for_forty_three(
    runtime: tuple[Engine, Module],
) -> None:
    names = {one.name for one in runtime[1].imports}
    assert len(names) == 43
    assert len(SERVED & names) == len(SERVED) == 12
