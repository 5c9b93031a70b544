"""The eraser."""

import numpy as np
from PySide6.QtCore import Qt

from vizml.scene import LIGHT


def test_a_stroke_removes_what_it_meets_as_one_entry(user, canvas, document, square):
    canvas.set_tool("erase")
    user.drag((-2.0, 2.5), (-2.0, 0.0), (-2.0, -2.5))
    assert document.dataset.ids.tolist() == [2, 3]
    assert document.undo_label == "erase 2 points"
    document.undo()
    assert document.dataset == square
    assert document.undo_label is None


def test_no_point_is_skipped_by_a_quick_hand(user, canvas, document, square):
    canvas.set_tool("erase")
    user.drag((-2.9, 2.0), (2.9, 2.0))
    assert document.dataset.ids.tolist() == [0, 2]


def test_the_points_that_would_go_are_ringed(user, canvas, square, grabbed):
    canvas.set_tool("erase")
    user.move(2.05, 2.0)
    (disc,) = canvas.active.preview(canvas.pointer.at).marks
    np.testing.assert_array_equal(canvas.active.preview(canvas.pointer.at).affected, [[2.0, 2.0]])
    across, _ = canvas.plot_geometry.unit
    assert LIGHT.accent in [grabbed(2.0 + away * across, 2.0) for away in (8, 9, 10)]
    assert disc.radii.tolist() == [canvas.active.values["radius"]]


def test_escape_brings_back_what_the_stroke_removed(user, canvas, document, square):
    canvas.set_tool("erase")
    user.press(2.0, 2.0)
    user.key(Qt.Key.Key_Escape)
    assert document.dataset == square
