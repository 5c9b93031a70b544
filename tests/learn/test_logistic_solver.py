"""The penalised log-loss: scikit-learn's value, gradients by finite differences, and no overflow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.metrics import log_loss as reference_loss

from vizml.learn.linear_models.logistic import PolynomialFeatures
from vizml.learn.linear_models.logistic_solver import LogLoss, LossPoint

ROWS = {2: 1, 3: 3, 5: 5}
CLASSES = pytest.mark.parametrize("classes", ROWS)


def problem(classes, l2=0.0, l1=0.0, degree=1, seed=0, n=30):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * [3.0, 0.5] + [2.0, -1.0]
    labels = np.arange(n) % classes
    features = PolynomialFeatures.over(X, degree, centred=not (l1 and degree > 1))
    return LogLoss.of(
        features.design(X), labels, np.arange(classes), features.data_units(), l2, l1
    ), labels, features  # fmt: skip


def some_weights(loss, seed=3):
    return np.random.default_rng(seed).normal(size=loss.shape)


def shares(loss, weights):
    """Of every class (n, K)."""
    chances = LossPoint(loss, weights).probabilities.T
    return np.column_stack([1 - chances, chances]) if len(weights) == 1 else chances


@CLASSES
def test_its_value_is_scikit_learns(classes):
    loss, labels, _ = problem(classes)
    weights = some_weights(loss)
    theirs = reference_loss(labels, shares(loss, weights), normalize=False)
    assert loss.shape[0] == ROWS[classes]
    assert LossPoint(loss, weights).value == pytest.approx(theirs, rel=1e-12)


@CLASSES
@pytest.mark.parametrize("degree", [1, 2])
def test_the_penalty_is_paid_in_data_units_and_never_for_the_intercept(classes, degree):
    loss, _, features = problem(classes, l2=0.7, degree=degree)
    weights = some_weights(loss)
    told = weights @ features.data_units().T
    assert loss.cost(weights) == pytest.approx(0.35 * (told[:, 1:] ** 2).sum(), rel=1e-9)
    weights[:, 1:] = 0
    assert loss.cost(weights) == 0


@pytest.mark.parametrize("degree", [1, 3])
def test_the_l1_penalty_is_in_data_units(degree):
    loss, _, features = problem(3, l1=0.4, degree=degree)
    weights = some_weights(loss)
    told = weights @ features.data_units().T
    assert loss.cost(weights) == pytest.approx(0.4 * np.abs(told[:, 1:]).sum(), rel=1e-9)


@CLASSES
@pytest.mark.parametrize("l2", [0.0, 2.0])
def test_gradient_and_hessian_are_those_of_the_value(classes, l2):
    loss, _, _ = problem(classes, l2=l2)
    weights = some_weights(loss)

    def value(flat):
        return LossPoint(loss, flat.reshape(weights.shape)).value

    def slope(flat):
        return LossPoint(loss, flat.reshape(weights.shape)).gradient.ravel()

    flat = weights.ravel()
    assert np.allclose(slope(flat), approx_fprime(flat, value, 1e-7), rtol=1e-3, atol=1e-3)
    hessian = LossPoint(loss, weights).hessian()
    assert np.allclose(hessian, approx_fprime(flat, slope, 1e-7), rtol=1e-3, atol=1e-3)
    assert np.allclose(hessian, hessian.T)
    assert np.linalg.eigvalsh(hessian)[0] > -1e-9  # J is convex


@given(st.floats(-50, 50), st.integers(0, 1000))
def test_the_same_added_to_all_scores_changes_no_loss(shift, seed):
    loss, _, _ = problem(3, seed=seed)
    weights = some_weights(loss, seed)
    moved = weights + np.array([shift, 0, 0])
    assert LossPoint(loss, moved).value == pytest.approx(LossPoint(loss, weights).value, rel=1e-9)
    assert LossPoint(loss, moved).margin == pytest.approx(LossPoint(loss, weights).margin, abs=1e-9)


@CLASSES
@pytest.mark.parametrize("size", [1e3, 1e6])
def test_huge_log_odds_neither_overflow_nor_lose_the_loss(classes, size):
    loss, labels, _ = problem(classes)
    weights = size * some_weights(loss)
    f = LossPoint(loss, weights).logits
    full = np.vstack([np.zeros(len(labels)), f]) if classes == 2 else f
    least = (full.max(axis=0) - full[labels, np.arange(len(labels))]).sum()
    assert LossPoint(loss, weights).value == pytest.approx(least, rel=1e-2)
    assert LossPoint(loss, weights).value >= least * (1 - 1e-12)
    assert np.isfinite(LossPoint(loss, weights).probabilities).all()


@CLASSES
def test_the_margin_is_the_least_lead_of_an_own_class(classes):
    loss, labels, _ = problem(classes)
    weights = some_weights(loss)
    f = LossPoint(loss, weights).logits
    full = np.vstack([np.zeros(len(labels)), f]) if classes == 2 else f
    leads = [full[k, i] - np.delete(full[:, i], k).max() for i, k in enumerate(labels)]
    assert LossPoint(loss, weights).margin == pytest.approx(min(leads))


def test_the_gradient_norm_without_l1():
    loss, _, _ = problem(2)
    assert loss.gradient_norm(np.zeros((1, 3)), np.array([[3.0, 4.0, 0.0]])) == 5.0


@pytest.mark.parametrize(
    "weight, slope, steep",
    [(0.0, 0.9, 0.0), (0.0, 1.5, 0.5), (0.0, -1.5, 0.5), (2.0, -1.0, 0.0), (-2.0, 1.5, 0.5)],
)
def test_the_gradient_norm_with_l1_is_that_of_the_least_subgradient(weight, slope, steep):
    """Of J + l1 |w| with l1 = 1: at 0 a slope up to 1 either way is level."""
    loss = LogLoss(np.ones((1, 2)), np.ones((1, 1)), np.zeros((2, 2)), np.array([0.0, 1.0]))
    assert loss.gradient_norm(np.array([[0.0, weight]]), np.array([[0.0, slope]])) == pytest.approx(steep)


@CLASSES
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_hessian_is_that_of_the_textbook(classes, degree):
    loss, _, _ = problem(classes, l2=0.3, degree=degree)
    weights = some_weights(loss)
    chances = LossPoint(loss, weights).probabilities
    full = np.vstack([1 - chances, chances])[1:] if classes == 2 else chances
    spread = np.einsum("kn,kl->kln", full, np.eye(len(full))) - np.einsum("kn,ln->kln", full, full)
    sums = np.einsum("kln,ni,nj->kilj", spread, loss.design, loss.design)
    penalty = np.einsum("kl,ij->kilj", np.eye(len(full)), loss.penalty)
    assert np.allclose(
        LossPoint(loss, weights).hessian(), (sums + penalty).reshape(2 * [weights.size]), atol=1e-10
    )


@pytest.mark.parametrize("lead", [40.0, 300.0, 1e5])
def test_large_margins_have_almost_no_loss(lead):
    loss = LogLoss(np.ones((2, 1)), np.array([[1.0, 1.0]]), np.zeros((1, 1)), np.zeros(1))
    assert LossPoint(loss, np.array([[lead]])).value == pytest.approx(
        2 * math.exp(-lead), rel=1e-12, abs=1e-12 * lead
    )
    assert LossPoint(loss, np.array([[-lead]])).value == pytest.approx(2 * lead)
