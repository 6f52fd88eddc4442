"""One palette, two typefaces, one rhythm, for every window (LH 3.11: a display must be readable).

Three themes: dark, light and high contrast. Colours are named by what they say, never by hue;
whatever a colour says is said in a word beside it as well.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from holodesk.errors import Place, Unavailable

ThemeName = Literal["dark", "light", "contrast"]


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as "#RRGGBB", by role."""

    name: ThemeName
    title: str
    ground: str
    panel: str
    line: str
    text: str
    quiet: str
    accent: str
    """What is in force, and the focus."""
    pending: str
    refused: str
    """Refusals and PANIC."""
    holds: str
    """What was checked and holds."""
    on_colour: str
    """Text that stands on accent, pending, refused or holds."""
    line_width: int
    """Pixels of a border; thicker where contrast matters most."""

    def colour(self, role: str) -> QColor:
        """The colour of a role, as Qt wants it."""
        return QColor(getattr(self, role))


DARK: Final = Theme(
    name="dark",
    title="Dark",
    ground="#0B0E11",
    panel="#12171C",
    line="#26303A",
    text="#E6EDF3",
    quiet="#93A1AE",
    accent="#5CE1E6",
    pending="#F2B84B",
    refused="#FF6B6B",
    holds="#6BE38F",
    on_colour="#0B0E11",
    line_width=1,
)
LIGHT: Final = Theme(
    name="light",
    title="Light",
    ground="#F6F8FA",
    panel="#FFFFFF",
    line="#D5DCE3",
    text="#14202B",
    quiet="#5A6875",
    accent="#0B7C86",
    pending="#9A6700",
    refused="#C62828",
    holds="#1B7F3B",
    on_colour="#FFFFFF",
    line_width=1,
)
CONTRAST: Final = Theme(
    name="contrast",
    title="High contrast",
    ground="#000000",
    panel="#000000",
    line="#FFFFFF",
    text="#FFFFFF",
    quiet="#FFFFFF",
    accent="#00FFFF",
    pending="#FFFF00",
    refused="#FF6060",
    holds="#80FF80",
    on_colour="#000000",
    line_width=2,
)
THEMES: Final[dict[ThemeName, Theme]] = {theme.name: theme for theme in (DARK, LIGHT, CONTRAST)}

SANS: Final = "IBM Plex Sans"
MONO: Final = "IBM Plex Mono"

SMALL: Final = 12
BODY: Final = 14
HEADING: Final = 18
TITLE: Final = 24
"""Type sizes in device-independent pixels; nothing is ever smaller than SMALL."""

STEP: Final = 4
"""Every distance is a multiple of this, in device-independent pixels."""
INSIDE: Final = 3 * STEP
BETWEEN: Final = 2 * STEP
CORNER: Final = 6
TARGET: Final = 32
"""The least height and width of anything that can be pressed."""
EMERGENCY: Final = 44
"""The same for Hold, Freeze and PANIC."""

Weight = Literal["regular", "medium", "semibold"]
WEIGHTS: Final[dict[Weight, QFont.Weight]] = {
    "regular": QFont.Weight.Normal,
    "medium": QFont.Weight.Medium,
    "semibold": QFont.Weight.DemiBold,
}


def font_folder() -> Path:
    """Where the shipped typefaces lie: beside the package when installed, else in the checkout."""
    room = Path(__file__).resolve().parents[1]
    packed = room / "content" / "assets" / "fonts"
    return packed if packed.is_dir() else room.parent / "assets" / "fonts"


def load_fonts(folder: Path | None = None) -> tuple[str, ...]:
    """Load every shipped typeface into the running application; the families it now knows.

    Raises:
        Unavailable: a typeface is missing or cannot be read.
    """
    folder = folder or font_folder()
    files = sorted(folder.glob("*.ttf"))
    if not files:
        raise Unavailable("typefaces", "there is no typeface here", Place(file=str(folder)))
    families: dict[str, None] = {}
    for file in files:
        number = QFontDatabase.addApplicationFont(str(file))
        if number < 0:
            raise Unavailable("typefaces", "the typeface cannot be read", Place(file=str(file)))
        families.update(dict.fromkeys(QFontDatabase.applicationFontFamilies(number)))
    return tuple(family for family in families if family in (SANS, MONO))


def sans(size: int = BODY, weight: Weight = "regular") -> QFont:
    """The typeface for people, with digits of one width."""
    return _font(SANS, size, weight)


def mono(size: int = BODY, weight: Weight = "regular") -> QFont:
    """The typeface for addresses and numbers."""
    return _font(MONO, size, weight)


def _font(family: str, size: int, weight: Weight) -> QFont:
    font = QFont(family)
    font.setPixelSize(size)
    font.setWeight(WEIGHTS[weight])
    font.setStyleHint(QFont.StyleHint.Monospace if family == MONO else QFont.StyleHint.SansSerif)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def palette(theme: Theme) -> QPalette:
    """The same colours for what Qt draws by itself."""
    role = QPalette.ColorRole
    colours = {
        role.Window: theme.ground,
        role.Base: theme.panel,
        role.AlternateBase: theme.ground,
        role.Button: theme.panel,
        role.ToolTipBase: theme.panel,
        role.WindowText: theme.text,
        role.Text: theme.text,
        role.ButtonText: theme.text,
        role.ToolTipText: theme.text,
        role.BrightText: theme.refused,
        role.PlaceholderText: theme.quiet,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_colour,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Mid: theme.line,
        role.Dark: theme.line,
        role.Light: theme.line,
    }
    made = QPalette()
    for which, colour in colours.items():
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.quiet))
    return made


