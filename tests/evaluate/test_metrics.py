"""Metrics of predictions and of probabilities against scikit-learn's, to 1e-12, and in edge cases."""

import math
import warnings

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts, subject, untrained
from vizml import data, learn
from vizml.evaluate import confusion, scores
from vizml.evaluate.diagnostics.confusion import ClassScoreTable
from vizml.evaluate.metrics import (
    class_mean,
    multiclass_brier,
    multiclass_log_loss,
    scores_by_class,
    threshold_text,
)

EXACT = 1e-12


def cases(classes):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(5, 60))
        yield rng.integers(0, classes, n), rng.integers(0, classes, n)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_matrix_equals_scikit_learns(classes):
    for y, p in cases(classes):
        assert np.array_equal(confusion(y, p).counts, metrics.confusion_matrix(y, p))


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_the_figures_equal_scikit_learns(classes):
    for y, p in cases(classes):
        found = scores(y, p)
        average = "binary" if len(np.unique(np.r_[y, p])) == 2 else "macro"
        theirs = {
            "accuracy": metrics.accuracy_score(y, p),
            "error": 1 - metrics.accuracy_score(y, p),
            "precision": metrics.precision_score(y, p, average=average, zero_division=0),
            "recall": metrics.recall_score(y, p, average=average, zero_division=0),
            "f1": metrics.f1_score(y, p, average=average, zero_division=0),
            "kappa": metrics.cohen_kappa_score(y, p),
            "mcc": metrics.matthews_corrcoef(y, p),
        }
        for name, value in theirs.items():
            assert found[name] == pytest.approx(value, abs=EXACT), name
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # classes that are predicted only
            balanced = metrics.balanced_accuracy_score(y, p)
        assert found["ber"] == pytest.approx(1 - balanced, abs=EXACT)


def test_the_credit_default_example_of_the_lecture():
    y = np.repeat([0, 0, 1, 1], [9644, 23, 252, 81])
    p = np.repeat([0, 1, 0, 1], [9644, 23, 252, 81])
    found = scores(y, p)
    assert round(100 * found["error"], 2) == 2.75
    assert round(100 * found["fpr"], 2) == 0.24
    assert round(100 * found["fnr"], 1) == 75.7
    assert round(100 * scores(y, np.zeros_like(y))["error"], 2) == 3.33


def test_one_class_alone_has_no_rate_of_false_alarms():
    found = scores([1, 1], [1, 1])
    assert found["accuracy"] == 1.0
    assert math.isnan(found["fpr"])
    assert math.isnan(found["kappa"])
    assert found["mcc"] == 0.0


def test_rows_are_truths_and_columns_predictions():
    matrix = confusion([0, 0, 0, 1], [0, 1, 1, 1])
    assert matrix.counts.tolist() == [[1, 2], [0, 1]]
    assert matrix.rates.tolist() == [[1 / 3, 2 / 3], [0.0, 1.0]]


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_figures_of_each_class_and_their_averages_equal_scikit_learns(classes):
    for y, p in cases(classes):
        matrix = confusion(y, p)
        found, sizes = scores_by_class(matrix), matrix.counts.sum(axis=1)
        each = metrics.precision_recall_fscore_support(y, p, average=None, zero_division=0)
        for name, values in zip(("precision", "recall", "f1"), each, strict=False):
            np.testing.assert_allclose(found[name], values, atol=EXACT)
        assert sizes.tolist() == each[3].tolist()
        for average, weights in (("macro", None), ("weighted", sizes)):
            theirs = metrics.precision_recall_fscore_support(y, p, average=average, zero_division=0)
            for name, value in zip(("precision", "recall", "f1"), theirs, strict=False):
                assert class_mean(found[name], weights) == pytest.approx(value, abs=EXACT), (name, average)


@pytest.mark.parametrize("classes", [2, 3, 6])
def test_rates_of_each_class_are_those_of_its_own_two_by_two_table(classes):
    for y, p in cases(classes):
        matrix = confusion(y, p)
        found = scores_by_class(matrix)
        tables = metrics.multilabel_confusion_matrix(y, p, labels=matrix.labels)
        for k, ((tn, fp), (fn, tp)) in enumerate(tables):
            rates = {"fpr": (fp, tn), "fnr": (fn, tp), "tnr": (tn, fp), "tpr": (tp, fn)}
            for name, (counted, others) in rates.items():
                whole = counted + others
                rate = counted / whole if whole else math.nan
                assert found[name][k] == pytest.approx(rate, nan_ok=True, abs=EXACT)


def test_a_mean_is_over_the_classes_that_have_the_figure():
    values = np.array([0.5, math.nan, 1.0])
    assert class_mean(values) == 0.75
    assert class_mean(values, np.array([3, 100, 1])) == 0.625
    assert math.isnan(class_mean(np.array([math.nan])))
    assert math.isnan(class_mean(values, np.zeros(3, int)))


