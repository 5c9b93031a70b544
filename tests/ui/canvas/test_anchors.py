"""Anchors such as centroids, dragged with the point tool and the move tool from any step of a run."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.ui.canvas.conftest import User
from vizml import learn
from vizml.data import Dataset
from vizml.learn import CLUSTER, DENSITY, create
from vizml.learn.clusters.kmeans_solver import parse_positions
from vizml.run.request import Frame, RenderRequest, ShownState
from vizml.ui.canvas import Canvas
from vizml.ui.canvas.tools.anchors import anchor_at
from vizml.workspace import Experiment, Work

LEFT = Qt.MouseButton.LeftButton
X = np.random.default_rng(0).normal(size=(60, 2)) * 0.3 + np.repeat(
    [[-2.0, -1.5], [2.0, -1.5], [0.0, 2.0]], 20, 0
)
TOOLS = ["point", "move"]


@pytest.fixture(params=TOOLS)
def tool(request, canvas):
    canvas.set_tool(request.param)
    return canvas.active


def display(canvas, state):
    """Show a frame of a state."""
    request = RenderRequest(canvas.plot_geometry.viewport())
    canvas.set_frame(Frame(1, request, shown=ShownState(0, state), count=1))


@pytest.fixture
def run(document, canvas):
    """Opens a model on three blobs with a step of its run on the canvas; gives that step's state."""

    def show(model, step=-1):
        document.open(Work(Dataset(X, np.full(len(X), -1)), (Experiment(model),)))
        canvas.set_bounds((-4.0, 4.0, -4.0, 4.0))
        states = list(learn.steps(model, X))
        state = states[step]
        display(canvas, state)
        return state

    return show


def starts(document):
    return parse_positions(document.experiment().model.starts)


@pytest.mark.parametrize("step", [0, 1, -1])
def test_a_drag_puts_the_centroid_there_and_the_others_stay_where_they_were_at_that_step(
    user, document, run, tool, step
):
    state = run(create("kmeans", init="random"), step)
    user.drag(state.centroids[1], (0.5, 0.5), (1.0, 0.2), (1.5, 0.0))
    model = document.experiment().model
    assert (model.id, model.init) == ("kmeans", "placed")
    assert np.allclose(starts(document)[[0, 2]], state.centroids[[0, 2]], rtol=1e-12)
    assert np.allclose(starts(document)[1], user.data(1.5, 0.0))
    assert len(document.dataset) == len(X)


def test_a_drag_is_one_entry_with_the_name_of_the_centroid(user, document, run, tool):
    state = run(create("kmeans"))
    before = document.work
    user.drag(state.centroids[2], (0.5, 0.5), (1.0, 0.2), (1.5, 0.0))
    assert document.undo_label == "move centroid 3"
    document.undo()
    assert document.work is before
    assert document.undo_label is None


def test_each_event_of_the_drag_changes_the_model_so_that_training_follows(user, document, run, tool):
    state = run(create("kmeans"))
    user.press(*state.centroids[0])
    changes = []
    document.changed.connect(changes.append)
    for number, place in enumerate([(0.0, 0.0), (0.3, 0.1), (0.6, 0.2)], 1):
        user.move(*place, LEFT)
        assert len(changes) == number
        assert np.allclose(starts(document)[0], user.data(*place))
    user.release(0.6, 0.2)


def test_frames_during_a_drag_do_not_move_the_other_centroids(user, canvas, document, run, tool):
    state = run(create("kmeans"), 0)
    user.press(*state.centroids[0])
    user.move(0.0, 0.0, LEFT)
    later = list(learn.steps(document.experiment().model, X))[-1]
    display(canvas, later)
    user.move(0.3, 0.1, LEFT)
    user.release(0.3, 0.1)
    assert np.allclose(starts(document)[1:], state.centroids[1:], rtol=1e-12)


def test_escape_undoes_the_drag(user, document, run, tool):
    model = create("kmeans")
    state = run(model)
    user.press(*state.centroids[0])
    user.move(0.0, 0.0, LEFT)
    user.key(Qt.Key.Key_Escape)
    assert document.experiment().model == model
    assert document.undo_label is None
    user.move(0.5, 0.5, LEFT)
    user.release(0.5, 0.5)
    assert document.experiment().model == model


def test_a_click_on_a_centroid_with_the_point_tool_still_adds_a_point(user, canvas, document, run):
    state = run(create("kmeans"))
    x, y = state.centroids[1]
    user.press(x, y)
    assert len(document.dataset) == len(X)
    user.release(x, y)
    assert np.allclose(document.dataset.points[-1], user.data(x, y))
    assert document.experiment().model.init == "kmeans++"


