"""Principal components against scikit-learn."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.decomposition import PCA

from tests.learn.datasets import blobs, moons, unlabelled
from vizml import learn
from vizml.field import Raster

DATA = {
    "moons": moons(200)[0], "blobs": blobs(150)[0], "long": moons(80)[0] * [1.0, 500.0], "tiny": moons(4)[0],
    "far": moons(60)[0] + 1e5,
}  # fmt: skip
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def steps(X, seed=0):
    return list(learn.steps(learn.create("pca"), X, seed=seed))


def same_axis(a, b):
    return abs(a @ b) == pytest.approx(1.0, abs=1e-9)


@every_data
def test_axes_variances_and_coordinates_are_the_same(X):
    last, other = steps(X)[-1], PCA(2, svd_solver="full").fit(X)
    assert all(map(same_axis, last.axes, other.components_))
    assert np.allclose(last.explained_variance_ratio, other.explained_variance_ratio_, atol=1e-9)
    figures = last.metrics()
    assert figures["variance 1"] == pytest.approx(other.explained_variance_[0])
    assert figures["variance 2"] == pytest.approx(other.explained_variance_[1])
    assert np.allclose(np.abs(last.transform(X)), np.abs(other.transform(X)), atol=1e-6 * np.ptp(X))


@every_data
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_each_turn_brings_the_axis_nearer_to_the_points(X, seed):
    losses = [state.loss for state in steps(X, seed)]
    scale = ((X - X.mean(axis=0)) ** 2).sum()
    assert all(after <= before + 1e-12 * scale for before, after in pairwise(losses))


@every_data
def test_the_loss_is_the_reconstruction_error(X):
    last, other = steps(X)[-1], PCA(1, svd_solver="full").fit(X)
    lost = ((X - other.inverse_transform(other.transform(X))) ** 2).sum()
    assert last.loss == pytest.approx(lost, rel=1e-6)


@every_data
def test_points_end_on_the_first_axis(X):
    run = steps(X)
    other = PCA(1, svd_solver="full").fit(X)
    dots = run[-1].marks()[-1]
    assert np.allclose(dots.points, other.inverse_transform(other.transform(X)), atol=1e-9 * np.abs(X).max())
    shares = [state.projection for state in run if state.projection]
    assert shares == sorted(shares)
    assert len(shares) == 16


def test_lenses_show_the_components():
    X = DATA["blobs"]
    last = steps(X)[-1]
    raster = Raster.over((-10, 2, -11, 7), 20, 15)
    expected = last.transform(raster.points())
    for k, lens in enumerate(last.on().lenses()):
        assert np.allclose(lens.plane(raster).ravel(), expected[:, k], atol=1e-4)


def test_points_keep_their_own_colours():
    last = steps(DATA["moons"])[-1]
    assert not last.groups
    assert (last.predict(DATA["moons"]) == 0).all()


def test_axes_of_more_inputs_are_the_same():
    X = np.random.default_rng(0).normal(size=(100, 4)) @ np.diag([3.0, 2.0, 1.0, 0.5]) + 7.0
    run = list(learn.run(learn.create("pca"), unlabelled(X)))
    other = PCA(4, svd_solver="full").fit(X)
    assert all(map(same_axis, run[-1].axes, other.components_))
    assert np.allclose(run[-1].explained_variance_ratio, other.explained_variance_ratio_)
    assert all(np.allclose(state.axes @ state.axes.T, np.eye(4)) for state in run)
