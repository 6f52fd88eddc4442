"""The body, live: steps by tick and routine, what failed, what is late, and each routine to read.

(LH 3.6.) A person may poke it here, and stop its clock to go on tick by tick. What is shown comes
from the ticks themselves; nothing here changes what a log says, except that a stopped clock has no
ticks.
"""

from collections import deque
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.hit import Hit
from holodesk.gui.parts.panel import Empty, row
from holodesk.gui.parts.press import press
from holodesk.gui.parts.shapes import LINES, PulsePlot
from holodesk.gui.parts.words import counted, say, small
from holodesk.gui.pulse import Pulse, Pulsed
from holodesk.gui.theme import BETWEEN, SMALL, STEP, mono
from holodesk.host.messages import Body, BodyRoutine
from holodesk.reflex.printer import print_form
from holodesk.reflex.reader import read
from holodesk.reflex.tree import Form, Symbol

TICKS: Final = 300
"""Ticks in sight: a quarter of a minute."""
BEAT_MS: Final = 200
SHARES: Final = (340, 240)
FRONT: Final = Hit(0, -90.0, 0.0, 0.7)
TOGETHER: Final = "all together"


class BodyPanel(QWidget):
    """The plot, the routines, and three things to press."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._pulse: Pulse | None = None
        self._body: Body | None = None
        self._ticks: deque[Pulsed] = deque(maxlen=TICKS)
        self._failures = 0
        self._last = ""
        self.plot = PulsePlot(TICKS)
        self.empty = Empty("The body is still.", "It lives once a head is shown.")
        self.told = small()
        self.why = small("", "pending")
        self.poke = press("poke", name="Poke the body", hint="Touch it, as the front viewer does.")
        self.stop = press("stop", name="Stop the clock", hint="Then it ticks only when you say so.")
        self.stop.setCheckable(True)
        self.step = press("one tick", name="Live one tick")
        self.step.setEnabled(False)
        self.choose = QComboBox()
        self.choose.setAccessibleName("The routine to read")
        self.source = QPlainTextEdit()
        self.source.setReadOnly(True)
        self.source.setFont(mono(SMALL))
        self.source.setAccessibleName("The routine")
        self.poke.clicked.connect(self.poke_it)
        self.stop.toggled.connect(self._stop)
        self.step.clicked.connect(self._step)
        self.choose.currentIndexChanged.connect(self._read)
        self._build()
        self._beat = QTimer(self)
        self._beat.setInterval(BEAT_MS)
        self._beat.timeout.connect(self.draw)
        bridge.missed.connect(lambda missed: self._say_why(missed.sentence))
        bridge.host_lost.connect(lambda _: self._say_why("the host ended: the body waits"))

    def _build(self) -> None:
        inner = QWidget()
        right = QVBoxLayout(inner)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(STEP)
        buttons = row(self.poke, self.stop, self.step)
        buttons.addStretch(1)
        right.addLayout(buttons)
        right.addWidget(self.choose)
        right.addWidget(self.source, 1)
        left = QWidget()
        plots = QVBoxLayout(left)
        plots.setContentsMargins(0, 0, 0, 0)
        plots.setSpacing(STEP)
        plots.addWidget(self.told)
        plots.addWidget(self.why)
        plots.addWidget(self.plot, 1)
        plots.addWidget(self.empty, 1)
        self.split = QSplitter()
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(left)
        self.split.addWidget(inner)
        self.split.setSizes([SHARES[0], SHARES[1]])
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, BETWEEN, 0, 0)
        column.setSpacing(STEP)
        column.addWidget(self.split, 1)
        self.why.hide()
        self.plot.hide()

    def attach(self, pulse: Pulse) -> None:
        """Show this pulse."""
        self._pulse = pulse
        pulse.pulsed.connect(self._take)
        pulse.began.connect(self._begin)
        pulse.failed.connect(self._say_why)

    # ---------------------------------------------------------------- what is so

    def _begin(self, body: Body) -> None:
        self._ticks.clear()
        self._failures, self._last = 0, ""
        before, self._body = self._body, body
        self._say_why("; ".join(f"{r.id}: {r.fallback}" for r in body.routines if r.fallback))
        if before is None or before.routines != body.routines:
            kept = self.choose.currentText()
            self.choose.clear()
            self.choose.addItems([routine.id for routine in body.routines])
            self.choose.setCurrentIndex(max(0, self.choose.findText(kept)))
            self.choose.setVisible(len(body.routines) > 1)
            self._read()
        lives = body.budget > 0
        self.plot.setVisible(lives)
        self.empty.setVisible(not lives)
        self.draw()

    def _say_why(self, sentence: str) -> None:
        say(self.why, sentence)
        self.why.setVisible(bool(sentence))

    def _take(self, pulsed: Pulsed) -> None:
        self._ticks.append(pulsed)
        self._failures += len(pulsed.failed)
        if pulsed.failed:
            tick, id, code, steps = pulsed.failed[-1]
            self._last = f"{id} at tick {tick}: {code} after {counted(steps, 'step')}"
        if pulsed.parked:
            self._say_why(f"{', '.join(pulsed.parked)}: parked after three failures in a row")

    def draw(self) -> None:
        """Draw the newest ticks, where somebody looks."""
        body = self._body
        if body is None or not self.isVisible():
            return
        ticks = list(self._ticks)
        ids = [routine.id for routine in body.routines]
        steps = {id: [float(one.steps.get(id, 0)) for one in ticks] for id in ids[:LINES]}
        if len(ids) > LINES:
            steps = {TOGETHER: [float(sum(one.steps.values())) for one in ticks]}
        failed = [(t, n) for one in ticks for t, _, _, n in one.failed]
        signs = [
            (one.tick, max(one.steps.values(), default=0))
            for one in ticks
            if sum(one.emissions.values())
        ]
        numbers = [one.tick for one in ticks]
        late = [one.late_ms for one in ticks]
        self.plot.show_ticks(numbers, steps, failed, signs, late, body.budget)
        say(self.told, self.telling())

    def telling(self) -> str:
        """The newest tick in words."""
        body = self._body
        if body is None:
            return ""
        if body.budget == 0:
            return "still: the reflex control is at 0"
        if not self._ticks:
            return f"0/{body.budget} steps"
        last = self._ticks[-1]
        late = max(one.late_ms for one in self._ticks)
        told = [
            f"{sum(last.steps.values())}/{body.budget} steps",
            counted(self._failures, "failure"),
            f"{late:.0f} ms late",
        ]
        return self._last or " · ".join(told)

    def _read(self, _: int = 0) -> None:
        routine = self._chosen()
        if routine is None:
            self.source.setPlainText("")
            return
        gate = f", admitted by {routine.gate[:8]}" if routine.gate else ""
        bodies = [f"; {routine.id}: {routine.origin}{gate}, at most {routine.quota} steps a tick"]
        if routine.fallback:
            bodies.append(f"; its own program does not run: {routine.fallback}")
        bodies += [f"; {part} comes from {path}" for part, path in routine.lineage]
        self.source.setPlainText("\n".join([*bodies, "", readable(routine.source)]))

    def _chosen(self) -> BodyRoutine | None:
        at = self.choose.currentIndex()
        if self._body is None or not 0 <= at < len(self._body.routines):
            return None
        return self._body.routines[at]

    # ---------------------------------------------------------------- what is asked

    def poke_it(self) -> None:
        """Touch it, as the front viewer does."""
        if self._pulse is not None:
            self._pulse.poke(FRONT)

    def _stop(self, stopped: bool) -> None:
        self.step.setEnabled(stopped)
        if self._pulse is not None:
            self._pulse.take_single(stopped)

    def _step(self) -> None:
        if self._pulse is not None:
            self._pulse.step()
            self.draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._beat.start()
        self.draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()


def readable(source: str) -> str:
    """A routine with each part of its outermost form on a line of its own."""
    match read(source):
        case (Form((Symbol(head), *items)),) if items:
            lines = [print_form(item) for item in items]
            return "\n".join([f"({head}", *(f"  {line}" for line in lines)]) + ")"
    return source