def proba_cases(classes):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 60))
        shares = rng.dirichlet(np.full(classes, 0.6), n)
        if seed % 3 == 0:
            shares = np.eye(classes)[shares.argmax(axis=1)]  # quite sure, and often wrong; many ties
        yield rng.integers(0, classes - (seed % 2), n), shares


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_both_equal_scikit_learns_with_ties_and_with_a_class_that_is_absent(classes):
    labels = np.arange(classes)
    for y, shares in proba_cases(classes):
        theirs = metrics.log_loss(y, shares, labels=labels)
        assert multiclass_log_loss(y, shares, labels) == pytest.approx(theirs, abs=EXACT)
        theirs = metrics.brier_score_loss(y, shares, labels=labels, scale_by_half=classes == 2)
        assert multiclass_brier(y, shares, labels) == pytest.approx(theirs, abs=EXACT)


def test_a_class_that_no_share_knows_is_as_wrong_as_can_be():
    shares = np.array([[0.5, 0.5], [1.0, 0.0]])
    known = multiclass_log_loss([0, 0], shares, [0, 1])
    assert known == pytest.approx(np.log(2) / 2)
    worst = -np.log(np.finfo(float).eps)
    assert multiclass_log_loss([0, 7], shares, [0, 1]) == pytest.approx((np.log(2) + worst) / 2)
    assert multiclass_brier([7], [[1.0, 0.0, 0.0]], [0, 1, 2]) == 2.0  # a distance of 1 each way


@pytest.mark.parametrize(
    "y, shares, words",
    [
        ([0, 1], [[0.5, 0.5]], "as many probabilities"),
        ([], np.empty((0, 2)), "as many probabilities"),
        ([0], [[1.5, -0.5]], "from 0 to 1"),
        ([0], [[np.nan, 0.5]], "from 0 to 1"),
    ],
)
def test_what_are_no_shares_is_refused(y, shares, words):
    with pytest.raises(ValueError, match=words):
        multiclass_log_loss(y, shares, [0, 1])
    with pytest.raises(ValueError, match=words):
        multiclass_brier(y, shares, [0, 1])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_table_holds_the_figures_of_scikit_learn(classes):
    points = data.generate("blobs", n=150, classes=classes, noise=2.0, seed=1)
    who = subject("logistic", points)
    state = who.state
    for part, shown in (("held out", who.held), ("train", who.train)):
        (chart,) = charts(ClassScoreTable(part=part), who)
        y, p = shown.labels, state.predict(shown.points)
        precision, recall, f1, _ = metrics.precision_recall_fscore_support(y, p)
        heat = chart.heat
        assert heat.rows == (*"ABC"[:classes], "macro", "weighted")
        np.testing.assert_allclose(heat.values[:classes, 0], precision, atol=EXACT)
        np.testing.assert_allclose(heat.values[:classes, 1], recall, atol=EXACT)
        np.testing.assert_allclose(heat.values[:classes, 5], f1, atol=EXACT)
        assert heat.values[-1, 1] == pytest.approx(metrics.accuracy_score(y, p))  # recall by size
        assert f"log-loss {metrics.log_loss(y, state.proba(shown.points)):.3f}" in chart.note
        assert f"MCC {metrics.matthews_corrcoef(y, p):.3f}" in chart.note
        assert heat.texts[0][0] == f"{precision[0]:.2f}"


def test_the_table_follows_the_threshold_and_knows_what_is_no_probability():
    points = data.generate("moons", n=80, noise=0.4, seed=0)
    state = learn.fit_data(learn.create("svm"), points)
    who = untrained(learn.create("svm"), points, state=state, threshold=1e9)
    (chart,) = charts(ClassScoreTable(), who)
    assert chart.heat.values[1].tolist()[:2] == [0.0, 0.0]  # nothing is taken for the second class
    assert "log-loss" not in chart.note
    assert chart.title.endswith("train")


@pytest.mark.parametrize("id", ["logistic", "gaussian_nb", "knn", "svm", "perceptron", "adaboost"])
def test_a_threshold_is_shown_as_a_probability_or_as_a_decision_value(id):
    points = data.generate("moons", n=80, noise=0.4, seed=0)
    state = learn.fit_data(learn.create(id), points)
    if state.has_proba:
        kind, default, values = "P(B)", "0.5", state.proba(points.points)[:, 1]
    else:
        kind, default, values = "f(x)", "0", state.scores(points.points)[:, 1]
    leads = np.diff(state.scores(points.points))[:, 0]
    assert threshold_text(state, 0.0, "B") == f"{kind} = {default}"
    shown = [threshold_text(state, lead, "B") for lead in leads]
    assert shown == [f"{kind} = {value:.3g}".replace("-", "−") for value in values]
