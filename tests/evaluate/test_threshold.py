"""Error rates over the threshold, ordered pairs and the calculator, against scikit-learn and the notes."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts, subject
from vizml import data

WHO = subject("logistic", "moons:n=120,noise=0.5,seed=3", share=0.0)
TRUTH, PROBA = WHO.train.labels, WHO.state.proba(WHO.train.points)[:, 1]


def test_rates_over_the_threshold_are_those_of_predictions():
    (chart,) = charts("threshold", WHO)
    rates = {one.name: one for one in chart.series}
    for k in range(0, len(PROBA), 11):
        threshold = rates["error"].x[k]
        tn, fp, fn, tp = metrics.confusion_matrix(TRUTH, PROBA >= threshold).ravel()
        assert rates["false positive rate"].y[k] == pytest.approx(fp / (fp + tn), abs=1e-12)
        assert rates["false negative rate"].y[k] == pytest.approx(fn / (fn + tp), abs=1e-12)
        assert rates["error"].y[k] == pytest.approx((fp + fn) / len(TRUTH), abs=1e-12)


def test_the_handle_sets_the_threshold_that_roc_sets():
    (chart,), (roc,) = charts("threshold", WHO), charts("roc", WHO)
    assert np.array_equal(chart.handle.values, roc.handle.values)
    assert (chart.handle.at, chart.handle.sets) == (roc.handle.at, "threshold")
    assert [offer.values for offer in chart.offers] == [offer.values for offer in roc.offers]
    assert chart.series[chart.handle.series].name == "error"
    (moved,) = charts("threshold", replace(WHO, threshold=1.0))
    lead = np.log(PROBA / (1 - PROBA))
    assert moved.series[2].y[moved.handle.at] == pytest.approx(((lead >= 1.0) != TRUTH).mean(), abs=1e-12)


def test_the_share_of_ordered_pairs_is_the_auc():
    (chart,) = charts("pairs", WHO)
    auc = metrics.roc_auc_score(TRUTH, PROBA)
    assert chart.note.startswith(f"AUC {auc:.3f}: {auc * 3600:,.6g} of 3,600 pairs")
    assert chart.heat.values.shape == (30, 30)
    small = subject("logistic", "moons:n=40,noise=0.6,seed=2", share=0.0)
    (whole,) = charts("pairs", small)
    found = metrics.roc_auc_score(small.train.labels, small.state.proba(small.train.points)[:, 1])
    assert whole.heat.values.mean() == pytest.approx(found, abs=1e-12)


def test_a_cell_is_the_pair_of_its_points():
    (chart,) = charts("pairs", WHO)
    labels = dict(zip(WHO.train.ids.tolist(), TRUTH.tolist()))
    score = dict(zip(WHO.train.ids.tolist(), PROBA.tolist()))
    for row, values in zip(chart.heat.members, chart.heat.values):
        for (positive, negative), value in zip(row, values):
            assert (labels[positive], labels[negative]) == (1, 0)
            assert value == (score[positive] > score[negative])


def test_more_classes_have_no_threshold():
    who = subject("lda", data.generate("blobs", n=60, classes=3, seed=1))
    for id in ("threshold", "pairs"):
        with pytest.raises(ValueError, match="needs two classes"):
            charts(id, who)


def test_the_calculator_has_the_figures_of_the_credit_example():
    """Confusion matrix of logistic regression on credit default: error 2.75 %, FPR 0.24 %, FNR 75.7 %."""
    (chart,) = charts("calculator", WHO)
    found = dict(zip(chart.heat.rows, chart.heat.values[:, 0]))
    assert found["error"] == pytest.approx(0.0275, abs=1e-12)
    assert found["FPR"] == pytest.approx(0.0024, abs=5e-5)
    assert found["FNR"] == pytest.approx(0.757, abs=5e-4)
    assert found["majority error"] == pytest.approx(0.0333, abs=1e-12)


def test_the_calculator_agrees_with_scikit_learn():
    y, p = np.repeat([0, 0, 1, 1], [50, 9, 12, 31]), np.repeat([0, 1, 0, 1], [50, 9, 12, 31])
    (chart,) = charts("calculator", WHO, tn=50, fp=9, fn=12, tp=31)
    found = dict(zip(chart.heat.rows, chart.heat.values[:, 0]))
    expected = {
        "accuracy": metrics.accuracy_score(y, p),
        "TPR, recall": metrics.recall_score(y, p),
        "TNR, specificity": metrics.recall_score(y, p, pos_label=0),
        "precision": metrics.precision_score(y, p),
        "F1": metrics.f1_score(y, p),
        "balanced error": 1 - metrics.balanced_accuracy_score(y, p),
        "kappa": metrics.cohen_kappa_score(y, p),
        "MCC": metrics.matthews_corrcoef(y, p),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_an_empty_calculator_says_so():
    with pytest.raises(ValueError, match="set at least one of its counts"):
        charts("calculator", WHO, tn=0, fp=0, fn=0, tp=0)
