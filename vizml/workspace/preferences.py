"""Preferences: settings that are kept from one start to the next, apart from where they are stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Literal, TypeAlias, TypeVar, cast, get_args

from vizml.scene import DARK, LIGHT, Look
from vizml.scene.figure import Shading
from vizml.workspace.observer import Event

ThemeName: TypeAlias = Literal["system", "light", "dark"]
T = TypeVar("T", str, bool)

RECENT = 10
"""Most recent files that are listed."""
LARGE = 1.5
"""Scale of large type, for projectors."""
_BREAK = "\n"
"""Separator of list items: QSettings returns a list of one as a string, and an empty one as None."""


class Preferences(ABC):
    """Read settings, save each change at once, and announce it."""

    def __init__(self) -> None:
        self.changed: Event[[]] = Event()
        """The appearance, the size of type or the animation differs."""
        self._lens = ""
        self.look = self._read_look()

    @abstractmethod
    def read(self, key: str, default: T) -> T:
        """Return a stored value in the type of the default."""

    @abstractmethod
    def write(self, key: str, value: str | float | bool) -> None:
        """Store a value."""

    @abstractmethod
    def system_is_dark(self) -> bool:
        """Whether the system asks for a dark theme."""

    # -- look ------------------------------------------------------------------------------------------------

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
        self.set_look(self.look.switched(layer, shown))

    def set_lens(self, name: str) -> None:
        """Shade by a lens, or by the regions where the name is empty; this is not saved."""
        self._lens = name
        self.look = self._read_look()
        self.changed.emit()

    def set_look(self, look: Look) -> None:
        """Take over the shading and the layers of a look, without its theme."""
        self.set_texts("look/hidden", sorted(look.hidden))
        self.set_texts("look/asked", sorted(look.shown))
        self._keep_look("look/shading", look.shading)

    def _keep_look(self, key: str, value: str | float) -> None:
        self.write(key, value)
        self.look = self._read_look()
        self.changed.emit()

    def _read_look(self) -> Look:
        shading: Shading = "hard" if self.text("look/shading") == "hard" else "soft"
        hidden, shown = self.texts("look/hidden", Look().hidden), self.texts("look/asked")
        dark = self.system_is_dark() if self.theme_name == "system" else self.theme_name == "dark"
        return Look(DARK if dark else LIGHT, shading, frozenset(hidden), frozenset(shown), self._lens)

    def follow_system(self) -> None:
        """Take over the theme of the system where it is followed."""
        if self.theme_name == "system":
            self.look = self._read_look()
            self.changed.emit()

    # -- values by key --------------------------------------------------------------------------------------

    def text(self, key: str, default: str = "") -> str:
        return self.read(key, default)

    def set_text(self, key: str, value: str) -> None:
        self.write(key, value)

    def texts(self, key: str, default: Iterable[str] = ()) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(filter(None, self.text(key, _BREAK.join(default)).split(_BREAK)))

    def set_texts(self, key: str, values: Iterable[str]) -> None:
        self.set_text(key, _BREAK.join(values))

    def number(self, key: str, default: float) -> float:
        """Return a number; the default where the settings hold something else."""
        try:
            return float(self.text(key, str(default)))
        except ValueError:
            return default

    def set_number(self, key: str, value: float) -> None:
        self.write(key, float(value))

    def flag(self, key: str, default: bool = False) -> bool:
        return self.read(key, default)

    def set_flag(self, key: str, value: bool) -> None:
        self.write(key, value)

    # -- recent files ----------------------------------------------------------------------------------------

    @property
    def recent(self) -> tuple[str, ...]:
        """Files that were opened or saved, the latest first."""
        return self.texts("files/recent")

    def add_recent(self, path: str) -> None:
        self._set_recent((path, *(old for old in self.recent if old != path))[:RECENT])

    def forget_recent(self, path: str | None = None) -> None:
        """Remove one file from the list, or all."""
        self._set_recent(() if path is None else tuple(old for old in self.recent if old != path))

    def _set_recent(self, paths: tuple[str, ...]) -> None:
        self.set_texts("files/recent", paths)
