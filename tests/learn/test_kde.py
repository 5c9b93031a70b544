"""Kernel densities against scikit-learn's, and bandwidths against their definitions."""

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity

from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn
from vizml.field import Raster

DATA = {
    "moons": moons(200)[0], "blobs": blobs(150)[0],
    "uneven": np.vstack([blobs(190, centers=1)[0], blobs(10, centers=1)[0] / 9 + 11]), "tiny": moons(6)[0],
    "far": moons(50)[0] + 1e5,
}  # fmt: skip
THEIRS = {"gaussian": "gaussian", "laplace": "exponential", "epanechnikov": "epanechnikov", "box": "tophat"}
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
every_kernel = pytest.mark.parametrize("kernel", THEIRS)


def fit(X, **values):
    return learn.fit(learn.create("kde", "density", **values), X)


def raster_around(X, width=40, height=30, margin=1.0):
    low, high = X.min(axis=0) - margin, X.max(axis=0) + margin
    return Raster.over((low[0], high[0], low[1], high[1]), width, height)


def theirs(X, kernel, h):
    # one leaf: bounds over several cancel each other far from all points
    return KernelDensity(bandwidth=h, kernel=THEIRS[kernel], leaf_size=len(X) + 1).fit(X)


@every_data
@every_kernel
@pytest.mark.parametrize("h", [0.05, 0.4, 3.0])
def test_log_densities_are_the_same(X, kernel, h):
    state = fit(X, kernel=kernel, bandwidth=h)
    raster = raster_around(X)
    places = np.vstack([X, raster.points()])
    expected = theirs(X, kernel, h).score_samples(places)
    known = np.isfinite(expected)
    found = state.log_density(places)
    assert np.abs(found - expected)[known].max() <= 1e-6 * max(1.0, np.abs(expected[known]).max())
    assert (found[~known] < -600).all()
    field = state.field(raster).ravel()
    known, expected = known[len(X) :], expected[len(X) :]
    assert np.abs(field - expected)[known].max(initial=0) <= 4e-6 * max(
        1.0, np.abs(expected[known]).max(initial=0)
    )


@every_data
def test_scott_and_silverman_follow_the_spread(X):
    n = len(X)
    assert fit(X).kernel.bandwidth == pytest.approx(np.sqrt(X.var(axis=0).mean()) * n ** (-1 / 6))
    quartiles = (np.quantile(X, 0.75, axis=0) - np.quantile(X, 0.25, axis=0)).mean() / 1.349
    spread = min(quartiles, np.sqrt(X.var(axis=0).mean()))
    assert fit(X, bandwidth="silverman").kernel.bandwidth == pytest.approx(spread * n ** (-1 / 6))


@every_kernel
def test_leaving_out_is_leaving_out(kernel):
    X = DATA["moons"]
    state = fit(X, kernel=kernel, bandwidth="loo")
    for h, found in state.tried[10::7]:
        each = [
            theirs(np.delete(X, i, axis=0), kernel, h).score_samples(X[i : i + 1])[0] for i in range(len(X))
        ]
        if np.isfinite(each).all():
            assert found == pytest.approx(np.mean(each), abs=1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
@pytest.mark.parametrize("name", ["moons", "blobs", "tiny"])
def test_the_bandwidth_that_is_kept_is_the_likeliest(kernel, name):
    X = DATA[name]
    state = fit(X, kernel=kernel, bandwidth="loo")
    best = max(score for _, score in state.tried)
    for factor in (0.5, 0.9, 0.98, 1.02, 1.1, 2.0):
        h = state.kernel.bandwidth * factor
        each = [
            theirs(np.delete(X, i, axis=0), kernel, h).score_samples(X[i : i + 1])[0] for i in range(len(X))
        ]
        assert np.mean(each) <= best + 1e-9


@every_kernel
def test_contours_hold_the_mass_that_they_say(kernel):
    X = DATA["blobs"]
    state = fit(X, kernel=kernel, bandwidth=1.5, mass="0.25,0.75")
    raster = raster_around(X, 500, 500, margin=9.0)
    field = state.field(raster)[0].astype(float)
    mass = np.exp(field)
    inside = [mass[field >= level].sum() / mass.sum() for level in state.mass_levels]
    assert inside == pytest.approx([0.25, 0.75], abs=0.05 if kernel == "box" else 0.02)  # discs make steps


def test_the_search_never_ends_worse():
    run = list(learn.steps(learn.create("kde", "density", bandwidth="loo"), DATA["blobs"]))
    losses = [state.loss for state in run]
    assert losses == sorted(losses, reverse=True)


@every_kernel
def test_four_inputs_have_the_same_log_densities(kernel):
    X = np.random.default_rng(0).normal(size=(60, 4))
    model = learn.create("kde", "density", kernel=kernel, bandwidth=1.7)
    *_, state = learn.run(model, unlabelled(X))
    expected = theirs(X, kernel, 1.7).score_samples(X)
    assert state.log_density(X) == pytest.approx(expected, abs=1e-9)
