"""Preferences in the settings of the system, with the system's colour scheme."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QGuiApplication

from vizml.workspace.preferences import Preferences, T


class QtPreferences(Preferences):
    """Preferences in QSettings that follow the colour scheme of the system."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings or QSettings("VizML", "VizML")
        super().__init__()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.follow_system)

    def read(self, key: str, default: T) -> T:
        kind = type(default)
        return kind(self._settings.value(key, default, type=kind))

    def write(self, key: str, value: str | float | bool) -> None:
        self._settings.setValue(key, value)

    def system_is_dark(self) -> bool:
        """Whether the system asks for a dark theme; light where it does not say."""
        return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark

    def blob(self, key: str) -> QByteArray:
        """Return bytes as of `saveState`; empty where there are none."""
        found = self._settings.value(key, QByteArray(), type=QByteArray)
        return found if isinstance(found, QByteArray) else QByteArray()

    def set_blob(self, key: str, value: QByteArray) -> None:
        self._settings.setValue(key, value)

    def sync(self) -> None:
        """Write to the disk at once."""
        self._settings.sync()
