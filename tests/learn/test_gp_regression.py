"""Gaussian process regression: scikit-learn's mean, deviation and evidence; samples, sums of kernels."""

import math
from itertools import pairwise

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    Matern,
    WhiteKernel,
)

from vizml import data, learn
from vizml.learn.gaussian_processes.gp import MOST
from vizml.learn.gaussian_processes.regression import AT_ONCE
from vizml.learn.gaussian_processes.views import SIGMAS
from vizml.learn.training_data import TrainingData

SETS = {
    "sine": data.generate("sine", n=60, seed=0).points,
    "step": data.generate("step", n=40, seed=1).points,
    "hetero": data.generate("hetero", n=80, seed=2).points,
    "tiny": np.array([[0.0, 1.0], [0.5, -1.0], [2.0, 0.5]]),
    "twins": np.array([[0.0, 1.0], [0.0, 1.2], [1.0, -1.0], [1.0, -1.0], [3.0, 0.0]]),
}
LENGTH, VARIANCE, NOISE, PERIOD = 0.7, 2.0, 0.05, 1.3
PARTS = {
    "rbf": RBF(LENGTH), "matern32": Matern(LENGTH, nu=1.5), "matern52": Matern(LENGTH, nu=2.5),
    "periodic": ExpSineSquared(LENGTH, PERIOD), "linear": DotProduct(1.0),
}  # fmt: skip
KERNELS = [*PARTS, "rbf+linear", "periodic+linear", "matern52+periodic+linear"]
FIXED = {"length": LENGTH, "variance": VARIANCE, "noise": NOISE, "period": PERIOD}


def steps(points, seed=0, **values):
    return list(learn.steps(learn.create("gp", task="regress", **values), points[:, 0], points[:, 1], seed))


def fit(points, **values):
    return steps(points, **values)[-1]


def theirs(points, kernel, **values):
    first, *others = [PARTS[name] for name in kernel.split("+")]
    for other in others:
        first = first + other
    found = GaussianProcessRegressor(ConstantKernel(VARIANCE) * first, alpha=NOISE, optimizer=None, **values)
    return found.fit(points[:, :1], points[:, 1])


def across(points):
    return np.linspace(points[:, 0].min() - 1, points[:, 0].max() + 1, 101)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_mean_and_deviation_are_scikit_learns(name, kernel):
    points = SETS[name]
    x = across(points)
    mean, low, high = fit(points, kernel=kernel, **FIXED).band(x)
    their_mean, their_deviation = theirs(points, kernel).predict(x[:, None], return_std=True)
    assert np.abs(mean - their_mean).max() < 1e-6
    assert np.abs((high - mean) / SIGMAS - their_deviation).max() < 1e-6
    assert np.abs((mean - low) / SIGMAS - their_deviation).max() < 1e-6


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_evidence_is_scikit_learns(name, kernel):
    points = SETS[name]
    found = fit(points, kernel=kernel, **FIXED).metrics()["log marginal likelihood"]
    assert found == pytest.approx(theirs(points, kernel).log_marginal_likelihood_value_, abs=1e-7)


@pytest.mark.parametrize("name", ["sine", "step", "hetero"])
def test_the_optimisation_ends_where_scikit_learns_does_or_higher(name):
    points = SETS[name]
    run = steps(points, kernel="rbf", optimise=True, **FIXED)
    kernel = ConstantKernel(VARIANCE) * RBF(LENGTH) + WhiteKernel(NOISE, (1e-10, 1e5))
    reference = GaussianProcessRegressor(kernel, alpha=0.0).fit(points[:, :1], points[:, 1])
    assert run[-1].metrics()["log marginal likelihood"] >= reference.log_marginal_likelihood_value_ - 1e-3
    assert np.all(np.diff([state.loss for state in run[1:]]) < 1e-9)
    assert run[-1].note.startswith("maximum after ")


def test_the_optimisation_finds_the_period():
    x = np.linspace(0, 6, 60)
    y = np.sin(2 * np.pi * x / 1.7) + 0.1 * np.random.default_rng(0).normal(size=60)
    state = fit(np.column_stack([x, y]), kernel="periodic", period=1.5, optimise=True)
    assert state.metrics()["period"] == pytest.approx(1.7, rel=0.02)
    assert math.sqrt(state.metrics()["noise"]) == pytest.approx(0.1, rel=0.3)


