"""Logistic regression against scikit-learn, and each optimiser against Newton's method."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import PolynomialFeatures as Reference

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.iterative_training import validation_rows

COEFFICIENTS = 1e-4  # relative, as promised

DATA = {
    "two classes": moons(200), "three classes": blobs(150, centers=3), "five classes": blobs(150, centers=5),
    "imbalanced": make_blobs([120, 8], cluster_std=2.0, random_state=3)[:2],
    "tiny": (np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 1.0], [2.0, 1.0]]), np.array([0, 1, 0, 1])),
    "stretched": (moons(100)[0] * [100.0, 0.1] + [30.0, -2.0], moons(100)[1]),
}  # fmt: skip
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("logistic", **values), X, y)


def off(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


@every_data
@pytest.mark.parametrize("l2", [0.1, 1.0, 30.0])
def test_newton_finds_the_coefficients_of_scikit_learn(X, y, l2):
    reference = LogisticRegression(C=1 / l2, solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(X, y)
    state = fit(X, y, l2=l2)
    assert off(state.coefficients, reference.coef_) < COEFFICIENTS
    assert off(state.in_data_units[:, 0], reference.intercept_) < COEFFICIENTS
    assert np.allclose(state.proba(X), reference.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_polynomial_features_are_those_of_scikit_learn(name, degree):
    X, y = DATA[name]
    expanded = Reference(degree, include_bias=False).fit_transform(X)
    reference = LogisticRegression(C=1, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(expanded, y)
    state = fit(X, y, degree=degree, tol=1e-10)
    assert off(state.coefficients, reference.coef_) < COEFFICIENTS
    assert off(state.in_data_units[:, 0], reference.intercept_) < COEFFICIENTS


@pytest.mark.parametrize("l1", [1.0, 10.0])
def test_l1_agrees_and_sets_weights_to_zero(l1):
    X, y = DATA["two classes"]
    noisy = Reference(2, include_bias=False).fit_transform(X)
    reference = LogisticRegression(C=1 / l1, l1_ratio=1, solver="saga", tol=1e-10, max_iter=100_000)
    coefficients = reference.fit(noisy, y).coef_[0]
    state = fit(X, y, l1=l1, l2=0.0, degree=2)
    assert np.abs(state.coefficients[0] - coefficients).max() < 1e-3
    assert np.array_equal(state.coefficients[0] == 0, coefficients == 0)


@pytest.mark.parametrize("solver", ["gd", "momentum", "adam", "minibatch", "sgd", "rmsprop"])
@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_every_solver_goes_down_to_where_newton_is(name, solver):
    X, y = DATA[name]
    rates = {"gd": 2.0, "minibatch": 0.1, "momentum": 0.03, "rmsprop": 0.003, "adam": 0.01, "sgd": 0.02}
    state = fit(X, y, solver=solver, rate=rates[solver], epochs=100 if solver == "sgd" else 400)
    best = fit(X, y)
    assert best.loss <= state.loss * (1 + 1e-9)
    assert state.loss < best.loss * 1.03


@pytest.mark.parametrize("l1", [0.0, 2.0])
def test_newton_never_rises(l1):
    for X, y in DATA.values():
        losses = [state.loss for state in learn.steps(learn.create("logistic", l1=l1), X, y)]
        assert all(after <= before for before, after in pairwise(losses))


def test_the_first_state_is_uniform():
    X, y = DATA["three classes"]
    first = next(learn.steps(learn.create("logistic"), X, y))
    assert np.allclose(first.proba(X), 1 / 3)
    assert first.loss == pytest.approx(len(X) * np.log(3))
    assert first.note.startswith("start: all weights 0, loss 164.8")


@pytest.mark.parametrize("name", ["tiny", "three classes"])
def test_separable_classes_without_a_penalty_end_and_say_so(name):
    X, y = DATA["tiny"] if name == "tiny" else blobs(30, centers=3, seed=5)
    if name != "tiny":
        X = X + 100 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    state = fit(X, y, l2=0.0)
    assert "the classes are separable" in state.note
    assert np.array_equal(state.predict(X), y)
    assert np.isfinite(state.coefficients).all()


def test_too_high_a_rate_is_shown_as_divergence():
    X, y = DATA["two classes"]
    run = list(learn.steps(learn.create("logistic", solver="gd", rate=100.0, l2=1e3), X, y))
    assert run[-1].note.startswith("diverged in epoch ")
    assert "a lower learning rate helps" in run[-1].note
    assert np.isfinite(run[-1].weights).all()


def test_early_stopping_returns_to_the_best_weights_of_a_run_that_diverges():
    X, y = moons(120)
    model = learn.create("logistic", solver="gd", rate=100.0, l2=1e3, early_stop=True)
    *_, diverged, last = learn.steps(model, X, y)
    assert diverged.note.startswith("diverged in epoch ")
    assert last.note.startswith("back to epoch ")
    assert last.validation_loss <= diverged.validation_loss


def test_ending_worse_than_it_began_is_said():
    X, y = DATA["two classes"]
    assert "the loss is higher than at the start" in fit(X, y, solver="gd", rate=100.0, epochs=7).note


@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_early_stopping_returns_to_the_lowest_loss_of_the_points_held_out(solver):
    X, y = moons(120)
    values = {"degree": 6, "l2": 0.0, "rate": 1.0, "epochs": 300, "early_stop": True}
    run = list(learn.steps(learn.create("logistic", solver=solver, **values), X, y))
    held = validation_rows(y, np.random.default_rng(0))
    sign = 2 * y[held] - 1
    judged = [np.logaddexp(0.0, -sign * state.scores(X[held])[:, 1]).mean() for state in run]
    assert "24 of 120 points held out for validation; start" in run[0].note
    assert [state.metrics()["validation loss"] for state in run] == pytest.approx(judged)
    assert judged[-1] == min(judged) < judged[-2]
    best = judged.index(min(judged))
    assert np.array_equal(run[-1].weights, run[best].weights)
    assert "which has the lowest validation loss" in run[-1].note
