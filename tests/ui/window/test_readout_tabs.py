"""The tabs 'Parameters' and 'Points' of the readout, and their link with the canvas."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from vizml.data import Split, generate
from vizml.learn import create
from vizml.run.value_tables import ValueTable
from vizml.ui.table.linked import PADDING
from vizml.workspace import Work

COUNT = 60


@pytest.fixture
def tabs(window, qtbot):
    document = window.document
    document.set_dataset("blobs", generate("blobs", n=COUNT, classes=2, noise=1.2, seed=1))
    document.set_model(create("svm", kernel="linear"))
    window.commands["readout"].trigger()
    qtbot.waitUntil(lambda: window.stage.settled)
    return window.readout_tabs


def show(tabs, name, qtbot):
    tabs.show_tab(name)
    panel = getattr(tabs, name)
    qtbot.waitUntil(lambda: len(panel.model.values) > 0 and panel.settled)
    if name == "points":  # not those of the points that the window has opened with
        qtbot.waitUntil(lambda: panel.model.rowCount() == COUNT)
    return panel


def column(panel, heading):
    place = panel.model.headings.index(heading)
    return [panel.model.index(row, place).data() for row in range(panel.model.rowCount())]


def test_parameters_are_listed_under_their_names_and_hidden_tabs_do_no_work(tabs, window, qtbot):
    """Columns are as wide as the widest value so far."""
    panel = show(tabs, "parameters", qtbot)
    assert column(panel, "Parameter") == ["w", "w", "b", "width"]
    assert column(panel, "Index") == ["x", "y", "", ""]
    assert len(tabs.points.model.values) == 0
    window.document.set_model(create("gaussian_nb"))
    qtbot.waitUntil(lambda: "μ" in column(panel, "Parameter"))
    for place in (0, 1):
        assert panel.table.columnWidth(place) >= panel.table.sizeHintForColumn(place)


def test_each_point_has_a_row_also_those_held_out_and_numbers_are_sorted_as_numbers(tabs, window, qtbot):
    panel = show(tabs, "points", qtbot)
    assert panel.model.rowCount() == 60
    assert panel.model.headings[:3] == ("class", "α", "KKT case")
    assert panel.model.headings[-2:] == ("prediction", "score")
    panel.table.sortByColumn(panel.model.headings.index("α"), Qt.SortOrder.DescendingOrder)
    shown = [float(text) for text in column(panel, "α")]
    assert shown == sorted(shown, reverse=True)
    assert shown[0] > 0
    window.document.set_split(Split(0.25))
    qtbot.waitUntil(lambda: "part" in panel.model.headings)
    held = column(panel, "part").count("held out")
    assert 0 < held == 60 - window.stage.frame.state.trained_on.X.shape[0]


def test_points_are_selected_and_pointed_at_on_both_sides(tabs, window, qtbot):
    panel, canvas = show(tabs, "points", qtbot), window.canvas
    panel.table.selectRow(4)
    assert canvas.selection.ids.tolist() == [panel.model.ids[4]]
    canvas.selection.set_ids(window.document.dataset.ids[[2, 5]])
    assert np.flatnonzero(panel.table.selected).tolist() == [2, 5]
    assert panel.count.text() == "60 points, 2 selected"
    at = panel.table.visualRect(panel.model.index(1, 0)).center()
    qtbot.mouseMove(panel.table.viewport(), at)
    qtbot.waitUntil(lambda: canvas.pointed == panel.model.ids[1])
    x, y = canvas.plot_geometry.to_pixels(window.document.dataset.points[[7]])[0]
    qtbot.mouseMove(canvas, QPointF(x, y).toPoint())
    qtbot.waitUntil(lambda: panel.table.hot == 7)


@pytest.mark.parametrize(
    "form, begins",
    [("text", "Parameter\tIndex\tValue\nw\tx\t"), ("csv", "Parameter,Index,Value\nw,x,"),
     ("latex", "\\begin{tabular}{llr}\nParameter & Index & Value \\\\\nw & x & $")],
)  # fmt: skip
def test_rows_are_copied(tabs, form, begins, qtbot):
    panel = show(tabs, "parameters", qtbot)
    panel.table.copy(getattr(ValueTable, form))
    assert QGuiApplication.clipboard().text().startswith(begins)


def test_a_menu_copies_the_values_that_are_there_when_it_is_clicked(tabs, window, qtbot):
    panel = show(tabs, "points", qtbot)
    panel.table.show_menu(panel.mapToGlobal(QPoint()))
    (menu,) = panel.table.findChildren(QMenu)
    before = len(panel.model.values)
    window.document.add(np.full((40, 2), 0.5), 0)
    qtbot.waitUntil(lambda: len(panel.model.values) == before + 40)
    menu.actions()[1].trigger()
    assert QGuiApplication.clipboard().text().count("\n") == before + 41
    menu.close()


def test_commands_open_the_tabs_and_a_sentence_says_what_is_missing(start):
    window = start(Work.fresh())
    for command, name in (
        ("learned_parameters", "parameters"),
        ("point_values", "points"),
        ("rules", "rules"),
    ):
        window.commands[command].trigger()
        panel = getattr(window.readout_tabs, name)
        assert panel.isVisible()
        assert panel.message.isVisible()
        assert panel.message.text().endswith("appear here once a model has been trained.")


def test_rules_of_a_tree_are_listed_and_copied(tabs, window, qtbot):
    tabs.show_tab("rules")
    qtbot.waitUntil(lambda: "no rules" in tabs.rules.message.text())
    window.document.set_model(create("tree", max_depth=1))
    panel = show(tabs, "rules", qtbot)
    texts = column(panel, "Rule")
    assert [text.split(" ")[0] for text in texts] == ["IF", "IF"]
    assert sum(map(int, column(panel, "n"))) == 60
    panel.table.copy(ValueTable.text)
    assert QGuiApplication.clipboard().text().startswith("n\taccuracy\tRule\n")


def test_rules_are_wrapped_to_be_read_in_full(tabs, window, qtbot):
    window.document.set_model(create("tree", max_depth=3))
    table = show(tabs, "rules", qtbot).table
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    metrics, last = table.fontMetrics(), table.source.columnCount() - 1
    longest = max(range(table.source.rowCount()), key=lambda row: len(column(tabs.rules, "Rule")[row]))
    text = QRect(0, 0, table.columnWidth(last) - PADDING, 1000)
    high = metrics.boundingRect(text, Qt.TextFlag.TextWordWrap, column(tabs.rules, "Rule")[longest]).height()
    assert metrics.height() < high <= table.rowHeight(longest)
