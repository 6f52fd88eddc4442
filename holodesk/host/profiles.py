"""One small text file for each screen under a pyramid, whole or not there (house II.11; LH 3.11).

TOML in the user's configuration folder, `profiles/`. An unknown key or a value that cannot be is
refused in one sentence; a file that cannot be read is set aside, never written over.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from holodesk.display.profile import Bound, Profile
from holodesk.display.rig import Rig
from holodesk.display.trim import Tone, Trim
from holodesk.errors import HolodeskError, Place, Refused, Unavailable
from holodesk.host.settings import config_folder
from holodesk.store.whole import whole_file

SUFFIX: Final = ".toml"
LARGEST: Final = 64 << 10
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
FACE: Final = re.compile(r"[0-7]")
SCREEN_KEYS: Final = {"serial": str, "name": str, "width_px": int, "height_px": int}
MORE_SCREEN_KEYS: Final = {"px_per_mm": float, "pixel_shift": bool}
RIG_KEYS: Final[dict[str, type]] = {
    "kind": str,
    "faces": int,
    "off": list,
    "turn_deg": int,
    "slope_deg": float,
    "gap_mm": float,
    "half_mm": float,
    "aspect": float,
    "eye_elevation_deg": float,
    "eye_distance_mm": float,
    "corner": bool,
    "mirror": bool,
    "feather_mm": float,
}
LIGHT_KEYS: Final[dict[str, type]] = {"crush": int, "gamma": float}
FACE_KEYS: Final[dict[str, type]] = {
    "shift_mm": list,
    "scale": float,
    "turn_deg": float,
    "pin_mm": list,
    "gain": float,
}
SECTIONS: Final = ("screen", "rig", "light", "face")
TOLD: Final = {
    str: "words",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
}


def profiles_folder() -> Path:
    """Where the profiles are."""
    return config_folder() / "profiles"


def profile_path(named: str) -> Path:
    """The file of a profile, by its name or by its place.

    Raises:
        Refused: a name that cannot be one.
    """
    if named.endswith(SUFFIX) or "/" in named or "\\" in named:
        return Path(named)
    if not NAME.fullmatch(named):
        told = f"expected a name of letters, digits, dots and hyphens, found {named[:40]}"
        raise Refused("profile", told)
    return profiles_folder() / (named + SUFFIX)


def read_profile(path: Path) -> Profile:
    """A profile from its file.

    Raises:
        Refused: not TOML, an unknown key, or a value that cannot be.
        Unavailable: the file is not there or cannot be read.
    """
    where = Place(file=path.name)
    try:
        with path.open("rb") as file:
            octets = file.read(LARGEST + 1)
    except OSError as problem:
        told = f"the profile cannot be read: {problem.strerror or problem}"
        raise Unavailable("profile", told, where) from problem
    if len(octets) > LARGEST:
        raise Refused("profile", f"expected at most {LARGEST} octets, found more", where)
    try:
        return _profile(tomllib.loads(octets.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise Refused("profile", f"expected TOML: {problem}", where) from problem
    except Refused as problem:
        raise Refused("profile", problem.message, where) from problem


def write_profile(path: Path, profile: Profile) -> None:
    """Put a profile in its place; what was there stays until all of it is on disk.

    Raises:
        Unavailable: the disk refuses; what was there is as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with whole_file(path) as out:
            out.write(profile_text(profile).encode("utf-8"))
    except OSError as problem:
        told = f"the profile cannot be kept: {problem.strerror or problem}"
        raise Unavailable("profile", told, Place(file=path.name)) from problem


def set_aside(path: Path, problem: HolodeskError) -> str:
    """Rename a file that cannot be read, so that nothing of it is lost; the sentence about it."""
    aside = path.with_name(path.name + ".broken")
    try:
        path.replace(aside)
    except OSError:
        return f"The profile {path.name} cannot be read and is not used: {problem.message}"
    return f"The profile {path.name} is set aside as {aside.name}: {problem.message}"


@dataclass(slots=True)
class Shelf:
    """The profiles of this person. `note` says in a sentence what was set aside."""

    named: Path | None = None
    """The one file to use, whatever the screen."""
    note: str = ""

    def find(self, screen: Bound) -> Profile | None:
        """The profile of a screen, or None; a broken one is set aside."""
        if self.named is not None:
            return self._read(self.named) if self.named.exists() else None
        return next((kept for _, kept in self._kept() if kept.screen.fits(screen)), None)

    def keep(self, profile: Profile) -> None:
        """Put a profile where `find` finds it again.

        Raises:
            Unavailable: it cannot be kept.
        """
        known = (path for path, kept in self._kept() if kept.screen.fits(profile.screen))
        write_profile(self.named or next(known, None) or _own_path(profile.screen), profile)

    def _kept(self) -> Iterator[tuple[Path, Profile]]:
        folder = profiles_folder()
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            kept = self._read(path)
            if kept is not None:
                yield path, kept

    def _read(self, path: Path) -> Profile | None:
        try:
            return read_profile(path)
        except Refused as problem:
            self.note = set_aside(path, problem)
        except Unavailable as problem:
            self.note = f"The profile {path.name} is not used: {problem.message}"
        return None


