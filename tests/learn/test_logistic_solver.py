"""The penalised log-loss, BFGS and L-BFGS against scikit-learn and scipy; schedules, odds ratios, sigmoid."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss as reference_loss

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.learn import REGRESS
from vizml.learn.iterative_training import Schedule
from vizml.learn.linear_models.logistic import PolynomialFeatures
from vizml.learn.linear_models.logistic_solver import InverseHessian, LimitedMemory, LogLoss, LossPoint
from vizml.learn.optimisers.newton import updated_inverse
from vizml.run.prediction import prediction_text

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


MOONS = data.generate("moons", n=120, noise=0.35, seed=4)
BLOBS = data.load("blobs:n=120,classes=3,noise=1.5,seed=2")


@pytest.mark.parametrize("points", [MOONS, BLOBS], ids=["two", "three"])
@pytest.mark.parametrize("solver, method", [("bfgs", "BFGS"), ("lbfgs", "L-BFGS-B")])
def test_the_minimum_is_that_of_scipy(points, solver, method):
    X, y = points.points, points.labels
    features = PolynomialFeatures.over(X, 1, centred=True)
    loss = LogLoss.of(features.design(X), y, np.unique(y), features.data_units(), 0.5, 0.0)

    def point(w):
        return LossPoint(loss, w.reshape(loss.shape))

    start = np.zeros(loss.shape).ravel()
    options = {"gtol": 1e-9, "maxiter": 500} | ({"ftol": 1e-16} if method != "BFGS" else {})
    theirs = minimize(
        lambda w: point(w).value, start, jac=lambda w: point(w).gradient.ravel(), method=method,
        options=options,
    )  # fmt: skip
    model = learn.create("logistic", solver=solver, l2=0.5, tol=1e-10)
    *states, last = learn.run(model, points)
    assert last.loss == pytest.approx(theirs.fun, abs=1e-6)
    assert last.weights.ravel() == pytest.approx(theirs.x, abs=1e-5)
    assert ": converged" in last.note or "rounding" in last.note
    assert len(states) < 60
    assert (np.diff([state.loss for state in states]) <= 1e-12).all(), "each step lowers J"


@pytest.mark.parametrize("solver", ["newton", "bfgs", "lbfgs"])
def test_every_solver_ends_at_the_weights_of_scikit_learn(solver):
    state = learn.fit_data(learn.create("logistic", solver=solver, l2=2.0, epochs=200), MOONS)
    reference = LogisticRegression(C=0.5, tol=1e-12, max_iter=1000).fit(MOONS.points, MOONS.labels)
    assert state.learned()["w"] == pytest.approx(reference.coef_[0], abs=1e-5)
    assert state.learned()["b"] == pytest.approx(reference.intercept_[0], abs=1e-5)


def test_the_two_loops_multiply_by_the_matrix_of_the_same_pairs():
    rng = np.random.default_rng(1)
    curvature = np.diag([1.0, 4.0, 9.0])
    limited = LimitedMemory(np.ones(3))
    pairs = [(s, curvature @ s) for s in rng.normal(size=(4, 3))]
    for s, y in pairs:
        limited.update(s, y)
    matrix = np.eye(3) * limited.scale
    for s, y in pairs:
        matrix = updated_inverse(matrix, s, y)
    g = rng.normal(size=3)
    assert limited.direction(g) == pytest.approx(-matrix @ g)
    assert matrix @ pairs[-1][1] == pytest.approx(pairs[-1][0]), "the secant equation"
    full = InverseHessian(np.ones(3))
    full.update(*pairs[0])
    assert full.matrix @ pairs[0][1] == pytest.approx(pairs[0][0])


@pytest.mark.parametrize(
    "name, rates",
    [
        ("constant", [0.8, 0.8, 0.8, 0.8]), ("inverse", [0.8, 0.8 / 1.5, 0.4, 0.32]),
        ("exponential", 0.8 * np.exp(-0.5 * np.arange(4))), ("step", [0.8, 0.8, 0.4, 0.4]),
    ],
)  # fmt: skip
def test_schedules_lower_the_rate_with_the_epoch(name, rates):
    assert [Schedule(name, 0.5).rate(0.8, epoch) for epoch in range(4)] == pytest.approx(list(rates))


def test_a_falling_rate_quiets_stochastic_gradient_descent():
    """Robbins and Monro: with a constant rate the weights keep wandering, with 1/t they settle."""
    model = learn.create("logistic", solver="sgd", rate=0.5, epochs=60, l2=1.0)
    end = learn.fit_data(learn.create("logistic", l2=1.0), MOONS).loss
    excess = {}
    for schedule in ("constant", "inverse", "exponential", "step"):
        losses = [s.loss for s in learn.run(model.with_(schedule=schedule, decay=0.3), MOONS)]
        excess[schedule] = np.mean(losses[-10:]) - end
    assert all(excess[name] < excess["constant"] / 3 for name in ("inverse", "exponential", "step"))


@pytest.mark.parametrize(
    "id, values", [("linear", {"solver": "sgd"}), ("mlp", {"solver": "gd", "epochs": 5})]
)
def test_regressions_take_schedules(id, values):
    sine = data.generate("sine", n=40, seed=1)
    model = learn.create(id, REGRESS, **values)
    x = sine.points[:, :1]
    plain = learn.fit_data(model, sine).predict(x)
    falling = learn.fit_data(model.with_(schedule="exponential", decay=5.0), sine).predict(x)
    assert not np.allclose(plain, falling)


@pytest.mark.parametrize("points", [MOONS, BLOBS], ids=["two", "three"])
def test_gradients_of_samples_add_up_to_that_of_the_loss(points):
    state = learn.fit_data(learn.create("logistic", l2=0.0, solver="gd", epochs=3), points)
    gradients = state.sample_gradients()
    step = 1e-6
    features, y = state.features, points.labels
    loss = LogLoss.of(features.design(points.points), y, np.unique(y), features.data_units(), 0.0, 0.0)
    for column in range(gradients.shape[1]):
        moved = np.zeros(gradients.shape[1])
        moved[column] = step
        rise = LossPoint(loss, state.weights + moved.reshape(loss.shape)).value - state.loss
        assert gradients[:, column].sum() == pytest.approx(rise / step, abs=1e-3)


def test_the_noise_of_a_batch_falls_with_the_root_of_its_size():
    who = subject(learn.create("logistic", solver="minibatch", batch=8, epochs=5), MOONS, share=0.0)
    (chart,) = charts("gradient_noise", who, draws=200)
    measured, expected = (one.y for one in chart.series)
    gradients = who.state.sample_gradients()
    single = np.sqrt(((gradients - gradients.mean(axis=0)) ** 2).sum(axis=1).mean())
    assert expected[0] == pytest.approx(single)
    assert measured == pytest.approx(expected, rel=0.1)
    assert expected[2] / expected[0] == pytest.approx(0.5 * np.sqrt((120 - 4) / 119))
    assert [rule.x for rule in chart.rules] == [None, 8.0]


def test_the_noise_of_least_squares_and_models_without_gradients():
    sine = data.generate("sine", n=40, seed=1)
    (chart,) = charts("gradient_noise", subject(learn.create("linear", REGRESS, degree=2), sine, share=0.0))
    assert len(chart.series[0].x) == 6
    with pytest.raises(ValueError, match="logistic and linear regression"):
        charts("gradient_noise", subject("knn", MOONS))


def test_odds_ratios_beyond_floating_point_are_infinite_and_no_metrics():
    tiny = data.Dataset(1e-12 * MOONS.points, MOONS.labels)
    state = learn.fit_data(learn.create("logistic", l2=0.0), tiny)
    assert np.isinf(state.odds_ratios()).any()
    assert np.isfinite(list(state.metrics().values())).all()


def test_odds_ratios_are_the_factors_of_the_odds_for_one_unit():
    state = learn.fit_data(learn.create("logistic"), MOONS)
    here, there = (state.proba([[0.3, y]])[0] for y in (0.2, 1.2))
    ratio = (there[1] / there[0]) / (here[1] / here[0])
    assert state.metrics()["odds ratio y"] == pytest.approx(ratio)
    assert f"B against A: x {np.exp(state.learned()['w'][0]):.3g}, y {ratio:.3g}" in state.back_values()


def test_of_three_classes_odds_are_against_the_last():
    state = learn.fit_data(learn.create("logistic"), BLOBS)
    here, there = (state.proba([[x, 0.5]])[0] for x in (0.2, 1.2))
    ratios = (there[:2] / there[2]) / (here[:2] / here[2])
    assert state.odds_ratios()[:, 0] == pytest.approx(ratios)
    assert len(state.back_values()) == 3


def test_the_pointer_has_the_log_odds():
    state = learn.fit_data(learn.create("logistic"), MOONS)
    a, b = state.proba(MOONS.points[:1])[0]
    assert prediction_text(state, MOONS, MOONS.points[:1]).endswith(f"log-odds of B {np.log(b / a):+.2f}")
    assert "log-odds" not in prediction_text(
        learn.fit_data(learn.create("logistic"), BLOBS), BLOBS, BLOBS.points[:1]
    )


def test_maximum_likelihood_is_one_preset_and_says_where_there_is_none():
    (preset,) = learn.create("logistic").presets
    model = learn.create("logistic", l2=5.0).with_(**preset.values)
    reference = LogisticRegression(C=np.inf, tol=1e-10).fit(MOONS.points, MOONS.labels)
    assert learn.fit_data(model, MOONS).learned()["w"] == pytest.approx(reference.coef_[0], abs=1e-3)
    apart = data.load("linear:n=40,noise=0,seed=1")
    assert "the weights grow without bound" in learn.fit_data(model, apart).note


def test_points_lie_at_their_log_odds_beside_the_sigmoid():
    who = subject("logistic", MOONS, share=0.0)
    (chart,) = charts("sigmoid", who)
    curve, first, second = chart.series
    assert curve.y == pytest.approx(expit(curve.x), abs=1e-12)
    p = who.state.proba(MOONS.points)
    f = np.log(p[:, 1] / p[:, 0])
    assert first.x == pytest.approx(f[MOONS.labels == 0])
    assert (second.y > 0.95).all()
    assert f"mean probability of B {p[:, 1].mean():.3f}" in chart.note


def test_the_sigmoid_needs_two_classes():
    with pytest.raises(ValueError, match="two classes"):
        charts("sigmoid", subject("logistic", BLOBS, share=0.0))
