"""What somebody sends to the body of a desk that is shown: small files in a folder (LH 3.6).

`holodesk poke` leaves one, the host that keeps the body alive takes it, and the window's next tick
hears it. What is no lawful event is thrown away; nothing in the folder is ever run or kept.
"""

import contextlib
import os
from pathlib import Path
from time import sleep
from typing import Any, Final

from holodesk.errors import HolodeskError, Place, Unavailable
from holodesk.host import clock
from holodesk.rapp.canonical import Json, canonical, parse
from holodesk.reflex.shape import event_problem
from holodesk.reflex.world import Event
from holodesk.store.plain import open_plain
from holodesk.store.whole import whole_file

OUTSIDE: Final = "outside"
MOST_OCTETS: Final = 1024
MOST_FILES: Final = 64
WAIT_SECONDS: Final = 3.0
LOOK_SECONDS: Final = 0.02
SUFFIX: Final = ".event.json"


def open_folder(desk: Path) -> None:
    """Begin to listen: what was left there before is too old to be heard.

    Raises:
        Unavailable: the folder cannot be made.
    """
    folder = desk / OUTSIDE
    try:
        folder.mkdir(exist_ok=True)
    except OSError as problem:
        told = f"nothing can be sent to this body: {problem.strerror or problem}"
        raise Unavailable("outside", told, Place(file=OUTSIDE)) from problem
    take(desk)


def close_folder(desk: Path) -> None:
    """Listen no more; without the folder nobody waits for an answer."""
    take(desk)
    with contextlib.suppress(OSError):
        (desk / OUTSIDE).rmdir()


def take(desk: Path) -> list[Event]:
    """Everything that waits, in the order it was sent; it is gone from the folder then."""
    heard: list[Event] = []
    try:
        paths = sorted((desk / OUTSIDE).glob("*" + SUFFIX))
    except OSError:
        return []
    for path in paths:
        event = _read(path) if len(heard) < MOST_FILES else None
        with contextlib.suppress(OSError):
            path.unlink()
        if event is not None:
            heard.append(event)
    return heard


def _read(path: Path) -> Event | None:
    try:
        with open_plain(path) as file:
            told: Any = parse(file.read(MOST_OCTETS + 1)[:MOST_OCTETS])
    except (OSError, ValueError, HolodeskError):
        return None
    if not isinstance(told, dict) or set(told) != {"kind", "payload"}:
        return None
    if event_problem(told["kind"], told["payload"]) is not None:
        return None
    return Event(told["kind"], told["payload"])


def send(desk: Path, event: Event) -> None:
    """Leave an event for the body of a desk, and wait until it was taken.

    Raises:
        Unavailable: nobody keeps this body alive now.
    """
    folder = desk / OUTSIDE
    nobody = Unavailable("outside", "nobody shows this desk now: open it with holodesk show")
    if not folder.is_dir():
        raise nobody
    told: Json = {"kind": event.kind, "payload": dict(event.payload)}
    path = folder / f"{clock.now().replace(':', '')}-{os.getpid()}{SUFFIX}"
    try:
        with whole_file(path) as out:
            out.write(canonical(told))
        until = clock.monotonic() + WAIT_SECONDS
        while path.exists():
            if clock.monotonic() > until:
                path.unlink(missing_ok=True)
                raise nobody
            sleep(LOOK_SECONDS)
    except OSError as problem:
        told_so = f"nothing can be sent to this body: {problem.strerror or problem}"
        raise Unavailable("outside", told_so, Place(file=OUTSIDE)) from problem
