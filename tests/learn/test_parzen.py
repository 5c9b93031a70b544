"""Parzen windows: posteriors from scikit-learn's densities, and predictions far from all points."""

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.datasets import make_blobs, make_moons
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KernelDensity, RadiusNeighborsClassifier

from tests.learn.datasets import around
from vizml import data, learn
from vizml.field import Raster
from vizml.field.cancellation import Cancelled, cancellable
from vizml.learn import TrainingData

SETS = {
    "moons": make_moons(200, noise=0.25, random_state=0),
    "three": make_blobs(150, centers=3, cluster_std=2.5, random_state=4),
    "imbalanced": make_blobs([190, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
KERNELS = {
    "gaussian": {"kernel": "gaussian"}, "laplace": {"kernel": "exponential", "metric": "manhattan"},
    "epanechnikov": {"kernel": "epanechnikov"}, "box": {"kernel": "tophat"},
}  # fmt: skip
every_set = pytest.mark.parametrize("name", SETS)
every_kernel = pytest.mark.parametrize("kernel", KERNELS)


def fit(X, y, **values):
    return learn.fit(learn.create("parzen", **values), X, y)


def log_joint(X, y, places, kernel, h, priors="data"):
    """ln pi_k + ln p(x | k) by scikit-learn."""
    found = []
    for k in np.unique(y):
        density = KernelDensity(bandwidth=h, **KERNELS[kernel]).fit(X[y == k])
        prior = np.mean(y == k) if priors == "data" else 1.0
        found.append(density.score_samples(places) + np.log(prior))
    return np.array(found)


@every_set
@every_kernel
@pytest.mark.parametrize("h", [0.3, 1.0])
@pytest.mark.parametrize("priors", ["data", "equal"])
def test_posteriors_are_those_of_scikit_learns_densities(name, kernel, h, priors):
    X, y = SETS[name]
    places = around(X).points()
    joint = log_joint(X, y, places, kernel, h, priors)
    reached = joint.max(axis=0) > np.log(1e-12)  # scikit-learn's sums leave crumbs where there is nothing
    expected = np.exp(joint[:, reached] - logsumexp(joint[:, reached], axis=0)).T
    state = fit(X, y, kernel=kernel, bandwidth=h, priors=priors)
    assert np.abs(state.proba(places)[reached] - expected).max() < 1e-6


@every_set
@every_kernel
def test_the_field_is_the_posterior_however_narrow_the_bumps(name, kernel):
    X, y = SETS[name]
    for h in (0.01, 0.1, 1.0):
        state = fit(X, y, kernel=kernel, bandwidth=h)
        for raster in (around(X), around(X, margin=300.0)):
            exact = state.scores(raster.points()).T.reshape(-1, *raster.shape)
            assert np.abs(state.field(raster) - exact).max() < 4e-6


@every_set
@pytest.mark.parametrize("kernel", ["epanechnikov", "box"])
def test_beyond_all_bumps_the_priors_decide(name, kernel):
    X, y = SETS[name]
    state = fit(X, y, kernel=kernel, bandwidth=0.5)
    far = X.max(axis=0) + 10.0
    assert state.proba(far[None])[0] == pytest.approx(np.bincount(y) / len(y))
    assert state.field(Raster(far[:1], far[1:]))[:, 0, 0] == pytest.approx(np.bincount(y) / len(y))
    assert "the priors decide" in state.note


def test_a_box_asks_the_points_within_reach():
    X, y = SETS["moons"]
    theirs = RadiusNeighborsClassifier(radius=0.4, outlier_label=0).fit(X, y)
    assert fit(X, y, kernel="box", bandwidth=0.4).proba(X) == pytest.approx(theirs.predict_proba(X))


@every_kernel
def test_densities_integrate_to_the_priors(kernel):
    X, y = SETS["imbalanced"]
    state = fit(X, y, kernel=kernel, bandwidth=0.8)
    raster = around(X, margin=12.0)
    cell = np.ptp(raster.x) / (len(raster.x) - 1) * np.ptp(raster.y) / (len(raster.y) - 1)
    assert state.densities(raster.points()).sum(axis=0) * cell == pytest.approx([0.95, 0.05], rel=0.1)
    joint = log_joint(X, y, X, kernel, 0.8)
    # scikit-learn's exponential kernel is normalised for straight distances
    norm = 2 * np.pi / 4 if kernel == "laplace" else 1.0
    assert state.densities(X) == pytest.approx(norm * np.exp(joint).T, rel=1e-9)


@every_kernel
def test_a_lens_shows_a_class_or_all(kernel):
    X, y = SETS["three"]
    state, raster = fit(X, y, kernel=kernel, bandwidth=0.9), around(X)
    whole, *parts = state.on().lenses()
    assert [lens.name for lens in parts] == ["Density of A", "Density of B", "Density of C"]
    planes = np.array([lens.plane(raster) for lens in parts])
    expected = state.densities(raster.points()).T.reshape(3, *raster.shape)
    assert planes == pytest.approx(expected, abs=4e-6 * expected.max())
    assert whole.plane(raster) == pytest.approx(expected.sum(axis=0), abs=4e-6 * expected.max())
    assert whole.high == pytest.approx(expected.sum(axis=0).max(), rel=0.3)


def test_points_are_taken_in_twice_as_many_at_a_time():
    X, y = SETS["imbalanced"]
    sizes = [state.groups.sizes for state in learn.steps(learn.create("parzen"), X, y)]
    assert [sum(size) for size in sizes] == [2, 4, 8, 16, 32, 64, 128, 200]
    assert all(min(size) >= 1 for size in sizes)
    assert sizes[-1] == (190, 10)


def test_scotts_bandwidth_follows_the_unit():
    X, y = SETS["moons"]
    h = fit(X, y).kernel.bandwidth
    assert fit(1000.0 * X, y).kernel.bandwidth == pytest.approx(1000.0 * h)
    inner = np.mean([X[y == k].var(axis=0).mean() for k in (0, 1)])
    assert h == pytest.approx(np.sqrt(inner) * 100 ** (-1 / 6))


@pytest.mark.parametrize("h", [0.2, 0.5])
def test_the_chart_of_bandwidths_leaves_each_point_out(h):
    X, y = SETS["moons"]
    theirs = RadiusNeighborsClassifier(radius=h, outlier_label=0)
    wrong = np.mean(cross_val_predict(theirs, X, y, cv=LeaveOneOut()) != y)
    state = fit(X, y, kernel="box", bandwidth=h)
    assert state.leave_one_out_errors(np.array([h])) == pytest.approx([wrong], abs=0.011)
    (chart,) = state.charts()
    assert chart.sets == ("bandwidth",)
    assert chart.series[0].y[12] == pytest.approx(state.leave_one_out_errors(np.array([h]))[0])


@every_kernel
def test_three_inputs_have_the_posteriors_of_scikit_learns_densities(kernel):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = (X.sum(axis=1) > 0).astype(int)
    data = TrainingData(X, labels=y, columns=("a", "b", "c"))
    *_, state = learn.run(learn.create("parzen", kernel=kernel, bandwidth=1.5), data)
    joint = log_joint(X, y, X, kernel, 1.5)
    expected = np.exp(joint - logsumexp(joint, axis=0)).T
    assert state.proba(X) == pytest.approx(expected, abs=1e-6)


def test_scores_of_many_points_can_be_cancelled():
    points = data.generate("moons", n=60, seed=0)
    state = learn.fit(learn.create("parzen"), points.points, points.labels)
    with cancellable(lambda: True), pytest.raises(Cancelled):
        state.scores(points.points)
