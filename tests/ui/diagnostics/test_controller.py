"""Diagnostics in a window: chosen, updated, superseded, stopped, and the effects of clicks on charts."""

from dataclasses import dataclass
from dataclasses import replace as with_
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.events import pass_events
from tests.ui.diagnostics.conftest import found, work
from vizml.evaluate import score
from vizml.evaluate.diagnostic import Diagnostic
from vizml.learn import create
from vizml.paint.charts.overlay import path_ends
from vizml.ui.diagnostics.controls import as_choice
from vizml.ui.widgets.focus import tab_stops
from vizml.workspace.notes import note_entries

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def click(view, place):
    QTest.mouseClick(view.canvas.viewport(), LEFT, NONE, QPoint(*(round(c) for c in place)))


def test_the_chooser_lists_charts_of_the_run_and_diagnostics_of_its_task(settled, qtbot):
    window, dock = settled("ROC curve")
    titles = [dock.chooser.itemText(i) for i in range(dock.chooser.count())]
    assert titles[0] == "Loss"
    assert {"ROC curve", "Confusion matrix", "Grid search", "Training"} <= set(titles)
    assert dock.chooser.currentText() == "ROC curve"
    assert "AUC" in dock.view.chart.series[0].name
    window.generators.draw("sine")
    qtbot.waitUntil(lambda: dock.chooser.findText("ROC curve") < 0)
    assert dock.diagnostic is None
    assert dock.chooser.findText("Learning curve") > 0


def test_tab_goes_from_the_settings_down_to_the_offers(settled, qtbot):
    _, dock = settled("Validation curve")
    dock.settings_button.setChecked(True)
    seen = list(tab_stops(dock))
    rows = [row.control.head for row in dock.settings.rows.values()]
    assert [stop for stop in seen if stop in (dock.chooser, dock.settings_button, rows[0])] == [
        dock.chooser, dock.settings_button, rows[0],
    ]  # fmt: skip
    for one, other in pairwise(seen):
        at = one
        while (at := at.nextInFocusChain()) is not other:
            assert at not in seen


def test_a_model_without_the_varied_parameter_replaces_one_with_it(settled, qtbot):
    window, dock = settled("Learning rates", work("gradient_descent", "descend", "bowl", share=0.0))
    window.notes.open(next(entry for entry in note_entries() if entry.topic == "Uniform distribution"))
    qtbot.waitUntil(lambda: dock.chooser.findText("Learning rates") < 0)


def test_a_live_diagnostic_follows_the_step_on_the_stage_and_a_hidden_dock_computes_nothing(settled, qtbot):
    window, dock = settled("ROC curve")
    controller, end = window.diagnostic_docks.controller, dock.view.chart.series[1].name
    window.stage.timeline.show_step(3)
    qtbot.waitUntil(lambda: dock.view.chart.series[1].name != end)
    state = window.stage.frame.shown.state
    assert window.stage.frame.shown.index == 3
    qtbot.waitUntil(lambda: controller.subject.state is state)
    window.commands["diagnostics"].trigger()
    assert controller.diagnostic is None
    window.commands["diagnostics"].trigger()
    assert controller.diagnostic == dock.diagnostic


def test_the_handle_moves_boundary_scores_and_predictions(settled, qtbot):
    window, dock = settled("ROC curve")
    view, stage = dock.view, window.stage
    before = stage.frame.shown.held
    handle = view.chart.handle
    places = view.chart_layout.pixels(view.chart.series[handle.series])
    QTest.mousePress(view.canvas.viewport(), LEFT, NONE, QPoint(*(round(c) for c in places[handle.at])))
    for i in range(handle.at, -1, -1):
        QTest.mouseMove(view.canvas.viewport(), QPoint(*(round(c) for c in places[i])))
    QTest.mouseRelease(view.canvas.viewport(), LEFT, NONE, QPoint(*(round(c) for c in places[0])))
    qtbot.waitUntil(lambda: stage.threshold > 0 and stage.frame.request.look.threshold == stage.threshold)
    expected = score(stage.state, stage.held, stage.threshold)
    assert expected != before
    qtbot.waitUntil(lambda: stage.frame.shown.held == expected)
    assert stage.frame.scene.region is not None
    qtbot.waitUntil(lambda: dock.view.chart.handle.at != handle.at)


def test_buttons_find_the_best_threshold_and_the_way_back(settled, qtbot):
    window, dock = settled("ROC curve", work("logistic", spec="blobs:n=120,noise=1.5,classes=2"))
    labels = [button.text() for button in dock.chart_actions.buttons]
    assert labels == ["Lowest error", "Highest F1", "Lowest cost", "Default: P(B) = 0.5"]
    dock.chart_actions.buttons[0].click()
    stage = window.stage
    lead = np.diff(stage.frame.shown.state.scores(stage.held.points))[:, 0]
    truth = stage.held.labels == stage.held.present[1]
    errors = [np.mean((lead >= t) != truth) for t in (*lead, np.inf)]
    assert np.mean((lead >= stage.threshold) != truth) == min(errors)
    dock.chart_actions.buttons[3].click()
    assert stage.threshold == 0.0


