"""The nearest points of every pixel against a full sort, scikit-learn and scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from vizml.field.distances import METRICS
from vizml.field.nearest import inverse_distances, lowest, nearest_shares, nearest_votes
from vizml.field.raster import Raster

NAMES = sorted(METRICS)
THEIRS = {"l1": "manhattan", "l2": "euclidean", "linf": "chebyshev"}
SCREEN = Raster.over((-3.0, 4.0, -2.5, 3.5), 90, 77)
every_metric = pytest.mark.parametrize("metric", NAMES)


@every_metric
@given(points=st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=2, max_size=9))
def test_the_length_of_a_rank_is_the_distance(metric, points):
    X, points = np.array(points[:1]), np.array(points)
    found = METRICS[metric].length(METRICS[metric].ranks(X, points))
    theirs = cdist(X, points, THEIRS[metric].replace("manhattan", "cityblock"))
    np.testing.assert_allclose(found, theirs, rtol=1e-12, atol=1e-150)


def brute(raster, points, codes, k, classes, metric):
    """Votes (K, H, W) by a stable sort of all distances."""
    order = np.argsort(METRICS[metric].ranks(raster.points(), points), axis=1, kind="stable")[:, :k]
    votes = np.stack([(codes[order] == code).sum(axis=1) for code in range(classes)])
    return votes.reshape(classes, *raster.shape)


def cloud(count, classes, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(classes, size=count)
    return rng.normal(size=(count, 2)) + 0.7 * codes[:, None], codes


def screen(zoom=1.0, width=150, height=70):
    return Raster.over((-3.0 * zoom, 4.0 * zoom, -2.5 * zoom, 3.5 * zoom), width, height)


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("k", [1, 2, 5, 15, 40])
@pytest.mark.parametrize("classes", [2, 4])
def test_votes_equal_those_of_looking_at_every_point(metric, k, classes):
    points, codes = cloud(200, classes)
    found = nearest_votes(screen(), points, codes, k, classes=classes, metric=metric)
    assert np.array_equal(found, brute(screen(), points, codes, k, classes, metric))


@pytest.mark.parametrize("zoom", [30.0, 3.0, 0.1, 1e-3])
def test_votes_are_exact_at_every_zoom(zoom):
    points, codes = cloud(300, 3)
    found = nearest_votes(screen(zoom), points, codes, 7, classes=3)
    assert np.array_equal(found, brute(screen(zoom), points, codes, 7, 3, "l2"))


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("k, classes", [(1, 2), (5, 3), (60, 2)])
def test_votes_are_exact_where_each_pixel_has_many_points(metric, k, classes):
    points, codes = cloud(6000, classes)
    raster = screen(width=21, height=13)
    found = nearest_votes(raster, points, codes, k, classes=classes, metric=metric)
    assert np.array_equal(found, brute(raster, points, codes, k, classes, metric))


@pytest.mark.parametrize("metric", NAMES)
def test_ties_go_to_the_first_point(metric):
    points = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], 3, axis=0)
    codes = np.array([0, 1, 2] * 4)
    raster = Raster(np.linspace(-1, 2, 61), np.linspace(-1, 2, 61))
    for k in (1, 2, 4, 7):
        found = nearest_votes(raster, points, codes, k, classes=3, metric=metric)
        assert np.array_equal(found, brute(raster, points, codes, k, 3, metric))


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_size_does_not_matter(size):
    points, codes = cloud(120, 2)
    raster = Raster(screen().x * size, screen().y * size)
    found = nearest_votes(raster, points * size, codes, 5, classes=2)
    assert np.array_equal(found, brute(raster, points * size, codes, 5, 2, "l2"))


def test_a_far_offset_does_not_matter():
    points, codes = cloud(120, 2)
    points[:, 0] += 1e9
    raster = Raster(screen().x + 1e9, screen().y)
    found = nearest_votes(raster, points, codes, 5, classes=2)
    assert np.array_equal(found, brute(raster, points, codes, 5, 2, "l2"))


def test_many_points_agree_on_a_sample_of_pixels():
    points, codes = cloud(10_000, 2)
    raster = screen(width=400, height=300)
    found = nearest_votes(raster, points, codes, 15, classes=2)
    few = Raster(raster.x[7::50], raster.y[7::50])
    assert np.array_equal(found[:, 7::50, 7::50], brute(few, points, codes, 15, 2, "l2"))


@given(
    seed=st.integers(0, 10**6), count=st.integers(1, 40), k=st.integers(1, 12),
    width=st.integers(1, 70), height=st.integers(1, 70), steps=st.sampled_from([0, 4, 16]),
    metric=st.sampled_from(NAMES),
)  # fmt: skip
@settings(max_examples=60)
def test_any_points_on_any_raster(seed, count, k, width, height, steps, metric):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 2))
    if steps:
        points = np.round(points * steps) / steps
    codes = rng.integers(3, size=count)
    raster = Raster(np.linspace(-2, 2, width), np.linspace(-2, 2, height))
    found = nearest_votes(raster, points, codes, k, classes=3, metric=metric)
    assert np.array_equal(found, brute(raster, points, codes, min(k, count), 3, metric))


def test_a_pixel_on_a_point_belongs_to_it():
    points, codes = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0]]), np.array([1, 0, 0])
    found = nearest_shares(Raster(np.array([0.0, 0.1]), np.array([0.0])), points, codes, 3, classes=2)
    assert found[:, 0].T.tolist() == [[0.0, 1.0], [1.0, 0.0]]


def test_points_at_no_distance_share_all_the_weight():
    assert inverse_distances(np.array([0.0, 2.0, 0.0, np.inf])).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert inverse_distances(np.array([0.5, 4.0, np.inf])).tolist() == [2.0, 0.25, 0.0]


@pytest.mark.parametrize("count", [4, 17, 40])
def test_the_lowest_are_those_of_a_stable_sort(count):
    rng = np.random.default_rng(count)
    ranks = rng.integers(6, size=(count, 5, 4, 4)).astype(float)
    order = np.argsort(np.argsort(ranks, axis=0, kind="stable"), axis=0)
    need = rng.integers(1, count, size=5)
    assert np.array_equal(lowest(ranks, need), order < need[:, None, None])
    for k in (1, 3, count):
        assert np.array_equal(lowest(ranks, k), order < k)


def theirs(raster, points, codes, k, metric, weights):
    model = KNeighborsClassifier(k, metric=THEIRS[metric], weights=weights).fit(points, codes)
    return model.predict_proba(raster.points()).T.reshape(-1, *raster.shape)


@every_metric
@pytest.mark.parametrize("k", [1, 4, 17, 80])
def test_votes_are_those_of_scikit_learn(metric, k):
    points, codes = cloud(80, 3)
    found = nearest_votes(SCREEN, points, codes, k, classes=3, metric=metric)
    assert np.abs(found / k - theirs(SCREEN, points, codes, k, metric, "uniform")).max() < 1e-12


@every_metric
@pytest.mark.parametrize("k", [1, 4, 17, 80])
def test_weighted_shares_are_those_of_scikit_learn(metric, k):
    points, codes = cloud(80, 3)
    found = nearest_shares(SCREEN, points, codes, k, classes=3, metric=metric)
    assert np.abs(found - theirs(SCREEN, points, codes, k, metric, "distance")).max() < 1e-6


def test_one_neighbour_makes_the_cells_of_voronoi():
    points, _ = cloud(8, 3)
    found = nearest_votes(SCREEN, points, np.arange(8), 1, classes=8)
    assert np.array_equal(found.argmax(axis=0).ravel(), cKDTree(points).query(SCREEN.points())[1])
    assert (found.sum(axis=0) == 1).all()


@every_metric
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), k=st.integers(1, 12))
def test_shares_add_up_to_one_even_on_the_points(metric, seed, count, k):
    points, codes = cloud(count, 4, seed)
    raster = Raster(np.sort(points[:, 0]), np.sort(points[:, 1]))
    found = nearest_shares(raster, points, codes, k, classes=4, metric=metric)
    assert np.abs(found.sum(axis=0) - 1).max() < 1e-6
    assert found.min() >= 0
