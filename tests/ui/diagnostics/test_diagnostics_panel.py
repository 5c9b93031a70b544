"""The dock of charts by itself: its chart, its requests, and its messages without a chart."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.events import LIMIT, pass_events
from tests.paint.charts.fakes import curves, single
from vizml.data import Dataset
from vizml.evaluate.diagnostic import diagnostics
from vizml.learn import CLASSIFY, DENSITY, REGRESS, create
from vizml.run.figures import state_charts
from vizml.run.request import Failure, Frame, RenderRequest, ShownState
from vizml.run.worker import DiagnosticResult
from vizml.scene import Axis
from vizml.scene.viewport import Viewport
from vizml.ui.charts.saving import Saver
from vizml.ui.diagnostics.panel import DiagnosticsPanel

MODEL = create("svm")
FIRST, SECOND = (replace(single(), title=title) for title in ("Margins", "Weights"))


def state(*charts):
    return SimpleNamespace(task=CLASSIFY, charts=lambda: charts)


def frame(shown=None, index=0, losses=(3.0, 2.0, 1.0), steps=(1, 5, 9)):
    moment = ShownState(index, shown) if shown is not None else None
    view = RenderRequest(Viewport((-1, 1, -1, 1), 10, 10))
    return Frame(1, view, shown=moment, count=len(steps), losses=np.array(losses), steps=np.array(steps))


def broken():
    raise ZeroDivisionError


@pytest.fixture
def dock(shown):
    made = DiagnosticsPanel(Saver(None))
    shown(made, 480, 420)
    yield made
    made.hide()
    made.close_down()


def tell(dock, qtbot, *charts, model=MODEL, **facts):
    """Show a frame, and wait until the dock has refreshed."""
    dock.set_frame(model, frame(state(*charts), **facts))
    qtbot.waitUntil(lambda: dock.settled)


def titles(dock):
    return [dock.chooser.itemText(k) for k in range(dock.chooser.count()) if dock.chooser.itemText(k)]


def slow_one():
    return next(kind for kind in diagnostics(CLASSIFY) if not kind.live)


def test_the_chooser_lists_loss_charts_and_diagnostics_and_a_chart_stays_chosen_by_its_title(dock, qtbot):
    tell(dock, qtbot, FIRST, SECOND)
    told = titles(dock)
    assert told[:3] == ["Loss", "Margins", "Weights"]
    assert set(told[3:]) == {kind.title for kind in diagnostics(CLASSIFY)}
    assert dock.view.chart.title == "Loss"
    dock.choose("Weights")
    tell(dock, qtbot, FIRST)
    assert dock.view.chart.title == "Loss"
    tell(dock, qtbot, FIRST, SECOND)
    assert dock.view.chart.title == dock.chooser.currentText() == "Weights"


def test_a_diagnostic_is_requested_once_for_each_choice_and_not_by_a_hidden_dock(dock, qtbot, heard):
    asked = heard(dock.diagnostic_requested)
    tell(dock, qtbot, FIRST)
    kind = slow_one()
    dock.choose(kind.title)
    dock.choose(kind.title)
    assert asked == [kind()]
    dock.hide()
    assert asked == [kind(), None]
    dock.show()
    dock.choose("Margins")
    assert asked == [kind(), None, kind(), None]


def test_a_result_without_a_chart_keeps_the_former_chart_until_it_is_done(dock, qtbot):
    tell(dock, qtbot, FIRST)
    dock.choose(slow_one().title)
    dock.show_diagnostic(DiagnosticResult(1, curves()))
    dock.show_diagnostic(DiagnosticResult(2))
    assert dock.view.chart.title == curves().title
    dock.show_diagnostic(DiagnosticResult(2, done=True, failure=Failure("there are too few points")))
    assert dock.view.chart is None


def test_the_status_line_shows_the_progress_of_the_diagnostic(dock, qtbot):
    tell(dock, qtbot, FIRST)
    dock.choose(slow_one().title)
    dock.show_status(True, False)
    assert dock.status.words.text() == "Computing…"
    dock.show_status(False, True)
    assert dock.status.words.text() == "Waiting for the end of training"
    dock.show_diagnostic(DiagnosticResult(1, curves()))
    dock.show_status(False, False)
    assert dock.status.words.text() == "Stopped"
    assert dock.status.again.isVisible()
    dock.show_diagnostic(DiagnosticResult(1, curves(), done=True))
    assert dock.status.isHidden()
    dock.show_diagnostic(DiagnosticResult(1, curves(), done=True, failure=Failure("one fold failed")))
    assert dock.status.words.text() == "one fold failed"


def test_the_note_is_shown_above_the_chart_after_a_title_that_the_chooser_does_not_have(dock, qtbot):
    tell(dock, qtbot, replace(FIRST, note="a note"))
    dock.choose("Margins")
    assert dock.note.isVisible()
    assert dock.view.chart.note == ""
    dock.choose("Loss")
    assert not dock.note.isVisible()
    dock.choose(slow_one().title)
    dock.show_diagnostic(DiagnosticResult(1, replace(curves(), note="a note")))
    assert dock.note.full_text == f"{curves().title}; a note"


def test_the_cursor_stands_at_the_step_that_is_shown_and_a_step_asks_for_the_nearest(dock, qtbot, heard):
    for index, step in ((0, 1), (1, 5), (2, 9)):
        tell(dock, qtbot, index=index)
        assert dock.view.step == step
    asked = heard(dock.index_requested)
    for step in (-5, 1, 4, 8, 1000):
        dock.view.step_requested.emit(step)
    assert asked == [0, 0, 1, 2, 2]


def test_a_chart_over_a_parameter_has_its_cursor_at_the_current_value(dock, qtbot):
    over = replace(FIRST, sets=("C",), choices=((0.1, 1.0, 10.0),), cursor="")
    tell(dock, qtbot, over, model=create("svm", C=10.0))
    dock.choose("Margins")
    assert dock.view.step == 10.0
    named = replace(over, x=Axis(title="C", ticks={0.0: "a", 1.0: "b", 2.0: "c"}))
    tell(dock, qtbot, named, model=create("svm", C=10.0))
    assert dock.view.step == 2.0


def test_without_a_frame_a_message_explains_the_empty_dock(dock, qtbot):
    dock.set_frame(MODEL, None)
    qtbot.waitUntil(lambda: dock.settled)
    assert dock.view.chart is None
    assert not dock.menu_button.isEnabled()
    assert "once there are points" in dock.view.accessibleDescription()


def test_a_model_without_charts_is_named_in_the_message(dock, qtbot, monkeypatch):
    monkeypatch.setattr("vizml.ui.diagnostics.panel.diagnostics", lambda *_: ())
    model = create("kde", task=DENSITY)
    tell(dock, qtbot, model=model, losses=())
    assert dock.view.chart is None
    assert dock.view.accessibleDescription().startswith(f"{model.title} has no charts of its own")


@pytest.mark.parametrize("task, title", [(CLASSIFY, "Confusion matrix"), (REGRESS, "Residuals")])
def test_a_run_without_charts_shows_a_live_diagnostic(dock, qtbot, task, title):
    tell(dock, qtbot, model=create("knn", task=task), losses=(np.nan,), steps=(1,))
    assert dock.diagnostic.title == title
    assert dock.chooser.currentText() == title
    tell(dock, qtbot, FIRST)
    assert dock.diagnostic is None
    assert dock.view.chart.title == "Loss"


def test_charts_use_held_out_points_where_there_are_any_and_those_that_fail_are_left_out(logged_errors):
    held = Dataset([[1.0, 2.0]], [0])
    asked = SimpleNamespace(
        task=CLASSIFY, training_data=CLASSIFY.training_data, charts=lambda: (FIRST,),
        charts_on=lambda unseen: (SECOND,) * len(unseen),
    )  # fmt: skip
    assert state_charts(asked, held) == (SECOND,)
    assert state_charts(asked, Dataset.empty()) == state_charts(asked) == (FIRST,)
    assert state_charts(SimpleNamespace(task=CLASSIFY, charts=broken)) == ()


def test_slow_charts_do_not_block_the_window(dock, qtbot):
    def slow():
        assert gate.wait(LIMIT)
        return (FIRST,)

    gate = threading.Event()
    dock.set_frame(MODEL, frame(SimpleNamespace(charts=slow)))
    qtbot.waitUntil(lambda: titles(dock)[:1] == ["Loss"])
    gate.set()
    qtbot.waitUntil(lambda: titles(dock)[:2] == ["Loss", "Margins"])


def test_charts_of_the_newest_state_are_shown_in_the_end(dock, qtbot):
    gate = threading.Event()
    for number in range(5):
        chart = replace(FIRST, note=str(number))
        dock.set_frame(MODEL, frame(SimpleNamespace(charts=lambda c=chart: gate.wait(LIMIT) and (c,))))
        pass_events()
    gate.set()
    dock.choose("Margins")
    qtbot.waitUntil(lambda: dock.note.full_text == "4")
