"""The axis of scores: what is far below stays below, and is told."""

import math

import numpy as np
import pytest

from tests.evaluate.subjects import charts, untrained
from vizml import data, learn
from vizml.evaluate.diagnostic_charts import FLOOR, below_axis_note, score_axis, score_text
from vizml.learn import CLASSIFY, REGRESS
from vizml.scene import Series

MODEL = learn.create("linear", degree=5)
SETTINGS = {
    "cross_validation": {"folds": 4},
    "learning_curve": {},
    "validation_curve": {"parameter": "degree"},
}


def scored(*values, low=None):
    y = np.array(values)
    return Series(
        name="scores", x=np.arange(1.0, len(y) + 1), y=y, low=None if low is None else np.array(low)
    )


def test_an_axis_of_good_scores_ends_where_they_do():
    assert (score_axis(REGRESS, [scored(-0.5, 0.9)]).low, score_axis(REGRESS, [scored(0.9)]).high) == (
        None,
        None,
    )
    assert below_axis_note(score_axis(REGRESS, [scored(-0.5, 0.9)]), [scored(-0.5, 0.9)], "fold") == ""


def test_scores_far_below_are_left_out_and_the_least_is_told():
    series = [scored(0.9, -22380.4, 0.8), scored(0.95, -3.0, 0.9)]
    axis = score_axis(REGRESS, series)
    assert axis.low == FLOOR
    assert axis.high > 1.0
    assert below_axis_note(axis, series, "n =") == "R² down to −2.24×10⁴ at n = 2 is below the axis"


def test_whiskers_far_below_are_cut_without_a_word():
    series = [scored(0.9, 0.7, low=[0.8, -40.0])]
    axis = score_axis(REGRESS, series)
    assert axis.low == FLOOR
    assert below_axis_note(axis, series, "fold") == ""


def test_scores_that_are_all_far_below_are_all_in_sight():
    assert score_axis(REGRESS, [scored(-5.0, -300.0)]).low is None


def test_unknown_scores_do_not_matter():
    assert score_axis(REGRESS, [scored(math.nan, 0.5)]).low is None
    assert score_axis(REGRESS, [scored(math.nan, 0.5, -7.0)]).low == FLOOR
    assert score_axis(REGRESS, [scored(math.nan)]).low is None


def test_accuracies_have_the_axis_of_their_own():
    axis = score_axis(CLASSIFY, [scored(0.2, 0.9)])
    assert (axis.title, axis.low, axis.high) == ("accuracy", None, None)


@pytest.mark.parametrize("score, words", [(0.98543, "0.985"), (-1.2, "−1.200"), (-26576739.9, "−2.66×10⁷")])
def test_scores_are_told_in_few_digits(score, words):
    assert score_text(score) == words


@pytest.mark.parametrize("id", SETTINGS)
def test_one_point_far_away_does_not_press_the_chart_together(id):
    points = data.generate("sine", n=60, seed=0)
    x, y = points.x.copy(), points.y.copy()
    x[3], y[3] = 40.0, 30.0
    chart = charts(id, untrained(MODEL, data.Dataset.curve(x, y)), **SETTINGS[id])[-1]
    assert (chart.y.title, chart.y.low) == ("R²", FLOOR)
    assert min(np.nanmin(series.y) for series in chart.series) < -1e6
    assert "is below the axis" in chart.note


@pytest.mark.parametrize("id", ["cross_validation", "learning_curve"])
def test_a_chart_of_scores_that_can_be_seen_says_nothing_of_its_axis(id):
    chart = charts(id, untrained(MODEL, data.generate("cubic", n=200, seed=0)), **SETTINGS[id])[-1]
    below = min(np.nanmin(series.y) for series in chart.series) < FLOOR
    assert below == ("below the axis" in chart.note) == (chart.y.low is not None)
