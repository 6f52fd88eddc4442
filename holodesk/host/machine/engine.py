"""The engine as pinned: only what CPython needs is on, and no float is left free (LH 6)."""

from wasmtime import Config, Engine, Module

from holodesk.host.machine.runtime import FEATURES_OFF, MAX_STACK


def engine(*, metered: bool) -> Engine:
    """An engine with or without fuel; both give the same results."""
    config = Config()
    for feature in FEATURES_OFF:
        setattr(config, feature, False)
    config.cranelift_nan_canonicalization = True
    config.max_wasm_stack = MAX_STACK
    config.consume_fuel = metered
    return Engine(config)


def load(path: str, *, metered: bool) -> tuple[Engine, Module]:
    """A module that `prepare` compiled into the private cache: native code, mapped, not read."""
    made = engine(metered=metered)
    return made, Module.deserialize_file(made, path)
