"""Rasters, bands of them with a cache, point-by-point fields, and the two highest planes."""

from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vizml.field import Raster, pointwise
from vizml.field.raster import CACHED_VALUES, TILE, BandCache, top_two

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
    "x, y, axis", [([np.nan], [0.0], "x"), ([0.0], [np.inf], "y"), ([[0.0]], [0.0], "x"), ([0.0], 1.0, "y")]
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


WHOLE = Raster.over((0.0, 2.0, 0.0, 1.0), 7, 40)


class Painter:
    """Paints x + 10 y in two planes and records the rasters."""

    def __init__(self):
        self.asked = []

    def __call__(self, raster):
        self.asked.append(raster)
        plane = raster.x + 10 * raster.y[:, None]
        return np.stack([plane, -plane]).astype(np.float32)


def test_bands_of_equal_rasters_are_cut_from_one_field():
    paint, cache = Painter(), BandCache()
    for start in (0, 7, 14):
        cache.band(Raster(WHOLE.x, WHOLE.y).rows(start, start + 7), 2, paint)
    assert len(paint.asked) == 1


@pytest.mark.parametrize("height", [1, 6, 39, 40, 100])
def test_cached_bands_are_cut_from_a_whole_that_is_painted_once(height):
    paint, cache = Painter(), BandCache()
    bands = [cache.band(band, 2, paint) for _, band in WHOLE.bands(height)]
    assert np.array_equal(np.concatenate(bands, axis=1), Painter()(WHOLE))
    assert paint.asked == [WHOLE]


def test_cached_bands_may_overlap_start_anywhere_and_be_changed():
    paint, cache = Painter(), BandCache()
    for start, stop in ((5, 9), (8, 20), (0, 3), (30, 39)):
        band = cache.band(WHOLE.rows(start, stop), 2, paint)
        assert np.array_equal(band, Painter()(WHOLE)[:, start:stop])
        band[:] = 0.0
    assert len(paint.asked) == 1


def test_a_cached_field_is_released_with_its_last_row():
    paint, cache = Painter(), BandCache()
    for start, stop, painted in ((0, 30, 1), (29, 40, 1), (0, 30, 2)):
        cache.band(WHOLE.rows(start, stop), 2, paint)
        assert len(paint.asked) == painted


def test_another_raster_is_painted_again():
    paint, cache, other = Painter(), BandCache(), Raster(WHOLE.x + 1, WHOLE.y)
    cache.band(WHOLE.rows(0, 3), 2, paint)
    assert np.array_equal(cache.band(other.rows(0, 3), 2, paint), Painter()(other)[:, :3])
    assert paint.asked == [WHOLE, other]


def test_a_field_too_large_for_the_cache_is_painted_band_by_band():
    paint, band = Painter(), WHOLE.rows(3, 9)
    found = BandCache().band(band, CACHED_VALUES // (7 * 40) + 1, paint)
    assert np.array_equal(found, Painter()(band))
    assert paint.asked == [band]


def test_another_thread_paints_a_field_of_its_own():
    paint, cache, other = Painter(), BandCache(), Raster(WHOLE.x + 1, WHOLE.y)
    cache.band(WHOLE.rows(0, 3), 2, paint)
    thread = Thread(target=lambda: cache.band(other.rows(0, 3), 2, paint))
    thread.start()
    thread.join()
    assert np.array_equal(cache.band(WHOLE.rows(3, 9), 2, paint), Painter()(WHOLE)[:, 3:9])
    assert paint.asked == [WHOLE, other]


@given(
    array_shapes(min_dims=2, max_dims=3, max_side=6).flatmap(
        lambda shape: arrays(np.float32, shape, elements=st.integers(-3, 3).map(float))
    )
)
def test_the_two_highest_planes_are_those_of_a_sort(values):
    before = values.copy()
    winner, best, second = top_two(values)
    ordered = np.sort(values, axis=0)
    assert np.array_equal(winner, values.argmax(axis=0))
    assert np.array_equal(best, ordered[-1])
    assert np.array_equal(second, ordered[-2] if len(values) > 1 else np.full_like(best, -np.inf))
    assert np.array_equal(values, before)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("count, size", [(1, 1), (8, 1), (300, 2)])
def test_winners_use_the_smallest_type_and_values_keep_theirs(kind, count, size):
    values = np.zeros((count, 2, 3), dtype=kind)
    values[-1] = 1.0
    winner, best, second = top_two(values)
    assert (winner.itemsize, best.dtype, second.dtype) == (size, kind, kind)
    assert (winner == count - 1).all()
