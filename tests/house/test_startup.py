"""What a verb loads: no window for a verifier, no host in a worker (house II.4)."""

import json
import subprocess
import sys
from pathlib import Path

PROBE = """
import json, sys
from holodesk.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps(sorted(name.partition(".")[0] for name in sys.modules)))
"""


def loaded(*words: str) -> set[str]:
    run = subprocess.run([sys.executable, "-c", PROBE, *words], capture_output=True, text=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


def test_verify_never_loads_qt(tmp_path: Path) -> None:
    chain = tmp_path / "chain.jsonl"
    chain.write_bytes(b"{}\n")
    assert not loaded("verify", str(chain), "--links-only") & {"PySide6", "pyqtgraph", "numpy"}


def test_help_loads_neither_qt_nor_the_machine() -> None:
    assert not loaded("--help") & {"PySide6", "wasmtime", "numpy", "sqlite3"}
