"""What agent code runs in, to the last setting; every lens frame names it (LH 6).

Changing anything here changes what replays, so the name carries a number of its own.
"""

from typing import Final

WASM_SHA256: Final = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
WASMTIME: Final = "50.0"
NAME: Final = f"cpython-3.12.0-wasi/wasmtime-{WASMTIME}/1"
"""The interpreter, the engine that meters it, and the number of these rules."""

FUEL: Final = 2_000_000_000
"""What one call may burn: the normative limit, met by the first call in a fresh instance."""
BATCH_FUEL: Final = FUEL // 4 * 3
"""A call that burns more among others is run again alone, so that history never decides."""
SHARE_FUEL: Final = FUEL // 8
"""What each further call adds to the budget of a batch."""
START_FUEL: Final = 10_000_000_000
"""What the interpreter's own start may burn, and the gate on the largest lawful source."""
MAX_MEMORY: Final = 128 << 20
MAX_STACK: Final = 512 << 10
MAX_CALLS: Final = 64
"""The most calls in one batch."""
MAX_RESULT: Final = 1 << 20
"""The largest result, in octets of JSON text (rapp/1 4)."""
MAX_REPLY: Final = 4 << 20
"""The most octets that one request may be answered with; more is a breach of the protocol."""
INSTANCES: Final = 8
"""How many guests one worker keeps: each holds one source, one of them none yet."""

FEATURES_OFF: Final = (
    "wasm_threads",
    "shared_memory",
    "wasm_memory64",
    "wasm_multi_memory",
    "wasm_tail_call",
    "wasm_relaxed_simd",
    "wasm_simd",
    "wasm_gc",
    "wasm_function_references",
    "wasm_exceptions",
    "wasm_stack_switching",
    "wasm_custom_page_sizes",
    "wasm_wide_arithmetic",
    "wasm_component_model",
)
"""What CPython does not need of WebAssembly."""
