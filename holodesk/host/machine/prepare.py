"""The program that makes the compiled cache, once for each runtime, engine and processor (LH 6).

Started by its file with one argument, a JSON object: where the packages, the project's modules and
the wasm file are, and which of `metered`, `unmetered` and `codes` to write, and where. It reads
nothing that an agent wrote.
"""

import json
import marshal
import os
import sys
from types import ModuleType


def _own_modules(root: str, packages: str) -> None:
    sys.path.append(packages)
    folder = root
    for name in ("holodesk", "holodesk.host", "holodesk.host.machine"):
        folder = os.path.join(folder, name.rpartition(".")[2])  # noqa: PTH118
        package = ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package


def _write(path: str, octets: bytes | bytearray) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(octets)
        file.flush()
        os.fsync(file.fileno())


def main() -> None:
    place = json.loads(sys.argv[1])
    _own_modules(place["root"], place["packages"])
    from wasmtime import Module

    from holodesk.host.machine.engine import engine

    for name, metered in (("metered", True), ("unmetered", False)):
        if place.get(name):
            module = Module.from_file(engine(metered=metered), place["wasm"])
            _write(place[name], module.serialize())
    if place.get("codes"):
        _write(place["codes"], _codes(place["loaded"], place["texts"]))


def _codes(path: str, texts: list[tuple[str, str]]) -> bytes:
    """The library, the gate and the guest's program as the pinned runtime compiles them."""
    from holodesk.host.machine import instance
    from holodesk.host.machine.boot import COMPILE
    from holodesk.host.machine.engine import load
    from holodesk.host.machine.runtime import START_FUEL
    from holodesk.host.machine.wasi import Record, Request

    engine, module = load(path, metered=True)
    requests = iter([Request(marshal.dumps([tuple(one) for one in texts], 2), START_FUEL, 1)])
    found: list[Record] = []
    ending = instance.run(
        engine, module, requests.__next__, found.append, text=COMPILE, metered=True
    )
    if not found:
        raise RuntimeError(f"the runtime did not compile its program: {ending[1]}")
    return found[0].octets


if __name__ == "__main__":
    main()
