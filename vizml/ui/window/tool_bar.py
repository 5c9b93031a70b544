"""The tool bar: files, undo, the menus; type and theme to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from vizml.scene import Theme
from vizml.ui.widgets.style import icon
from vizml.ui.window.menus import compare_menu, data_menu, export_menu, main_menu, recent_menu, view_menu

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

VISIBLE = ("new", "open", "save", "undo", "redo", "large", "dark", "panel")
ICON = 18
"""Pixels of an icon at the normal size of type."""


class ToolBar(QToolBar):
    """Buttons with texts for the file commands and menus, icons alone for the others."""

    def __init__(self, window: Window) -> None:
        super().__init__("Tool bar", window)
        self.setObjectName("bar")
        self.setAccessibleName("Tool bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._menus: list[tuple[QToolButton, str]] = []
        self._labelled: list[QToolButton] = []
        commands = window.commands
        self._add_labelled(commands["new"])
        self._add_labelled(commands["open"], recent_menu(window))
        self._add_labelled(commands["save"])
        self.addSeparator()
        self._add_button(commands["undo"])
        self._add_button(commands["redo"])
        self.addSeparator()
        for menu, name in (
            (data_menu(window), "data"),
            (view_menu(window), "layers"),
            (compare_menu(window), "compare"),
            (export_menu(window), "export"),
        ):
            self._add_menu(menu, name, menu.title())
        self.addWidget(_gap())
        for id in ("large", "dark", "panel"):
            self._add_button(commands[id])
        self._add_menu(main_menu(window), "more", "")

    def set_theme(self, theme: Theme, scale: float) -> None:
        """Draw the icons in the colours of a theme, at the size of the type."""
        size = round(ICON * scale)
        self.setIconSize(QSize(size, size))
        for button, name in self._menus:
            button.setIcon(icon(name, theme, size))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out texts where there is no room: those of file commands first, then those of menus."""
        menus = [button for button, _ in self._menus if button.text()]
        for icons_only in ([], self._labelled, [*self._labelled, *menus]):
            for button in (*self._labelled, *menus):
                style = Qt.ToolButtonStyle
                wanted = style.ToolButtonIconOnly if button in icons_only else style.ToolButtonTextBesideIcon
                if button.toolButtonStyle() != wanted:
                    button.setToolButtonStyle(wanted)
            if self.sizeHint().width() <= self.width():
                return

    def open_menu(self, name: str) -> None:
        """Open the menu of the button with an icon of this name, and choose its first entry."""
        button = next(button for button, icon_name in self._menus if icon_name == name)
        menu = button.menu()
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        menu.setActiveAction(next(action for action in menu.actions() if not action.isSeparator()))

    def _add_button(self, action: QAction) -> QToolButton:
        self.addAction(action)
        button = self.widgetForAction(action)
        if not isinstance(button, QToolButton):
            raise TypeError("a tool bar makes tool buttons of its actions")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(action.text())
        return button

    def _add_labelled(self, action: QAction, menu: QMenu | None = None) -> None:
        button = self._add_button(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._labelled.append(button)
        action.setIconText(action.text().rstrip("\N{HORIZONTAL ELLIPSIS}"))
        if menu is not None:
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)

    def _add_menu(self, menu: QMenu, name: str, text: str) -> None:
        button = QToolButton(self)
        button.setText(f"{text} \N{BLACK DOWN-POINTING SMALL TRIANGLE}" if text else "")
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        style = Qt.ToolButtonStyle
        button.setToolButtonStyle(style.ToolButtonTextBesideIcon if text else style.ToolButtonIconOnly)
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
