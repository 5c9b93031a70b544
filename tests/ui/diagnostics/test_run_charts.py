"""The loss of a run as a chart, its note, and the position of the current parameters on a chart."""

from dataclasses import replace

import numpy as np
import pytest

from tests.paint.charts.fakes import grid, path, single
from vizml.learn import CLASSIFY, CLUSTER, REGRESS, create
from vizml.run.frame import Frame, ShownState
from vizml.run.request import RenderRequest
from vizml.scene import Axis, Chart, HeatMap
from vizml.scene.viewport import Viewport
from vizml.ui.diagnostics.run_charts import (
    LOG_RATIO,
    loss_chart,
    parameter_cell,
    parameter_position,
    score_note,
)


def frame(losses, steps=None, shown=None):
    losses = np.array(losses, float)
    steps = np.arange(1, len(losses) + 1) if steps is None else np.array(steps)
    view = RenderRequest(Viewport((-1, 1, -1, 1), 10, 10))
    return Frame(1, view, shown=shown, count=len(losses), losses=losses, steps=steps)


def test_losses_stand_at_their_steps_without_those_that_are_not_known():
    chart = loss_chart(frame([4.0, np.nan, 2.0, np.inf, 1.0], [1, 2, 4, 8, 16]), CLASSIFY)
    (series,) = chart.series
    assert series.x.tolist() == [1, 4, 16]
    assert series.y.tolist() == [4, 2, 1]
    assert chart.cursor == "step"


@pytest.mark.parametrize("losses", [[], [1.0], [np.nan, 1.0, np.nan], [np.nan] * 5])
def test_fewer_than_two_losses_are_no_curve(losses):
    assert loss_chart(frame(losses), CLASSIFY) is None


@pytest.mark.parametrize(
    "losses,log",
    [
        ((1.0, LOG_RATIO * 1.01), True), ((1.0, LOG_RATIO), False), ((0.0, 1e6), False), ((-1.0, 1e6), False),
        ((1e-12, 1e-9), True), ((1e12, 1e12), False),
    ],
)  # fmt: skip
def test_a_logarithm_where_the_range_is_wide_and_nothing_is_lost_by_it(losses, log):
    chart = loss_chart(frame(losses), CLASSIFY)
    assert chart.y.log is log
    assert not chart.x.log


@pytest.mark.parametrize(
    "task,train,held,words",
    [
        (CLASSIFY, 0.91666, 0.5, "Accuracy: train 91.7 %, held out 50.0 %"),
        (CLASSIFY, None, 0.0, "Accuracy: held out 0.0 %"),
        (REGRESS, -0.25, None, "R²: train −0.250"),
        (CLUSTER, None, None, ""),
    ],
)
def test_the_note_tells_the_scores_there_are(task, train, held, words):
    moment = ShownState(0, None, train, held)
    assert score_note(moment, task) == words
    assert loss_chart(frame([2.0, 1.0], shown=moment), task).note == words


def model(**values):
    return create("svm", **values)


@pytest.mark.parametrize(
    "C, gamma, cell",
    [
        (10.0, 1.0, (1, 1)), (1.0, 0.01, (0, 0)), (100.0, 0.01, (0, 2)),
        (3.0, 0.05, (0, 0)), (3.5, 0.2, (1, 1)),  # by their logarithms: 3.16 is in the middle of 1 and 10
        (300.0, 1.0, (1, 2)), (400.0, 1.0, None), (0.3, 1.0, None), (10.0, 50.0, None),
    ],
)  # fmt: skip
def test_the_nearest_cell_is_that_of_what_is_set(C, gamma, cell):
    assert parameter_cell(grid(), model(C=C, gamma=gamma)) == cell


def test_a_word_for_a_number_is_in_no_cell_and_a_choice_in_its_own():
    assert parameter_cell(grid(), model(C=10.0, gamma="scale")) is None
    heat = HeatMap(values=np.zeros((3, 2)), rows=("l1", "l2", "linf"), columns=("1", "9"))
    axis = Axis(title="")
    names = ("k", "metric")
    chart = Chart(
        title="", x=axis, y=axis, heat=heat, sets=names, choices=((1, 9), ("l1", "l2", "linf"))
    )  # fmt: skip
    assert parameter_cell(chart, create("knn", k=9, metric="linf")) == (2, 1)
    assert parameter_cell(chart, create("knn", k=2, metric="l1")) == (0, 0)
    assert parameter_cell(chart, model()) is None  # it has no k


def test_along_x_it_is_the_value_itself_or_the_place_of_its_tick():
    assert parameter_position(path(), create("tree", alpha=0.2)) == 0.2
    ticks = Axis(title="kernel", ticks={0.0: "linear", 1.0: "rbf"})
    named = replace(path(), x=ticks, sets=("kernel",), choices=(("linear", "rbf"),))
    assert parameter_position(named, model(kernel="rbf")) == 1.0
    assert parameter_position(replace(path(), sets=("gamma",)), model()) is None
    assert parameter_position(single(), model()) is None
