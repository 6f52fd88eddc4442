"""The one real runner, for whoever may start it through the host (import law: machine)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from holodesk.hologram.perform import Runner
from holodesk.host.machine.parent import Machine
from holodesk.host.settings import cache_folder


@contextmanager
def open_machine(
    workers: int, progress: Callable[[str, float], None] | None = None
) -> Iterator[Runner]:
    """A lens machine with so many worker processes; it ends with the block.

    Raises:
        Unavailable: on first use, where the runtime is missing or is not the pinned one.
    """
    with Machine(cache_folder(), workers=workers, progress=progress) as machine:
        yield machine
