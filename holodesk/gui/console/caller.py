"""Who chooses, what may be chosen, and the form in which a person chooses (LH 3.2, 3.4).

The lens's own words stand above its form, in a readable size: they are the interface. A rejected
choice is told at the fields it concerns, and nothing has changed.
"""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from holodesk.gui.bridge import Bridge
from holodesk.gui.parts.dressed import Dressed, dress_all
from holodesk.gui.parts.form import Form
from holodesk.gui.parts.lines import Line, LineList
from holodesk.gui.parts.panel import Empty, Panel, Scroll, emptied, row
from holodesk.gui.parts.press import Answers, press
from holodesk.gui.parts.words import say, small, words
from holodesk.gui.theme import BETWEEN, INSIDE, STEP, Theme
from holodesk.host.messages import (
    Appended,
    HeadMoved,
    Offered,
    OfferedLens,
    Pace,
    Previewed,
    Refusal,
)


class CallerPanel(Dressed, Panel):
    """CHOOSE: the caller, the lenses on offer, the form, and its two presses."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__("Choose")
        self._bridge = bridge
        self.lenses: dict[str, OfferedLens] = {}
        self.form: Form | None = None
        self._forms: dict[str, dict[str, Any]] = {}
        self._asked = 0
        self._naming_script = False
        self._writable = False
        self._why_not = ""
        self._build_head()
        self._build_choice()
        self._build_foot()
        self._show_emptiness()
        bridge.offered.connect(self._show_offer)
        bridge.head_moved.connect(self._show_head)
        bridge.refused.connect(self._show_refusal)
        bridge.appended.connect(self._show_appended)
        bridge.previewed.connect(self._show_previewed)
        bridge.pace.connect(self._show_pace)
        bridge.host_lost.connect(self._show_loss)

    def _build_head(self) -> None:
        self.caller = Answers([("person", "person"), ("script", "script")], name="Who chooses")
        self.caller.choose("person")
        self.caller.answered.connect(self._set_caller)
        self.script = QLineEdit()
        self.script.setPlaceholderText("a JSON Lines file of choices, then Enter")
        self.script.setAccessibleName("The script: a JSON Lines file of choices")
        self.script.returnPressed.connect(self._set_script)
        self.script.hide()
        self.resting = small("at rest: a person may reopen it", "pending")
        self.resting.hide()
        self.head.insertWidget(1, self.caller)
        self.head.insertWidget(2, self.script, 1)
        self.head.addWidget(self.resting)

    def _build_choice(self) -> None:
        self.list = LineList("Lenses on offer", wraps=False)
        self.list.setFixedWidth(148)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_lens())
        self.description = words(wrap=True)
        self._scroll = Scroll("The lens and its form")
        self._scroll.rows.setSpacing(INSIDE)
        self._scroll.rows.addWidget(self.description)
        self._holder = QVBoxLayout()
        self._scroll.rows.addLayout(self._holder)
        self._scroll.rows.addStretch(1)
        self.empty = Empty("", "")
        self._choice = QWidget()
        across = QHBoxLayout(self._choice)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(INSIDE)
        across.addWidget(self.list)
        across.addWidget(self._scroll, 1)
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self._choice, 1)

    def _build_foot(self) -> None:
        self.told = small("", wrap=True)
        self.told.setMinimumWidth(120)
        self.preview = press("preview", name="Preview: what would the object become?")
        self.append = press("append", "primary", name="Append this choice")
        self.preview.clicked.connect(self.ask_preview)
        self.append.clicked.connect(self.ask_append)
        foot = row(spacing=BETWEEN)
        foot.addWidget(self.told, 1, Qt.AlignmentFlag.AlignVCenter)
        foot.addWidget(self.preview)
        foot.addWidget(self.append)
        self._foot = QWidget()
        foot.setContentsMargins(0, 0, 0, 0)
        self._foot.setLayout(foot)
        self.body.addWidget(self._foot)

    # -------------------------------------------------------------- what is offered

    @property
    def chosen(self) -> str | None:
        """The name of the chosen lens."""
        index = self.list.currentIndex()
        return self.list.rows.lines[index.row()].key if index.isValid() else None

    def choose_lens(self, name: str) -> None:
        """Choose a lens by name, if it is on offer."""
        for place, line in enumerate(self.list.rows.lines):
            if line.key == name:
                self.list.setCurrentIndex(self.list.rows.index(place))

    def step_lens(self, steps: int) -> None:
        """Choose the next lens, or the one before."""
        count = self.list.rows.rowCount()
        if count:
            place = (self.list.currentIndex().row() + steps) % count
            self.list.setCurrentIndex(self.list.rows.index(place))

    def _show_offer(self, offer: Offered) -> None:
        before = self.chosen
        self._keep_form()
        self.lenses = {lens.name: lens for lens in offer.lenses}
        lines = [
            Line(lens.name, "its own lens" if lens.is_self else "", key=lens.name)
            for lens in offer.lenses
        ]
        self.resting.setVisible(offer.resting)
        if lines != self.list.rows.lines:
            self.list.rows.show(lines)
        if lines and (before not in self.lenses or not self.list.currentIndex().isValid()):
            task = next((lens.name for lens in offer.lenses if not lens.is_self), lines[0].key)
            before = task if before not in self.lenses else before
        if before is not None:
            self.choose_lens(before)
        self._show_lens()
        self._show_emptiness()

    def _keep_form(self) -> None:
        if self.form is not None and (name := self.form.property("lens")):
            self._forms[str(name)] = self.form.params()

    def _show_lens(self) -> None:
        """Draw the form of the chosen lens; what was written before is put back where it fits."""
        lens = self.lenses.get(self.chosen or "")
        if lens is None:
            return
        if self.form is not None:
            self._keep_form()
            same = self.form.property("lens") == lens.name
            if same and self.form.parameters == lens.parameters:
                say(self.description, lens.description)
                return
            emptied(self._holder)
        say(self.description, lens.description)
        self.form = Form(lens.parameters)
        self.form.setProperty("lens", lens.name)
        if lens.name in self._forms:
            self.form.fill(self._forms[lens.name])
        self.form.changed.connect(self._clear_told)
        dress_all(self.form, self.theme)
        self._holder.addWidget(self.form)
        self._scroll.verticalScrollBar().setValue(0)
        self._clear_told()

    def dress(self, theme: Theme) -> None:
        """Forms are drawn later than the window: keep the theme for them."""
        super().dress(theme)
        if self.form is not None:
            dress_all(self.form, theme)

    # -------------------------------------------------------------- asking

    def ask_append(self) -> None:
        """Choose, for the pass that waits."""
        if self.form is None or self.chosen is None or not self.append.isEnabled():
            return
        self.form.clear_problems()
        self._asked = self._bridge.choose(self.chosen, self.form.params())
        self.append.setEnabled(False)
        say(self.told, "asked: the host performs, replays and appends it", "pending")

    def ask_preview(self) -> None:
        """What would the object become? Nothing is appended."""
        if self.form is None or self.chosen is None or not self.preview.isEnabled():
            return
        self.form.clear_problems()
        self._asked = self._bridge.preview(self.chosen, self.form.params())
        self.preview.setEnabled(False)
        say(self.told, "asked for a preview", "pending")

    def _set_caller(self) -> None:
        script = self.caller.answer() == "script"
        self._naming_script = script
        self.script.setVisible(script)
        if script:
            self.script.setFocus()
        else:
            self._bridge.set_caller("person")

    def _set_script(self) -> None:
        if self.script.text().strip():
            self._naming_script = False
            path = str(Path(self.script.text().strip()).expanduser())
            self._asked = self._bridge.set_caller("script", path)

    # -------------------------------------------------------------- answers

    def _show_refusal(self, refusal: Refusal) -> None:
        if refusal.id == 0 or refusal.id != self._asked:
            return
        self._free()
        at_fields = bool(refusal.problems) and self.form is not None
        if at_fields and self.form is not None:
            self.form.show_problems(refusal.problems)
            self._bring_problem_into_sight(self.form)
        told = "Not taken: see the fields." if at_fields else refusal.sentence
        say(self.told, f"{told} {refusal.advice}".strip(), "refused")

    def _bring_problem_into_sight(self, form: Form) -> None:
        first = next((field for field in form.fields if field.problem.text()), None)
        if first is not None:
            self._scroll.ensureWidgetVisible(first.problem, 0, 2 * INSIDE)

    def _show_appended(self, appended: Appended) -> None:
        if appended.id == self._asked:
            self._free()
            say(self.told, f"appended as frame {appended.seq}", "holds")

    def _show_previewed(self, previewed: Previewed) -> None:
        if previewed.id == self._asked:
            self._free()
            say(self.told, "the preview is shown above; nothing was appended", "quiet")

    def _show_loss(self, _: str) -> None:
        if self._asked and not self.append.isEnabled():
            say(self.told, "the host ended before it answered", "refused")
        self._writable = False
        self._free()

    def _show_head(self, head: HeadMoved) -> None:
        self._writable, self._why_not = head.writable, head.why_not
        self._free()

    def _show_pace(self, pace: Pace) -> None:
        if pace.caller in ("person", "script") and not self._naming_script:
            self.caller.choose(pace.caller)
            self.script.setVisible(pace.caller == "script")

    def _clear_told(self) -> None:
        say(self.told, "" if self._writable else self._why_not, "quiet")

    def _free(self) -> None:
        self.append.setEnabled(self._writable and bool(self.lenses))
        self.preview.setEnabled(bool(self.lenses) and self._bridge.connected)

    def _show_emptiness(self) -> None:
        self.empty.say(
            "No lens is on offer.",
            "Put a lens file into the desk's lenses folder; it is offered on the next pass.",
        )
        there = bool(self.lenses)
        self.empty.setVisible(not there)
        self._choice.setVisible(there)
        self._foot.setVisible(there)
        self.list.setContentsMargins(0, STEP, 0, 0)
        self._free()
