"""Puts a theme and a size of type on the whole program: Fusion, a palette made by hand, a style sheet."""

from __future__ import annotations

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from vizml.scene import Theme
from vizml.scene.palette import Rgb
from vizml.ui.widgets.appearance import BODY, PROPERTY, Appearance, colour, current
from vizml.ui.widgets.icons import icon
from vizml.ui.widgets.sheet import sheet

__all__ = ["apply", "current", "icon", "palette"]


def apply(app: QApplication, theme: Theme, type_scale: float = 1.0) -> None:
    """Dress the program; every widget follows at once."""
    look = Appearance(theme, type_scale)
    if app.property(PROPERTY) is None:
        app.setStyle("Fusion")
    app.setProperty(PROPERTY, look)
    font = app.font()
    font.setPixelSize(look.px(BODY))
    app.setFont(font)
    app.setPalette(palette(look))
    app.setStyleSheet(sheet(look))


def palette(look: Appearance) -> QPalette:
    """Every role of Qt's palette out of the theme's few colours."""
    made, role, group = QPalette(), QPalette.ColorRole, QPalette.ColorGroup
    for name, rgb in _roles(look).items():
        made.setColor(role[name], colour(rgb))
    for name in ("WindowText", "Text", "ButtonText", "PlaceholderText", "ToolTipText", "HighlightedText"):
        made.setColor(group.Disabled, role[name], colour(look.faint))
    made.setColor(group.Disabled, role.Highlight, colour(look.pressed))
    made.setColor(group.Disabled, role.Accent, colour(look.faint))
    return made


def _roles(look: Appearance) -> dict[str, Rgb]:
    theme = look.theme
    return {
        "Window": theme.chrome,
        "WindowText": theme.text,
        "Base": look.control,
        "AlternateBase": look.hover,
        "Text": theme.text,
        "Button": look.control,
        "ButtonText": theme.text,
        "BrightText": look.danger,
        "PlaceholderText": theme.muted,
        "ToolTipBase": look.control,
        "ToolTipText": theme.text,
        "Highlight": theme.accent,
        "HighlightedText": look.on_accent,
        "Accent": theme.accent,
        "Link": theme.accent,
        "LinkVisited": theme.accent,
        "Light": look.control,
        "Midlight": theme.line,
        "Mid": look.edge,
        "Dark": theme.muted,
        "Shadow": theme.line,
    }
