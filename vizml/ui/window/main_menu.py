"""The menu that has every command, behind the three dots and, on macOS, at the top of the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QMenuBar

from vizml.ui.window.menus import data_menu, fill_data, new_menu, recent_menu

if TYPE_CHECKING:
    from vizml.ui.window.window import Window

SEPARATOR = "-"

MAIN: dict[str, tuple[str, ...]] = {
    "File": (
        "new",
        "open",
        "recent",
        SEPARATOR,
        "save",
        "save_as",
        SEPARATOR,
        "import_csv",
        "export_csv",
        SEPARATOR,
        "export",
        "film",
        "copy",
        "copy_command",
        SEPARATOR,
        "quit",
    ),
    "Edit": ("undo", "redo", SEPARATOR, "clear", "options"),
    "Tools": (
        "tool_point",
        "tool_brush",
        "tool_move",
        "tool_erase",
        "tool_select",
        "tool_pan",
        SEPARATOR,
        *(f"class_{number}" for number in range(1, 9)),
        "rename_class",
    ),
    "Training": ("play", "back", "step", "start", "end", SEPARATOR, "search", "retrain", "cancel"),
    "Compare": ("compare", "compare_less"),
    "Look": ("fit", "zoom_in", "zoom_out", SEPARATOR, "hard", "legend", SEPARATOR, "large", "dark", "still"),
    "Window": ("panel", "readout", "diagnostics", "model", "log", SEPARATOR, "full", "keys"),
}
"""Which actions stand in which part of the main menu; 'recent' is a menu of its own."""


def main_menu(window: Window) -> QMenu:
    """Everything, in submenus."""
    menu = new_menu(window, "Menu", "All commands")
    for title, ids in MAIN.items():
        _fill_part(window, menu.addMenu(title), ids)
    return menu


def menu_bar(window: Window) -> QMenuBar:
    """The same for the top of the screen, where people look for it on macOS, with the data sets."""
    bar = QMenuBar()
    for title, ids in MAIN.items():
        if title == "Tools":
            data = data_menu(window)
            fill_data(window, data)  # a native menu that is empty is not shown, and so never filled
            bar.addMenu(data)
        _fill_part(window, bar.addMenu(title), ids)
    return bar


def _fill_part(window: Window, part: QMenu, ids: tuple[str, ...]) -> None:
    part.aboutToShow.connect(window.commands.dress_rest)
    for id in ids:
        if id == SEPARATOR:
            part.addSeparator()
        elif id == "recent":
            part.addMenu(recent_menu(window))
        else:
            part.addAction(window.commands[id])
