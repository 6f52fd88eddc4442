"""The host's end of the pipe: whole messages out, requests in, and the window's end noticed.

What is no request is passed over; a window that has left is told nothing (decisions 8a).
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import IO

import msgspec

from holodesk.errors import Unavailable
from holodesk.host import telling
from holodesk.host.client import read_message
from holodesk.host.messages import MAX_MESSAGE, Message, Request, frame_message, read_request

log = logging.getLogger(__name__)


class Line:
    """The way to the window: whole messages, none over the limit that would end it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._lock = threading.Lock()

    def tell(self, message: Message) -> None:
        """Send one notice; to a window that has left, nothing."""
        octets = frame_message(message)
        if len(octets) - 4 > MAX_MESSAGE:
            told = f"the answer is over {MAX_MESSAGE} octets"
            number = getattr(message, "id", 0)
            octets = frame_message(telling.refusal(Unavailable("host", told), number))
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._out.write(octets)
            self._out.flush()


def listen(stream: IO[bytes], ask: Callable[[Request], None], ended: Callable[[], None]) -> None:
    """Hand on each request until the window leaves, whatever it sends; then say so."""
    try:
        while (octets := read_message(stream)) is not None:
            try:
                ask(read_request(octets))
            except (msgspec.DecodeError, RecursionError):
                log.warning("passed over a message that is no request")
    finally:
        ended()
