"""The select tool, and what keys do with what is selected."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

Key = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def _select(canvas, square):
    canvas.set_tool("select")


def chosen(canvas):
    return np.flatnonzero(canvas.selection.mask).tolist()


def test_a_box_selects_what_is_in_it(user, canvas, qtbot):
    with qtbot.waitSignal(canvas.selection.changed):
        user.drag((-2.5, 2.5), (-1.0, 0.0), (-1.0, -2.5))
    assert chosen(canvas) == [0, 1]


def test_the_box_selects_while_it_is_drawn(user, canvas):
    user.press(-2.5, 2.5)
    user.move(2.5, 1.5, LEFT)
    assert chosen(canvas) == [1, 3]
    user.move(2.5, -2.5, LEFT)
    assert chosen(canvas) == [0, 1, 2, 3]
    user.release(2.5, -2.5)


def test_the_box_is_shown(user, canvas):
    user.press(-2.5, 2.5)
    user.move(-1.0, -2.5, LEFT)
    (box,) = canvas.active.preview(canvas.pointer.at).marks
    corners = [user.data(-2.5, 2.5), user.data(-1.0, -2.5)]
    np.testing.assert_allclose(box.lines[0][[0, 2]], corners)
    user.release(-1.0, -2.5)


def test_a_click_selects_one_and_empty_ground_none(user, canvas):
    user.click(2.0, 2.0)
    assert chosen(canvas) == [3]
    user.click(-2.0, 2.0)
    assert chosen(canvas) == [1]
    user.click(0.0, 0.0)
    assert chosen(canvas) == []


def test_shift_adds_and_ctrl_toggles(user, canvas):
    user.click(2.0, 2.0)
    user.click(2.0, -2.0, LEFT, SHIFT)
    user.click(2.0, -2.0, LEFT, SHIFT)
    assert chosen(canvas) == [2, 3]
    user.click(2.0, 2.0, LEFT, CTRL)
    assert chosen(canvas) == [2]
    user.drag((-2.5, -1.5), (2.5, -2.5), held=CTRL)
    assert chosen(canvas) == [0]


def test_a_drag_of_the_selection_moves_it(user, canvas, document):
    user.drag((-2.5, 2.5), (-1.0, -2.5))
    user.drag((-2.0, 2.0), (-1.5, 2.0), (-1.0, 2.0))
    np.testing.assert_allclose(document.dataset.x, [-1, -1, 2, 2], atol=0.02)
    assert chosen(canvas) == [0, 1]
    assert document.undo_label == "move 2 points"


def test_a_drag_between_the_selected_points_moves_them_too(user, canvas, document):
    user.key(Key.Key_A, CTRL)
    user.drag((0.0, 0.0), (0.5, 0.0))
    np.testing.assert_allclose(document.dataset.x, [-1.5, -1.5, 2.5, 2.5], atol=0.02)


def test_an_unselected_point_is_selected_and_dragged_in_one_go(user, canvas, document):
    user.click(2.0, 2.0)
    user.drag((-2.0, 2.0), (-1.0, 2.0))
    assert chosen(canvas) == [1]
    np.testing.assert_allclose(document.dataset.x, [-2, -1, 2, 2], atol=0.02)


def test_escape_during_a_box_brings_the_selection_before_it_back(user, canvas):
    user.click(2.0, 2.0)
    user.press(0.0, 0.0)
    user.move(-2.5, 2.5, LEFT)
    user.key(Key.Key_Escape)
    user.release(-2.5, 2.5)
    assert chosen(canvas) == [3]


def test_arrows_nudge_by_pixels_and_shift_goes_ten_times_as_far(user, canvas, document):
    across, up = canvas.plot_geometry.unit
    user.click(2.0, 2.0)
    user.key(Key.Key_Right)
    user.key(Key.Key_Up, SHIFT)
    np.testing.assert_allclose(document.dataset.points[3], [2 + across, 2 + 10 * up])
    assert document.undo_label == "move 1 point"
    document.undo()
    np.testing.assert_array_equal(document.dataset.points[3], [2, 2])


def test_a_class_chosen_in_the_select_tool_relabels(user, canvas, document):
    user.click(2.0, 2.0)
    canvas.set_label(4)
    assert document.dataset.labels.tolist() == [0, 0, 1, 4]
    assert document.undo_label == "relabel 1 point"


def test_a_class_chosen_in_another_tool_relabels_nothing(user, canvas, document, square):
    user.click(2.0, 2.0)
    canvas.set_tool("point")
    canvas.set_label(4)
    assert document.dataset is square


def test_the_selection_follows_its_points_through_edits(user, canvas, document):
    user.click(2.0, 2.0)
    document.erase(np.array([True, False, False, False]))
    assert chosen(canvas) == [2]
    document.undo()
    assert chosen(canvas) == [3]


def test_other_data_are_not_selected_by_chance(user, canvas, document):
    from vizml.data import generate

    user.click(2.0, 2.0)
    document.set_dataset("generate moons", generate("moons", n=50, seed=1))
    assert chosen(canvas) == []
