"""ROC, precision-recall, calibration and their figures against scikit-learn's, to 1e-12."""

import warnings

import numpy as np
import pytest
from sklearn import calibration as theirs
from sklearn import metrics

from vizml.evaluate import best_threshold, brier, calibration, log_loss, pr, roc

EXACT = 1e-12


def cases():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 80))
        y = np.r_[0, 1, rng.integers(0, 2, n)]
        yield y, np.round(rng.normal(size=len(y)) + y, int(rng.integers(0, 3)))  # rounded: many ties


def test_roc_equals_scikit_learns_point_by_point():
    for y, s in cases():
        ours, (fpr, tpr, thresholds) = roc(y, s), metrics.roc_curve(y, s, drop_intermediate=False)
        for mine, other in ((ours.fpr, fpr), (ours.tpr, tpr), (ours.thresholds, thresholds)):
            np.testing.assert_allclose(mine, other, atol=EXACT, rtol=0)
        assert ours.auc == pytest.approx(metrics.roc_auc_score(y, s), abs=EXACT)


def test_precision_recall_equals_scikit_learns_point_by_point():
    for y, s in cases():
        ours, (precision, recall, thresholds) = pr(y, s), metrics.precision_recall_curve(y, s)
        for mine, other in (
            (ours.precision, precision),
            (ours.recall, recall),
            (ours.thresholds, thresholds),
        ):
            np.testing.assert_allclose(mine, other, atol=EXACT, rtol=0)
        assert ours.ap == pytest.approx(metrics.average_precision_score(y, s), abs=EXACT)


def test_auc_is_the_chance_to_rank_a_positive_higher():
    y, s = np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.4])
    assert roc(y, s).auc == (1 + 1 + 0 + 0.5) / 4


@pytest.mark.parametrize("measure", [roc, pr, brier, log_loss, best_threshold])
def test_scores_that_are_no_numbers_are_refused_by_place(measure):
    with pytest.raises(ValueError, match="score 1 is not a number"):
        measure([0, 1, 1], [0.5, np.nan, 0.2])
    with pytest.raises(ValueError, match="as many predictions as true values"):
        measure([], [])


def test_probabilities_are_judged_as_scikit_learn_does():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y, p = np.r_[0, 1, rng.integers(0, 2, 50)], rng.random(52)
        assert log_loss(y, p) == pytest.approx(metrics.log_loss(y, p), abs=EXACT)
        assert brier(y, p) == pytest.approx(metrics.brier_score_loss(y, p), abs=EXACT)
        found = calibration(y, p, 7)
        observed, predicted = theirs.calibration_curve(y, p, n_bins=7)
        np.testing.assert_allclose(found.observed, observed, atol=EXACT)
        np.testing.assert_allclose(found.predicted, predicted, atol=EXACT)
        assert found.counts.sum() == 52


def test_certainty_that_is_wrong_costs_much_but_not_all():
    assert 30 < log_loss([1], [0.0]) < 40
    with pytest.raises(ValueError, match="must be from 0 to 1"):
        calibration([1], [1.5])


@pytest.mark.parametrize(
    "aim, loss",
    [
        ("error", lambda y, p: np.mean(y != p)),
        ("f1", lambda y, p: -metrics.f1_score(y, p, zero_division=0)),
        ("cost", lambda y, p: 5 * np.sum(y & ~p) + np.sum(~y & p)),
    ],
)
def test_the_best_threshold_beats_all_others(aim, loss):
    for y, s in cases():
        truth = y.astype(bool)
        best = loss(truth, s >= best_threshold(y, s, aim, miss=5.0))
        assert best <= min(loss(truth, s >= t) for t in [*s, np.inf]) + EXACT


def test_a_class_that_is_absent_is_told_as_scikit_learn_tells_it():
    rng = np.random.default_rng(0)
    s = np.round(rng.normal(size=12), 1)
    for truth in (np.zeros(12, int), np.ones(12, int)):
        ours = roc(truth, s)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn says that the rates mean nothing
            fpr, tpr, thresholds = metrics.roc_curve(truth, s, drop_intermediate=False)
            precision, recall, _ = metrics.precision_recall_curve(truth, s, pos_label=1)
        np.testing.assert_array_equal(ours.thresholds, thresholds)
        np.testing.assert_allclose(ours.fpr[1:], fpr[1:], atol=EXACT)
        np.testing.assert_allclose(ours.tpr[1:], tpr[1:], atol=EXACT)
        curve = pr(truth, s)
        np.testing.assert_allclose(curve.precision, precision, atol=EXACT)
        np.testing.assert_allclose(curve.recall, recall, atol=EXACT)


def test_scores_that_are_all_the_same_leave_a_diagonal():
    y, s = np.array([0, 1, 1, 0, 1]), np.full(5, 0.3)
    assert roc(y, s).auc == metrics.roc_auc_score(y, s) == 0.5
    assert pr(y, s).ap == pytest.approx(metrics.average_precision_score(y, s), abs=EXACT)


def test_areas_do_not_change_when_scores_are_bent_upwards():
    for y, s in cases():
        assert roc(y, np.exp(s)).auc == pytest.approx(roc(y, s).auc, abs=EXACT)
        assert pr(y, s**3).ap == pytest.approx(pr(y, s).ap, abs=EXACT)
        assert roc(y, -s).auc == pytest.approx(1 - roc(y, s).auc, abs=EXACT)


@pytest.mark.parametrize("classes", [3, 5])
def test_one_against_the_rest_equals_scikit_learns_averages(classes):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = np.r_[np.arange(classes), rng.integers(0, classes, 40)]
        shares = rng.dirichlet(np.ones(classes), len(y)).round(2)
        shares /= shares.sum(axis=1, keepdims=True)
        areas = [roc(y == k, shares[:, k]).auc for k in range(classes)]
        sizes = np.bincount(y)
        for average, ours in (("macro", np.mean(areas)), ("weighted", np.average(areas, weights=sizes))):
            theirs_ = metrics.roc_auc_score(y, shares, multi_class="ovr", average=average)
            assert ours == pytest.approx(theirs_, abs=1e-9)
