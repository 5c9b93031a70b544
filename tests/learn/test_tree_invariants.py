"""Invariances of trees and ensembles: order, units, monotone transformations, names of classes."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn import CLASSIFY, REGRESS

DATA = {"two classes": moons(60, noise=0.35), "three classes": blobs(60)}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)
SURE = {
    "tree": {}, "c45": {}, "id3": {}, "adaboost": {"rounds": 6, "max_depth": 2},
    "gradient_boosting": {"rounds": 5}, "xgboost": {"rounds": 5},
}  # fmt: skip
FORESTS = {"random_forest": {"trees": 6}, "extra_trees": {"trees": 6}, "bagging": {"members": 6}}
every_sure = pytest.mark.parametrize("name", SURE)
every = pytest.mark.parametrize("name", SURE | FORESTS)
CURVES = {
    "tree": {}, "gradient_boosting": {"rounds": 5}, "random_forest": {"trees": 6}, "bagging": {"members": 6},
}  # fmt: skip
every_curve = pytest.mark.parametrize("name", CURVES)


def fit(name, X, y):
    values = (SURE | FORESTS)[name]
    return learn.fit(learn.create(name, CLASSIFY, **values), X, y)


def fit_curve(name, x, y):
    return learn.fit(learn.create(name, REGRESS, **CURVES[name]), x, y)


def wave(n=50):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, n)
    return x, np.sin(x) + rng.normal(scale=0.2, size=n)


PROBES = np.random.default_rng(7).normal(scale=2, size=(80, 2))


@every
@every_data
def test_units_of_the_axes_do_not_matter(name, X, y):
    """Powers of two: every product and half-way sum is exact."""
    factor = np.array([2.0**10, 2.0**-7])
    here, there = fit(name, X, y), fit(name, X * factor, y)
    assert np.allclose(here.scores(PROBES), there.scores(PROBES * factor), atol=1e-9)


@every_sure
@every_data
def test_a_mirrored_plane_has_mirrored_answers(name, X, y):
    """Off the points: on a threshold a point would go to the other side, and ties be broken otherwise."""
    here, there = fit(name, X, y), fit(name, -X, y)
    assert (here.predict(PROBES) == there.predict(-PROBES)).mean() > 0.9


@pytest.mark.parametrize("name", ["tree", "c45", "gradient_boosting", "xgboost", "adaboost"])
@every_data
def test_monotone_transformations_keep_the_predictions_at_the_points(name, X, y):
    bent = np.column_stack([np.exp(X[:, 0] / 4), X[:, 1] ** 3])
    assert np.allclose(fit(name, X, y).scores(X), fit(name, bent, y).scores(bent), atol=1e-9)


@pytest.mark.parametrize("name", ["tree", "c45", "id3", "gradient_boosting", "adaboost"])
@every_data
def test_the_order_of_the_points_does_not_matter(name, X, y):
    order = np.random.default_rng(3).permutation(len(y))
    here, there = fit(name, X, y), fit(name, X[order], y[order])
    assert np.allclose(here.scores(PROBES), there.scores(PROBES), atol=1e-9)


@every
@every_data
def test_predictions_do_not_depend_on_the_codes_of_the_classes(name, X, y):
    here, there = fit(name, X, y), fit(name, X, np.array([1, 4, 6])[y])
    assert np.array_equal(here.scores(PROBES), there.scores(PROBES))
    assert np.array_equal(np.array([1, 4, 6])[here.predict(PROBES)], there.predict(PROBES))


@pytest.mark.parametrize("name", ["tree", "id3", "c45", "adaboost", "gradient_boosting"])
@every_data
def test_swapped_classes_have_swapped_scores(name, X, y):
    last = int(y.max())
    here, there = fit(name, X, y), fit(name, X, last - y)
    proba = [state.proba(X) if state.has_proba else state.scores(X) for state in (here, there)]
    assert np.allclose(proba[0], proba[1][:, ::-1], atol=1e-9)


@every_sure
def test_a_constant_axis_changes_nothing(name):
    X, y = moons(60, noise=0.35)
    line = np.column_stack([X[:, 0], np.zeros(60)])
    state = fit(name, line, y)
    assert np.array_equal(state.scores(PROBES), state.scores(PROBES * [1.0, -50.0]))


@pytest.mark.parametrize("name", ["tree", "adaboost", "gradient_boosting", "xgboost"])
def test_points_that_a_line_parts_are_learned_without_an_error(name):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (50, 2))
    y = (X[:, 0] > 0.1).astype(int)
    assert (fit(name, X, y).predict(X) == y).all()


@every
def test_far_outside_the_answer_is_that_of_the_edge(name):
    X, y = blobs(60)
    state = fit(name, X, y)
    low, high = X.min(axis=0) - 1, X.max(axis=0) + 1
    corners = np.array([low, high, [low[0], high[1]], [high[0], low[1]]])
    away = corners + 1e6 * np.sign(corners - (low + high) / 2)
    assert np.allclose(state.scores(corners), state.scores(away))


UNITS = [
    *((1.0, scale, 0.0, 1e-9 * scale) for scale in (2.0**-20, 0.25, 8.0, 2.0**20)),
    (1.0, 1.0, 1024.0, 1e-7), (4096.0, 1.0, 0.0, 1e-9),
]  # fmt: skip


@every_curve
@pytest.mark.parametrize("unit, scale, level, atol", UNITS)
def test_a_curve_follows_the_units_of_its_data(name, unit, scale, level, atol):
    x, y = wave()
    at = np.linspace(-1, 7, 60)
    here, there = (fit_curve(name, *data) for data in ((x, y), (unit * x, scale * y + level)))
    assert np.allclose(scale * here.predict(at) + level, there.predict(unit * at), rtol=1e-9, atol=atol)


@every_curve
def test_steps_stay_between_the_least_and_the_largest_y(name):
    x, y = wave()
    found = fit_curve(name, x, y).predict(np.linspace(-100, 100, 500))
    assert found.min() >= y.min() - 1e-9
    assert found.max() <= y.max() + 1e-9
    constant = fit_curve(name, x, np.full(len(x), 3.25)).predict(np.linspace(-10, 10, 30))
    assert np.allclose(constant, 3.25, atol=1e-12)
