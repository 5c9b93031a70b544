"""Left, Right, Home and End belong to the timeline, unless Tab, a selection or the cross-hair has them."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLineEdit, QWidget

from vizml.data import generate
from vizml.learn import create
from vizml.workspace import Experiment, Work

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
TAB = Qt.FocusReason.TabFocusReason


@pytest.fixture
def window(start, qtbot):
    """A window with a run of many steps."""
    window = start(Work(generate("moons", n=60), (Experiment(create("svm")),)))
    qtbot.waitUntil(lambda: window.stage.timeline.count > 5 and window.stage.settled)
    return window


@pytest.fixture
def steps_back(window, qtbot):
    """The number of steps that Left goes back, pressed where the focus is; None if it changes the work."""

    def ready():
        timeline = window.stage.timeline
        at_the_end = timeline.count > 5 and timeline.step_index == timeline.count - 1
        return at_the_end and window.stage.settled and window.isActiveWindow()

    def press():
        window.activateWindow()  # a popup may have left none active
        window.stage.timeline.to_end()
        qtbot.waitUntil(ready)
        work, timeline = window.document.work, window.stage.timeline
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Left)
        return timeline.count - 1 - timeline.step_index if window.document.work is work else None

    return press


@pytest.fixture
def cost(window):
    return window.panel.form.rows["C"].control


def test_a_dragged_slider_leaves_the_keys_to_the_timeline(window, cost, steps_back):
    slider = cost.slider
    QTest.mousePress(slider, LEFT, pos=QPoint(30, 10))
    QTest.mouseMove(slider, QPoint(60, 10))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(60, 10))
    assert window.document.experiment().model.C != 1.0
    assert steps_back() == 1


def test_a_focused_slider_keeps_the_keys_after_tab(window, cost, steps_back):
    cost.slider.setFocus(TAB)
    assert steps_back() != 1


def test_a_number_gives_the_keys_back_with_enter_and_its_arrows_never_take_them(window, cost, steps_back):
    box = cost.box
    QTest.mouseClick(box, LEFT, pos=QPoint(box.width() - 8, 8))
    assert window.document.experiment().model.C > 1.0
    assert steps_back() == 1
    QTest.mouseClick(box.lineEdit(), LEFT)
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "3")
    QTest.keyClick(box, Key.Key_Return)
    assert window.document.experiment().model.C == 3.0
    assert steps_back() == 1


@pytest.mark.parametrize("name", ["task", "algorithm", "Chart"])
def test_a_clicked_list_leaves_the_keys_to_the_timeline(window, qtbot, steps_back, name):
    window.commands["diagnostics"].trigger()
    box = next(box for box in window.findChildren(QComboBox) if box.accessibleName() == name)
    QTest.mouseClick(box, LEFT)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    QApplication.activePopupWidget().close()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is None)
    assert steps_back() == 1


@pytest.mark.parametrize("dock", ["readout", "log"])
def test_a_clicked_row_can_be_copied_but_leaves_the_keys_to_the_timeline(window, qtbot, steps_back, dock):
    window.messages.info("told")
    window.commands[dock].trigger()
    views = getattr(window.docks, dock).findChildren(QAbstractItemView)
    qtbot.waitUntil(lambda: any(view.isVisible() and view.model().rowCount() > 0 for view in views))
    rows = next(view for view in views if view.isVisible())
    index = rows.model().index(0, 0)
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualRect(index).center())
    assert rows.hasFocus()
    assert steps_back() == 1
    rows.clearFocus()
    rows.setFocus(TAB)
    assert steps_back() != 1


def test_whatever_is_clicked_leaves_the_keys_to_the_timeline(window, qtbot, steps_back):
    for dock in ("readout", "diagnostics", "log"):
        window.commands[dock].trigger()
    window.messages.error("It failed.", "a long story")
    clickable = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.ClickFocus
        if widget.focusProxy() is None and not isinstance(widget, QLineEdit)
    ]
    assert len(clickable) > 3
    for widget in clickable:
        widget.setFocus(Qt.FocusReason.MouseFocusReason)
        assert steps_back() == 1, widget


def test_the_status_bar_says_that_a_selection_or_the_cross_hair_has_the_keys(window, steps_back):
    canvas, said = window.canvas, window.status.keys
    assert said.text() == ""
    QTest.keyClick(canvas, Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert said.text() == "Arrow keys move the selection; Esc: timeline"
    assert steps_back() != 1
    QTest.keyClick(canvas, Key.Key_Escape)
    assert steps_back() == 1
    canvas.clearFocus()
    canvas.setFocus(TAB)
    assert said.text() == "Arrow keys move the cross-hair; Esc: timeline"
    assert steps_back() != 1
    QTest.keyClick(canvas, Key.Key_Escape)
    assert said.text() == ""
    assert steps_back() == 1
