"""The picture of a Gaussian process is exact: to a tenth of a shade, and its boundaries to half a pixel.

A shade of 8 bits is 1/255 of a probability; all is compared with the probabilities one by one.
"""

import numpy as np
import pytest
from numpy.polynomial.chebyshev import chebvander
from sklearn.datasets import make_blobs, make_moons

from vizml import learn
from vizml.field import Raster
from vizml.field.tiles import PLACES, nodes_within, tails
from vizml.learn.gaussian_processes.covariance import Covariance
from vizml.learn.gaussian_processes.fitting import MOST
from vizml.learn.gaussian_processes.moments import Moments
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.recipes import CREASE, OFF, Chances
from vizml.learn.gaussian_processes.surface import FEW

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
    assert len({process.covariance for process in state.processes}) == 3
    check(state, around(X))


def test_processes_that_few_points_span_too():
    X, y = make_blobs(MOST + 100, centers=2, cluster_std=2.0, random_state=0)
    check(fit(X, y), around(X, 160, 120))


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_view_that_moves_on_stays_exact_and_asks_for_little(kernel, monkeypatch):
    X, y = SETS["three"]
    state, view = fit(X, y, kernel=kernel), around(X)
    state.field(view)
    asked = []
    evaluated = Chances.show
    monkeypatch.setattr(
        Chances, "show", lambda self, known: asked.append(len(known)) or evaluated(self, known)
    )
    for pixels in (3.75, 7.5, 11.25):
        step = pixels * (view.x[1] - view.x[0])
        check(state, Raster(view.x + step, view.y))
    alone = sum(asked)
    asked.clear()
    fit(X, y, kernel=kernel).field(Raster(view.x + step, view.y))
    assert alone < sum(asked)  # all three together take less than one afresh


def test_pixels_in_any_order_are_told_one_by_one():
    X, y = SETS["moons"]
    state, view = fit(X, y), around(X, 90, 80)
    rng = np.random.default_rng(0)
    mixed = Raster(rng.permutation(view.x), rng.permutation(view.y))
    assert state.field(mixed) == pytest.approx(one_by_one(state, mixed), abs=1e-7)


