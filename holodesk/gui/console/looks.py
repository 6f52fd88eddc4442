"""What the console adds to the shared style sheet: its own roles, on the same four-pixel grid."""

from typing import Final

from holodesk.gui.theme import CORNER, EMERGENCY, SMALL, TARGET, Theme


def console_sheet(theme: Theme) -> str:
    """The style of the console's own roles.

    Roles: buttons "answer", "chip", "link", "tab", "head"; frames "rule", "inner", "banner".
    """
    return _CONSOLE.format(
        **{field: getattr(theme, field) for field in Theme.__slots__},
        in_force=theme.accent if theme.name == "contrast" else theme.line,
        on_force=theme.on_colour if theme.name == "contrast" else theme.text,
        disabled="dashed" if theme.name == "contrast" else "solid",
        corner=CORNER,
        small=SMALL,
        target=TARGET - 2 * theme.line_width,
        tall=EMERGENCY - 2 * theme.line_width,
    )


_CONSOLE: Final = """
QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
QFrame[role="rule"] {{ background: {line}; border: none; }}
QFrame[role="inner"] {{ border: none; border-left: {line_width}px solid {line}; }}
QFrame[role="status"] {{ background: transparent; border: none; }}
QFrame[role="banner"] {{
    background: {panel}; border: {line_width}px solid {line}; border-radius: {corner}px;
    border-left: 4px solid {pending}; border-radius: 2px;
}}
QFrame[role="alarm"] {{
    background: {panel}; border: {line_width}px solid {line}; border-radius: {corner}px;
    border-left: 4px solid {refused}; border-radius: 2px;
}}
QFrame[role="sheet"] {{
    background: {panel}; border: {line_width}px solid {quiet}; border-radius: {corner}px;
}}
QPushButton {{ min-width: 32px; }}
QLineEdit, QComboBox {{ placeholder-text-color: {quiet}; }}
QSpinBox, QDoubleSpinBox {{ padding: 0; }}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button,
QDoubleSpinBox::down-button {{ width: 0; border: none; }}
QSpinBox::up-arrow, QSpinBox::down-arrow, QDoubleSpinBox::up-arrow,
QDoubleSpinBox::down-arrow {{ width: 0; height: 0; border: none; image: none; }}
QAbstractSpinBox QLineEdit {{ padding: 0 8px; min-height: 0; }}
QPushButton[role="answer"] {{ padding: 0 12px; }}
QPushButton[role="answer"]:checked, QPushButton[role="chip"]:checked {{
    background: {in_force}; border-color: {accent}; color: {on_force};
}}
QPushButton[role="answer"]:checked:focus, QPushButton[role="chip"]:checked:focus {{
    border: 2px solid {accent};
}}
QPushButton[role="chip"] {{ padding: 0 8px; }}
QPushButton[role="link"] {{
    background: transparent; border: 1px solid transparent; padding: 0 4px; color: {accent};
    min-width: 0; min-height: {target}px; font-size: {small}px;
}}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border-color: {accent}; }}
QPushButton[role="link"]:disabled {{ color: {quiet}; }}
QPushButton[role="head"] {{
    background: transparent; border: {line_width}px solid transparent; padding: 0;
    min-height: {tall}px; text-align: left;
}}
QPushButton[role="head"]:hover {{ border-color: {line}; }}
QPushButton[role="head"]:focus {{ border-color: {accent}; }}
QPushButton[role="emergency"], QPushButton[role="panic"] {{ min-width: 72px; padding: 0 12px; }}
QPushButton[role="emergency"]:checked {{
    background: {pending}; border-color: {pending}; color: {on_colour};
}}
QPushButton[role="emergency"]:focus, QPushButton[role="panic"]:focus {{
    border: 2px solid {accent};
}}
QTabWidget::pane {{ border: none; }}
QTabBar {{ background: transparent; }}
QTabBar::tab {{ padding: 0 12px; margin-right: 4px; }}
QTableView, QListView, QTreeView {{
    border: none; background: transparent; gridline-color: transparent; outline: 0;
    selection-background-color: transparent; selection-color: {text};
}}
QComboBox::down-arrow {{ image: none; border: none; width: 0; height: 0; }}
QComboBox QAbstractItemView {{
    background: {panel}; border: {line_width}px solid {line};
    selection-background-color: {in_force}; selection-color: {on_force};
}}
QPushButton:disabled, QLineEdit:disabled, QAbstractSpinBox:disabled {{
    border-style: {disabled};
}}
QHeaderView {{ background: transparent; border: none; }}
QHeaderView::section {{ background: transparent; padding: 4px 4px; font-size: {small}px; }}
QHeaderView::section:first {{ padding-left: 8px; }}
QTreeView::item {{ min-height: 28px; }}
QTreeView::item:selected {{ background: {line}; color: {text}; }}
QTreeView::branch {{ background: transparent; }}
QMenuBar {{ background: transparent; color: {quiet}; border: none; }}
QMenuBar::item {{ padding: 8px 10px; background: transparent; border-radius: {corner}px; }}
QMenuBar::item:selected {{ background: {line}; color: {text}; }}
QMenu::item {{ padding: 6px 24px 6px 12px; min-height: 20px; }}
QMenu::item:disabled {{ color: {quiet}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}
QLabel[role="inforce"] {{
    background: {in_force}; color: {on_force}; border-radius: 4px; padding: 0 6px;
}}
QLabel[role="pendingchip"] {{
    background: transparent; color: {pending}; border: 1px solid {pending}; border-radius: 4px;
    padding: 0 6px;
}}
QTextBrowser {{ border: none; background: transparent; }}
"""
