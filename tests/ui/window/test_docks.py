"""Docks in windows of any height: what is beside the stage, and what stands below it."""

from dataclasses import replace

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QTabBar

from tests.events import pass_events
from tests.ui.window.conftest import four_points
from vizml.learn import create
from vizml.ui.widgets import appearance
from vizml.ui.widgets.parameter_rows import ParameterRow
from vizml.ui.window.docks import BOTTOM, RIGHT
from vizml.workspace import Experiment


def area(window):
    return window.dockWidgetArea(window.docks.model)


@pytest.fixture
def model(start, qapp, qtbot):
    """Opens a window of a size, with type of a size, and the model's dock in it."""

    def opened(size, large=False):
        work = four_points()
        window = start(replace(work, experiments=(Experiment(create("tree")),)), size=size)
        qtbot.waitUntil(lambda: window.stage.settled)
        window.preferences.set_large_type(large)
        window.commands["model"].trigger()
        pass_events()
        return window

    return opened


@pytest.mark.parametrize(
    "size, large, where",
    [((1280, 720), False, BOTTOM), ((1280, 720), True, RIGHT), ((1024, 700), False, RIGHT)],
)
def test_the_model_stands_below_the_stage_where_the_window_is_high_enough(model, size, large, where):
    window = model(size, large)
    assert area(window) is where
    assert window.docks.model.isVisible()
    assert window.canvas.height() > window.height() / 3


def test_it_moves_when_the_type_grows_and_back_with_it(model, qapp):
    """One that nobody looks at stays away."""
    window = model((1280, 800))
    for large, where in ((False, BOTTOM), (True, RIGHT), (False, BOTTOM)):
        window.preferences.set_large_type(large)
        assert area(window) is where
        assert window.docks.model.isVisible()
    window.commands["model"].trigger()
    window.preferences.set_large_type(True)
    assert window.docks.model.isHidden()


def test_a_model_without_a_diagram_has_no_dock(model, qtbot):
    window = model((1280, 800))
    dock, action = window.docks.model, window.commands["model"]
    assert action.isEnabled()
    window.document.set_model(create("knn"))
    qtbot.waitUntil(lambda: not action.isEnabled())
    assert dock.isHidden()
    window.document.set_model(create("mlp", hidden="4"))
    qtbot.waitUntil(dock.isVisible)
    assert action.isEnabled()
    window.document.set_standardise(True)
    qtbot.waitUntil(lambda: window.stage.settled)
    assert dock.isVisible()


@pytest.mark.parametrize(
    "closing", [lambda w: w.docks.swap(w.docks.diagnostics), lambda w: w.docks.diagnostics.close()]
)
def test_charts_and_stages_change_places_and_back(start, closing):
    window = start(size=(1280, 800))
    window.commands["diagnostics"].trigger()
    dock, chart = window.docks.diagnostics, window.diagnostic_docks.diagnostics
    window.commands["swap"].trigger()
    assert dock.isAncestorOf(window.canvas)
    assert window.centralWidget().isAncestorOf(chart)
    assert window.canvas.isVisible()
    assert chart.isVisible()
    assert dock.windowTitle() == "Stages"
    closing(window)
    assert window.centralWidget().isAncestorOf(window.canvas)
    assert dock.isAncestorOf(chart)
    assert window.canvas.isVisible()


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_several_charts_are_shown_at_once_and_end_when_they_are_closed(start, qtbot, size):
    window = start(size=size)
    window.commands["diagnostics"].trigger()
    window.diagnostic_docks.diagnostics.choose("Confusion matrix")
    window.commands["chart"].trigger()
    (dock,) = window.docks.charts
    other = dock.widget()
    other.choose("ROC curve")
    qtbot.waitUntil(lambda: other.view.chart is not None and other.view.chart.title == "ROC curve")
    if size[0] == 1280:
        assert window.diagnostic_docks.diagnostics.view.chart.title.startswith("Confusion")
    window.docks.swap(dock)
    dock.close()
    assert window.docks.charts == []
    qtbot.waitUntil(lambda: not shiboken6.isValid(other))
    assert window.centralWidget().isAncestorOf(window.canvas)
    window.document.set_seed(5)
    qtbot.waitUntil(lambda: window.stage.settled)


@pytest.mark.parametrize("name", ["readout", "diagnostics"])
def test_a_dock_takes_nearly_half_of_the_height_and_a_chart_leaves_the_width(start, name, qapp):
    """The separator makes panel and docks wider."""
    window = start(size=(1280, 800))
    before = window.docks.panel.width()
    window.commands[name].trigger()
    pass_events()
    assert getattr(window.docks, name).height() >= 0.4 * window.height()
    assert window.docks.panel.width() == before or name == "readout"
    window.resizeDocks([window.docks.panel], [500], Qt.Orientation.Horizontal)
    pass_events()
    assert window.docks.panel.width() == 500


def test_to_the_right_it_is_a_tab_that_leaves_parameters_usable(model, qapp):
    window = model((1024, 700))
    window.commands["diagnostics"].trigger()
    pass_events()
    assert window.docks.model in window.tabifiedDockWidgets(window.docks.diagnostics)
    assert not window.docks.diagnostics.visibleRegion().isEmpty()
    assert window.docks.model.visibleRegion().isEmpty()
    rows = [row for row in window.panel.form.findChildren(ParameterRow) if row.isVisible()][:2]
    assert all(not row.visibleRegion().isEmpty() for row in rows)
    assert window.panel.formula.isHidden()


