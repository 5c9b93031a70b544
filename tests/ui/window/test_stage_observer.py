"""What the window tells while a stage works: the pointer, failures, the readout, hints that are over."""

import threading

import numpy as np
import pytest

from tests.events import LIMIT
from tests.run.clock import Clock
from vizml.data import Dataset, generate
from vizml.learn import create
from vizml.run import prediction
from vizml.run.request import Failure, Frame, RenderRequest
from vizml.scene.viewport import Viewport
from vizml.ui.messages import Message
from vizml.ui.window.status_bar import FIRST_MODEL
from vizml.workspace import Experiment, Work

VIEW = RenderRequest(Viewport((0.0, 1.0, 0.0, 1.0), 10, 10))


@pytest.fixture
def window(start, qtbot):
    made = start(Work(generate("moons", n=40), (Experiment(create("svm")),)))
    qtbot.waitUntil(lambda: made.stage.settled)
    return made


@pytest.fixture
def point(qtbot):
    """Put the pointer of a window somewhere; what is told of it once the model has answered."""

    def told(window, place):
        window.stage.canvas.pointer_moved.emit(place)
        qtbot.waitUntil(lambda: not window.observer.query.waiting)
        return window.status.pointer.full_text

    return told


def failed(sentence, details=""):
    return Frame(token=1, request=VIEW, failure=Failure(sentence, details))


def test_the_place_and_the_answer_are_told_and_forgotten(window, point):
    told = point(window, (0.5, -0.25))
    assert told.startswith("x 0.5")
    score = window.stage.frame.shown.state.scores(np.array([[0.5, -0.25]]))[0, 1]
    assert f"B {score:+.2f}".replace("-", "−") in told
    assert point(window, None) == ""


def test_one_input_is_read_with_its_probabilities(start, point, qtbot):
    window = start(Work(generate("default"), (Experiment(create("logistic", l2=0.0)),)))
    qtbot.waitUntil(lambda: window.stage.settled)
    odds = 0.0055 * 1800.0 - 10.6513
    p = 1 / (1 + np.exp(-odds))
    told = f"No {1 - p:.0%}, Yes {p:.0%}, log-odds of Yes {odds:.2f}".replace("%", " %").replace("-0", "−0")
    assert point(window, (1800.0, 0.5)) == f"x 1800      {told}"


def test_the_answer_follows_the_moment_under_a_pointer_that_rests(window, point, qtbot):
    told = point(window, (0.5, -0.25))
    window.stage.timeline.to_start()
    place = told.partition("A ")[0]
    qtbot.waitUntil(lambda: window.status.pointer.full_text not in (told, place.rstrip()))
    assert window.status.pointer.full_text.partition("A ")[0] == place


def test_without_points_there_is_a_place_and_no_answer(window, point, qtbot):
    window.clear()
    told = point(window, (0.5, -0.25))
    assert told.startswith("x 0.5")
    assert "A " not in told


def test_a_model_that_fails_at_the_pointer_is_logged(window, point, monkeypatch, logged_errors):
    def broken(_state, _points):
        raise ArithmeticError("no answer here")

    monkeypatch.setattr(type(window.stage.frame.shown.state), "scores", broken)
    point(window, (0.5, 0.25))
    assert logged_errors.texts == ["SvmState.predict failed with ArithmeticError: no answer here"]
    assert "no answer here" in window.log.text


def test_a_slow_model_keeps_neither_the_place_nor_the_window_waiting(window, qtbot, monkeypatch):
    gate, asked = threading.Event(), []

    def slow(_state, _dataset, inputs):
        x = inputs[0, 0]
        asked.append(x)
        gate.wait(LIMIT)
        return f"answer at {x}"

    monkeypatch.setattr(prediction, "prediction_text", slow)
    for x in (0.1, 0.2, 0.3):
        window.stage.canvas.pointer_moved.emit((x, 0.5))
        qtbot.waitUntil(lambda: asked == [0.1])
    qtbot.waitUntil(lambda: window.status.pointer.full_text.startswith("x 0.3"))
    assert "answer" not in window.status.pointer.full_text
    gate.set()
    qtbot.waitUntil(lambda: "answer at 0.3" in window.status.pointer.full_text)
    assert asked == [0.1, 0.3]


