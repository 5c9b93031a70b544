"""Diagnostics that fit many times: folds on the stage, searches, bias and variance, the bootstrap."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from tests.evaluate.subjects import charts, untrained
from vizml import learn
from vizml.data import Split, names
from vizml.evaluate.diagnostics.bias_variance import BiasVarianceCurve
from vizml.evaluate.diagnostics.bootstrap import BootstrapCoverage, BootstrapIntervals
from vizml.evaluate.diagnostics.cross_validation import CrossValidationScores
from vizml.evaluate.diagnostics.search import RandomSearch
from vizml.evaluate.resampling import generator_samplers
from vizml.learn import CLASSIFY, REGRESS


def subject(model, spec="moons:n=60,noise=0.3"):
    fresh, clean = generator_samplers(spec, Split(0.0))
    return untrained(model, spec, sampler=fresh, noiseless_sampler=clean)


def line(**values):
    return learn.create("linear", REGRESS, **values)


def test_folds_part_the_points_and_each_has_its_fit():
    who = subject(learn.create("logistic"))
    results = list(CrossValidationScores(folds=5).results(who))
    assert [len(result.overlay.states) for result in results] == [1, 2, 3, 4, 5]
    ids, numbers = results[-1].overlay.groups
    assert sorted(ids) == sorted(who.train.ids)
    assert np.bincount(numbers).tolist() == [12] * 5


def test_leave_one_out_is_scikit_learns():
    who = subject(learn.create("knn", CLASSIFY, k=3))
    *_, chart = charts(CrossValidationScores(leave_one_out=True), who)
    theirs = cross_val_score(KNeighborsClassifier(3), who.train.points, who.train.labels, cv=LeaveOneOut())
    ours = chart.series[1].y
    assert ours.mean() == pytest.approx(theirs.mean())
    assert len(ours) == len(who.train)


def test_one_point_of_a_curve_has_no_variance_to_explain():
    *_, chart = charts(CrossValidationScores(leave_one_out=True), subject(line(), "line:n=12"))
    assert "R² of a single point is undefined" in chart.note
    assert not chart.rules


def test_repeats_deal_anew_and_go_on_counting():
    who = subject(learn.create("knn"))
    results = list(CrossValidationScores(folds=4, repeats=3).results(who))
    chart = results[-1].chart
    assert chart.series[1].x.tolist() == list(range(1, 13))
    first, last = results[3].overlay.groups, results[-1].overlay.groups
    assert sorted(zip(*first, strict=True)) != sorted(zip(*last, strict=True))
    assert len(results[-1].overlay.states) == 4


def test_random_draws_find_what_a_button_sets():
    who = subject(learn.create("svm"))
    drawn = charts(RandomSearch(first="C", second="gamma", draws=6, folds=3), who)
    assert [len(chart.series[1].x) for chart in drawn] == [1, 2, 3, 4, 5, 6]
    best, each = drawn[-1].series
    assert best.y[-1] == each.y.max()
    assert set(drawn[-1].offers[0].values) == {"C", "gamma"}


@pytest.mark.parametrize("spec", [*names("classify"), *names("regress")])
def test_the_terms_add_up_to_the_error_for_every_data_set(spec):
    model = line(degree=3) if spec in names("regress") else learn.create("tree")
    *_, chart = charts(BiasVarianceCurve(draws=5), subject(model, spec))
    *terms, error = chart.series
    total = np.sum([series.y for series in terms], axis=0)
    np.testing.assert_allclose(total, error.y, rtol=1e-9)
    assert (error.low <= total).all()
    assert (total <= error.high).all()


@pytest.mark.parametrize("spec", ["moons", "blobs"])
def test_noise_that_moves_the_inputs_is_not_shown_as_noise_of_the_target(spec):
    *_, chart = charts(BiasVarianceCurve(draws=4), subject(line(degree=3), spec))
    assert [series.name for series in chart.series] == ["bias²", "variance", "error"]
    assert "bias² (with the noise)" in chart.note


def test_a_richer_basis_trades_bias_for_variance():
    who = subject(line(degree=3), "sine:n=200,noise=0.4")
    *_, chart = charts(BiasVarianceCurve(parameter="degree", draws=40), who)
    found = {series.name: series.y for series in chart.series}
    assert set(found) == {"bias²", "variance", "noise", "error"}
    low = chart.series[0].x <= 6  # beyond, single wild fits decide
    assert found["noise"][0] == pytest.approx(0.16, rel=0.2)
    assert found["variance"][-1] > found["variance"][low][-1]
    assert found["bias²"][low][-1] < found["bias²"][0]


def test_fits_of_fresh_samples_and_their_mean_are_on_the_stage():
    *_, last = BiasVarianceCurve(parameter="degree", draws=5).results(subject(line(degree=3), "sine:n=40"))
    assert len(last.overlay.states) == 5
    (mean,) = last.overlay.marks
    x, y = mean.lines[0][60]
    assert y == pytest.approx(np.mean([state.predict([x])[0] for state in last.overlay.states]))


def test_drawn_points_are_resampled():
    drawn = replace(subject(line(), "sine:n=40"), sampler=None, noiseless_sampler=None)
    *_, chart = charts(BiasVarianceCurve(parameter="degree", draws=4), drawn)
    assert "Bootstrap samples" in chart.note
    assert "noise" not in [series.name for series in chart.series]


def test_bootstrap_errors_of_a_line_are_those_of_theory():
    who = subject(line(degree=1), "line:n=200,noise=0.3")
    *_, chart = charts(BootstrapIntervals(draws=300), who)
    (series,) = chart.series
    theirs = LinearRegression().fit(who.train.x[:, None], who.train.y)
    assert chart.x.ticks == {0.0: "intercept", 1.0: "x"}
    np.testing.assert_allclose(series.y, [theirs.intercept_, theirs.coef_[0]], rtol=1e-9)
    spread = who.train.x.std() * np.sqrt(len(who.train))
    assert (series.high - series.low)[1] == pytest.approx(2 * 1.96 * 0.3 / spread, rel=0.2)


def test_a_sample_holds_63_percent():
    *_, chart = charts(BootstrapCoverage(), subject(learn.create("knn"), "moons:n=500"))
    theory, measured = chart.series
    np.testing.assert_allclose(measured.y, theory.y, atol=0.03)
    assert measured.y[-1] == pytest.approx(1 - np.exp(-1), abs=0.005)


def test_the_fits_of_a_parameter_without_limit_are_those_at_its_largest_value():
    who = subject(learn.create("tree", REGRESS, max_depth=0), "sine:n=40")
    *_, last = BiasVarianceCurve(parameter="max_depth", draws=3).results(who)
    assert min(state.metrics()["leaves"] for state in last.overlay.states) > 8  # a stump has two
