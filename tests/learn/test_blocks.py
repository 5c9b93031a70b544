"""k-means by blocks of neighbours: the same hands, sums and ends as point by point."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.metrics import pairwise_distances_argmin

from tests.learn.datasets import blobs, moons
from vizml.learn.clusters import race
from vizml.learn.clusters.blocks import Blocks, filtered
from vizml.learn.clusters.lloyd import lloyd
from vizml.learn.clusters.race import ends

DATA = {
    "moons": moons(3000)[0],
    "blobs": blobs(2000, centers=5)[0],
    "one far away": np.concatenate([moons(500)[0], [[1e3, -1e3]]]) / 1e3,
    "a line": np.random.default_rng(2).uniform(-1, 1, size=(700, 2)) * [1, 0],
    "few": moons(3)[0],
}
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)


def places(X, runs, k, seed=0):
    rng = np.random.default_rng(seed)
    return X[rng.integers(len(X), size=(runs, k))] + rng.normal(scale=1e-3, size=(runs, k, 2))


def check_deal(X, centroids):
    blocks = Blocks(X)
    dealt = blocks.deal(centroids)
    for run, own in enumerate(centroids):
        labels = pairwise_distances_argmin(X, own)
        assert np.array_equal(blocks.labels(dealt, run), labels)
        counts = np.bincount(labels, minlength=len(own))
        assert np.array_equal(dealt.sums[run, :, 0], counts)
        sums = np.array([X[labels == k].sum(axis=0) for k in range(len(own))])
        assert np.allclose(dealt.sums[run, :, 1:], sums, rtol=1e-12, atol=1e-12)
    return blocks, dealt


@every_data
@pytest.mark.parametrize("k", [1, 2, 7])
def test_each_point_goes_to_the_nearest_and_is_summed_up_there(X, k):
    check_deal(X, places(X, 3, k))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 999),
    n=st.integers(2, 300),
    k=st.integers(1, 9),
    wide=st.sampled_from([1e-9, 1e-3, 1.0]),
)
def test_on_any_points(seed, n, k, wide):
    X = np.random.default_rng(seed).uniform(-1, 1, size=(n, 2)) * [1, wide]
    check_deal(X, places(X, 2, k, seed))


def test_of_equals_the_first_is_taken_be_they_one_place():
    X = np.random.default_rng(0).normal(size=(400, 2))
    centroids = np.array([[[0.5, 0], [0.5, 0], [-0.5, 0]]])
    blocks, dealt = check_deal(X, centroids)
    assert dealt.sums[0, 1, 0] == 0
    assert set(blocks.labels(dealt, 0).tolist()) == {0, 2}


def test_most_points_are_not_looked_at():
    X = np.random.default_rng(1).uniform(-1, 1, size=(20_000, 2))
    blocks, dealt = check_deal(X, np.array([[[-0.5, 0.0], [0.5, 0.0]]]))
    assert 0 < dealt.own.size < 0.1 * len(X)
    assert all(np.abs(blocks.x[:, block]).min() < 0.2 for block in dealt.block)


def test_blocks_are_compact_and_hold_every_point_once():
    X = moons(5000)[0]
    blocks = Blocks(X)
    assert np.array_equal(np.sort(blocks.order), np.arange(len(X)))
    assert blocks.weight.sum() == len(X)
    assert np.median(blocks.reach) < 0.05 * np.ptp(X)
    at = X[blocks.order][::10]
    block = np.arange(len(X))[::10] // blocks.size
    assert (np.hypot(*(at.T - blocks.across[:2, block])) <= blocks.reach[block]).all()


@every_data
def test_some_of_the_runs_are_those_runs(X):
    blocks = Blocks(X)
    centroids = places(X, 4, 3)
    kept = np.array([True, False, False, True])
    some, alone = blocks.deal(centroids).only(kept), blocks.deal(centroids[kept])
    for run in range(2):
        assert np.array_equal(some.labels(run), alone.labels(run))
    assert np.allclose(some.sums, alone.sums)


@every_data
@pytest.mark.parametrize("k", [1, 3])
def test_runs_end_as_those_that_look_at_every_point(X, k):
    starts = np.stack([X[np.random.default_rng(seed).permutation(len(X))[:k]] for seed in range(4)])
    for start, ours in zip(starts, filtered(X, starts, 2.0), strict=True):
        *_, theirs = lloyd(X, start, 2.0)
        assert ours.done
        assert np.array_equal(ours.labels, theirs.labels)
        assert np.allclose(ours.history, theirs.history, rtol=1e-11, atol=1e-13)
        assert ours.J == pytest.approx(theirs.J, rel=1e-10, abs=1e-300)


def test_on_ten_thousand_points_it_comes_to_what_scikit_learn_comes_to():
    X = moons(10_000)[0]
    start = X[:4]
    ((_, ours),) = ends(X, start[None], 1.0)
    assert len(X) * 4 < race.TOGETHER  # one run is raced: blocks are for several
    (both,) = filtered(X, start[None], 1.0)
    theirs = KMeans(4, init=start, n_init=1, tol=0.0, algorithm="lloyd", max_iter=1000).fit(X)
    assert both.J == pytest.approx(theirs.inertia_, rel=1e-9)
    assert both.J == pytest.approx(ours.J, rel=1e-9)
    assert np.array_equal(both.labels, theirs.labels_)


def test_a_run_with_an_empty_cluster_is_left_to_those_that_move_it():
    X = DATA["moons"]
    starts = np.stack([X[:3], [*X[:2], [1e3, 1e3]], X[3:6]])
    found = filtered(X, starts, 1.0)
    assert [end is None for end in found] == [False, True, False]


def test_ends_have_every_run_even_so(monkeypatch):
    X = DATA["moons"]
    starts = np.stack([X[:3], [*X[:2], [1e3, 1e3]], X[3:6]])
    monkeypatch.setattr(race, "TOGETHER", 0)
    for (run, ours), start in zip(ends(X, starts, 1.0), starts, strict=True):
        *_, theirs = lloyd(X, start, 1.0)
        assert np.array_equal(ours.labels, theirs.labels), run


def test_many_pairs_are_taken_in_parts(monkeypatch):
    X = DATA["blobs"]
    starts = np.stack([X[seed : seed + 4] for seed in range(5)])
    monkeypatch.setattr(race, "TOGETHER", 0)
    whole = list(ends(X, starts, 1.0))
    monkeypatch.setattr(race, "AT_ONCE", 2 * len(X) * 4)
    parts = list(ends(X, starts, 1.0))
    assert [run for run, _ in parts] == list(range(5))
    assert all(np.array_equal(a.labels, b.labels) for (_, a), (_, b) in zip(whole, parts, strict=True))
