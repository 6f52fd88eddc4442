"""The screen does not sleep while the output is shown, where there is somebody to ask (LH 3.11).

Over a connection of its own to the session's bus: the desktop ends the inhibition when the
connection goes away, however this program ends. No bus and no such service is no error.
"""

from itertools import count
from typing import Final

from PySide6.QtDBus import QDBusConnection, QDBusMessage

SERVICE: Final = "org.freedesktop.ScreenSaver"
PATH: Final = "/org/freedesktop/ScreenSaver"
REASON: Final = "A hologram is shown"
_numbers = count(1)


class Awake:
    """Asks the desktop not to blank the screen, and lets go again."""

    def __init__(self, address: str = "") -> None:
        self._address = address
        """Of a bus; empty is the session's own."""
        self._name = ""

    @property
    def held(self) -> bool:
        """The desktop was asked, and the question still stands."""
        return bool(self._name)

    def hold(self) -> None:
        """Ask; again asks nothing."""
        if self._name:
            return
        name = f"holodesk-awake-{next(_numbers)}"
        if self._address:
            bus = QDBusConnection.connectToBus(self._address, name)
        else:
            bus = QDBusConnection.connectToBus(QDBusConnection.BusType.SessionBus, name)
        if not bus.isConnected():
            QDBusConnection.disconnectFromBus(name)
            return
        asked = QDBusMessage.createMethodCall(SERVICE, PATH, SERVICE, "Inhibit")
        asked.setArguments(["holodesk", REASON])
        bus.send(asked)
        self._name = name

    def release(self) -> None:
        """Let go by closing the connection."""
        if self._name:
            QDBusConnection.disconnectFromBus(self._name)
            self._name = ""
