"""What a Gaussian process is drawn from: sums of covariances, the directions of its variance, its moments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs, make_moons

from vizml import learn
from vizml.data import generate
from vizml.learn.gaussian_processes.covariance import SHAPES, Covariance, squared_distances
from vizml.learn.gaussian_processes.directions import SLIGHT, directions, square
from vizml.learn.gaussian_processes.laplace import newton
from vizml.learn.gaussian_processes.moments import Moments, grouped
from vizml.learn.gaussian_processes.posterior import Process
from vizml.learn.gaussian_processes.sums import HEARD, REACH, SHARE, Sums, alike

X, Y = make_moons(60, noise=0.25, random_state=0)
MANY = make_moons(300, noise=0.3, random_state=1)
every_shape = pytest.mark.parametrize("kind", SHAPES)


def process_of(kind, length=0.5, variance=2.0, data=(X, Y)):
    points, labels = data
    covariance = Covariance(kind, length, variance)
    *_, mode = newton(covariance.of(squared_distances(points, points)), labels.astype(float))
    return Process(covariance, points, mode.a, mode.roots)


def processes_of_three(kind="matern32", **values):
    points, labels = make_blobs(90, centers=3, cluster_std=2.0, random_state=4)
    return learn.fit(learn.create("gp", "classify", kernel=kind, **values), points, labels).processes


def grids(count=9, seed=0):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(count, 4)), rng.normal(size=(count, 5))
    return x, y, np.stack(np.broadcast_arrays(x[:, None, :], y[:, :, None]), axis=-1).reshape(-1, 2)


def in_rows(planes):
    """(t, planes, b, a) as (places, planes)."""
    return np.moveaxis(planes, 1, 3).reshape(-1, planes.shape[1])


@every_shape
@pytest.mark.parametrize("length", [0.01, 0.3, 5.0])
def test_sums_on_grids_are_the_sums_at_their_places(kind, length):
    x, y, places = grids()
    weights = np.random.default_rng(1).normal(size=(60, 3))
    sums = Sums(Covariance(kind, length, 1.7), X, weights)
    exact = sums.covariance.of(squared_distances(places, X)) @ weights
    assert in_rows(sums.on(x, y)) == pytest.approx(exact, abs=1e-8)
    assert sums.at(places).T == pytest.approx(exact, abs=1e-9)
    assert np.abs(in_rows(sums.rounded().on(x, y)) - exact).max() < 2e-5


@every_shape
@pytest.mark.parametrize("creased", [False, True])
def test_blocks_are_squared_and_lessened_by_the_last_sums(kind, creased):
    x, y, places = grids()
    rng = np.random.default_rng(1)
    weights, blocks = rng.normal(size=(60, 4)), (rng.normal(size=(60, 2)), rng.normal(size=(60, 3)))
    sums = Sums(Covariance(kind, 0.3, 1.7), X, weights, blocks, creased)
    near = sums.covariance.of(squared_distances(places, X))
    squares = np.stack([((near @ block) ** 2).sum(axis=1) for block in blocks], axis=1)
    exact = np.hstack([near @ weights, squares - (near @ weights)[:, 2:] * creased])
    assert sums.planes == 6
    assert sums.at(places).T == pytest.approx(exact, abs=1e-9)
    assert in_rows(sums.on(x, y))[:, :4] == pytest.approx(exact[:, :4], abs=1e-8)


@every_shape
@pytest.mark.parametrize("variance", [1e-3, 1.0, 1e4])
def test_beyond_its_reach_a_point_says_next_to_nothing(kind, variance):
    covariance = Covariance(kind, 1.0, variance)
    assert covariance.of(np.array(REACH[kind] ** 2)) < 1e-10 * variance
    heard, step = min(HEARD, SHARE * variance), REACH[kind] / 100
    places = np.arange(0.0, REACH[kind] + 2.0, step)
    sums = Sums(covariance, np.zeros((1, 2)), np.ones((1, 1)), (np.ones((1, 1)),))
    alone = [sums.on(place[None, None], np.zeros((1, 1)))[0, :, 0, 0] for place in places]
    near, found = covariance.of(places**2), np.array(alone)
    reached = places <= REACH[kind]
    assert found[:, 0] == pytest.approx(np.where(reached, near, 0.0), rel=1e-9, abs=1e-10 * variance)
    told = found[:, 1] > 0
    assert found[told, 1] == pytest.approx(near[told] ** 2, rel=1e-9)
    assert near[told].min() > 0.5 * heard
    assert near[~told].max() < 1.01 * heard


@every_shape
def test_bumps_are_the_sums_of_the_points_that_are_there(kind):
    x, y, _ = grids(3)
    weights = np.random.default_rng(1).normal(size=(60, 2))
    sums = Sums(Covariance(kind, 0.6, 1.7), X, weights, (weights,))
    chosen = np.array([[5, 7], [8, 0], [9, 3]])
    there = np.array([[True, True], [True, False], [False, False]])
    found = sums.bumps(x, y, chosen, there)
    for tile, points in enumerate(([5, 7], [8], [])):
        alone = Sums(sums.covariance, X[points], weights[points]).on(x[[tile]], y[[tile]])[0]
        assert found[tile, :2] == pytest.approx(alone, abs=1e-9)
    assert not found[:, 2].any()


@pytest.mark.parametrize("most", [1, 500, 10**6])
@given(counts=st.lists(st.integers(0, 60), max_size=40))
def test_tiles_that_are_looked_at_together_have_about_as_many_bumps(most, counts):
    counts = np.sort(np.array(counts, dtype=np.int64))
    parts = list(alike(counts, most))
    assert np.array_equal(np.concatenate([counts[part] for part in parts] or [counts]), counts)
    for part in parts:
        few, many, tiles = counts[part][0], counts[part][-1], part.stop - part.start
        assert many <= 1.5 * few + 2
        assert tiles * many <= most or tiles == 1


# directions


@pytest.mark.parametrize("steep", [1.0, 1e-3, 1e-9, 0.0])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_basis_is_square_however_alike_its_columns_are(steep, kind):
    rng = np.random.default_rng(0)
    Y = (rng.normal(size=(80, 6)) * [1, 1, 1, steep, steep, steep] + rng.normal(size=(80, 1))).astype(kind)
    Q = square(Y)
    assert Q.dtype == kind
    assert pytest.approx(np.eye(6), abs=1e-5) == Q.T @ Q
    assert np.abs(Y - Q @ (Q.T @ Y)).max() < 1e-5


@every_shape
@pytest.mark.parametrize("variance", [1e-3, 10.0])
def test_few_directions_tell_the_variance_nearly_as_all_do(kind, variance):
    process = process_of(kind, 0.8, variance, MANY)
    places = np.random.default_rng(2).uniform(-3, 4, size=(300, 2))
    K, near = (process.covariance.of(squared_distances(at, MANY[0])) for at in (MANY[0], places))
    H = directions(process, K, near)
    told = ((near @ H) ** 2).sum(axis=1)
    exact = ((near @ process.known_by()) ** 2).sum(axis=1)
    assert (exact - told).max() <= 1.02 * SLIGHT
    assert (exact - told).min() > -1e-4  # leaving some out leaves more of the variance
    assert H.shape[1] < 200


def test_sharp_covariances_take_all_directions_and_few_points_as_well():
    for process in (process_of("rbf", 0.01, 10.0, MANY), process_of("rbf", 0.5, 10.0)):
        K = process.covariance.of(squared_distances(process.points, process.points))
        assert directions(process, K, K).shape[1] == len(process.points)


def test_directions_stay_square_to_each_other_where_only_rounding_is_left():
    shown = generate("moons", n=500, noise=0.25, seed=0)
    process = process_of("matern52", 0.6, 1000.0, (shown.points, shown.labels))
    moments = Moments.of([process])
    places = np.random.default_rng(2).uniform(-3, 3, size=(300, 2))
    assert np.abs(moments.chances(places)[0] - process.chances(places)).max() < 2.5e-4
    assert moments.sums.blocks[0].shape[1] < 300


def test_directions_are_the_same_each_time():
    process = process_of("matern52", 0.8, 10.0, MANY)
    K = process.covariance.of(squared_distances(process.points, process.points))
    assert np.array_equal(directions(process, K, K), directions(process, K, K))


# moments


@every_shape
@pytest.mark.parametrize("variance", [1e-3, 10.0, 1e5])
def test_moments_on_many_places_say_what_the_process_does(kind, variance):
    process = process_of(kind, 0.6, variance, make_moons(150, noise=0.3, random_state=1))
    places = np.random.default_rng(2).uniform(-3, 4, size=(300, 2))
    found = Moments.of([process]).chances(places)[0]
    assert np.abs(found - process.chances(places)).max() < 2.5e-4


def test_processes_with_the_same_covariance_are_told_together():
    processes = processes_of_three()
    (together,) = grouped(processes)
    places = np.random.default_rng(2).uniform(-8, 8, size=(100, 2))
    exact = np.stack([process.chances(places) for process in processes])
    assert np.abs(together.chances(places) - exact).max() < 2.5e-4
    assert [len(each.processes) for each in grouped(processes_of_three(optimise=True))] == [1, 1, 1]


def test_single_precision_serves_where_the_probability_does_not_mind():
    assert Moments.of([process_of("rbf", 0.6, 10.0, MANY)]).sums.blocks[0].dtype == np.float32
    assert Moments.of([process_of("rbf", 0.6, 1e5, MANY)]).sums.blocks[0].dtype == np.float64


def test_less_their_creases_the_squares_are_smoother():
    process, step = process_of("matern32", 0.5, 2.0), 1e-3
    moments = Moments.of([process])
    x = X[7, 0] + step * np.arange(-2, 3)

    def kink(values):
        """The jump of the third derivative across the point."""
        fourth = values[4] - 4 * values[3] + 6 * values[2] - 4 * values[1] + values[0]
        return abs(fourth) / step**3

    near = process.covariance.of(squared_distances(np.column_stack([x, np.full(5, X[7, 1])]), X))
    whole = ((near @ process.known_by()) ** 2).sum(axis=1)
    creases = near @ moments.sums.weights.astype(np.float64)[:, 1]
    assert kink(whole - creases) < 0.1 * kink(whole)


def test_what_is_left_of_the_variance_is_the_same_with_creases_told_apart():
    process, places = process_of("matern32"), grids()[2]
    moments = Moments.of([process])
    mean, variance = moments.told(moments.sums.at(places))
    assert len(moments.sums.at(places)) == 3
    assert variance[0] == pytest.approx(process.moments(places)[1], abs=1e-4)
    assert mean[0] == pytest.approx(process.moments(places)[0], abs=1e-4)
