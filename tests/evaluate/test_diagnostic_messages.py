"""What diagnostics say where there is nothing to see, what they lock and offer, which numbers they vary."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostic import diagnostics
from vizml.evaluate.diagnostic_charts import value_text, varied_parameter
from vizml.evaluate.diagnostics.roc import threshold_values
from vizml.evaluate.metrics import one_vs_rest_scores
from vizml.evaluate.ranking import roc
from vizml.learn import CLUSTER, REGRESS

KINDS = {kind.id: kind for kind in diagnostics()}
BLOBS = data.generate("blobs", n=90, classes=3, noise=1.2, seed=0)


def line(**more):
    return subject(learn.create("ridge", REGRESS), "sine:n=60,seed=0", **more)


def sentence(id, who, **values):
    with pytest.raises(ValueError) as told:
        charts(id, who, **values)
    return str(told.value)


def test_live_ones_come_first_then_the_alphabet():
    order = [(not kind.live, kind.title) for kind in diagnostics()]
    assert order == sorted(order)
    assert all(CLUSTER in kind.tasks for kind in diagnostics(CLUSTER))
    assert {kind.id for kind in diagnostics(REGRESS)} >= {"residuals", "normal", "learning_curve"}


REFUSALS = [
    ("calibration", lambda: subject("perceptron"), "gives scores, not probabilities: nothing to calibrate"),
    ("residuals", lambda: replace(line(), state=None), "there is no regression yet"),
    ("normal", subject, "there is no regression yet"),
    ("share_drawn", lambda: replace(line(), train=Dataset.empty()), "there are no points to draw from yet"),
    (
        "cluster_classes",
        lambda: subject("kmeans", BLOBS.unlabelled()),
        "no point has a label to compare with",
    ),
    ("last_test", subject, "there is no test set"),
    ("last_test", lambda: replace(subject(locked=3), state=None), "there is nothing to evaluate"),
]


@pytest.mark.parametrize("id, who, words", REFUSALS)
def test_where_there_is_nothing_to_show_a_sentence_says_so(id, who, words):
    assert words in sentence(id, who())


@pytest.mark.parametrize("id", ["confusion", "roc", "precision_recall", "calibration"])
def test_nothing_learned_is_nothing_to_judge(id):
    words = sentence(id, replace(subject(), state=None))
    assert words == "there is nothing to evaluate yet: train on at least two classes"


# the last test


def test_the_test_part_is_locked_until_somebody_asks():
    (chart,) = charts("last_test", subject(locked=12))
    assert chart.note == "12 points are kept for the final evaluation"
    assert list(chart.x.ticks.values()) == ["train", "held out", "test (locked)"]
    assert len(chart.series[0].y) == 2
    assert [offer.values for offer in chart.offers] == [{"test set": True}]


@pytest.mark.parametrize("looks, words", [(1, "once"), (2, "twice"), (5, "5 times")])
def test_locked_again_it_says_how_often_it_was_seen(looks, words):
    (chart,) = charts("last_test", subject(locked=3, test_evaluations=looks))
    assert chart.note == f"3 points are kept for the final evaluation, evaluated {words} before"


def test_the_first_look_is_the_score_and_later_ones_are_warned_of():
    fresh = data.generate("moons", n=50, noise=0.4, seed=9)
    who = subject(test=fresh, test_evaluations=1)
    value = metrics.accuracy_score(fresh.labels, who.state.predict(fresh.points))
    (chart,) = charts("last_test", who)
    assert chart.series[0].y[2] == value
    assert chart.note == f"test {value:.3f}: first evaluation, unbiased"
    assert chart.offers == ()
    (chart,) = charts("last_test", replace(who, test_evaluations=3))
    assert chart.note == f"test {value:.3f}: evaluated 3 times, so the score is biased by selection"


# which numbers are varied


def test_auto_takes_the_numbers_that_mean_something_now():
    model = learn.create("dbscan")
    assert [varied_parameter(model, "auto", place) for place in (0, 1)] == ["eps", "min_points"]
    with pytest.raises(ValueError, match=r"DBSCAN has no parameter to vary but eps and min_points$"):
        varied_parameter(model, "auto", 2)
    with pytest.raises(ValueError, match=r"has no parameter to vary$"):
        varied_parameter(learn.create("pca", "cluster"), "auto", 0)
    by_k, by_tau = (learn.create("agglomerative", cut=cut) for cut in ("k", "tau"))
    assert (varied_parameter(by_k, "auto", 0), varied_parameter(by_tau, "auto", 0)) == ("k", "tau")
    assert varied_parameter(model, "min_points", 0) == "min_points"
    with pytest.raises(ValueError, match="DBSCAN has no parameter 'depth'; it has eps, min_points"):
        varied_parameter(model, "depth", 0)


def test_auto_takes_words_where_there_are_no_more_numbers():
    model = learn.create("knn")
    assert [varied_parameter(model, "auto", place) for place in (0, 1, 2)] == ["k", "metric", "weights"]
    assert varied_parameter(learn.create("logistic"), "auto", 0) != "solver"  # declared first, but a word


@pytest.mark.parametrize(
    "value, told",
    [
        (3, "3"), ("rbf", "rbf"), (True, "on"), (False, "off"), (0.2154434, "0.215"), (1.5, "1.5"),
        (999.4, "999"), (1668.1, "1670"), (-46415.9, "-46400"),
        (100000.0, "1e5"), (0.0, "0"), (4.6416e-4, "4.64e-4"), (1e-6, "1e-6"), (0.001, "0.001"),
        (99960.0, "1e5"),
    ],
)  # fmt: skip
def test_values_are_told_short(value, told):
    assert value_text(value) == told


@pytest.mark.parametrize(
    "id, values, varied",
    [
        ("validation_curve", {"parameter": "gamma"}, ("gamma",)),
        ("bias_variance", {"parameter": "C"}, ("C",)),
        ("grid_search", {"across": "gamma", "down": "C"}, ("gamma", "C")),
        ("random_search", {"first": "C", "second": "gamma"}, ("C", "gamma")),
        ("cross_validation", {}, ()),
    ],
)
def test_what_is_varied_is_told_so_that_its_value_does_not_matter(id, values, varied):
    assert KINDS[id]().with_(**values).varies(learn.create("svm")) == varied


@pytest.mark.parametrize(
    "id, values, words",
    [
        ("grid_search", {"across": "C", "down": "C"}, "a grid needs two different parameters, not C twice"),
        (
            "random_search",
            {"first": "C", "second": "C"},
            "random search needs two different parameters, not C twice",
        ),
        ("bias_variance", {"parameter": "kernel"}, "kernel is not a number: choose a numeric parameter"),
    ],
)
def test_what_cannot_be_varied_is_said(id, values, words):
    assert sentence(id, subject(learn.create("svm")), **values) == words


# what parts share


def test_of_two_classes_the_second_is_positive_and_of_three_each_by_turns():
    two, three = subject(), subject(spec=BLOBS)
    ((label, lead),) = one_vs_rest_scores(two.state, two.held.points)
    assert label == 1
    assert np.array_equal(lead > 0, two.state.predict(two.held.points) == 1)
    views = dict(one_vs_rest_scores(three.state, three.held.points))
    assert list(views) == [0, 1, 2]
    predicted = three.state.predict(three.held.points)
    for label, lead in views.items():
        assert np.array_equal(lead > 0, predicted == label)


def test_parts_without_labels_are_not_judged():
    who = subject()
    blank = replace(who.held, labels=np.full(len(who.held), -1))
    assert list(replace(who, held=blank).parts()) == ["train"]
    half = replace(who.held, labels=np.where(np.arange(len(who.held)) % 2, who.held.labels, -1))
    parts = replace(who, held=half).parts()
    assert len(parts["held out"]) == len(who.held) // 2


def test_the_confusion_matrix_of_training_points_and_in_shares():
    who = subject(spec=BLOBS)
    (chart,) = charts("confusion", who, part="train", show="rates")
    theirs = metrics.confusion_matrix(who.train.labels, who.state.predict(who.train.points), normalize="true")
    assert chart.title == "Confusion matrix, train"
    assert chart.heat.values == pytest.approx(theirs)
    assert chart.heat.texts == tuple(tuple(f"{100 * rate:.1f} %" for rate in row) for row in theirs)
    (alone,) = charts("confusion", replace(who, held=who.held.take([])))
    assert alone.title == "Confusion matrix, train"


@pytest.mark.parametrize("threshold", [-1.0, 0.5, 2.0])
def test_the_confusion_matrix_follows_the_threshold(threshold):
    who = subject(threshold=threshold)
    (chart,) = charts("confusion", who)
    ((_, lead),) = one_vs_rest_scores(who.state, who.held.points)
    theirs = metrics.confusion_matrix(who.held.labels, (lead >= threshold).astype(int))
    assert chart.heat.texts == tuple(tuple(map(str, row)) for row in theirs.tolist())


def test_roc_curves_of_three_classes_have_no_handle():
    who = subject(spec=BLOBS)
    (chart,) = charts("roc", who)
    assert chart.handle is None
    assert chart.offers == ()
    shares = {series.name: series for series in chart.series}
    assert len(shares) == 6
    for label, lead in one_vs_rest_scores(who.state, who.held.points):
        auc = metrics.roc_auc_score(who.held.labels == label, lead)
        assert f"{who.held.name(label)}, held out: AUC {auc:.3f}" in shares


def test_each_threshold_lies_between_the_scores_that_it_parts():
    scores = np.array([0.1, 0.4, 0.35, 0.8])
    curve = roc([0, 0, 1, 1], scores)
    values = threshold_values(curve)
    assert (np.diff(values) < 0).all()
    for value, fpr, tpr in zip(values, curve.fpr, curve.tpr, strict=True):
        told = scores >= value
        assert (told[:2].mean(), told[2:].mean()) == (fpr, tpr)
    assert len(threshold_values(roc([0, 1], [3.0, 3.0]))) == 2