@pytest.mark.parametrize("title", ["ROC curve", "Confusion matrix"])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_neither_a_diagnostic_nor_a_long_title_makes_the_panel_wider(settled, title, scale):
    window, dock = settled(title)
    window.preferences.set_type_scale(scale)
    pass_events()
    assert window.panel.width() == round(320 * scale)
    assert window.docks.panel.width() == window.docks.diagnostics.width() == window.panel.width()
    row = dock.chart_actions
    assert not row.isVisible() or row.heightForWidth(row.width()) == row.height()
    before = dock.minimumSizeHint().width()
    dock.chooser.addItem("A title that is longer than any column of panels could ever be, and then some")
    assert dock.minimumSizeHint().width() == before


def test_the_note_of_another_chart_gives_its_second_line_back(settled, qtbot):
    _, dock = settled("Confusion matrix")
    assert "\n" in dock.note.text()
    tall = dock.note.height()
    dock.choose("Loss")
    qtbot.waitUntil(lambda: "\n" not in dock.note.text())
    qtbot.waitUntil(lambda: dock.note.height() < tall)


def test_the_settings_change_the_cost_matrix(settled, qtbot):
    window, dock = settled("ROC curve")
    dock.settings_button.click()
    assert dock.settings.isVisible()
    dock.settings.rows["miss"].control.value_requested.emit(1000.0, "")
    assert dock.diagnostic.miss == 1000.0
    qtbot.waitUntil(lambda: "cost" in dock.note.full_text and found(dock, "ROC curve"))
    qtbot.waitUntil(lambda: not window.diagnostic_docks.controller.running)
    dock.chart_actions.buttons[2].click()
    stage = window.stage
    predicted = np.diff(stage.frame.shown.state.scores(stage.held.points))[:, 0] >= stage.threshold
    assert not (~predicted & (stage.held.labels == 1)).any()


def test_the_confusion_matrix_follows_names_and_a_click_on_a_cell_selects_its_points(settled, qtbot):
    window, dock = settled("Confusion matrix")
    for rename, rows in (
        (lambda: window.document.rename_class(1, "malignant"), ("A", "malignant")),
        (window.document.undo, ("A", "B")),
    ):
        rename()
        qtbot.waitUntil(lambda rows=rows: dock.view.chart.heat.rows == rows)
    heat = dock.view.chart.heat
    click(dock.view, dock.view.chart_layout.cells()[1].center().toTuple())
    assert set(window.canvas.selection.ids) == set(heat.members[0][1])
    chosen = window.document.dataset.take(window.canvas.selection.mask)
    assert (chosen.labels == 0).all()


def test_a_click_on_a_cell_of_the_grid_sets_both_parameters_without_a_new_search(lab, qtbot):
    window, dock = lab("Grid search", work(C=3.0))
    dock.settings.asked.emit(with_(dock.diagnostic, size=3, folds=2, across="C", down="gamma"))
    qtbot.waitUntil(lambda: dock.note.full_text.startswith("9 of 9"))
    click(dock.view, dock.view.chart_layout.cells()[5].center().toTuple())
    values = window.document.experiment().model.values
    assert (values["C"], values["gamma"]) == (dock.view.chart.choices[0][2], dock.view.chart.choices[1][1])
    assert window.document.undo_label == "set cost and gamma"
    chart = dock.view.chart
    qtbot.waitUntil(lambda: window.stage.settled)
    pass_events()
    assert dock.view.chart is chart
    window.document.undo()
    assert window.document.experiment().model.C == 3.0


def test_first_cells_are_shown_before_the_last_and_kept_on_cancel(lab, qtbot):
    """A window that closes ends the search."""
    window, dock = lab("Grid search", work(spec="moons:n=280,noise=0.3"))
    qtbot.waitUntil(lambda: dock.view.chart is not None and dock.view.chart.heat is not None)
    assert dock.status.words.text() == "Computing…"
    dock.status.cancel.click()
    assert dock.status.words.text() == "Stopped"
    cells_then = int(np.isfinite(dock.view.chart.heat.values).sum())
    pass_events()
    assert 1 <= int(np.isfinite(dock.view.chart.heat.values).sum()) == cells_then < 100
    dock.status.again.click()
    assert window.diagnostic_docks.controller.running
    window.close()
    assert not window.diagnostic_docks.controller.running


def test_an_edit_repeats_the_diagnostic_after_its_run(settled, qtbot):
    window, dock = settled("Cross-validation")
    first = dock.result.token
    window.document.add([(0.0, 0.0)], 0)
    qtbot.waitUntil(lambda: dock.result.token != first and dock.result.done)
    assert window.diagnostic_docks.controller.subject.train is window.stage.train