def test_a_view_of_few_pixels_is_told_one_by_one():
    X, y = SETS["moons"]
    state, view = fit(X, y, kernel="matern32"), around(X, 64, FEW // 64)
    assert np.abs(state.field(view) - one_by_one(state, view)).max() < 1e-7


def test_bands_of_a_view_are_cut_from_one_surface():
    X, y = SETS["moons"]
    state, raster = fit(X, y), around(X)
    bands = np.concatenate([state.field(band) for _, band in raster.bands(40)], axis=1)
    surface = state._surface(-1, raster)
    assert np.abs(bands - state.field(raster)).max() < 1e-6
    assert state._surface(-1, Raster(raster.x, raster.y)) is surface  # the same view again


def test_a_coarse_view_between_does_not_lose_the_fine_one():
    X, y = SETS["moons"]
    state, fine, coarse = fit(X, y), around(X), around(X, 100, 75)
    surface = state._surface(-1, fine)
    other = state._surface(-1, coarse)
    assert other is not surface
    assert other.mosaic.recipe is surface.mosaic.recipe
    assert state._surface(-1, fine) is surface
    assert state._surface(-1, around(5 * X)) is not surface  # a third, for which the coarse one goes
    assert state._surface(-1, fine) is surface
    assert state._surface(-1, coarse) is not other


@pytest.mark.parametrize("name", ["moons", "three"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_lenses_show_probability_and_uncertainty_apart(name, kernel):
    X, y = SETS[name]
    state, raster = fit(X, y, length=0.8, variance=5.0, kernel=kernel), around(X, 100, 80)
    lenses = state.lenses()
    assert len(lenses) == 2 * len(state.processes)
    first = 1 if len(state.processes) == 1 else 0
    assert np.abs(lenses[0].plane(raster) - state.field(raster)[first]).max() == 0
    for process, lens in zip(state.processes, lenses[1::2]):
        exact = np.sqrt(process.moments(raster.points())[1]).reshape(raster.shape)
        assert (lens.low, lens.high) == (0.0, pytest.approx(np.sqrt(5.0)))
        assert np.abs(lens.plane(raster) - exact).max() < SHADE * lens.high


def test_the_uncertainty_of_few_pixels_is_that_of_each():
    X, y = SETS["moons"]
    state, raster = fit(X, y), around(X, 20, 10)
    exact = np.sqrt(state.processes[0].moments(raster.points())[1]).reshape(raster.shape)
    assert np.abs(state.lenses()[1].plane(raster) - exact).max() < 1e-6


# the rules


@pytest.mark.parametrize("kind", ["matern32", "matern52"])
@pytest.mark.parametrize("width", [0.2, 0.8, 1.6])
def test_the_crease_of_a_bump_is_told_with_the_error_that_the_rule_says(kind, width):
    covariance, rng, worst = Covariance(kind, 1.0, 1.0), np.random.default_rng(0), 0.0
    fine = np.linspace(-1, 1, 60)
    to_fine = chebvander(fine, 9) @ np.linalg.inv(chebvander(PLACES, 9))
    for at in rng.uniform(-width / 2, width / 2, size=(60, 2)):
        nodes, exact = (
            covariance.of((places[None] - at[0]) ** 2 + (places[:, None] - at[1]) ** 2)
            for places in (PLACES * width / 2, fine * width / 2)
        )
        worst = max(worst, float(np.abs(to_fine @ nodes @ to_fine.T - exact).max()))
    factor, power = CREASE[kind]
    assert worst == pytest.approx(factor * width**power, rel=0.35)


def recipe(kind="matern32"):
    a, roots = np.array([0.9, -0.001]), np.array([0.5, 0.4])
    process = Process(Covariance(kind, 1.0, 10.0), np.array([[0.0, 0.0], [5.0, 0.0]]), a, roots)
    return Chances([Moments.of([process])])


def test_only_tiles_with_a_sharp_bump_are_creased():
    ends = np.array([[-0.4, 0.4], [0.45, 1.25], [4.6, 5.4]])
    flat = np.tile([-0.4, 0.4], (3, 1))
    (told,) = recipe().parts
    told.__dict__["_creases"] = np.array([3.0, 1e-3])
    assert told.creased(ends, flat).tolist() == [True, False, False]
    assert not told.creased(ends / 40, flat / 40).any()
    assert not recipe("rbf").parts[0].creased(ends, flat).any()


def test_bumps_in_tiles_and_beside_them_are_told_and_what_remains_is_smooth():
    ends = np.array([[-0.3, 0.5], [0.45, 1.25], [2.0, 2.8]]), np.tile([-0.4, 0.4], (3, 1))
    (told,) = recipe().parts
    grids = tuple(nodes_within(each) for each in ends)
    bumps, values = told.bumps(*grids, ends), told.values(*grids)
    assert [bool(tile.any()) for tile in bumps] == [True, False, False]
    assert bumps[0, 0] == pytest.approx(values[0, 0], abs=1e-3)  # the mean: the other point is far
    assert tails(values - bumps)[0, 0] < 0.01 * tails(values)[0, 0]
    assert recipe("rbf").parts[0].bumps(*grids, ends) == 0.0


def test_tiles_much_wider_than_a_bump_may_hide_it():
    x = np.array([[-2.0, 2.0], [-0.5, 0.5], [50.0, 54.0], [-20.0, 80.0]])
    assert recipe("rbf").hides(x, x).tolist() == [True, False, False, True]


def test_near_a_tie_less_is_allowed_so_that_boundaries_stay_where_they_are():
    line = PLACES[None, None, None, :] + np.zeros((1, 1, 10, 1))
    allowed = recipe().allowed
    assert allowed(0.9 + 0.01 * line, 64)[0] == OFF
    slope = 1e-5  # from one pixel to the next
    crossing = allowed(0.5 + 32 * slope * line, 64)[0]
    assert crossing == pytest.approx(slope / 4, rel=0.05)  # twice that is what a lead moves
    assert allowed(0.5 + 1e-5 + 1e-6 * line, 64)[0] == pytest.approx(0.9e-5, rel=0.05)
    thirds = np.concatenate(
        [1 / 3 + 32 * slope * line, 1 / 3 - 32 * slope * line, 1 / 3 + 0 * line - 0.1], axis=1
    )
    assert allowed(thirds, 64)[0] == pytest.approx(slope / 4, rel=0.05)
