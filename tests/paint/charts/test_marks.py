"""Positions on axes and their ticks, and series and rules as marks."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.paint.charts.fakes import chart_of, line, single
from vizml.paint.charts.marks import (
    BAND_OPACITY,
    BAR_OPACITY,
    BAR_SHARE,
    PADDING,
    WHISKER_WIDTH,
    axis_ticks,
    bar_slot,
    chart_bounds,
    from_axis,
    line_names,
    polyline,
    rule_names,
    series_marks,
    to_axis,
)
from vizml.scene import Axis, Rule, Segments, Series

PLAIN, LOG = Axis(title="a"), Axis(title="a", log=True)


def marks_of(chart):
    return list(series_marks(chart, chart_bounds(chart)))


def bars(name, y, **more):
    return line(range(len(y)), y, "bars", name, **more)


def test_a_step_turns_at_right_angles_and_visits_every_point():
    chart = single("step", x=(0.0, 1.0, 3.0), y=(5.0, 2.0, 7.0))
    way = polyline(chart, chart.series[0])
    assert way.tolist() == [[0, 5], [1, 5], [1, 2], [3, 2], [3, 7]]


def test_several_bars_share_a_place_without_touching():
    shown = chart_of(bars("a", [1, 2, 3]), bars("b", [3, 2, 1]), bars("c", [1, 1, 1]))
    groups = [mark.lines for mark in marks_of(shown)]
    spans = sorted((bar[:, 0].min(), bar[:, 0].max()) for group in groups for bar in group)
    assert all(right <= left + 1e-9 for (_, right), (left, _) in pairwise(spans))
    assert sum(right - left for left, right in spans) == pytest.approx(3 * BAR_SHARE)
    first = spans[:3]
    assert (first[0][0] + first[-1][1]) / 2 == pytest.approx(0.0)


def test_a_bar_reaches_from_zero_to_its_value_and_a_hole_has_none():
    (mark,) = marks_of(chart_of(bars("a", [2, np.nan, -3])))
    assert [(bar[:, 1].min(), bar[:, 1].max()) for bar in mark.lines] == [(0.0, 2.0), (-3.0, 0.0)]
    assert mark.closed
    assert mark.fill == BAR_OPACITY


def test_whiskers_stand_on_the_middle_of_their_bars_in_the_colour_of_text():
    low, high = np.array([0.5, 1.0]), np.array([1.5, 4.0])
    shown = chart_of(bars("a", [1, 2], low=low, high=high), bars("b", [1, 2]))
    columns, whiskers = marks_of(shown)[:2]
    assert isinstance(whiskers, Segments)
    assert whiskers.ink == "text"
    middles = [bar[:, 0].mean() for bar in columns.lines]
    assert whiskers.ends[:, 0, 0] == pytest.approx(middles)
    assert whiskers.ends[:, 0, 1].tolist() == low.tolist()
    assert whiskers.ends[:, 1, 1].tolist() == high.tolist()


@pytest.mark.parametrize("kind", ["line", "step"])
def test_a_band_follows_the_way_of_its_line(kind):
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0])
    series = Series(name="a", x=x, y=y, kind=kind, low=y - 0.5, high=y + 1, opacity=0.5)
    shown = chart_of(series)
    band, path = marks_of(shown)
    assert band.x.tolist() == path.lines[0][:, 0].tolist()
    assert band.low == pytest.approx(path.lines[0][:, 1] - 0.5)
    assert band.high == pytest.approx(path.lines[0][:, 1] + 1)
    assert band.opacity == pytest.approx(BAND_OPACITY * 0.5)


def test_stems_stand_on_zero_and_on_the_edge_of_a_logarithm():
    stems = line([1, 2], [3, 4], "stems", width=9.0)
    (mark,) = marks_of(chart_of(stems))
    assert mark.width == WHISKER_WIDTH
    assert mark.ends.tolist() == [[[1, 0], [1, 3]], [[2, 0], [2, 4]]]
    shown = chart_of(stems, y=LOG)
    (mark,) = marks_of(shown)
    assert (mark.ends[:, 0, 1] == chart_bounds(shown)[2]).all()


@pytest.mark.parametrize("log_x", [False, True])
@pytest.mark.parametrize("log_y", [False, True])
def test_on_the_diagonal_y_is_x_on_every_kind_of_axis(log_x, log_y):
    axes = {"x": LOG if log_x else PLAIN, "y": LOG if log_y else PLAIN}
    path, _ = marks_of(chart_of(line([1, 9], [1, 9]), rules=(Rule(diagonal=True),), **axes))
    x, y = path.lines[0].T
    x, y = 10**x if log_x else x, 10**y if log_y else y
    known = np.isfinite(y)
    assert known.sum() > 30
    assert y[known] == pytest.approx(x[known])


def test_names_of_rules_are_in_sight_beside_their_rule():
    rules = (Rule(name="at", x=2.0), Rule(name="level", y=8.0), Rule(name="fair", diagonal=True), Rule(x=5.0))
    shown = chart_of(line([0, 10], [0, 10]), rules=rules)
    words = rule_names(shown, chart_bounds(shown))
    assert [word.texts for word in words] == [("at",), ("level",), ("fair",)]
    places = np.concatenate([word.points for word in words])
    left, right, bottom, top = chart_bounds(shown)
    assert ((places >= (left, bottom)) & (places <= (right, top))).all()
    assert places[0, 0] == 2.0
    assert places[1, 1] == 8.0
    assert places[2, 0] == pytest.approx(places[2, 1])


def test_many_lines_are_named_at_the_end_where_they_are_further_apart():
    x = np.array([0.0, 1.0, 2.0])
    fans = [line(x, k * x, name=f"{k}") for k in range(3)]
    assert [word.points.tolist() for word in line_names(chart_of(*fans))] == [
        [[2.0, 0.0]], [[2.0, 2.0]], [[2.0, 4.0]],
    ]  # fmt: skip
    cones = [line(x, k * (2 - x), name=f"{k}") for k in range(3)]
    assert [word.points[0, 0] for word in line_names(chart_of(*cones))] == [0.0] * 3


def test_a_name_stands_at_the_last_point_there_is():
    x = np.array([0.0, 1.0, 2.0])
    named = [line(x, y, name=name) for name, y in (("b", x * 0), ("", x), ("c", x * np.nan))]
    words = line_names(chart_of(line(x, [0, 5, np.nan]), *named))
    assert [(word.texts[0], word.points[0].tolist()) for word in words] == [("a", [1, 5]), ("b", [2, 0])]


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
