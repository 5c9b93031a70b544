"""Rows with missing values are neither drawn nor learned from, whatever the task."""

import numpy as np
import pytest

from vizml.data import Column, Dataset, Split
from vizml.learn import CannotLearn, create
from vizml.run.figures import FigureSource, state_charts
from vizml.run.request import RunRequest
from vizml.scene.viewport import Viewport

RNG = np.random.default_rng(0)
X = np.where(np.arange(40) % 13 == 3, np.nan, RNG.normal(size=40))
DATA = Dataset.of(
    [Column("a", X), Column("b", RNG.normal(size=40))],
    labels=(np.nan_to_num(X) > 0).astype(int), missing="drop",
)  # fmt: skip


@pytest.mark.parametrize("missing", ["drop", "median"])
@pytest.mark.parametrize(
    "task, model", [("classify", "svm"), ("cluster", "kmeans"), ("density", "kde"), ("regress", "linear")]
)
def test_a_figure_is_drawn_of_incomplete_rows(task, model, missing):
    request = RunRequest(DATA.with_roles(missing=missing), create(model, task), split=Split(0.2))
    state, _ = request.state()
    figure = FigureSource(request, request.scored(state)).figure(Viewport((-2, 2, -2, 2), 60, 40))
    assert figure.scene is not None
    train = request.split.parts(request.dataset)[0]
    expected = len(train) if missing == "median" else int((~np.isnan(train.x)).sum())
    assert len(state.space.X) == expected
    assert np.isfinite(state.space.X).all()


def test_charts_leave_out_held_rows_that_lost_a_value():
    state, _ = RunRequest(DATA, create("mlp", "classify", epochs=2)).state()
    held = DATA.take(slice(0, 8)).with_roles(missing="")
    titles = [chart.title for chart in state_charts(state)]
    assert titles
    assert [chart.title for chart in state_charts(state, held)] == titles


@pytest.mark.parametrize(
    "gap, reason",
    [
        ([np.nan] * 3, "^column 'gap' has no values: choose other inputs"),
        ([np.nan, 1.0, 2.0], "^each row has an empty cell: fill these with the median, or choose"),
    ],
)
def test_inputs_without_a_complete_row_are_the_reason(gap, reason):
    columns = Column("x", [1.0, np.nan, np.nan]), Column("y", [1.0, 2.0, 4.0]), Column("gap", gap)
    rows = Dataset.of(columns, ("x", "y"), chosen_inputs=("x", "gap"), labels=[0, 1, 1], missing="drop")
    with pytest.raises(CannotLearn, match=reason):
        RunRequest(rows, create("svm")).state()
