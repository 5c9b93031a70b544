"""One input on the canvas: points in strips, clicks, drags and the threshold."""

import numpy as np
import pytest

from tests.ui.canvas.conftest import LEFT
from vizml import learn
from vizml.data import Dataset
from vizml.learn import create
from vizml.run.compose import compose
from vizml.run.request import Frame, RenderRequest, ShownState
from vizml.scene.viewport import Scales
from vizml.workspace import Experiment, Work

X = np.concatenate([np.linspace(-3.0, 1.0, 20), np.linspace(-1.0, 3.0, 20)])
ROWS = Dataset(np.column_stack([X, X**2]), np.repeat([0, 1], 20), ("no", "yes"), chosen_inputs=("x",))


@pytest.fixture
def shown(document, canvas):
    """A logistic regression on one input."""
    document.open(Work(ROWS, (Experiment(create("logistic")),)))
    state = learn.fit_data(create("logistic"), ROWS)
    request = RenderRequest(canvas.plot_geometry.viewport(), canvas.look)
    canvas.set_frame(Frame(1, request, compose(ROWS, state, request), ShownState(0, state), count=1))
    return canvas


def test_all_rows_and_the_heights_0_and_1_are_visible(shown):
    left, right, bottom, top = shown.bounds
    assert left < -3
    assert right > 3
    assert -0.3 < bottom < -0.03
    assert 1.03 < top < 1.3
    assert shown.figure.axes == ("x", "probability of yes")


def test_a_line_view_has_neither_equal_scales_nor_a_logarithmic_vertical_axis(shown, document):
    document.set_equal(True)
    document.set_log(1, True)
    assert document.work.scales == Scales(equal=False)


@pytest.mark.parametrize("label", [0, 1])
def test_a_click_adds_a_row_of_the_current_class_at_x(shown, user, document, label):
    shown.set_label(label)
    user.click(0.5, 0.7)
    assert len(document.dataset) == 41
    assert document.dataset.x[-1] == pytest.approx(user.data(0.5, 0.7)[0])
    assert document.dataset.y[-1] == np.median(ROWS.y)
    assert document.placed.y[-1] == pytest.approx(label, abs=0.03)
    document.undo()
    assert document.dataset == ROWS


def test_a_drag_moves_a_row_along_x_only(shown, user, document):
    shown.set_tool("move")
    x, y = document.placed.points[0]
    user.drag((x, y), (x + 0.5, 0.3), (x + 1.0, 0.3))
    assert document.dataset.x[0] == pytest.approx(x + 1.0, abs=0.02)
    assert document.dataset.y[0] == ROWS.y[0]
    assert document.placed.y[0] == y
    document.undo()
    assert document.dataset == ROWS


def test_a_right_click_removes_the_row_below_it(shown, user, document):
    user.click(*document.placed.points[7], button=LEFT.RightButton)
    assert len(document.dataset) == 39


def test_a_drag_of_the_threshold_gives_its_probability(shown, user, document):
    heard = []
    shown.threshold_dragged.connect(heard.append)
    user.drag((-2.0, 0.5), (-2.0, 0.6), (-2.0, 0.8))
    assert 1 / (1 + np.exp(-heard[-1])) == pytest.approx(0.8, abs=0.005)
    assert document.dataset is ROWS, "the threshold is no part of the document"
    user.click(-2.0, 0.5)
    assert len(document.dataset) == 41, "a click on the line adds a row"


def test_another_task_shows_all_rows_in_its_own_coordinates(shown, document):
    document.set_model(create("linear", "regress"))
    assert shown.bounds[3] > 9
    assert document.placed is ROWS
    document.set_model(create("kde"))
    assert shown.bounds[3] < 1.3
    assert document.placed.y.max() < 0
