"""Settings that are kept from one start to the next: appearance, type size, layout, recent files."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, TypeAlias, cast, get_args

from PySide6.QtCore import QByteArray, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication

from vizml.scene import DARK, LIGHT, Look, Theme
from vizml.scene.scene import Shading

ThemeName: TypeAlias = Literal["system", "light", "dark"]

RECENT = 10
LARGE = 1.5
_BREAK = "\n"
"""Separator of list items: QSettings returns a list of one as a string, and an empty one as None."""


class Preferences(QObject):
    """Read settings, save each change at once, and announce it."""

    changed = Signal()
    """The appearance or the size of type has changed."""
    recent_changed = Signal()

    def __init__(self, settings: QSettings | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings or QSettings("VizML", "VizML", self)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        self._lens = ""
        self._look = self._read_look()

    # -- look ------------------------------------------------------------------------------------------------

    @property
    def look(self) -> Look:
        return self._look

    @property
    def theme_name(self) -> ThemeName:
        """'system', 'light' or 'dark'."""
        name = self.text("look/theme", "system")
        return cast("ThemeName", name if name in get_args(ThemeName) else "system")

    @property
    def type_scale(self) -> float:
        return min(max(self.number("look/type", 1.0), 0.75), 3.0)

    @property
    def large_type(self) -> bool:
        return self.type_scale > 1.0

    @property
    def still(self) -> bool:
        """Whether changes are shown without animation."""
        return self.flag("look/still")

    def set_still(self, still: bool) -> None:
        self.set_flag("look/still", still)
        self.changed.emit()

    def set_theme_name(self, name: ThemeName) -> None:
        self._keep_look("look/theme", name)

    def set_type_scale(self, scale: float) -> None:
        self._keep_look("look/type", scale)

    def set_large_type(self, large: bool) -> None:
        self.set_type_scale(LARGE if large else 1.0)

    def set_shading(self, shading: Shading) -> None:
        self._keep_look("look/shading", shading)

    def set_shown(self, layer: str, shown: bool) -> None:
        """Switch a layer on or off."""
        self.set_look(self._look.switched(layer, shown))

    def set_lens(self, name: str) -> None:
        """Shade by a lens, or by the regions where the name is empty; this is not saved."""
        self._lens = name
        self._look = self._read_look()
        self.changed.emit()

    def set_look(self, look: Look) -> None:
        """Take the shading and the layers of a project; the theme stays as it is."""
        self.set_texts("look/hidden", tuple(sorted(look.hidden)))
        self.set_texts("look/asked", tuple(sorted(look.shown)))
        self._keep_look("look/shading", look.shading)

    def _keep_look(self, key: str, value: str | float) -> None:
        self._settings.setValue(key, value)
        self._look = self._read_look()
        self.changed.emit()

    def _read_look(self) -> Look:
        shading: Shading = "hard" if self.text("look/shading") == "hard" else "soft"
        look = Look(
            _theme(self.theme_name), shading, shown=frozenset(self.texts("look/asked")), lens=self._lens
        )
        if not self._settings.contains("look/hidden"):
            return look
        return replace(look, hidden=frozenset(self.texts("look/hidden")))

    def _follow_system(self) -> None:
        if self.theme_name == "system":
            self._look = self._read_look()
            self.changed.emit()

    # -- anything else by its key ----------------------------------------------------------------------------

    def text(self, key: str, default: str = "") -> str:
        return str(self._settings.value(key, default, type=str))

    def set_text(self, key: str, value: str) -> None:
        self._settings.setValue(key, value)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(filter(None, self.text(key).split(_BREAK)))

    def set_texts(self, key: str, values: tuple[str, ...]) -> None:
        self.set_text(key, _BREAK.join(values))

    def number(self, key: str, default: float) -> float:
        """A number; the default where the file holds something else."""
        try:
            return float(self.text(key, str(default)))
        except ValueError:
            return default

    def set_number(self, key: str, value: float) -> None:
        self._settings.setValue(key, float(value))

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self._settings.value(key, default, type=bool))

    def set_flag(self, key: str, value: bool) -> None:
        self._settings.setValue(key, value)

    def blob(self, key: str) -> QByteArray:
        """Bytes as of `saveState`; empty where there are none."""
        found = self._settings.value(key, QByteArray(), type=QByteArray)
        return found if isinstance(found, QByteArray) else QByteArray()

    def set_blob(self, key: str, value: QByteArray) -> None:
        self._settings.setValue(key, value)

    def sync(self) -> None:
        """Write to the disk at once."""
        self._settings.sync()

    # -- recent files ----------------------------------------------------------------------------------------

    @property
    def recent(self) -> tuple[str, ...]:
        """The files opened or saved, the latest first."""
        return self.texts("files/recent")

    def add_recent(self, path: str) -> None:
        self._set_recent((path, *(old for old in self.recent if old != path))[:RECENT])

    def forget_recent(self, path: str | None = None) -> None:
        """Remove one file from the list, or all."""
        self._set_recent(() if path is None else tuple(old for old in self.recent if old != path))

    def _set_recent(self, paths: tuple[str, ...]) -> None:
        self.set_texts("files/recent", paths)
        self.recent_changed.emit()


def system_is_dark() -> bool:
    """Whether the system asks for a dark theme; light where it does not say."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _theme(name: ThemeName) -> Theme:
    dark = system_is_dark() if name == "system" else name == "dark"
    return DARK if dark else LIGHT
