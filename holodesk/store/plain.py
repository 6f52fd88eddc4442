"""A file to read is a plain file, opened without waiting (decisions 8).

A pipe that nobody writes would hold whoever opens it for ever; a device never ends.
"""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_plain(path: Path) -> BinaryIO:
    """A plain file to read, or a link to one.

    Raises:
        OSError: it cannot be read, or is a folder, a pipe or a device.
        ValueError: the name holds a zero octet.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "expected a plain file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
