"""Marks, charts, notes and metrics of clusterings."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage as scipy_linkage
from sklearn.decomposition import PCA

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.field import Raster
from vizml.learn.clusters.agglomerative import MAX_COLOURED, largest_clusters
from vizml.scene import Dots, Path, Rings, Segments, TextLabels

X = moons(120, noise=0.1)[0]
GROUPS = blobs(60)[0]


def steps(id, points=X, seed=0, **values):
    return list(learn.steps(learn.create(id, "cluster", **values), points, seed=seed))


def last(id, points=X, **values):
    return steps(id, points, **values)[-1]


def of(state, kind, layer=""):
    return [mark for mark in state.marks() if isinstance(mark, kind) and layer in ("", mark.layer)]


def rows(points):
    return sorted(map(tuple, np.round(points, 9).tolist()))


# DBSCAN


def test_core_points_have_rings_and_noise_has_crosses_at_the_end_only():
    run = steps("dbscan", eps=0.15, min_points=5)
    core, noise = run[-1].core, run[-1].assigned < 0
    assert 0 < noise.sum() < len(X)
    for state in run[-3:]:
        (rings,) = of(state, Rings)
        assert rows(rings.points) == rows(X[core])
        assert len(rings.radii) == core.sum()
    (crosses,) = of(run[-1], Dots)
    assert rows(crosses.points) == rows(X[noise])
    assert all(len(of(state, Dots)[0].points) == 0 for state in run[:-1])


def test_the_front_has_a_circle_of_eps_around_each_core_point_reached_last():
    run = steps("dbscan", eps=0.2, min_points=5)
    state = max(run, key=lambda state: len(state.frontier))
    (front,) = of(state, Path)
    centres = X[state.frontier[state.core[state.frontier]]]
    assert len(front.lines) == len(centres) > 1
    for centre, line in zip(centres, front.lines, strict=True):
        assert np.linalg.norm(line - centre, axis=1) == pytest.approx(np.full(72, 0.2))
    assert of(run[-1], Path)[0].lines == ()


def test_the_chart_of_radii_says_how_many_points_each_makes_core():
    state = last("dbscan", eps=0.2, min_points=4)
    (chart,) = state.charts()
    (series,) = chart.series
    each = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, 3]
    assert series.x == pytest.approx(np.sort(each))
    for eps in (0.1, 0.2):
        assert (series.x <= eps).mean() == pytest.approx(last("dbscan", eps=eps, min_points=4).core.mean())
    assert series.y[-1] == 1.0
    assert chart.rules[0].x == 0.2
    assert (chart.sets, chart.choices) == (("eps",), (tuple(series.x.tolist()),))


def test_core_border_and_noise_are_all_points():
    state = last("dbscan", eps=0.15)
    figures = state.metrics()
    assert figures["core"] + figures["border"] + figures["noise"] == len(X)
    assert figures["clusters"] == state.assigned.max() + 1
    assert figures["eps"] == 0.15
    assert state.note.startswith(f"{figures['clusters']:.0f} cluster")
    assert f"{figures['noise']:.0f} noise" in state.note


def test_the_pointer_in_noise_is_told_so():
    _, words = last("dbscan", eps=0.2).on().probe(np.array([50.0, 50.0]))
    assert words.texts == ("0 points within 0.2: noise",)


# agglomeration


def test_what_merges_has_rings_and_a_line_between():
    run = steps("agglomerative", GROUPS, linkage="ward")
    for state in run[1:-1:7]:
        node = len(GROUPS) + len(state.dendrogram) - 1
        (rings,), (line,) = of(state, Rings), of(state, Segments)
        assert rows(rings.points) == rows(GROUPS[state.dendrogram.members(node)])
        first, second = (GROUPS[state.dendrogram.members(child)] for child in state.dendrogram.children(node))
        assert line.ends[0] == pytest.approx(np.stack([first.mean(axis=0), second.mean(axis=0)]))
    assert run[0].marks() == run[-1].marks() == ()


def test_the_chart_of_heights_says_which_merge_ends_k_clusters():
    state = last("agglomerative", GROUPS, linkage="average")
    (chart,) = state.charts()
    (series,) = chart.series
    heights = scipy_linkage(GROUPS, "average")[:, 2]
    assert series.x.tolist() == list(range(2, 22))
    assert series.y == pytest.approx(heights[::-1][:20])
    assert chart.choices == (tuple(range(2, 22)),)
    assert steps("agglomerative", GROUPS)[5].charts() == ()
    assert last("agglomerative", GROUPS[:1]).charts() == ()


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_a_cut_for_k_is_drawn_between_the_merges_that_it_parts(k):
    state = last("agglomerative", GROUPS, linkage="complete", k=k)
    heights = [0.0, *scipy_linkage(GROUPS, "complete")[:, 2]]
    assert state.cut.height >= heights[len(GROUPS) - k]
    if k > 1:
        assert state.cut.height == pytest.approx((heights[60 - k] + heights[60 - k + 1]) / 2)
    assert state.metrics() == {"clusters": float(k), "height": state.cut.height}
    assert state.note == f"cut for K = {k}: {k} cluster{'s' if k > 1 else ''}"


def test_without_a_threshold_the_widest_gap_is_cut_in_its_middle():
    state = last("agglomerative", np.array([[0.0, 0.0], [1.0, 0.0], [10.0, 0.0], [11.0, 0.0]]), cut="tau",
                 linkage="single")  # fmt: skip
    assert state.cut.height == 5.0
    assert state.assigned.tolist() == [0, 0, 1, 1]
    assert state.note == "cut at distance 5: 2 clusters"


def test_more_clusters_than_points_are_said_not_to_be():
    state = last("agglomerative", GROUPS[:2], k=5)
    assert state.note == "cut for K = 2 (5 clusters requested, but the data have only 2 points): 2 clusters"


def test_a_node_that_is_pointed_at_rings_its_points():
    state = last("agglomerative", GROUPS)
    for node in (3, 70, 118):
        (rings,) = state.on().focus(str(node)).marks
        assert rows(rings.points) == rows(GROUPS[state.dendrogram.members(node)])


def test_of_very_many_clusters_the_largest_are_told_apart_in_their_order():
    members = np.repeat(np.arange(MAX_COLOURED + 3), [1 + (k % 5 > 0) for k in range(MAX_COLOURED + 3)])
    found = largest_clusters(members)
    sizes = np.bincount(members)
    assert sorted(set(found.tolist())) == [-1, *range(MAX_COLOURED)]
    assert all(sizes[k] == 1 for k in np.unique(members[found < 0]))
    kept = found[found >= 0]
    assert (np.diff(kept) >= 0).all()
    few = np.array([0, 1, 1, 2])
    assert largest_clusters(few) is few


# mean shift


def test_walkers_are_drawn_where_they_are_with_the_ways_they_came():
    run = steps("mean_shift", GROUPS, bandwidth=4.0)
    assert len(run) > 3
    for turn, state in enumerate(run[:-1]):
        (paths,), (dots,) = of(state, Path), of(state, Dots)
        assert len(paths.lines) == len(dots.points) == 60
        assert np.array([line[0] for line in paths.lines]) == pytest.approx(GROUPS)
        assert np.array([line[-1] for line in paths.lines]) == pytest.approx(dots.points)
        assert state.metrics() == {"iterations": float(turn), "bandwidth": pytest.approx(4.0)}
        field = state.field(Raster.over((-9, 9, -9, 9), 4, 3))
        assert field.shape == (1, 3, 4)
        assert (field <= state.floor).all()
    assert run[-1].metrics()["clusters"] == run[-1].clusters == len(of(run[-1], Dots)[0].points)


def test_a_window_without_points_draws_nowhere():
    state = last("mean_shift", GROUPS, bandwidth=1.0)
    _, arrow, words = state.on().probe(np.array([500.0, 500.0]))
    assert arrow.ends[0][0] == pytest.approx(arrow.ends[0][1])
    assert words.texts == ("weight 0",)


def test_the_first_step_of_a_flat_kernel_is_to_the_mean_within_h():
    second = steps("mean_shift", GROUPS, bandwidth=3.0)[1]
    near = np.linalg.norm(GROUPS[:, None] - GROUPS, axis=2) <= 3.0
    expected = near @ GROUPS / near.sum(axis=1, keepdims=True)
    assert of(second, Dots)[0].points == pytest.approx(expected)


# principal components


def test_axes_reach_two_deviations_and_say_their_shares():
    state = last("pca", GROUPS)
    theirs = PCA(2).fit(GROUPS)
    axes, words = of(state, Segments, "Principal axes")[0], of(state, TextLabels)[0]
    lengths = np.linalg.norm(axes.ends[:, 1] - axes.ends[:, 0], axis=1)
    assert lengths == pytest.approx(4 * np.sqrt(theirs.explained_variance_))
    assert axes.ends.mean(axis=1) == pytest.approx(np.stack([GROUPS.mean(axis=0)] * 2))
    assert words.texts == tuple(f"{share:.1%}" for share in theirs.explained_variance_ratio_)


def test_the_pointer_reads_its_coordinates_along_a_right_angle():
    state = last("pca", GROUPS)
    place = np.array([3.0, -8.0])
    lines, words = state.on().probe(place)
    (start, foot), (corner, end) = lines.ends
    assert start == pytest.approx(place)
    assert end == pytest.approx(GROUPS.mean(axis=0))
    assert foot == pytest.approx(corner)
    assert (start - foot) @ (end - foot) == pytest.approx(0.0, abs=1e-9)
    first, second = state.transform(place[None])[0]
    assert words.texts == (f"({first:.3g}, {second:.3g})",)
    assert np.hypot(first, second) == pytest.approx(np.linalg.norm(place - end))


def test_the_chart_of_variances_adds_up_to_all():
    (chart,) = last("pca", GROUPS).charts()
    each, together = chart.series
    assert each.y == pytest.approx(PCA(2).fit(GROUPS).explained_variance_ratio_)
    assert together.y == pytest.approx([each.y[0], 1.0])


def test_points_half_way_lie_half_way_to_their_feet():
    run = steps("pca", GROUPS)
    state = next(state for state in run if state.projection == 0.5)
    end = of(run[-1], Dots)[0].points
    assert of(state, Dots)[0].points == pytest.approx((GROUPS + end) / 2)
    assert "50\u202f% of the way" in state.note
