"""The curves of all stages on the one that is worked on, and in its pictures."""

from dataclasses import replace

import numpy as np
import pytest

from tests.ui.window.conftest import folder, preferences, start  # noqa: F401 (the fixtures of every window)
from vizml.data import load
from vizml.learn import create
from vizml.run.layers import OTHER_MODELS
from vizml.scene.figure import LEGEND
from vizml.ui.window.export import ExportSettings
from vizml.ui.window.menus import menu_of
from vizml.workspace import Experiment, Work

IDS = ("ridge", "lasso", "gp")
ALL = "All curves on this stage"


@pytest.fixture
def window(start, qtbot):  # noqa: F811
    """Three regressions on the same points; the first is the active one."""
    experiments = tuple(Experiment(create(id, "regress")) for id in IDS)
    window = start(Work(load("sine:n=40,noise=0.2"), experiments), size=(1300, 800))
    qtbot.waitUntil(lambda: settled(window))
    return window


def settled(window):
    return all(stage.settled for stage in window.stages.stages)


def action(window, text):
    menu = menu_of(window, "compare")
    menu.aboutToShow.emit()
    return next((each for each in menu.actions() if each.text() == text), None)


def curves(stage):
    scene = stage.frame.scene
    return (
        {mark.legend: mark for mark in scene.marks if mark.layer == OTHER_MODELS} if scene is not None else {}
    )


def follows(stage, lasso):
    """Whether a stage has the curve that another one has learned by now."""
    line = curves(stage)["2 Lasso"].lines[0]
    return bool(np.allclose(line[:, 1], lasso.frame.shown.state.predict(line[:, 0])))


def together(window, qtbot, count=2):
    action(window, ALL).trigger()
    qtbot.waitUntil(lambda: len(curves(window.stages.active)) == count and settled(window))


def test_the_active_stage_and_its_pictures_have_the_curves_of_the_others_by_their_names(window, qtbot):
    together(window, qtbot)
    first, second, third = window.stages.stages
    assert set(curves(first)) == {"2 Lasso", "3 Gaussian process"}
    assert not curves(second)
    qtbot.waitUntil(lambda: follows(first, second))
    assert third.layers == ()
    (layer,) = window.figure_export.source(ExportSettings()).layers
    assert [name for name, _ in layer.others] == ["2 Lasso", "3 Gaussian process"]


def test_they_go_where_one_works_and_go_away_again(window, qtbot):
    together(window, qtbot)
    first, second, _ = window.stages.stages
    window.stages.activate(second)
    qtbot.waitUntil(lambda: set(curves(second)) == {"1 Ridge regression", "3 Gaussian process"})
    qtbot.waitUntil(lambda: not curves(first))
    assert action(window, ALL).isChecked()
    action(window, ALL).trigger()
    qtbot.waitUntil(lambda: not curves(second) and settled(window))
    assert not window.stages.combined


def test_a_change_of_another_model_moves_its_curve_and_a_stage_takes_its_own_along(window, qtbot):
    together(window, qtbot)
    first, second, _ = window.stages.stages
    before = curves(first)["2 Lasso"].lines[0]
    window.document.set_param("lam", 100.0, 1)
    qtbot.waitUntil(lambda: second.frame.shown.state.lam == 100.0 and follows(first, second))
    assert not np.array_equal(curves(first)["2 Lasso"].lines[0], before)
    window.stages.remove(2)
    qtbot.waitUntil(lambda: set(curves(window.stages.active)) == {"2 Lasso"})


def test_the_legend_comes_back_for_their_names_and_hidden_stages_go_on_learning(window, qtbot):
    first, hidden, _ = window.stages.stages
    assert not first.look.shows(LEGEND)
    together(window, qtbot)
    assert first.look.shows(LEGEND)
    assert not hidden.look.shows(LEGEND)
    window.document.add(np.array([0.0, 5.0]), 0)
    qtbot.waitUntil(lambda: len(hidden.learned) == 41)
    qtbot.waitUntil(lambda: settled(window) and follows(first, hidden))
    window.stages.show_combined(on=False)
    assert not first.look.shows(LEGEND)


def test_one_stage_and_classifiers_have_no_such_thing(window, qtbot):
    window.stages.remove(2)
    window.stages.remove(1)
    assert action(window, ALL) is None
    window.document.do("another", Work(load("moons:n=20"), (Experiment(create("svm")),) * 2))
    qtbot.waitUntil(lambda: len(window.stages.cells) == 2)
    assert action(window, ALL) is None


def seen(window):
    return [cell.isVisible() for cell in window.stages.cells]


def test_the_stage_with_all_curves_has_the_room_of_all_stages(window, qtbot):
    before = window.stages.active.width()
    together(window, qtbot)
    assert seen(window) == [True, False, False]
    qtbot.waitUntil(lambda: window.stages.active.width() > 2.5 * before)
    window.stages.table.picked.emit(2)
    assert seen(window) == [False, False, True]
    qtbot.waitUntil(lambda: set(curves(window.stages.active)) == {"1 Ridge regression", "2 Lasso"})
    window.stages.show_combined(on=False)
    assert seen(window) == [True, True, True]
    qtbot.waitUntil(lambda: abs(window.stages.active.width() - before) < 3)


def test_of_one_stage_or_another_task_nothing_is_left_together(window, qtbot):
    together(window, qtbot)
    window.document.do("another task", Work(load("moons:n=20"), (Experiment(create("svm")),) * 3))
    qtbot.waitUntil(lambda: not window.stages.combined)
    assert seen(window) == [True, True, True]
    window.document.undo()
    qtbot.waitUntil(lambda: settled(window))
    together(window, qtbot)
    window.stages.remove(2)
    window.stages.remove(1)
    assert not window.stages.combined
    assert seen(window) == [True]


@pytest.mark.parametrize("compared", [0, 1])
@pytest.mark.parametrize("count", [1, 2])
def test_the_active_stage_is_removed_while_it_is_compared_and_has_all_curves(window, qtbot, count, compared):
    """The stage that becomes active may be the one that it is compared with, or that one goes as well."""
    stages = window.stages
    stages.activate(stages.stages[2])
    together(window, qtbot)
    stages.compare_with(stages.stages[compared])
    work = window.document.work
    window.document.do("fewer stages", replace(work, experiments=work.experiments[:count]))
    assert stages.active is stages.stages[count - 1]
    assert stages.compared in (None, *stages.stages)
    assert stages.compared is not stages.active
    qtbot.waitUntil(lambda: settled(window))
