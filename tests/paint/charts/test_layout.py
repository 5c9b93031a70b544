"""Where plot, ticks, names and legends of a chart go, and what gives way where there is little room."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFontMetricsF

from tests.paint.charts.fakes import chart_of, curves, grid, line, path, ruled, single
from vizml.paint.charts.layout import lay_out_axes
from vizml.paint.charts.legend import SAMPLING, lay_out, named_series, names_at_ends, strip_rows
from vizml.paint.pens import SMALL, font
from vizml.scene import Axis, Chart, HeatMap, Series

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = QSizeF(420, 300)
CHARTS = {"curves": curves(), "path": path(), "grid": grid(), "ruled": ruled(), "bars": single("bars")}


def lines(count, name="line {}", y=None):
    x = np.linspace(0, 1, 30)
    heights = [x * k if y is None else y(x, k) for k in range(count)]
    return chart_of(*(line(x, each, name=name.format(k)) for k, each in enumerate(heights)), title="Lines")


@pytest.mark.parametrize("name", CHARTS)
@settings(max_examples=15)
@given(width=st.integers(120, 900), height=st.integers(100, 700), k=st.sampled_from([1.0, 1.5]))
def test_the_plot_is_inside_the_chart(name, width, height, k):
    found = lay_out_axes(CHARTS[name], QSizeF(width, height), k, titled=True)
    assert QRectF(0, 0, width, height).contains(found.geometry.plot)


@pytest.mark.parametrize("size", [(420, 300), (200, 160), (800, 200)])
@pytest.mark.parametrize("k", [1.0, 1.6])
def test_names_of_ticks_never_run_into_one_another(size, k):
    names = tuple(f"a rather long name {n}" for n in range(9))
    heat = HeatMap(values=np.eye(9), rows=names, columns=names)
    chart = Chart(title="", x=Axis(title="x"), y=Axis(title="y"), heat=heat)
    found = lay_out_axes(chart, QSizeF(*size), k, titled=False)
    metrics = QFontMetricsF(font(SMALL, k))
    for axis, ticks in enumerate((found.axes.x, found.axes.y)):
        apart = np.diff(ticks.values).min(initial=np.inf) / found.geometry.unit[axis]
        room = [metrics.horizontalAdvance(label) if axis == 0 else metrics.height() for label in ticks.labels]
        assert max(room) <= apart + 1


def across(low, high, width, *, log=False, k=1.0, step=None):
    """The ticks of x of a chart of so many pixels, drawn from low to high."""
    x = np.array([low, high]) if step is None else np.arange(low, high + step / 2, step)
    chart = chart_of(line(x, 0 * x, name=""), x=Axis(title="x", log=log))
    found = lay_out_axes(chart, QSizeF(width, 300), k, titled=False)
    return found.axes.x, found


@settings(max_examples=60)
@given(
    low=st.floats(-1e6, 1e6),
    span=st.floats(1e-6, 1e6),
    width=st.integers(160, 1200),
    k=st.sampled_from([1.0, 1.5]),
)
def test_numbers_along_x_can_be_read_apart(low, span, width, k):
    numbers, found = across(low, low + span, width, k=k)
    metrics = QFontMetricsF(font(SMALL, k))
    wide = [metrics.horizontalAdvance(label) for label in numbers.labels]
    for (one, left), (other, right) in pairwise(zip(numbers.values, wide)):
        assert (other - one) / found.geometry.unit[0] >= (left + right) / 2 + 10 * k


@pytest.mark.parametrize("last", [9, 12, 20, 25, 41, 57, 83, 101, 208, 401])
def test_a_chart_in_the_dock_names_three_steps_or_more(last):
    numbers, _ = across(1.0, float(last), 288, step=1.0)
    assert 3 <= len(numbers.values) <= 9
    assert np.array_equal(numbers.values, np.round(numbers.values))


def test_a_decade_and_a_half_of_counts_is_told_by_more_than_one_number():
    numbers, _ = across(13.0, 96.0, 288, log=True, step=1.0)
    assert numbers.labels == ("20", "50", "100")
    assert len(across(12.0, 130.0, 288, log=True, step=1.0)[0].labels) >= 3


@pytest.mark.parametrize("low, high", [(-25.3, -2.0), (3.1, 9.4), (0.52, 0.61), (12.0, 480.0)])
@pytest.mark.parametrize("height", [130, 150, 170, 220])
def test_a_low_chart_still_says_what_its_heights_are(low, high, height):
    chart = single(x=(0.0, 1.0), y=(low, high))
    found = lay_out_axes(chart, QSizeF(290, height), 1.0, titled=False)
    apart = np.diff(found.axes.y.values) / found.geometry.unit[1]
    assert len(found.axes.y.values) >= 2
    assert apart.min() >= QFontMetricsF(font(SMALL, 1.0)).ascent()


def test_names_along_y_take_no_more_than_a_third_of_the_width():
    heat = HeatMap(values=np.eye(2), rows=("a" * 80, "b" * 80), columns=("1", "2"))
    chart = Chart(title="", x=Axis(title=""), y=Axis(title=""), heat=heat)
    assert lay_out_axes(chart, SIZE, 1.0, titled=False).geometry.plot.width() > SIZE.width() / 2


def test_the_note_goes_first_then_the_title_of_x():
    chart = curves(note="a note of some length")
    full = lay_out_axes(chart, SIZE, 1.0, titled=True)
    assert (full.note, full.axis_titles) == (chart.note, ("Step", "Error"))
    seen = [lay_out_axes(chart, QSizeF(420, height), 1.0, titled=True) for height in range(300, 60, -1)]
    kinds = list(dict.fromkeys((bool(each.note), bool(each.axis_titles[0])) for each in seen))
    assert kinds == [(True, True), (False, True), (False, False)]


@settings(max_examples=30)
@given(st.floats(1.0, 100.0), st.booleans())
def test_columns_of_pixels_and_values_go_both_ways(x, log):
    chart = curves(x=Axis(title="Step", log=log))
    found = lay_out_axes(chart, SIZE, 1.0, titled=True)
    assert found.value_x(found.pixel_x(x)) == pytest.approx(x, rel=1e-9)
    assert found.geometry.plot.left() <= found.pixel_x(x) <= found.geometry.plot.right()


def test_only_series_with_names_of_their_own_are_in_a_legend():
    x = np.arange(3.0)
    shown = [Series(name=name, x=x, y=x) for name in ("a", "", "a", "b")]
    chart = Chart(title="", x=Axis(title="x"), y=Axis(title="y"), series=tuple(shown))
    assert [series.name for series in named_series(chart)] == ["a", "b"]
    assert named_series(replace(chart, series=tuple(shown[:3]))) == ()


def test_lines_with_names_at_their_ends_have_no_legend():
    laid = lay_out(replace(lines(3), names_at_ends=True), SIZE, 1.0)
    assert laid.panel is None
    assert not laid.strip
    assert names_at_ends(laid.chart)
    assert [names_at_ends(lines(count)) for count in (3, 9)] == [False, True]


def test_the_plate_of_a_legend_is_in_the_plot_and_off_the_lines():
    laid = lay_out(lines(3), SIZE, 1.0)
    drawn = laid.obstacles
    assert laid.geometry.plot.contains(laid.panel)
    hidden = [laid.panel.contains(x, y) for x, y in drawn.tolist()]
    assert np.mean(hidden) <= 0.01


def test_a_legend_of_lines_everywhere_is_a_strip_that_holds_every_name_once():
    noise = lines(4, y=lambda x, k: np.sin(40 * x + k))
    laid = lay_out(noise, SIZE, 1.0)
    assert laid.panel is None
    names = [name for row in laid.strip for _, name in row]
    assert names == [series.name for series in noise.series]


@pytest.mark.parametrize("width", [60, 150, 300, 1000])
def test_a_strip_breaks_before_a_name_that_would_be_cut(width):
    chart = lines(6, "series number {}")
    rows = strip_rows(chart, width, 20.0, 1.0)
    assert [name for row in rows for _, name in row] == [series.name for series in chart.series]
    assert all(row[0][0] == 20.0 for row in rows)
    for row in rows:
        begins = [x for x, _ in row]
        assert begins == sorted(set(begins))
        assert len(begins) == 1 or begins[-1] < width


def test_a_line_is_in_the_way_all_along_not_only_at_its_points():
    found = lay_out(single(x=(0.0, 1.0), y=(0.0, 1.0)), SIZE, 1.0)
    drawn = found.obstacles
    assert np.hypot(*np.diff(drawn, axis=0).T).max() <= 2 * SAMPLING
    ends = found.pixels(found.chart.series[0])
    assert drawn[0] == pytest.approx(ends[0])
    assert drawn[-1] == pytest.approx(ends[-1])


@pytest.mark.parametrize("size", [(420, 300), (300, 420), (900, 180)])
@pytest.mark.parametrize("stretch", [0.01, 1.0, 50.0])
def test_a_square_chart_has_units_of_one_length_and_leaves_nothing_out(size, stretch):
    turn = np.linspace(0, 2 * np.pi, 60)
    ring = Series(name="ring", x=3 + np.cos(turn), y=stretch * np.sin(turn))
    chart = Chart(title="Ring", x=Axis(title="x"), y=Axis(title="y"), series=(ring,), square=True)
    found = lay_out_axes(chart, QSizeF(*size), 1.0, titled=True)
    across, up = np.ptp(found.pixels(ring), axis=0)
    assert up / across == pytest.approx(stretch, rel=1e-3)
    for x, y in found.pixels(ring).tolist():
        assert found.geometry.plot.adjusted(-1, -1, 1, 1).contains(x, y)
    usual = lay_out_axes(replace(chart, square=False), QSizeF(*size), 1.0, titled=True)
    assert usual.geometry.plot == found.geometry.plot


@pytest.mark.parametrize("size, shown", [((420, 300), True), ((300, 240), False), ((200, 240), False)])
def test_a_heat_map_has_a_colour_bar_where_there_is_room(size, shown):
    found = lay_out(grid(), QSizeF(*size), 1.0)
    assert (found.bar is not None) is shown
    if found.bar is not None:
        assert found.geometry.plot.right() < found.bar.left() < found.bar.right() < size[0] - 20


@pytest.mark.parametrize("height, texts", [(300, ["0.5\na formula"] * 12), (200, ["0.5"] * 12), (80, [])])
def test_low_cells_have_the_first_lines_of_their_texts(height, texts):
    rows = tuple(f"row {k}" for k in range(12))
    heat = HeatMap(values=np.ones((12, 1)), rows=rows, columns=("",), texts=(("0.5\na formula",),) * 12)
    chart = Chart(title="", x=Axis(title=""), y=Axis(title=""), heat=heat)
    assert list(lay_out(chart, QSizeF(200, height), 1.0).cell_texts[1]) == texts


def test_cells_without_text_have_a_colour_bar_in_less_room():
    chart = replace(grid(), heat=replace(grid().heat, texts=()))
    assert lay_out(chart, QSizeF(300, 240), 1.0).bar is not None
    flat = replace(chart, heat=replace(chart.heat, values=np.ones((2, 3))))
    assert lay_out(flat, QSizeF(420, 300), 1.0).bar is None
