"""What the pointer is on, and the figures that are told of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor

from tests.paint.sheet import painted
from tests.ui.charts.fakes import curves, grid, single
from vizml.scene import DARK, LIGHT, Axis, Chart, Series
from vizml.ui.charts.hover import MOST, REACH, Hover, figure, find, told
from vizml.ui.charts.paint import lay_out, paint_chart

pytestmark = pytest.mark.usefixtures("qapp")
SIZE = QSizeF(420, 300)


def plan_of(chart):
    return lay_out(chart, SIZE, 1.0).plan


def cloud(points):
    points = np.array(points, float)
    dots = Series(name="a", x=points[:, 0], y=points[:, 1], kind="dots")
    return Chart(title="", x=Axis(title="x"), y=Axis(title="y"), series=(dots,))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 10)), min_size=1, max_size=12),
    st.floats(60, 400), st.floats(20, 250),
)  # fmt: skip
def test_of_dots_it_is_the_nearest_by_brute_force_or_none_within_reach(points, x, y):
    plan = plan_of(cloud(points))
    if not plan.geometry.plot.contains(x, y):
        return
    away = np.hypot(*(plan.pixels(plan.chart.series[0]) - (x, y)).T)
    found = find(plan, x, y)
    if away.min() >= REACH:
        assert found is None
    else:
        assert found is not None
        assert away[found.point] == away.min()


def test_every_point_of_a_line_can_be_pointed_at():
    plan = plan_of(single(x=(1.0, 2.0, 3.0), y=(5.0, 1.0, 4.0)))
    for number, (x, y) in enumerate(plan.pixels(plan.chart.series[0]).tolist()):
        assert find(plan, x, y) == Hover(0, number)


def test_a_line_is_pointed_at_by_x_rather_than_by_y():
    plan = plan_of(single(x=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0), y=(0, 0, 0, 9, 0, 0, 0)))
    x, y = plan.pixels(plan.chart.series[0])[3].tolist()
    assert find(plan, x, y + 100) == Hover(0, 3)


def test_holes_and_empty_series_are_never_near():
    holed = single(x=(1.0, 2.0, 3.0), y=(1.0, np.nan, 1.0))
    empty = Series(name="none", x=np.empty(0), y=np.empty(0))
    plan = plan_of(replace(holed, series=(empty, *holed.series)))
    middle = plan.column(2.0)
    found = find(plan, middle, plan.geometry.plot.center().y())
    assert found is None or found.point != 1
    assert find(plan, plan.column(1.0), plan.pixels(holed.series[0])[0, 1]) == Hover(1, 0)


def test_nothing_is_pointed_at_beside_the_plot():
    plan = plan_of(single())
    assert find(plan, 1.0, 299.0) is None
    assert find(plan_of(grid()), 1.0, 299.0) is None


def test_every_cell_is_found_at_its_place_also_at_the_far_edges():
    plan = plan_of(grid())
    plot = plan.geometry.plot
    for row in range(2):
        for column in range(3):
            x = plot.left() + (column + 0.5) / 3 * plot.width()
            y = plot.top() + (row + 0.5) / 2 * plot.height()
            assert find(plan, x, y) == Hover(cell=(row, column))
    assert find(plan, plot.right(), plot.bottom()) == Hover(cell=(1, 2))


def test_a_cell_tells_its_row_its_column_and_its_words():
    assert told(grid(), Hover(cell=(0, 2))) == ["gamma low", "C 100", "30 %"]
    chart = grid()
    bare = replace(chart, heat=replace(chart.heat, texts=()), x=Axis(title=""), y=Axis(title=""))
    assert told(bare, Hover(cell=(0, 1))) == ["row low", "column 10", "0.2"]
    assert told(bare, Hover(cell=(1, 1)))[-1] == "not known"


def test_a_word_of_two_lines_is_told_in_one():
    chart = grid()
    texts = (("a\nb", "", ""), ("", "", ""))
    assert told(replace(chart, heat=replace(chart.heat, texts=texts)), Hover(cell=(0, 0)))[-1] == "a, b"


def test_lines_at_the_same_x_are_told_together_the_nearest_first():
    lines = told(curves(), Hover(1, 0))
    assert lines == ["Step 1", "held out 1.2 (1.1 to 1.3)", "training 1"]
    assert told(curves(), Hover(0, 0))[1].startswith("training")


def test_a_dot_is_told_of_alone():
    dots = [Series(name=n, x=np.array([1.0]), y=np.array([2.0]), kind="dots") for n in "ab"]
    chart = Chart(title="", x=Axis(title="x"), y=Axis(title="y"), series=tuple(dots))
    assert told(chart, Hover(1, 0)) == ["x 1", "b 2"]


def test_a_line_without_a_point_at_x_is_not_told_of():
    lines = (
        Series(name="a", x=np.array([1.0, 2.0]), y=np.array([1.0, 2.0])),
        Series(name="b", x=np.array([1.5]), y=np.array([9.0])),
    )
    chart = Chart(title="", x=Axis(title="x"), y=Axis(title="y"), series=lines)
    assert told(chart, Hover(0, 1)) == ["x 2", "a 2"]


def test_of_many_lines_only_a_plate_full_is_told():
    many = tuple(Series(name=f"{k}", x=np.array([1.0]), y=np.array([float(k)])) for k in range(20))
    chart = Chart(title="", x=Axis(title="x"), y=Axis(title="y"), series=many)
    lines = told(chart, Hover(17, 0))
    assert len(lines) == 1 + MOST
    assert lines[1] == "17 17"


def test_axes_and_series_without_names_are_x_and_y():
    line = Series(name="", x=np.array([1.0]), y=np.array([2.0]))
    assert told(Chart(title="", x=Axis(title=""), y=Axis(title=""), series=(line,)), Hover(0, 0)) == [
        "x 1",
        "y 2",
    ]


def test_a_value_is_told_by_the_name_of_its_tick_and_with_a_true_minus():
    axis = Axis(title="k", ticks={0.0: "uniform"})
    assert figure(axis, 0.0) == "uniform"
    assert figure(axis, -0.000012) == "−1.2e−05"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("chart,hover", [(single(), Hover(0, 2)), (grid(), Hover(cell=(1, 2)))])
def test_what_is_pointed_at_is_marked_and_what_is_gone_is_not(theme, chart, hover):
    def shot(hover):
        rect, ground = QRectF(0, 0, 420, 300), QColor(*theme.ground)
        return painted(420, 300, lambda p: paint_chart(p, chart, theme, rect, hover=hover), ground=ground)

    still = shot(None)
    assert (shot(hover) != still).any()
    for gone in (Hover(7, 0), Hover(0, 700), Hover()):
        if hover.cell is None:
            assert (shot(gone) == still).all()
