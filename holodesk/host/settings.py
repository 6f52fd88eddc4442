"""What a person may set for this program; never on the chain (house II.11).

One TOML file, read once; an unknown key or a value of another shape is an error, told in one
sentence.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from filelock import FileLock
from platformdirs import user_cache_path, user_config_path, user_data_path

from holodesk.errors import Place, Refused, Unavailable
from holodesk.host.clock import chance
from holodesk.store.whole import whole_file

APP: Final = "holodesk"
MAX_WORKERS: Final = 64
LABEL: Final = re.compile(r"[!-~]{1,100}")
"""A machine's label: printable ASCII without spaces."""
LAWFUL: Final[Mapping[str, tuple[re.Pattern[str] | range, str]]] = {
    "owner": (
        re.compile(r"(?=.{1,39}$)[a-z0-9]+(-[a-z0-9]+)*"),
        "1 to 39 lowercase letters, digits and single hyphens (rapp/1 6.1)",
    ),
    "machine": (re.compile(r"[!-~]{0,100}"), "at most 100 printable ASCII characters"),
    "workers": (range(MAX_WORKERS + 1), f"0 to {MAX_WORKERS}"),
    "rig": (re.compile("A|B|C"), "A, B or C"),
    "theme": (re.compile("dark|light|contrast"), "dark, light or contrast"),
    "renderer": (re.compile("auto|gl|raster"), "auto, gl or raster"),
    "screen": (re.compile(".{0,200}"), "one line"),
}
"""What each setting may be, and how that is said."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default."""

    owner: str = "me"  # the owner label of new rappids and the id of a person who chooses
    machine: str = ""  # this machine's label on leases; empty: one is made and kept
    workers: int = 0  # processes that replay; 0: one less than there are cores, at least 1
    rig: str = "A"  # A, B or C
    theme: str = "dark"  # dark, light or contrast
    renderer: str = "auto"  # auto, gl or raster
    screen: str = ""  # the output screen by name or serial; empty: a window


def config_folder() -> Path:
    """The user's own configuration folder; keys live in it, outside every desk."""
    return user_config_path(APP)


def data_folder() -> Path:
    """Where default desks are."""
    return user_data_path(APP)


def cache_folder() -> Path:
    """What can be made again: the compiled lens machine."""
    return user_cache_path(APP)


def default_desk() -> Path:
    """The desk that opens when none is named."""
    return data_folder() / "creature"


def settings_file() -> Path:
    """The one TOML file."""
    return config_folder() / "settings.toml"


def read_settings() -> Settings:
    """The settings, or the defaults where there is no file.

    Raises:
        Refused: not TOML, an unknown key, or a value of another shape.
        Unavailable: the file cannot be read.
    """
    path = settings_file()
    where = Place(file=path.name)
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise Refused("settings", f"expected TOML: {problem}", where) from problem
    except OSError as problem:
        told = f"the settings cannot be read: {problem.strerror or problem}"
        raise Unavailable("settings", told, where) from problem
    known = {field.name for field in fields(Settings)}
    for name, value in given.items():
        if name not in known:
            told = f"expected one of {', '.join(LAWFUL)}, found {name[:40]}"
            raise Refused("settings", told, where)
        lawful, told = LAWFUL[name]
        if not _is_lawful(lawful, value):
            raise Refused("settings", f"{name}: expected {told}, found {str(value)[:40]}", where)
    return Settings(**given)


def _is_lawful(lawful: re.Pattern[str] | range, value: object) -> bool:
    if isinstance(lawful, range):
        return isinstance(value, int) and not isinstance(value, bool) and value in lawful
    return isinstance(value, str) and lawful.fullmatch(value) is not None


def machine_label(settings: Settings) -> str:
    """This machine's label on leases: as set, or made once by chance and kept; it names nobody.

    Raises:
        Unavailable: it cannot be kept.
    """
    if settings.machine:
        return settings.machine
    path = config_folder() / "machine"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with FileLock(path.with_suffix(".lock"), timeout=10, thread_local=False):
            return _kept_label(path) or _make_label(path)
    except OSError as problem:
        told = f"this machine's label cannot be kept: {problem.strerror or problem}"
        raise Unavailable("settings", told, Place(file=str(path))) from problem


def _kept_label(path: Path) -> str | None:
    if not path.is_file():
        return None
    label = path.read_bytes()[:200].decode("ascii", "replace").strip()
    return label if LABEL.fullmatch(label) else None


def _make_label(path: Path) -> str:
    label = f"machine-{chance(4).hex()}"
    with whole_file(path) as out:
        out.write(label.encode("ascii"))
    return label