# prior and samples


def test_the_first_step_is_the_prior():
    points = SETS["sine"]
    first = steps(points, **FIXED)[0]
    mean, _, high = first.band(np.array([-3.0, 0.0, 9.0]))
    assert np.array_equal(mean, np.zeros(3))
    assert np.allclose(high, SIGMAS * math.sqrt(VARIANCE))
    assert first.note.startswith("prior: length 0.7, variance 2")
    assert "Prior samples" in [mark.layer for mark in first.marks()]


@pytest.mark.parametrize("step", [0, 1])
def test_samples_have_the_mean_and_the_deviation_of_the_belief(step):
    posterior = steps(SETS["tiny"], **FIXED)[step].posterior
    x = np.linspace(-1, 3, 9)[:, None]
    drawn = posterior.samples(x, np.random.default_rng(0).standard_normal((20_000, 9)))
    mean, variance = posterior.moments(x)
    assert np.abs(drawn.mean(axis=0) - mean).max() < 0.05
    assert np.abs(drawn.std(axis=0) - np.sqrt(variance)).max() < 0.05
    near = np.corrcoef(drawn[:, :2].T)[0, 1]
    K = posterior.covariance(x[:2], x[:2])
    if step == 0:
        assert near == pytest.approx(K[0, 1] / VARIANCE, abs=0.02)


def test_samples_are_paths_as_many_as_asked_for():
    for count in (0, 5):
        layers = {mark.layer: mark for mark in fit(SETS["sine"], samples=count).marks()}
        assert len(getattr(layers.get("Posterior samples"), "lines", ())) == count


def test_without_noise_the_curve_meets_the_points():
    points = SETS["tiny"]
    state = fit(points, length=0.5, variance=1.0, noise=1e-10)
    assert np.abs(state.predict(points[:, 0]) - points[:, 1]).max() < 1e-6
    assert state.metrics()["R²"] == pytest.approx(1)


def test_centred_the_curve_goes_back_to_the_mean_instead_of_zero():
    points = SETS["sine"] + [0.0, 50.0]
    far = np.array([1e4])
    assert fit(points).predict(far)[0] == pytest.approx(0)
    assert fit(points, centre=True).predict(far)[0] == pytest.approx(points[:, 1].mean())


# trouble


def test_a_numerically_singular_covariance_gets_jitter_and_a_note():
    x = np.linspace(1e6, 1e6 + 1, 40)
    state = fit(np.column_stack([x, np.sin(9 * (x - 1e6))]), kernel="linear", variance=1.0, noise=1e-10)
    assert state.note.endswith(" was added to the noise, as rounding left the covariance singular")
    assert np.isfinite(state.predict(x)).all()


def test_of_many_points_a_share_is_learned_from_and_that_is_said():
    x = np.linspace(0, 1, MOST + 10)
    state = fit(np.column_stack([x, x]), kernel="matern32")
    assert state.note.startswith("2,000 of 2,010 points (the cost grows with their cube): ")


def test_a_smooth_kernel_learns_from_all_of_many_points():
    x = np.random.default_rng(0).uniform(0, 6, 9000)
    y = np.sin(x) + np.random.default_rng(1).normal(scale=0.3, size=9000)
    state = fit(np.column_stack([x, y]), optimise=True)
    at = np.linspace(0.2, 5.8, 200)
    assert state.note.startswith("maximum after ")
    assert np.abs(state.predict(at) - np.sin(at)).max() < 0.03
    assert state.metrics()["noise"] == pytest.approx(0.09, rel=0.05)


def test_of_very_many_points_a_smooth_kernel_learns_from_a_share_too():
    x = np.random.default_rng(0).uniform(0, 6, 23_000)
    run = steps(np.column_stack([x, np.sin(x)]))
    assert run[-1].note.startswith("20,000 of 23,000 points: log marginal likelihood")
    assert len(run) == 2


@pytest.mark.parametrize("scale", [0.3, 1e-3, 1e-6])
def test_the_kernel_of_many_points_is_optimised_through_inducing_points(scale):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 3000)
    points = np.column_stack([x, np.sin(x) + rng.normal(scale=scale, size=3000)])
    _, first, *between, top = steps(points, optimise=True)
    assert all(len(state.posterior.points) < 100 for state in (first, *between, top))
    assert top.note.startswith("maximum after ")
    at = np.linspace(0.2, 5.8, 100)
    assert np.abs(top.predict(at) - np.sin(at)).max() < max(0.3 * scale, 1e-3)
    assert top.evidence > first.evidence
    assert top.metrics()["noise"] > 0.9 * scale**2


