"""The dock with the matrix of sections."""

import threading

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.paint.matrix import composed_matrix
from vizml.ui.window import sections
from vizml.ui.window.sections import NOTHING, SMALL, UNTRAINED
from vizml.workspace import Experiment, Work

VALUES = np.random.default_rng(0).normal(size=(40, 5))


def test_the_dock_shows_sections_over_two_inputs_that_are_not_shown(start, qtbot):
    table = Dataset.of([Column(name, values) for name, values in zip("abcde", VALUES.T)])
    work = Work(table.with_roles(inputs=[*"abcde"]), (Experiment(create("kmeans", "cluster")),))
    window = start(work, (1280, 900))
    panel = window.sections
    window.commands["sections"].trigger()
    qtbot.waitUntil(lambda: panel.view.painting is not None)
    assert [panel.up.itemText(k) for k in range(panel.up.count())] == ["c", "d", "e"]
    assert (panel.matrix().across, panel.matrix().up) == ("c", "d")
    assert panel.minimumSizeHint().width() <= window.panel.sizeHint().width()  # it shares a column with it
    before = panel.view.painting
    panel.up.setCurrentText("e")
    qtbot.waitUntil(lambda: panel.view.painting not in (None, before))
    assert panel.matrix().up == "e"
    before = panel.view.painting
    window.document.set_held("d", 1.0)
    qtbot.waitUntil(lambda: panel.view.painting not in (None, before))
    panel.view.setFixedHeight(150)
    qtbot.waitUntil(lambda: panel.view.height() == 150)
    panel.renew()
    qtbot.waitUntil(lambda: panel.view.message == SMALL)
    window.document.set_dataset("show all inputs", window.document.dataset.with_roles(inputs=()))
    qtbot.waitUntil(lambda: panel.view.message == NOTHING)
    assert panel.view.painting is None
    window.clear()
    qtbot.waitUntil(lambda: panel.view.message == UNTRAINED)


def test_a_copied_matrix_of_sections_is_composed_in_a_thread(start, qtbot, monkeypatch):
    threads = []

    def composed(matrix):
        threads.append(threading.current_thread().name)
        return composed_matrix(matrix)

    table = Dataset.of([Column(name, values) for name, values in zip("abcde", VALUES.T)])
    work = Work(table.with_roles(inputs=[*"abcde"]), (Experiment(create("kmeans", "cluster")),))
    window = start(work, (1280, 900))
    window.commands["sections"].trigger()
    qtbot.waitUntil(lambda: window.sections.view.painting is not None and window.sections.settled)
    monkeypatch.setattr(sections, "composed_matrix", composed)
    window.sections.menu_button.click()
    (menu,) = (each for each in window.sections.findChildren(QMenu) if each.isVisible())
    next(action for action in menu.actions() if action.text() == "Copy picture").trigger()
    menu.close()
    qtbot.waitUntil(lambda: not window.figure_export.queue.busy)
    assert "vizml-picture" in threads
    assert threading.main_thread().name not in threads
    assert QGuiApplication.clipboard().mimeData().hasFormat("image/svg+xml")
    QGuiApplication.clipboard().clear()
