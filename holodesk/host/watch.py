"""A file arrived or left: say so, once, a moment later (decisions 2; TC 2.4).

The folder is read anew on every pass whatever this says; it only tells the screen.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

QUIET_SECONDS: Final = 0.08
"""A burst of changes is told once, when it has been quiet for so long."""
MATTERS: Final = frozenset({"created", "deleted", "modified", "moved", "closed"})


class Watch(FileSystemEventHandler):
    """Tells `changed` from a thread of its own; `close` ends it."""

    def __init__(self, folders: tuple[Path, ...], changed: Callable[[], None]) -> None:
        self._changed = changed
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._observer = Observer()
        for folder in folders:
            if folder.is_dir():
                self._observer.schedule(self, str(folder))
        self._observer.daemon = True
        self._observer.start()

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in MATTERS:
            return
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(QUIET_SECONDS, self._changed)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
        self._observer.stop()
        self._observer.join(2)
