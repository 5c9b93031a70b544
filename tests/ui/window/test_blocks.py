"""The longest block of the window's thread, in processor time, while it is used with 10,000 points."""

import threading
import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest

from tests.events import LIMIT as PATIENCE
from tests.events import pass_events, slowness
from vizml.data import Dataset
from vizml.learn import CLUSTER, REGRESS, create, models
from vizml.learn.layers import LAYERS
from vizml.scene import Look
from vizml.workspace import Experiment, Work

LIMIT = 0.25
"""Seconds; the gestures take at most a fifth of it on a machine without other work."""
LIMIT_OF_MANY = 1.0
"""Seconds with more than 10,000 points."""
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


class Beats:
    """The most processor time of the thread between two beats of a timer."""

    def __init__(self):
        self.longest, self._last = 0.0, time.thread_time()
        self._timer = QTimer(interval=5)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def beat(self):
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now


def points(count):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, count)
    centres = np.array([[0, 0], [2, 1], [1, 3]])[classes]
    return Dataset(np.exp((centres + rng.normal(size=(count, 2))) / 2), classes)


@pytest.fixture
def used(start, qtbot):
    """Use a window with models of some points; return the longest block.

    A gesture may yield a function that says whether its effect is on screen.
    """

    def longest(gesture, *compared, count=10_000):
        models()  # the program imports those of other tasks after its first paint
        window = start(Work(points(count), tuple(map(Experiment, compared))))
        qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages), timeout=60_000)
        beats = Beats()
        for seen in gesture(window):
            beats.beat()
            qtbot.waitUntil(lambda seen=seen: window.stage.settled and (not seen or seen()), timeout=60_000)
            pass_events()
            beats.beat()
        return beats.longest / slowness()

    return longest


def brush(window):
    window.canvas.set_tool("brush")
    QTest.mousePress(window.canvas, LEFT, NONE, QPoint(200, 200))
    for k in range(20):
        QTest.mouseMove(window.canvas, QPoint(200 + 10 * k, 200 + 5 * k))
        yield
    QTest.mouseRelease(window.canvas, LEFT, NONE, QPoint(400, 300))
    yield


def move_all(window):
    window.canvas.set_tool("select")
    for key, held in ((Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier), *[(Qt.Key.Key_Right, NONE)] * 5):
        QTest.keyClick(window.canvas, key, held)
        yield
    assert len(window.canvas.selection.ids) == 10_000


def undo_and_redo(window):
    window.document.set_dataset("half", points(5000))
    for id in ("undo", "redo", "undo"):
        window.commands[id].trigger()
        yield


def open_docks(window):
    for name in ("table", "model", "readout"):
        window.commands[name].trigger()
        yield


def dab(window):
    window.canvas.set_tool("brush")
    QTest.mouseClick(window.canvas, LEFT, NONE, QPoint(200, 200))
    yield


def switch_task(window):
    for task in (REGRESS, CLUSTER):
        window.panel.show_task(task)
        yield


def fill_the_screen(window):
    for _ in range(2):
        window.commands["full"].trigger()
        yield


def hover(window):
    """Point at few points, then at many with the same model."""
    window.document.set_dataset("few", points(20))
    yield
    for k in range(4):
        window.canvas.pointer_moved.emit((1.0 + k / 10, 2.0))
        yield
    window.document.set_dataset("many", points(10_000))
    yield
    window.canvas.pointer_moved.emit((1.5, 2.5))
    yield


def log_axes(window):
    """Show every layer on logarithmic axes."""
    window.preferences.set_look(Look(hidden=frozenset(), shown=frozenset(LAYERS)))
    for axis in (0, 1):
        window.document.set_log(axis, on=True)
        yield lambda axis=axis: window.canvas.frame.request.viewport.log[axis]


@pytest.mark.parametrize(
    "gesture", [brush, move_all, undo_and_redo, open_docks, switch_task, fill_the_screen]
)
def test_gestures_with_ten_thousand_points_do_not_block_the_window(gesture, used):
    assert used(gesture, create("tree")) < LIMIT


@pytest.mark.parametrize("gesture", [dab, open_docks, fill_the_screen])
def test_gestures_with_more_points_block_the_window_for_less_than_a_second(gesture, used):
    assert used(gesture, create("tree"), count=100_000) < LIMIT_OF_MANY


@pytest.mark.parametrize("model", [create("gp", REGRESS), create("parzen")])
def test_a_prediction_at_the_pointer_of_more_points_does_not_block_the_window(model, used):
    assert used(hover, model) < LIMIT


def test_a_stage_is_removed_while_a_step_of_its_model_goes_on(start, qtbot, monkeypatch):
    begun, gate, ended, model = threading.Event(), threading.Event(), [], create("lda")

    def steps(*_):
        begun.set()
        ended.append(gate.wait(PATIENCE))
        yield from ()

    monkeypatch.setattr(type(model), "steps", steps)
    window = start(Work(points(20), tuple(map(Experiment, (create("knn"), model)))))
    qtbot.waitUntil(begun.is_set)
    window.stages.remove(1)
    assert len(window.stages.stages) == 1
    assert not ended
    gate.set()


def test_several_stages_do_not_block_the_window(used):
    def edit(window):
        agreement = window.stages.table.item(1, 5)
        before = agreement.text()
        window.document.set_dataset("other", points(10_001))
        yield lambda: agreement.text() not in ("", before)

    assert used(edit, create("knn", k=50), create("parzen")) < LIMIT


@pytest.mark.parametrize(
    "model", [create("random_forest"), create("hmm", CLUSTER), create("kernel_smoother", REGRESS)]
)
def test_layers_on_logarithmic_axes_do_not_block_the_window(model, used):
    assert used(log_axes, model, count=2000) < LIMIT