def test_with_a_rough_kernel_many_points_come_block_by_block():
    points = data.generate("sine", n=900, seed=3).points
    run = steps(points, kernel="matern32")
    seen = [len(state.posterior.points) for state in run]
    assert seen[:2] == [0, AT_ONCE]
    assert seen[-1] == 900
    assert all(before < after for before, after in pairwise(seen))
    assert all(f"{count} of 900 points: " in state.note for count, state in zip(seen[1:-1], run[1:-1]))
    assert [state.progress for state in run] == pytest.approx([count / 900 for count in seen])
    assert all(math.isnan(state.loss) for state in run[:-1])
    x = across(points)
    whole = theirs_of(points, Matern(run[-1].metrics()["length"], nu=1.5), run[-1])
    mean, deviation = whole.predict(x[:, None], return_std=True)
    found, low, _ = run[-1].band(x)
    assert np.abs(found - mean).max() < 1e-6
    assert np.abs((found - low) / SIGMAS - deviation).max() < 1e-6


def theirs_of(points, kernel, state):
    """scikit-learn's process with the variance and noise that a state has."""
    variance, noise = (state.metrics()[name] for name in ("variance", "noise"))
    found = GaussianProcessRegressor(ConstantKernel(variance) * kernel, alpha=noise, optimizer=None)
    return found.fit(points[:, :1], points[:, 1])


def test_the_optimisation_of_a_rough_kernel_is_by_some_points_and_then_learns_from_all():
    points = data.generate("sine", n=600, seed=3).points
    run = steps(points, kernel="matern52", optimise=True)
    assert any(state.note.startswith("by 500 of 600 points: maximum after ") for state in run)
    assert len(run[-1].posterior.points) == 600
    assert run[-1].note.startswith("600 points: log marginal likelihood")
    plain = fit(points, kernel="matern52")
    assert run[-1].evidence > plain.evidence


@pytest.mark.parametrize("text", ["", "rbf+", "cubic", "rbf+rbf", "rbf,linear"])
def test_unfit_kernels_are_refused(text):
    with pytest.raises(ValueError, match=r"^kernel must be one or more of rbf, matern32"):
        learn.create("gp", task="regress", kernel=text)


@pytest.mark.parametrize("kernel, meant", [("rbf", False), ("periodic", True), (" linear + periodic", True)])
def test_a_period_is_asked_for_where_a_part_of_the_kernel_has_one(kernel, meant):
    model = learn.create("gp", task="regress", kernel=kernel)
    (period,) = (param for param in model.parameters() if param.name == "period")
    assert period.relevant(model.values) is meant


def test_the_band_of_a_new_point_is_wider_by_the_noise():
    state, x = fit(SETS["sine"], **FIXED), np.linspace(0, 5, 40)
    mean, low, _ = state.band(x)
    inner, outer = state.marks()[0].edges(x)
    expected = SIGMAS * np.sqrt(((mean - low) / SIGMAS) ** 2 + NOISE)
    assert np.allclose(outer - mean, expected)
    assert np.allclose(mean - inner, expected)


@pytest.mark.parametrize("kernel", ["rbf", "matern32", "matern52", "linear", "rbf+linear"])
@pytest.mark.parametrize("n", [80, 400])
def test_three_inputs_are_learned_from_as_scikit_learn_does(kernel, n):
    X = np.random.default_rng(0).uniform(0, 1.0 if n > 80 else 3.0, size=(n, 3))
    y = np.sin(X @ [1.0, 2.0, -0.5])
    data = TrainingData(X, y, columns=("a", "b", "c"))
    state = learn.fit_data(learn.create("gp", task="regress", kernel=kernel, **FIXED), data)
    reference = theirs(np.column_stack([X[:, :1], y]), kernel).fit(X, y)
    mean, deviation = reference.predict(X, return_std=True)
    found, low, _ = state.band(X)
    assert np.abs(found - mean).max() < 1e-6
    assert np.abs((found - low) / SIGMAS - deviation).max() < 1e-6
    assert state.on(axes=("b",), at={"a": 0.5}).curve(np.linspace(0, 3, 9)).shape == (9,)
