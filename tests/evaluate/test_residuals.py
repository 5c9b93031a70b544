"""Residual charts against scipy, and against what residuals are."""

import numpy as np
import pytest
from scipy import stats

from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostic import Subject, diagnostics
from vizml.evaluate.residuals import normal_chart, normal_scores, residuals_chart

POINTS = data.generate("sine", n=120, seed=1)


def line(points=POINTS):
    return learn.fit(learn.create("linear"), points.x, points.y)


@pytest.mark.parametrize("n", [1, 2, 9, 500])
def test_normal_scores_are_the_quantiles_of_scipy(n):
    expected = stats.norm.ppf((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    assert np.allclose(normal_scores(n), expected, atol=1e-12)


def test_dots_are_fitted_values_and_what_is_left():
    state = line()
    dots = residuals_chart(state, POINTS).series[0]
    assert np.array_equal(dots.x, state.predict(POINTS.x))
    assert np.allclose(dots.x + dots.y, POINTS.y)


def test_the_trend_shows_what_a_line_has_missed():
    bend = Dataset.curve(np.linspace(-1, 1, 200), np.linspace(-1, 1, 200) ** 2 + np.linspace(-1, 1, 200))
    trend = residuals_chart(line(bend), bend).series[-1]
    assert trend.y[0] > 0.2
    assert trend.y[30] < -0.2
    right = learn.fit(learn.create("linear", degree=2), bend.x, bend.y)
    assert np.abs(residuals_chart(right, bend).series[-1].y).max() < 1e-9


def test_held_out_points_are_a_series_of_their_own():
    held = data.generate("sine", n=30, seed=2)
    series = {one.name: one for one in residuals_chart(line(), POINTS, held).series}
    assert len(series["held out"].x) == 30
    assert "held out" not in {one.name for one in residuals_chart(line(), POINTS).series}


def test_sorted_residuals_stand_over_normal_scores():
    state = line()
    dots, normal = normal_chart(state, POINTS).series
    left = np.sort(POINTS.y - state.predict(POINTS.x))
    assert np.array_equal(dots.y, left)
    assert np.allclose(normal.y, left.mean() + left.std() * dots.x[[0, -1]])


def test_normal_noise_lies_on_the_line():
    points = data.generate("line", n=2000, noise=0.5, seed=3)
    dots, _ = normal_chart(line(points), points).series
    inner = np.abs(dots.x) < 2
    assert np.abs(dots.y - 0.5 * dots.x)[inner].max() < 0.06


@pytest.mark.parametrize("chart", [residuals_chart, normal_chart])
def test_awkward_data_have_a_chart_or_a_sentence(chart):
    state = line()
    for points in (POINTS.take(slice(1)), POINTS.take(slice(2)), Dataset.curve(np.ones(4), np.ones(4))):
        for series in chart(state, points).series:
            assert np.isfinite(series.y).all()
    with pytest.raises(ValueError, match="there are no points"):
        chart(state, Dataset.empty())


def test_both_follow_the_training_of_every_regression():
    found = {kind.id: kind for kind in diagnostics(learn.REGRESS)}
    subject = Subject(model=learn.create("linear"), seed=0, train=POINTS, held=Dataset.empty(), state=line())
    for id in ("residuals", "normal"):
        assert found[id].live
        assert len(list(found[id]().charts(subject))) == 1
        with pytest.raises(ValueError, match="no curve yet"):
            next(found[id]().charts(Subject(model=subject.model, seed=0, train=POINTS, held=POINTS)))
    assert not {"residuals", "normal"} & {kind.id for kind in diagnostics(learn.CLASSIFY)}