def test_the_preview_has_the_position_and_name_of_the_centroid(user, canvas, run, tool):
    state = run(create("kmeans"))
    x, y = state.centroids[1]
    user.move(x, y)
    at = canvas.pointer.at
    assert anchor_at(canvas, at).name == "centroid 2"
    assert np.allclose(tool.preview(at).affected, [[x, y]])
    assert not len(tool.preview(at).added)
    (words,) = tool.preview(at).marks
    assert words.texts == ("centroid 2",)
    assert canvas.cursor().shape() == Qt.CursorShape.OpenHandCursor
    user.move(3.5, 3.5)
    assert tool.preview(canvas.pointer.at).marks == ()
    assert canvas.cursor().shape() != Qt.CursorShape.OpenHandCursor


def test_the_probe_is_hidden_over_a_centroid(user, canvas, run, monkeypatch, qtbot):
    state = run(create("kmeans"))
    asked = []
    monkeypatch.setattr(type(canvas.view), "probe", lambda _, point: asked.append(point) or ())
    user.move(*state.centroids[1])
    canvas.grab()
    assert not asked
    user.move(3.5, 3.5)
    canvas.grab()
    qtbot.waitUntil(lambda: len(asked) == 1)


def test_a_dragged_centroid_is_drawn_at_the_pointer_in_its_colour(user, canvas, run, tool, grabbed):
    state = run(create("kmeans"))
    before = grabbed(0.5, 0.0)
    user.press(*state.centroids[1])
    user.move(0.5, 0.0, LEFT)
    dots, words = tool.preview(canvas.pointer.at).marks
    assert (dots.inks, words.texts) == ((1,), ("centroid 2",))
    assert np.allclose(dots.points, [user.data(0.5, 0.0)])
    assert canvas.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    assert grabbed(0.5, 0.0) != before
    user.release(0.5, 0.0)
    assert canvas.cursor().shape() != Qt.CursorShape.ClosedHandCursor


@pytest.mark.parametrize("task", [CLUSTER, DENSITY])
def test_the_means_of_a_mixture_can_be_dragged(user, document, run, tool, task):
    state = run(create("gmm", task), 2)
    means = np.array([anchor.at for anchor in state.on().anchors()])
    user.drag(means[2], (0.5, 0.5), (0.0, 0.0))
    assert document.undo_label == "move mean 3"
    assert np.allclose(starts(document)[:2], means[:2], rtol=1e-12)
    assert np.allclose(starts(document)[2], user.data(0.0, 0.0))


@pytest.mark.parametrize("name", ["brush", "erase", "select", "pan"])
def test_other_tools_do_not_drag_centroids(user, canvas, document, run, name):
    model = create("kmeans")
    state = run(model)
    canvas.set_tool(name)
    user.drag(state.centroids[1], (0.5, 0.5))
    assert document.experiment().model == model


def test_a_frame_of_the_former_model_has_no_anchors(user, canvas, document, run, tool):
    state = run(create("kmeans"))
    document.set_model(create("dbscan"))
    user.move(*state.centroids[1])
    assert anchor_at(canvas, canvas.pointer.at) is None
    user.drag(state.centroids[1], (0.5, 0.5))
    assert document.experiment().model == create("dbscan")


def test_a_model_chosen_during_a_drag_is_kept(user, document, run, tool):
    state = run(create("kmeans"))
    user.press(*state.centroids[1])
    user.move(0.5, 0.5, LEFT)
    document.set_model(create("dbscan"))
    user.move(0.7, 0.5, LEFT)
    user.release(0.7, 0.5)
    assert document.experiment().model == create("dbscan")


def test_an_empty_canvas_has_no_anchors(user, canvas, document, run, tool):
    state = run(create("kmeans"))
    document.erase(np.ones(len(X), dtype=bool))
    user.move(*state.centroids[1])
    assert canvas.view is None
    assert anchor_at(canvas, canvas.pointer.at) is None


def test_a_drag_changes_the_model_of_its_own_stage(put, document, run):
    state = run(create("kmeans"))
    document.add_experiment(Experiment(create("kmeans", k=3)))
    before = document.experiment(0).model
    canvas = put(Canvas(document, 1), 640, 480, closing=Canvas.close_down)
    canvas.set_bounds((-4.0, 4.0, -4.0, 4.0))
    display(canvas, state)
    User(canvas).drag(state.centroids[0], (0.5, 0.5), (0.0, 0.0))
    assert document.experiment(0).model == before
    assert document.experiment(1).model.init == "placed"


@pytest.mark.parametrize("part", ["anchors", "moved"])
@pytest.mark.usefixtures("logged_errors")
def test_a_view_that_fails_has_no_anchors(user, canvas, document, run, tool, monkeypatch, part):
    state = run(create("kmeans"))

    def broken(*facts):
        raise ArithmeticError(facts)

    monkeypatch.setattr(type(canvas.view), part, broken)
    before = document.experiment().model
    user.drag(state.centroids[0], (0.5, 0.5), (0.0, 0.0))
    canvas.grab()
    assert document.experiment().model == before
