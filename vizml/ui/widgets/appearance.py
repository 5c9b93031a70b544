"""Appearance of the program: theme, type size, and the colours of controls derived from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

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
