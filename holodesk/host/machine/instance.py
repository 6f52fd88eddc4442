"""One guest from its start to its end, and the word for every way it can end (LH 6)."""

from collections.abc import Callable
from typing import Final

from wasmtime import Engine, Func, FuncType, Linker, Memory, Module, Store, Trap, TrapCode

from holodesk.host.machine.boot import arguments
from holodesk.host.machine.runtime import MAX_MEMORY, START_FUEL
from holodesk.host.machine.wasi import Breach, Dismissed, Ended, Record, Request, World

FUEL_SPENT: Final = b"f"
STACK_SPENT: Final = b"s"
BREACH: Final = b"b"
LEFT: Final = b"x"
DISMISSED: Final = b"d"
Ending = tuple[bytes, str]
"""One of the letters above, and what there is to say about it."""


def run(
    engine: Engine,
    module: Module,
    next_request: Callable[[], Request],
    told: Callable[[Record], None],
    *,
    text: str,
    metered: bool,
) -> Ending:
    """Start a guest and let it serve until it ends, breaks a rule or is dismissed."""
    store = Store(engine)
    store.set_limits(memory_size=MAX_MEMORY, instances=1, tables=4, memories=1)
    if metered:
        store.set_fuel(START_FUEL)
    world = World(arguments(text), next_request, told, metered, store)
    try:
        exports = world.linker(module).instantiate(store, module).exports(store)
        memory, start = exports["memory"], exports["_start"]
        if not isinstance(memory, Memory) or not isinstance(start, Func):
            return LEFT, "the module has no memory or no start"
        world.memory = memory
        start(store)
    except Dismissed:
        return DISMISSED, ""
    except Breach as breach:
        return BREACH, str(breach)
    except Ended as ended:
        return LEFT, f"{ended}{_log(world)}"
    except Trap as trap:
        return _trapped(trap, world)
    except Exception as failure:  # noqa: BLE001  a thread that ends with it would answer nobody
        return BREACH, f"the host could not serve it: {type(failure).__name__}: {failure}"
    finally:
        store.close()
    return LEFT, f"the program ended itself{_log(world)}"


def touch(engine: Engine) -> None:
    """What the engine asks the system for once in each thread, such as seeds for its tables."""
    linker = Linker(engine)
    linker.define_func("touch", "touch", FuncType([], []), lambda: None)
    Store(engine).close()
    linker.close()


def _trapped(trap: Trap, world: World) -> Ending:
    if trap.trap_code == TrapCode.OUT_OF_FUEL:
        return FUEL_SPENT, "out of fuel"
    if trap.trap_code == TrapCode.STACK_OVERFLOW:
        return STACK_SPENT, "out of stack"
    name = trap.trap_code.name if trap.trap_code is not None else "unknown"
    return LEFT, f"the program trapped: {name}{_log(world)}"


def _log(world: World) -> str:
    text = world.log.decode("utf-8", "replace").strip().splitlines()
    return f": {text[-1]}" if text else ""
