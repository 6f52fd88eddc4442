"""What a theme says can be read: contrast, targets and type sizes (look.md; WCAG 1.4.3)."""

from itertools import product

import pytest
from PySide6.QtGui import QColor

from holodesk.gui import theme
from holodesk.gui.console.looks import console_sheet
from holodesk.gui.theme import THEMES, Theme


def luminance(colour: str) -> float:
    def part(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    made = QColor(colour)
    red, green, blue = (part(v) for v in (made.redF(), made.greenF(), made.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert round(contrast("#000000", "#FFFFFF"), 2) == 21.0
    assert round(contrast("#777777", "#FFFFFF"), 2) == 4.48


ROLES = ("text", "quiet", "accent", "pending", "refused", "holds")


@pytest.mark.parametrize(
    ("name", "role", "behind"), list(product(THEMES, ROLES, ("ground", "panel")))
)
def test_words_of_every_role_can_be_read(name: theme.ThemeName, role: str, behind: str) -> None:
    made = THEMES[name]
    assert contrast(getattr(made, role), getattr(made, behind)) >= 4.5


@pytest.mark.parametrize(("name", "role"), list(product(THEMES, ("accent", "pending", "refused"))))
def test_words_on_a_colour_can_be_read(name: theme.ThemeName, role: str) -> None:
    made = THEMES[name]
    assert contrast(made.on_colour, getattr(made, role)) >= 4.5


@pytest.mark.parametrize("made", list(THEMES.values()), ids=list(THEMES))
def test_words_on_what_is_chosen_can_be_read(made: Theme) -> None:
    if made.name == "contrast":
        assert contrast(made.on_colour, made.accent) >= 4.5
    else:
        assert contrast(made.text, made.line) >= 4.5


@pytest.mark.parametrize("made", list(THEMES.values()), ids=list(THEMES))
def test_the_console_sheet_leaves_no_place_empty(made: Theme) -> None:
    sheet = console_sheet(made)
    assert "{" in sheet
    assert "{{" not in sheet
    assert made.accent in sheet
