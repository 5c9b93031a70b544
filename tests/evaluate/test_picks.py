"""Which K a measure speaks for, by curves whose answer is known, and what a chart of it offers."""

import numpy as np
import pytest

from tests.learn.datasets import blobs
from vizml import learn
from vizml.data import Dataset
from vizml.evaluate import clusters
from vizml.evaluate.clusters import PICKS, Counted, chart, counted, settings
from vizml.learn import CLUSTER

NONE = float("nan")


def found(measure, values, errors=None, first=1):
    k = tuple(range(first, first + len(values)))
    return Counted(
        measure, "k", k, np.array(values, float), None if errors is None else np.array(errors, float)
    )


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
    assert found("gap", gaps).best is None


def test_nothing_is_chosen_from_one_value():
    for measure in PICKS:
        assert found(measure, [3.0], [0.1]).best is None


def test_the_chart_marks_the_best_and_offers_it():
    model = learn.create("kmeans")
    drawn = chart(model, found("silhouette", [NONE, 0.4, 0.7, 0.5]))
    line, dot = drawn.series
    assert (dot.x.tolist(), dot.y.tolist(), dot.name) == ([3.0], [0.7], "K = 3")
    assert [offer.values for offer in drawn.offers] == [{"k": 3}]
    assert drawn.offers[0].tip == "Set K to 3"
    assert drawn.note == "clusters are farthest apart: K = 3; click a K to set it"
    assert line.low is None


def test_while_it_is_open_nothing_is_offered():
    drawn = chart(learn.create("kmeans"), found("elbow", [9.0, 3.0]))
    assert drawn.offers == ()
    assert len(drawn.series) == 1
    assert drawn.note == "more clusters always have less; the bend; click a K to set it"


def test_the_errors_of_the_gap_are_around_it():
    (line, *_) = chart(learn.create("kmeans"), found("gap", [0.1, 0.5, 0.4], [0.1, 0.2, 0.3])).series
    assert line.high - line.y == pytest.approx([0.1, 0.2, 0.3])
    assert line.y - line.low == pytest.approx([0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    "model, also",
    [
        (learn.create("kmeans"), {}),
        (learn.create("kmeans", init="placed", starts="0,0;1,1"), {"init": "kmeans++"}),
        (learn.create("gmm", CLUSTER, init="placed", starts="0,0"), {"init": "kmeans"}),
        (learn.create("agglomerative", cut="tau", tau=2.0), {"cut": "k"}),
        (learn.create("agglomerative", cut="k"), {}),
    ],
)
def test_a_click_on_a_number_makes_it_count(model, also):
    drawn = chart(model, found("elbow", [9.0, 3.0, 2.0, 1.0]))
    assert dict(drawn.also) == also
    assert all(offer.values.items() >= also.items() for offer in drawn.offers)
    state = learn.fit(model.with_(**{drawn.sets[0]: 4, **dict(drawn.also)}), blobs(30)[0])
    assert len(set(state.assigned.tolist())) == 4


def test_centroids_put_by_hand_make_room_for_a_number():
    model = learn.create("kmeans", init="placed", starts="0,0;1,1")
    assert settings(model, 4) == {"k": 4, "init": "kmeans++"}
    *_, last = counted(model, Dataset(blobs(30)[0], np.zeros(30, int)), "elbow", most=4)
    assert len(set(np.round(last.found, 9).tolist())) == 4
    assert settings(learn.create("hmm"), 2) == {"states": 2}
    assert settings(learn.create("gmm", CLUSTER), 2) == {"k": 2}


def test_criteria_by_their_functions_are_those_of_the_fit():
    X = blobs(60)[0]
    model = learn.create("gmm", CLUSTER)
    for function, name in ((clusters.aic, "AIC"), (clusters.bic, "BIC")):
        drawn = function(model, X, most=3)
        assert drawn.title == f"{name} against K"
        for k in (1, 2, 3):
            assert drawn.series[0].y[k - 1] == pytest.approx(learn.fit(model.with_(k=k), X).metrics()[name])


def test_bic_charges_ln_n_and_aic_two_for_each_free_number():
    X = blobs(60)[0]
    figures = learn.fit(learn.create("gmm", CLUSTER, k=2, covariance="diag"), X).metrics()
    free = 2 - 1 + 2 * 2 + 2 * 2
    assert figures["BIC"] == pytest.approx(free * np.log(60) - 2 * figures["log-likelihood"])
    assert figures["AIC"] == pytest.approx(2 * free - 2 * figures["log-likelihood"])


def test_the_same_seed_draws_the_same_gap_and_another_another():
    X, model = blobs(40)[0], learn.create("kmeans")
    one, again, other = (clusters.gap(model, X, 3, seed).series[0].y for seed in (0, 0, 1))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_measures_do_not_depend_on_where_the_points_are_or_how_large():
    X, model = blobs(60)[0], learn.create("kmeans")
    for measure in ("silhouette_by_k", "gap"):
        one, other = (getattr(clusters, measure)(model, at, 3).series[0].y for at in (X, 1e3 * X + 5e4))
        assert other == pytest.approx(one, rel=1e-6, nan_ok=True)
    one, other = (clusters.elbow(model, at, 3).series[0].y for at in (X, 1e3 * X))
    assert other == pytest.approx(1e6 * one)
