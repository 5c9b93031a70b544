"""Several models in one chart: whose curve is which, what its figures are, and where the handle is."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics
from sklearn.preprocessing import label_binarize

from tests.evaluate.subjects import charts
from vizml import data, learn
from vizml.data import Split
from vizml.evaluate.diagnostic import DiagnosticSubject
from vizml.evaluate.diagnostics.roc import PrecisionRecallCurve, RocCurve, pooled_scores, threshold_values
from vizml.evaluate.ranking import roc
from vizml.learn import CLASSIFY, CLUSTER

MODELS = ("svm", "logistic", "gaussian_nb")


def side_by_side(classes=2, mine=1, models=MODELS, share=0.3, **more):
    points = data.generate("blobs", n=150, classes=classes, noise=1.8, seed=3)
    train, held = Split(share).parts(points)
    states = [learn.fit_data(learn.create(id), train) for id in models]
    company = tuple(
        (f"{i + 1} {id}", state) for i, (id, state) in enumerate(zip(models, states, strict=True))
    )
    return DiagnosticSubject(
        learn.create(models[mine]), 0, train, held, states[mine], compared=company, **more
    )


def chart_of(diagnostic, who):
    (chart,) = charts(diagnostic, who)
    return chart


def test_each_model_has_a_colour_and_each_part_a_stroke():
    chart = chart_of(RocCurve(), side_by_side())
    assert [series.ink for series in chart.series] == [0, 0, 1, 1, 2, 2]
    assert [series.stroke for series in chart.series] == ["solid", "dash"] * 3
    assert [series.width > 2 for series in chart.series] == [False, False, True, True, False, False]
    assert "held out (dashed)" in chart.note


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_figures_are_those_of_scikit_learn(classes):
    who = side_by_side(classes)
    curves = ((RocCurve(), metrics.roc_auc_score), (PrecisionRecallCurve(), metrics.average_precision_score))
    for diagnostic, theirs in curves:
        names = [series.name for series in chart_of(diagnostic, who).series if series.name]
        for name, (called, state) in zip(names, who.compared, strict=True):
            scores = [lead(state, part.points) for part in (who.train, who.held)]
            truths = [binary(part.labels, classes) for part in (who.train, who.held)]
            one, other = (
                theirs(truth, score, average="micro") for truth, score in zip(truths, scores, strict=True)
            )
            assert name == f"{one:.3f}/{other:.3f} {called}"


def lead(state, points):
    """What each class leads the best other one by; of two classes only the second counts."""
    scores = state.scores(points)
    columns = [scores[:, k] - np.delete(scores, k, axis=1).max(axis=1) for k in range(scores.shape[1])]
    return np.column_stack(columns[1:] if len(columns) == 2 else columns)


def binary(labels, classes):
    return label_binarize(labels, classes=np.arange(classes))


def test_the_handle_is_on_the_held_out_curve_of_the_stage_that_is_worked_on():
    for mine in range(3):
        who = side_by_side(mine=mine, threshold=0.4)
        chart = chart_of(RocCurve(), who)
        assert chart.handle.series == 2 * mine + 1
        series = chart.series[chart.handle.series]
        truth, score = pooled_scores(who.state, CLASSIFY.training_data(who.held))
        assert series.x[chart.handle.at] == np.mean(score[~truth] >= 0.4)
        assert series.y[chart.handle.at] == np.mean(score[truth] >= 0.4)
        np.testing.assert_array_equal(chart.handle.values, threshold_values(roc(truth, score)))


def test_without_held_out_points_there_is_one_curve_for_each():
    chart = chart_of(RocCurve(), side_by_side(share=0.0))
    assert [series.stroke for series in chart.series] == ["solid"] * 3
    assert chart.handle.series == 1
    assert "held out" not in chart.note


def test_more_classes_are_pooled_and_the_note_says_so():
    chart = chart_of(PrecisionRecallCurve(), side_by_side(3))
    assert "pooled" in chart.note
    assert len(chart.series) == 6
    assert chart_of(RocCurve(), side_by_side(3)).handle is None


def test_a_model_alone_or_beside_no_classifier_is_drawn_as_ever():
    who = side_by_side()
    alone = chart_of(RocCurve(), replace(who, compared=()))
    clusters = learn.fit_data(learn.create("kmeans", CLUSTER), who.train)
    beside = replace(who, compared=(who.compared[1], ("2 k-means", clusters)))
    chart = chart_of(RocCurve(), beside)
    assert [series.name for series in chart.series] == [series.name for series in alone.series]
    assert "AUC" in chart.series[0].name
