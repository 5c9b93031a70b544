"""What the window remembers from one start to the next: look, type size, layout, recent files."""

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
"""Between the items of a list: QSettings gives a list of one back as a string, and an empty one as None."""


class Preferences(QObject):
    """Reads what was kept, keeps what is set at once, and says so."""

    changed = Signal()
    """The look or the type scale is another."""
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
        """Whether nothing may slide into its place."""
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
        """Look through a lens, or without a name at the regions again; the next start knows nothing of it."""
        self._lens = name
        self._look = self._read_look()
        self.changed.emit()

    def set_look(self, look: Look) -> None:
        """Shading and layers, as a project brings them; the theme stays the user's."""
        self.set_texts("look/hidden", tuple(sorted(look.hidden)))
        self.set_texts("look/asked", tuple(sorted(look.asked)))
        self._keep_look("look/shading", look.shading)

    def _keep_look(self, key: str, value: str | float) -> None:
        self._settings.setValue(key, value)
        self._look = self._read_look()
        self.changed.emit()

    def _read_look(self) -> Look:
        shading: Shading = "hard" if self.text("look/shading") == "hard" else "soft"
        look = Look(
            _theme(self.theme_name), shading, asked=frozenset(self.texts("look/asked")), lens=self._lens
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
        """A number; the default where something else was written into the file."""
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
        """Bytes, as Qt's saveState gives them; empty where there are none."""
        found = self._settings.value(key, QByteArray(), type=QByteArray)
        return found if isinstance(found, QByteArray) else QByteArray()

    def set_blob(self, key: str, value: QByteArray) -> None:
        self._settings.setValue(key, value)

    def sync(self) -> None:
        """Write to the disk now."""
        self._settings.sync()

    # -- recent files ----------------------------------------------------------------------------------------

    @property
    def recent(self) -> tuple[str, ...]:
        """The files opened or saved, the latest first."""
        return self.texts("files/recent")

    def add_recent(self, path: str) -> None:
        self._set_recent((path, *(old for old in self.recent if old != path))[:RECENT])

    def forget_recent(self, path: str | None = None) -> None:
        """Take one off the list, or all."""
        self._set_recent(() if path is None else tuple(old for old in self.recent if old != path))

    def _set_recent(self, paths: tuple[str, ...]) -> None:
        self.set_texts("files/recent", paths)
        self.recent_changed.emit()


def system_is_dark() -> bool:
    """What the system says; a system that says nothing is light."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _theme(name: ThemeName) -> Theme:
    dark = system_is_dark() if name == "system" else name == "dark"
    return DARK if dark else LIGHT