def test_the_state_of_a_superseded_run_is_not_evaluated(settled, qtbot):
    window, _ = settled("Cross-validation")
    document, pairs = window.document, []
    window.diagnostic_docks.controller.choose(Observed(pairs))
    for model in (create("linear", "regress"), create("svm")) * 15:
        document.add([(0.0, 0.0)], 0)
        document.set_model(model)
        qtbot.waitUntil(lambda: pairs and pairs[-1][1] == document.experiment(0).model.task)
    assert [state for state, model in pairs if state is not model] == []


@dataclass(frozen=True)
class Observed(Diagnostic):
    id, title, tasks, live, whole_run = "observed", "Observed", (), True, False
    pairs: list

    def results(self, subject):
        if subject.state is not None:
            self.pairs.append((subject.state.task, subject.model.task))
        raise ValueError("there is nothing to see")


class Broken(Diagnostic):
    id, title, tasks, live, whole_run = "broken", "Broken", (), True, False

    def results(self, subject):
        raise ZeroDivisionError("there is nothing to see")


def test_a_refusal_is_shown_in_the_dock_and_an_error_as_a_message(settled, qtbot, logged_errors):
    window, dock = settled("Calibration")
    assert "not probabilities" in dock.view.accessibleDescription()
    assert window.messages.current is None
    window.diagnostic_docks.controller.choose(Broken())
    qtbot.waitUntil(lambda: window.messages.current is not None)
    assert window.messages.current.text == "The diagnostic failed: there is nothing to see"
    assert "ZeroDivisionError" in window.messages.current.details


def test_names_of_parameters_are_chosen_from_those_of_the_model(settled):
    _, dock = settled("Validation curve", work("knn"))
    assert dock.settings.rows["parameter"].param.options[:2] == ("auto", "k")
    plain = dock.diagnostic.parameters()[1]
    assert as_choice(plain, create("knn")) is plain


def test_one_chart_has_the_curves_of_all_stages_and_follows_each(settled, qtbot):
    window, dock = settled("ROC curve")
    window.commands["compare"].trigger()
    qtbot.waitUntil(lambda: len(dock.view.chart.series) == 4)
    names = [series.name for series in dock.view.chart.series if series.name]
    assert [name.split(" ", 1)[1] for name in names] == ["1 Support vector machine", "2 Decision tree (CART)"]
    assert dock.view.chart.handle.series == 3  # the new stage is the active one
    window.document.set_param("max_depth", 1, 1)
    qtbot.waitUntil(lambda: dock.view.chart.series[2].name != names[1])
    window.document.set_param("C", 0.001, 0)  # it is not the active one, and yet it is drawn
    qtbot.waitUntil(lambda: dock.view.chart.series[0].name != names[0])
    window.commands["compare_less"].trigger()
    qtbot.waitUntil(lambda: len(dock.view.chart.series) == 2)
    assert "AUC" in dock.view.chart.series[0].name


def test_a_diagnostic_of_one_model_ignores_the_others(settled, qtbot):
    window, dock = settled("Confusion matrix")
    first = dock.view.chart
    window.commands["compare"].trigger()
    stages = window.stages.stages
    qtbot.waitUntil(lambda: all(stage.settled for stage in stages) and dock.view.chart is not first)
    qtbot.waitUntil(lambda: not window.diagnostic_docks.controller.running)
    chart = dock.view.chart
    window.document.set_param("C", 0.001, 0)
    qtbot.waitUntil(lambda: stages[0].settled and stages[0].frame.shown is not None)
    qtbot.waitUntil(lambda: not window.diagnostic_docks.controller.running)
    pass_events()
    assert dock.view.chart is chart


def test_paths_of_optimisers_follow_the_timeline(settled, qtbot):
    given = work("logistic", spec="blobs:n=80,classes=2", solver="gd", epochs=40)
    window, dock = settled("Loss landscape", given)
    assert {"gradient descent", "Adam"} <= {series.name for series in dock.view.chart.series}
    window.stage.timeline.show_step(4)
    qtbot.waitUntil(lambda: window.stage.frame.shown.index == 4)
    qtbot.waitUntil(lambda: dock.view.step == 5.0)
    at = {
        series.name: (place.x(), place.y())
        for series, place in path_ends(dock.view.chart_layout, dock.view.step)
    }
    own = next(series for series in dock.view.chart.series if series.name == "gradient descent")
    assert at["gradient descent"] == tuple(dock.view.chart_layout.pixels(own)[4])
    moment = window.stage.frame.shown.index
    QTest.mouseClick(
        dock.view.canvas.viewport(), LEFT, NONE, dock.view.chart_layout.geometry.plot.center().toPoint()
    )
    assert window.stage.frame.shown.index == moment  # a place on the map is no step
