"""A chart under the pointer: what clicks and drags set, what zooms and pans, and what stays."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.paint.charts.fakes import curves, grid, path, single
from vizml.paint.charts.overlay import Hover
from vizml.scene import DARK, LIGHT, Axis, Handle, Series
from vizml.ui.charts.chart_view import ChartView


@pytest.fixture
def view(shown, qtbot):
    """A view that is loaded, with `hand` as the pointer on it."""
    made = ChartView()
    shown(made)
    qtbot.waitUntil(lambda: made.canvas is not None)
    made.hand = type(shown(made))(made.canvas.viewport())
    return made


def spot(view, x, y):
    at = Series(name="", x=np.array([float(x)]), y=np.array([float(y)]))
    return view.chart_layout.pixels(at)[0]


def cell(view, index):
    return view.chart_layout.cells()[index].center().toTuple()


def bounds(view):
    return view.chart_layout.geometry.bounds


def test_the_pointer_finds_the_nearest_point_and_loses_it(view):
    view.set_chart(curves())
    view.hand.move(*spot(view, 50, 0.25))
    assert view.canvas.highlight.hover == Hover(1, 49)
    view.hand.move(*spot(view, 50, 0.0))
    assert view.canvas.highlight.hover == Hover(0, 49)
    type(view.hand)(view.canvas).leave()
    assert view.canvas.highlight.hover is None


def test_a_press_and_a_drag_request_steps(view, heard):
    asked = heard(view.step_requested)
    view.set_chart(curves())
    view.hand.drag(*(spot(view, step, 0.5) for step in (20, 30, -10)))
    assert asked == [20, 30, 1]


def test_a_drag_along_x_picks_each_value_once_and_ends_once(view, heard):
    picked, released = heard(view.picked), heard(view.released)
    view.set_chart(path())
    view.hand.drag(spot(view, 9.4, 0.3), spot(view, 9.0, 0.2), spot(view, 6.2, 0.2), spot(view, 2.9, 0.3))
    assert picked == [{"alpha": 0.0}, {"alpha": 0.1}, {"alpha": 0.2}]
    assert len(released) == 1


def test_a_click_sets_fixed_values_too_and_beside_the_plot_nothing(view, heard):
    picked = heard(view.picked)
    view.set_chart(replace(path(), also=(("init", "random"),)))
    view.hand.click(*spot(view, 9.4, 0.3))
    view.set_chart(replace(grid(), also=(("kernel", "rbf"),)))
    view.hand.click(*cell(view, 5))
    view.hand.click(2, 2)
    assert picked == [{"alpha": 0.0, "init": "random"}, {"C": 100.0, "gamma": 1.0, "kernel": "rbf"}]


def test_a_cell_picks_column_and_row(view, heard):
    picked = heard(view.picked)
    view.set_chart(grid())
    view.hand.click(*cell(view, 5))
    assert picked == [{"C": 100.0, "gamma": 1.0}]
    assert view.canvas.highlight.hover == Hover(cell=(1, 2))
    assert view.canvas.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor


def test_a_cell_picks_the_points_that_it_counts(view, heard):
    picked, chart = heard(view.points_picked), replace(grid(), sets=(), choices=())
    ids = tuple(tuple(np.array([row, column]) for column in range(3)) for row in range(2))
    view.set_chart(replace(chart, heat=replace(chart.heat, members=ids)))
    view.hand.click(*cell(view, 4))
    assert [found.tolist() for found in picked] == [[1, 1]]


def test_the_handle_goes_along_its_series(view, heard):
    handled, released = heard(view.handled), heard(view.released)
    handle = Handle(series=0, values=np.array([0.9, 0.5, 0.1]), at=0, sets="threshold")
    view.set_chart(replace(single(), handle=handle))
    view.hand.drag(spot(view, 2.0, 2.0), spot(view, 3.0, 3.0))
    assert not handled
    view.hand.drag(spot(view, 1.0, 1.0), spot(view, 2.05, 2.0), spot(view, 3.0, 2.9))
    assert handled == [("threshold", 0.9), ("threshold", 0.5), ("threshold", 0.1)]
    assert len(released) == 1


def test_the_point_under_the_pointer_stays_while_a_chart_grows(view):
    view.set_chart(curves())
    view.hand.move(*spot(view, 50, 0.0))
    view.set_chart(curves())
    assert view.canvas.highlight.hover == Hover(0, 49)
    view.set_chart(single())
    assert view.canvas.highlight.hover is None


def test_without_a_chart_a_message_says_why(view):
    blank = view.grab().toImage()
    view.set_chart(None, "There is nothing to chart")
    assert view.accessibleDescription() == "There is nothing to chart"
    assert view.grab().toImage() != blank


def test_the_description_names_axes_and_series(view):
    view.set_chart(curves())
    assert view.accessibleDescription() == "Errors: Error over Step of training, held out."
    view.set_chart(grid())
    assert view.accessibleDescription().startswith("Grid: 2 rows, 3 columns.")


def test_the_timeline_moves_the_cursor_alone(view):
    view.set_chart(curves())
    view.set_step(10)
    one = view.grab().toImage()
    view.set_step(60)
    assert view.grab().toImage() != one
    view.set_step(10)
    assert view.grab().toImage() == one


def test_the_wheel_zooms_about_the_pointer_within_the_whole_chart(view):
    view.set_chart(curves())
    whole, x = bounds(view), spot(view, 50, 0.5)
    view.hand.wheel(*x, 3)
    left, right, bottom, top = bounds(view)
    assert right - left < 0.5 * (whole[1] - whole[0])
    assert whole[0] <= left < 50 < right <= whole[1]
    assert whole[2] <= bottom < top <= whole[3]
    for _ in range(30):
        view.hand.wheel(*x, -3)
    assert bounds(view) == whole


def test_a_zoomed_chart_has_ticks_between_and_scrubs_by_what_is_visible(view, heard):
    asked = heard(view.step_requested)
    view.set_chart(curves())
    view.hand.wheel(*spot(view, 50, 0.5), 6)
    left, right, *_ = bounds(view)
    ticks = view.chart_layout.axes.x.values
    assert len(ticks) >= 2
    assert all(left <= tick <= right for tick in ticks)
    view.hand.click(*spot(view, 52, 0.5))
    assert asked == [52]


def test_wheel_over_an_axis_zooms_that_axis_alone(view):
    view.set_chart(curves())
    whole, plot = bounds(view), view.chart_layout.geometry.plot
    view.hand.wheel(plot.center().x(), plot.bottom() + 12, 3)
    assert bounds(view)[1] - bounds(view)[0] < whole[1] - whole[0]
    assert bounds(view)[2:] == pytest.approx(whole[2:])


def test_a_drag_pans_a_zoomed_chart_and_a_double_click_fits_it(view):
    view.set_chart(single())
    whole = bounds(view)
    view.hand.drag(spot(view, 2, 2.5), spot(view, 2.5, 2.5))
    assert bounds(view) == whole
    view.hand.wheel(*spot(view, 2, 2), 4)
    before, unit = bounds(view), view.chart_layout.geometry.unit
    view.hand.drag((200, 150), (240, 150))
    assert before[0] - bounds(view)[0] == pytest.approx(40 * unit[0], rel=0.05)
    QTest.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 150))
    assert bounds(view) == whole


def test_a_renewed_chart_keeps_the_zoom_and_another_one_does_not(view):
    view.set_chart(curves())
    view.hand.wheel(*spot(view, 50, 0.5), 4)
    before = bounds(view)
    view.set_chart(curves(note="one step more"))
    assert bounds(view) == pytest.approx(before)
    view.set_chart(replace(curves(), title="Another"))
    assert bounds(view)[1] > 100


def test_a_square_chart_stays_square_when_it_is_zoomed(view):
    turn = np.linspace(0, 2 * np.pi, 60)
    ring = Series(name="ring", x=np.cos(turn), y=np.sin(turn))
    view.set_chart(replace(single(), series=(ring,), square=True, x=Axis(title="x"), y=Axis(title="y")))
    view.hand.wheel(*spot(view, 0.3, 0.2), 3)
    across, up = view.chart_layout.geometry.unit
    assert across == pytest.approx(up, rel=1e-6)


def test_a_heat_map_zooms_to_cells_that_can_still_be_picked(view, heard):
    picked = heard(view.picked)
    view.set_chart(grid())
    place = cell(view, 2)
    view.hand.wheel(*place, 4)
    assert view.chart_layout.cells()[2].width() > view.chart_layout.geometry.plot.width() / 2
    view.hand.click(*place)
    assert picked == [{"C": 100.0, "gamma": 0.01}]


def test_a_right_click_requests_the_menu_at_its_place(view, heard):
    asked = heard(view.menu_requested)
    view.set_chart(single())
    viewport = view.canvas.viewport()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(9, 9), viewport.mapToGlobal(QPoint(9, 9))
    )
    QApplication.sendEvent(viewport, event)
    assert asked == [viewport.mapToGlobal(QPoint(9, 9))]


def test_another_theme_recolours_the_chart(view, dressed):
    view.set_chart(curves())
    dressed(DARK)
    dark = view.grab().toImage().pixelColor(2, 2)
    dressed(LIGHT)
    light = view.grab().toImage().pixelColor(2, 2)
    assert (dark.getRgb()[:3], light.getRgb()[:3]) == (DARK.ground, LIGHT.ground)


def test_the_pointer_does_not_repaint_the_items(view, monkeypatch):
    """A silhouette of hundreds of stems took 13 ms for each move of the pointer."""
    view.set_chart(curves())
    view.grab()
    rendered = []
    monkeypatch.setattr(view.canvas.plot, "paint", lambda *_: rendered.append(1))
    view.hand.move(*spot(view, 50, 0.25))
    view.grab()
    assert not rendered


def test_charts_and_other_models_are_imported_after_the_first_paint_of_a_window():
    program = """
import sys, tempfile
from pathlib import Path
from PySide6.QtCore import QEvent, QObject, QSettings
from vizml.app import application
from vizml.ui.charts.chart_view import CANVAS, ImportAfterPaint
from vizml.ui.preferences import QtPreferences
from vizml.ui.window.window import Window
from vizml.workspace import Document

LATE = {"pyqtgraph", CANVAS, "vizml.learn.ensembles.random_forest", "vizml.learn.trees.c45"}

class Paints(QObject):
    loaded = []
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.loaded.append(LATE & set(sys.modules))
        return False

app, paints = application(), Paints()
folder = Path(tempfile.mkdtemp())
preferences = QtPreferences(QSettings(str(folder / "a.ini"), QSettings.Format.IniFormat))
window = Window(Document(), preferences, folder)
window.installEventFilter(paints)
ImportAfterPaint(window)
assert not LATE & set(sys.modules)
window.show()
while not set(sys.modules) >= LATE:
    app.processEvents()
assert paints.loaded and not paints.loaded[0], paints.loaded
window.close_down()
window.close()
"""
    subprocess.run([sys.executable, "-c", program], check=True)
