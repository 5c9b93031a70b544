"""Sums of caps over discs, against one pixel at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vizml.field import Raster
from vizml.field.discs import caps_field

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
