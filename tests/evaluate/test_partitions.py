"""Silhouette, ARI and NMI against scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from tests.learn.datasets import blobs, moons
from vizml import evaluate
from vizml.evaluate.partitions import contingency, silhouettes, within_cluster_squares

RNG = np.random.default_rng(0)
PAIRS = {
    "the same": ([0, 0, 1, 1, 2], [5, 5, 3, 3, 1]),
    "chance": (RNG.integers(0, 4, 200), RNG.integers(0, 3, 200)),
    "nearly": (np.repeat(range(4), 50), np.where(RNG.random(200) < 0.1, 0, np.repeat(range(4), 50))),
    "all in one": ([0] * 9, [0] * 9),
    "one against many": ([0] * 9, range(9)),
    "each alone": (range(9), range(9)),
    "with noise": (np.repeat([0, 1], 40), np.repeat([-1, 0, 1, 1], 20)),
    "worse than chance": ([0, 0, 1, 1], [0, 1, 0, 1]),
    "one point": ([0], [0]),
}
every_pair = pytest.mark.parametrize("a, b", PAIRS.values(), ids=PAIRS)


@every_pair
def test_ari_and_nmi_are_the_same(a, b):
    assert evaluate.ari(a, b) == pytest.approx(metrics.adjusted_rand_score(a, b), abs=1e-9)
    assert evaluate.nmi(a, b) == pytest.approx(metrics.normalized_mutual_info_score(a, b), abs=1e-9)
    assert evaluate.ari(b, a) == pytest.approx(evaluate.ari(a, b), abs=1e-12)


@every_pair
def test_counts_are_the_same(a, b):
    theirs = metrics.cluster.contingency_matrix(a, b)
    assert np.array_equal(contingency(a, b), theirs)


@pytest.mark.parametrize("n", [6, 90, 2500])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_silhouettes_are_the_same(n, k):
    X = np.vstack([blobs(n)[0], moons(6)[0]])
    labels = np.random.default_rng(n + k).integers(0, k, len(X))
    labels[:k] = range(k)
    assert evaluate.silhouette(X, labels) == pytest.approx(metrics.silhouette_score(X, labels), abs=1e-9)
    assert silhouettes(X, labels) == pytest.approx(metrics.silhouette_samples(X, labels), abs=1e-9)


def test_a_cluster_of_one_and_points_in_one_place_count_nothing():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    assert silhouettes(X, [0, 0, 1, 2]).tolist() == metrics.silhouette_samples(X, [0, 0, 1, 2]).tolist()


@pytest.mark.parametrize("labels", [[0, 0, 0], [0, 1, 2]])
def test_too_few_and_too_many_clusters_have_no_silhouette(labels):
    with pytest.raises(ValueError, match="at least 2 clusters and fewer than points"):
        evaluate.silhouette(np.eye(3)[:, :2], labels)


def test_partitions_are_of_the_same_points():
    with pytest.raises(ValueError, match="not of 2 and 3"):
        evaluate.ari([0, 1], [0, 1, 1])


def test_scatter_is_the_sum_of_squares_within():
    X, y = blobs(60)
    assert within_cluster_squares(X, y) == pytest.approx(
        sum(((X[y == k] - X[y == k].mean(axis=0)) ** 2).sum() for k in range(3))
    )
