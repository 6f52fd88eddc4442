"""`holodesk show [PATH]`: the display and the console; the default desk alone (decisions 9).

Where there is no screen it says so in one line and runs the real windows and the real host
off screen for a while, then saves what both windows show.
"""

import argparse
import ctypes
import os
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from holodesk.errors import Place, Refused, Unavailable, Usage
from holodesk.rapp.canonical import Json

if TYPE_CHECKING:
    from holodesk.display.profile import Profile
    from holodesk.host.profiles import Shelf

OFF_SCREEN: Final = ("offscreen", "minimal", "minimalegl")
TRIM, MAP = -1, -3
"""glibc's names for the two limits that `mallopt` sets."""
TRIM_OCTETS: Final = 256 << 20
MAP_OCTETS: Final = 64 << 20


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", metavar="PATH", nargs="?", type=Path, help="a desk, or a chain file to watch"
    )
    parser.add_argument("--renderer", choices=("auto", "gl", "raster"))
    parser.add_argument("--screen", metavar="NAME", help="the screen under the pyramid, by name")
    parser.add_argument("--profile", metavar="NAME|FILE", help="a screen as it was set up")
    parser.add_argument(
        "--measured", metavar="MM", type=float, help="how long the bar of 100 mm really is"
    )
    parser.add_argument("--rig", choices=("A", "B", "C"), help="how screen and pyramid stand")
    parser.add_argument("--script", metavar="FILE", type=Path, help="choices, as JSON Lines")
    parser.add_argument("--theme", choices=("dark", "light", "contrast"))
    parser.add_argument("--read-only", action="store_true", help="watch; never hold the pen")
    parser.add_argument("--headless", action="store_true", help="run off screen, save pictures")
    parser.add_argument(
        "--seconds", metavar="N", type=float, default=6.0, help="headless: how long"
    )
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("out"))
    parser.add_argument("--console", metavar="WxH", help="headless: the console's size (1440x900)")


def run(args: argparse.Namespace) -> int:
    if not 0 < args.seconds <= 86_400:
        raise Usage("--seconds", f"expected more than 0 and at most a day, found {args.seconds:g}")
    if args.script is not None and not args.script.is_file():
        raise Unavailable("script", "expected a file, found none", Place(file=str(args.script)))
    _console(args.console)
    desk = _desk(args.path)
    headless = args.headless or not has_screen()
    if headless:
        if not args.headless:
            print("holodesk: there is no screen here, so this runs off screen", file=sys.stderr)
        if not os.environ.get("QT_QPA_PLATFORM", "").startswith("offscreen"):
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
    settle_memory()
    return _show(args, desk, headless=headless)


def _desk(path: Path | None) -> Path:
    """The desk to open, or the chain file to watch."""
    from holodesk.host.desks import DESK_FILE, ensure_default, find_desk

    if path is None:
        return ensure_default()
    if path.is_file():
        return path.parent if path.name == DESK_FILE else path
    return find_desk(path)


def _show(args: argparse.Namespace, desk: Path, *, headless: bool) -> int:
    from holodesk.cli.answer import give
    from holodesk.gui.app import Wanted, shoot, show
    from holodesk.host.client import Client
    from holodesk.host.settings import read_settings

    settings = read_settings()
    shelf, profile = _shelf(args.profile)
    wanted = Wanted(
        dial=partial(Client, desk, read_only=args.read_only),
        renderer=args.renderer or settings.renderer,
        rig=args.rig or settings.rig,
        asked=args.rig,
        keeper=shelf,
        profile=profile,
        measured=args.measured,
        screen=args.screen or settings.screen,
        theme=args.theme or settings.theme,
        script=str(args.script.resolve()) if args.script is not None else "",
        console=_console(args.console),
    )
    if not headless:
        return show(wanted)
    shot = shoot(wanted, args.seconds, args.out)
    pictures = [f"{name}: {path}" for name, path in shot.pictures.items()]
    answer: dict[str, Json] = {**shot.pictures, **shot.figures}
    return give(args, answer, *pictures)


def _console(words: str | None) -> tuple[int, int]:
    """The console's size in pixels of the desktop; at least what its panels need."""
    found = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", words or "1440x900")
    if found is None:
        raise Usage("--console", f"expected WIDTHxHEIGHT in pixels, found {str(words)[:40]}")
    return int(found[1]), int(found[2])


def _shelf(named: str | None) -> "tuple[Shelf, Profile | None]":
    """Where profiles are kept, and the one that was asked for; a broken one is set aside."""
    from holodesk.host.profiles import Shelf, profile_path, profiles_folder, read_profile, set_aside

    if named is None:
        return Shelf(), None
    path = profile_path(named)
    try:
        return Shelf(named=path), read_profile(path)
    except Refused as problem:
        if path.parent != profiles_folder():
            raise
        return Shelf(named=path, note=set_aside(path, problem)), None


def has_screen() -> bool:
    """Is there anything to show a window on?"""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0]
    if platform:
        return platform not in OFF_SCREEN
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def settle_memory() -> None:
    """One thread for small matrices, and pages that are kept: before numpy is imported."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    mallopt(TRIM, TRIM_OCTETS)
    mallopt(MAP, MAP_OCTETS)
