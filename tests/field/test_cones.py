"""The Laplace kernel by Euclidean distance: tiles of it against the sum over all centres."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from vizml.field import Raster, cones
from vizml.field.cones import cone_logs

RNG = np.random.default_rng(0)
CENTRES = RNG.normal(size=(60, 2))
AROUND = Raster.over((-4.0, 4.0, -3.0, 3.0), 150, 110)
CLOSE = Raster.over((0.1, 0.4, -0.2, 0.1), 140, 150)
ASIDE = Raster.over((30.0, 38.0, -3.0, 3.0), 90, 70)


def expected(raster, centres, rate):
    return logsumexp(-rate * cdist(raster.points(), centres), axis=1).reshape(raster.shape)


def agrees(raster, centres, rate):
    found, wanted = cone_logs(raster, centres, rate), expected(raster, centres, rate)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("raster", [AROUND, CLOSE, ASIDE], ids=["around", "close", "aside"])
@pytest.mark.parametrize("rate", [1e-3, 0.3, 1.0, 4.0, 20.0, 300.0])
def test_it_is_the_sum_over_all_centres(raster, rate):
    agrees(raster, CENTRES, rate)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 12),
    rate=st.floats(1e-3, 1e3),
    width=st.integers(1, 130),
    height=st.integers(1, 70),
    span=st.sampled_from([1e-6, 0.1, 3.0, 1e4]),
)
def test_on_any_raster(seed, n, rate, width, height, span):
    centres = np.random.default_rng(seed).normal(size=(n, 2))
    agrees(Raster.over((-span, 2 * span, -span, span), width, height), centres, rate)


def test_most_tiles_are_polynomials_where_the_kernel_is_wide(monkeypatch):
    asked, given_up = [], []
    smooth, summed = cones._smooth, cones._summed_logs
    monkeypatch.setattr(cones, "_smooth", lambda *facts: asked.append(1) or smooth(*facts))
    monkeypatch.setattr(cones, "_summed_logs", lambda *facts: given_up.append(1) or summed(*facts))
    agrees(AROUND, CENTRES, 1.0)
    assert len(asked) >= 20
    assert len(given_up) <= len(asked) // 10


def test_a_tile_whose_polynomial_does_not_say_all_is_summed(monkeypatch):
    monkeypatch.setattr(cones, "NEGLIGIBLE", 0.0)
    agrees(AROUND, CENTRES, 1.0)


def test_a_crease_at_a_pixel_and_at_the_edge_of_a_tile_is_sharp():
    centres = np.array([[AROUND.x[64], AROUND.y[20]], [AROUND.x[63], AROUND.y[64]]])
    agrees(AROUND, centres, 2.0)
    found = cone_logs(AROUND, centres[:1], 2.0)
    assert found[20, 64] == 0.0
    assert found.max() == 0.0


def test_many_centres_are_taken_some_at_a_time(monkeypatch):
    at_once = cone_logs(AROUND, CENTRES, 30.0), cone_logs(AROUND, CENTRES, 1.0)
    monkeypatch.setattr(cones, "CHUNK", 5000)
    np.testing.assert_allclose(cone_logs(AROUND, CENTRES, 30.0), at_once[0], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(cone_logs(AROUND, CENTRES, 1.0), at_once[1], rtol=1e-6, atol=1e-6)


def test_centres_beyond_sight_of_single_precision_are_left_out():
    """Seventeen digits of e further away than the nearest a centre changes nothing that is drawn."""
    near = np.array([[0.0, 0.0]])
    both = np.vstack([near, [[200.0, 0.0]]])
    raster = Raster.over((-2.0, 2.0, -2.0, 2.0), 30, 30)
    assert np.array_equal(cone_logs(raster, both, 1.0), cone_logs(raster, near, 1.0))


def test_an_empty_raster_has_no_sums():
    assert cone_logs(Raster(np.empty(0), np.empty(0)), CENTRES, 1.0).shape == (0, 0)
