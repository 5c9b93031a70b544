"""From a chart's numbers to the places that are drawn, and what has to be in sight."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.paint.charts.fakes import chart_of, line
from vizml.paint.charts.marks import PADDING, axis_ticks, bar_slot, chart_bounds, from_axis, to_axis
from vizml.scene import Axis, Rule

PLAIN, LOG = Axis(title="a"), Axis(title="a", log=True)
sizes = st.floats(1e-9, 1e9)


@given(sizes, st.booleans())
def test_a_value_comes_back_from_its_place(value, log):
    axis = LOG if log else PLAIN
    assert from_axis(axis, float(to_axis(axis, value))) == pytest.approx(value, rel=1e-12)


@given(sizes, sizes)
def test_equal_ratios_are_equally_far_apart_on_a_logarithm(value, factor):
    first, second, third = to_axis(LOG, np.array([value, value * factor, value * factor * factor]))
    assert second - first == pytest.approx(third - second, abs=1e-9)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20))
def test_every_point_is_in_sight_with_air_around_it(values):
    values = np.array(values)
    left, right, bottom, top = chart_bounds(chart_of(line(np.arange(len(values)), values)))
    assert left < 0 < len(values) - 1 < right
    assert bottom < values.min() <= values.max() < top


def test_air_is_a_share_of_what_a_cut_axis_shows():
    *_, bottom, top = chart_bounds(chart_of(line([0, 1, 2], [0, 1, -1e6]), y=Axis(title="y", low=-1.0)))
    assert bottom == -1.0
    assert top == pytest.approx(1.0 + 2 * PADDING)


def test_bands_and_rules_are_in_sight_too():
    band = line([0, 1], [0, 0], low=np.array([-5.0, 0.0]), high=np.array([0.0, 7.0]))
    left, right, bottom, top = chart_bounds(chart_of(band, rules=(Rule(x=-3.0), Rule(y=20.0))))
    assert left < -3
    assert bottom < -5
    assert top > 20
    assert right < 2


def test_what_is_not_finite_moves_no_edge():
    known = chart_bounds(chart_of(line([0, 1, 2], [0, 1, 2])))
    holes = chart_bounds(chart_of(line([0, 1, 2, np.nan, np.inf], [0, 1, 2, 1, 1])))
    assert known == holes
    assert chart_bounds(chart_of(line([0, 1, 2], [0, np.inf, 2])))[2:] == known[2:]


def test_axes_that_say_where_they_end_end_there():
    x, y = Axis(title="x", low=0.0, high=10.0), Axis(title="y", log=True, low=0.1, high=1000.0)
    bounds = chart_bounds(chart_of(line([2, 3], [1, 10]), x=x, y=y))
    assert bounds == pytest.approx((0.0, 10.0, -1.0, 3.0))


def test_an_end_that_a_logarithm_cannot_have_is_not_taken():
    asked = Axis(title="y", log=True, low=0.0)
    assert chart_bounds(chart_of(line([2, 3], [1, 10]), y=asked))[2] < 0.0


@pytest.mark.parametrize("kind", ["bars", "stems"])
def test_what_stands_on_zero_has_zero_at_the_edge(kind):
    assert chart_bounds(chart_of(line([1, 2], [3, 4], kind)))[2] == 0.0
    assert chart_bounds(chart_of(line([1, 2], [-3, -4], kind)))[3] >= 0.0
    assert chart_bounds(chart_of(line([1, 2], [-3, 4], kind)))[2] < -3
    assert chart_bounds(chart_of(line([1, 2], [30, 40])))[2] > 0.0


def test_a_bar_is_as_wide_as_the_least_distance():
    assert bar_slot(chart_of(line([0, 1, 5], [1, 1, 1], "bars"))) == 1.0
    both = chart_of(line([0, 2], [1, 1], "bars"), line([0.5, 4], [1, 1], "bars"), line([0.1], [1]))
    assert bar_slot(both) == 0.5
    assert bar_slot(chart_of(line([3, 3], [1, 2], "bars"))) == 1.0
    assert bar_slot(chart_of(line([3, 4], [1, 2]))) == 0.0


def test_named_ticks_stand_at_their_values_where_they_are_in_sight():
    axis = Axis(title="C", log=True, ticks={1e-3: "low", 1.0: "one", 100.0: "hundred", 1e6: "far"})
    found = axis_ticks(axis, (), -0.5, 3.0, 10)
    assert found.labels == ("one", "hundred")
    assert found.values == pytest.approx([0.0, 2.0])


def test_cells_that_measure_something_have_round_numbers_at_their_places():
    axis = Axis(title="w", low=-2.0, high=6.0)  # of 9 cells, a unit each
    found = axis_ticks(axis, tuple("abcdefghi"), -0.5, 8.5, 5)
    assert found.labels == ("−2", "0", "2", "4", "6")
    assert found.values.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert axis_ticks(replace(axis, high=None), tuple("abc"), -0.5, 2.5, 5).labels == ("a", "b", "c")
