"""A stage with its real worker: what is drawn follows what is edited, and nothing is left when it goes."""

import itertools
import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.run.fakes import Counting
from vizml.data import Dataset, generate
from vizml.learn import create
from vizml.run.worker import await_closed
from vizml.workspace import Experiment, Work

LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def live(qtbot, shown):
    """On the screen, with its first picture."""
    stage = shown()
    qtbot.waitUntil(lambda: stage.settled)
    return stage


def test_the_picture_is_that_of_the_newest_points(qtbot, live, document):
    seen = []
    live.frame_changed.connect(seen.append)
    for x in np.linspace(2.0, 3.0, 6):
        document.add([x, 0.5], 1)
    qtbot.waitUntil(lambda: live.settled and len(live.train) == 10)
    frame = live.frame
    assert frame.token == live.runner.token == max(one.token for one in seen)
    assert frame.scene.exact
    assert frame.scene.region.image.shape[1::-1] == live.canvas.plot_geometry.device_size(1.0)


def test_a_drag_that_never_rests_is_still_followed_by_its_boundary(qtbot, live, document):
    """Edits arrive every few milliseconds; each run would take longer than that to its first frame."""
    seen = []
    live.frame_changed.connect(lambda frame: seen.append(frame.token))
    document.set_model(Counting(count=8, wait=0.003))
    moved = np.arange(4) == 0
    places = itertools.cycle([[[0.2, 0.0]], [[0.4, 0.0]], [[0.6, 0.0]]])

    def dragged():
        document.move(moved, next(places), merge="drag")
        return len(set(seen)) >= 4

    qtbot.waitUntil(dragged)
    assert seen == sorted(seen)
    document.seal()
    qtbot.waitUntil(lambda: live.settled)
    assert live.train.points.tolist() == document.dataset.points.tolist()


def test_a_long_run_is_stopped_from_the_timeline_and_can_be_looked_through(qtbot, live, document):
    document.set_model(Counting(count=100_000, wait=0.001))
    qtbot.waitUntil(lambda: live.frame.running and live.frame.count > 5)
    live.timeline.cancel.click()
    qtbot.waitUntil(lambda: live.settled)
    assert 5 < live.timeline.count < 100_000
    live.timeline.to_start()
    qtbot.waitUntil(lambda: live.frame.shown.index == 0)
    assert live.timeline.note.full_text == "step 0"
    live.timeline.to_end()
    qtbot.waitUntil(lambda: live.frame.shown.index == live.timeline.count - 1)


def test_a_model_that_fails_says_so_and_the_next_edit_gets_over_it(qtbot, live, document, logged_errors):
    document.set_model(Counting(count=2, breaks=RuntimeError))
    qtbot.waitUntil(lambda: live.frame.failure is not None)
    assert live.timeline.note.full_text == "Counting stopped: the floor is wet"
    document.set_model(create("knn"))
    qtbot.waitUntil(lambda: live.settled and live.frame.failure is None)
    assert live.frame.scene is not None


def test_no_points_are_no_trouble_and_neither_is_their_return(qtbot, live, document):
    document.set_dataset("clear", Dataset.empty())
    qtbot.waitUntil(lambda: live.settled)
    assert live.frame.scene is None
    document.undo()
    qtbot.waitUntil(lambda: live.settled and live.frame.scene is not None)


def test_closing_down_while_it_trains_leaves_no_thread(qtbot, shown, document):
    before = threading.active_count()
    stage = shown()
    document.set_model(Counting(count=10**9, wait=0.001))
    assert threading.active_count() == before + 1
    stage.close_down()
    await_closed()
    assert threading.active_count() == before


def test_while_a_centroid_is_dragged_its_run_starts_at_the_pointer(qtbot, live, document):
    """From the start of the run, by a real mouse; the clusters follow while the hand moves."""
    rng = np.random.default_rng(0)
    blobs = np.repeat([[-2.0, 0.0], [2.0, 0.0]], 25, axis=0) + 0.1 * rng.normal(size=(50, 2))
    document.set_dataset("draw", Dataset(blobs, np.full(50, -1)))
    document.set_model(create("kmeans", init="placed", starts="-2,0.3;-2,-0.3"))
    qtbot.waitUntil(lambda: live.settled)
    live.canvas.set_bounds((-4.0, 4.0, -3.0, 3.0))
    live.timeline.to_start()
    qtbot.waitUntil(lambda: live.frame.shown.index == 0)
    start = live.canvas.plot_geometry.to_pixels(np.array([[-2.0, -0.3]]))[0].round()
    QTest.mousePress(live.canvas, LEFT, pos=QPoint(*map(int, start)))
    steps = []
    for far in range(10, 160, 25):
        place = QPointF(*start) + QPointF(far, -far / 4)
        held = QMouseEvent(
            QEvent.Type.MouseMove, place, live.canvas.mapToGlobal(place), NO_BUTTON, LEFT, NO_KEYS
        )
        QApplication.sendEvent(live.canvas, held)
        qtbot.waitUntil(lambda: live.settled)
        steps.append(live.frame.states[0].centroids)
        assert np.allclose(steps[-1][0], [-2.0, 0.3])
        assert np.allclose(steps[-1][1], live.canvas.pointer.at.data)
    QTest.mouseRelease(live.canvas, LEFT, pos=place.toPoint())
    assert (np.diff([step[1, 0] for step in steps]) > 0).all()
    qtbot.waitUntil(lambda: live.settled)
    assert sorted(np.bincount(live.frame.shown.state.assigned)) == [25, 25]
    assert document.undo_label == "move centroid 2"
    document.undo()
    assert document.experiment().model.starts == "-2,0.3;-2,-0.3"


def test_a_dragged_centroid_continues_paused_from_its_step(qtbot, live, document):
    document.open(Work(generate("blobs"), (Experiment(create("kmeans", k=4, init="random", restarts=2)),)))
    qtbot.waitUntil(lambda: live.settled and live.frame.count > 8)
    live.timeline.show_step(1)
    qtbot.waitUntil(lambda: live.settled and live.frame.shown.index == 1)
    live.canvas.set_tool("move")
    before, places = live.state.centroids, [live.state.centroids[1] + k * 0.2 for k in (0, 1, 2)]
    spots = [QPointF(*spot).toPoint() for spot in live.canvas.plot_geometry.to_pixels(places).tolist()]
    QTest.mousePress(live.canvas, LEFT, pos=spots[0])
    for spot in map(QPointF, spots[1:]):
        glob = live.canvas.mapToGlobal(spot)
        event = QMouseEvent(QEvent.Type.MouseMove, spot, glob, NO_BUTTON, LEFT, NO_KEYS)
        QApplication.sendEvent(live.canvas, event)
    QTest.mouseRelease(live.canvas, LEFT, pos=spots[-1])
    qtbot.waitUntil(lambda: live.settled and live.frame.count > 1)
    timeline, model = live.timeline, document.experiment().model
    assert (timeline.step_index, timeline.player.playing, live.frame.shown.index) == (0, False, 0)
    assert np.allclose(live.state.centroids[[0, 2, 3]], before[[0, 2, 3]])
    assert np.allclose(live.state.centroids[1], live.canvas.plot_geometry.to_data(*spots[-1].toTuple()))
    kept = ("k", "restarts")
    assert [model.values[name] for name in kept] == [4, 2]
