"""The tool bar: files, undo, the menus; type and theme to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from vizml.scene import Theme
from vizml.ui.widgets.style import icon
from vizml.ui.window.main_menu import main_menu
from vizml.ui.window.menus import compare_menu, data_menu, export_menu, recent_menu, view_menu

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

IN_SIGHT = ("new", "open", "save", "undo", "redo", "large", "dark", "panel")
ICON = 18
"""Pixels of an icon at the ordinary size of type."""


class Bar(QToolBar):
    """Icons with words for what a newcomer needs, icons alone for the rest."""

    def __init__(self, window: Window) -> None:
        super().__init__("Tool bar", window)
        self.setObjectName("bar")
        self.setAccessibleName("Tool bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._menus: list[tuple[QToolButton, str]] = []
        self._spoken: list[QToolButton] = []
        commands = window.commands
        self._words(commands["new"])
        self._words(commands["open"], recent_menu(window))
        self._words(commands["save"])
        self.addSeparator()
        self._icon(commands["undo"])
        self._icon(commands["redo"])
        self.addSeparator()
        for menu, name in (
            (data_menu(window), "data"),
            (view_menu(window), "layers"),
            (compare_menu(window), "compare"),
            (export_menu(window), "export"),
        ):
            self._drop(menu, name, menu.title())
        self.addWidget(_gap())
        for id in ("large", "dark", "panel"):
            self._icon(commands[id])
        self._drop(main_menu(window), "more", "")

    def dress(self, theme: Theme, scale: float) -> None:
        """Icons in the colours of the theme, at the size of the type."""
        size = round(ICON * scale)
        self.setIconSize(QSize(size, size))
        for button, name in self._menus:
            button.setIcon(icon(name, theme, size))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Icons without words where there is no room for them: those of files first, then those of menus."""
        menus = [button for button, _ in self._menus if button.text()]
        for silent in ([], self._spoken, [*self._spoken, *menus]):
            for button in (*self._spoken, *menus):
                style = Qt.ToolButtonStyle
                words = style.ToolButtonIconOnly if button in silent else style.ToolButtonTextBesideIcon
                if button.toolButtonStyle() != words:
                    button.setToolButtonStyle(words)
            if self.sizeHint().width() <= self.width():
                return

    def open_menu(self, name: str) -> None:
        """Open the menu under the button with an icon of that name, its first entry chosen."""
        button = next(button for button, icon_name in self._menus if icon_name == name)
        menu = button.menu()
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        menu.setActiveAction(next(action for action in menu.actions() if not action.isSeparator()))

    def _icon(self, action: QAction) -> QToolButton:
        self.addAction(action)
        button = self.widgetForAction(action)
        if not isinstance(button, QToolButton):
            raise TypeError("a tool bar makes tool buttons of its actions")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text())
        return button

    def _words(self, action: QAction, menu: QMenu | None = None) -> None:
        button = self._icon(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._spoken.append(button)
        action.setIconText(action.text().rstrip("\N{HORIZONTAL ELLIPSIS}"))
        if menu is not None:
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)

    def _drop(self, menu: QMenu, name: str, words: str) -> None:
        button = QToolButton(self)
        button.setText(f"{words} \N{BLACK DOWN-POINTING SMALL TRIANGLE}" if words else "")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        style = Qt.ToolButtonStyle
        button.setToolButtonStyle(style.ToolButtonTextBesideIcon if words else style.ToolButtonIconOnly)
        button.setToolTip(menu.toolTip())
        button.setAccessibleName(menu.title())
        button.setObjectName(f"menu_{name}")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menus.append((button, name))
        self.addWidget(button)


def _gap() -> QWidget:
    gap = QWidget()
    gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return gap
