"""Residual plots against scipy, and against the definition of residuals."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostics.residuals import normal_scores

POINTS = data.generate("sine", n=120, seed=1)
BOTH = ("residuals", "normal")


def line(points=POINTS, **values):
    return subject(learn.create("linear", **values), points, share=0.0)


def series(id, who):
    (chart,) = charts(id, who)
    return chart.series


@pytest.mark.parametrize("n", [1, 2, 9, 500])
def test_normal_scores_are_the_quantiles_of_scipy(n):
    expected = stats.norm.ppf((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    assert np.allclose(normal_scores(n), expected, atol=1e-12)


def test_dots_are_fitted_values_and_what_is_left():
    who = line()
    dots = series("residuals", who)[0]
    assert np.array_equal(dots.x, who.state.predict(POINTS.x))
    assert np.allclose(dots.x + dots.y, POINTS.y)


def test_the_trend_shows_what_a_line_has_missed():
    bend = Dataset.curve(np.linspace(-1, 1, 200), np.linspace(-1, 1, 200) ** 2 + np.linspace(-1, 1, 200))
    trend = series("residuals", line(bend))[-1]
    assert trend.y[0] > 0.2
    assert trend.y[30] < -0.2
    assert np.abs(series("residuals", line(bend, degree=2))[-1].y).max() < 1e-9


def test_held_out_points_are_a_series_of_their_own():
    held = data.generate("sine", n=30, seed=2)
    named = {one.name: one for one in series("residuals", replace(line(), held=held))}
    assert len(named["held out"].x) == 30
    assert "held out" not in {one.name for one in series("residuals", line())}


def test_sorted_residuals_stand_over_normal_scores():
    who = line()
    dots, normal = series("normal", who)
    left = np.sort(POINTS.y - who.state.predict(POINTS.x))
    assert np.array_equal(dots.y, left)
    assert np.allclose(normal.y, left.mean() + left.std() * dots.x[[0, -1]])


def test_normal_noise_lies_on_the_line():
    dots, _ = series("normal", line(data.generate("line", n=2000, noise=0.5, seed=3)))
    inner = np.abs(dots.x) < 2
    assert np.abs(dots.y - 0.5 * dots.x)[inner].max() < 0.06


@pytest.mark.parametrize("id", BOTH)
def test_awkward_data_have_a_chart_or_a_sentence(id):
    who = line()
    for points in (POINTS.take(slice(1)), POINTS.take(slice(2)), Dataset.curve(np.ones(4), np.ones(4))):
        for one in series(id, replace(who, train=points)):
            assert np.isfinite(one.y).all()
    with pytest.raises(ValueError, match="there are no points"):
        charts(id, replace(who, train=Dataset.empty()))
    with pytest.raises(ValueError, match="no regression yet"):
        charts(id, replace(who, state=None))