def test_a_model_that_was_quick_is_asked_at_once_until_it_is_slow(window, point, qtbot, monkeypatch):
    answers, clock = [], Clock()
    clock.stop_in(monkeypatch, "prediction")

    def answer(_state, _dataset, inputs):
        x = inputs[0, 0]
        answers.append((x, threading.current_thread() is threading.main_thread()))
        clock.now += 0.25 if x > 0.5 else 0.0
        return f"answer at {x}"

    monkeypatch.setattr(prediction, "prediction_text", answer)
    for x in (0.1, 0.2, 0.3, 0.6, 0.7, 0.4, 0.5):
        assert f"answer at {x}" in point(window, (x, 0.5))
    first = dict(reversed(answers))  # a frame that arrives late asks once more
    assert list(first.values())[::-1] == [False, True, True, True, False, False, True]


@pytest.mark.parametrize("left", [False, True], ids=["of the canvas", "of the stage"])
def test_an_answer_that_comes_when_the_pointer_is_gone_is_not_told(window, qtbot, monkeypatch, left):
    gate, emitters = threading.Event(), (window.stage.canvas, window.stages)
    monkeypatch.setattr(prediction, "prediction_text", lambda *_: "late" if gate.wait(LIMIT) else "")
    window.stage.canvas.pointer_moved.emit((0.1, 0.5))
    if left:
        window.stage.frame = None
    emitters[left].pointer_moved.emit(None)
    gate.set()
    qtbot.waitUntil(lambda: not window.observer.query.waiting)
    assert window.status.pointer.full_text == ""


def test_a_fault_of_a_run_is_one_message_until_the_next_run(window):
    """One without details is told by the timeline."""
    told = []
    window.messages.posted.connect(told.append)
    for _ in range(3):
        window.stage.frame_changed.emit(failed("SVM failed: overflow", "Traceback ..."))
    assert len(told) == 1
    assert window.messages.current.text == "SVM failed: overflow"
    assert window.messages.current.details == "Traceback ..."
    window.stage.frame_changed.emit(Frame(token=2, request=VIEW, running=True))
    assert window.messages.current is None
    window.stage.frame_changed.emit(failed("there is nothing to learn from: add at least one labelled point"))
    assert window.messages.current is None


def test_the_hint_about_the_first_model_goes_with_it(window):
    window.messages.post(Message(text="This is a support vector machine.", kind="tip", key=FIRST_MODEL))
    window.document.add([[0.0, 0.0]], 0)
    assert window.messages.current is not None
    window.document.set_model(create("tree"))
    assert window.messages.current is None


def test_another_stage_is_watched_and_the_one_before_is_not(window, qtbot):
    first = window.stage
    window.stages.add()
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
    second = window.stages.active
    assert second is not first

    def is_told():
        second.canvas.pointer_moved.emit((0.5, 0.25))  # a canvas that is laid out takes the pointer back
        return "%" in window.status.pointer.full_text  # a tree tells shares of classes

    qtbot.waitUntil(is_told)
    told = window.status.pointer.full_text
    first.canvas.pointer_moved.emit((1.5, 0.25))
    assert window.status.pointer.full_text == told


def names(table):
    return [table.item(row, 0).text() for row in range(table.rowCount())]


def test_when_the_watched_stage_is_taken_away_the_first_is_told_of(window, qtbot):
    window.stages.add()
    qtbot.waitUntil(lambda: all(stage.settled for stage in window.stages.stages))
    window.commands["readout"].trigger()
    window.document.undo()
    qtbot.waitUntil(lambda: "Support vector machine" in names(window.readout.table))


def test_a_model_that_was_quick_on_few_points_is_asked_about_many_in_a_thread(
    window, point, qtbot, monkeypatch
):
    asked = []
    clock = Clock()
    clock.stop_in(monkeypatch, "prediction")

    def answer(_state, dataset, _inputs):
        asked.append((len(dataset), threading.current_thread() is threading.main_thread()))
        return f"answer {len(asked)}"

    monkeypatch.setattr(prediction, "prediction_text", answer)
    for x in (0.1, 0.2):
        assert "answer" in point(window, (x, 0.5))
    assert asked[-1][1]
    dataset = window.document.dataset
    many = Dataset(np.tile(dataset.points, (10, 1)), np.tile(dataset.labels, 10))
    del asked[:]
    window.document.set_dataset("more", many)
    qtbot.waitUntil(lambda: window.stage.settled and bool(asked))
    assert asked[0] == (len(many), False)
