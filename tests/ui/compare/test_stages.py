"""Several stages: added, undone, worked on one at a time, on one plane and one clock."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.events import pass_events
from tests.ui.window.conftest import folder, preferences, start  # noqa: F401 (the fixtures of every window)
from vizml.data import Dataset, load
from vizml.learn import create
from vizml.run.layers import OTHER_MODEL
from vizml.scene.figure import SCORES
from vizml.ui.canvas import Canvas
from vizml.ui.compare.comparison import agreements, comparison, stage_titles
from vizml.ui.compare.stages import MAX_STAGES, contrasting
from vizml.ui.window.menus import menu_of
from vizml.workspace import Experiment, Work

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(start, qtbot):  # noqa: F811
    """A machine and a tree on the same moons; the tree is the active one."""
    work = Work(load("moons:n=60,noise=0.2"), (Experiment(create("svm")),))
    window = start(work, size=(1300, 800))
    window.commands["compare"].trigger()
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
    return window


def settled(window):
    return all(stage.settled for stage in window.stages.stages)


def test_one_more_stage_has_another_algorithm_and_is_worked_on(window):
    """In full screen as well."""
    one, other = window.document.work.experiments
    assert (one.model.id, other.model.id) == ("svm", "tree")
    for full in (True, False):
        window.set_full_screen(full)
        pass_events()
        assert window.stages.active is window.stages.stages[1]
    assert window.panel.index == 1
    assert window.panel.picker.currentData() is type(other.model)
    window.document.set_param("max_depth", 2, window.panel.index)
    assert window.document.experiment(0).model == one.model


@pytest.mark.parametrize("view, kept", [((-3.0, 3.0, -3.0, 3.0), False), ((-1.0, 1.0, -1.0, 1.0), True)])
def test_points_that_only_a_wide_stage_shows_stay_in_view(start, qapp, view, kept):  # noqa: F811
    """Equal scales extend the view of a wide stage: x = 3.6 is visible there, and in no narrow one."""
    work = Work(Dataset([[-3.6, 0], [3.6, 1]], [0, 1]), (Experiment(create("svm")),))
    window = start(work, size=(1300, 800))
    window.stages.set_bounds(view)
    window.commands["compare"].trigger()
    pass_events()
    left, right, *_ = window.canvas.plot_geometry.bounds
    assert (left < -3.6 and right > 3.6) is not kept
    assert (window.canvas.bounds == view) is kept


def test_undo_takes_it_away_and_redo_brings_it_back(window, qtbot):
    window.document.undo()
    assert len(window.stages.cells) == 1
    assert window.stages.active is window.stage
    assert window.panel.index == 0
    assert not window.stages.table.isVisible()
    assert window.stage.timeline.isVisible()
    assert window.stage.isAncestorOf(window.focusWidget())
    window.document.redo()
    qtbot.waitUntil(lambda: len(window.stages.cells) == 2 and settled(window))


def test_a_stage_that_is_removed_can_be_painted_until_then_and_its_row_picks_none(window, put):
    canvas = put(Canvas(window.document, 1))
    window.stages.remove(1)
    assert canvas.task is window.document.work.task
    assert not canvas.grab().isNull()
    window.stages.table.picked.emit(1)
    assert window.stages.active is window.stages.stages[0]


def test_there_are_no_more_than_six_and_never_none(window, qtbot):
    for _ in range(MAX_STAGES):
        window.commands["compare"].trigger()
    assert len(window.stages.cells) == MAX_STAGES
    assert len({experiment.model.id for experiment in window.document.work.experiments}) == MAX_STAGES
    qtbot.waitUntil(lambda: settled(window))
    for _ in range(MAX_STAGES + 1):
        window.commands["compare_less"].trigger()
    assert len(window.stages.cells) == 1


def test_a_click_into_a_stage_makes_it_the_active_one(window, qtbot):
    first = window.stages.stages[0]
    window.canvas.set_tool("pan")
    QTest.mouseClick(first.canvas, LEFT, NONE, first.canvas.rect().center())
    assert window.stages.active is first
    assert window.panel.index == 0
    QTest.mouseClick(window.stages.cells[1].head, LEFT, NONE, QPoint(20, 10))
    assert window.stages.active.index == 1


def test_tool_class_view_selection_and_data_are_the_same_on_all(window, qtbot):
    one, other = (stage.canvas for stage in window.stages.stages)
    one.set_tool("select")
    one.set_label(3)
    assert (other.tool, other.label) == ("select", 3)
    other.zoom(2.0)
    assert one.bounds == other.bounds
    one.selection.set(np.arange(60) < 5)
    assert other.selection.ids.tolist() == one.selection.ids.tolist()
    entries = window.document.undo_label
    one.set_label(0)
    assert window.document.undo_label == "relabel 5 points" != entries
    window.document.undo()
    assert window.document.undo_label == entries  # one entry, not one for each stage
    qtbot.waitUntil(lambda: settled(window))
    tokens = [stage.runner.token for stage in window.stages.stages]
    window.document.add([(0.0, 0.0)], 0)
    qtbot.waitUntil(lambda: settled(window))
    assert all(s.runner.token > t for s, t in zip(window.stages.stages, tokens, strict=True))


def test_scrubbing_one_moves_all_and_the_shorter_waits_at_its_end(window, qtbot):
    machine, tree = window.stages.stages
    assert machine.frame.count > tree.frame.count
    machine.timeline.show_step(2)
    qtbot.waitUntil(lambda: [s.frame.shown.index for s in (machine, tree)] == [2, 2])
    window.commands["step"].trigger()
    qtbot.waitUntil(lambda: [s.frame.shown.index for s in (machine, tree)] == [3, 3])
    far = machine.frame.count - 2
    machine.timeline.show_step(far)
    last = tree.frame.count - 1
    qtbot.waitUntil(lambda: [s.frame.shown.index for s in (machine, tree)] == [far, last])
    window.commands["end"].trigger()
    qtbot.waitUntil(lambda: machine.frame.shown.index == machine.frame.count - 1)


def test_where_the_shorter_is_told_to_play_the_longest_leads(window, qtbot):
    machine, tree = window.stages.stages
    window.commands["start"].trigger()
    tree.timeline.play_pause()
    assert machine.timeline.player.playing
    assert not tree.timeline.player.playing
    assert tree.timeline.isVisible()
    assert not machine.timeline.isVisible()
    tree.timeline.transport.play.click()
    assert not machine.timeline.player.playing
    tree.timeline.transport.play.click()
    assert machine.timeline.player.playing
    window.commands["play"].trigger()
    assert not any(stage.timeline.player.playing for stage in window.stages.stages)


def test_a_model_of_one_step_leaves_play_and_steps_to_the_others(window, qtbot):
    window.document.set_model(create("knn"), 1)
    machine, knn = window.stages.stages
    qtbot.waitUntil(lambda: settled(window) and knn.frame.count == 1)
    buttons = knn.timeline.transport
    assert knn is window.stages.active
    buttons.start.click()
    buttons.forward.click()
    qtbot.waitUntil(lambda: machine.frame.shown.index == 1)
    knn.timeline.speed.menu().actions()[-1].trigger()
    knn.timeline.loop.click()
    buttons.play.click()
    assert machine.timeline.player.playing
    assert (machine.timeline.player.speed, machine.timeline.player.loop) == (None, True)
    window.commands["play"].trigger()
    assert not machine.timeline.player.playing
    assert all(button.isEnabled() for button in buttons.buttons)


def test_a_new_stage_begins_at_the_common_step(window, qtbot):
    window.stages.stages[0].timeline.show_step(2)
    window.document.add_experiment(Experiment(create("svm", C=10.0)))
    qtbot.waitUntil(lambda: settled(window) and len(window.stages.stages) == 3)
    assert [stage.frame.shown.index for stage in window.stages.stages] == [2, 2, 2]


def test_the_table_tells_scores_steps_and_agreement(window, qtbot):
    stages, document = window.stages, window.document
    shown = [(document.experiment(i), stage.frame) for i, stage in enumerate(stages.stages)]
    _machine, tree = comparison(shown)
    states = [frame.shown.state for _, frame in shown]
    agrees = agreements(states, 1, document.dataset.features)
    same = np.mean(np.equal(*(state.predict(document.dataset.points) for state in states)))
    assert agrees == [f"{100 * same:.1f} %", ""]
    assert tree[1] == "100.0 %"
    qtbot.waitUntil(lambda: stages.table.rowCount() == 2)
    qtbot.waitUntil(lambda: stages.table.item(0, 5).text() == agrees[0])
    assert not stages.active.look.shows(SCORES)
    QTest.mouseClick(
        stages.table.viewport(), LEFT, NONE, stages.table.visualItemRect(stages.table.item(0, 1)).center()
    )
    assert stages.active.index == 0


def test_the_table_counts_the_steps_of_a_thinned_recording_as_the_timeline_does(window):
    stage, document = window.stage, window.document
    thinned = replace(stage.frame, steps=2 * stage.frame.steps - 1)
    (row,) = comparison([(document.experiment(), thinned)])
    stage.timeline.set_frame(thinned)
    assert row[3] == stage.timeline.position.text() == f"{thinned.steps[-1]} / {thinned.steps[-1]}"


def test_a_map_shows_where_two_differ_and_follows_both(window, qtbot):
    stages = window.stages
    menu = menu_of(window, "compare")
    menu.aboutToShow.emit()
    (choice,) = (action for action in menu.actions() if action.isCheckable())
    choice.trigger()

    def legend():
        scene = stages.active.frame.scene
        return next((mark.legend for mark in scene.marks if mark.layer == OTHER_MODEL), "") if scene else ""

    qtbot.waitUntil(lambda: legend().startswith("differs on"))
    before = legend()
    window.document.set_param("gamma", 500.0, 0)
    qtbot.waitUntil(lambda: legend() not in ("", before))
    stages.activate(stages.stages[0])
    assert stages.compared is None
    qtbot.waitUntil(lambda: not any(m.layer == OTHER_MODEL for m in stages.stages[1].frame.scene.marks))


def test_headers_table_menu_and_charts_tell_machines_apart(window, qtbot):
    window.document.set_model(create("svm", kernel="linear"), 0)
    window.document.set_model(create("svm", C=10.0), 1)
    qtbot.waitUntil(lambda: settled(window))
    wanted = ["1  SVM, linear", "2  SVM, Gaussian, C = 10"]
    assert [cell.head.title.full_text for cell in window.stages.cells] == wanted
    table = window.stages.table
    qtbot.waitUntil(lambda: [table.item(row, 0).text() for row in (0, 1)] == wanted)
    menu = menu_of(window, "compare")
    menu.aboutToShow.emit()
    assert wanted[0] in [action.text() for action in menu.actions()]
    assert [name for name, _ in window.stages.named_states] == ["1 SVM, linear", "2 SVM, Gaussian, C = 10"]


def test_docks_are_about_the_active_stage(window, qtbot):
    window.commands["diagnostics"].trigger()
    dock = window.diagnostic_docks.diagnostics
    qtbot.waitUntil(lambda: dock.chooser.count() > 1)
    dock.choose("ROC curve")
    qtbot.waitUntil(lambda: dock.view.chart is not None and dock.view.chart.handle is not None)
    controller = window.diagnostic_docks.controller
    qtbot.waitUntil(lambda: controller.subject is not None and controller.subject.model.id == "tree")
    window.stages.activate(window.stages.stages[0])
    qtbot.waitUntil(lambda: controller.subject.model.id == "svm")
    dock.chart_actions.buttons[0].click()
    assert window.stages.stages[1].threshold == 0.0
    window.commands["readout"].trigger()
    title = window.document.experiment(0).model.title
    qtbot.waitUntil(lambda: window.readout.table.findItems(title, Qt.MatchFlag.MatchExactly) != [])


def test_contrasts_come_in_turn_and_end_with_the_same():
    svm = create("svm")
    shown = {type(svm)}
    assert contrasting(svm, shown).id == "tree"
    from vizml.learn import CLASSIFY, models

    assert contrasting(svm, set(models(CLASSIFY))) is svm


def test_in_large_type_on_a_small_screen_titles_are_cut_with_dots_and_every_column_is_there(window, qapp):
    window.resize(1220, 720)
    window.preferences.set_large_type(True)
    pass_events()
    head, table = window.stages.cells[0].head, window.stages.table
    assert head.title.text().startswith("1  Support")
    assert head.title.text().endswith("\N{HORIZONTAL ELLIPSIS}")
    assert head.title.toolTip() == "Support vector machine"
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert table.columnWidth(0) > table.fontMetrics().horizontalAdvance("1  Support")
    window.preferences.set_large_type(False)
    window.resize(1600, 900)
    pass_events()
    assert head.title.text() == "1  Support vector machine"


def svm(**values):
    return Experiment(create("svm", **values))


@pytest.mark.parametrize(
    "experiments, titles",
    [
        ([svm(), Experiment(create("knn"))], ["Support vector machine", "k nearest neighbours"]),
        ([svm(kernel="linear"), svm(C=10.0)], ["SVM, linear", "SVM, Gaussian, C = 10"]),
        ([svm(), svm(C=0.1, gamma=2.0)], ["SVM", "SVM, C = 0.1, γ = 2"]),
        ([svm(), svm()], ["SVM", "SVM"]),
        ([Experiment(create("svm"), 1), Experiment(create("svm"), 2)], ["SVM, seed 1", "SVM, seed 2"]),
        ([svm(), Experiment(create("svm"), standardise=True)], ["SVM", "SVM, standardised inputs"]),
        ([svm(), svm(hard=True, C=5.0)], ["SVM", "SVM, hard margin"]),
        (
            [Experiment(create("mlp", hidden="4")), Experiment(create("mlp", hidden="8,8"))],
            ["MLP, hidden layers 4", "MLP"],
        ),
        (
            [Experiment(create("tree", criterion="entropy")), Experiment(create("tree", max_depth=2))],
            ["Decision tree, entropy", "Decision tree, Gini impurity, max depth = 2"],
        ),
    ],
)
def test_stages_with_the_same_model_differ_by_their_parameters(experiments, titles):
    assert stage_titles(experiments) == titles
