"""The loss of a run as a chart, and the note with the scores of a step."""

import numpy as np
import pytest

from vizml.learn import CLASSIFY, CLUSTER, REGRESS
from vizml.run.figures import LOG_RATIO, loss_chart, score_note
from vizml.run.request import ShownState


def test_losses_stand_at_their_steps_without_those_that_are_not_known():
    chart = loss_chart(np.array([1, 2, 4, 8, 16]), np.array([4.0, np.nan, 2.0, np.inf, 1.0]))
    (series,) = chart.series
    assert series.x.tolist() == [1, 4, 16]
    assert series.y.tolist() == [4, 2, 1]
    assert chart.cursor == "step"


@pytest.mark.parametrize("losses", [[], [1.0], [np.nan, 1.0, np.nan], [np.nan] * 5])
def test_fewer_than_two_losses_are_no_curve(losses):
    assert loss_chart(np.arange(1, 10), np.array(losses, float)) is None


@pytest.mark.parametrize(
    "losses,log",
    [
        ((1.0, LOG_RATIO * 1.01), True), ((1.0, LOG_RATIO), False), ((0.0, 1e6), False), ((-1.0, 1e6), False),
        ((1e-12, 1e-9), True), ((1e12, 1e12), False),
    ],
)  # fmt: skip
def test_a_logarithm_where_the_range_is_wide_and_nothing_is_lost_by_it(losses, log):
    chart = loss_chart(np.arange(1, 10), np.array(losses, float))
    assert chart.y.log is log
    assert not chart.x.log


@pytest.mark.parametrize(
    "task,train,held,words",
    [
        (CLASSIFY, 0.91666, 0.5, "Accuracy: train 91.7 %, held out 50.0 %"),
        (CLASSIFY, None, 0.0, "Accuracy: held out 0.0 %"),
        (REGRESS, -0.25, None, "R²: train −0.250"),
        (CLUSTER, None, None, ""),
    ],
)
def test_the_note_tells_the_scores_there_are(task, train, held, words):
    shown = ShownState(0, None, train, held)
    assert score_note(shown, task) == words
