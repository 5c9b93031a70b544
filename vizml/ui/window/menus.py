"""The tool bar with its menus, and the main menu with every command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolBar, QToolButton, QWidget

from vizml.data import describe, names
from vizml.run import figures
from vizml.scene import Theme
from vizml.scene.figure import STANDARD
from vizml.ui.widget_helpers import add_choice, add_entry
from vizml.ui.widgets.appearance import icon
from vizml.ui.window.actions import menu_text
from vizml.ui.window.commands import COMMANDS
from vizml.ui.window.notes import notes_menu
from vizml.workspace.preferences import ThemeName

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

THEMES: dict[ThemeName, str] = {"system": "Follow the system", "light": "Light", "dark": "Dark"}
SEPARATOR = "-"
EXPORTS = "export film copy copy_command export_csv"
VISIBLE = ("new", "open", "save", "undo", "redo", "large", "dark", "panel")
ICON = 18
"""Pixels of an icon at the normal size of type."""


def menu_of(window: Window, name: str) -> QMenu:
    """A menu of the tool bar: recent, data, view, compare or export."""
    title, tip, fill = FILLED[name]
    return _menu(window, title, tip, fill)


def main_menu(window: Window) -> QMenu:
    """Every command, in submenus."""
    menu = _menu(window, "Menu", "Main menu")
    _add_commands(window, menu, "search")
    menu.addMenu(notes_menu(window))
    menu.addSeparator()
    for title in _titles():
        _fill_group(window, menu.addMenu(title), title)
    return menu


def menu_bar(window: Window) -> QMenuBar:
    """The main menu for the top of the screen on macOS, with the data sets."""
    bar = QMenuBar()
    for title in _titles():
        if title == "Tools":
            data = menu_of(window, "data")
            fill_data(window, data)  # a native menu that is empty is not shown, and so never filled
            bar.addMenu(data)
        _fill_group(window, bar.addMenu(title), title)
    bar.addMenu(notes_menu(window))
    return bar


def fill_data(window: Window, menu: QMenu) -> None:
    """List the data sets anew."""
    suitable = names(window.document.work.task.datasets)
    real = [name for name in suitable if describe(name).fixed]
    _add_data(window, menu, (name for name in suitable if name not in real))
    if real:
        menu.addSeparator()
        _add_data(window, menu, real)
    menu.addSeparator()
    others = (name for name in names() if name not in suitable)
    _add_data(window, _submenu(menu, "For other tasks"), others)
    menu.addSeparator()
    _add_commands(window, menu, "options import_csv export_csv clear")


def _titles() -> list[str]:
    return [title for title in COMMANDS if title != "Menus"]


def _menu(window: Window, title: str, tip: str, fill: Callable[[Window, QMenu], None] | None = None) -> QMenu:
    """A menu that is filled anew each time it opens."""
    menu = QMenu(title, window)
    menu.setToolTip(tip)
    menu.setToolTipsVisible(True)
    menu.setAccessibleName(title)
    menu.aboutToShow.connect(window.commands.draw_icons)
    if fill is not None:
        menu.aboutToShow.connect(partial(_refill, window, menu, fill))
    return menu


def _refill(window: Window, menu: QMenu, fill: Callable[[Window, QMenu], None]) -> None:
    for group in menu.findChildren(QActionGroup):
        group.deleteLater()
    menu.clear()
    fill(window, menu)


def _submenu(menu: QMenu, title: str) -> QMenu:
    """Add an empty submenu, the same one each time its menu is filled: PySide keeps all that were added."""
    found = next((child for child in menu.findChildren(QMenu) if child.title() == title), None)
    submenu = found or QMenu(title, menu)
    submenu.clear()
    menu.addMenu(submenu)
    return submenu


def _fill_group(window: Window, menu: QMenu, title: str) -> None:
    menu.aboutToShow.connect(window.commands.draw_icons)
    for command in COMMANDS[title]:
        if command is None:
            menu.addSeparator()
            continue
        menu.addAction(window.commands[command.id])
        if command.id == "open":
            menu.addMenu(menu_of(window, "recent"))


def _add_commands(window: Window, menu: QMenu, ids: str) -> None:
    """Add commands by their ids, separated by spaces."""
    for id in ids.split():
        if id == SEPARATOR:
            menu.addSeparator()
        else:
            menu.addAction(window.commands[id])


def _fill_recent(window: Window, menu: QMenu) -> None:
    recent = window.preferences.recent
    for path in map(Path, recent):
        add_entry(menu, menu_text(path.name), partial(window.files.open_path, path)).setToolTip(str(path))
    if not recent:
        menu.addAction("No recent files").setEnabled(False)
        return
    menu.addSeparator()
    add_entry(menu, "Clear the list", window.preferences.forget_recent)


def _add_data(window: Window, menu: QMenu, names: Iterable[str]) -> None:
    for name in names:
        source = describe(name)
        action = add_entry(menu, source.title, partial(window.generators.draw, name))
        action.setObjectName(f"data_{name}")
        action.setToolTip(source.help)


def _fill_compare(window: Window, menu: QMenu) -> None:
    stages = window.stages
    window.commands.update()
    _add_commands(window, menu, "compare compare_less")
    others = [(number, stage) for number, stage in enumerate(stages.stages) if stage is not stages.active]
    if not others:
        return
    if stages.draws_curves:
        combined = menu.addAction("All curves on this stage")
        combined.setToolTip("Show the curves of all stages on the active one, with their names in the legend")
        combined.setCheckable(True)
        combined.setChecked(stages.combined)
        combined.toggled.connect(lambda on: stages.show_combined(on=on))
    menu.addSeparator()
    menu.addAction("Differences from").setEnabled(False)
    group = add_choice(
        menu,
        (
            (
                f"{number + 1}  {stages.titles[number]}",
                stage is stages.compared,
                partial(stages.compare_with, None if stage is stages.compared else stage),
            )
            for number, stage in others
        ),
    )
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)


def _fill_view(window: Window, menu: QMenu) -> None:
    preferences = window.preferences
    for layer, shown in layers_shown(window).items():
        action = menu.addAction(layer)
        action.setCheckable(True)
        action.setChecked(shown)
        action.toggled.connect(partial(preferences.set_shown, layer))
    menu.addAction(window.commands["legend"])
    menu.addSeparator()
    _fill_shading(window, _submenu(menu, "Shade by"))
    _add_commands(
        window, menu, "hard - fit zoom_in zoom_out equal log_x log_y - diagnostics model table sections -"
    )
    themes = _submenu(menu, "Theme")
    add_choice(
        themes,
        (
            (text, preferences.theme_name == name, partial(preferences.set_theme_name, name))
            for name, text in THEMES.items()
        ),
    )
    _add_commands(window, menu, "large still")


def layers_shown(window: Window) -> dict[str, bool]:
    """Return the layers of the picture on the active stage, and whether each is visible."""
    frame, look = window.stage.frame, window.preferences.look
    marks = frame.scene.marks if frame and frame.scene else ()
    off_by_default = dict.fromkeys(STANDARD, False) | {mark.layer: mark.off_by_default for mark in marks}
    return {layer: look.shows(layer, off_by_default=off) for layer, off in off_by_default.items()}


def _fill_shading(window: Window, menu: QMenu) -> None:
    """Add the regions, or one of the lenses of the state on the active stage."""
    preferences, lenses = window.preferences, lens_names(window)
    current = preferences.look.lens
    names = ("", *lenses)
    shown = current if current in lenses else ""
    regions = window.document.experiment(window.stage.index).model.task.regions
    add_choice(
        menu, ((name or regions, name == shown, partial(preferences.set_lens, name)) for name in names)
    )
    menu.setEnabled(bool(lenses))


def lens_names(window: Window) -> tuple[str, ...]:
    """Return the names of the lenses of the state on the active stage."""
    view = window.stage.canvas.view
    return () if view is None else figures.lens_names(view)


FILLED: dict[str, tuple[str, str, Callable[[Window, QMenu], None]]] = {
    "recent": ("Recent", "Files opened or saved before", _fill_recent),
    "data": ("Data", "Data sets and CSV files", fill_data),
    "view": ("View", "Layers and appearance", _fill_view),
    "compare": ("Compare", "Several models on the same points", _fill_compare),
    "export": (
        "Export",
        "Pictures, animations and tables",
        partial(_add_commands, ids="export film copy copy_command export_csv"),
    ),
}
"""Title, tip and function that fills the menu, by name."""


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
        self._add_labelled(commands["open"], menu_of(window, "recent"))
        self._add_labelled(commands["save"])
        self.addSeparator()
        self._add_button(commands["undo"])
        self._add_button(commands["redo"])
        self.addSeparator()
        for name, icon_name in (
            ("data", "data"),
            ("view", "layers"),
            ("compare", "compare"),
            ("export", "export"),
        ):
            menu = menu_of(window, name)
            self._add_menu(menu, icon_name, menu.title())
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
