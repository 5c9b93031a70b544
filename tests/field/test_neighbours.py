"""Neighbours of pixels against scikit-learn and scipy, and what may not matter to them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree
from sklearn.neighbors import KNeighborsClassifier

from vizml.field import Raster
from vizml.field.metrics import METRICS
from vizml.field.nearest import nearest_shares, nearest_votes
from vizml.field.rivals import weigh

NAMES = sorted(METRICS)
THEIRS = {"l1": "manhattan", "l2": "euclidean", "linf": "chebyshev"}
SCREEN = Raster.over((-3.0, 4.0, -2.5, 3.5), 90, 77)
every_metric = pytest.mark.parametrize("metric", NAMES)


def cloud(count=80, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.arange(count) % classes
    return rng.normal(size=(count, 2)) + 0.5 * codes[:, None], codes


def theirs(raster, points, codes, k, metric, weights):
    model = KNeighborsClassifier(k, metric=THEIRS[metric], weights=weights).fit(points, codes)
    return model.predict_proba(raster.points()).T.reshape(-1, *raster.shape)


@every_metric
@pytest.mark.parametrize("k", [1, 4, 17, 80])
def test_votes_are_those_of_scikit_learn(metric, k):
    points, codes = cloud()
    found = nearest_votes(SCREEN, points, codes, k, classes=3, metric=metric)
    assert np.abs(found / k - theirs(SCREEN, points, codes, k, metric, "uniform")).max() < 1e-12


@every_metric
@pytest.mark.parametrize("k", [1, 4, 17, 80])
def test_weighted_shares_are_those_of_scikit_learn(metric, k):
    points, codes = cloud()
    found = nearest_shares(SCREEN, points, codes, k, classes=3, metric=metric)
    assert np.abs(found - theirs(SCREEN, points, codes, k, metric, "distance")).max() < 1e-6


def test_one_neighbour_makes_the_cells_of_voronoi():
    points, _ = cloud(8)
    found = nearest_votes(SCREEN, points, np.arange(8), 1, classes=8)
    assert np.array_equal(found.argmax(axis=0).ravel(), cKDTree(points).query(SCREEN.points())[1])
    assert (found.sum(axis=0) == 1).all()


@every_metric
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), k=st.integers(1, 40))
def test_every_pixel_has_as_many_votes_as_neighbours(metric, seed, count, k):
    points, codes = cloud(count, 4, seed)
    found = nearest_votes(SCREEN, points, codes, k, classes=4, metric=metric)
    assert (found.sum(axis=0) == min(k, count)).all()


@every_metric
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), k=st.integers(1, 12))
def test_shares_add_up_to_one_even_on_the_points(metric, seed, count, k):
    points, codes = cloud(count, 4, seed)
    raster = Raster(np.sort(points[:, 0]), np.sort(points[:, 1]))
    found = nearest_shares(raster, points, codes, k, classes=4, metric=metric)
    assert np.abs(found.sum(axis=0) - 1).max() < 1e-6
    assert found.min() >= 0


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
@every_metric
def test_the_order_of_points_does_not_matter_where_none_tie(ask, metric):
    points, codes = cloud()
    other = np.random.default_rng(1).permutation(len(codes))
    usual = ask(SCREEN, points, codes, 5, classes=3, metric=metric)
    moved = ask(SCREEN, points[other], codes[other], 5, classes=3, metric=metric)
    assert np.abs(moved.astype(float) - usual).max() < 1e-6


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
def test_names_of_classes_do_not_matter(ask):
    points, codes = cloud()
    names = np.array([2, 0, 1])
    usual, renamed = (ask(SCREEN, points, c, 5, classes=3) for c in (codes, names[codes]))
    assert np.array_equal(renamed[names], usual)


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
def test_a_class_without_points_has_nothing(ask):
    points, codes = cloud()
    found = ask(SCREEN, points, codes, 5, classes=5)
    assert not found[3:].any()
    assert np.array_equal(found[:3], ask(SCREEN, points, codes, 5, classes=3))


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
def test_bands_agree_with_the_whole(ask):
    points, codes = cloud()
    bands = [ask(band, points, codes, 7, classes=3) for _, band in SCREEN.bands(10)]
    whole = ask(SCREEN, points, codes, 7, classes=3)
    assert np.abs(np.concatenate(bands, axis=1).astype(float) - whole).max() < 1e-6


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
def test_axes_may_fall(ask):
    points, codes = cloud()
    fallen = ask(Raster(SCREEN.x[::-1], SCREEN.y[::-1]), points, codes, 7, classes=3)
    whole = ask(SCREEN, points, codes, 7, classes=3)
    assert np.abs(fallen[:, ::-1, ::-1].astype(float) - whole).max() < 1e-6


@every_metric
def test_points_on_a_line_part_the_plane_by_the_line(metric):
    points = np.column_stack([np.arange(10.0), np.zeros(10)])
    found = nearest_votes(
        Raster(np.arange(-3, 13.0), [0.0]), points, np.arange(10), 1, classes=10, metric=metric
    )
    assert found.argmax(axis=0)[0].tolist() == [0, 0, 0, *range(10), 9, 9, 9]


def test_points_in_one_place_vote_together():
    points, codes = np.zeros((6, 2)), np.array([0, 1, 1, 0, 1, 1])
    found = nearest_votes(SCREEN, points, codes, 3, classes=2)
    assert (found[0] == 1).all()
    assert (found[1] == 2).all()


@pytest.mark.parametrize("ask", [nearest_votes, nearest_shares])
@pytest.mark.parametrize("raster", [Raster([], [1.0]), Raster([1.0], [])], ids=["no columns", "no rows"])
def test_an_empty_raster_has_no_votes(ask, raster):
    assert ask(raster, *cloud(), 3, classes=3).shape == (3, *raster.shape)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9))
def test_nearer_points_weigh_more_and_none_weighs_less_than_nothing(distances):
    weights = weigh(np.array(distances))
    order = np.argsort(distances, kind="stable")
    assert (np.diff(weights[order]) <= 0).all()
    assert (weights >= 0).all()
    assert np.isfinite(weights).all()
