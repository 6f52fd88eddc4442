"""The lens machine for a verb: started when first used, ended with the verb."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from holodesk.hologram.perform import Runner
from holodesk.host.runner import open_machine
from holodesk.host.settings import read_settings


@contextmanager
def lens_machine(*, many: bool = False) -> Iterator[Runner]:
    """A runner; `many` uses every core, for verifying whole chains."""
    workers = read_settings().workers or (os.cpu_count() or 1)
    with open_machine(workers if many else 1, _progress) as machine:
        yield machine


def _progress(what: str, done: float) -> None:
    if sys.stderr.isatty():
        end = "\n" if done >= 1 else ""
        print(f"\r{what}: {max(0.0, done):4.0%}", end=end, file=sys.stderr, flush=True)
