"""Fields of cells with diagonal edges against asking each pixel centre which cells it is in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.field import Raster
from vizml.field.boxes import octagons_field


def by_hand(cells, values, raster):
    x, y = np.meshgrid(raster.x, raster.y)
    axes = np.stack([x, y, x + y, x - y])
    out = np.zeros((values.shape[1], *x.shape))
    for cell, value in zip(cells, values, strict=True):
        low, high = cell.reshape(4, 2).T[:, :, None, None]
        out[:, ((low < axes) & (axes <= high)).all(axis=0)] += value[:, None]
    return out


def some_cells(rng, raster, count):
    """Cells with some edges at infinity and some right through pixel centres."""
    x, y = raster.points().T
    cells = np.empty((count, 4, 2))
    for axis, along in enumerate((x, y, x + y, x - y)):
        ends = np.where(
            rng.random((count, 2)) < 0.5, rng.choice(along, (count, 2)), rng.normal(size=(count, 2))
        )
        ends.sort(axis=1)
        cells[:, axis] = np.where(rng.random((count, 2)) < 0.3, [-np.inf, np.inf], ends)
    return cells.reshape(count, 8)


@given(st.integers(0, 2**32 - 1))
def test_cells_add_up_even_on_their_edges(seed):
    rng = np.random.default_rng(seed)
    raster = Raster.over((-1.3, 1.1, -0.7, 2), 24, 16)
    cells, values = some_cells(rng, raster, 12), rng.integers(-9, 9, size=(12, 3)).astype(float)
    assert np.array_equal(octagons_field(cells, values, raster), by_hand(cells, values, raster))


@pytest.mark.parametrize("drift", [0.2, -0.2])
def test_axes_that_are_even_only_in_small_have_the_same_cells(drift):
    """Steps that differ by a fifth are pixels away from even ones in the end."""
    rng = np.random.default_rng(5)
    steps = np.repeat([1.0 + drift, 1.0 - drift], 20)
    raster = Raster(np.cumsum(steps) / 20 - 1, np.linspace(-1, 1, 11))
    cells, values = some_cells(rng, raster, 40), rng.integers(-9, 9, size=(40, 2)).astype(float)
    assert np.array_equal(octagons_field(cells, values, raster), by_hand(cells, values, raster))


@pytest.mark.parametrize("size", [1e-9, 1e9])
def test_far_from_the_origin_edges_stay_where_they_are(size):
    rng = np.random.default_rng(6)
    raster = Raster.over((1e3 * size, 1e3 * size + size, -size, size), 24, 16)
    cells, values = some_cells(rng, raster, 30), rng.integers(-9, 9, size=(30, 2)).astype(float)
    assert np.array_equal(octagons_field(cells, values, raster), by_hand(cells, values, raster))
