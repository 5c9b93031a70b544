"""Every command of the window with its words, key and icon: the one table."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vizml.data import MAX_CLASSES
from vizml.scene.scene import LEGEND
from vizml.ui.window.actions import Command

if TYPE_CHECKING:
    from vizml.ui.window.window import Window


DOCKS = (
    ("panel", "Show or fold the panel", "F9", "panel"),
    ("readout", "Parameters and metrics", "F7", "chart"),
    ("log", "All messages of this session", "F8", "log"),
    ("diagnostics", "Charts of the training", "F6", "curves"),
    ("model", "The inside of the model", "F3", "tree"),
)
"""What can be shown and folded away: its name among the docks, what it is, its key and icon."""


def commands(window: Window) -> list[Command]:
    """All of them, in the order of the overview of keys."""
    groups = {
        "Tools": _tools(window),
        "Training": _training(window),
        "Compare": _comparing(window),
        "File": _files(window),
        "Edit": _edits(window),
        "Look": _look(window),
        "Window": _layout(window),
        "Menus": _menus(window),
    }
    return [replace(command, group=title) for title, group in groups.items() for command in group]


def _tools(window: Window) -> list[Command]:
    pick = partial(partial, window.stages.set_tool)
    return [
        Command("tool_point", "Point", "Click to add points", pick("point"), "P", "point"),
        Command("tool_brush", "Brush", "Spray points of the chosen class", pick("brush"), "B", "brush"),
        Command("tool_move", "Move", "Drag points about", pick("move"), "M", "move"),
        Command("tool_erase", "Erase", "Rub points out", pick("erase"), "E", "erase"),
        Command("tool_select", "Select", "Draw a box around points", pick("select"), "S", "select"),
        Command("tool_pan", "Pan and zoom", "Drag the plane, turn the wheel", pick("pan"), "Z", "pan"),
        *(_class(window, label) for label in range(MAX_CLASSES)),
        Command(
            "rename_class", "Rename class…", "Call the chosen class otherwise", window.rename_class, "F2"
        ),
    ]


def _class(window: Window, label: int) -> Command:
    run, number = partial(window.stages.set_label, label), f"{label + 1}"
    return Command(f"class_{number}", f"Class {number}", f"Draw points of class {number}", run, number)


def _training(window: Window) -> list[Command]:
    stages, panel = window.stages, window.panel
    return [
        Command("play", "Play or pause", "Play the training, or hold it", stages.play_pause, "Space", "play"),
        Command("back", "Step back", "One step back", partial(stages.step, -1), "Left", "back"),
        Command("step", "Step forward", "One step forward", partial(stages.step, 1), "Right", "step"),
        Command("start", "To the start", "To the first step", stages.to_start, "Home", "start"),
        Command("end", "To the end", "To the newest step", stages.to_end, "End", "end"),
        Command("retrain", "New seed", "Train again with another seed", panel.new_seed, "F5", "dice"),
        Command("search", "Choose an algorithm", "Search all algorithms", panel.search, "Ctrl+K", "search"),
        Command("cancel", "Cancel training", "Stop where it is", stages.cancel, "Ctrl+.", "cancel"),
    ]


def _files(window: Window) -> list[Command]:
    files, pictures, film = window.files, window.pictures, window.filming.ask
    tables, again = (files.ask_import, files.export_csv), "Copy the command that draws this picture again"
    return [
        Command("new", "New", "Start with an empty plane", files.new, "Ctrl+N", "new"),
        Command("open", "Open…", "Open a project or a CSV file", files.open, "Ctrl+O", "open"),
        Command("save", "Save", "Save the project", files.save, "Ctrl+S", "save"),
        Command("save_as", "Save as…", "Save under another name", files.save_as, "Ctrl+Shift+S"),
        Command("import_csv", "Import CSV…", "Take the points of a CSV file", tables[0], "Ctrl+I", "import"),
        Command("export_csv", "Export CSV…", "Write the points to a CSV file", tables[1], "Ctrl+Shift+E"),
        Command("export", "Export picture…", "Save as PNG, SVG or PDF", pictures.ask, "Ctrl+E", "image"),
        Command("film", "Export animation…", "Save the run as a GIF", film, "Ctrl+Alt+E"),
        Command("copy", "Copy picture", "Copy the picture", pictures.copy, "Ctrl+Shift+C", "copy"),
        Command("copy_command", "Copy command", again, window.again.copy, "Ctrl+Alt+C"),
        Command("quit", "Quit", "Close the program", window.close, "Ctrl+Q"),
    ]


def _edits(window: Window) -> list[Command]:
    document, change = window.document, "Change the options of the data drawn last"
    return [
        Command("undo", "Undo", "Undo", document.undo, "Ctrl+Z", "undo"),
        Command("redo", "Redo", "Redo", document.redo, "Ctrl+Y Ctrl+Shift+Z", "redo"),
        Command("clear", "Clear all points", "Remove all points", window.clear, "Ctrl+Backspace", "trash"),
        Command("options", "Options of moons…", change, window.generators.ask, "Ctrl+G", "settings"),
    ]


def _comparing(window: Window) -> list[Command]:
    stages = window.stages
    more, fewer = "One more stage beside this one, on the same points", "Take this stage away"
    return [
        Command("compare", "Compare", more, stages.add, "C", "compare"),
        Command("compare_less", "One stage fewer", fewer, stages.remove, "Shift+C", "close"),
    ]


def _look(window: Window) -> list[Command]:
    stages = window.stages
    large, dark = window.preferences.set_large_type, window.set_dark
    still, legend = window.preferences.set_still, partial(window.preferences.set_shown, LEGEND)
    return [
        Command("fit", "Fit all points", "Show all points", stages.fit_all, "F", "fit"),
        Command("zoom_in", "Zoom in", "Come closer", partial(stages.zoom, 1.25), "Ctrl++ Ctrl+=", "zoom"),
        Command("zoom_out", "Zoom out", "Go further away", partial(stages.zoom, 0.8), "Ctrl+-", "zoom-out"),
        Command("hard", "Hard regions", "Regions without shades", window.set_hard, "H", checkable=True),
        Command("legend", "Legend", "Show the legend", legend, "L", checkable=True),
        Command("large", "Large type", "Large type, for a projector", large, "T", "type", checkable=True),
        Command("dark", "Dark", "Light or dark", dark, "D", "moon", checkable=True),
        Command("still", "Reduce motion", "Marks do not slide", still, "Ctrl+Shift+M", checkable=True),
    ]


def _layout(window: Window) -> list[Command]:

    return [
        *(_dock(window, *facts) for facts in DOCKS),
        Command(
            "full",
            "Full screen",
            "Only the stage",
            window.set_full_screen,
            "F11",
            "full-screen",
            checkable=True,
        ),
        Command("keys", "Keys", "All keys at a glance", window.show_keys, "? F1", "help"),
    ]


def _dock(window: Window, name: str, tip: str, key: str, icon: str) -> Command:
    show = partial(window.docks.show, getattr(window.docks, name))
    return Command(name, name.capitalize(), tip, show, key, icon, checkable=True)


def _menus(window: Window) -> list[Command]:
    open_menu = partial(partial, window.open_menu)
    return [
        Command("menu_data", "Data", "Open the menu of data sets", open_menu("data"), "Alt+D"),
        Command("menu_view", "View", "Open the menu of layers", open_menu("layers"), "Alt+V"),
        Command("menu_compare", "Compare", "Open the menu of stages", open_menu("compare"), "Alt+C"),
        Command("menu_export", "Export", "Open the menu of ways out", open_menu("export"), "Alt+X"),
        Command("menu_all", "All commands", "Open the menu that has everything", open_menu("more"), "F10"),
    ]
