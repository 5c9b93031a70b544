"""What the pointer is on, and the figures that are told of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from tests.paint.charts.fakes import chart_of, curves, grid, line, single
from vizml.paint.charts.legend import lay_out
from vizml.paint.charts.overlay import MOST_LINES, REACH, Hover, describe, exists, find, number, tooltip_rect
from vizml.scene import Axis

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = QSizeF(420, 300)


def layout_of(chart):
    return lay_out(chart, SIZE, 1.0)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 10)), min_size=1, max_size=12),
    st.floats(60, 400), st.floats(20, 250),
)  # fmt: skip
def test_of_dots_it_is_the_nearest_by_brute_force_or_none_within_reach(points, x, y):
    layout = layout_of(chart_of(line(*zip(*points), "dots")))
    if not layout.geometry.plot.contains(x, y):
        return
    away = np.hypot(*(layout.pixels(layout.chart.series[0]) - (x, y)).T)
    found = find(layout, x, y)
    if away.min() >= REACH:
        assert found is None
    else:
        assert found is not None
        assert away[found.point] == away.min()


def test_a_line_is_pointed_at_by_x_rather_than_by_y():
    layout = layout_of(single(x=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), y=(0, 0, 0, 9, 0, 0, 0)))
    x, y = layout.pixels(layout.chart.series[0])[3].tolist()
    assert find(layout, x, y + 100) == Hover(0, 3)


def test_holes_and_empty_series_are_never_near():
    holed = single(x=(1.0, 2.0, 3.0), y=(1.0, np.nan, 1.0))
    layout = layout_of(replace(holed, series=(line([], []), *holed.series)))
    middle = layout.pixel_x(2.0)
    found = find(layout, middle, layout.geometry.plot.center().y())
    assert found is None or found.point != 1
    assert find(layout, layout.pixel_x(1.0), layout.pixels(holed.series[0])[0, 1]) == Hover(1, 0)


def test_every_cell_is_found_at_its_place_also_at_the_far_edges():
    layout = layout_of(grid())
    plot = layout.geometry.plot
    for row in range(2):
        for column in range(3):
            x = plot.left() + (column + 0.5) / 3 * plot.width()
            y = plot.top() + (row + 0.5) / 2 * plot.height()
            assert find(layout, x, y) == Hover(cell=(row, column))
    assert find(layout, plot.right(), plot.bottom()) == Hover(cell=(1, 2))


def test_a_cell_tells_its_row_its_column_and_its_words():
    assert describe(grid(), Hover(cell=(1, 2)))[-1] == "best value"
    assert describe(grid(), Hover(cell=(0, 2))) == ["gamma low", "C 100", "30 %"]
    chart = grid()
    bare = replace(chart, heat=replace(chart.heat, texts=()), x=Axis(title=""), y=Axis(title=""))
    assert describe(bare, Hover(cell=(0, 1))) == ["row low", "column 10", "0.2"]
    assert describe(bare, Hover(cell=(1, 1)))[-1] == "unknown"


def test_lines_at_the_same_x_are_told_together_the_nearest_first():
    lines = describe(curves(), Hover(1, 0))
    assert lines == ["Step 1", "held out 1.2 (1.1 to 1.3)", "training 1"]
    assert describe(curves(), Hover(0, 0))[1].startswith("training")


def test_of_many_lines_only_a_plate_full_is_told():
    lines = describe(chart_of(*(line([1], [k], name=f"{k}") for k in range(20))), Hover(17, 0))
    assert len(lines) == 1 + MOST_LINES
    assert lines[1] == "17 17"


def test_a_value_is_told_by_the_name_of_its_tick_and_with_a_true_minus():
    axis = Axis(title="k", ticks={0.0: "uniform"})
    assert number(axis, 0.0) == "uniform"
    assert number(axis, -0.000012) == "−1.2×10⁻⁵"


@pytest.mark.parametrize("x", [0, 5, 210, 400, 419])
@pytest.mark.parametrize("y", [0, 10, 150, 299])
def test_a_tooltip_stays_inside_the_chart(x, y):
    rect = tooltip_rect(layout_of(curves()), QPointF(x, y), 120, 4)
    assert QRectF(0, 0, 420, 300).contains(rect)
    assert not rect.contains(x, y)


def test_a_point_or_cell_that_is_gone_is_known_to_be():
    assert exists(curves(), Hover(1, 99))
    assert exists(grid(), Hover(cell=(1, 2)))
    gone = (Hover(7, 0), Hover(0, 700), Hover(), Hover(cell=(0, 0)))
    assert not any(exists(curves(), hover) for hover in gone)
    assert not exists(grid(), Hover(cell=(2, 0)))
