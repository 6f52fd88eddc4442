"""A file arrived or left: say so, once, a moment later (decisions 2; TC 2.4).

The folder is read anew on every pass whatever this says; it only tells the screen. The desk is
watched too, so that a folder which leaves and comes back is told.
"""

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import ObservedWatch

from holodesk.errors import Place, Unavailable
from holodesk.host.clock import monotonic

QUIET_SECONDS: Final = 0.08
"""A burst of changes is told once, when it has been quiet for so long."""
MATTERS: Final = frozenset({"created", "deleted", "modified", "moved", "closed"})


class Watch(FileSystemEventHandler):
    """Tells `changed` from a thread of its own; `close` ends it."""

    def __init__(self, desk: Path, folder: str, changed: Callable[[], None]) -> None:
        """Watch one folder of a desk.

        Raises:
            Unavailable: this system cannot watch more folders.
        """
        self._changed = changed
        self._due = 0.0
        self._timer: threading.Timer | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._folder = desk.resolve() / folder
        self._inner: ObservedWatch | None = None
        self._observer = Observer()
        self._observer.daemon = True
        try:
            self._observer.schedule(self, str(desk.resolve()))
            self._follow_folder()
            self._observer.start()
        except OSError as problem:
            told = "changes of the lens folder cannot be told; it is still read on every pass"
            raise Unavailable("LH 4.1", told, Place(file=folder)) from problem

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = [Path(os.fsdecode(path)) for path in (event.src_path, event.dest_path) if path]
        if event.event_type not in MATTERS or not any(map(self._concerns, paths)):
            return
        if self._folder in paths and event.event_type in ("created", "deleted", "moved"):
            with contextlib.suppress(OSError):
                self._follow_folder()
        with self._lock:
            self._due = monotonic() + QUIET_SECONDS
            if self._timer is None and not self._closed:
                self._wait(QUIET_SECONDS)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
        self._observer.stop()
        self._observer.join(2)

    def _concerns(self, path: Path) -> bool:
        """Is it the folder itself, or something right in it, wherever a link leads?"""
        return path == self._folder or path.parent in (self._folder, self._folder.resolve())

    def _follow_folder(self) -> None:
        """Watch the folder that is there now, if there is one."""
        if self._inner is not None:
            self._observer.unschedule(self._inner)
            self._inner = None
        if self._folder.is_dir():
            self._inner = self._observer.schedule(self, str(self._folder.resolve()))

    def _wait(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with self._lock:
            if self._closed:
                return
            left = self._due - monotonic()
            if left > 0:
                self._wait(left)
                return
            self._timer = None
        self._changed()
