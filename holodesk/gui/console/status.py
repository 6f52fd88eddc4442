"""The line below everything: what comes next, who chooses, how it is drawn, what was refused."""

from PySide6.QtCore import QElapsedTimer, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.output import Output
from holodesk.gui.parts.press import link
from holodesk.gui.parts.words import counted, say, small
from holodesk.gui.theme import BETWEEN, STEP
from holodesk.host.messages import HeadMoved, Pace, Working


class StatusLine(QFrame):
    """Only the countdown moves by itself."""

    refusals_asked = Signal()

    def __init__(self, bridge: Bridge, output: Output) -> None:
        super().__init__()
        self.setProperty("role", "status")
        self._output = output
        self._pace: Pace | None = None
        self._tempo = 0
        self._since = QElapsedTimer()
        self.next_pass = small("waiting for the host")
        self.caller = small()
        self.renderer = small()
        self.note = small("", "pending")
        self.pen = small("", "pending")
        self.refusals = link("0 refusals", name="0 refusals: show them")
        self.refusals.clicked.connect(self.refusals_asked)
        self.refusals.setEnabled(False)
        self.work = small("", "accent")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(120, STEP)
        self.bar.setAccessibleName("How far the work is")
        self._works: dict[str, float] = {}
        line = QHBoxLayout(self)
        line.setContentsMargins(BETWEEN, 0, BETWEEN, 0)
        line.setSpacing(BETWEEN)
        shown = (self.next_pass, self.caller, self.renderer, self.refusals, self.pen, self.note)
        for label in shown:
            if label in (self.caller, self.renderer, self.refusals):
                line.addWidget(small("·"))
            line.addWidget(label)
        line.addStretch(1)
        line.addWidget(self.work)
        line.addWidget(self.bar)
        self.setFixedHeight(32)
        self.bar.hide()
        self.pen.hide()
        beat = QTimer(self)
        beat.setInterval(500)
        beat.timeout.connect(self.tell)
        beat.start()
        bridge.pace.connect(self._show_pace)
        bridge.working.connect(self._show_work)
        bridge.head_moved.connect(self._show_head)
        bridge.host_lost.connect(self._show_loss)

    def _show_pace(self, pace: Pace) -> None:
        self._pace = pace
        self._since.start()
        self.tell()

    def _show_head(self, head: HeadMoved) -> None:
        self._tempo = next((c.value for c in head.controls if c.name == "tempo"), 0)
        self.pen.setVisible(not head.writable)
        say(self.pen, f"read only: {head.why_not}" if head.why_not else "read only")
        self.tell()

    def _show_loss(self, _: str) -> None:
        self._pace = None
        self._works = {}
        self._show_works()
        self.tell()

    def show_refusals(self, number: int) -> None:
        """How many there were."""
        self.refusals.setText(counted(number, "refusal"))
        self.refusals.setAccessibleName(f"{counted(number, 'refusal')}: show them")
        self.refusals.setEnabled(number > 0)

    def _show_work(self, working: Working) -> None:
        if working.done >= 1:
            self._works.pop(working.what, None)
        else:
            self._works[working.what] = working.done
        self._show_works()

    def _show_works(self) -> None:
        if not self._works:
            self.bar.hide()
            say(self.work, "")
            return
        what, done = next(reversed(self._works.items()))
        self.bar.setRange(0, 0 if done < 0 else 1000)
        self.bar.setValue(int(max(0.0, done) * 1000))
        self.bar.show()
        say(self.work, what if done < 0 else f"{what} {done:.0%}")

    def tell(self) -> None:
        """Say it all again, as it is now."""
        say(self.next_pass, self._next())
        caller = self._pace.caller if self._pace is not None else ""
        say(self.caller, f"{caller} chooses" if caller else "nobody chooses")
        fps = self._output.fps
        drawn = f"{fps:.0f} fps" if fps > 0 else "not drawing"
        say(self.note, self._output.note)
        say(self.renderer, f"{self._output.renderer_name} {drawn}")

    def _next(self) -> str:
        if self._pace is None:
            return "waiting for the host"
        if self._pace.resting:
            return "at rest"
        if self._tempo == 0:
            return "held"
        if self._pace.next_pass < 0:
            return "next pass when chosen"
        left = self._pace.next_pass - self._since.elapsed() / 1000
        return f"next pass {max(0, round(left))} s"
