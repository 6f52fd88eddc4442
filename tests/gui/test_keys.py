"""Every key is in one table; the sheet on F1 and the menus show all of it (look.md)."""

from collections import Counter
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from holodesk.gui.console.keys import KEYS, MENUS, KeySheet
from holodesk.gui.console.menus import menu_bar


def test_the_sheet_lists_every_key(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    sheet = KeySheet(window)
    said = {label.text() for label in sheet.findChildren(QLabel)}
    for key in KEYS:
        assert key.told in said
        assert " or ".join(key.keys) in said


def test_escape_closes_the_sheet(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    sheet = KeySheet(window)
    sheet.open()
    assert sheet.isVisible()
    assert window.rect().contains(sheet.geometry())
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_no_key_does_two_things_and_every_key_is_one_that_qt_knows() -> None:
    keys = [text for key in KEYS for text in key.keys]
    assert max(Counter(keys).values()) == 1
    assert not any(QKeySequence(text).isEmpty() for text in keys)
    assert {key.menu for key in KEYS} == set(MENUS)


def test_every_key_is_in_a_menu_that_alt_and_a_letter_opens(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    called: list[str] = []
    bar = menu_bar(window, {key.act: partial(called.append, key.act) for key in KEYS})
    letters = [action.text()[action.text().index("&") + 1] for action in bar.actions()]
    assert len(set(letters)) == len(MENUS)
    for action in window.actions():
        action.trigger()
    assert called == [key.act for menu in MENUS for key in KEYS if key.menu == menu]
