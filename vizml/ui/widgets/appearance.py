"""How the program looks just now: theme, size of type, and the tones that controls need besides."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFont, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from vizml.scene import LIGHT, Theme
from vizml.scene.palette import Rgb, mixed

PROPERTY = "vizml_appearance"
BODY, MUTED, HEADING = 13, 11, 15


@dataclass(frozen=True)
class Appearance:
    """A theme at a size of type."""

    theme: Theme = LIGHT
    type_scale: float = 1.0

    def px(self, length: float) -> int:
        """A length of the design in logical pixels."""
        return round(length * self.type_scale)

    @property
    def dark(self) -> bool:
        return sum(self.theme.ground) < sum(self.theme.text)

    @property
    def control(self) -> Rgb:
        """The ground of fields and buttons."""
        return mixed(self.theme.chrome, self.theme.text, 0.05) if self.dark else self.theme.ground

    @property
    def edge(self) -> Rgb:
        """The outline of fields and buttons: a little stronger than a dividing line."""
        return mixed(self.theme.line, self.theme.muted, 0.3)

    @property
    def hover(self) -> Rgb:
        return mixed(self.theme.chrome, self.theme.text, 0.07)

    @property
    def pressed(self) -> Rgb:
        return mixed(self.theme.chrome, self.theme.text, 0.13)

    @property
    def chosen(self) -> Rgb:
        """The ground of what is switched on."""
        return mixed(self.theme.chrome, self.theme.accent, 0.18)

    @property
    def chosen_hover(self) -> Rgb:
        """The same under the pointer."""
        return mixed(self.theme.chrome, self.theme.accent, 0.26)

    @property
    def faint(self) -> Rgb:
        """Text of what is disabled."""
        return mixed(self.theme.muted, self.theme.chrome, 0.3)

    @property
    def on_accent(self) -> Rgb:
        """Text on the accent."""
        return self.theme.ground

    @property
    def accent_hover(self) -> Rgb:
        """The accent under the pointer: further from the text on it."""
        return mixed(self.theme.accent, self.theme.text, 0.15)

    @property
    def danger(self) -> Rgb:
        """Text of a refusal."""
        return (0xFF, 0x9B, 0x90) if self.dark else (0xB3, 0x26, 0x1E)


def current() -> Appearance:
    """What was applied last."""
    app = QApplication.instance()
    found = app.property(PROPERTY) if app is not None else None
    return found if isinstance(found, Appearance) else Appearance()


def hexed(colour: Rgb) -> str:
    """As a style sheet writes it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def colour(rgb: Rgb, alpha: float = 1.0) -> QColor:
    """As a painter wants it."""
    tone = QColor(*rgb)
    tone.setAlphaF(alpha)
    return tone


def tabular(font: QFont) -> QFont:
    """The same type with figures of equal width."""
    figures = QFont(font)
    figures.setFeature(QFont.Tag("tnum"), 1)
    return figures


def set_style_property(widget: QWidget, **properties: object) -> None:
    """Set properties that the style sheet selects by (role="muted", wrong=True), and let it look again."""
    if any(widget.property(name) != value for name, value in properties.items()):
        for name, value in properties.items():
            widget.setProperty(name, value)
        widget.style().polish(widget)


def role(widget: QWidget, name: str) -> None:
    """Give a widget a role of the style sheet: heading, section, muted, danger, card, chip, rule."""
    set_style_property(widget, role=name)


class FollowsAppearance:
    """Beside QWidget among a widget's bases: `dress` runs again whenever the appearance changes."""

    def apply_appearance(self, look: Appearance) -> None:
        """Set lengths and icons that no style sheet can."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)  # type: ignore[misc]
        if event.type() == QEvent.Type.StyleChange:
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        """One that was never shown before has not been told of changes."""
        self._catch_up()
        super().showEvent(event)  # type: ignore[misc]

    def _catch_up(self) -> None:
        if getattr(self, "_appearance", None) is not None:
            self.update_appearance()

    def update_appearance(self) -> None:
        """Dress where the appearance is another than the last time; the constructor ends with it."""
        look = current()
        if getattr(self, "_appearance", None) != look:
            self._appearance = look
            self.apply_appearance(look)
