"""Stages that go away: no event reaches them afterwards, and the window goes on with those that stay."""

import gc

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from tests.events import pass_events
from tests.ui.window.conftest import folder, preferences, start  # noqa: F401 (the fixtures of every window)
from vizml.data import load, project
from vizml.learn import create
from vizml.workspace import Experiment, Work
from vizml.workspace.projects import to_project

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
POINTS = load("moons:n=60,noise=0.2")
SEEN = (-3.0, 4.0, -2.5, 3.5)


def work(*models):
    return Work(POINTS, tuple(Experiment(create(model)) for model in models))


def settled(window):
    return all(stage.settled for stage in window.stages.stages)


@pytest.fixture
def window(start, qtbot):  # noqa: F811
    """Three stages, the third of which is active."""
    window = start(work("svm", "tree", "knn"), size=(1300, 800))
    window.stages.activate(window.stages.stages[2])
    window.stages.active.setFocus()
    qtbot.waitUntil(lambda: settled(window))
    return window


@pytest.fixture
def saved(window, tmp_path):
    """A project of one stage that was seen from further away."""
    path = tmp_path / "one.vizml"
    project.save(to_project(work("logistic"), [SEEN], window.preferences.look), path)
    return path


def test_a_project_of_one_stage_with_its_view_replaces_three(window, saved, qtbot):
    QTest.mouseMove(window.stages.active.canvas)
    assert window.files.open_path(saved)
    QTest.mouseClick(window.stages.active.canvas, LEFT, NONE, QPoint(40, 40))
    gc.collect()
    qtbot.waitUntil(lambda: settled(window))
    pass_events()
    assert len(window.stages.cells) == 1
    assert window.stages.active is window.stages.stages[0]
    assert window.stages.isAncestorOf(window.focusWidget())
    assert window.canvas.bounds == pytest.approx(SEEN)


def test_a_project_restores_the_active_stage_and_its_view(window, tmp_path, qtbot):
    path = tmp_path / "three.vizml"
    window.stages.activate(window.stages.stages[1])
    window.stages.set_bounds(SEEN)
    assert window.files.save_to(path)
    assert [stage.view for stage in project.load(path).stages] == [pytest.approx(SEEN)] * 3
    window.stages.activate(window.stages.stages[2])
    window.stages.fit_all()
    assert window.files.open_path(path)
    assert window.stages.active is window.stages.stages[1]
    assert all(stage.canvas.bounds == pytest.approx(SEEN) for stage in window.stages.stages)


def test_a_button_removes_its_own_stage(window, qtbot):
    for cell in reversed(window.stages.cells[1:]):
        cross = cell.head.cross
        QTest.mouseClick(cross, LEFT, NONE, cross.rect().center())
        assert isValid(cross), "Qt still delivers events to the button that was clicked"
        pass_events()
        assert not isValid(cross)
    gc.collect()
    qtbot.waitUntil(lambda: settled(window))
    assert len(window.stages.cells) == 1


def test_tool_options_and_dropped_files_belong_to_every_canvas(window, saved, qtbot):
    window.commands["tool_brush"].trigger()
    window.canvas.set_tool_option("radius", 33.0)
    assert {stage.canvas.active.values["radius"] for stage in window.stages.stages} == {33.0}
    window.canvas.files_dropped.emit([saved])
    qtbot.waitUntil(lambda: len(window.stages.cells) == 1 and settled(window))
