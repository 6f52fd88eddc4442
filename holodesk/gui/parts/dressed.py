"""Widgets that paint by themselves take their colours from one theme (look.md: palette)."""

from PySide6.QtWidgets import QWidget

from holodesk.gui.theme import DARK, Theme


class Dressed:
    """Mixed into a widget: `theme` says its colours; `dress` changes them."""

    theme: Theme = DARK

    def dress(self, theme: Theme) -> None:
        """Take other colours."""
        self.theme = theme
        if isinstance(self, QWidget):
            self.update()


def dress_all(root: QWidget, theme: Theme) -> None:
    """Dress a widget and everything in it."""
    for widget in (root, *root.findChildren(QWidget)):
        if isinstance(widget, Dressed):
            widget.dress(theme)
