"""The test set is locked until it is evaluated, locked again by any change; evaluations are counted."""

from dataclasses import replace

from tests.ui.diagnostics.conftest import work
from vizml.data import Split
from vizml.evaluate import score
from vizml.scene.figure import Fill


def kept():
    return replace(work(), split=Split(0.2, 0, 0.2))


def test_a_button_unlocks_the_test_set_until_the_next_change(settled, qtbot):
    window, dock = settled("Test set", kept())
    assert window.canvas.figure.points.fill_names[Fill.DOTTED] == "test, locked"
    assert (window.canvas.figure.points.fills == Fill.DOTTED).sum() == 24
    assert "24 points are kept" in dock.note.full_text
    dock.chart_actions.buttons[0].click()
    qtbot.waitUntil(lambda: "first evaluation" in dock.note.full_text)
    assert window.canvas.figure.points.fill_names[Fill.DOTTED] == "test, seen once"
    stage, data = window.stage, window.document.dataset
    test = data.take(window.document.split.masks(data)[1])
    assert f"test {score(stage.frame.shown.state, test):.3f}" in dock.note.full_text
    window.document.set_param("C", 5.0)
    qtbot.waitUntil(lambda: "evaluated once before" in dock.note.full_text)
    assert len(dock.view.chart.series[0].y) == 2
    dock.chart_actions.buttons[0].click()
    qtbot.waitUntil(lambda: "evaluated twice" in dock.note.full_text)
    window.document.undo()
    qtbot.waitUntil(lambda: len(dock.view.chart.series[0].y) == 3 and "twice" in dock.note.full_text)


def test_a_missing_test_set_is_explained(settled, qtbot):
    window, dock = settled("Test set")
    assert "there is no test set" in dock.view.accessibleDescription().lower()
    window.panel.test.control.value_requested.emit(20.0, "")
    assert window.document.split.test == 0.2
    qtbot.waitUntil(lambda: "are kept for the final evaluation" in dock.note.full_text)
