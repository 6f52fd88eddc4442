"""What the console's tests share: the other end of the wire, real notices, and the real window."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from holodesk.gui import theme
from holodesk.gui.bridge import Bridge
from holodesk.gui.ghost.window import GhostWindow
from holodesk.hologram.controls import CONTROLS
from holodesk.host.messages import (
    ControlState,
    HeadMoved,
    LineageRows,
    Notice,
    Offered,
    OfferedLens,
    Request,
    Row,
    frame_message,
    read_notice,
    read_request,
)

HASH = "9f3c2a71d5e8b4067a1c9e02f4d8836b51e0a7c4932bd6f8170e5c49ab2d3f60"


class Wire:
    """The host's end of the connection, as octets: what was asked, and a way to answer."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.notice: Callable[[Notice], None] = lambda notice: None
        self.lost: Callable[[str], None] = lambda reason: None
        self.calls = 0
        self.closed = 0

    def dial(self, notice: Callable[[Notice], None], lost: Callable[[str], None]) -> "Wire":
        self.notice, self.lost = notice, lost
        self.calls += 1
        return self

    def send(self, request: Request) -> None:
        octets = frame_message(request)
        assert int.from_bytes(octets[:4], "little") == len(octets) - 4
        self.asked.append(read_request(octets[4:]))

    def close(self) -> None:
        self.closed += 1

    def asks(self, kind: type[Any]) -> list[Any]:
        """What was asked of one kind."""
        return [request for request in self.asked if isinstance(request, kind)]

    def tell(self, notice: Notice) -> None:
        """Answer, through the same octets as a host."""
        self.notice(read_notice(frame_message(notice)[4:]))


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def bridge(qtbot: QtBot, wire: Wire) -> Iterator[Bridge]:
    made = Bridge(wire.dial)
    made.open()
    yield made
    made.close()


@pytest.fixture(scope="session", autouse=True)
def fonts(qapp: Any) -> None:
    theme.dress(qapp, theme.DARK)


@pytest.fixture(autouse=True)
def swept() -> Iterator[None]:
    """Closed windows are gone before the next test begins."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def control_states(**values: int) -> list[ControlState]:
    """The six, at their defaults or as said, all since genesis."""
    return [
        ControlState(
            name,
            values.get(name, control.default),
            {control.list_name: None} if control.list_name else None,
            values.get(f"{name}_since", 0),
            "person: ada",
            "2025-11-30T20:11:04.000Z",
        )
        for name, control in CONTROLS.items()
    ]


def head(seq: int = 412, **others: Any) -> HeadMoved:
    """A head of a stream of signed frames."""
    told: dict[str, Any] = {
        "stream_id": "rappid:@ada/creature:00",
        "seq": seq,
        "frame_hash": HASH,
        "utc": "2025-11-30T20:12:44.120Z",
        "kind": "tile",
        "object": {"schema": "creature/1", "name": "Lumen", "at": {"x": 1, "y": 2, "z": 3}},
        "object_seq": seq,
        "controls": control_states(),
        "frames": seq + 1,
        "tiles": seq,
        "signed": True,
        "freshness": "live",
        "writable": True,
        "why_not": "",
        "converged": False,
        "desk": "creature",
    }
    return HeadMoved(**{**told, **others})


def rows(top: int, count: int = 200, id: int = 1) -> LineageRows:
    """Rows from `top` downwards; every ninth is a turn of the rails, the lowest is genesis."""
    made = []
    for seq in range(top, max(-1, top - count), -1):
        kind, title, summary = "tile", "Drift", f"toward left  distance {seq}"
        if seq == 0:
            kind, title, summary = "genesis", "genesis", "creature/1"
        elif seq % 9 == 0:
            kind, title, summary = "control", "rails", f"{seq % 50} → {seq % 50 + 1}"
        utc = "2025-11-30T20:12:44.120Z"
        made.append(Row(seq, kind, utc, title, "person: ada", summary, HASH, True))
    return LineageRows(id, made, top + 1)


DRIFT: dict[str, Any] = {
    "type": "object",
    "properties": {
        "toward": {
            "type": "string",
            "enum": ["left", "right", "up", "down"],
            "description": "Which way, as the front viewer sees it.",
        },
        "distance": {
            "type": "integer",
            "minimum": 1,
            "maximum": 60,
            "x-rest": 12,
            "description": "How far, in hundredths of the stage.",
        },
    },
    "required": ["toward", "distance"],
}


def offer(*lenses: OfferedLens, seq: int = 412, **others: Any) -> Offered:
    """An offer: its own lens and a task lens, or the lenses given."""
    own = OfferedLens("Being", "Be itself for a pass.", {"type": "object"}, True, {})
    drift = OfferedLens("Drift", "Move toward something it noticed.", DRIFT, False, {})
    told: dict[str, Any] = {"present": "", "slush": {"drift": {"moved": 3}}, "resting": False}
    return Offered(seq=seq, lenses=list(lenses) or [own, drift], **{**told, **others})


@pytest.fixture
def output(qtbot: QtBot) -> Iterator[GhostWindow]:
    """The real output window, drawn in software."""
    made = GhostWindow("A", "raster")
    qtbot.addWidget(made)
    made.resize(480, 360)
    made.show()
    yield made
    made.close()
