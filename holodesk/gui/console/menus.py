"""Menus and shortcuts from the one table of keys; every menu is reachable by Alt and a letter."""

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenuBar, QWidget

from holodesk.gui.console.keys import KEYS, MENUS

BY_HAND = frozenset({"Space"})
"""Keys that a focused widget must be able to take first; the window answers the rest itself."""


def menu_bar(window: QWidget, acts: Mapping[str, Callable[[], object]]) -> QMenuBar:
    """A menu bar whose actions call `acts`, and whose keys work anywhere in the window."""
    bar = QMenuBar()
    bar.setNativeMenuBar(False)
    bar.setAccessibleName("Menus")
    for title in MENUS:
        menu = bar.addMenu(f"&{title}")
        menu.setAccessibleName(title)
        for key in (key for key in KEYS if key.menu == title):
            shown = "\t" + key.keys[0] if key.keys and key.keys[0] in BY_HAND else ""
            action = QAction(key.told.replace("&", "&&") + shown, window)
            action.setObjectName(key.act)
            action.setShortcuts([QKeySequence(text) for text in key.keys if text not in BY_HAND])
            action.triggered.connect(lambda _=False, act=key.act: acts[act]())
            menu.addAction(action)
            window.addAction(action)
    return bar
