"""Keys that hold inputs at the values of a point or at their medians."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from vizml.data import Column, Dataset
from vizml.learn import create
from vizml.workspace import Experiment, Work

POINTS = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [3.0, 2.0]])
DEPTH = [3.0, 4.0, 9.0, 5.0]


def test_inputs_are_held_at_the_point_under_the_pointer(start, qtbot):
    table = Dataset(
        POINTS, [0, 1, 0, 1], chosen_inputs=("x", "y", "depth"), others=(Column("depth", DEPTH),)
    )  # fmt: skip
    window = start(Work(table, (Experiment(create("lda")),)))
    canvas, document = window.canvas, window.document
    qtbot.waitUntil(lambda: window.stage.settled)
    before = window.stage.frame
    canvas.pointer.hover(*canvas.plot_geometry.to_pixels(POINTS[2:3])[0])
    QTest.keyClick(canvas, Qt.Key.Key_V)
    assert document.work.held == {"depth": 9.0}
    qtbot.waitUntil(lambda: window.stage.frame.request.section.origin.tolist() == [0.0, 0.0, 9.0])
    assert window.stage.frame.shown.state is before.shown.state  # not trained again
    QTest.keyClick(canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ShiftModifier)
    assert document.work.held == {}


def test_without_a_point_a_message_says_what_to_do(window):
    window.commands["hold"].trigger()
    assert "All inputs are shown" in window.messages.text_label.text()
    assert window.document.work.held == {}
