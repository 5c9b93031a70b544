"""Every diagnostic yields charts that grow, on every task that it says it serves, or a sentence."""

import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from tests.evaluate.subjects import charts, subject
from vizml import learn
from vizml.data import Dataset
from vizml.evaluate.diagnostic import DiagnosticSubject, diagnostics
from vizml.learn import CLASSIFY, REGRESS
from vizml.scene.chart import table

UNCLEAR = "index|shape|axis|broadcast|array|empty"
"""Words of numpy's messages."""
QUICK = {"folds": 3, "draws": 3, "size": 2}


def own(task=CLASSIFY, model=None, **more):
    model = model or learn.create("linear" if task is REGRESS else "knn", task)
    return subject(model, f"{'sine' if task is REGRESS else 'moons'}:n=60,seed=0", locked=9, **more)


CASES = [(kind, task) for kind in diagnostics() for task in kind.tasks if task in (CLASSIFY, REGRESS)]


@pytest.mark.parametrize("kind, task", CASES, ids=[f"{k.id}-{t.id}" for k, t in CASES])
def test_charts_hold_numbers_and_words(kind, task):
    known = {param.name for param in kind.parameters()}
    model = learn.create("logistic") if task is CLASSIFY else learn.create("ridge", REGRESS, degree=3)
    if kind.id == "members":
        model = learn.create("bagging", task, members=5)
    if kind.id == "grid_search" and task is REGRESS:
        model = learn.create("elastic_net", REGRESS)
    if kind.id in ("training", "landscape") and task is REGRESS:
        model = learn.create("linear", REGRESS, solver="gd")
    if kind.id == "split":
        model = learn.create("tree", task)
    if kind.id in ("gram", "dual"):
        model = learn.create("svm" if task is CLASSIFY else "svr", task)
    if kind.id == "gradient_noise" and task is REGRESS:
        model = learn.create("linear", task)
    if kind.id == "meta":
        model = learn.create("stacking", task)
    drawn = charts(kind().with_(**{k: v for k, v in QUICK.items() if k in known}), own(task, model))
    assert drawn
    for chart in drawn:
        assert chart.title
        assert chart.series or chart.heat is not None
        header, rows = table(chart)
        assert rows
        assert all(len(row) == len(header) for row in rows)


@pytest.mark.parametrize("kind, task", CASES, ids=[f"{k.id}-{t.id}" for k, t in CASES])
def test_without_points_there_is_a_chart_or_a_sentence(kind, task):
    model = learn.create("linear" if task is REGRESS else "knn", task)
    told = ""
    try:
        charts(kind(), DiagnosticSubject(model, 0, Dataset.empty(), Dataset.empty()))
    except ValueError as error:
        told = str(error)
    assert not re.search(UNCLEAR, told)


@pytest.mark.parametrize("kind", [kind for kind, task in CASES if task is CLASSIFY], ids=lambda kind: kind.id)
@pytest.mark.parametrize("others", [0, 20], ids=["only that class", "among others"])
def test_held_out_points_may_have_a_class_that_was_not_learned(kind, others):
    who = own(model=learn.create("svm" if kind.id in ("gram", "dual") else "logistic"))
    fresh = Dataset(who.held.points, np.where(np.arange(len(who.held)) < others, who.held.labels, 2))
    known = {param.name for param in kind.parameters()}
    values = QUICK | ({"part": "held out"} if "part" in known else {})
    told = ""
    try:
        charts(kind().with_(**{k: v for k, v in values.items() if k in known}), replace(who, held=fresh))
    except ValueError as error:
        told = str(error)
    assert not re.search(UNCLEAR, told)


@pytest.mark.parametrize("transposed", [False, True])
def test_the_confusion_matrix_counts_the_held_out_points_and_names_them(transposed):
    who = own()
    (chart,) = charts("confusion", who, transposed=transposed)
    theirs = metrics.confusion_matrix(who.held.labels, who.state.predict(who.held.points))
    theirs = theirs.T if transposed else theirs
    assert chart.heat.texts == tuple(tuple(str(n) for n in row) for row in theirs)
    assert [[len(ids) for ids in row] for row in chart.heat.members] == theirs.tolist()
    assert set(np.concatenate([ids for row in chart.heat.members for ids in row])) == set(who.held.ids)
    titles = (chart.x.title, chart.y.title)
    assert titles == (("true", "predicted") if transposed else ("predicted", "true"))


