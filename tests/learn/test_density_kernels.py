"""Kernels of density estimates, and Parzen windows: posteriors, marks, bandwidths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from sklearn.datasets import make_blobs, make_moons

from vizml import learn
from vizml.learn.densities.kernels import EMPTY, ClassCentres, DensityKernel, log_sum, outline
from vizml.learn.densities.parzen import within_class_scott
from vizml.scene import Path, TextLabels

X, Y = make_moons(60, noise=0.25, random_state=0)
KERNELS = ("gaussian", "exponential", "laplace", "epanechnikov", "box")
every_kernel = pytest.mark.parametrize("name", KERNELS)


def groups(seed=0, sizes=(5, 3, 7)):
    rng = np.random.default_rng(seed)
    return ClassCentres(
        centres=rng.normal(size=(sum(sizes), 2)), sizes=sizes, weights=rng.uniform(0.1, 1, len(sizes))
    )


def log_values(kernel, points, centres):
    return kernel.log_values(kernel.distances(points, centres))


def parzen(points=X, labels=Y, **values):
    return learn.fit(learn.create("parzen", **values), points, labels)


@every_kernel
def test_a_kernel_is_one_at_its_centre_and_has_its_volume(name):
    kernel, origin = DensityKernel(name, 0.7), np.zeros((1, 2))
    assert log_values(kernel, origin, origin)[0, 0] == 0.0

    def value(y, x):
        return float(np.exp(log_values(kernel, np.array([[x, y]]), origin)[0, 0]))

    reach = 0.7 if kernel.compact else 8.0
    edge = (lambda x: np.sqrt(max(0.49 - x * x, 0.0))) if kernel.compact else (lambda _: reach)
    quarter, _ = dblquad(value, 0, reach, 0, edge, epsabs=1e-4)
    assert 4 * quarter == pytest.approx(np.exp(kernel.log_volume(2)), rel=2e-3)


@every_kernel
@pytest.mark.parametrize("d", [1, 3])
def test_volumes_in_other_dimensions_are_means_of_random_points(name, d):
    kernel, reach = DensityKernel(name, 1.0), 1.0 if name in ("epanechnikov", "box") else 9.0
    points = np.random.default_rng(0).uniform(-reach, reach, size=(400_000, d))
    values = np.exp(log_values(kernel, points, np.zeros((1, d))))[:, 0]
    mean, error = values.mean(), values.std() / np.sqrt(len(values))
    box = (2 * reach) ** d
    assert np.exp(kernel.log_volume(d)) == pytest.approx(box * mean, abs=box * 5 * error + 1e-9)


@every_kernel
def test_the_outline_is_a_line_of_equal_height(name):
    line = outline(DensityKernel(name, 0.7), np.zeros(2))
    heights = log_values(DensityKernel(name, 0.7), line * 0.999, np.zeros((1, 2)))
    assert np.ptp(heights) < 1e-9
    assert len(line) == (4 if name == "laplace" else 96)  # the ball of the L1 norm is a diamond


@every_kernel
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 999), h=st.floats(0.05, 20))
def test_posteriors_are_shares_of_the_sums(name, seed, h):
    kernel, classes = DensityKernel(name, h), groups(seed)
    points = np.random.default_rng(seed + 1).normal(size=(20, 2)) * 2
    logs = log_values(kernel, points, classes.centres)
    posteriors, sums = classes.posteriors(logs), classes.sums(logs)
    total = sums.sum(axis=1)
    reached = total > 1e-200
    assert posteriors[reached] == pytest.approx(sums[reached] / total[reached, None], rel=1e-6, abs=1e-9)
    assert posteriors[total > 0].sum(axis=1) == pytest.approx(np.ones((total > 0).sum()))


def test_the_priors_hold_where_no_kernel_reaches():
    classes = groups()
    assert classes.posteriors(np.full((2, 15), -np.inf)) == pytest.approx(np.stack([classes.priors] * 2))
    assert classes.priors == pytest.approx(classes.weights * [5, 3, 7])
    assert classes.each.tolist() == np.repeat(classes.weights, (5, 3, 7)).tolist()
    assert log_sum(np.full((1, 3), -np.inf)).tolist() == [EMPTY]


def test_kernels_that_underflow_still_have_posteriors():
    classes = ClassCentres(
        centres=np.array([[0.0, 0.0], [1.0, 0.0]]), sizes=(1, 1), weights=np.array([0.5, 0.5])
    )
    logs = log_values(DensityKernel("gaussian", 0.001), np.array([[0.4, 0.0], [50.0, 0.0]]), classes.centres)
    assert classes.posteriors(logs) == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0]]))


# Parzen windows


def test_few_bumps_are_drawn_in_the_colours_of_their_classes():
    state = parzen(X[:20], Y[:20] * 3, bandwidth=0.5)
    for mark, code in zip(state.marks(), (0, 1), strict=True):
        own = X[:20][Y[:20] == code]
        assert mark.ink == code
        middles = np.array([line.mean(axis=0) for line in mark.lines])
        assert sorted(map(tuple, middles.round(9))) == sorted(map(tuple, own.round(9)))
        assert np.linalg.norm(mark.lines[0] - middles[0], axis=1) == pytest.approx(np.full(96, 0.5))
    assert [bool(mark.legend) for mark in state.marks()] == [True, False]
    assert parzen().marks() == ()


def test_the_pointer_reads_the_density_of_each_class():
    state, place = parzen(bandwidth=0.4), np.array([0.5, 0.2])
    edge, words = state.on().probe(place)
    a, b = state.densities(place[None])[0]
    assert isinstance(edge, Path)
    assert isinstance(words, TextLabels)
    assert words.texts == (f"density A {a:.3g}, B {b:.3g}",)
    assert edge.lines[0].mean(axis=0) == pytest.approx(place)
    assert state.metrics() == {"bandwidth": 0.4, "points": 60.0}


def test_coincident_classes_get_covariances_from_their_distance():
    points = np.repeat([[0.0, 0.0], [4.0, 0.0]], 3, axis=0)
    codes = np.repeat([0, 1], 3)
    assert within_class_scott(points, codes) == pytest.approx(
        np.sqrt(2.0) * 3 ** (-1 / 6)
    )  # variances 4 and 0
    assert within_class_scott(np.ones((2, 2)), np.array([0, 1])) == 1.0


def test_of_many_points_about_four_hundred_judge_the_bandwidths_in_proportion():
    points, labels = make_blobs([1800, 200], centers=[[0, 0], [3, 0]], random_state=0)
    state = parzen(points, labels)
    (error,) = state.leave_one_out_errors(np.array([0.5]))
    wrong = np.mean(state.predict(points) != labels)
    assert error == pytest.approx(wrong, abs=4 * np.sqrt(wrong * (1 - wrong) / 400))
