"""The picture of a Gaussian process is exact: to a tenth of a shade, and its boundaries to half a pixel.

A shade of 8 bits is 1/255 of a probability; all is compared with the probabilities one by one.
"""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons

from vizml import learn
from vizml.field import Raster
from vizml.field.tiles import FEW
from vizml.learn.gaussian_processes.classification import MOST

SHADE = 1 / 255
SETS = {
    "moons": make_moons(120, noise=0.25, random_state=0),
    "three": make_blobs(90, centers=3, cluster_std=2.0, random_state=4),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
KERNELS = ("rbf", "matern32", "matern52")


def fit(X, y, **values):
    return learn.fit(learn.create("gp", task="classify", **values), X, y)


def around(X, width=200, height=150):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), width, height)


def one_by_one(state, raster):
    return state.scores(raster.points()).reshape(*raster.shape, -1).transpose(2, 0, 1)


def astray(field, exact):
    """Pixels of another class than they should be, though the boundary is farther than half a pixel."""
    top = np.sort(exact, axis=0)
    pairs = [(i, j) for i in range(len(exact)) for j in range(i)]
    slope = np.max([np.hypot(*np.gradient(exact[i] - exact[j])) for i, j in pairs], axis=0)
    lead = top[-1] - top[-2]
    wrong = (field.argmax(axis=0) != exact.argmax(axis=0)) & (lead > 0.5 * slope)
    return wrong & (lead > 1e-6)  # which single precision cannot tell


def check(state, raster):
    field, exact = state.field(raster), one_by_one(state, raster)
    assert np.abs(field - exact).max() < SHADE / 10
    assert not astray(field, exact).any()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    "length, variance",
    [(0.25, 10.0), (1.0, 10.0), (0.02, 10.0), (0.1, 1e5), (0.6, 1e4), (20.0, 10.0), (1.0, 1e-3)],
)
def test_a_picture_is_exact_to_a_tenth_of_a_shade_and_half_a_pixel(name, kernel, length, variance):
    X, y = SETS[name]
    state = fit(X, y, kernel=kernel, length=length, variance=variance)
    for width in (1.0, 5.0):
        check(state, around(width * X))


@pytest.mark.parametrize("kernel", KERNELS)
def test_of_many_points_too(kernel):
    X, y = make_moons(400, noise=0.25, random_state=0)
    check(fit(X, y, kernel=kernel), around(X, 160, 120))


def test_processes_with_kernels_of_their_own_too():
    X, y = SETS["three"]
    state = fit(X[::2], y[::2], kernel="matern52", optimise=True)
    assert len({posterior.covariance for posterior in state.posteriors}) == 3
    check(state, around(X))


def test_processes_with_inducing_points_too():
    X, y = make_blobs(MOST + 100, centers=2, cluster_std=2.0, random_state=0)
    check(fit(X, y), around(X, 160, 120))


def test_pixels_in_any_order_are_evaluated_one_by_one():
    X, y = SETS["moons"]
    state, view = fit(X, y), around(X, 90, 80)
    rng = np.random.default_rng(0)
    mixed = Raster(rng.permutation(view.x), rng.permutation(view.y))
    assert state.field(mixed) == pytest.approx(one_by_one(state, mixed), abs=1e-7)


def test_a_view_of_few_pixels_is_evaluated_pixel_by_pixel():
    X, y = SETS["moons"]
    state, view = fit(X, y, kernel="matern32"), around(X, 64, FEW // 64)
    assert np.abs(state.field(view) - one_by_one(state, view)).max() < 1e-7


def test_bands_of_a_view_are_those_of_the_whole():
    X, y = SETS["moons"]
    state, raster = fit(X, y), around(X)
    bands = np.concatenate([state.field(band) for _, band in raster.bands(40)], axis=1)
    assert np.array_equal(bands, state.field(raster))


def test_bands_of_a_lens_are_those_of_the_whole_beside_bands_of_the_field():
    X, y = SETS["moons"]
    state, raster = fit(X, y), around(X)
    deviation = state.on().lenses()[1].plane
    bands = [(state.field(band), deviation(band))[1] for _, band in raster.bands(40)]
    assert np.array_equal(np.concatenate(bands), deviation(raster))


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_view_that_moves_by_pixels_shows_the_same_function(name, kernel):
    X, y = SETS[name]
    state, view = fit(X, y, kernel=kernel), around(X)
    step = np.array([np.diff(view.x)[0], np.diff(view.y)[0]])
    for across, down in ((3, 0), (40, -17), (-260, 90), (2000, 0)):
        check(state, Raster(view.x + across * step[0], view.y + down * step[1]))
    check(state, Raster(view.x + 0.5 * step[0], view.y))


@pytest.mark.parametrize("name", ["moons", "three"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_lenses_show_probability_and_uncertainty_apart(name, kernel):
    X, y = SETS[name]
    state, raster = fit(X, y, length=0.8, variance=5.0, kernel=kernel), around(X, 100, 80)
    lenses = state.on().lenses()
    assert len(lenses) == 2 * len(state.posteriors)
    first = 1 if len(state.posteriors) == 1 else 0
    assert np.abs(lenses[0].plane(raster) - state.field(raster)[first]).max() == 0
    for posterior, lens in zip(state.posteriors, lenses[1::2]):
        exact = np.sqrt(posterior.moments(raster.points())[1]).reshape(raster.shape)
        assert (lens.low, lens.high) == (0.0, pytest.approx(np.sqrt(5.0)))
        assert np.abs(lens.plane(raster) - exact).max() < SHADE * lens.high


def test_the_uncertainty_of_few_pixels_is_that_of_each():
    X, y = SETS["moons"]
    state, raster = fit(X, y), around(X, 20, 10)
    exact = np.sqrt(state.posteriors[0].moments(raster.points())[1]).reshape(raster.shape)
    assert np.abs(state.on().lenses()[1].plane(raster) - exact).max() < 1e-6