def stylesheet(theme: Theme) -> str:
    """How every plain widget looks. A property `role` picks the few that differ.

    Roles: "panel" (a framed panel); for labels "quiet", "accent", "pending", "refused", "holds",
    "mono", "heading", "title"; for buttons "primary", "emergency" (Hold, Freeze), "panic".
    """
    return _PLAIN.format(
        **{field: getattr(theme, field) for field in Theme.__slots__},
        mono=MONO,
        heading=HEADING,
        large=TITLE,
        step=STEP,
        between=BETWEEN,
        inside=INSIDE,
        corner=CORNER,
        target=TARGET - 2 * theme.line_width,
        emergency=EMERGENCY - 2 * theme.line_width,
    )


def dress(application: QApplication, theme: Theme) -> None:
    """Dress the whole application: typefaces, palette and style sheet.

    Raises:
        Unavailable: a typeface is missing or cannot be read.
    """
    if SANS not in QFontDatabase.families() or MONO not in QFontDatabase.families():
        load_fonts()
    application.setStyle("Fusion")
    application.setFont(sans())
    application.setPalette(palette(theme))
    application.setStyleSheet(stylesheet(theme))


_PLAIN: Final = """
QWidget {{ color: {text}; }}
QMainWindow, QDialog, QMenu, QToolTip {{ background: {ground}; }}
QToolTip {{ border: {line_width}px solid {line}; padding: {step}px; }}
QFrame[role="panel"] {{
    background: {panel}; border: {line_width}px solid {line}; border-radius: {corner}px;
}}
QLabel {{ background: transparent; border: none; }}
QLabel[role="quiet"] {{ color: {quiet}; }}
QLabel[role="accent"] {{ color: {accent}; }}
QLabel[role="pending"] {{ color: {pending}; }}
QLabel[role="refused"] {{ color: {refused}; }}
QLabel[role="holds"] {{ color: {holds}; }}
QLabel[role="mono"] {{ font-family: "{mono}"; }}
QLabel[role="heading"] {{ font-size: {heading}px; font-weight: 500; }}
QLabel[role="title"] {{ font-size: {large}px; font-weight: 500; }}
QPushButton, QToolButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {{
    background: {panel}; border: {line_width}px solid {line}; border-radius: {corner}px;
    min-height: {target}px; padding: 0 {inside}px;
}}
QSpinBox, QDoubleSpinBox {{ padding: 0 0 0 8px; }}
QAbstractSpinBox QLineEdit {{ border: none; background: transparent; padding: 0 0 0 2px; }}
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button,
QDoubleSpinBox::down-button {{ border: none; background: transparent; width: 24px; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{
    image: none; width: 0; height: 0; border-left: 4px solid none; border-right: 4px solid none;
    border-top: 5px solid {quiet};
}}
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{
    image: none; width: 0; height: 0; border-left: 4px solid none; border-right: 4px solid none;
    border-bottom: 5px solid {quiet};
}}
QPushButton:hover, QToolButton:hover, QComboBox:hover {{ border-color: {quiet}; }}
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus,
QDoubleSpinBox:focus, QPlainTextEdit:focus, QAbstractItemView:focus {{ border-color: {accent}; }}
QPushButton:pressed, QToolButton:pressed {{ background: {line}; }}
QPushButton:checked, QToolButton:checked {{ border-color: {accent}; color: {accent}; }}
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled {{
    color: {quiet};
}}
QPushButton[role="primary"] {{
    background: {accent}; border-color: {accent}; color: {on_colour}; font-weight: 600;
}}
QPushButton[role="primary"]:disabled {{
    background: {panel}; border-color: {line}; color: {quiet};
}}
QPushButton[role="emergency"], QPushButton[role="panic"] {{
    min-height: {emergency}px; font-weight: 600;
}}
QPushButton[role="panic"] {{ border-color: {refused}; color: {refused}; }}
QPushButton[role="panic"]:checked, QPushButton[role="panic"]:pressed {{
    background: {refused}; color: {on_colour};
}}
QPlainTextEdit, QTextEdit, QAbstractItemView {{
    background: {panel}; border: {line_width}px solid {line}; border-radius: {corner}px;
    selection-background-color: {accent}; selection-color: {on_colour};
}}
QHeaderView::section {{
    background: {ground}; color: {quiet}; border: none;
    border-bottom: {line_width}px solid {line}; padding: {step}px {between}px;
}}
QTabWidget::pane {{ border: {line_width}px solid {line}; border-radius: {corner}px; }}
QTabBar::tab {{
    background: transparent; color: {quiet}; min-height: {target}px; padding: 0 {inside}px;
    border: none; border-bottom: 2px solid transparent;
}}
QTabBar::tab:selected {{ color: {text}; border-bottom-color: {accent}; }}
QTabBar::tab:focus {{ color: {accent}; }}
QMenu {{ border: {line_width}px solid {line}; padding: {step}px; }}
QMenu::item {{ padding: {step}px {inside}px; border-radius: {step}px; }}
QMenu::item:selected {{ background: {accent}; color: {on_colour}; }}
QSlider {{ min-height: {target}px; }}
QSlider::groove:horizontal {{ height: {step}px; background: {line}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{
    width: 16px; margin: -6px 0; border-radius: 8px; background: {text};
}}
QSlider::handle:horizontal:focus {{ background: {accent}; }}
QProgressBar {{
    background: {line}; border: none; border-radius: 2px; height: {step}px; text-align: center;
}}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {line}; border-radius: {step}px; min-height: 32px; margin: 2px; }}
QScrollBar::handle:hover {{ background: {quiet}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QSplitter::handle {{ background: transparent; }}
QSplitter::handle:hover {{ background: {line}; }}
"""
