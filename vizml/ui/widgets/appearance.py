"""Appearance of the program: theme, type size, palette, style sheet and icons."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property

from PySide6.QtCore import QByteArray, QEvent, QRectF, Qt
from PySide6.QtGui import QFont, QIcon, QPainter, QPalette, QPixmap, QShowEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from vizml.paint.pens import CONTEXTUAL, colour, family
from vizml.resource_files import RESOURCES, resource_text
from vizml.scene import LIGHT, Theme
from vizml.scene.palette import Rgb, mixed

PROPERTY = "vizml_appearance"
BODY, MUTED, HEADING = 13, 11, 15


@dataclass(frozen=True)
class Appearance:
    """A theme and a type size."""

    theme: Theme = LIGHT
    type_scale: float = 1.0

    def px(self, length: float) -> int:
        """Scale a length to logical pixels."""
        return round(length * self.type_scale)

    @cached_property
    def dark(self) -> bool:
        return sum(self.theme.ground) < sum(self.theme.text)

    @cached_property
    def control(self) -> Rgb:
        """Background of fields and buttons."""
        return mixed(self.theme.chrome, self.theme.text, 0.05) if self.dark else self.theme.ground

    @cached_property
    def edge(self) -> Rgb:
        """Outline of fields and buttons, a little stronger than a dividing line."""
        return mixed(self.theme.line, self.theme.muted, 0.3)

    @cached_property
    def hover(self) -> Rgb:
        return mixed(self.theme.chrome, self.theme.text, 0.07)

    @cached_property
    def pressed(self) -> Rgb:
        return mixed(self.theme.chrome, self.theme.text, 0.13)

    @cached_property
    def chosen(self) -> Rgb:
        """Background of checked buttons."""
        return mixed(self.theme.chrome, self.theme.accent, 0.18)

    @cached_property
    def chosen_hover(self) -> Rgb:
        """Background of checked buttons under the pointer."""
        return mixed(self.theme.chrome, self.theme.accent, 0.26)

    @cached_property
    def faint(self) -> Rgb:
        """Text of disabled widgets."""
        return mixed(self.theme.muted, self.theme.chrome, 0.3)

    @cached_property
    def on_accent(self) -> Rgb:
        """Text on the accent."""
        return self.theme.ground

    @cached_property
    def accent_hover(self) -> Rgb:
        """The accent under the pointer, with more contrast to the text on it."""
        return mixed(self.theme.accent, self.theme.text, 0.15)

    @cached_property
    def danger(self) -> Rgb:
        """Text of an error."""
        return (0xFF, 0x9B, 0x90) if self.dark else (0xB3, 0x26, 0x1E)


def current() -> Appearance:
    """Return the appearance that was applied last."""
    app = QApplication.instance()
    found = app.property(PROPERTY) if app is not None else None
    return found if isinstance(found, Appearance) else Appearance()


def hexed(colour: Rgb) -> str:
    """Return a colour for a style sheet."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def tabular(font: QFont) -> QFont:
    """Return a font with digits of equal width."""
    figures = QFont(font)
    figures.setFeature(QFont.Tag("tnum"), 1)
    return figures


def set_style_property(widget: QWidget, **properties: object) -> None:
    """Set properties that the style sheet selects by (role="muted", wrong=True), and apply it again."""
    if any(widget.property(name) != value for name, value in properties.items()):
        for name, value in properties.items():
            widget.setProperty(name, value)
        widget.style().polish(widget)


def role(widget: QWidget, name: str) -> None:
    """Set the role of a widget in the style sheet: heading, section, muted, danger, card, chip, rule."""
    set_style_property(widget, role=name)


class FollowsAppearance:
    """Mixin before QWidget: `apply_appearance` is called again when the appearance changes."""

    def apply_appearance(self, look: Appearance) -> None:
        """Set lengths and icons that a style sheet cannot set."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() == QEvent.Type.StyleChange:
            self._refresh_appearance()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply changes that a hidden widget is not notified of."""
        self._refresh_appearance()
        super().showEvent(event)  # type: ignore[misc]

    def _refresh_appearance(self) -> None:
        if getattr(self, "_appearance", None) is not None:
            self.update_appearance()

    def update_appearance(self) -> None:
        """Apply the appearance where it has changed; constructors end with this call."""
        look = current()
        if getattr(self, "_appearance", None) != look:
            self._appearance = look
            self.apply_appearance(look)


RATIOS = (1, 2)


