"""Squared distances against scipy, also of close points, far from the origin and beside an outlier."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from vizml.field.distances import expanded_distances, squared_distances

RNG = np.random.default_rng(0)


every_way = pytest.mark.parametrize("distances", [squared_distances, expanded_distances])


@every_way
@pytest.mark.parametrize("d", [1, 2, 4, 5, 13, 30])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_distances_are_scipys(distances, d, shift):
    A, B = RNG.normal(size=(70, d)) + shift, RNG.normal(size=(90, d)) + shift
    assert np.allclose(distances(A, B), cdist(A, B, "sqeuclidean"), rtol=1e-9, atol=0.0)


@every_way
@pytest.mark.parametrize("d", [2, 13])
def test_close_and_equal_points_keep_their_digits(distances, d):
    A = RNG.normal(size=(40, d))
    B = np.vstack([A, A + 1e-9 * RNG.normal(size=A.shape)])
    found = distances(A, B)
    assert (found.diagonal() == 0.0).all()
    assert np.allclose(found, cdist(A, B, "sqeuclidean"), rtol=1e-12, atol=0.0)


@every_way
def test_an_outlier_costs_no_digits(distances):
    A = RNG.normal(size=(50, 8))
    A[3] = 1e9
    assert np.allclose(distances(A, A), cdist(A, A, "sqeuclidean"), rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("shape", [(0, 7), (3, 0), (0, 2)])
@every_way
def test_without_points_or_inputs_there_are_no_distances(distances, shape):
    assert (distances(np.empty(shape), np.empty((4, shape[1]))) == np.zeros((shape[0], 4))).all()
