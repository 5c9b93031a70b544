"""Tab goes from control to control in the order in which they stand."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)
from shiboken6 import getAllValidWrappers

from tests.events import pass_events
from vizml.learn import create
from vizml.ui.widgets.buttons import Chips
from vizml.ui.widgets.focus import set_tab_order, tab_stops
from vizml.ui.widgets.side_panel import SidePanel


def line(name, parent):
    made = QLineEdit(parent)
    made.setObjectName(name)
    return made


def visited(first, count):
    """The names of what has the focus, Tab by Tab."""
    first.setFocus()
    names = []
    for _ in range(count):
        names.append(QApplication.focusWidget().objectName())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    return names


@pytest.fixture
def form(qtbot):
    """A column whose rows were made in another order than they stand in; one is a row, one scrolls."""
    made = QWidget()
    names = "last", "middle", "left", "first", "right"
    last, middle, left, first, right = (line(name, made) for name in names)
    column, row = QVBoxLayout(made), QHBoxLayout()
    area, inner = QScrollArea(), QWidget()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    QVBoxLayout(inner).addWidget(middle)
    area.setWidget(inner)
    for part in (first, row, QLabel("words"), area, last):
        (column.addLayout if part is row else column.addWidget)(part)
    row.addWidget(left)
    row.addWidget(right)
    qtbot.addWidget(made)
    made.show()
    return made


ORDER = ["first", "left", "right", "middle", "last"]


def test_stops_are_found_in_rows_columns_and_what_scrolls(form):
    assert [stop.objectName() for stop in tab_stops(form)] == ORDER
    assert list(tab_stops(QLabel())) == []


def test_tab_goes_from_the_top_to_the_end(form):
    first = form.findChild(QLineEdit, "first")
    assert visited(first, 5) != ORDER
    set_tab_order(form)
    assert visited(first, 6) == [*ORDER, "first"]


def test_a_new_button_joins_the_chain_where_it_stands(form):
    button = QPushButton(objectName="between")
    form.layout().insertWidget(1, button)
    button.show()
    set_tab_order(form)
    assert visited(form.findChild(QLineEdit, "first"), 3) == ["first", "between", "left"]


@pytest.mark.parametrize("ids", [("svm",), ("svm", "mlp"), ("mlp", "knn", "svm")])
def test_tab_goes_down_the_panel_whatever_was_shown_before(put, document, ids):
    """Rows of another algorithm came last, after the seed and the held-out points below them."""
    panel = put(SidePanel(document), 320, 4000, closing=SidePanel.close_down)
    for id in ids:
        document.set_model(create(id))
    pass_events()
    panel.picker.setFocus()
    heights = []
    while (at := QApplication.focusWidget()) is not None and len(heights) < 60:
        heights.append(at.mapTo(panel, QPoint(0, at.height() // 2)).y())
        QTest.keyClick(at, Qt.Key.Key_Tab)
        if QApplication.focusWidget() in (panel.picker, panel.task.control.head, at):
            break
    assert len(heights) > 6
    upwards = [one - other for one, other in pairwise(heights) if one > other]
    assert max(upwards, default=0) <= 1, "middles of one row are rounded"


def test_the_chip_that_is_on_keeps_its_place_whichever_it_is(qtbot):
    """Chips that are off have no focus, and Qt no place for them: the next that was on came last."""
    made = QWidget()
    column = QVBoxLayout(made)
    after = line("after", made)
    before, chips = line("before", made), Chips([("a", "A"), ("b", "B"), ("c", "C")])
    for part in (before, chips, after):
        column.addWidget(part)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    chips.show_value("b")
    set_tab_order(made)
    for word in "bcab":
        chips.show_value(word)
        before.setFocus()
        QTest.keyClick(before, Qt.Key.Key_Tab)
        assert QApplication.focusWidget().option == word
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is after


def test_no_wrapper_of_an_item_of_a_layout_remains(form):
    """PySide takes it for the wrapper of the next object at that address, and the process dies of it."""

    def wrappers():
        return sum(isinstance(each, QWidgetItem) for each in getAllValidWrappers())

    before = wrappers()
    set_tab_order(form)
    assert len(list(tab_stops(form))) == len(ORDER)
    assert wrappers() == before
