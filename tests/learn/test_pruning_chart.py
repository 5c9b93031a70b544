"""The chart of the pruning path against trees pruned at each of its alphas."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import data, learn

DATA = {"moons": moons(150, noise=0.35), "three blobs": blobs(120)}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("tree", **values), X, y)


@every_data
def test_each_point_is_the_tree_pruned_there(X, y):
    (chart,) = fit(X, y, prune="alpha", alpha=0.0).charts()
    (training,) = chart.series
    assert (np.diff(training.x) >= 0).all()
    for leaves, error, alpha in zip(training.x, training.y, chart.handle.values, strict=True):
        pruned = fit(X, y, prune="alpha", alpha=float(min(alpha + 1e-12, 1.0)))
        if len(pruned.leaves) == leaves:
            assert (pruned.predict(X) != y).mean() == pytest.approx(error)


@every_data
def test_the_handle_stands_where_the_tree_is(X, y):
    state = fit(X, y, prune="alpha", alpha=0.01)
    chart = state.charts()[0]
    assert chart.series[0].x[chart.handle.at] == len(state.leaves)
    assert chart.series[0].y[chart.handle.at] == pytest.approx((state.predict(X) != y).mean())
    assert chart.handle.sets == "alpha"


@every_data
def test_cross_validation_is_shown_and_its_choice_offered(X, y):
    run = list(learn.steps(learn.create("tree", prune="cv"), X, y))
    chart = run[-1].charts()[0]
    assert [series.name for series in chart.series] == ["training", "cross-validated"]
    assert chart.offers[0].values["prune"] == "alpha"
    again = fit(X, y, **chart.offers[0].values)
    assert len(again.leaves) == len(run[-1].leaves)


def test_an_unpruned_tree_shows_what_pruning_would_do():
    X, y = DATA["moons"]
    state = fit(X, y)
    assert state.charts()[0].offers[0].values["alpha"] > 0
    assert fit([[0.0, 0.0], [0.0, 0.0]], [0, 1]).charts() == ()


def test_a_regression_tree_has_the_same_chart_of_mean_squares():
    points = data.generate("hetero", n=80, seed=0)
    state = learn.fit(learn.create("tree", task="regress", prune="alpha", alpha=0.05), points.x, points.y)
    chart = state.charts()[0]
    assert chart.series[0].y[chart.handle.at] == pytest.approx(state.loss)
