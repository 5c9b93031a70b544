"""Figures of a classification against scikit-learn's, to 1e-12, on random cases and on their edges."""

import math
import warnings

import numpy as np
import pytest
from sklearn import metrics

from vizml.evaluate import confusion, scores
from vizml.evaluate.metrics import class_mean, scores_by_class

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


def test_rates_complement_each_other():
    for y, p in cases(2):
        found = scores(y, p)
        assert found["fpr"] + found["tnr"] == pytest.approx(1.0, abs=EXACT)
        assert found["fnr"] + found["tpr"] == pytest.approx(1.0, abs=EXACT)


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
    assert (matrix.true_positives.tolist(), matrix.false_negatives.tolist()) == ([1, 1], [2, 0])
    assert (matrix.false_positives.tolist(), matrix.true_negatives.tolist()) == ([0, 2], [1, 1])


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