def icon(name: str, theme: Theme, size: int = 20) -> QIcon:
    """Return an icon in the theme's text colour; faint where disabled, in the accent colour where checked."""
    made = QIcon()
    off, on = QIcon.State.Off, QIcon.State.On
    faint = Appearance(theme).faint
    tones = (
        (QIcon.Mode.Normal, off, theme.text),
        (QIcon.Mode.Selected, off, theme.text),
        (QIcon.Mode.Normal, on, theme.accent),
        (QIcon.Mode.Selected, on, theme.accent),
        (QIcon.Mode.Disabled, off, faint),
        (QIcon.Mode.Disabled, on, faint),
    )
    for ratio in RATIOS:
        shape = _shape(name, round(size * ratio))
        for mode, state, rgb in tones:
            made.addPixmap(_tinted(shape, rgb, ratio), mode, state)
    return made


def _shape(name: str, side: int) -> QPixmap:
    """Return the opaque shape of an icon."""
    shape = QPixmap(side, side)
    shape.fill(Qt.GlobalColor.transparent)
    painter = QPainter(shape)
    QSvgRenderer(_source(name)).render(painter, QRectF(shape.rect()))
    painter.end()
    return shape


def _tinted(shape: QPixmap, rgb: Rgb, ratio: float) -> QPixmap:
    picture = QPixmap(shape)
    painter = QPainter(picture)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(picture.rect(), colour(rgb))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


@cache
def _source(name: str) -> QByteArray:
    text = resource_text("icons", f"{name}.svg")
    return QByteArray(text.replace("currentColor", "#000000").encode())


LENGTH = re.compile(r"(?<![\w#.])(\d+(?:\.\d+)?)px")
THEME_COLOURS = ("ground", "chrome", "line", "text", "muted", "accent")
DERIVED_COLOURS = tuple(
    name for name, value in vars(Appearance).items() if isinstance(value, cached_property) and name != "dark"
)


def sheet(look: Appearance) -> str:
    """Return resources/style.qss with the colours and lengths of an appearance."""
    text = resource_text("style.qss")
    for name, value in sorted(_variables(look).items(), key=lambda item: -len(item[0])):
        text = text.replace(f"${name}", value)
    return LENGTH.sub(lambda found: _scaled(float(found[1]), look), text)


def _scaled(length: float, look: Appearance) -> str:
    """Scale a length with the type size, except for hairlines."""
    return f"{length:g}px" if length <= 1 else f"{look.px(length)}px"


def _variables(look: Appearance) -> dict[str, str]:
    tones = {name: getattr(look.theme, name) for name in THEME_COLOURS}
    tones |= {name: getattr(look, name) for name in DERIVED_COLOURS}
    return {
        **{name: hexed(rgb) for name, rgb in tones.items()},
        "MUTED": str(MUTED),
        "HEADING": str(HEADING),
        "BODY": str(BODY),
        "icons": str(RESOURCES / "icons" / "sheet").replace("\\", "/"),
        "mode": "dark" if look.dark else "light",
        "menu": "light" if look.dark else "dark",
    }


def apply(app: QApplication, theme: Theme, type_scale: float = 1.0) -> None:
    """Apply a theme and a type size to every widget."""
    look = Appearance(theme, type_scale)
    if app.property(PROPERTY) is None:
        app.setStyle("Fusion")
    app.setStyleSheet("")  # clears Qt's rules of deleted widgets, and halves the time of a change
    app.setProperty(PROPERTY, look)  # after it: widgets measure themselves when they have the new sheet
    font = QFont(family())
    font.setFeature(CONTEXTUAL, 0)
    font.setPixelSize(look.px(BODY))
    app.setFont(font)
    app.setPalette(palette(look))
    app.setStyleSheet(sheet(look))


def palette(look: Appearance) -> QPalette:
    """Return a palette with all roles of Qt, derived from the colours of the theme."""
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
        "Window": theme.chrome, "WindowText": theme.text, "Base": look.control, "AlternateBase": look.hover,
        "Text": theme.text, "Button": look.control, "ButtonText": theme.text, "BrightText": look.danger,
        "PlaceholderText": theme.muted, "ToolTipBase": look.control, "ToolTipText": theme.text,
        "Highlight": theme.accent, "HighlightedText": look.on_accent, "Accent": theme.accent,
        "Link": theme.accent, "LinkVisited": theme.accent, "Light": look.control, "Midlight": theme.line,
        "Mid": look.edge, "Dark": theme.muted, "Shadow": theme.line,
    }  # fmt: skip
