"""The console: one window, three columns, the head above and the status below (LH 3.1, 3.11).

It composes panels that do not know each other. It shows what a notice of a new head says and asks
for what a person wants; it changes nothing by itself.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from holodesk.gui.bridge import Bridge
from holodesk.gui.console.body import BodyPanel
from holodesk.gui.console.caller import CallerPanel
from holodesk.gui.console.controls import Controls
from holodesk.gui.console.folder import FolderPanel
from holodesk.gui.console.head import HeadLine
from holodesk.gui.console.keys import KeySheet
from holodesk.gui.console.lineage import Lineage
from holodesk.gui.console.looks import console_sheet
from holodesk.gui.console.menus import menu_bar
from holodesk.gui.console.object import ObjectPanel
from holodesk.gui.console.preview import Preview
from holodesk.gui.console.refusals import Refusals
from holodesk.gui.console.slush import SlushPanel
from holodesk.gui.console.status import StatusLine
from holodesk.gui.console.timeline import Timeline
from holodesk.gui.parts.banner import Banner
from holodesk.gui.parts.dressed import dress_all
from holodesk.gui.parts.output import Output
from holodesk.gui.parts.panel import Panel
from holodesk.gui.theme import BETWEEN, INSIDE, STEP, THEMES, Theme, dress, stylesheet
from holodesk.host.messages import HeadMoved, Refusal

LEAST: Final = QSize(1120, 640)
FIRST: Final = QSize(1280, 720)
ABOVE_AND_BELOW: Final = 108
"""Pixels of the head line, the status line and what is between them."""


class ConsoleWindow(QMainWindow):
    """Everything a performer needs without opening anything; all else one press away."""

    closed = Signal()
    full_screen_asked = Signal()

    def __init__(self, bridge: Bridge, output: Output, theme: Theme) -> None:
        super().__init__()
        self.bridge = bridge
        self.output = output
        self.theme = theme
        self._head: HeadMoved | None = None
        self._lost = ""
        self._note = ""
        self._tempo_before = 0
        self._by_hand = False
        self.setWindowTitle("holodesk")
        self.setMinimumSize(LEAST)
        self.resize(FIRST)
        self._build_panels()
        self._build_frame()
        self._connect()
        self.dress(theme)
        self.caller.list.setFocus()

    # -------------------------------------------------------------- build

    def _build_panels(self) -> None:
        bridge, output = self.bridge, self.output
        self.controls = Controls(bridge)
        self.folder = FolderPanel(bridge)
        self.caller = CallerPanel(bridge)
        self.lineage = Lineage(bridge)
        self.slush = SlushPanel(bridge)
        self.refusals = Refusals(bridge)
        self.viewers = Preview(output, "viewers")
        self.screen_view = Preview(output, "screen")
        self.object = ObjectPanel(bridge)
        self.timeline = Timeline(bridge)
        self.body = BodyPanel(bridge)
        self.status = StatusLine(bridge, output)
        self.lost = Banner()
        self.dark = Banner("light it again")
        self.sheet = KeySheet(self)
        self.head = HeadLine(menu_bar(self, self._acts()))

    def _build_frame(self) -> None:
        self.looks = _tabs(
            "Ways to look",
            ("Viewers", self.viewers),
            ("Screen", self.screen_view),
            ("Object", self.object),
            ("Timeline", self.timeline),
            ("Body", self.body),
        )
        self.past = _tabs(
            "What happened",
            ("Lineage", self.lineage),
            ("Slush", self.slush),
            ("Refusals", self.refusals),
        )
        self.left = _split(Qt.Orientation.Vertical, self.controls, self.folder)
        self.middle = _split(Qt.Orientation.Vertical, _framed(self.looks), self.caller)
        self.columns = _split(Qt.Orientation.Horizontal, self.left, self.middle, _framed(self.past))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(BETWEEN, BETWEEN, BETWEEN, 0)
        column.setSpacing(BETWEEN)
        column.addWidget(self.head)
        column.addWidget(self.lost)
        column.addWidget(self.dark)
        column.addWidget(self.columns, 1)
        column.addWidget(self.status)
        column.setSpacing(BETWEEN)
        self.setCentralWidget(inner)

    def _connect(self) -> None:
        self.bridge.head_moved.connect(self._show_head)
        self.bridge.host_lost.connect(self._show_loss)
        self.bridge.refused.connect(self._show_refusal)
        self.bridge.previewed.connect(lambda _: self.looks.setCurrentWidget(self.object))
        self.controls.since_asked.connect(self.show_frame)
        self.timeline.pressed.connect(self.show_frame)
        self.refusals.counted.connect(self.status.show_refusals)
        self.status.refusals_asked.connect(lambda: self._open(self.past, self.refusals))
        self.head.hold.connect(self.hold)
        self.head.freeze.connect(self.freeze)
        self.head.panic.connect(self.panic)
        self.dark.pressed.connect(self.relight)
        for split in (self.left, self.middle, self.columns):
            split.splitterMoved.connect(self._keep_sizes)

    def _acts(self) -> dict[str, Callable[[], object]]:
        acts: dict[str, Callable[[], object]] = {
            "panic": self.panic,
            "relight": self.relight,
            "freeze": self.freeze,
            "full_screen": self.full_screen_asked.emit,
            "append": self.caller.ask_append,
            "preview": self.caller.ask_preview,
            "next_lens": lambda: self.caller.step_lens(1),
            "previous_lens": lambda: self.caller.step_lens(-1),
            "hold": self.hold,
            "lineage": lambda: self._open(self.past, self.lineage, self.lineage.table),
            "filter": lambda: self._open(self.past, self.lineage, self.lineage.filter),
            "slush": lambda: self._open(self.past, self.slush),
            "refusals": lambda: self._open(self.past, self.refusals),
            "viewers": lambda: self._open(self.looks, self.viewers),
            "screen": lambda: self._open(self.looks, self.screen_view),
            "object": lambda: self._open(self.looks, self.object),
            "timeline": lambda: self._open(self.looks, self.timeline),
            "body": lambda: self._open(self.looks, self.body),
            "poke": self.body.poke_it,
            "theme": self.next_theme,
            "copy": self._copy,
            "quit": self.close,
            "keys": self.sheet.open,
        }
        for place in range(1, 7):
            acts[f"control_{place}"] = partial(self.controls.focus_control, place)
        return acts

    # -------------------------------------------------------------- what is so

    def _show_head(self, head: HeadMoved) -> None:
        self._head, self._lost = head, ""
        tempo = next((c.value for c in head.controls if c.name == "tempo"), 0)
        self._tempo_before = tempo or self._tempo_before
        self.setWindowTitle(f"{head.desk} · {head.frame_hash[:8]} · frame {head.seq} — holodesk")
        self._tell()

    def _show_refusal(self, refusal: Refusal) -> None:
        """A desk that cannot be opened is said across the window: there is nothing else to see."""
        if refusal.id == 0 and self._head is None and not self._lost:
            place = "; ".join(part for part in (refusal.rule, refusal.place) if part)
            self.lost.tell(f"{refusal.sentence} ({place})", alarm=True)

    def _show_loss(self, sentence: str) -> None:
        self._lost = sentence
        self._tell()

    def _tell(self) -> None:
        """Say how fresh everything is that the window shows."""
        head = self._head
        freshness = "stale" if self._lost and head is not None else ""
        if head is not None:
            freshness = freshness or head.freshness
            self.head.show_head(head, freshness)
        if self._lost:
            self.head.hold_button.setEnabled(False)
        kept = " The last verified head is still shown, dimmed." if self._lost and head else ""
        told = self._lost + kept
        if not told and head is not None and head.freshness != "live":
            told = f"The head is {head.freshness}. {head.why_not}".strip()
        self.lost.tell(told, alarm=freshness == "refused")
        self._note = "" if freshness in ("live", "") else freshness
        self._tell_output()

    def _tell_output(self) -> None:
        note = self._note or ("dark" if self.output.dark else "")
        self.viewers.show_note(note)
        self.screen_view.show_note(note)
        self.head.show_output(frozen=self.output.frozen, dark=self.output.dark)
        self.dark.tell("The output is dark." if self.output.dark else "", alarm=True)

    # -------------------------------------------------------------- what is asked

    def panic(self) -> None:
        """The output goes black at once; pressing again changes nothing."""
        self.output.dark = True
        self._tell_output()

    def relight(self) -> None:
        """The output shows the head again."""
        self.output.dark = False
        self._tell_output()

    def freeze(self) -> None:
        """The output stands still, or goes on."""
        self.output.frozen = not self.output.frozen
        self._tell_output()

    def hold(self) -> None:
        """Tempo 0, or what it was before."""
        head = self._head
        if head is None or not head.writable or self._lost:
            return
        tempo = next((c.value for c in head.controls if c.name == "tempo"), 0)
        self.head.show_held(held=tempo == 0)
        before = self._tempo_before or self.controls.rows["tempo"].control.default
        self.controls.turn("tempo", 0 if tempo else before)

    def _copy(self) -> None:
        self.head.address.copy()

    def show_frame(self, seq: int) -> None:
        """Select a frame in the lineage."""
        self.past.setCurrentWidget(self.lineage)
        self.lineage.show_frame(seq)

    def _open(self, tabs: QTabWidget, page: QWidget, focus: QWidget | None = None) -> None:
        tabs.setCurrentWidget(page)
        (focus or tabs.tabBar()).setFocus()

    def next_theme(self) -> None:
        """Dark, light, high contrast, dark."""
        themes = list(THEMES.values())
        self.dress(themes[(themes.index(self.theme) + 1) % len(themes)])

    def dress(self, theme: Theme) -> None:
        """Take a theme."""
        self.theme = theme
        application = QApplication.instance()
        worn = stylesheet(theme)
        if isinstance(application, QApplication) and application.styleSheet() != worn:
            dress(application, theme)
        self.setStyleSheet(console_sheet(theme))
        dress_all(self, theme)

    # -------------------------------------------------------------- Qt

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.caller.ask_append()
        elif event.key() == Qt.Key.Key_Escape and self.sheet.isVisible():
            self.sheet.put_away()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._by_hand:
            self._spread(self.width() - 2 * BETWEEN, self.height() - ABOVE_AND_BELOW)
        if self.sheet.isVisible():
            self.sheet.open()

    def _spread(self, width: int, height: int) -> None:
        """Give each column what it needs, until a hand moves a divider."""
        left = min(384, max(304, int(width * 0.2) // 4 * 4))
        right = min(508, max(336, int(width * 0.27) // 4 * 4))
        self.columns.setSizes([left, max(400, width - left - right - 2 * BETWEEN), right])
        upper = max(216, (height - 440) // 4 * 4)
        self.middle.setSizes([upper, height - upper])
        controls = min(height - 120, 780 if height > 900 else 468)
        self.left.setSizes([controls, height - controls])

    def _keep_sizes(self, *_: int) -> None:
        self._by_hand = True

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


def _split(way: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    split = QSplitter(way)
    split.setHandleWidth(BETWEEN)
    split.setChildrenCollapsible(False)
    for widget in widgets:
        split.addWidget(widget)
    return split


def _tabs(name: str, *pages: tuple[str, QWidget]) -> QTabWidget:
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    tabs.setAccessibleName(name)
    tabs.tabBar().setAccessibleName(name)
    tabs.tabBar().setDrawBase(False)
    tabs.tabBar().setExpanding(False)
    for title, page in pages:
        tabs.addTab(page, title)
    return tabs


def _framed(inner: QWidget) -> Panel:
    panel = Panel("", inside=INSIDE)
    panel.setAccessibleName(inner.accessibleName())
    panel.body.setContentsMargins(INSIDE, STEP, INSIDE, INSIDE)
    panel.body.addWidget(inner)
    return panel
