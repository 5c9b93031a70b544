"""Rasters are the centres of pixels; bands of them are the whole; any function has a field."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.field import Raster, pointwise
from vizml.field.raster import TILE

sizes = st.integers(1, 40)
places = st.floats(-1e6, 1e6)


def test_pixels_fill_their_rectangle_to_its_edges():
    raster = Raster.over((-2.0, 2.0, 10.0, 11.0), 4, 2)
    assert raster.x.tolist() == [-1.5, -0.5, 0.5, 1.5]
    assert raster.y.tolist() == [10.25, 10.75]
    assert raster.shape == (2, 4)


@given(places, st.floats(1e-3, 1e3), sizes)
def test_pixels_lie_evenly_and_symmetrically_in_the_rectangle(left, width, count):
    x = Raster.over((left, left + width, 0.0, 1.0), count, 1).x
    slip = 1e-9 * width + 1e-9
    assert x + x[::-1] == pytest.approx(np.full(count, 2 * left + width), abs=slip)
    assert np.diff(x) == pytest.approx(np.full(count - 1, width / count), abs=slip)


def test_twice_as_many_pixels_lie_to_both_sides_of_each():
    one, two = Raster.over((0.0, 3.0, 0.0, 1.0), 3, 1), Raster.over((0.0, 3.0, 0.0, 1.0), 6, 1)
    assert np.allclose(two.x.reshape(3, 2).mean(axis=1), one.x)


def test_a_rectangle_may_be_turned_over():
    assert Raster.over((1.0, 0.0, 0.0, 1.0), 2, 1).x.tolist() == [0.75, 0.25]


@given(sizes, sizes)
def test_points_are_row_by_row_from_the_bottom(width, height):
    raster = Raster.over((0.0, 1.0, 0.0, 1.0), width, height)
    grid = raster.points().reshape(height, width, 2)
    assert (grid[:, :, 0] == raster.x).all()
    assert (grid[:, :, 1] == raster.y[:, None]).all()


@given(sizes, sizes, st.integers(-3, 50))
def test_bands_are_the_whole_once_and_in_order(width, height, rows):
    raster = Raster.over((0.0, 1.0, 0.0, 1.0), width, height)
    bands = list(raster.bands(rows))
    assert np.array_equal(np.concatenate([band.y for _, band in bands]), raster.y)
    assert np.array_equal(np.concatenate([raster.y[where] for where, _ in bands]), raster.y)
    assert max(len(band.y) for _, band in bands) <= max(rows, 1)
    assert all(band.whole is raster and np.array_equal(band.x, raster.x) for _, band in bands)


def test_no_rows_make_no_bands():
    assert list(Raster([1.0], []).bands(5)) == []


def test_the_giver_keeps_an_array_of_its_own_and_nobody_writes_to_ours():
    x = np.arange(3.0)
    raster = Raster(x, [0.0])
    x[0] = 9
    assert raster.x[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        raster.x[0] = 1.0


@pytest.mark.parametrize(
    "x, y, axis",
    [([np.nan], [0.0], "x"), ([0.0], [np.inf], "y"), ([[0.0]], [0.0], "x"), ([0.0], 1.0, "y")],
)
def test_an_axis_that_is_no_row_of_numbers_is_refused(x, y, axis):
    with pytest.raises(ValueError, match=f"the {axis}-values of a raster must be a row of finite numbers"):
        Raster(x, y)


def test_a_band_of_a_band_knows_the_whole():
    whole = Raster.over((0.0, 1.0, 0.0, 1.0), 10, 20)
    assert whole.whole is whole
    assert whole.rows(3, 9).rows(1, 2).whole is whole
    assert whole.rows(3, 9).rows(1, 2).rows_of_whole == slice(4, 5)
    assert whole.rows_of_whole == slice(0, 20)


def wave(X):
    return np.column_stack([np.sin(X[:, 0]), X[:, 1] ** 2, X[:, 0] - X[:, 1]])


@given(sizes, sizes)
def test_a_field_has_a_plane_for_each_column_of_the_scores(width, height):
    raster = Raster.over((-1.0, 2.0, 0.0, 3.0), width, height)
    x, y = np.meshgrid(raster.x, raster.y)
    field = pointwise(wave, raster, 3)
    assert field.dtype == np.float32
    assert np.array_equal(field, np.stack([np.sin(x), y**2, x - y]).astype(np.float32))


def test_a_large_raster_is_asked_for_in_pieces_that_memory_holds():
    asked = []

    def scores(X):
        asked.append(len(X))
        return X[:, :1]

    raster = Raster.over((0.0, 1.0, 0.0, 1.0), 1000, 200)
    assert np.array_equal(pointwise(scores, raster, 1)[0, 7], raster.x.astype(np.float32))
    assert max(asked) <= TILE
    assert sum(asked) == 200_000
    assert len(asked) <= 5


def test_a_row_wider_than_a_piece_is_asked_for_as_one():
    raster = Raster(np.linspace(0, 1, TILE + 1), [0.0, 1.0])
    assert pointwise(lambda X: X[:, 1:], raster, 1)[0, :, -1].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("raster", [Raster([], [1.0]), Raster([1.0], [])], ids=["no columns", "no rows"])
def test_an_empty_raster_has_an_empty_field(raster):
    assert pointwise(wave, raster, 3).shape == (3, *raster.shape)
