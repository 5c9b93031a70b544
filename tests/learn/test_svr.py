"""Support vector regression against scikit-learn (LIBSVM) and the conditions of its optimum."""

import re
from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics.pairwise import laplacian_kernel
from sklearn.svm import SVR

from vizml import data, learn
from vizml.data import Dataset

AGREEMENT = 1e-2  # of predictions, relative to the range of y
EXACT = 2e-4  # the same where both run to a tolerance of 1e-6

DATA = {
    "sine": data.generate("sine", n=120, seed=1), "hetero": data.generate("hetero", n=80, seed=2),
    "step": data.generate("step", n=200, seed=3), "nine points": data.generate("sine", n=9, seed=4),
}  # fmt: skip
every_data = pytest.mark.parametrize("points", DATA.values(), ids=DATA)
KERNELS = {"linear": {}, "poly": {"coef0": 1.0, "degree": 3}, "rbf": {}}


def run(points, **values):
    return list(learn.run(learn.create("svr", **values), points))


def fit(points, **values):
    return run(points, **values)[-1]


def apart(state, theirs, points):
    x = np.linspace(points.x.min() - 0.5, points.x.max() + 0.5, 400)
    return np.abs(state.predict(x) - theirs.predict(x[:, None])).max() / np.ptp(points.y)


@every_data
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("C, epsilon", [(1.0, 0.1), (20.0, 0.3), (0.1, 0.0)])
def test_the_curve_is_that_of_libsvm(points, kernel, C, epsilon):
    settings = {"C": C, "epsilon": epsilon, "kernel": kernel, **KERNELS[kernel]}
    theirs = SVR(tol=1e-3, **settings).fit(points.x[:, None], points.y)
    assert apart(fit(points, **settings), theirs, points) < AGREEMENT


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_thousands_of_points_have_libsvms_curve(kernel):
    """Their kernel matrix is made column by column."""
    points = data.generate("sine", n=1500, seed=5)
    theirs = SVR(kernel=kernel).fit(points.x[:, None], points.y)
    assert apart(fit(points, kernel=kernel), theirs, points) < AGREEMENT


@every_data
@pytest.mark.parametrize("C, epsilon", [(1.0, 0.1), (100.0, 0.2)])
def test_to_a_tight_tolerance_it_is_the_same_curve(points, C, epsilon):
    theirs = SVR(tol=1e-6, C=C, epsilon=epsilon).fit(points.x[:, None], points.y)
    state = fit(points, C=C, epsilon=epsilon, tol=1e-6)
    assert apart(state, theirs, points) < EXACT
    weights = np.zeros(len(points))
    weights[theirs.support_] = theirs.dual_coef_[0]
    assert np.allclose(state.weights, weights, atol=1e-3 * C)


@every_data
def test_a_sigmoid_that_is_nearly_linear_has_one_minimum(points):
    settings = {"C": 0.1, "kernel": "sigmoid", "gamma": 0.1}
    theirs = SVR(**settings).fit(points.x[:, None], points.y)
    assert apart(fit(points, **settings), theirs, points) < AGREEMENT


@every_data
def test_the_laplace_kernel_too(points):
    theirs = SVR(kernel=lambda A, B: laplacian_kernel(A, B, gamma=0.7)).fit(points.x[:, None], points.y)
    assert apart(fit(points, kernel="laplace", gamma=0.7), theirs, points) < AGREEMENT


@every_data
@pytest.mark.parametrize("C", [0.5, 50.0])
def test_the_conditions_of_the_optimum_hold(points, C):
    state, epsilon, tol = fit(points, C=C, tol=1e-5), 0.1, 1e-4
    off = np.abs(state.residuals)
    assert abs(state.weights.sum()) < 1e-9 * C * len(points)
    assert (np.abs(state.weights) <= C).all()
    assert (off[state.weights == 0] <= epsilon + tol).all()
    assert (off[np.abs(state.weights) >= C] >= epsilon - tol).all()
    free = (state.weights != 0) & (np.abs(state.weights) < C)
    assert np.allclose(off[free], epsilon, atol=tol)
    assert (np.sign(state.weights) * state.residuals)[state.weights != 0].min() > 0


@every_data
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_primal_and_dual_meet(points, kernel):
    metrics = fit(points, kernel=kernel, tol=1e-6).metrics()
    assert metrics["primal objective"] == pytest.approx(-metrics["dual objective"], rel=1e-3)


@every_data
def test_the_dual_falls_with_each_step(points):
    losses = [state.loss for state in run(points, C=10.0)]
    assert all(after <= before + 1e-9 for before, after in pairwise(losses))


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_a_high_price_ends_in_time(kernel):
    state = fit(DATA["step"], C=1e4, kernel=kernel, coef0=1.0)
    assert state.note.startswith("converged after")


def test_points_within_the_tube_need_no_support():
    state = fit(Dataset.curve(np.arange(6.0), 5 + 0.05 * np.sin(np.arange(6.0))))
    assert state.note.endswith("there are no support vectors")
    assert np.allclose(state.predict([0.0, 9.0]), 5.0, atol=0.05)


def test_a_polynomial_far_from_the_origin_says_so():
    x = 1e6 + np.linspace(0, 1, 8)
    with pytest.raises(learn.CannotLearn, match="too far from 0"):
        fit(Dataset.curve(x, np.sin(6 * x)), kernel="poly")
    assert np.abs(fit(Dataset.curve(x, np.sin(6 * x)), kernel="linear").predict(x)).max() < 2


def test_a_line_is_written_as_one():
    x = np.linspace(0, 10, 30)
    assert fit(Dataset.curve(x, 3 - 2 * x), kernel="linear", C=100, epsilon=0).equation == "y = 3 − 2 x"
    assert fit(DATA["sine"]).equation == ""


def test_rings_and_slack_are_where_they_belong():
    state = fit(DATA["sine"], C=1.0)
    marks = {mark.layer: mark for mark in state.marks()}
    free = len(marks["Support vectors"].points)
    assert free + len(marks["Bounded support vectors"].points) == state.metrics()["support vectors"]
    ends = marks["Slack"].ends
    assert np.allclose(np.abs(ends[:, 1, 1] - state.predict(ends[:, 1, 0])), state.epsilon)


def test_the_pair_of_a_note_has_rings_and_numbers():
    points = DATA["sine"]
    first, *_, last = run(points)
    *_, label = first.marks()
    mentioned = re.search(r"pair \((\d+), (\d+)\)", first.note).groups()
    assert set(mentioned) == set(label.texts)
    np.testing.assert_allclose(label.points, points.points[[int(text) for text in label.texts]])
    assert not any(mark.layer == "Pair" for mark in last.marks())
