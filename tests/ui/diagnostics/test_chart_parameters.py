"""Position of the current parameters on a chart."""

from dataclasses import replace

import numpy as np
import pytest

from tests.paint.charts.fakes import grid, path, single
from vizml.learn import create
from vizml.scene import Axis, Chart, HeatMap
from vizml.ui.diagnostics.controls import parameter_cell, parameter_position


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
def test_the_marked_cell_is_nearest_to_the_parameters(C, gamma, cell):
    assert parameter_cell(grid(), model(C=C, gamma=gamma)) == cell


def test_a_named_value_has_no_cell_and_a_choice_its_own():
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


def test_the_position_on_the_x_axis_is_the_value_or_its_tick():
    assert parameter_position(path(), create("tree", alpha=0.2)) == 0.2
    ticks = Axis(title="kernel", ticks={0.0: "linear", 1.0: "rbf"})
    named = replace(path(), x=ticks, sets=("kernel",), choices=(("linear", "rbf"),))
    assert parameter_position(named, model(kernel="rbf")) == 1.0
    assert parameter_position(replace(path(), sets=("gamma",)), model()) is None
    assert parameter_position(single(), model()) is None


def test_no_limit_has_no_position():
    depths = replace(path(), sets=("max_depth",), choices=((1, 26, 50),))
    assert parameter_position(depths, create("tree", max_depth=26)) == 26
    assert parameter_position(depths, create("tree")) is None
    heat = HeatMap(values=np.zeros((2, 2)), rows=("1", "50"), columns=("1", "9"))
    cells = replace(depths, heat=heat, sets=("max_depth", "min_leaf"), choices=((1, 50), (1, 9)))
    assert parameter_cell(cells, create("tree", max_depth=1, min_leaf=9)) == (1, 0)
    assert parameter_cell(cells, create("tree")) is None
