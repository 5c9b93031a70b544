"""Measures against K are those of a fit for each K, and suggest the K that is there; tables of clusters."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from tests.evaluate.subjects import charts, subject
from tests.learn.datasets import blobs, moons
from vizml import evaluate, learn
from vizml.data import Dataset
from vizml.evaluate.diagnostics.cluster_count import (
    MEASURES,
    ClusterCounts,
    cluster_count_chart,
    cluster_counts,
)
from vizml.learn import CLUSTER

NONE = float("nan")


def three(n=120, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    return np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])[labels] + rng.normal(size=(n, 2)), labels


X, LABELS = three()


def own(id, **values):
    return subject(learn.create(id, CLUSTER, **values), Dataset(X, LABELS), share=0.0)


def counts(model, X, measure, most=10, seed=0):
    *_, last = cluster_counts(model, Dataset(X, np.full(len(X), -1)), measure, most, seed)
    return last


def found(measure, values, errors=None):
    k = tuple(range(1, 1 + len(values)))
    errors = np.zeros(len(k)) if errors is None else np.array(errors, float)
    return ClusterCounts(MEASURES[measure], k, np.array(values, float), errors)


@pytest.mark.parametrize(
    "measure, values, best",
    [
        ("elbow", [100, 40, 10, 8, 6, 5], 3),
        ("elbow", [100, 20, 15, 10, 5], 2),
        ("elbow", [10, 5], None),  # a line of two points has no bend
        ("elbow", [5, 4, 6], None),  # it does not fall
        ("silhouette", [NONE, 0.4, 0.7, 0.5], 3),
        ("silhouette", [NONE, 0.4], None),  # one value is no comparison
        ("silhouette", [NONE, 0.4, 0.4], 2),
        ("BIC", [30, 10, 12, 11], 2),
        ("AIC", [30, 10, 9, 11], 3),
        ("BIC", [NONE, 3, 1], 3),
    ],
)
def test_the_k_of_a_curve(measure, values, best):
    assert found(measure, values).best == best


@pytest.mark.parametrize(
    "gaps, errors, best",
    [
        ([0.1, 0.5, 0.9, 0.8], [0.01] * 4, 3),
        ([0.1, 0.5, 0.9, 0.8], [0.01, 0.01, 0.45, 0.01], 2),  # the next is within its error
        ([0.1, 0.5, 0.9], [0.01] * 3, None),  # it still rises
        ([0.5, 0.5], [0.0, 0.0], 1),
    ],
)
def test_the_gap_takes_the_first_within_an_error_of_the_next(gaps, errors, best):
    # Tibshirani, Walther and Hastie 2001: the smallest K with gap(K) >= gap(K + 1) - s(K + 1)
    assert found("gap", gaps, errors).best == best


def test_nothing_is_chosen_from_one_value():
    assert all(found(measure, [3.0], [0.1]).best is None for measure in MEASURES)


def test_the_chart_marks_the_best_and_offers_it():
    drawn = cluster_count_chart(learn.create("kmeans"), found("silhouette", [NONE, 0.4, 0.7, 0.5]))
    line, dot = drawn.series
    assert (dot.x.tolist(), dot.y.tolist(), dot.name) == ([3.0], [0.7], "K = 3")
    assert [(offer.values, offer.tip) for offer in drawn.offers] == [({"k": 3}, "Set K to 3.")]
    assert drawn.note == "Highest mean silhouette: K = 3; click a K to set it"
    assert line.low is None


def test_while_it_is_open_nothing_is_offered():
    assert cluster_count_chart(learn.create("kmeans"), found("elbow", [9.0, 3.0])).offers == ()


@pytest.mark.parametrize(
    "model, also",
    [
        (learn.create("kmeans"), {}),
        (learn.create("kmeans", init="placed", starts="0,0;1,1"), {"init": "kmeans++"}),
        (learn.create("agglomerative", cut="tau", tau=2.0), {"cut": "k"}),
        (learn.create("agglomerative", cut="k"), {}),
    ],
)
def test_a_click_on_a_number_makes_it_count(model, also):
    drawn = cluster_count_chart(model, found("elbow", [9.0, 3.0, 2.0, 1.0]))
    assert dict(drawn.also) == also
    assert all(offer.values.items() >= also.items() for offer in drawn.offers)
    state = learn.fit(model.with_(**{drawn.sets[0]: 4, **dict(drawn.also)}), blobs(30)[0])
    assert len(set(state.assigned.tolist())) == 4


BY_K = [(id, m) for id in ("kmeans", "agglomerative", "gmm") for m in ("elbow", "silhouette", "gap")]


@pytest.mark.parametrize("id, measure", [*BY_K, ("hmm", "elbow"), ("hmm", "silhouette")])
def test_three_groups_are_found_to_be_three(id, measure):
    known = counts(learn.create(id, CLUSTER), X, measure, 6)
    assert known.best == 3
    assert known.k == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("measure", ["BIC", "AIC"])
def test_criteria_are_those_of_scikit_learn_and_of_the_fit(measure):
    model = learn.create("gmm", CLUSTER, tol=1e-9)
    known = counts(model, X, measure, 3)
    for k, value in zip(known.k, known.values, strict=True):
        theirs = GaussianMixture(k, tol=1e-9, max_iter=1000, n_init=5, random_state=0).fit(X)
        assert value == pytest.approx(getattr(theirs, measure.lower())(X), rel=1e-4)
        assert value == pytest.approx(learn.fit(model.with_(k=k), X).metrics()[measure])
    assert cluster_count_chart(model, known).title == f"{measure} against K"


def test_bic_charges_ln_n_and_aic_two_for_each_free_number():
    X = blobs(60)[0]
    figures = learn.fit(learn.create("gmm", CLUSTER, k=2, covariance="diag"), X).metrics()
    free = 2 - 1 + 2 * 2 + 2 * 2
    assert figures["BIC"] == pytest.approx(free * np.log(60) - 2 * figures["log-likelihood"])
    assert figures["AIC"] == pytest.approx(2 * free - 2 * figures["log-likelihood"])


def test_bic_of_a_density_finds_three():
    assert counts(learn.create("gmm", "density"), X, "BIC", 5).best == 3


def test_values_are_those_of_a_fit_for_each_k():
    model = learn.create("kmeans")
    elbow, silhouettes = (counts(model, X, measure, 4).values for measure in ("elbow", "silhouette"))
    for place, k in enumerate((1, 2, 3, 4)):
        state = learn.fit(model.with_(k=k), X)
        assert elbow[place] == pytest.approx(state.loss)
        if k > 1:
            assert silhouettes[place] == pytest.approx(silhouette_score(X, state.assigned))
    assert np.isnan(silhouettes[0])


def test_the_gap_is_that_of_its_definition():
    known = counts(learn.create("kmeans"), X, "gap", 4)
    assert (known.errors > 0).all()
    one = np.log(((X - X.mean(axis=0)) ** 2).sum())
    uniform = np.log(len(X) * (np.ptp(X, axis=0) ** 2).sum() / 12)
    assert known.values[0] == pytest.approx(uniform - one, abs=4 * known.errors[0] + 0.05)


def test_the_same_seed_draws_the_same_gap_and_another_another():
    X, model = blobs(40)[0], learn.create("kmeans")
    one, again, other = (counts(model, X, "gap", 3, seed).values for seed in (0, 0, 1))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_measures_do_not_depend_on_where_the_points_are_or_how_large():
    X, model = blobs(60)[0], learn.create("kmeans")
    for measure in ("silhouette", "gap"):
        one, other = (counts(model, at, measure, 3).values for at in (X, 1e3 * X + 5e4))
        assert other == pytest.approx(one, rel=1e-6, nan_ok=True)
    one, other = (counts(model, at, "elbow", 3).values for at in (X, 1e3 * X))
    assert other == pytest.approx(1e6 * one)


@pytest.mark.parametrize(
    "id, task, measure, words",
    [
        *(
            (id, CLUSTER, "elbow", "determines the number of clusters")
            for id in ("dbscan", "mean_shift", "pca")
        ),
        ("kmeans", CLUSTER, "BIC", "BIC needs a likelihood"),
        ("gmm", "density", "elbow", "a density has no clusters"),
    ],
)
def test_measures_that_a_model_does_not_have_are_refused(id, task, measure, words):
    with pytest.raises(ValueError, match=words):
        counts(learn.create(id, task), X, measure)


def test_fewer_points_than_clusters_end_where_points_end():
    assert counts(learn.create("kmeans"), moons(4)[0], "elbow", 9).k == (1, 2, 3, 4)


def test_the_diagnostic_grows_a_fit_at_a_time():
    drawn = charts("cluster_count", own("kmeans"), most=5)
    assert [len(chart.series[0].x) for chart in drawn] == [1, 2, 3, 4, 5]
    assert drawn[-1].title == "Elbow against K"
    assert charts("cluster_count", own("gmm"), most=3)[-1].title == "BIC against K"


def test_silhouettes_are_shown_cluster_by_cluster():
    who = own("kmeans", k=3)
    (chart,) = charts("silhouettes", who)
    assert sum(len(series.x) for series in chart.series) == len(X)
    assert np.concatenate([series.y for series in chart.series]).mean() == pytest.approx(
        evaluate.silhouette(X, who.state.assigned)
    )


def test_clusters_are_counted_beside_labels():
    (chart,) = charts("cluster_classes", own("kmeans", k=3))
    table = np.array(chart.heat.texts).astype(int)
    assert table.sum() == len(X)
    assert (table.max(axis=1) == 40).all()
    assert chart.note.startswith("ARI 1.000, NMI 1.000")
    for i, row in enumerate(chart.heat.members):
        for ids in row:
            assert (LABELS[ids] == i).all()


@pytest.mark.parametrize("id", ["silhouettes", "cluster_classes"])
def test_what_finds_no_clusters_has_none_to_look_at(id):
    with pytest.raises(ValueError, match="there are no clusters"):
        charts(id, own("pca"))
