"""The point tool, and the right click that every tool has."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from vizml.learn import create
from vizml.scene import CLASSES

RIGHT = Qt.MouseButton.RightButton


def test_a_click_adds_a_point_of_the_chosen_class(user, canvas, document):
    canvas.set_label(3)
    user.click(1.0, -2.0)
    assert document.dataset.labels.tolist() == [3]
    np.testing.assert_allclose(document.dataset.points, [user.data(1.0, -2.0)])
    assert document.undo_label == "add 1 point"


def test_a_new_point_is_painted_without_waiting_for_a_frame(user, grabbed):
    user.click(1.0, -2.0)
    user.move(-1.0, 1.0)
    assert grabbed(1.0, -2.0) == CLASSES[0].colour


def test_dragging_on_adds_no_more(user, document):
    user.drag((0.0, 0.0), (0.1, 0.1), (1.0, 1.0))
    assert len(document.dataset) == 1


def test_two_quick_clicks_add_two_points(user, document):
    user.double_click(0.0, 0.0)
    assert len(document.dataset) == 2


def test_a_press_outside_the_plot_adds_nothing(canvas, user, document):
    user.click(-3.2, 0.0)
    assert not len(document.dataset)


def test_a_view_is_not_moved_by_points_added_by_hand(user, canvas, document):
    bounds = canvas.bounds
    for place in ((2.9, 2.9), (2.8, 2.9), (2.9, 2.8)):
        user.click(*place)
    assert canvas.bounds == bounds


def test_the_ghost_shows_the_point_to_come(user, canvas, grabbed):
    before = grabbed(1.0, 1.0)
    user.move(1.0, 1.0)
    blue = grabbed(1.0, 1.0)
    canvas.set_label(1)
    assert len({before, blue, grabbed(1.0, 1.0)}) == 3


def test_points_of_a_regression_keep_the_chosen_class(user, canvas, document):
    document.set_model(create("linear", "regress"))
    canvas.set_label(2)
    user.click(1.0, 1.0)
    assert document.dataset.labels.tolist() == [2]


@pytest.mark.parametrize("tool", ["point", "brush", "move", "erase", "select", "pan"])
def test_a_right_click_removes_the_point_under_it(user, canvas, document, square, tool):
    canvas.set_tool(tool)
    user.click(-1.95, 2.0, RIGHT)
    assert document.dataset.ids.tolist() == [0, 2, 3]
    assert document.undo_label == "erase 1 point"


def test_the_pointer_is_told_in_data_units(qtbot, user, canvas):
    with qtbot.waitSignal(canvas.pointer_moved) as told:
        user.move(1.5, -0.5)
    assert told.args[0] == pytest.approx(user.data(1.5, -0.5))
    with qtbot.waitSignal(canvas.pointer_moved) as told:
        user.move(-3.3, 0.0)
    assert told.args[0] is None
