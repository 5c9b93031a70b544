"""Depths inside discs and sums of caps over them, against one pixel and one disc at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from vizml.field import Raster
from vizml.field.discs import LEAST_DEPTH, caps_field, disc_depths, disc_field

PLANES = 4
SCREEN = Raster.over((-2.0, 3.0, -1.5, 2.0), 61, 47)


def cloud(seed=0, count=30, planes=PLANES - 1):
    """Centres with rising codes; the last plane has no disc."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(count, 2)), np.sort(rng.integers(planes, size=count))


def nearest(X, centres, codes, radius):
    """1 - d^2 / r^2 to the nearest centre of each code, by scipy's tree."""
    out = np.full((len(X), PLANES), LEAST_DEPTH)
    for code in np.unique(codes):
        away, _ = cKDTree(centres[codes == code]).query(X)
        out[:, code] = np.maximum(1 - (away / radius) ** 2, LEAST_DEPTH)
    return out


@given(seed=st.integers(0, 10**6), count=st.integers(1, 30), size=st.floats(-2, 1))
def test_a_depth_is_that_of_the_nearest_centre_of_its_plane(seed, count, size):
    centres, codes = cloud(seed, count)
    X, radius = SCREEN.points()[::37], 10.0**size
    exact = nearest(X, centres, codes, radius)
    assert np.abs(disc_depths(X, centres, codes, radius, PLANES) - exact).max() < 1e-12


@given(seed=st.integers(0, 10**6), count=st.integers(0, 30), size=st.floats(-2, 1))
def test_the_field_is_the_depths_at_its_pixels(seed, count, size):
    centres, codes = cloud(seed, count)
    radius = 10.0**size
    field = disc_field(SCREEN, centres, codes, radius, PLANES)
    exact = disc_depths(SCREEN.points(), centres, codes, radius, PLANES)
    assert field.dtype == np.float32
    assert np.abs(field - exact.T.reshape(field.shape)).max() < 1e-5


def test_no_discs_leave_every_plane_low():
    none = np.empty((0, 2)), np.empty(0, dtype=np.int64)
    assert (disc_field(SCREEN, *none, 1.0, 2) == LEAST_DEPTH).all()
    assert (disc_depths(SCREEN.points(), *none, 1.0, 2) == LEAST_DEPTH).all()


def test_the_centre_is_one_the_rim_is_nothing_and_far_out_it_ends():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [9.0, 0.0]])
    depths = disc_depths(X, np.zeros((1, 2)), np.zeros(1, dtype=np.int64), 2.0, 1)[:, 0]
    assert depths.tolist() == [1.0, 0.0, 0.0, -1.0, -1.0]


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_size_does_not_matter(size):
    centres, codes = cloud()
    usual = disc_field(SCREEN, centres, codes, 0.4, PLANES)
    resized = Raster(SCREEN.x * size, SCREEN.y * size)
    assert np.abs(disc_field(resized, centres * size, codes, 0.4 * size, PLANES) - usual).max() < 1e-5


def test_many_points_are_as_good_as_few():
    """They are looked at in pieces that memory holds."""
    centres, codes = cloud(count=3000)
    X = np.random.default_rng(4).normal(size=(1000, 2))
    assert np.abs(disc_depths(X, centres, codes, 0.4, PLANES) - nearest(X, centres, codes, 0.4)).max() < 1e-12


CENTRES = np.random.default_rng(1).normal(size=(50, 2))
SIZES = (20, 25, 5)


def expected(raster, radius, power):
    away = np.linalg.norm(raster.points()[:, None] - CENTRES, axis=2) / radius
    each = np.where(away <= 1, (1 - away**2) ** power, 0.0)
    return np.stack([part.sum(axis=1) for part in np.split(each, [20, 45], axis=1)]).reshape(3, *raster.shape)


@settings(max_examples=40, deadline=None)
@given(radius=st.floats(-2, 1), power=st.sampled_from([0, 1]), half=st.floats(0.1, 20), x=st.floats(-3, 3))
def test_sums_are_those_of_each_pixel(radius, power, half, x):
    raster, r = Raster.over((x - half, x + half, -half, half), 31, 23), 10.0**radius
    found = caps_field(raster, CENTRES, SIZES, r, power)
    assert found.dtype == np.float32
    assert np.abs(found - expected(raster, r, power)).max() < 1e-5
    assert np.array_equal(found == 0, expected(raster, r, power) < 1e-9)


def test_more_spans_than_are_processed_at_a_time_are_as_good():
    raster = Raster.over((-2.0, 2.0, -2.0, 2.0), 3000, 4)
    centres = np.repeat(CENTRES, 20, axis=0)
    found = caps_field(raster, centres, (400, 500, 100), 0.7, 1)
    few = Raster(raster.x[::50], raster.y)
    assert found[:, :, ::50] == pytest.approx(20 * expected(few, 0.7, 1), rel=1e-5, abs=1e-4)
