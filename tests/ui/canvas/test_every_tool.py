"""What holds for each tool, whichever it is."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from vizml.data import Dataset, generate
from vizml.learn import create
from vizml.workspace import Work

LEFT = Qt.MouseButton.LeftButton
TOOLS = ["point", "brush", "move", "erase", "select", "pan"]
EDITING = ["brush", "move", "erase"]
MOONS = generate("moons", n=60, seed=0)


@pytest.fixture(params=TOOLS)
def tool(request, canvas):
    canvas.set_tool(request.param)
    return canvas.active


def open_points(document, points):
    document.open(Work(Dataset(points, np.zeros(len(points), dtype=int)), document.work.experiments))


def test_it_works_on_an_empty_plane(user, canvas, tool):
    user.move(0.0, 0.0)
    canvas.grab()
    user.drag((0.0, 0.0), (0.5, 0.5), (1.0, -1.0))
    canvas.grab()
    assert not tool.busy


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_it_works_at_any_scale(user, canvas, document, tool, size):
    open_points(document, MOONS.points * size)
    x, y = document.dataset.points[7]
    user.move(x, y)
    canvas.grab()
    user.drag((x, y), (x + 0.5 * size, y), (x + 0.5 * size, y - 0.3 * size))
    assert np.isfinite(document.dataset.points).all()
    assert np.abs(document.dataset.points).max() < 10 * size


def test_hovering_changes_nothing(user, canvas, document, square, tool):
    for x in np.linspace(-2.5, 2.5, 20):
        user.move(x, 2.0)
        canvas.grab()
    assert document.dataset is square
    assert document.undo_label is None


def test_leaving_and_coming_back_does_not_end_a_stroke(user, canvas, document, square, tool):
    user.press(2.0, 2.0)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    user.move(-2.0, -2.0, LEFT)
    assert canvas.pointer.stroke is tool
    user.release(-2.0, -2.0)
    assert canvas.pointer.stroke is None


def test_hiding_the_canvas_ends_a_stroke(user, canvas, square, tool):
    user.press(2.0, 2.0)
    canvas.hide()
    assert canvas.pointer.stroke is None
    assert not tool.busy


def test_a_second_button_during_a_stroke_means_nothing(user, canvas, document, square, tool):
    user.press(0.0, 0.0)
    before = document.dataset
    user.click(2.0, 2.0, Qt.MouseButton.RightButton)
    assert document.dataset is before
    assert canvas.pointer.stroke is tool
    user.release(0.0, 0.0)


def test_the_document_may_change_under_a_stroke(user, canvas, document, square, tool):
    user.press(2.0, 2.0)
    document.set_dataset("generate moons", MOONS)
    user.move(1.0, 1.0, LEFT)
    canvas.grab()
    user.release(1.0, 1.0)
    assert not tool.busy


@pytest.mark.parametrize("name", EDITING)
def test_what_comes_after_a_stroke_is_an_entry_of_its_own(user, canvas, document, square, name):
    canvas.set_tool(name)
    user.drag((2.0, 2.0), (1.0, 1.0))
    user.drag((-2.0, -2.0), (-1.0, -1.0))
    document.undo()
    assert document.undo_label is not None
    document.undo()
    assert document.dataset == square
    assert document.undo_label is None


@pytest.mark.parametrize("task", ["regress", "cluster"])
def test_it_has_a_ghost_in_every_task(user, canvas, document, square, tool, task):
    document.set_model(create({"regress": "linear", "cluster": "kmeans"}[task], task))
    user.move(2.0, 2.0)
    bare = canvas.grab().toImage()
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert (canvas.grab().toImage() != bare) == (tool.name != "pan")
