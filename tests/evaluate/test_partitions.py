"""Silhouette, ARI and NMI against scikit-learn, under changes that must not matter, and their identities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from tests.learn.datasets import blobs
from vizml import evaluate
from vizml.evaluate.partitions import PAIRS as PAIRS_AT_ONCE
from vizml.evaluate.partitions import ari, contingency, nmi, silhouette, silhouettes, within_cluster_squares

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


@pytest.mark.parametrize("n", [12, 96, 2506])
@pytest.mark.parametrize("d, k", [(2, 2), (2, 3), (2, 5), (1, 4), (3, 4), (6, 4)])
def test_silhouettes_are_the_same_also_in_blocks_of_distances(n, d, k):
    X = np.random.default_rng(d).normal(size=(n, d))
    labels = np.arange(n) % k
    assert (n**2 > PAIRS_AT_ONCE) == (n == 2506)
    assert evaluate.silhouette(X, labels) == pytest.approx(metrics.silhouette_score(X, labels), abs=1e-9)
    assert silhouettes(X, labels) == pytest.approx(metrics.silhouette_samples(X, labels), abs=1e-9)


def test_a_cluster_of_one_and_points_in_one_place_count_nothing():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    assert silhouettes(X, [0, 0, 1, 2]).tolist() == metrics.silhouette_samples(X, [0, 0, 1, 2]).tolist()


@pytest.mark.parametrize(
    "labels, words",
    [
        ([0, 0, 0], "at least 2 clusters and fewer than points"),
        ([0, 1, 2], "at least 2 clusters and fewer than points"),
        ([0, 1], "there are 3 points and 2 cluster labels: each point needs one"),
    ],
)
def test_clusters_without_silhouettes_are_refused(labels, words):
    with pytest.raises(ValueError, match=words):
        evaluate.silhouette(np.eye(3)[:, :2], labels)
    with pytest.raises(ValueError, match="not of 2 and 3"):
        evaluate.ari([0, 1], [0, 1, 1])


def test_scatter_is_the_sum_of_squares_within():
    X, y = blobs(60)
    assert within_cluster_squares(X, y) == pytest.approx(
        sum(((X[y == k] - X[y == k].mean(axis=0)) ** 2).sum() for k in range(3))
    )


LABELS = st.lists(st.integers(0, 4), min_size=1, max_size=60)
LABEL_PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60)


def cloud(n=40, k=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    labels[:k] = range(k)
    return rng.normal(size=(n, 2)), labels


def pair_counts(a, b):
    """Pairs that are together in both, in the first, in the second, and all: counted one by one."""
    a, b = np.asarray(a), np.asarray(b)
    i, j = np.triu_indices(len(a), 1)
    one, other = a[i] == a[j], b[i] == b[j]
    return int((one & other).sum()), int(one.sum()), int(other.sum()), len(i)


@given(LABEL_PAIRS)
def test_the_rand_index_is_counted_from_pairs(pairs):
    a, b = zip(*pairs, strict=True)
    both, one, other, every = pair_counts(a, b)
    expected = one * other / max(every, 1)
    if (one + other) / 2 == expected:
        assert ari(a, b) == 1.0
    else:
        assert ari(a, b) == pytest.approx((both - expected) / ((one + other) / 2 - expected), abs=1e-9)


@given(LABEL_PAIRS)
def test_agreement_is_symmetric_and_at_most_one(pairs):
    a, b = zip(*pairs, strict=True)
    for agreement in (ari, nmi):
        assert agreement(a, b) == pytest.approx(agreement(b, a), abs=1e-12)
        assert agreement(a, b) <= 1.0
    assert 0.0 <= nmi(a, b)


@given(LABELS, st.permutations(range(5)))
def test_names_of_clusters_do_not_matter(labels, names):
    renamed = [f"cluster {names[label]}" for label in labels]
    assert ari(labels, renamed) == 1.0
    assert nmi(labels, renamed) == pytest.approx(1.0)


def test_unrelated_partitions_agree_no_more_than_by_chance():
    a, b = np.repeat(range(6), 60), np.tile(range(6), 60)
    assert ari(a, b) == pytest.approx(0.0, abs=0.02)
    assert nmi(a, b) == pytest.approx(0.0, abs=1e-12)


def test_no_points_agree():
    assert nmi([], []) == 1.0
    assert ari([], []) == 1.0
    assert contingency([], []).shape == (0, 0)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 999), turn=st.floats(0, 6.28), size=st.sampled_from([1e-12, 1.0, 1e12]))
def test_silhouettes_know_no_place_turn_or_unit(seed, turn, size):
    X, labels = cloud(seed=seed)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    moved = (X @ spin + [3.0, -4.0]) * size
    assert silhouettes(moved, labels) == pytest.approx(silhouettes(X, labels), abs=1e-9)
    assert (np.abs(silhouettes(X, labels)) <= 1.0).all()


def test_silhouettes_of_a_textbook_line():
    # at 0 and 1 against 4 and 6: a = 1, 1, 2, 2; b = 5, 4, 3.5, 5.5
    X = np.array([[0.0, 0.0], [1.0, 0.0], [4.0, 0.0], [6.0, 0.0]])
    expected = [4 / 5, 3 / 4, 1.5 / 3.5, 3.5 / 5.5]
    assert silhouettes(X, [0, 0, 1, 1]) == pytest.approx(expected)
    assert silhouette(X, [0, 0, 1, 1]) == pytest.approx(np.mean(expected))


@given(seed=st.integers(0, 999), k=st.integers(1, 5))
def test_scatter_within_and_between_make_the_whole(seed, k):
    X, labels = cloud(k=k, seed=seed)
    means = np.array([X[labels == c].mean(axis=0) for c in range(k)])
    between = (((means - X.mean(axis=0)) ** 2).sum(axis=1) * np.bincount(labels)).sum()
    assert within_cluster_squares(X, labels) + between == pytest.approx(
        within_cluster_squares(X, np.zeros(len(X)))
    )


def test_scatter_far_from_the_origin_does_not_drown():
    X, labels = cloud()
    assert within_cluster_squares(X + 1e7, labels) == pytest.approx(
        within_cluster_squares(X, labels), rel=1e-6
    )
