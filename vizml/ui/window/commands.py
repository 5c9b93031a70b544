"""Commands of the window: one declaration each feeds actions, menus, tool bar, keys and their overview."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from vizml.data import MAX_CLASSES, describe
from vizml.scene.figure import LEGEND
from vizml.ui.canvas.document_view import animations_enabled
from vizml.ui.canvas.tools import TOOLS as CANVAS_TOOLS
from vizml.ui.canvas.tools import Tool
from vizml.ui.compare.stages import MAX_STAGES
from vizml.ui.readout.tabs import PARAMETERS, POINTS, RULES
from vizml.ui.window.actions import Command, Groups
from vizml.ui.window.data_commands import hold_at_point
from vizml.ui.window.render_command import copy_command


def dialog(module: str) -> Callable[..., object]:
    """Return a function that imports a module of `vizml.ui.dialogs` and opens its dialog."""
    return lambda *args: import_module(f"vizml.ui.dialogs.{module}").open_dialog(*args)


def _tool(kind: type[Tool]) -> Command:
    name = kind.name
    return Command(f"tool_{name}", kind.title, kind.tip, lambda w: w.canvas.set_tool(name), kind.key, name)


def _class(label: int) -> Command:
    name = f"Class {label + 1}"
    return Command(
        f"class_{label + 1}", name, f"Add points of class {label + 1}", lambda w: w.canvas.set_label(label),
        f"{label + 1}", label=lambda w: f"{name}: {w.document.dataset.name(label)}",
    )  # fmt: skip


def _history(id: str, keys: str) -> Command:
    title, label = id.capitalize(), f"{id}_label"
    return Command(
        id, title, title, lambda w: getattr(w.document, id)(), keys, id,
        label=lambda w: f"{title} {getattr(w.document, label) or ''}".strip(),
        enabled=lambda w: getattr(w.document, label) is not None,
    )  # fmt: skip


def _dock(
    name: str, tip: str, key: str, icon_name: str, *synonyms: str, enabled: Callable[..., bool] | None = None
) -> Command:
    return Command(
        name, name.capitalize(), tip, lambda w, on: w.docks.show(getattr(w.docks, name), on), key, icon_name,
        enabled=enabled, checked=lambda w: not getattr(w.docks, name).isHidden(), synonyms=synonyms,
    )  # fmt: skip


def _menu(id: str, title: str, tip: str, key: str, icon_name: str) -> Command:
    return Command(f"menu_{id}", title, tip, lambda w: w.bar.open_menu(icon_name), key)


FILE = (
    Command("new", "New", "Start with an empty canvas", lambda w: w.files.new(), "Ctrl+N", "new"),
    Command(
        "open", "Open…", "Open a project, a CSV file or a picture", lambda w: w.files.open(), "Ctrl+O", "open"
    ),
    None,
    Command("save", "Save", "Save the project", lambda w: w.files.save(), "Ctrl+S", "save"),
    Command("save_as", "Save as…", "Save under another name", lambda w: w.files.save_as(), "Ctrl+Shift+S"),
    None,
    Command(
        "import_csv", "Import CSV…", "Load points", lambda w: w.files.ask_import(), "Ctrl+I", "import",
        synonyms=("read table", "data frame"),
    ),
    Command("export_csv", "Export CSV…", "Save the points", lambda w: w.files.export_csv(), "Ctrl+Shift+E"),
    None,
    Command(
        "export", "Export picture…", "PNG, SVG or PDF", lambda w: w.figure_export.ask(), "Ctrl+E", "image",
        synonyms=("save figure", "screenshot"),
    ),
    Command(
        "film", "Export animation…", "Save as GIF or WebP", lambda w: w.animation_export.ask(), "Ctrl+Alt+E",
        synonyms=("GIF", "video", "movie"),
    ),
    Command(
        "copy", "Copy picture", "Copy the picture", lambda w: w.figure_export.copy(), "Ctrl+Shift+C", "copy",
        synonyms=("screenshot", "clipboard"),
    ),
    Command("copy_command", "Copy command", "Command line of this picture", copy_command, "Ctrl+Alt+C"),
    None,
    Command("quit", "Quit", "Close the program", lambda w: w.close(), "Ctrl+Q"),
)  # fmt: skip
EDIT = (
    _history("undo", "Ctrl+Z"),
    _history("redo", "Ctrl+Y Ctrl+Shift+Z"),
    None,
    Command(
        "clear", "Clear all points", "Remove all points", lambda w: w.clear(), "Ctrl+Backspace", "trash",
        synonyms=("delete all",),
    ),
    Command(
        "options", "Options of the data…", "Change the options of the generated data",
        dialog("generator_options"), "Ctrl+G", "settings",
        label=lambda w: f"Options of {describe(w.generators.last).title.lower()}…",
    ),
    None,
    Command(
        "columns", "Columns", "Choose axes, inputs and classes", lambda w: w.panel.show_columns(), "Ctrl+L"
    ),
    Command("hold", "Hold inputs at a point", "Take the values of inputs not shown", hold_at_point, "V"),
    Command(
        "medians", "Hold inputs at medians", "Show the section at medians", lambda w: w.document.hold({}),
        "Shift+V",
    ),
)  # fmt: skip
TOOLS = (
    *(_tool(kind) for kind in CANVAS_TOOLS),
    None,
    *(_class(label) for label in range(MAX_CLASSES)),
    Command("rename_class", "Rename class…", "Rename the current class", lambda w: w.rename_class(), "F2"),
)
TRAINING = (
    Command(
        "play", "Play or pause", "Play the training", lambda w: w.stage.timeline.play_pause(), "Space", "play"
    ),
    Command(
        "back", "Step back", "Show the previous step", lambda w: w.stage.timeline.step(-1), "Left", "back"
    ),
    Command(
        "step", "Step forward", "Show the next step", lambda w: w.stage.timeline.step(1), "Right", "step"
    ),
    Command(
        "start", "First step", "Show the first step", lambda w: w.stage.timeline.to_start(), "Home", "start"
    ),
    Command("end", "Last step", "Show the newest step", lambda w: w.stage.timeline.to_end(), "End", "end"),
    None,
    Command(
        "choose", "Choose algorithm", "Search algorithms", lambda w: w.panel.picker.search(), "Ctrl+Shift+K"
    ),
    Command(
        "retrain", "New seed", "Train with another seed", lambda w: w.panel.seed.randomise(), "F5", "dice",
        synonyms=("random seed", "random state"),
    ),
    Command("cancel", "Cancel training", "Stop training", lambda w: w.stages.cancel(), "Ctrl+.", "cancel"),
)  # fmt: skip
COMPARE = (
    Command(
        "compare", "Compare", "Add a stage with another model for the same points", lambda w: w.stages.add(),
        "C", "compare", enabled=lambda w: len(w.document.work.experiments) < MAX_STAGES,
        synonyms=("side by side", "race"),
    ),
    Command(
        "compare_less", "Remove stage", "Remove the active stage", lambda w: w.stages.remove(), "Shift+C",
        "close", enabled=lambda w: len(w.document.work.experiments) > 1,
    ),
)  # fmt: skip


def _log(axis: int) -> Command:
    name = "xy"[axis]
    return Command(
        f"log_{name}", f"Logarithmic {name} axis",
        f"Show powers of ten along {name}: all values must be above 0",
        lambda w, on: w.document.set_log(axis, on), f"Ctrl+Shift+{name.upper()}",
        enabled=lambda w: w.document.work.is_positive(axis),
        checked=lambda w: w.document.work.scales.log[axis],
    )  # fmt: skip


VIEW = (
    Command("fit", "Fit all points", "Show all points", lambda w: w.canvas.fit_all(), "F", "fit"),
    Command("zoom_in", "Zoom in", "Enlarge the view", lambda w: w.canvas.zoom(1.25), "Ctrl++ Ctrl+=", "zoom"),
    Command("zoom_out", "Zoom out", "Show more", lambda w: w.canvas.zoom(0.8), "Ctrl+-", "zoom-out"),
    Command(
        "equal", "Equal scales", "Draw a data unit as long along both axes",
        lambda w, on: w.document.set_equal(on), "=", checked=lambda w: w.document.work.scales.equal,
    ),
    _log(0),
    _log(1),
    None,
    Command(
        "hard", "Hard regions", "Fill regions with plain class colours",
        lambda w, on: w.preferences.set_shading("hard" if on else "soft"), "H",
        checked=lambda w: w.preferences.look.shading == "hard",
    ),
    Command(
        "legend", "Legend", "Show the legend", lambda w, on: w.preferences.set_shown(LEGEND, on), "L",
        checked=lambda w: w.preferences.look.shows(LEGEND),
    ),
    None,
    Command(
        "large", "Large type", "Enlarge the type for a projector",
        lambda w, on: w.preferences.set_large_type(on), "T", "type",
        checked=lambda w: w.preferences.large_type, synonyms=("projector", "font size"),
    ),
    Command(
        "dark", "Dark", "Switch between light and dark theme",
        lambda w, on: w.preferences.set_theme_name("dark" if on else "light"), "D", "moon",
        checked=lambda w: w.preferences.look.theme.name == "dark",
        synonyms=("dark mode", "light mode", "theme"),
    ),
    Command(
        "still", "Reduce motion", "Show changes without animation", lambda w, on: w.preferences.set_still(on),
        "Ctrl+Shift+M", enabled=lambda _: animations_enabled(),
        checked=lambda w: w.preferences.still or not animations_enabled(),
    ),
)  # fmt: skip
WINDOW = (
    Command(
        "search", "Search everything…",
        "Find models, parameters, data sets, charts, layers and commands by name",
        lambda w: w.finder.search(), "Ctrl+K", "search", synonyms=("command palette", "all commands", "find"),
    ),
    None,
    _dock("panel", "Show or hide the side panel", "F9", "panel"),
    _dock("readout", "Parameters and metrics", "F7", "chart", "MSE", "RMSE", "TSS"),
    Command(
        "learned_parameters", "Learned parameters", "List every parameter that the model has learned",
        lambda w: w.show_readout(PARAMETERS), "Shift+F7",
        synonyms=("coefficients", "weights", "standard errors", "centroids", "leaf values", "margin width"),
    ),
    Command(
        "point_values", "Values of points", "List prediction and other values of each point",
        lambda w: w.show_readout(POINTS), "Ctrl+F7",
        synonyms=(
            "KKT case", "slack", "multipliers", "responsibilities", "residual table", "leverage",
            "Cook's distance", "out-of-bag votes",
        ),
    ),
    Command(
        "rules", "Rules of the tree", "List the decision tree as IF … THEN rules, which can be copied",
        lambda w: w.show_readout(RULES), "Ctrl+Shift+F7",
        synonyms=("IF THEN rules", "decision rules", "C4.5 rules"),
    ),
    _dock("diagnostics", "Charts of the training and diagnostics", "F6", "curves"),
    Command("chart", "Another chart", "Show one more chart", lambda w: w.add_chart(), "Shift+F6", "add"),
    Command(
        "swap", "Swap chart and stages",
        "Show the charts in the place of the stages, and the stages in their dock",
        lambda w: w.docks.swap(w.docks.diagnostics), "Alt+F6", "swap",
        enabled=lambda w: not w.docks.diagnostics.isHidden(),
    ),
    _dock("model", "Structure of the model", "F3", "tree", "diagram", enabled=lambda w: bool(w.has_diagram)),
    _dock("sections", "The picture at other values of two inputs", "Shift+F4", "layers", "matrix", "slices"),
    _dock("table", "Rows and columns of the data", "F4", "table"),
    _dock("log", "Messages and errors of this session", "F8", "log"),
    None,
    Command(
        "full", "Full screen", "Show only the stages", lambda w, on: w.set_full_screen(on), "F11",
        "full-screen", checked=lambda w: w.isFullScreen(), synonyms=("presentation",),
    ),
    Command(
        "keys", "Keys", "Show all keys", dialog("keys_overview"), "? F1", "help",
        synonyms=("shortcuts", "keyboard", "help"),
    ),
)  # fmt: skip
MENUS = (
    _menu("data", "Data", "Open the menu of data sets", "Alt+D", "data"),
    _menu("view", "View", "Open the menu of layers", "Alt+V", "layers"),
    _menu("compare", "Compare", "Open the menu of stages", "Alt+C", "compare"),
    _menu("export", "Export", "Open the menu of exports", "Alt+X", "export"),
    _menu("all", "Main menu", "Open the main menu", "F10", "more"),
)
COMMANDS: Groups = {
    "File": FILE, "Edit": EDIT, "Tools": TOOLS, "Training": TRAINING, "Compare": COMPARE, "View": VIEW,
    "Window": WINDOW, "Menus": MENUS,
}  # fmt: skip
"""All commands, in the order of the main menu. 'Menus' are keys only."""
