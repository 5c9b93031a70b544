"""The menus of the tool bar: recent files, data sets, layers, stages, pictures."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from vizml.data import describe
from vizml.learn import Task
from vizml.run.errors import guarded
from vizml.scene.scene import BOUNDARIES, CONTOURS, GRID, HELD, POINTS, REGIONS, SCORES, TESTED
from vizml.ui.compare.stages import MAX_STAGES
from vizml.ui.preferences import ThemeName
from vizml.ui.window.actions import plain
from vizml.ui.window.generators import for_task

if TYPE_CHECKING:
    from vizml.ui.stage import Stage
    from vizml.ui.window.window import Window

BASE_LAYERS = (REGIONS, BOUNDARIES, CONTOURS, POINTS, HELD, TESTED, SCORES, GRID)
THEMES: dict[ThemeName, str] = {"system": "Follow the system", "light": "Light", "dark": "Dark"}
OWN = {Task.CLASSIFY: "Classes", Task.REGRESS: "Nothing", Task.CLUSTER: "Clusters", Task.DENSITY: "Density"}
"""What regions show without a lens."""
MEASURED = ("iris", "wine")


def recent_menu(window: Window) -> QMenu:
    """The files opened or saved lately."""
    menu = new_menu(window, "Recent", "Files opened or saved lately")
    menu.aboutToShow.connect(partial(_fill_recent, window, menu))
    return menu


def data_menu(window: Window) -> QMenu:
    """Data sets that suit the task, the others below; CSV; all away."""
    menu = new_menu(window, "Data", "Data sets, CSV files")
    menu.aboutToShow.connect(partial(fill_data, window, menu))
    return menu


def view_menu(window: Window) -> QMenu:
    """Layers one by one, shading, theme."""
    menu = new_menu(window, "View", "What is shown, and how")
    menu.aboutToShow.connect(partial(_fill_view, window, menu))
    return menu


def compare_menu(window: Window) -> QMenu:
    """Stages side by side, and where two of them differ."""
    menu = new_menu(window, "Compare", "Several models on the same points")
    menu.aboutToShow.connect(partial(_fill_compare, window, menu))
    return menu


def export_menu(window: Window) -> QMenu:
    """Ways out."""
    menu = new_menu(window, "Export", "Pictures and tables")
    for id in ("export", "film", "copy", "copy_command", "export_csv"):
        menu.addAction(window.commands[id])
    return menu


def _fill_compare(window: Window, menu: QMenu) -> None:
    menu.clear()
    stages = window.stages
    window.commands["compare"].setEnabled(len(stages.cells) < MAX_STAGES)
    window.commands["compare_less"].setEnabled(len(stages.cells) > 1)
    for id in ("compare", "compare_less"):
        menu.addAction(window.commands[id])
    others = [(number, stage) for number, stage in enumerate(stages.stages) if stage is not stages.active]
    if (
        others
        and window.document.experiment(stages.stages.index(stages.active)).model.task.drawn_as == "curve"
    ):
        together = menu.addAction("All curves on this stage")
        together.setToolTip("This stage alone, with the curves of the others and their names in the legend")
        together.setCheckable(True)
        together.setChecked(stages.together)
        together.toggled.connect(partial(_show_together, window))
    if others:
        menu.addSeparator()
        menu.addAction("Where this one differs from").setEnabled(False)
    group = QActionGroup(menu)
    group.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
    for number, stage in others:
        action = group.addAction(f"{number + 1}  {window.document.experiment(number).model.title}")
        action.setCheckable(True)
        action.setChecked(stage is stages.rival)
        action.triggered.connect(partial(_compare_with, window, stage, action))
        menu.addAction(action)


def _show_together(window: Window, on: bool) -> None:
    window.stages.show_together(on=on)


def _compare_with(window: Window, stage: Stage, action: QAction, _checked: bool = False) -> None:
    window.stages.compare_with(stage if action.isChecked() else None)


def _fill_recent(window: Window, menu: QMenu) -> None:
    menu.clear()
    recent = window.preferences.recent
    for path in recent:
        action = menu.addAction(plain(Path(path).name))
        action.setToolTip(path)
        action.triggered.connect(partial(_open, window, path))
    if not recent:
        menu.addAction("Nothing yet").setEnabled(False)
        return
    menu.addSeparator()
    menu.addAction("Forget all").triggered.connect(partial(_forget, window))


def _forget(window: Window, _checked: bool = False) -> None:
    window.preferences.forget_recent()


def _open(window: Window, path: str, _checked: bool = False) -> None:
    window.files.open_path(Path(path))


def fill_data(window: Window, menu: QMenu) -> None:
    menu.clear()
    task = window.document.work.task
    mine, others = for_task(task)
    _list_data(window, menu, tuple(name for name in mine if name not in MEASURED))
    measured = tuple(name for name in MEASURED if name in mine)
    if measured:
        menu.addSeparator()
        _list_data(window, menu, measured)
    menu.addSeparator()
    other = menu.addMenu("For classes" if task is Task.REGRESS else "For regression")
    _list_data(window, other, others)
    menu.addSeparator()
    for id in ("options", "import_csv", "export_csv", "clear"):
        menu.addAction(window.commands[id])


def _list_data(window: Window, menu: QMenu, names: tuple[str, ...]) -> None:
    for name in names:
        source = describe(name)
        action = menu.addAction(source.title)
        action.setObjectName(f"data_{name}")
        action.setToolTip(source.help)
        action.triggered.connect(partial(_draw, window, name))


def _draw(window: Window, name: str, _checked: bool = False) -> None:
    window.generators.draw(name)


def _fill_view(window: Window, menu: QMenu) -> None:
    menu.clear()
    look = window.preferences.look
    scene = window.stage.frame.scene if window.stage.frame else None
    marks = scene.marks if scene else ()
    quiet = dict.fromkeys(BASE_LAYERS, False) | {mark.layer: mark.quiet for mark in marks}
    for layer in quiet:
        action = menu.addAction(layer)
        action.setCheckable(True)
        action.setChecked(look.shows(layer, quiet=quiet[layer]))
        action.toggled.connect(partial(window.preferences.set_shown, layer))
    menu.addAction(window.commands["legend"])
    menu.addSeparator()
    menu.addMenu(_shade_menu(window, menu))
    menu.addAction(window.commands["hard"])
    menu.addSeparator()
    for id in ("fit", "zoom_in", "zoom_out"):
        menu.addAction(window.commands[id])
    menu.addSeparator()
    for id in ("diagnostics", "model"):
        menu.addAction(window.commands[id])
    menu.addSeparator()
    menu.addMenu(_theme_menu(window, menu))
    for id in ("large", "still"):
        menu.addAction(window.commands[id])


def _shade_menu(window: Window, parent: QMenu) -> QMenu:
    """The regions, or one of the lenses that the state has."""
    menu = QMenu("Shade by", parent)
    group = QActionGroup(menu)
    now = window.preferences.look.lens
    names = _lenses(window)
    for name in ("", *names):
        action = group.addAction(name or OWN[window.document.work.task])
        action.setCheckable(True)
        action.setChecked(name == (now if now in names else ""))
        action.triggered.connect(partial(_shade_by, window, name))
        menu.addAction(action)
    menu.setEnabled(bool(names))
    return menu


def _lenses(window: Window) -> tuple[str, ...]:
    """The names of the lenses of the state on the active stage."""
    frame = window.stage.frame
    if frame is None or frame.moment is None:
        return ()
    state = frame.moment.state
    return tuple(lens.name for lens in guarded(state, "lenses", state.lenses, ()))


def _shade_by(window: Window, name: str, _checked: bool = False) -> None:
    window.preferences.set_lens(name)


def _theme_menu(window: Window, parent: QMenu) -> QMenu:
    menu = QMenu("Theme", parent)
    group = QActionGroup(menu)
    for name, words in THEMES.items():
        action = group.addAction(words)
        action.setCheckable(True)
        action.setChecked(window.preferences.theme_name == name)
        action.triggered.connect(partial(_choose_theme, window, name))
        menu.addAction(action)
    return menu


def _choose_theme(window: Window, name: ThemeName, _checked: bool = False) -> None:
    window.preferences.set_theme_name(name)


def new_menu(window: Window, title: str, tip: str) -> QMenu:
    menu = QMenu(title, window)
    menu.setToolTip(tip)
    menu.setToolTipsVisible(True)
    menu.setAccessibleName(title)
    menu.aboutToShow.connect(window.commands.dress_rest)
    return menu
