"""Losses agree with scikit-learn's; the curve finds the step where held-out points are served best."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts, subject
from vizml import learn
from vizml.evaluate.diagnostics.training import TrainingCurve, TrainingCurvePlot, mean_error, mean_loss
from vizml.learn import CLASSIFY, REGRESS


def own(model, name="moons", share=0.4, **more):
    return subject(model, f"{name}:n=120,seed=1", share, **more)


def test_losses_are_the_reference_ones():
    who = own(learn.create("logistic"), "blobs")
    truth, shares = who.held.labels, who.state.proba(who.held.points)
    assert mean_loss(who.state, who.held) == pytest.approx(metrics.log_loss(truth, shares), rel=1e-12)
    svm = own(learn.create("svm"))
    lead = np.diff(svm.state.scores(svm.held.points))[:, 0] / 2
    hinge = metrics.hinge_loss(svm.held.labels, lead)
    assert mean_loss(svm.state, svm.held) == pytest.approx(hinge, rel=1e-12)
    line = own(learn.create("linear", REGRESS), "sine")
    predicted = line.state.predict(line.held.x)
    assert mean_error(line.state, line.held) == pytest.approx(
        metrics.root_mean_squared_error(line.held.y, predicted), rel=1e-12
    )


def test_every_step_is_judged_in_the_end_and_some_of_them_at_once():
    who = own(learn.create("logistic", CLASSIFY, solver="gd", epochs=200, tol=1e-12))
    drawn = charts(TrainingCurvePlot(), who)
    lengths = [len(chart.series[0].x) for chart in drawn]
    assert lengths == sorted(lengths)
    assert lengths[0] == 12
    assert lengths[-1] == len(who.history)
    last = drawn[-1]
    assert last.cursor == "step"
    np.testing.assert_allclose(last.series[1].y, [mean_loss(state, who.held) for state in who.history])


def test_a_run_that_goes_on_is_judged_in_fewer_places():
    who = own(learn.create("logistic", CLASSIFY, solver="gd", epochs=200, tol=1e-12), running=True)
    *_, last = charts(TrainingCurvePlot(), who)
    assert len(last.series[0].x) <= 92


def test_overfitting_is_said_where_the_held_out_loss_turns():
    steps, train = np.arange(1, 8), np.linspace(1.0, 0.1, 7)
    turning = TrainingCurve(steps, train, np.array([1.0, 0.7, 0.5, 0.55, 0.6, 0.7, 0.8]))
    assert turning.best == 2
    assert turning.overfits
    assert not TrainingCurve(steps, train, train + 0.1).overfits
    assert not TrainingCurve(steps, train, np.full(7, np.nan)).overfits
    ripple = np.array([1.0, 0.7, 0.5, 0.5, 0.501, 0.5, 0.502])
    assert not TrainingCurve(steps, train, ripple).overfits


def test_a_network_that_learns_noise_by_heart_is_told_to_stop_early():
    model = learn.create("mlp", CLASSIFY, hidden="16,16", epochs=600, rate=0.05)
    who = subject(model, "moons:n=60,noise=0.6,seed=3", 0.5)
    *_, chart = charts(TrainingCurvePlot(), who)
    assert chart.note.startswith("stop early")
    (rule,) = chart.rules
    assert rule.name == "overfitting starts here"
    assert rule.x == chart.series[1].x[np.argmin(chart.series[1].y)]


def test_without_held_out_points_there_is_a_hint_and_no_rule():
    *_, chart = charts(TrainingCurvePlot(), own(learn.create("svm"), share=0.0))
    assert len(chart.series) == 1
    assert not chart.rules
    assert "Hold out some points" in chart.note


def test_what_has_no_steps_has_no_curve():
    with pytest.raises(ValueError, match="trains in one step"):
        charts(TrainingCurvePlot(), own(learn.create("knn")))
    nothing = replace(own(learn.create("knn")), history=(), running=True)
    with pytest.raises(ValueError, match="has not been trained yet"):
        charts(TrainingCurvePlot(), nothing)