@pytest.mark.parametrize("model", ["knn", "perceptron", "tree"])
def test_the_error_of_the_roc_curve_is_that_of_the_predictions_also_at_ties(model):
    model = learn.create(model, **{"knn": {"k": 2}, "tree": {"max_depth": 1}, "perceptron": {}}[model])
    who = subject(model, "xor:n=60,seed=1", share=0.0)
    data = CLASSIFY.training_data(who.train)
    (chart,) = charts("roc", who)
    assert f"error {np.mean(who.state.predict(data.X) != data.labels):.3f}" in chart.note


def test_a_curve_alone_has_its_area_in_the_note():
    who = own()
    alone = replace(who, held=who.held.take([]))
    lead = np.diff(who.state.scores(who.train.points))[:, 0]
    (roc,), (pr,) = charts("roc", alone), charts("precision_recall", alone)
    assert f"AUC {metrics.roc_auc_score(who.train.labels, lead):.3f}" in roc.note
    assert f"AP {metrics.average_precision_score(who.train.labels, lead):.3f}" in pr.note
    assert charts("precision_recall", who)[0].note == ""


def test_a_click_on_a_validation_curve_would_set_the_parameter():
    *_, chart = charts("validation_curve", own(), parameter="k", folds=3)
    assert chart.sets == ("k",)
    assert len(chart.choices[0]) == len(chart.series[1].x)
    with pytest.raises(ValueError, match="no parameter 'C'"):
        charts("validation_curve", own(), parameter="C")


def test_a_grid_fills_cell_by_cell():
    drawn = charts("grid_search", own(model=learn.create("svm")), across="C", down="gamma", size=2, folds=3)
    assert [int(np.isfinite(chart.heat.values).sum()) for chart in drawn] == [1, 2, 3, 4]
    best = np.unravel_index(np.argmax(drawn[-1].heat.values), (2, 2))
    assert drawn[-1].heat.marked == tuple(int(i) for i in best)


def test_a_grid_takes_words_where_a_model_has_but_one_number():
    *_, chart = charts("grid_search", own(), size=3, folds=3)
    assert chart.sets == ("k", "metric")
    assert chart.choices[1] == ("l1", "l2", "linf")
    assert chart.heat.rows == ("Manhattan", "Euclidean", "Chebyshev")  # as the panel says
    assert (chart.x.title, chart.y.title) == ("neighbours", "distance")
    best = chart.heat.rows[chart.heat.marked[0]], chart.heat.columns[chart.heat.marked[1]]
    assert f"best distance {best[0]}, neighbours {best[1]}" in chart.note


def test_a_validation_curve_over_words_has_their_labels():
    *_, chart = charts("validation_curve", own(), parameter="weights", folds=3)
    assert list(chart.x.ticks.values()) == ["uniform", "inverse distance"]
    assert chart.choices[0] == ("uniform", "distance")


def test_scores_have_their_names_in_the_note():
    (chart,) = charts("confusion", own())
    told = dict(part.rsplit(" ", 1) for part in chart.note.split(", "))
    assert list(told) == ["accuracy", "precision", "recall", "F1", "BER", "kappa", "MCC"]
    who = own()
    expected = metrics.f1_score(who.held.labels, who.state.predict(who.held.points))
    assert float(told["F1"]) == pytest.approx(expected, abs=6e-4)


def test_held_out_points_cannot_reach_a_search():
    """Whatever is done to the held-out part, searches and validation find the same."""
    who = own()
    other = replace(who, held=who.held.relabelled(np.ones(len(who.held), bool), 1))
    for id in ("cross_validation", "learning_curve", "validation_curve"):
        ours, theirs = (charts(id, s, folds=3)[-1] for s in (who, other))
        for a, b in zip(ours.series, theirs.series, strict=True):
            np.testing.assert_array_equal(a.y, b.y)
