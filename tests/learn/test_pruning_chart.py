"""The chart of the pruning path against trees pruned at each of its alphas."""

from dataclasses import replace

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import data, learn
from vizml.data import Dataset
from vizml.learn import CLASSIFY, REGRESS
from vizml.learn.trees.pruning import random_folds
from vizml.learn.trees.structure import descend

DATA = {"moons": moons(150, noise=0.35), "three blobs": blobs(120)}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("tree", **values), X, y)


@every_data
def test_each_point_is_the_tree_pruned_there(X, y):
    (chart,) = fit(X, y, prune="alpha", alpha=0.0).charts()
    training, validated = chart.series
    assert validated.name == "cross-validated"
    assert (np.diff(training.x) >= 0).all()
    for leaves, error, alpha in zip(training.x, training.y, chart.handle.values, strict=True):
        pruned = fit(X, y, prune="alpha", alpha=float(min(alpha + 1e-12, 1.0)))
        if len(pruned.leaves) == leaves:
            assert (pruned.predict(X) != y).mean() == pytest.approx(error)


@every_data
def test_the_handle_of_the_chart_is_at_the_shown_tree(X, y):
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


def test_an_unpruned_tree_shows_the_pruning_path():
    X, y = DATA["moons"]
    state = fit(X, y)
    assert state.charts()[0].offers[0].values["alpha"] > 0
    assert fit([[0.0, 0.0], [0.0, 0.0]], [0, 1]).charts() == ()


def test_a_regression_tree_has_the_same_chart_of_mean_squares():
    points = data.generate("hetero", n=80, seed=0)
    state = learn.fit(learn.create("tree", task="regress", prune="alpha", alpha=0.05), points.x, points.y)
    chart = state.charts()[0]
    assert chart.series[0].y[chart.handle.at] == pytest.approx(state.loss)


@every_data
@pytest.mark.parametrize("prune", ["none", "alpha", "cv"])
def test_held_out_errors_are_those_of_the_tree_pruned_there(X, y, prune):
    seen = np.arange(len(X)) % 3 > 0
    held = Dataset(X[~seen], np.where(np.arange((~seen).sum()) % 7 == 0, -1, y[~seen]))
    state = fit(X[seen], y[seen], prune=prune, **({"alpha": 0.0} if prune == "alpha" else {}))
    (chart,) = state.charts_on(CLASSIFY.training_data(held))
    unseen = {series.name: series for series in chart.series}["held-out"]
    path, known = state.grown.chart_path, held.labels >= 0
    assert len(unseen.x) == len(path.node) + 1
    for number, leaves, error in zip(range(len(unseen.x)), unseen.x[::-1], unseen.y[::-1], strict=True):
        cut = replace(state, shown=len(state.grown.order), collapsed=number)
        if prune == "none":
            splits = (state.tree.feature >= 0) & (path.cut >= number)
            ends = descend(state.tree, held.points, splits)
            said = state.classes[state.tree.sums[ends].argmax(axis=1)]
        else:
            assert leaves == len(cut.leaves)
            said = cut.predict(held.points)
        assert error == pytest.approx((said != held.labels)[known].mean())


def test_without_held_out_points_there_is_no_such_curve():
    X, y = DATA["moons"]
    state = fit(X, y)
    for held in (Dataset.empty(), Dataset(X[:3], [-1, -1, -1])):
        assert [series.name for series in state.charts_on(CLASSIFY.training_data(held))[0].series] == [
            "training",
            "cross-validated",
        ]


def test_held_out_squares_of_a_regression_tree():
    seen, held = data.generate("hetero", n=80, seed=0), data.generate("hetero", n=60, seed=1)
    model = learn.create("tree", task="regress", prune="alpha", alpha=0.02)
    state = learn.fit_data(model, seen.unlabelled())
    (chart,) = state.charts_on(REGRESS.training_data(held))
    unseen = {series.name: series for series in chart.series}["held-out"]
    now = unseen.y[chart.handle.at]
    assert now == pytest.approx(((held.y - state.predict(held.x)) ** 2).mean())
    assert unseen.y[-1] > unseen.y.min(), "the whole tree is not the best one"


def test_cross_validated_errors_are_those_of_trees_that_did_not_see():
    X, y = DATA["moons"]
    state = fit(X, y, prune="cv")
    validation = state.grown.validation
    fold = random_folds(len(X), 5, np.random.default_rng(0))
    for alpha, error in list(zip(validation.alphas, validation.errors, strict=True))[::6]:
        wrong = sum(
            (
                fit(X[fold != k], y[fold != k], prune="alpha", alpha=float(alpha)).predict(X[fold == k])
                != y[fold == k]
            ).sum()
            for k in range(5)
        )
        assert error == pytest.approx(wrong / len(X))


def test_the_same_folds_are_tried_whether_or_not_they_choose():
    X, y = DATA["three blobs"]
    chosen = fit(X, y, prune="cv").grown.validation
    by_hand = fit(X, y, prune="alpha", alpha=0.01)
    by_hand.charts()
    assert np.array_equal(by_hand.grown.validation.errors, chosen.errors)
