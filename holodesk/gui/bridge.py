"""The one object between the host's reader thread and the screen (decisions 8a; house II.5).

Notices arrive in another thread; each is queued to the screen's own and leaves as one signal.
What a person wants goes the other way as a request with an id, and its answer carries that id.
A host that ends is said to have ended, and another is started, each time after a longer wait.
"""

from collections.abc import Callable
from itertools import count
from typing import Any, Final, Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from holodesk.errors import HolodeskError
from holodesk.host.messages import (
    Appended,
    AskDetail,
    AskLineage,
    Body,
    Boundary,
    Choose,
    Detail,
    Felt,
    Folder,
    HeadMoved,
    LineageRows,
    Live,
    Log,
    Media,
    Missed,
    Notice,
    Offered,
    Pace,
    Preview,
    Previewed,
    Refusal,
    Replayed,
    ReplayNow,
    Request,
    SetCaller,
    Turn,
    Working,
)

WAITS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before another host is started, after each loss in a row."""
STEADY_MS: Final = 10_000
"""A host that lived this long was not part of a row of losses."""


class Line(Protocol):
    """The window's end of the connection: `holodesk.host.client.Client`."""

    def send(self, request: Request) -> None: ...

    def close(self) -> None: ...


Dial = Callable[[Callable[[Notice], None], Callable[[str], None]], Line]
"""Starts a host and connects to it; its two arguments are called from another thread."""


class Bridge(QObject):
    """Signals of what the host tells; methods for what a person asks. Ids are given here."""

    head_moved = Signal(object)
    media = Signal(object)
    body = Signal(object)
    boundary = Signal()
    missed = Signal(object)
    felt = Signal(object)
    offered = Signal(object)
    folder = Signal(object)
    refused = Signal(object)
    appended = Signal(object)
    lineage = Signal(object)
    detail = Signal(object)
    replayed = Signal(object)
    previewed = Signal(object)
    pace = Signal(object)
    working = Signal(object)
    host_lost = Signal(str)
    """One sentence: why, and when another is started."""

    _arrived = Signal(int, object)
    _ended = Signal(int, str)

    def __init__(self, dial: Dial | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.before_pass: Callable[[], None] = lambda: None
        """What must be sent before a choice is: the log of what the body lived."""
        self._dial = dial
        self._line: Line | None = None
        self._ids = count(1)
        self._calls = 0
        self._losses = 0
        self._lived = QElapsedTimer()
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.timeout.connect(self.open)
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._lose, Qt.ConnectionType.QueuedConnection)
        self._signals = {
            HeadMoved: self.head_moved,
            Media: self.media,
            Body: self.body,
            Missed: self.missed,
            Felt: self.felt,
            Offered: self.offered,
            Folder: self.folder,
            Refusal: self.refused,
            Appended: self.appended,
            LineageRows: self.lineage,
            Detail: self.detail,
            Replayed: self.replayed,
            Previewed: self.previewed,
            Pace: self.pace,
            Working: self.working,
        }

    # -------------------------------------------------------------- the host

    def open(self) -> None:
        """Start a host for the desk; what it says follows as signals."""
        if self._dial is None or self._line is not None:
            return
        self._calls += 1
        call = self._calls
        self._lived.start()
        try:
            self._line = self._dial(
                lambda notice: self._arrived.emit(call, notice),
                lambda reason: self._ended.emit(call, reason),
            )
        except HolodeskError as problem:
            self.show(refusal_of(problem))
            self._lose(call, problem.message)

    def close(self) -> None:
        """Leave the host: it releases what it holds, and ends."""
        self._again.stop()
        self._calls += 1
        line, self._line = self._line, None
        if line is not None:
            line.close()

    @property
    def connected(self) -> bool:
        """Is there a host to ask?"""
        return self._line is not None

    def show(self, notice: Notice) -> None:
        """Tell the screen what the host said."""
        if isinstance(notice, Boundary):
            self.boundary.emit()
            return
        self._signals[type(notice)].emit(notice)

    def _take(self, call: int, notice: Notice) -> None:
        if call == self._calls:
            self.show(notice)

    def _lose(self, call: int, reason: str) -> None:
        if call != self._calls:
            return
        line, self._line = self._line, None
        if self._lived.elapsed() >= STEADY_MS:
            self._losses = 0
        wait = WAITS[min(self._losses, len(WAITS) - 1)]
        self._losses += 1
        self._again.start(int(wait * 1000))
        reason = reason.rstrip(". ") or "it gave no reason"
        self.host_lost.emit(f"The host ended: {reason}. Another starts in {wait:g} s.")
        if line is not None:
            line.close()

    # -------------------------------------------------------------- what a person asks

    def choose(self, lens: str, params: dict[str, Any]) -> int:
        """Choose for the pass that waits."""
        self.before_pass()
        return self._ask(lambda number: Choose(number, lens, params))

    def preview(self, lens: str, params: dict[str, Any]) -> int:
        """What would the object become?"""
        return self._ask(lambda number: Preview(number, lens, params))

    def turn(
        self, control: str, value: int, detail: dict[str, Any] | None = None, reason: str = ""
    ) -> int:
        """Turn a control."""
        return self._ask(lambda number: Turn(number, control, value, detail, reason))

    def ask_lineage(self, before: int | None = None, count: int = 200) -> int:
        """Rows of the lineage below `before`."""
        return self._ask(lambda number: AskLineage(number, before, count))

    def ask_detail(self, seq: int) -> int:
        """Everything that one frame says."""
        return self._ask(lambda number: AskDetail(number, seq))

    def replay_now(self, seq: int) -> int:
        """Replay the tile at `seq`."""
        return self._ask(lambda number: ReplayNow(number, seq))

    def set_caller(self, caller: str, script: str | None = None) -> int:
        """Who chooses from now on."""
        return self._ask(lambda number: SetCaller(number, caller, script))

    def live(self) -> int:
        """Tell what the body begins with, now and at every head."""
        return self._ask(Live)

    def send_log(self, payload: dict[str, Any]) -> int:
        """Hand over what the body lived."""
        return self._ask(lambda number: Log(number, payload))

    def _ask(self, request: Callable[[int], Request]) -> int:
        number = next(self._ids)
        if self._line is None:
            told = "there is no host now, so nothing was asked of it"
            answer = Refusal(
                number, "Unavailable", told, "host", "", "", [], "Another host starts soon."
            )
            self._arrived.emit(self._calls, answer)  # queued: the asker has its id first
        else:
            self._line.send(request(number))
        return number


def refusal_of(problem: HolodeskError) -> Refusal:
    """A refusal that arose on this side, told like the host's."""
    family = type(problem).__mro__
    name = next((kind.__name__ for kind in family if HolodeskError in kind.__bases__), "Refused")
    return Refusal(
        id=0,
        family=name,
        sentence=problem.message,
        rule=problem.rule,
        place=str(problem.where),
        step=problem.step or "",
        problems=[],
        advice=problem.advice,
    )
