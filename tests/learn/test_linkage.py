"""Distances of clusters against their definitions, and invariances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from tests.learn.datasets import moons
from vizml.learn.clusters.linkage import SQUARED, Agglomeration, ClusterSizes, updated_distances

KINDS = ("single", "complete", "average", "centroid", "ward")
every_kind = pytest.mark.parametrize("kind", KINDS)


def apart(A, B, kind):
    """What each linkage is by its definition."""
    each = cdist(A, B)
    if kind in ("single", "complete", "average"):
        return {"single": each.min, "complete": each.max, "average": each.mean}[kind]()
    middle = np.linalg.norm(A.mean(axis=0) - B.mean(axis=0))
    return middle if kind == "centroid" else middle * np.sqrt(2 * len(A) * len(B) / (len(A) + len(B)))


def merged(X, kind):
    """All merges of points."""
    task = Agglomeration(X, kind)
    list(task.compute_distances())
    list(task.merge())
    tree = task.dendrogram()
    return [(*pair, height) for pair, height in zip(tree.pairs.tolist(), tree.heights.tolist())]


def random(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


@every_kind
@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 2, 3), (4, 1, 2), (5, 5, 5)])
def test_the_distance_to_a_union_is_that_of_its_definition(kind, sizes):
    A, B, C = (random(size, seed) for seed, size in enumerate(sizes))
    power = 2 if kind in SQUARED else 1
    to_a, to_b, between = (apart(*pair, kind) ** power for pair in ((A, C), (B, C), (A, B)))
    about = ClusterSizes(float(len(A)), float(len(B)), np.array([float(len(C))]))
    found = updated_distances(kind, np.array([to_a]), np.array([to_b]), between, about)
    assert found[0] == pytest.approx(apart(np.vstack([A, B]), C, kind) ** power, rel=1e-12)


@every_kind
def test_the_older_cluster_is_named_first(kind):
    assert all(first < second for first, second, _ in merged(moons(40)[0], kind))


def test_many_points_are_measured_in_blocks():
    X = np.random.default_rng(0).normal(size=(2000, 3))
    done = list(Agglomeration(X, "single").compute_distances())
    assert len(done) > 1
    assert done[-1] == 2000


def test_a_single_point_has_no_merges():
    assert merged(np.array([[1.0, 2.0]]), "ward") == []


@every_kind
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 40), turn=st.floats(0, 6.28))
def test_turning_and_moving_the_plane_changes_no_height(kind, seed, n, turn):
    X = random(n, seed)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    ours = sorted(height for *_, height in merged(X @ spin + [5.0, -7.0], kind))
    assert np.allclose(ours, np.sort(scipy_linkage(X, kind)[:, 2]), rtol=1e-8, atol=1e-10)


def test_single_linkage_is_the_minimum_spanning_tree():
    X = random(60)
    tree = minimum_spanning_tree(cdist(X, X)).toarray()
    assert np.allclose(np.sort(tree[tree > 0]), [height for *_, height in merged(X, "single")])


def test_wards_squares_sum_to_the_whole_scatter():
    X = random(60)
    heights = np.array([height for *_, height in merged(X, "ward")])
    assert (heights**2).sum() / 2 == pytest.approx(((X - X.mean(axis=0)) ** 2).sum(), rel=1e-10)


@every_kind
@pytest.mark.parametrize("seed", range(12))
def test_ties_end_in_a_tree(kind, seed):
    rng = np.random.default_rng(seed)
    X = 0.1 * rng.integers(0, 4, size=(35, 1 + seed % 7))
    merges = merged(X, kind)
    nodes = [node for *pair, _ in merges for node in pair]
    assert sorted(nodes) == list(range(2 * len(X) - 2))
    assert all(max(pair) < len(X) + made for made, (*pair, _) in enumerate(merges))
    if kind == "single":
        assert np.allclose([height for *_, height in merges], scipy_linkage(X, kind)[:, 2])