def _own_path(screen: Bound) -> Path:
    known = screen.serial or f"{screen.name}-{screen.width_px}x{screen.height_px}"
    slug = re.sub(r"[^A-Za-z0-9-]+", "-", known).strip("-")[:80] or "screen"
    path, number = profiles_folder() / (slug + SUFFIX), 2
    while path.exists():
        path, number = profiles_folder() / f"{slug}-{number}{SUFFIX}", number + 1
    return path


def _profile(given: dict[str, Any]) -> Profile:
    _known("profile", given, dict.fromkeys(SECTIONS, dict))
    screen = dict(given.get("screen", {}))
    _known("screen", screen, {**SCREEN_KEYS, **MORE_SCREEN_KEYS})
    missing = [key for key in SCREEN_KEYS if key not in screen]
    if missing:
        raise Refused("profile", f"screen: expected {missing[0]}, found none")
    more = {key: screen.pop(key) for key in MORE_SCREEN_KEYS if key in screen}
    rig = dict(given.get("rig", {}))
    _known("rig", rig, RIG_KEYS)
    if not all(_is(viewer, int) for viewer in rig.get("off", [])):
        raise Refused("profile", "rig.off: expected numbers of viewers")
    light = given.get("light", {})
    _known("light", light, LIGHT_KEYS)
    rig["off"] = frozenset(rig.get("off", ()))
    made = Rig(**rig, tone=Tone(**light), trims=_trims(given.get("face", {})))
    return Profile(Bound(**screen), made, **more)


def _trims(given: dict[str, Any]) -> tuple[Trim, ...]:
    trims: dict[int, Trim] = {}
    for face, told in given.items():
        if not FACE.fullmatch(face):
            raise Refused("profile", f"face: expected 0 to 7, found {face[:40]}")
        if not isinstance(told, dict):
            raise Refused("profile", f"face.{face}: expected a table")
        _known(f"face.{face}", told, FACE_KEYS)
        values = dict(told)
        if "shift_mm" in values:
            values["shift_mm"] = _pair(f"face.{face}.shift_mm", values["shift_mm"])
        if "pin_mm" in values:
            pins = values["pin_mm"]
            values["pin_mm"] = tuple(_pair(f"face.{face}.pin_mm", pin) for pin in pins)
        trims[int(face)] = Trim(**values)
    return tuple(trims.get(viewer, Trim()) for viewer in range(max(trims, default=-1) + 1))


def _pair(name: str, given: object) -> tuple[float, float]:
    if isinstance(given, list) and len(given) == 2 and all(_is(part, float) for part in given):
        return float(given[0]), float(given[1])
    raise Refused("profile", f"{name}: expected two numbers, found {str(given)[:40]}")


def _known(section: str, given: dict[str, Any], keys: dict[str, type]) -> None:
    for key, value in given.items():
        if key not in keys:
            told = f"{section}: expected one of {', '.join(keys)}, found {key[:40]}"
            raise Refused("profile", told)
        if not _is(value, keys[key]):
            told = TOLD.get(keys[key], "a table")
            raise Refused("profile", f"{section}.{key}: expected {told}, found {str(value)[:40]}")


def _is(value: object, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)


def profile_text(profile: Profile) -> str:
    """The whole file: every value, so that a person finds what may be changed."""
    screen, rig = profile.screen, profile.rig
    lines = ["# A screen under a pyramid. Lengths in millimetres, angles in degrees.", "[screen]"]
    lines += [f"{key} = {_value(getattr(screen, key))}" for key in SCREEN_KEYS]
    for key in MORE_SCREEN_KEYS:
        lines += _line(key, getattr(profile, key))
    lines += ["", "[rig]"]
    for key in RIG_KEYS:
        lines += _line(key, sorted(rig.off) if key == "off" else getattr(rig, key))
    lines += ["", "[light]"]
    lines += [f"{key} = {_value(getattr(rig.tone, key))}" for key in LIGHT_KEYS]
    for viewer, trim in enumerate(rig.trims):
        lines += ["", f"[face.{viewer}]  # {rig.viewer_name(viewer)}"]
        lines += [f"{part.name} = {_value(getattr(trim, part.name))}" for part in fields(Trim)]
    return "\n".join(lines) + "\n"


def _line(key: str, value: object) -> list[str]:
    """A value that nobody set is not written."""
    return [] if value is None else [f"{key} = {_value(value)}"]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(part) for part in value)}]"
    return repr(value)
