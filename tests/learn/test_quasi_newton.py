"""BFGS and L-BFGS against scipy, learning-rate schedules, odds ratios and the sigmoid."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.learn import REGRESS
from vizml.learn.iterative_training import Schedule
from vizml.learn.linear_models.logistic import PolynomialFeatures
from vizml.learn.linear_models.logistic_solver import InverseHessian, LimitedMemory, LogLoss, LossPoint
from vizml.learn.optimisers.newton import updated_inverse
from vizml.run.prediction import prediction_text

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