def test_the_heading_of_a_dock_begins_where_its_content_does(start, qapp):
    for scale in (False, True):
        window = start(size=(1280, 900))
        window.preferences.set_large_type(scale)
        window.commands["readout"].trigger()
        pass_events()
        dock = window.docks.readout
        heading = next(label for label in dock.titleBarWidget().findChildren(QLabel))
        left = heading.mapTo(window, heading.contentsRect().topLeft()).x()
        assert left == window.readout.table.mapTo(window, window.readout.table.rect().topLeft()).x()
        window.document.mark_saved()
        window.close()
    appearance.apply(qapp, window.preferences.look.theme)


@pytest.mark.parametrize("large", [False, True])
def test_every_button_of_the_bar_is_in_sight_with_words_where_there_is_room(start, qapp, large):
    window = start(size=(900, 700))
    window.preferences.set_large_type(large)
    bar = window.bar
    new = bar.widgetForAction(window.commands["new"])
    words, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
    for width in (900, 1024, 1280, 1920, 900):
        window.resize(width, 700)
        pass_events()
        for action in bar.actions():
            widget = bar.widgetForAction(action)
            assert widget.isVisible(), action.text()
            assert widget.geometry().right() <= bar.width(), action.text()
        if width in (900, 1920):
            assert new.toolButtonStyle() is (alone if large and width == 900 else words)


def lines_over(dock, window):
    """The rows of pixels around the top of a dock that have the colour of dividing lines."""
    image = window.grab().toImage()
    top = dock.geometry().top()
    line = QColor(*window.preferences.look.theme.line)
    x = dock.geometry().center().x()
    return [y - top for y in range(top - 4, top + 4) if image.pixelColor(x, y) == line]


def test_a_line_parts_a_dock_from_what_is_above_it(model, qapp):
    for size in ((1280, 900), (1024, 700)):
        window = model(size)
        for name in ("readout", "model"):
            window.docks.show(getattr(window.docks, name), shown=True)
            pass_events()
            assert lines_over(getattr(window.docks, name), window) == [-3, -2, -1], name


def test_tab_stops_at_tabs_only_where_there_are_some(start, qapp):
    """Qt keeps an empty bar of tabs about, where the focus would be lost to sight."""
    window = start(size=(1280, 900))
    window.commands["readout"].trigger()
    pass_events()
    alone = [bar for bar in window.findChildren(QTabBar) if bar.count() < 2]
    assert all(bar.focusPolicy() is Qt.FocusPolicy.NoFocus for bar in alone)
    window.commands["diagnostics"].trigger()
    pass_events()
    (both,) = (bar for bar in window.findChildren(QTabBar) if bar.count() == 2)
    assert both.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_a_restored_dock_of_the_model_is_hidden_where_there_is_no_diagram(model, start, qtbot):
    model((1280, 800)).close()
    window = start(size=(1280, 800))
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.docks.model.isHidden()


def places(window):
    """Left edges and widths of visible docks of charts; Qt moves those behind a tab out of sight."""
    docks = (window.docks.diagnostics, *window.docks.charts)
    return {dock.objectName(): (dock.x(), dock.width()) for dock in docks if dock.x() > 0}


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_charts_and_their_places_are_restored(start, qtbot, size):
    window = start(size=size)
    window.commands["diagnostics"].trigger()
    for _ in range(3):
        window.commands["chart"].trigger()
    charts = {"chart 2": "ROC curve", "chart 3": "Precision-recall curve", "chart 4": "Confusion matrix"}
    for dock, title in zip(window.docks.charts, charts.values()):
        dock.widget().choose(title)
    window.docks.charts[0].close()
    window.commands["chart"].trigger()
    _, confusion, fresh = window.docks.charts
    assert fresh.objectName() == "chart 2", "names are unique"
    fresh.widget().choose("ROC curve")
    window.docks.swap(confusion)
    pass_events()
    before = places(window)
    window.document.mark_saved()
    window.close()

    again = start(size=size)
    pass_events()
    panels = {panel.objectName(): panel for panel in again.diagnostic_docks.charts}
    assert {name: panel.title for name, panel in panels.items() if name} == charts
    assert again.centralWidget().isAncestorOf(panels["chart 4"])
    assert again.docks.swapped.isAncestorOf(again.canvas)
    assert places(again) == before
    shown = [panel for panel in panels.values() if panel.isVisible()]
    assert shown
    for panel in shown:
        qtbot.waitUntil(lambda panel=panel: panel.view.chart is not None)


def test_settings_of_diagnostics_are_restored_in_each_chart(start, qtbot):
    window = start()
    window.commands["diagnostics"].trigger()
    window.commands["chart"].trigger()
    for panel, folds in zip(window.diagnostic_docks.charts, (4, 7)):
        panel.choose("Cross-validation")
        qtbot.waitUntil(lambda panel=panel: panel.diagnostic is not None)
        panel.settings_button.setChecked(True)
        qtbot.waitUntil(lambda panel=panel: "folds" in panel.settings.rows)
        panel.settings.asked.emit(panel.diagnostic.with_(folds=folds))
    window.document.mark_saved()
    window.close()
    again = start()
    for panel, folds in zip(again.diagnostic_docks.charts, (4, 7)):
        qtbot.waitUntil(lambda panel=panel: panel.diagnostic is not None)
        assert panel.diagnostic.values["folds"] == folds


@pytest.mark.parametrize(
    "stored", ["", "{", "[]", '{"": {"cross_validation": {"folds": -3, "x": 1}}}', '{"": 3}']
)
def test_stored_settings_that_are_not_valid_are_ignored(stored, start, preferences):
    start().close()
    preferences.set_text("window/settings", stored)
    again = start()
    assert again.diagnostic_docks.diagnostics.configured == {}
    assert (again.docks.charts, again.docks.swapped) == ([], None)
