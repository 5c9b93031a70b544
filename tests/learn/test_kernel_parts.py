"""Parts of Parzen windows: bumps and shares, marks, bandwidths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from sklearn.datasets import make_blobs, make_moons

from vizml import learn
from vizml.learn.densities.bumps import BUMPS, Groups, bump, shares_of
from vizml.learn.densities.parzen import scott
from vizml.scene import Path, Words

X, Y = make_moons(60, noise=0.25, random_state=0)
every_bump = pytest.mark.parametrize("kind", BUMPS)


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
