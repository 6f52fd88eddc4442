"""Plots: the only place that knows pyqtgraph (house II.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from holodesk.gui.parts.dressed import Dressed
from holodesk.gui.theme import SMALL, Theme, sans

SIGHT: Final = 120
"""Frames that are in sight at first."""
KIND_COLOURS: Final = {"tile": "accent", "control": "pending", "genesis": "holds"}
LINE_HIGH: Final = 0.7


@dataclass(frozen=True, slots=True)
class Steps:
    """A value that changes at frames: `shares` are 0..1 from each seq of `seqs` on."""

    label: str
    seqs: Sequence[int]
    shares: Sequence[float]


class TimelinePlot(Dressed, QWidget):
    """Lanes over seq: a mark for each frame by its kind, then a line for each control."""

    pressed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._kinds: list[str] = []
        self._steps: list[Steps] = []
        self._frames: Mapping[int, str] = {}
        self._head = -1
        self._plot: Any = pg.PlotWidget()
        self._plot.setAccessibleName("Frames and controls over seq")
        self._plot.setMenuEnabled(False)
        self._plot.hideButtons()
        self._plot.setMouseEnabled(x=True, y=False)
        self._plot.setFrameShape(self._plot.Shape.NoFrame)
        self._plot.getViewBox().setDefaultPadding(0)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._marks: dict[str, Any] = {}
        self._lines: list[Any] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._plot)
        self.dress(self.theme)

    @property
    def marked(self) -> set[int]:
        """The frames that have a mark."""
        return {int(seq) for marks in self._marks.values() for seq in marks.getData()[0]}

    @property
    def steps(self) -> list[Steps]:
        """The lines of the controls."""
        return list(self._steps)

    def show_frames(
        self, frames: Mapping[int, str], steps: Sequence[Steps], head: int, kinds: Sequence[str]
    ) -> None:
        """Show frames (seq to kind), the steps of the controls up to the head, a lane each."""
        follows = self._follows()
        self._frames, self._steps, self._head = frames, list(steps), head
        self._kinds = list(kinds)
        self._draw()
        if follows:
            low = max(-1, head - SIGHT)
            self._plot.setXRange(low, max(head + 1, low + 12), padding=0)
        self._plot.setYRange(-0.5, len(self._kinds) + len(self._steps) - 0.5, padding=0)

    def _follows(self) -> bool:
        """Is the newest frame in sight, so that the plot goes on with the head?"""
        if self._head < 0:
            return True
        (_, right), _ = self._plot.viewRange()
        return bool(right >= self._head)

    def _lane(self, number: int) -> float:
        return len(self._kinds) + len(self._steps) - 1.0 - number

    def _draw(self) -> None:
        for number, kind in enumerate(self._kinds):
            seqs = np.array([seq for seq, one in self._frames.items() if one == kind], dtype=float)
            marks = self._marks_of(kind)
            marks.setBrush(pg.mkBrush(self.theme.colour(KIND_COLOURS.get(kind, "quiet"))))
            marks.setData(x=seqs, y=np.full(len(seqs), self._lane(number)))
        while len(self._lines) < len(self._steps):
            line = pg.PlotCurveItem(stepMode="right")
            self._lines.append(line)
            self._plot.addItem(line)
        for number, (line, steps) in enumerate(zip(self._lines, self._steps, strict=False)):
            floor = self._lane(len(self._kinds) + number) - LINE_HIGH / 2
            x = np.array([*steps.seqs, self._head + 1], dtype=float)
            y = floor + LINE_HIGH * np.array([*steps.shares, steps.shares[-1]], dtype=float)
            line.setData(x, y)
            line.setPen(pg.mkPen(self.theme.colour("accent"), width=2))
        labels = [*self._kinds, *(steps.label for steps in self._steps)]
        ticks = [(self._lane(number), label) for number, label in enumerate(labels)]
        self._plot.getAxis("left").setTicks([ticks])

    def _marks_of(self, kind: str) -> Any:
        if kind not in self._marks:
            made = pg.ScatterPlotItem(pxMode=True, size=8, symbol="s", pen=None)
            made.sigClicked.connect(self._press)
            self._plot.addItem(made)
            self._marks[kind] = made
        return self._marks[kind]

    def _press(self, _: object, points: Any) -> None:
        if len(points):
            self.pressed.emit(round(points[0].pos().x()))

    def dress(self, theme: Theme) -> None:
        super().dress(theme)
        self._plot.setBackground(QColor(theme.panel))
        for side in ("left", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(pg.mkPen(theme.colour("line"), width=1))
            axis.setTextPen(theme.colour("quiet"))
            axis.setStyle(tickFont=sans(SMALL), tickLength=0 if side == "left" else -4)
        self._plot.getAxis("left").setWidth(84)
        if self._head >= 0:
            self._draw()


LINES: Final = 6
"""Routines that have a line of their own; of more, all together have one."""
LINE_COLOURS: Final = ("accent", "pending", "holds", "refused", "text", "quiet")


class PulsePlot(Dressed, QWidget):
    """Steps by tick and routine above, lateness below; failures are marked where they happened."""

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self._ticks = ticks
        self._names: tuple[str, ...] = ()
        self._steps: Any = self._plot("Steps by tick", "steps")
        self._late: Any = self._plot("Lateness by tick", "ms late")
        self._late.setFixedHeight(72)
        self._late.setXLink(self._steps)
        self._budget: Any = pg.InfiniteLine(angle=0)
        self._failed: Any = pg.ScatterPlotItem(pxMode=True, size=10, symbol="x", pen=None)
        self._signs: Any = pg.ScatterPlotItem(pxMode=True, size=4, symbol="o", pen=None)
        self._delay: Any = pg.PlotCurveItem()
        self._lines: list[Any] = []
        for item in (self._budget, self._failed, self._signs):
            self._steps.addItem(item)
        self._late.addItem(self._delay)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._steps, 1)
        column.addWidget(self._late)
        self.dress(self.theme)

    def _plot(self, name: str, unit: str) -> Any:
        plot: Any = pg.PlotWidget()
        plot.setAccessibleName(name)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.setFrameShape(plot.Shape.NoFrame)
        plot.getViewBox().setDefaultPadding(0.02)
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.getAxis("left").setLabel(unit)
        return plot

    @property
    def names(self) -> tuple[str, ...]:
        """What each line stands for, in their order."""
        return self._names

    def show_ticks(
        self,
        ticks: Sequence[int],
        steps: Mapping[str, Sequence[float]],
        failed: Sequence[tuple[int, int]],
        signs: Sequence[tuple[int, int]],
        late_ms: Sequence[float],
        budget: int,
    ) -> None:
        """Show the newest ticks: steps of each line, failures and signs as (tick, steps)."""
        self._names = tuple(steps)
        while len(self._lines) < len(steps):
            self._lines.append(pg.PlotCurveItem())
            self._steps.addItem(self._lines[-1])
        x = np.array(ticks, dtype=float)
        shown = [*steps.values(), *[()] * (len(self._lines) - len(steps))]
        for line, one in zip(self._lines, shown, strict=True):
            line.setData(x[: len(one)], np.array(one, dtype=float))
        self._failed.setData(x=[float(t) for t, _ in failed], y=[float(y) for _, y in failed])
        self._signs.setData(x=[float(t) for t, _ in signs], y=[float(y) for _, y in signs])
        self._delay.setData(x, np.array(late_ms, dtype=float))
        top = max((max(one, default=0.0) for one in steps.values()), default=0.0)
        self._budget.setPos(budget)
        self._budget.setVisible(budget <= 2 * top)
        last = x[-1] if len(x) else 0.0
        self._steps.setXRange(last - self._ticks, last, padding=0)
        self._steps.setYRange(0, max(8.0, 1.15 * top), padding=0)
        self._late.setYRange(0, max(5.0, max(late_ms, default=0.0)), padding=0)
        self._colour()

    def _colour(self) -> None:
        for number, line in enumerate(self._lines):
            colour = self.theme.colour(LINE_COLOURS[number % len(LINE_COLOURS)])
            line.setPen(pg.mkPen(colour, width=2))

    def dress(self, theme: Theme) -> None:
        super().dress(theme)
        for plot in (self._steps, self._late):
            plot.setBackground(QColor(theme.panel))
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(theme.colour("line"), width=1))
                axis.setTextPen(theme.colour("quiet"))
                axis.setStyle(tickFont=sans(SMALL), tickLength=-4)
            plot.getAxis("left").setWidth(56)
            plot.getAxis("bottom").setStyle(showValues=plot is self._late)
        self._budget.setPen(pg.mkPen(theme.colour("refused"), style=Qt.PenStyle.DashLine))
        self._failed.setBrush(pg.mkBrush(theme.colour("refused")))
        self._signs.setBrush(pg.mkBrush(theme.colour("text")))
        self._delay.setPen(pg.mkPen(theme.colour("pending"), width=1))
        self._colour()
