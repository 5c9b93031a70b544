"""A model whose every optional hook raises: each error is logged once, and the window keeps working."""

import time
from dataclasses import dataclass, replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.events import pass_events
from vizml import data
from vizml.data import Dataset
from vizml.learn import CLASSIFY, REGRESS, Classifier, CurveView, Model, Regressor, create
from vizml.learn.view import Anchor, PlaneView
from vizml.ui.window.menus import menu_of
from vizml.workspace import Experiment, Work

POINTS = Dataset([[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 0, 1, 1])
HOOKS = ("by_point", "calculation", "charts", "diagram", "learned", "metrics", "rules")
VIEW_HOOKS = ("marks", "focus", "trail", "lenses", "anchors", "probe")
ATTRIBUTES = ("loss",)


def fail(self, *_args):
    raise ArithmeticError("a mistake")


class FaultyState(Classifier):
    """Right in its scores, wrong in all else."""

    def scores(self, X):
        left = -np.asarray(X, dtype=np.float64)[:, 0]
        return np.stack([left, -left], axis=1)

    def plane_view(self, section):
        return FaultyView(self, section)


class FaultyView(PlaneView):
    """A view whose hooks fail."""


for hook in HOOKS:
    setattr(FaultyState, hook, fail)
for hook in VIEW_HOOKS:
    setattr(FaultyView, hook, fail)
for attribute in ATTRIBUTES:
    setattr(FaultyState, attribute, property(fail, lambda *_: None))


@dataclass(frozen=True)
class Faulty(Model):
    id, task, family, title, about, formula = "faulty", CLASSIFY, "Trees", "Faulty model", "Fails.", ()

    def steps(self, data, rng):
        yield FaultyState(classes=data.present, note=fail, progress=1.0)


class FaultyCurve(Regressor):
    """A curve that can be evaluated, with an anchor that cannot be moved."""

    interval = fail
    equation = property(fail)
    progress = property(fail, lambda *_: None)

    def expected(self, X):
        return 0.5 * X[:, 0]

    def line_view(self, section):
        return FaultyCurveView(self, section)


class FaultyCurveView(CurveView):
    moved = fail

    def anchors(self):
        return (Anchor("slope", (0.5, 0.0)),)


@dataclass(frozen=True)
class FaultyRegression(Model):
    """Takes long enough for frames that show its progress."""

    id, task, family, title, about, formula = "faulty_fit", REGRESS, "Linear", "Faulty fit", "Fails.", ()

    def steps(self, data, rng):
        for _ in range(60):
            time.sleep(0.005)
            yield FaultyCurve()


@pytest.fixture
def window(start, qtbot, logged_errors):
    window = start(Work(POINTS, (Experiment(Faulty()),)), size=(1300, 900))
    qtbot.waitUntil(lambda: window.stage.settled)
    for dock in ("readout", "diagnostics", "model", "log"):
        window.commands[dock].trigger()
    return window


def point_everywhere(window, qtbot):
    canvas = window.canvas
    for x in (100, 200, 300):
        QTest.mouseMove(canvas, QPoint(x, 200))
        pass_events()
    window.stage.point_at("root")
    window.commands["readout"].trigger()
    tabs = window.readout_tabs
    for command, panel in (
        ("learned_parameters", tabs.parameters), ("point_values", tabs.points), ("rules", tabs.rules),
    ):  # fmt: skip
        window.commands[command].trigger()
        pass_events()
        qtbot.waitUntil(lambda panel=panel: panel.settled)  # a panel that is hidden drops its query
    window.commands["readout"].trigger()
    pass_events()
    tabs.show_tab("results")
    menu = menu_of(window, "view")
    menu.aboutToShow.emit()


def test_each_hook_is_logged_once_and_the_next_model_learns(window, qtbot, logged_errors):
    for _ in range(2):
        point_everywhere(window, qtbot)
        for dock in ("readout", "diagnostics"):
            window.commands[dock].trigger()
            pass_events()
        QTest.mouseClick(window.canvas, Qt.MouseButton.LeftButton, pos=QPoint(150, 150))
        qtbot.waitUntil(lambda: window.stage.settled)
    hooks = (*HOOKS, *VIEW_HOOKS, *ATTRIBUTES, "note")
    expected = {f"FaultyState.{hook} failed with ArithmeticError: a mistake" for hook in hooks}
    qtbot.waitUntil(lambda: sorted(logged_errors.texts) == sorted(expected))
    assert len(window.document.dataset) == 6
    window.document.set_model(create("knn", k=1), 0)
    qtbot.waitUntil(lambda: window.stage.settled)
    assert window.stage.frame.failure is None


def test_each_hook_of_a_regression_is_logged_once(start, qtbot, logged_errors):
    window = start(Work(POINTS, (Experiment(FaultyRegression()),)), size=(1300, 900))
    qtbot.waitUntil(lambda: window.stage.settled)
    window.commands["readout"].trigger()
    window.canvas.set_tool("move")
    (place,) = window.canvas.plot_geometry.to_pixels([[0.5, 0.0]])
    for offset in (0, 2, 0):
        QTest.mouseMove(window.canvas, QPoint(round(place[0]) + offset, round(place[1])))
        pass_events()
    hooks = ("band", "equation", "moved", "predict", "progress")
    expected = sorted(f"FaultyCurve.{hook} failed with ArithmeticError: a mistake" for hook in hooks)
    qtbot.waitUntil(lambda: sorted(logged_errors.texts) == expected)
    assert window.stage.frame.failure is None


def test_the_command_of_a_faulty_model_is_copied(start, qtbot, logged_errors):
    """Its own layers and lenses cannot be asked for: those that all pictures have stay in the command."""
    window = start(Work(data.load("moons:n=20"), (Experiment(Faulty()),), generator="moons:n=20"))
    qtbot.waitUntil(lambda: window.stage.settled)
    look = window.preferences.look
    window.preferences.set_look(replace(look, hidden=look.hidden | {"Points", "Slack"}, lens="Mean"))
    window.commands["copy_command"].trigger()
    words = QGuiApplication.clipboard().text()
    assert words.startswith("vizml render --data moons:n=20 --model faulty")
    assert "--hide Points" in words
    assert "--lens" not in words
    assert "FaultyState.lenses failed with ArithmeticError: a mistake" in logged_errors.texts


def test_the_log_dock_copies_a_report_with_versions_and_traceback(window, qtbot, logged_errors):
    qtbot.waitUntil(lambda: "FaultyState.marks failed" in window.log.text)
    window.log.copy()
    report = QGuiApplication.clipboard().text()
    assert report.startswith("VizML ")
    assert "PySide6" in report
    assert "test_errors.py" in report
