"""Data units and pixels: onto each other and back, at any size, and air around any data."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vizml.paint import Geometry, padded
from vizml.paint.geometry import LEAST, SNAP, Margins

edges = st.floats(-1e9, 1e9)
spans = st.floats(1e-3, 1e9)
shares = st.tuples(st.floats(0, 1), st.floats(0, 1))


@pytest.mark.parametrize("ratio", [1, 1.25, 1.5, 1.75, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_plot_lies_on_whole_device_pixels(ratio, scale):
    plot = Geometry(1003, 777, (0, 1, 0, 1), scale).plot
    edges = np.array([plot.left(), plot.right(), plot.top(), plot.bottom()]) * ratio
    assert np.array_equal(edges, np.round(edges))


def test_larger_type_and_a_title_take_room():
    plain = Geometry(800, 600, (0, 1, 0, 1)).plot
    assert Geometry(800, 600, (0, 1, 0, 1), 1.5).plot.width() < plain.width()
    assert Geometry(800, 600, (0, 1, 0, 1), titled=True).plot.top() > plain.top()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_where_there_is_little_height_the_plot_has_the_room_of_the_titles(scale):
    high, low = (Geometry(400 * scale, height * scale, (0, 1, 0, 1), scale) for height in (200, 196))
    assert (high.low, low.low) == (False, True)
    assert low.plot.height() > high.plot.height() + 12 * scale
    assert low.plot.width() > high.plot.width() + 8 * scale
    assert not Geometry(400, 100, (0, 1, 0, 1), margins=Margins(1, 1, 1, 1)).low


@pytest.mark.parametrize("count, grain", [(0, 1.0), (1, 1.0), (600, 1.0), (2000, 0.75), (100_000, 0.5)])
def test_many_points_have_smaller_symbols(count, grain):
    geometry = Geometry(911, 655, (-1, 1, -1, 1), 1.0)
    points = np.random.default_rng(0).uniform(-1, 1, (count, 2))
    assert geometry.strewn(points).grain == grain
    assert geometry.strewn(points + 5.0).grain == 1.0  # out of sight
    large = Geometry(911, 655, (-1, 1, -1, 1), 1.5).strewn(points)
    assert large.symbol_scale == pytest.approx(1.5 * large.grain)
    assert large.grain <= grain


def test_symbols_never_cover_more_than_a_part_of_the_plot():
    for width, height in ((372, 190), (220, 180), (911, 655)):
        for count in (50, 100, 200, 400):
            geometry = Geometry(width, height, (0, 1, 0, 1))
            strewn = geometry.strewn(np.random.default_rng(0).uniform(0, 1, (count, 2)))
            covered = count * np.pi * (9 * strewn.grain / 2) ** 2
            plot = geometry.plot.width() * geometry.plot.height()
            assert covered < 0.2 * plot or strewn.grain == 0.5


@pytest.mark.parametrize(
    "bounds",
    [
        None, (1.0, 1.0, 2.0, 2.0), (0.0, 0.0, 0.0, 0.0), (0.0, 4.0, 3.0, 3.0), (3.0, 3.0, 0.0, 4.0),
        (1e12, 1e12, 1e12, 1e12), (1e-12, 1e-12, 1e-12, 1e-12), (1e12, 1e12 + 1e-4, -1.0, 1.0),
        (-1e300, 1e300, -1e300, 1e300),
    ],
)  # fmt: skip
def test_any_data_get_a_rectangle_around_them_that_can_be_divided_into_pixels(bounds):
    left, right, bottom, top = padded(bounds)
    assert len(np.unique(np.linspace(left, right, 2001))) == 2001
    assert len(np.unique(np.linspace(bottom, top, 2001))) == 2001
    if bounds is not None:
        assert left < bounds[0] <= bounds[1] < right
        assert bottom < bounds[2] <= bounds[3] < top


# -- identities ----------------------------------------------------------------------------------------------


@given(st.tuples(edges, spans, edges, spans), st.tuples(st.integers(60, 3000), st.integers(60, 2000)), shares)
def test_a_place_in_the_plot_comes_back_from_data_units(rectangle, size, share):
    left, wide, bottom, high = rectangle
    across, up = share
    assume(left + wide > left)
    assume(bottom + high > bottom)
    geometry = Geometry(*size, (left, left + wide, bottom, bottom + high))
    plot = geometry.plot
    x, y = plot.left() + across * plot.width(), plot.top() + up * plot.height()
    back = geometry.to_pixels([geometry.to_data(x, y)])[0]
    grain = 1e-6 + 4e-16 * max(abs(left), abs(bottom), wide, high) / min(geometry.unit)
    assert back == pytest.approx((x, y), abs=grain)


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(0.01, 100))
def test_moving_or_scaling_data_and_view_alike_changes_no_pixel(dx, dy, k):
    points = np.array([[0.25, 0.5], [0.75, 0.1]])
    plain = Geometry(800, 600, (0.0, 1.0, 0.0, 1.0)).to_pixels(points)
    moved = Geometry(800, 600, (dx, k + dx, dy, k + dy)).to_pixels(k * points + (dx, dy))
    assert np.allclose(moved, plain, atol=1e-3)


def test_pixels_of_arrays_of_any_depth_keep_their_shape():
    ends = np.random.default_rng(0).random((5, 2, 2))
    geometry = Geometry(800, 600, (0.0, 1.0, 0.0, 1.0))
    found = geometry.to_pixels(ends)
    assert found.shape == (5, 2, 2)
    assert np.array_equal(found.reshape(-1, 2), geometry.to_pixels(ends.reshape(-1, 2)))
    assert geometry.to_pixels(np.empty((0, 2))).shape == (0, 2)


def test_what_is_out_of_the_reach_of_numbers_is_merely_far():
    geometry = Geometry(800, 600, (0.0, 1e-300, 0.0, 1.0))
    assert geometry.to_pixels([[1e300, 0.5]])[0, 0] == np.inf
    assert np.isnan(geometry.to_pixels([[np.nan, 0.5]])[0, 0])


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_a_unit_is_the_data_in_a_logical_pixel(ratio):
    geometry = Geometry(804, 604, (0.0, 10.0, 0.0, 1.0))
    across, up = geometry.unit
    assert across * geometry.plot.width() == pytest.approx(10)
    assert up * geometry.plot.height() == pytest.approx(1)
    assert geometry.device_size(ratio) == (geometry.plot.width() * ratio, geometry.plot.height() * ratio)


def test_margins_given_are_kept_to_a_few_pixels():
    plot = Geometry(800, 600, (0.0, 1.0, 0.0, 1.0), margins=Margins(101, 30, 9, 55)).plot
    assert 101 <= plot.left() < 101 + SNAP
    assert 9 <= plot.top() < 9 + SNAP
    assert 800 - 30 - SNAP < plot.right() <= 800 - 30
    assert 600 - 55 - SNAP < plot.bottom() <= 600 - 55


def test_a_plot_is_never_smaller_than_it_can_be():
    for size in ((0, 0), (1, 1), (80, 60)):
        plot = Geometry(*size, (0.0, 1.0, 0.0, 1.0), 3.0).plot
        assert (plot.width(), plot.height()) >= (LEAST, LEAST)
        assert min(Geometry(*size, (0.0, 1.0, 0.0, 1.0), 3.0).device_size(0.01)) == 1


# -- air around data -----------------------------------------------------------------------------------------


@given(edges, spans, edges, spans, st.floats(0.01, 0.5))
def test_air_is_the_same_share_on_both_sides(left, wide, bottom, high, share):
    assume(wide > 1e-6 * abs(left))
    assume(high > 1e-6 * abs(bottom))
    found = padded((left, left + wide, bottom, bottom + high), share)
    assert found[0] == pytest.approx(left - share * wide, abs=1e-6 * wide)
    assert found[1] == pytest.approx(left + wide + share * wide, abs=1e-6 * wide)
    assert found[2] == pytest.approx(bottom - share * high, abs=1e-6 * high)
    assert found[3] == pytest.approx(bottom + high + share * high, abs=1e-6 * high)


@given(edges, edges)
def test_one_point_is_in_the_middle_of_its_view(x, y):
    left, right, bottom, top = padded((x, x, y, y))
    assert (left + right) / 2 == pytest.approx(x, abs=1e-9 * max(1, abs(x)))
    assert (bottom + top) / 2 == pytest.approx(y, abs=1e-9 * max(1, abs(y)))


def test_a_level_line_of_points_takes_half_of_its_length_in_height():
    _, _, bottom, top = padded((0.0, 8.0, 3.0, 3.0), 0.0)
    assert (bottom, top) == (1.0, 5.0)
