"""The lattice that views have in common: which pixels are on it, which tiles they are in."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vizml.field import Raster
from vizml.field.lattice import Lattice, Window

VIEW = Raster.over((-2.0, 3.0, -1.5, 2.0), 300, 290)


def lattice(raster=VIEW):
    found = Lattice.of(raster)
    assert found
    return found


def test_the_first_view_begins_at_the_origin():
    assert lattice().window(VIEW) == Window(0, 0, 300, 290)
    assert (lattice().across, lattice().down) == pytest.approx((5 / 300, 3.5 / 290))


@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_a_view_that_was_moved_has_its_pixels_where_they_are(right, up):
    here = lattice()
    moved = Raster(VIEW.x + right * here.across, VIEW.y + up * here.down)
    window = here.window(moved)
    assert window.left + window.beyond[0] == pytest.approx(right, abs=1e-6)
    assert window.bottom + window.beyond[1] == pytest.approx(up, abs=1e-6)
    assert all(0 <= beyond < 1 for beyond in window.beyond)
    assert (window.width, window.height) == (300, 290)


@pytest.mark.parametrize("scale", [0.5, 0.999, 1.001, 8.0])
def test_a_view_of_another_scale_is_not_on_it(scale):
    assert lattice().window(Raster(scale * VIEW.x, scale * VIEW.y)) is None


def test_pixels_that_are_not_evenly_apart_have_none():
    assert Lattice.of(Raster(VIEW.x**3, VIEW.y)) is None
    assert Lattice.of(Raster(VIEW.x, VIEW.y[::-1])) is not None  # downward is as good


@pytest.mark.parametrize("width, height", [(1, 1), (1, 40), (17, 1)])
def test_a_row_or_a_single_pixel_has_one(width, height):
    view = Raster.over((0.0, 1.0, 0.0, 1.0), width, height)
    assert lattice(view).window(view) == Window(0, 0, width, height)


@pytest.mark.parametrize("far", [1e6, 1e12])
def test_rounding_far_from_zero_is_no_unevenness(far):
    view = Raster.over((far, far + 1.0, -far, 1.0 - far), 200, 100)
    assert lattice(view).window(view) == Window(0, 0, 200, 100)


@pytest.mark.parametrize("size", [16, 256])
@pytest.mark.parametrize("left, bottom", [(0, 0), (-5, 130), (255, -257)])
def test_tiles_of_a_window_are_those_that_have_a_pixel_of_it(size, left, bottom):
    window = Window(left, bottom, 300, 20)
    columns, rows = window.tiles(size)
    assert set(columns) == {(left + k) // size for k in range(300)}
    assert set(rows) == {(bottom + k) // size for k in range(20)}
    every = np.arange(-30, 60)
    across, down = (grid.ravel() for grid in np.meshgrid(every, every))
    met = window.meets(size, across, down)
    assert set(zip(across[met], down[met])) == {(a, b) for a in columns for b in rows}


def test_rows_of_a_window_are_a_window():
    assert Window(3, 4, 50, 60, (0.25, 0.5)).rows(slice(10, 15)) == Window(3, 14, 50, 5, (0.25, 0.5))


def test_tiles_lie_side_by_side_and_hold_their_pixels():
    x, y = lattice().ends(16, np.array([0, 1]), np.array([2, 3]))
    assert x[0, 1] == x[1, 0]
    assert y[0, 1] == y[1, 0]
    assert x[0, 0] == VIEW.x[0]
    assert y[0, 0] == pytest.approx(VIEW.y[32])
    assert ((VIEW.x[16:32] >= x[1, 0]) & (VIEW.x[16:32] < x[1, 1])).all()
