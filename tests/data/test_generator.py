"""Generators check their options, balance classes, and add noise of the declared deviation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

from vizml.data import Dataset, describe, generate, names
from vizml.data.generator import NOISE, SEED, SIZE, DatasetGenerator, balanced_labels, gaussian_noise

ELSEWHERE = ("anisotropic", "blobs", "default", "picture", "weather")
EVERYWHERE = [name for name in names("classify") if name not in ELSEWHERE]
"""Where noise is drawn last, in both directions and without rounding."""


def made(rng, n, noise):
    return Dataset(noise * rng.normal(size=(n, 2)), np.zeros(n, int))


OPTIONS = replace(SIZE, default=7), replace(NOISE, default=0.5), SEED
DUST = DatasetGenerator("dust", "Dust", "Points anywhere.", "classify", OPTIONS, made)


def test_options_that_are_not_given_have_their_defaults():
    assert DUST.values() == {"n": 7, "noise": 0.5, "seed": 0}
    assert DUST.values(seed=3, n=2.0) == {"n": 2, "noise": 0.5, "seed": 3}
    assert len(DUST()) == 7


def test_the_seed_makes_the_generator_and_is_no_argument():
    expected = 0.5 * np.random.default_rng(9).normal(size=(7, 2))
    assert np.array_equal(DUST(seed=9).points, expected)


@given(st.integers(0, 300), st.integers(1, 8))
def test_balanced_classes_differ_by_one_at_most_and_the_first_are_the_larger(n, classes):
    sizes = np.bincount(balanced_labels(n, classes), minlength=classes)
    assert sizes.sum() == n
    assert sizes.max() - sizes.min() <= 1
    assert (np.diff(sizes) <= 0).all()


def test_offsets_are_gaussian_in_both_directions():
    offsets = gaussian_noise(np.random.default_rng(0), 4000, 2.0)
    assert kstest(offsets.ravel() / 2.0, "norm").pvalue > 0.01
    assert abs(np.corrcoef(offsets.T)[0, 1]) < 5 / np.sqrt(4000)
    assert not gaussian_noise(np.random.default_rng(0), 5, 0.0).any()


@pytest.mark.parametrize("name", EVERYWHERE)
def test_noise_is_the_deviation_from_the_same_shape_without_it(name):
    n = min(2000, describe(name).option("n").hi)
    exact, noisy = generate(name, n=n, noise=0, seed=6), generate(name, n=n, noise=0.3, seed=6)
    offsets = noisy.points - exact.points
    assert np.array_equal(exact.labels, noisy.labels)
    assert kstest(offsets.ravel() / 0.3, "norm").pvalue > 0.01


@pytest.mark.parametrize("name", [name for name in names("regress") if name != "diabetes"])
def test_noise_of_a_curve_is_along_y_and_in_proportion(name):
    exact, once, twice = (generate(name, n=300, noise=s, seed=5) for s in (0, 0.3, 0.6))
    assert np.array_equal(once.x, exact.x)
    assert np.allclose(twice.y - exact.y, 2 * (once.y - exact.y))
    assert np.abs(once.y - exact.y).max() > 0


@pytest.mark.parametrize("name", ["sine", "step", "line", "cubic", "hetero"])
def test_the_abscissa_is_spread_evenly(name):
    assert kstest(generate(name, n=2000, seed=1).x, "uniform", args=(-3, 6)).pvalue > 0.01


def test_points_of_spirals_and_circles_lie_evenly_along_their_arms():
    circle = generate("circles", n=4000, noise=0, seed=2)
    angle = np.arctan2(circle.y, circle.x)
    assert kstest(angle, "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 0.01
    spiral = generate("spirals", n=4000, noise=0, seed=2)
    area = (np.hypot(spiral.x, spiral.y) / 2.6) ** 2
    assert kstest(area, "uniform", args=(0.01, 0.99)).pvalue > 0.01


@pytest.mark.parametrize("cells", [3, 4, 20])
@pytest.mark.parametrize("classes", range(2, 9))
def test_a_checkerboard_gives_each_class_cells_of_its_own(cells, classes):
    board = generate("checkerboard", n=3000, noise=0, cells=cells, classes=classes)
    column, row = np.floor((board.points / 5.2 + 0.5) * cells).astype(int).T
    owner = {}
    for place, label in zip(zip(column, row), board.labels.tolist()):
        assert owner.setdefault(place, label) == label
    assert set(owner.values()) == set(range(classes))
