"""The loss of a run as a chart, the note below it, and how often charts are made."""

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from vizml.learn import Task
from vizml.run.frame import Frame, Moment, View
from vizml.ui.charts.losses import DECADES, loss_chart, scored
from vizml.ui.charts.rhythm import PAUSE, Rhythm


def frame(losses, steps=None, moment=None):
    losses = np.array(losses, float)
    steps = np.arange(1, len(losses) + 1) if steps is None else np.array(steps)
    view = View((-1, 1, -1, 1), 10, 10)
    return Frame(1, view, moment=moment, count=len(losses), losses=losses, steps=steps)


def test_losses_stand_at_their_steps_without_those_that_are_not_known():
    chart = loss_chart(frame([4.0, np.nan, 2.0, np.inf, 1.0], [1, 2, 4, 8, 16]), Task.CLASSIFY)
    (series,) = chart.series
    assert series.x.tolist() == [1, 4, 16]
    assert series.y.tolist() == [4, 2, 1]
    assert chart.cursor == "step"


@pytest.mark.parametrize("losses", [[], [1.0], [np.nan, 1.0, np.nan], [np.nan] * 5])
def test_fewer_than_two_losses_are_no_curve(losses):
    assert loss_chart(frame(losses), Task.CLASSIFY) is None


@pytest.mark.parametrize(
    "losses,log",
    [
        ((1.0, DECADES * 1.01), True), ((1.0, DECADES), False), ((0.0, 1e6), False), ((-1.0, 1e6), False),
        ((1e-12, 1e-9), True), ((1e12, 1e12), False),
    ],
)  # fmt: skip
def test_a_logarithm_where_the_range_is_wide_and_nothing_is_lost_by_it(losses, log):
    chart = loss_chart(frame(losses), Task.CLASSIFY)
    assert chart.y.log is log
    assert not chart.x.log


def test_more_steps_than_losses_do_not_shift_the_curve():
    chart = loss_chart(frame([3.0, 2.0], [5, 6, 7]), Task.CLASSIFY)
    assert chart.series[0].x.tolist() == [5, 6]


@pytest.mark.parametrize(
    "task,train,held,words",
    [
        (Task.CLASSIFY, 0.91666, 0.5, "accuracy: train 91.7 %, held out 50.0 %"),
        (Task.CLASSIFY, None, 0.0, "accuracy: held out 0.0 %"),
        (Task.REGRESS, -0.25, None, "R²: train −0.250"),
        (Task.CLUSTER, None, None, ""),
    ],
)
def test_the_note_tells_the_scores_there_are(task, train, held, words):
    moment = Moment(0, None, train, held)
    assert scored(moment, task) == words
    assert loss_chart(frame([2.0, 1.0], moment=moment), task).note == words


def test_without_a_moment_there_is_no_note():
    assert loss_chart(frame([2.0, 1.0]), Task.CLASSIFY).note == ""


@pytest.fixture
def beat(qtbot):
    """A rhythm of a widget in sight, and the list of what it did."""
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    done = []
    rhythm = Rhythm(lambda: done.append(1), widget)
    yield rhythm, widget, done
    rhythm.stop()


def test_what_is_asked_first_is_done_at_once(beat):
    rhythm, _, done = beat
    rhythm.ask()
    assert done == [1]
    assert rhythm.interval() >= PAUSE


def test_many_requests_in_a_pause_are_one_more(beat, qtbot):
    rhythm, _, done = beat
    for _ in range(50):
        rhythm.ask()
    assert done == [1]
    qtbot.waitUntil(lambda: len(done) > 1)
    qtbot.waitUntil(lambda: not rhythm.isActive())
    assert done == [1, 1]


def test_nothing_is_done_while_nobody_looks(beat):
    rhythm, widget, done = beat
    widget.hide()
    rhythm.ask()
    assert done == []
    assert not rhythm.isActive()


def test_what_fell_due_while_hidden_is_not_done_by_the_end_of_a_pause(beat, qtbot):
    rhythm, widget, done = beat
    rhythm.ask()
    rhythm.ask()
    widget.hide()
    qtbot.waitUntil(lambda: not rhythm.isActive())
    assert done == [1]
