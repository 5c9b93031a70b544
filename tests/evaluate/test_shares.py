"""Log-loss and Brier score of any number of classes against scikit-learn's, to 1e-12, and on their edges."""

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts
from vizml import data, learn
from vizml.data import Split
from vizml.evaluate import brier, log_loss
from vizml.evaluate.diagnostic import DiagnosticSubject
from vizml.evaluate.diagnostics.scores import ClassScoreTable
from vizml.evaluate.metrics import multiclass_brier, multiclass_log_loss

EXACT = 1e-12


def cases(classes):
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
    for y, shares in cases(classes):
        theirs = metrics.log_loss(y, shares, labels=labels)
        assert multiclass_log_loss(y, shares, labels) == pytest.approx(theirs, abs=EXACT)
        theirs = metrics.brier_score_loss(y, shares, labels=labels, scale_by_half=classes == 2)
        assert multiclass_brier(y, shares, labels) == pytest.approx(theirs, abs=EXACT)


def test_two_classes_are_the_binary_figures():
    for y, shares in cases(2):
        assert multiclass_log_loss(y, shares, [0, 1]) == pytest.approx(
            log_loss(y == 1, shares[:, 1]), abs=1e-9
        )
        assert multiclass_brier(y, shares, [0, 1]) == pytest.approx(brier(y == 1, shares[:, 1]), abs=EXACT)


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
    train, held = Split(0.3).parts(points)
    state = learn.fit_data(learn.create("logistic"), train)
    who = DiagnosticSubject(learn.create("logistic"), 0, train, held, state)
    for part, shown in (("held out", held), ("train", train)):
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
    who = DiagnosticSubject(learn.create("svm"), 0, points, points.take([]), state, threshold=1e9)
    (chart,) = charts(ClassScoreTable(), who)
    assert chart.heat.values[1].tolist()[:2] == [0.0, 0.0]  # nothing is taken for the second class
    assert "log-loss" not in chart.note
    assert chart.title.endswith("train")
