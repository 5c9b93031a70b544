"""Measures against K are those of a fit for each K, and choose the K that is there."""

import numpy as np
import pytest
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

from tests.learn.datasets import moons
from vizml import evaluate, learn
from vizml.data import Dataset
from vizml.evaluate import clusters
from vizml.evaluate.diagnostic import Subject, diagnostics
from vizml.learn import CLUSTER


def three(n=120, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    return np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])[labels] + rng.normal(size=(n, 2)), labels


X, LABELS = three()


def subject(id, **values):
    model = learn.create(id, CLUSTER, **values)
    data = Dataset(X, LABELS)
    *_, state = learn.run(model, data, 0)
    return Subject(model, 0, data, data.take(slice(0, 0)), state)


def charts(id, who, **values):
    kind = next(kind for kind in diagnostics() if kind.id == id)
    return list(kind().with_(**values).charts(who))


BY_K = [(id, m) for id in ("kmeans", "agglomerative", "gmm") for m in ("elbow", "silhouette", "gap")]


@pytest.mark.parametrize("id, measure", [*BY_K, ("hmm", "elbow"), ("hmm", "silhouette")])
def test_three_groups_are_found_to_be_three(id, measure):
    model = learn.create(id, CLUSTER)
    *_, found = clusters.counted(model, Dataset(X, LABELS), measure, most=6)
    assert found.best == 3
    assert found.k == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("measure", ["BIC", "AIC"])
def test_criteria_are_those_of_scikit_learn(measure):
    model = learn.create("gmm", CLUSTER, tol=1e-9)
    *_, found = clusters.counted(model, Dataset(X, LABELS), measure, most=3)
    for k, value in zip(found.k, found.found, strict=True):
        theirs = GaussianMixture(k, tol=1e-9, max_iter=1000, n_init=5, random_state=0).fit(X)
        assert value == pytest.approx(getattr(theirs, measure.lower())(X), rel=1e-4)


def test_bic_of_a_density_finds_three():
    chart = clusters.bic(learn.create("gmm", "density"), X, most=5)
    assert chart.offers[0].values == {"k": 3}


def test_values_are_those_of_a_fit_for_each_k():
    model = learn.create("kmeans")
    elbow, apart = clusters.elbow(model, X, most=4), clusters.silhouette_by_k(model, X, most=4)
    for place, k in enumerate((1, 2, 3, 4)):
        state = learn.fit(model.with_(k=k), X)
        assert elbow.series[0].y[place] == pytest.approx(state.loss)
        if k > 1:
            assert apart.series[0].y[place] == pytest.approx(silhouette_score(X, state.assigned))
    assert np.isnan(apart.series[0].y[0])


def test_the_gap_is_that_of_its_definition():
    chart = clusters.gap(learn.create("kmeans"), X, most=4)
    gaps, errors = chart.series[0].y, chart.series[0].high - chart.series[0].y
    assert (errors > 0).all()
    one = np.log(((X - X.mean(axis=0)) ** 2).sum())
    uniform = np.log(len(X) * (np.ptp(X, axis=0) ** 2).sum() / 12)
    assert gaps[0] == pytest.approx(uniform - one, abs=4 * errors[0] + 0.05)


def test_a_click_on_k_sets_all_that_makes_it_count():
    chart = clusters.elbow(learn.create("agglomerative", cut="tau"), X, most=5)
    assert chart.sets == ("k",)
    assert chart.choices == ((1, 2, 3, 4, 5),)
    assert chart.offers[0].values == {"k": 3, "cut": "k"}


@pytest.mark.parametrize("id", ["dbscan", "mean_shift", "pca"])
def test_models_that_find_the_number_themselves_say_so(id):
    with pytest.raises(ValueError, match="finds the number of clusters itself"):
        clusters.elbow(learn.create(id, CLUSTER), X)


def test_no_likelihood_no_criterion():
    with pytest.raises(ValueError, match="BIC needs a likelihood"):
        clusters.bic(learn.create("kmeans"), X)
    with pytest.raises(ValueError, match="a density has no clusters"):
        clusters.elbow(learn.create("gmm", "density"), X)


def test_fewer_points_than_clusters_end_where_points_end():
    chart = clusters.elbow(learn.create("kmeans"), moons(4)[0], most=9)
    assert chart.choices == ((1, 2, 3, 4),)


def test_the_diagnostic_grows_a_fit_at_a_time():
    found = charts("cluster_count", subject("kmeans"), most=5)
    assert [len(chart.series[0].x) for chart in found] == [1, 2, 3, 4, 5]
    assert found[-1].title == "Elbow against K"
    assert charts("cluster_count", subject("gmm"), most=3)[-1].title == "BIC against K"


def test_silhouettes_are_shown_cluster_by_cluster():
    who = subject("kmeans", k=3)
    (chart,) = charts("silhouettes", who)
    assert sum(len(series.x) for series in chart.series) == len(X)
    assert np.concatenate([series.y for series in chart.series]).mean() == pytest.approx(
        evaluate.silhouette(X, who.state.assigned)
    )


def test_clusters_are_counted_beside_labels():
    who = subject("kmeans", k=3)
    (chart,) = charts("cluster_classes", who)
    counts = np.array(chart.heat.texts).astype(int)
    assert counts.sum() == len(X)
    assert (counts.max(axis=1) == 40).all()
    assert chart.note.startswith("ARI 1.000, NMI 1.000")
    for i, row in enumerate(chart.heat.members):
        for ids in row:
            assert (LABELS[ids] == i).all()


@pytest.mark.parametrize("id", ["silhouettes", "cluster_classes"])
def test_what_finds_no_clusters_has_none_to_look_at(id):
    with pytest.raises(ValueError, match="there are no clusters"):
        charts(id, subject("pca"))
