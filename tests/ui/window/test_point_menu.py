"""The menu of a point: a right click in a table, Shift and a right click, or the menu key; its commands."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.events import pass_events
from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.workspace import Experiment, Work

POINTS = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [3.0, 2.0]])
DEPTH = Column("depth", [3.0, 4.0, 9.0, 5.0])
TABLE = Dataset(POINTS, [0, 1, 0, 1], ("no", "yes"), chosen_inputs=("x", "y", "depth"), others=(DEPTH,))
PLAIN = Dataset(POINTS, [0, 1, 0, 1])
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def asked(start, qtbot):
    """Open a window, and ask for the menu of the third point."""

    def ask(dataset=TABLE, held=NONE):
        window = start(Work(dataset, (Experiment(create("lda")),)))
        qtbot.waitUntil(lambda: window.stage.settled)
        at = window.canvas.plot_geometry.to_pixels(POINTS[2:3])[0].round().astype(int).tolist()
        QTest.mouseClick(window.canvas, Qt.MouseButton.RightButton, held, QPoint(*at))
        return window, window.findChild(QMenu, "point_menu")

    return ask


def texts(menu):
    return {action.text(): action for action in menu.actions() if not action.isSeparator()}


def choose(menu, *path):
    """Click entries, the last one in the submenus of the others."""
    for name in path[:-1]:
        menu = texts(menu)[name].menu()
    texts(menu)[path[-1]].trigger()


def test_inputs_are_held_at_the_values_of_the_point(asked):
    window, menu = asked()
    assert [*texts(menu)] == ["Use its values for the section", "Class", "Show in table", "Delete"]
    choose(menu, "Use its values for the section")
    assert window.document.work.held == {"depth": 9.0}


def test_the_class_is_one_of_those_of_the_data(asked):
    window, menu = asked()
    classes = texts(texts(menu)["Class"].menu())
    assert [*classes] == ["no", "yes", "No class"]
    assert [name for name, action in classes.items() if action.isChecked()] == ["no"]
    choose(menu, "Class", "yes")
    assert window.document.dataset.labels.tolist() == [0, 1, 1, 1]
    choose(menu, "Class", "No class")
    assert window.document.dataset.labels.tolist() == [0, 1, -1, 1]


def test_a_point_is_shown_in_the_table_and_deleted(asked):
    window, menu = asked()
    choose(menu, "Show in table")
    assert window.table.isVisible()
    assert window.table.table.selected.tolist() == [False, False, True, False]
    choose(menu, "Delete")
    assert window.document.dataset.ids.tolist() == [0, 1, 3]
    window.document.undo()
    assert window.document.dataset == TABLE


def test_a_plain_right_click_removes_a_drawn_point_and_shift_opens_its_menu(asked, qtbot):
    window, menu = asked(PLAIN)
    assert menu is None
    assert len(window.document.dataset) == 3
    window, menu = asked(PLAIN, SHIFT)
    assert len(window.document.dataset) == 4
    assert [*texts(menu)] == ["Class", "Show in table", "Delete"]
    menu.close()
    qtbot.waitUntil(lambda: pass_events() or window.findChild(QMenu, "point_menu") is None)


def test_the_menu_key_opens_the_menu_of_the_point_under_the_pointer(start, qtbot):
    window = start(Work(PLAIN, (Experiment(create("lda")),)))
    qtbot.waitUntil(lambda: window.stage.settled)
    canvas = window.canvas
    key = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(canvas, QContextMenuEvent(key, QPoint(5, 5), canvas.mapToGlobal(QPoint(5, 5))))
    assert window.findChild(QMenu, "point_menu") is None
    canvas.pointer.hover(*canvas.plot_geometry.to_pixels(POINTS[1:2])[0])
    QApplication.sendEvent(canvas, QContextMenuEvent(key, QPoint(5, 5), canvas.mapToGlobal(QPoint(5, 5))))
    assert window.findChild(QMenu, "point_menu") is not None


def test_keys_hold_inputs_at_the_point_under_the_pointer_and_at_the_medians(start, qtbot):
    window = start(Work(TABLE, (Experiment(create("lda")),)))
    canvas, document = window.canvas, window.document
    qtbot.waitUntil(lambda: window.stage.settled)
    before = window.stage.frame
    canvas.pointer.hover(*canvas.plot_geometry.to_pixels(POINTS[2:3])[0])
    QTest.keyClick(canvas, Qt.Key.Key_V)
    assert document.work.held == {"depth": 9.0}
    qtbot.waitUntil(lambda: window.stage.frame.request.section.origin.tolist() == [0.0, 0.0, 9.0])
    assert window.stage.frame.shown.state is before.shown.state  # not trained again
    QTest.keyClick(canvas, Qt.Key.Key_V, SHIFT)
    assert document.work.held == {}


def test_without_a_point_a_message_says_what_to_do(window):
    window.commands["hold"].trigger()
    assert "All inputs are shown" in window.messages.text_label.text()
    assert window.document.work.held == {}
