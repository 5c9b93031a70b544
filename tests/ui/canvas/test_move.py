"""The move tool."""

import numpy as np
from PySide6.QtCore import Qt

LEFT = Qt.MouseButton.LeftButton


def test_a_drag_moves_the_point_and_is_one_entry(user, canvas, document, square):
    canvas.set_tool("move")
    user.drag((2.0, 2.0), (1.5, 1.0), (1.0, 0.5), (0.0, 0.0))
    moved = np.subtract(user.data(0.0, 0.0), user.data(2.0, 2.0))
    np.testing.assert_allclose(document.dataset.points[3], square.points[3] + moved)
    np.testing.assert_array_equal(document.dataset.points[:3], square.points[:3])
    assert document.undo_label == "move 1 point"
    document.undo()
    assert document.dataset == square


def test_each_event_of_the_drag_edits_the_document(user, canvas, document, square):
    changes = []
    document.changed.connect(changes.append)
    canvas.set_tool("move")
    user.press(2.0, 2.0)
    for number, place in enumerate([(1.5, 1.5), (1.0, 1.0)], 1):
        user.move(*place, LEFT)
        assert len(changes) == number
    user.release(1.0, 1.0)


def test_one_point_of_the_selection_takes_the_others_with_it(user, canvas, document, square):
    canvas.selection.set(np.array([True, True, False, False]))
    canvas.set_tool("move")
    user.drag((-2.0, 2.0), (-1.0, 2.0))
    np.testing.assert_allclose(document.dataset.x, [-1, -1, 2, 2], atol=0.02)
    assert document.undo_label == "move 2 points"


def test_empty_ground_cannot_be_dragged(user, canvas, document, square):
    canvas.set_tool("move")
    user.drag((0.0, 0.0), (1.0, 1.0))
    assert document.dataset is square


def test_a_point_cannot_be_dragged_out_of_sight(user, canvas, document, square):
    canvas.set_tool("move")
    user.drag((2.0, 2.0), (8.0, 8.0))
    np.testing.assert_allclose(document.dataset.points[3], [3.0, 3.0], atol=0.02)


def test_escape_puts_the_point_back(user, canvas, document, square):
    canvas.set_tool("move")
    user.press(2.0, 2.0)
    user.move(0.0, 0.0, LEFT)
    user.key(Qt.Key.Key_Escape)
    user.release(0.0, 0.0)
    assert document.dataset == square
    assert document.undo_label is None


def test_an_undo_in_the_middle_of_a_drag_does_no_harm(user, canvas, document):
    user.click(1.0, 1.0)
    canvas.set_tool("move")
    user.press(1.0, 1.0)
    user.move(0.5, 0.5, LEFT)
    document.undo()
    document.undo()
    user.move(0.0, 0.0, LEFT)
    user.release(0.0, 0.0)
    assert not len(document.dataset)


def test_the_point_that_would_be_taken_is_ringed(user, canvas, square):
    canvas.set_tool("move")
    user.move(1.9, 2.0)
    np.testing.assert_array_equal(canvas.active.preview(canvas.pointer.at).affected, [[2.0, 2.0]])
    assert canvas.cursor().shape() == Qt.CursorShape.OpenHandCursor
    user.move(0.0, 0.0)
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
