"""Agglomeration against scipy: heights of merges, and cuts by number and by distance."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering

from tests.events import cpu_seconds
from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.field import Raster

DATA = {
    "moons": moons(180)[0], "blobs": blobs(150, centers=4)[0],
    "uneven": np.vstack([blobs(150, centers=2)[0], blobs(9, centers=1)[0] / 5 + 11]), "tiny": moons(7)[0],
    "far": moons(60)[0] * 1e3 + 1e4,
}  # fmt: skip
LINKAGES = ("single", "complete", "average", "centroid", "ward")
every_data = pytest.mark.parametrize("X", DATA.values(), ids=DATA)
every_linkage = pytest.mark.parametrize("kind", LINKAGES)


def steps(X, **values):
    return list(learn.steps(learn.create("agglomerative", **values), X))


def last(X, **values):
    return learn.fit(learn.create("agglomerative", **values), X)


def same(a, b):
    """Whether two partitions are one."""
    pairs = np.unique(np.column_stack([a, b]), axis=0)
    return len(pairs) == len(np.unique(a)) == len(np.unique(b))


@every_data
@every_linkage
def test_merges_are_at_the_same_heights(X, kind):
    forest, theirs = last(X, linkage=kind).dendrogram, linkage(X, kind)
    assert np.allclose(forest.heights, theirs[:, 2], rtol=1e-9, atol=1e-9 * np.ptp(X))
    assert np.array_equal(np.sort(forest.pairs, axis=1), theirs[:, :2])
    assert np.array_equal(forest.sizes, theirs[:, 3])


@every_data
@every_linkage
@pytest.mark.parametrize("k", [1, 2, 5])
def test_cuts_for_k_are_the_same(X, kind, k):
    state = last(X, linkage=kind, cut="k", k=k)
    assert state.clusters == k
    assert state.assigned.max() + 1 == k
    if kind != "centroid":
        assert same(state.assigned, AgglomerativeClustering(k, linkage=kind).fit_predict(X))


@every_data
@every_linkage
@pytest.mark.parametrize("share", [0.05, 0.3, 0.8, 1.1])
def test_cuts_at_a_distance_are_the_same(X, kind, share):
    theirs = linkage(X, kind)
    tau = theirs[:, 2].max() * share
    state = last(X, linkage=kind, cut="tau", tau=tau)
    assert same(state.members, fcluster(theirs, tau, criterion="distance"))


@every_data
def test_a_tree_cut_at_zero_and_at_the_root(X):
    assert len(np.unique(last(X, cut="tau", tau=0.0).members)) == len(X)
    assert len(np.unique(last(X, cut="tau", tau=1e9).members)) == 1


def test_of_too_many_clusters_the_largest_have_colours():
    state = last(DATA["moons"], cut="tau", tau=0.15, linkage="complete")
    sizes = np.bincount(state.members)
    assert len(sizes) > 30
    assert state.clusters == 30
    assert "the largest 30 are coloured" in state.note
    kept = [sizes[state.members[state.assigned == code][0]] for code in range(30)]
    assert min(kept) >= np.sort(sizes)[-31]


def test_inversions_are_merged_and_said():
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.95]])
    run = steps(triangle, linkage="centroid", k=1)
    heights = run[-1].dendrogram.heights
    assert heights[1] < heights[0]
    assert np.allclose(heights, linkage(triangle, "centroid")[:, 2])
    assert "(inversion)" in run[2].note
    assert same(last(triangle, linkage="centroid", cut="tau", tau=0.97).members, [0, 1, 2])


@every_data
def test_a_merge_is_a_step_and_clusters_only_grow(X):
    run = steps(X, linkage="average")
    assert len(run) == len(X) + 1
    before = np.arange(len(X))
    for made, state in enumerate(run[:-1]):
        assert len(np.unique(state.members)) == len(X) - made
        groups = {frozenset(np.flatnonzero(state.members == k)) for k in np.unique(state.members)}
        old = {frozenset(np.flatnonzero(before == k)) for k in np.unique(before)}
        assert len(groups - old) == (made > 0)
        before = state.members


@every_data
def test_who_does_not_merge_keeps_the_colour(X):
    run = steps(X)[1:-1]
    for before, after in pairwise(run):
        node = len(X) + len(after.dendrogram) - 1
        untouched = ~np.isin(np.arange(len(X)), after.dendrogram.members(node))
        assert np.array_equal(before.assigned[untouched], after.assigned[untouched])


def test_the_plane_goes_with_the_nearest_point():
    X = DATA["blobs"]
    state = last(X, k=4)
    raster = Raster.over((-12, 3, -12, 8), 50, 40)
    nearest = ((raster.points()[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(state.predict(raster.points()), state.assigned[nearest])
    assert np.array_equal(state.field(raster).argmax(axis=0).ravel(), state.assigned[nearest])


@every_linkage
def test_the_line_of_a_merge_is_as_long_as_its_height(kind):
    for state in steps(DATA["tiny"], linkage=kind)[1:-1]:
        if kind in ("average", "ward"):
            continue
        ends = state.marks()[1].ends[0]
        assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(state.dendrogram.heights[-1])


def test_the_dendrogram_shows_the_tree_and_its_cut():
    state = last(DATA["tiny"], k=2)
    diagram = state.diagram()
    places = {node.id: node for node in diagram.nodes}
    assert len(diagram.nodes) == 2 * 7 - 1
    assert len(diagram.links) == 2 * 6
    for link in diagram.links:
        assert places[link.start].y >= places[link.end].y
    tau = diagram.cut.low + diagram.cut.y * (diagram.cut.high - diagram.cut.low)
    settings = dict(diagram.cut.also) | {diagram.cut.sets: tau}
    assert same(last(DATA["tiny"], **settings).assigned, state.assigned)
    top = max(diagram.nodes, key=lambda node: node.y)
    assert len(state.on().focus(top.id).marks[0].points) == 7


def test_a_point_of_the_plane_belongs_to_all_merges_around_it():
    state = last(DATA["tiny"])
    trail = state.on().trail(DATA["tiny"][3] + 1e-6)
    assert trail[0] == "3"
    for inner, outer in pairwise(trail):
        assert set(state.dendrogram.members(int(inner))) < set(state.dendrogram.members(int(outer)))
    assert len(state.dendrogram.members(int(trail[-1]))) == 7


def test_a_large_dendrogram_is_bundled():
    diagram = last(DATA["moons"]).diagram()
    ends = [node for node in diagram.nodes if node.y == 0]
    assert len(ends) == 48
    counts = [int(node.texts[0]) if node.texts else 1 for node in ends]
    assert sum(counts) == 180
    assert len({node.x for node in ends}) == 48


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ward", "average", "centroid"])
def test_five_thousand_points(kind):
    X = blobs(5000, centers=6)[0]
    found = []
    spent = cpu_seconds(lambda: found.append(last(X, linkage=kind, k=6)))
    assert spent < 10 * cpu_seconds(lambda: linkage(X, kind))  # up to 3 times
    (state,) = found
    assert np.allclose(state.dendrogram.heights, linkage(X, kind)[:, 2], rtol=1e-9, atol=1e-9)


def test_too_many_points_are_refused_with_a_sentence():
    with pytest.raises(learn.CannotLearn, match="at most 8,000 points"):
        last(np.random.default_rng(0).normal(size=(8001, 2)))


def test_coincident_points_are_one_cluster_at_any_threshold():
    state = last(np.full((6, 2), 3.3), cut="tau", tau=0.0)
    assert state.clusters == 1


@pytest.mark.parametrize("kind", ["single", "complete", "average"])
def test_the_manhattan_distance_gives_the_tree_of_scipy(kind):
    X = moons(80)[0]
    state, theirs = last(X, linkage=kind, metric="l1", k=4), linkage(X, kind, metric="cityblock")
    assert np.allclose(state.dendrogram.heights, theirs[:, 2])
    assert same(state.members, fcluster(theirs, 4, criterion="maxclust"))
    raster = Raster.over((-3, 3, -2, 2), 30, 20)
    nearest = cdist(raster.points(), X, "cityblock").argmin(axis=1)
    assert np.array_equal(state.field(raster).argmax(axis=0).ravel(), state.assigned[nearest])


@pytest.mark.parametrize("kind", ["centroid", "ward"])
def test_linkages_of_means_keep_the_euclidean_distance(kind):
    X = moons(60)[0]
    assert np.array_equal(last(X, linkage=kind, metric="l1").assigned, last(X, linkage=kind).assigned)
