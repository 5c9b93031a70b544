"""Buttons with one of our icons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from vizml.ui.widgets.appearance import Appearance, Dressed, current
from vizml.ui.widgets.icons import icon
from vizml.ui.widgets.keys import KeepsKeys


class IconButton(KeepsKeys, Dressed, QToolButton):
    """A square button; the mouse leaves the focus where it was."""

    kept = frozenset({Qt.Key.Key_Space})

    def __init__(
        self, name: str, tip: str, *, size: int = 28, checkable: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._side = name, size
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setAccessibleName(tip.partition("\n")[0].partition(" (")[0])
        self.redress()

    def show_icon(self, name: str) -> None:
        """Exchange the icon."""
        if name != self._name:
            self._name = name
            self.dress(current())

    def dress(self, look: Appearance) -> None:
        glyph = look.px(min(20, self._side - 8))
        self.setIcon(icon(self._name, look.theme, glyph))
        self.setIconSize(QSize(glyph, glyph))
        self.setFixedSize(look.px(self._side), look.px(self._side))
