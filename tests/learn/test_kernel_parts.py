"""Parts of kernel methods: bumps and shares, Parzen's drawing, covariances, the mode, the process."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.optimize import minimize
from sklearn.datasets import make_blobs, make_moons
from sklearn.gaussian_process.kernels import RBF, Matern

from vizml import learn
from vizml.learn.densities.bumps import BUMPS, Groups, bump, shares_of
from vizml.learn.densities.parzen import scott
from vizml.learn.gaussian_processes.climb import Climb, uphill
from vizml.learn.gaussian_processes.covariance import OVERWRITING, SHAPES, Covariance, squared_distances
from vizml.learn.gaussian_processes.fitting import few, spread
from vizml.learn.gaussian_processes.laplace import inverse_factor, newton
from vizml.learn.gaussian_processes.posterior import Process
from vizml.scene import Path, Words

X, Y = make_moons(60, noise=0.25, random_state=0)
every_bump = pytest.mark.parametrize("kind", BUMPS)
every_shape = pytest.mark.parametrize("kind", SHAPES)


def groups(seed=0, sizes=(5, 3, 7)):
    rng = np.random.default_rng(seed)
    return Groups(
        centres=rng.normal(size=(sum(sizes), 2)), sizes=sizes, weights=rng.uniform(0.1, 1, len(sizes))
    )


def parzen(points=X, labels=Y, **values):
    return learn.fit(learn.create("parzen", **values), points, labels)


# bumps


@every_bump
def test_a_bump_is_one_at_its_centre_and_has_the_volume_that_it_says(kind):
    shape = bump(kind, 0.7)
    assert shape.logs(np.zeros((1, 2)), np.zeros((1, 2)))[0, 0] == 0.0
    if kind == "box":
        assert shape.volume == pytest.approx(np.pi * 0.49)
        return

    def value(y, x):
        return float(np.exp(shape.logs(np.array([[x, y]]), np.zeros((1, 2)))[0, 0]))

    reach = 0.7 if kind == "epanechnikov" else 6.0
    edge = (lambda x: np.sqrt(max(0.49 - x * x, 0.0))) if kind == "epanechnikov" else (lambda _: reach)
    quarter, _ = dblquad(value, 0, reach, 0, edge, epsabs=1e-4)
    assert 4 * quarter == pytest.approx(shape.volume, rel=2e-3)


@every_bump
def test_the_outline_is_a_line_of_equal_height(kind):
    shape = bump(kind, 0.7)
    heights = shape.logs(shape.outline * 0.999, np.zeros((1, 2)))
    assert np.ptp(heights) < 1e-9
    assert len(shape.outline) == (4 if kind == "laplace" else 96)  # Laplace's is a diamond


@every_bump
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 999), h=st.floats(0.05, 20))
def test_shares_are_parts_of_the_sums_and_add_up_to_one(kind, seed, h):
    shape, centres = bump(kind, h), groups(seed)
    places = np.random.default_rng(seed + 1).normal(size=(20, 2)) * 2
    shares, sums = shape.shares(places, centres), shape.sums(places, centres)
    total = sums.sum(axis=1)
    reached = total > 1e-200
    assert shares[reached] == pytest.approx(sums[reached] / total[reached, None], rel=1e-6, abs=1e-9)
    assert (np.abs(shares[total > 0].sum(axis=1) - 1.0) < 1e-9).all()


def test_where_no_bump_reaches_the_priors_stand():
    centres = groups()
    nothing = np.full((2, 15), -np.inf)
    assert shares_of(nothing, centres) == pytest.approx(np.stack([centres.priors] * 2))
    assert centres.priors == pytest.approx(centres.weights * [5, 3, 7])
    assert centres.each.tolist() == np.repeat(centres.weights, (5, 3, 7)).tolist()


def test_the_logs_of_tiny_bumps_still_have_shares():
    centres = Groups(centres=np.array([[0.0, 0.0], [1.0, 0.0]]), sizes=(1, 1), weights=np.array([0.5, 0.5]))
    shares = bump("gaussian", 0.001).shares(np.array([[0.4, 0.0], [50.0, 0.0]]), centres)
    assert shares == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0]]))


# Parzen windows


def test_few_bumps_are_drawn_in_the_colours_of_their_classes():
    state = parzen(X[:20], Y[:20] * 3, bandwidth=0.5)
    for mark, label in zip(state.marks(), (0, 3), strict=True):
        own = X[:20][Y[:20] * 3 == label]
        assert mark.ink == label
        middles = np.array([line.mean(axis=0) for line in mark.lines])
        assert sorted(map(tuple, middles.round(9))) == sorted(map(tuple, own.round(9)))
        assert np.linalg.norm(mark.lines[0] - middles[0], axis=1) == pytest.approx(np.full(96, 0.5))
    assert [bool(mark.legend) for mark in state.marks()] == [True, False]
    assert parzen().marks() == ()


def test_the_pointer_reads_the_density_of_each_class():
    state, place = parzen(bandwidth=0.4), np.array([0.5, 0.2])
    edge, words = state.probe(place)
    a, b = state.densities(place[None])[0]
    assert isinstance(edge, Path)
    assert isinstance(words, Words)
    assert words.texts == (f"density A {a:.3g}, B {b:.3g}",)
    assert edge.lines[0].mean(axis=0) == pytest.approx(place)
    assert state.metrics() == {"bandwidth": 0.4, "points": 60.0}


def test_classes_in_one_place_each_are_as_wide_as_they_are_apart():
    points = np.repeat([[0.0, 0.0], [4.0, 0.0]], 3, axis=0)
    codes = np.repeat([0, 1], 3)
    assert scott(points, codes) == pytest.approx(np.sqrt(2.0) * 3 ** (-1 / 6))  # variances 4 and 0
    assert scott(np.ones((2, 2)), np.array([0, 1])) == 1.0


def test_of_many_points_about_four_hundred_judge_the_bandwidths_in_proportion():
    points, labels = make_blobs([1800, 200], centers=[[0, 0], [3, 0]], random_state=0)
    state = parzen(points, labels)
    (error,) = state.left_out(np.array([0.5]))
    wrong = np.mean(state.predict(points) != labels)
    assert error == pytest.approx(wrong, abs=4 * np.sqrt(wrong * (1 - wrong) / 400))


# Gaussian processes


@every_shape
def test_covariances_are_scikit_learns(kind):
    theirs = {"rbf": RBF(0.6), "matern32": Matern(0.6, nu=1.5), "matern52": Matern(0.6, nu=2.5)}[kind]
    found = Covariance(kind, 0.6, 3.0).of(squared_distances(X, X[:10]))
    assert found == pytest.approx(3.0 * theirs(X, X[:10]), rel=1e-10)


def test_squared_distances_of_near_points_far_away_are_exact():
    far = np.array([[1e8, 1e8], [1e8 + 1, 1e8 + 2]])
    assert squared_distances(far, far).tolist() == [[0.0, 5.0], [5.0, 0.0]]


@every_shape
def test_the_mode_is_where_scipy_finds_the_top(kind):
    K, y = Covariance(kind, 0.8, 4.0).of(squared_distances(X, X)), Y.astype(float)
    *_, mode = newton(K, y)

    def below(a):
        f = K @ a
        slope = K @ (a - (y - 1 / (1 + np.exp(-f))))
        return np.logaddexp(0, np.where(y > 0, -f, f)).sum() + 0.5 * a @ f, slope

    found = minimize(below, np.zeros(60), jac=True, method="BFGS", options={"gtol": 1e-6})
    assert mode.height == pytest.approx(-found.fun, abs=1e-6)
    assert mode.height >= -found.fun - 1e-9
    assert mode.f == pytest.approx(K @ mode.a)


def test_newton_goes_on_from_where_another_covariance_ended():
    squares, y = squared_distances(X, X), Y.astype(float)
    *_, before = newton(Covariance("rbf", 0.8, 4.0).of(squares), y)
    K = Covariance("rbf", 0.7, 5.0).of(squares)
    cold, warm = list(newton(K, y)), list(newton(K, y, before))
    assert warm[-1].evidence == pytest.approx(cold[-1].evidence, abs=1e-8)
    assert len(warm) <= len(cold)


def test_the_factor_undoes_the_matrix_that_it_comes_from():
    K, roots = Covariance("rbf", 0.5, 9.0).of(squared_distances(X, X)), np.linspace(0, 0.5, 60)
    B = np.eye(60) + roots[:, None] * K * roots
    half = inverse_factor(K, roots)
    assert half @ B @ half.T == pytest.approx(np.eye(60), abs=1e-10)


@every_shape
def test_far_from_all_points_a_process_knows_its_prior_only(kind):
    state = learn.fit(learn.create("gp", "classify", kernel=kind, length=0.5, variance=4.0), X, Y)
    mean, variance = state.processes[0].moments(np.array([[500.0, 500.0]]))[:, 0]
    assert (mean, variance) == pytest.approx((0.0, 4.0))
    assert state.proba(np.array([[500.0, 500.0]]))[0] == pytest.approx([0.5, 0.5], abs=1e-6)


def process_of(kind, length=0.5, variance=2.0, points=X, labels=Y):
    covariance = Covariance(kind, length, variance)
    *_, mode = newton(covariance.of(squared_distances(points, points)), labels.astype(float))
    return Process(covariance, points, mode.a, mode.roots)


@every_shape
def test_the_variance_is_what_the_formula_of_the_textbook_says(kind):
    process, places = process_of(kind), np.random.default_rng(0).normal(size=(20, 2))
    K = process.covariance.of(squared_distances(X, X))
    near = process.covariance.of(squared_distances(places, X))
    inner = np.linalg.inv(K + np.diag(process.roots**-2.0))  # Rasmussen and Williams 2006, (3.24)
    mean, variance = process.moments(places)
    assert variance == pytest.approx(2.0 - np.einsum("mi,ij,mj->m", near, inner, near), abs=1e-9)
    assert mean == pytest.approx(near @ process.a, abs=1e-12)
    assert (variance <= 2.0 + 1e-12).all()


@every_shape
def test_covariances_may_overwrite_what_they_are_of(kind):
    squares = np.random.default_rng(0).uniform(0, 30, size=(7, 5))
    kept, single = squares.copy(), squares.astype(np.float32)
    assert OVERWRITING[kind](squares) == pytest.approx(SHAPES[kind].value(kept), abs=1e-15)
    found = OVERWRITING[kind](single)
    assert found.dtype == np.float32
    assert found == pytest.approx(SHAPES[kind].value(kept), abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 99), size=st.sampled_from([1e-9, 1.0, 1e9]))
def test_the_spread_has_the_unit_of_the_points_and_no_place(seed, size):
    points = np.random.default_rng(seed).normal(size=(30, 2))
    assert spread((points + 5.0) * size) == pytest.approx(size * spread(points))
    assert spread(points) == pytest.approx(np.sqrt(points.var(axis=0).mean()))
    assert spread(np.full((4, 2), size)) == 1.0


def test_of_many_points_each_class_keeps_its_share():
    points, labels = make_blobs([2700, 299, 1], centers=[[0, 0], [3, 0], [0, 3]], random_state=0)
    shown = few(learn.dataset_of(learn.CLASSIFY, points, labels), np.random.default_rng(0))
    assert np.bincount(shown.labels).tolist() == [900, 99, 1]
    assert len(np.unique(shown.points, axis=0)) == 1000


class Hill:
    """A place on -(x - 2)^2 - 10 (y + 1)^2."""

    def __init__(self, place):
        self.place = place
        self.evidence = -float((place[0] - 2) ** 2 + 10 * (place[1] + 1) ** 2)

    def slopes(self):
        return np.array([-2 * (self.place[0] - 2), -20 * (self.place[1] + 1)])


def test_a_climb_tells_of_its_rises_and_of_what_its_visits_tell():
    climb, visited = Climb(np.zeros(2), np.full(2, -9.0), np.full(2, 9.0)), []

    def visit(place):
        visited.append(place)
        yield "looking"
        return Hill(place)

    told, way = [], uphill(climb, visit, lambda before, now: (before.evidence, now.evidence))
    while True:
        try:
            told.append(next(way))
        except StopIteration as end:
            top = end.value
            break
    rises = [moment for moment in told if moment != "looking"]
    assert told.count("looking") == len(visited) == climb.evaluations
    assert top.place == pytest.approx([2, -1], abs=1e-3)
    assert all(before < now for before, now in rises)
    assert all(one[1] == other[0] for one, other in pairwise(rises))
    assert rises[-1][1] == top.evidence
