"""Distances by their parts, against scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from vizml.field.nearest import METRICS

THEIRS = {"l1": "cityblock", "l2": "euclidean", "linf": "chebyshev"}
every_metric = pytest.mark.parametrize("name", sorted(METRICS))
coordinates = st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=1, max_size=8)


def test_each_has_a_name_of_the_field():
    assert METRICS.keys() == THEIRS.keys()


@every_metric
@given(X=coordinates, points=coordinates)
def test_the_length_of_a_rank_is_the_distance(name, X, points):
    X, points = np.array(X), np.array(points)
    found = METRICS[name].length(METRICS[name].ranks(X, points))
    np.testing.assert_allclose(found, cdist(X, points, THEIRS[name]), rtol=1e-12, atol=1e-150)


@every_metric
def test_ranks_are_in_the_order_of_the_distances(name):
    rng = np.random.default_rng(0)
    X, points = rng.normal(size=(9, 2)), rng.normal(size=(40, 2))
    ours, theirs = METRICS[name].ranks(X, points), cdist(X, points, THEIRS[name])
    assert np.array_equal(ours.argsort(axis=1), theirs.argsort(axis=1))


def test_the_three_are_ordered_by_their_powers():
    rng = np.random.default_rng(1)
    X, points = rng.normal(size=(20, 2)), rng.normal(size=(30, 2))
    l1, l2, linf = (METRICS[n].length(METRICS[n].ranks(X, points)) for n in ("l1", "l2", "linf"))
    assert (linf <= l2 + 1e-12).all()
    assert (l2 <= l1 + 1e-12).all()
    assert (l1 <= 2 * linf + 1e-12).all()
