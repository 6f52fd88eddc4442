"""What a person may set for this program; never on the chain (house II.11).

One TOML file, read once; an unknown key or a value of another shape is an error, told in one
sentence.
"""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path, user_config_path, user_data_path

from holodesk.errors import Place, Refused, Unavailable

APP: Final = "holodesk"


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
    known = {field.name: field.type for field in fields(Settings)}
    for name, value in given.items():
        if name not in known:
            told = f"expected one of {', '.join(known)}, found {name[:40]}"
            raise Refused("settings", told, where)
        wanted = int if known[name] in ("int", int) else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            told = f"{name}: expected {wanted.__name__}, found {str(value)[:40]}"
            raise Refused("settings", told, where)
    return Settings(**given)
