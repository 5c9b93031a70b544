"""Data sets by name repeat from their seed, are balanced, and have the shape that they are named for."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest
from sklearn.linear_model import LinearRegression

from tests.calls import refusal
from vizml.data import Dataset, describe, generate, names
from vizml.data.generator import NOISE, SEED, SIZE, DatasetGenerator, balanced_labels, gaussian_noise
from vizml.data.params import Integer, Real

SHAPES = [
    *("moons", "circles", "blobs", "row", "xor", "spirals", "checkerboard", "linear", "anisotropic"),
    *("outliers", "sequence"),
]
BUNDLED = ["iris", "wine", "cancer", "weather", "diabetes", "default", "picture"]
CURVES = ["sine", "step", "line", "cubic", "hetero", "series"]
TEXTBOOK = ["advertising", "auto", "collinear"]
SAMPLES = [
    *("coin", "binomial", "multinomial", "poisson", "uniform", "gaussian", "laplace", "gamma", "beta"),
    "pareto",
]
SURFACES = ["bowl", "ravine", "rosenbrock", "himmelblau", "camel", "saddle", "waves", "network", "formula"]
EXACT = ("default", "diabetes", "weather", *SAMPLES, *SURFACES)
"""Tables without an option for noise."""
WITH_CLASSES = [n for n in SHAPES if any(p.name == "classes" for p in describe(n).options)]


def radius(points):
    return np.hypot(*points.T)


def test_the_names_that_scripts_rely_on_are_there():
    assert names() == (*SHAPES, *BUNDLED, *CURVES, *TEXTBOOK, *SAMPLES, *SURFACES)
    assert names("regress") == ("diabetes", *CURVES, *TEXTBOOK)
    assert names("distribute") == (*SAMPLES,)
    assert names("descend") == (*SURFACES,)
    assert names("cluster") == names("density") == names("classify")


def test_an_unknown_task_is_refused():
    with pytest.raises(
        ValueError, match="there is no task 'guess'; there are classify, regress, cluster, densit"
    ):
        names("guess")


@pytest.mark.parametrize("name", names())
class TestEveryDataSet:
    def test_repeats_from_its_seed(self, name):
        n = 100 if name in SAMPLES else min(12, describe(name).option("n").hi)
        options = {"n": n} if name in EXACT else {"noise": 0.3}
        one, two = generate(name, **options, seed=4), generate(name, **options, seed=4)
        assert one == two
        assert one != generate(name, **options, seed=5)

    @pytest.mark.parametrize("n", [1, 2, 7, 100])
    def test_has_as_many_points_as_asked_for(self, name, n):
        n = min(n, describe(name).option("n").hi)
        assert len(generate(name, n=n)) == n

    def test_says_what_it_is_and_takes(self, name):
        source = describe(name)
        assert source.title
        assert source.help
        assert source.options[0].name == "n"
        assert (name in EXACT) == (source.options[1].name != "noise")
        assert source.options[-1].name == "seed"
        assert all(p.help and p.coerce(p.default) == p.default for p in source.options)

    def test_makes_finite_points_at_the_ends_of_every_option(self, name):
        for param in describe(name).options:
            if isinstance(param, Real | Integer) and param.name != "n":
                for value in (param.lo, param.hi):
                    assert np.isfinite(generate(name, n=10, **{param.name: value}).points).all()


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_fill_the_usual_window(name):
    left, right, bottom, top = generate(name, n=500).bounds
    assert -4.5 < left < -1.5
    assert -4.5 < bottom < -0.9
    assert 1.2 < top < 4.5
    assert 1.8 < right < (9 if name == "outliers" else 4.5)


@pytest.mark.parametrize("name", SHAPES)
def test_classes_differ_in_size_by_one_at_most(name):
    sizes = np.bincount(generate(name, n=101).labels)
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("name", WITH_CLASSES)
@pytest.mark.parametrize("classes", range(2, 9))
def test_there_are_as_many_classes_as_asked_for(name, classes):
    assert generate(name, n=80, classes=classes).present.tolist() == list(range(classes))


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_unlabelled_over_the_usual_abscissa(name):
    dataset = generate(name, n=400)
    assert (dataset.labels == -1).all()
    assert -3 <= dataset.x.min() < -2.8
    assert 2.8 < dataset.x.max() <= 3


def test_moons_without_noise_are_half_circles():
    dataset = generate("moons", noise=0)
    first = dataset.points[dataset.labels == 0]
    assert np.allclose(radius(first - [-0.8, -0.4]), 1.6)
    second = dataset.points[dataset.labels == 1]
    assert np.allclose(radius(second - [0.8, 0.4]), 1.6)
    assert (first[:, 1] >= -0.4).all()


def test_circles_without_noise_are_circles():
    dataset = generate("circles", noise=0, classes=3)
    assert np.allclose(radius(dataset.points), 0.8 * (dataset.labels + 1))


def test_xor_without_noise_gives_each_class_two_quadrants():
    dataset = generate("xor", noise=0)
    assert np.array_equal(dataset.labels == 1, dataset.x * dataset.y < 0)
    quadrants = set(zip(np.sign(dataset.x), np.sign(dataset.y)))
    assert len(quadrants) == 4


def test_spirals_without_noise_wind_as_often_as_asked():
    dataset = generate("spirals", n=400, noise=0, classes=4, turns=2.0)
    share = radius(dataset.points) / 2.6
    angle = np.arctan2(dataset.y, dataset.x)
    arm = 2 * np.pi * dataset.labels / 4
    assert np.allclose(np.exp(1j * angle), np.exp(1j * (2 * np.pi * 2.0 * share + arm)))


def test_checkerboard_without_noise_alternates():
    dataset = generate("checkerboard", n=400, noise=0, cells=4)
    cell = np.floor((dataset.points / 5.2 + 0.5) * 4).astype(int)
    assert np.array_equal(cell.sum(axis=1) % 2, dataset.labels)


def test_linear_without_noise_leaves_its_gap_free():
    dataset = generate("linear", noise=0, gap=1.0)
    normal = np.array([-np.sin(0.5), np.cos(0.5)])
    away = dataset.points @ normal
    assert (away[dataset.labels == 0] >= 0.5).all()
    assert (away[dataset.labels == 1] <= -0.5).all()


def test_the_middle_cloud_of_a_row_is_masked():
    """Least squares on 0/1 codes predicts two of three classes."""
    dataset = generate("row", n=198)
    codes = np.eye(3)[dataset.labels]
    fitted = LinearRegression().fit(dataset.points, codes).predict(dataset.points).argmax(axis=1)
    assert (dataset.labels == fitted).mean() == pytest.approx(2 / 3, abs=0.01)
    assert dataset.points[dataset.labels == 1].mean(axis=0) == pytest.approx(0, abs=1e-12)


def test_anisotropic_clouds_are_as_long_as_asked():
    dataset = generate("anisotropic", n=9000, noise=0.2, stretch=6.0)
    cloud = dataset.points[dataset.labels == 0]
    short, long = np.sqrt(np.linalg.eigvalsh(np.cov(cloud.T)))
    assert short == pytest.approx(0.2, rel=0.05)
    assert long / short == pytest.approx(6, rel=0.05)


def test_outliers_are_as_many_as_asked():
    dataset = generate("outliers", n=200, noise=0.2, share=0.05)
    assert (radius(dataset.points) > 5).sum() == 10
    swapped = generate("outliers", n=200, noise=0.2, share=0.05, kind="swapped")
    assert ((swapped.x > 0) != (swapped.labels == 1)).sum() == 10


def test_curves_without_noise_are_their_formulas():
    x, y = generate("cubic", noise=0).points.T
    assert np.allclose(y, x**3 / 6 - x)
    x, y = generate("line", noise=0, slope=2, intercept=-1).points.T
    assert np.allclose(y, 2 * x - 1)
    x, y = generate("step", noise=0, jump=3).points.T
    assert np.allclose(y, np.where(x < 0, -1.5, 1.5))
    x, y = generate("sine", noise=0, periods=1).points.T
    assert np.allclose(y, -1.5 * np.sin(np.pi * x / 3))


def test_the_noise_of_hetero_grows():
    x, y = generate("hetero", n=20_000, noise=0.4).points.T
    error = y - 0.5 * x
    assert error[x < -2].std() == pytest.approx(0.077, rel=0.1)
    assert error[x > 2].std() == pytest.approx(0.74, rel=0.1)


@pytest.mark.parametrize(
    "name, options, sentence",
    [
        ("moons", {"noise": "x"}, "noise must be a number from 0 to 10, not 'x'"),
        ("moons", {"noise": -1}, "noise must be a number from 0 to 10, not -1"),
        ("moons", {"n": 0}, "n must be a whole number from 1 to 200000, not 0"),
        ("moons", {"n": 10**6}, "n must be a whole number from 1 to 200000, not 1000000"),
        ("moons", {"seed": 0.5}, "seed must be a whole number from 0 to 4294967295, not 0.5"),
        ("blobs", {"classes": 9}, "classes must be a whole number from 2 to 8, not 9"),
        ("outliers", {"kind": "odd"}, "kind must be one of far, swapped, not 'odd'"),
        ("moons", {"turns": 2}, "moons has no option 'turns'; it has n, noise, seed"),
        ("moons", {"niose": 2}, "moons has no option 'niose'; did you mean 'noise'? it has n, noise, seed"),
    ],
)
def test_unfit_options_are_refused_in_one_sentence(name, options, sentence):
    assert refusal(generate, name, **options) == sentence


@pytest.mark.parametrize("name", SURFACES)
def test_starts_lie_within_their_surface_and_the_first_suits_it(name):
    dataset = generate(name, n=10, seed=3)
    left, right, bottom, top = dataset.surface.bounds
    assert tuple(dataset.points[0]) == dataset.surface.start
    assert ((dataset.points >= (left, bottom)) & (dataset.points <= (right, top))).all()
    assert dataset.axes == ("w1", "w2")


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
