from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from tests.ui.charts.fakes import curves, grid, path, single
from vizml.scene import Handle, Series
from vizml.ui.charts.chart_view import ChartView
from vizml.ui.charts.heat import cells
from vizml.ui.charts.hover import Hover


@pytest.fixture
def view(qtbot):
    return ChartView()


def spot(view, x, y):
    at = Series(name="", x=np.array([float(x)]), y=np.array([float(y)]))
    return view.plan.pixels(at)[0]


def test_the_pointer_finds_the_nearest_point_and_loses_it(view, shown):
    hand = shown(view)
    view.set_chart(curves())
    hand.move(*spot(view, 50, 0.25))
    assert view.hover == Hover(1, 49)
    hand.move(*spot(view, 50, 0.0))
    assert view.hover == Hover(0, 49)
    hand.leave()
    assert view.hover is None


def test_of_dots_the_one_that_is_really_nearest(view, shown):
    hand = shown(view)
    view.set_chart(single("dots", x=(1.0, 1.1, 9.0), y=(0.0, 10.0, 5.0)))
    hand.move(*spot(view, 1.1, 0.2))
    assert view.hover == Hover(0, 0)


def test_a_press_and_a_drag_ask_for_steps(view, shown, heard):
    hand, asked = shown(view), heard(view.moment_asked)
    view.set_chart(curves())
    places = [spot(view, step, 0.5) for step in (20, 30, -10)]
    hand.drag(*places)
    assert asked == [20, 30, 1]


def test_a_chart_without_links_asks_for_nothing(view, shown, heard):
    hand, asked, picked = shown(view), heard(view.moment_asked), heard(view.picked)
    view.set_chart(single())
    hand.drag(spot(view, 1.5, 2.0), spot(view, 2.0, 2.0))
    assert not asked
    assert not picked


def test_a_drag_along_x_picks_each_value_once_and_ends_once(view, shown, heard):
    hand, picked, released = shown(view), heard(view.picked), heard(view.released)
    view.set_chart(path())
    hand.drag(spot(view, 9.4, 0.3), spot(view, 9.0, 0.2), spot(view, 6.2, 0.2), spot(view, 2.9, 0.3))
    assert picked == [{"alpha": 0.0}, {"alpha": 0.1}, {"alpha": 0.2}]
    assert len(released) == 1


def test_without_choices_x_itself_is_picked(view, shown, heard):
    hand, picked = shown(view), heard(view.picked)
    view.set_chart(replace(single(x=(1.0, 10.0, 100.0), log_x=True), sets=("C",)))
    hand.click(*spot(view, 12.0, 2.0))
    assert picked == [{"C": 10.0}]


def test_what_a_click_sets_besides_comes_with_each_value(view, shown, heard):
    hand, picked = shown(view), heard(view.picked)
    view.set_chart(replace(path(), also=(("init", "random"),)))
    hand.click(*spot(view, 9.4, 0.3))
    view.set_chart(replace(grid(), also=(("kernel", "rbf"),)))
    hand.click(*cells(view.plan)[5].center().toTuple())
    hand.click(2, 2)
    assert picked == [{"alpha": 0.0, "init": "random"}, {"C": 100.0, "gamma": 1.0, "kernel": "rbf"}]


def test_a_cell_picks_column_and_row(view, shown, heard):
    hand, picked = shown(view), heard(view.picked)
    view.set_chart(grid())
    hand.click(*cells(view.plan)[5].center().toTuple())
    assert picked == [{"C": 100.0, "gamma": 1.0}]
    assert view.hover == Hover(cell=(1, 2))
    assert view.cursor().shape() is Qt.CursorShape.PointingHandCursor


def test_clicks_beside_the_plot_pick_nothing(view, shown, heard):
    hand, picked = shown(view), heard(view.picked)
    view.set_chart(grid())
    hand.click(2, 2)
    assert not picked


def test_the_handle_goes_along_its_series(view, shown, heard):
    hand, handled, released = shown(view), heard(view.handled), heard(view.released)
    handle = Handle(series=0, values=np.array([0.9, 0.5, 0.1]), at=0, sets="threshold")
    view.set_chart(replace(single(), handle=handle))
    hand.drag(spot(view, 2.0, 2.0), spot(view, 3.0, 3.0))
    assert not handled
    hand.drag(spot(view, 1.0, 1.0), spot(view, 2.05, 2.0), spot(view, 3.0, 2.9))
    assert handled == [("threshold", 0.9), ("threshold", 0.5), ("threshold", 0.1)]
    assert len(released) == 1


def test_what_the_pointer_is_on_stays_while_a_chart_grows(view, shown):
    hand = shown(view)
    view.set_chart(curves())
    hand.move(*spot(view, 50, 0.0))
    view.set_chart(curves())
    assert view.hover == Hover(0, 49)
    view.set_chart(single())
    assert view.hover is None


def test_no_chart_says_why(view, shown):
    shown(view)
    blank = view.grab().toImage()
    view.set_chart(None, "There is nothing to chart")
    assert view.accessibleDescription() == "There is nothing to chart"
    assert view.grab().toImage() != blank


def test_the_timeline_moves_the_cursor_alone(view, shown):
    shown(view)
    view.set_chart(curves())
    view.set_step(10)
    one = view.grab().toImage()
    view.set_step(60)
    assert view.grab().toImage() != one
    view.set_step(10)
    assert view.grab().toImage() == one
