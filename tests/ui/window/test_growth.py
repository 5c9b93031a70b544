"""Repeated gestures leave no objects behind, neither of Qt nor of Python."""

import gc
from itertools import cycle

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from vizml.data import load
from vizml.learn import create
from vizml.workspace import Experiment, Work

REPETITIONS = 6, 2, 200
"""Before the first count, which makes Python objects of all widgets, the second one, and the last one."""
PACKAGES = ("vizml.ui", "vizml.run", "weakref")
ALGORITHMS = cycle(("tree", "svm"))
PANELS = ("panel", "readout", "diagnostics", "model", "log")
MENUS = ("data", "layers", "compare", "export", "more")


def settle(window, qtbot):
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))


def switch_algorithm(window, qtbot):
    window.document.set_model(create(next(ALGORITHMS)), 0)


def add_and_remove_a_stage(window, qtbot):
    window.stages.add()
    QApplication.processEvents()
    window.stages.remove()


def open_and_close_docks(window, qtbot):
    for name in 2 * PANELS:
        window.commands[name].trigger()
        QApplication.processEvents()


def undo(window, qtbot):
    window.document.add([[0.0, 0.0]], 1)
    window.document.undo()


def open_a_project(window, qtbot):
    window.document.mark_saved()
    assert window.files.open_path(window.project)


def change_the_theme(window, qtbot):
    window.commands["dark"].trigger()


def export_an_animation(window, qtbot):
    window.animation_export.film_to(window.project.with_name("run.gif"))
    qtbot.waitUntil(lambda: not window.animation_export.queue.busy)
    window.log.tree.clear()


def open_menus(window, qtbot):
    for name in MENUS:
        window.bar.open_menu(name)
        QApplication.activePopupWidget().close()


def open_context_menus(window, qtbot):
    for widget in (window.panel.formula, window.stage.timeline.note):
        at = QPoint(3, 3)
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
        QApplication.sendEvent(widget, asked)
        QApplication.activePopupWidget().close()


def open_dialogs(window, qtbot):
    for name in ("export", "options"):
        window.commands[name].trigger()
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog):
                dialog.close()


def counts(window, qtbot):
    """Objects of Qt below all windows, and objects of Python that wrap, refer to or use them."""
    settle(window, qtbot)
    for _ in range(3):
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()
    below = sum(len(top.findChildren(QObject)) for top in QApplication.topLevelWidgets())
    return below, sum(
        isinstance(each, QAction | QMenu) or str(type(each).__module__).startswith(PACKAGES)
        for each in gc.get_objects()
    )


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "gesture",
    [
        switch_algorithm, add_and_remove_a_stage, open_and_close_docks, undo, open_a_project,
        change_the_theme, export_an_animation, open_menus, open_context_menus, open_dialogs,
    ],
)  # fmt: skip
def test_a_gesture_leaves_nothing_behind(start, qtbot, tmp_path, gesture):
    window = start(Work(load("moons:n=30"), (Experiment(create("tree", max_depth=2)),)), size=(900, 560))
    window.project = tmp_path / "one.vizml"
    assert window.files.save_to(window.project)
    found = []
    for rounds in REPETITIONS:
        for _ in range(rounds):
            gesture(window, qtbot)
            QApplication.processEvents()
        found.append(counts(window, qtbot))
    _, (qt_before, python_before), (qt_after, python_after) = found
    assert qt_after - qt_before < REPETITIONS[-1] / 4
    assert python_after - python_before < REPETITIONS[-1] / 4
