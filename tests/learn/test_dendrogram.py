"""Dendrograms: the tree of merges against a simple implementation, and its diagram."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, to_tree
from scipy.cluster.hierarchy import linkage as scipy_linkage

from vizml.learn.clusters.dendrogram import HEADROOM, MAX_LEAVES, Dendrogram, dendrogram_diagram


def forest_of(X, kind="average"):
    """The tree that scipy makes of points."""
    table = scipy_linkage(X, kind)
    return Dendrogram(
        n=len(X), pairs=table[:, :2].astype(np.int64), heights=table[:, 2],
        peaks=np.maximum.accumulate(table[:, 2]), sizes=table[:, 3].astype(np.int64),
    )  # fmt: skip


def points(n, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 2))


def first_merges(forest, count):
    return Dendrogram(
        n=forest.n, pairs=forest.pairs[:count], heights=forest.heights[:count], peaks=forest.peaks[:count],
        sizes=forest.sizes[:count],
    )  # fmt: skip


EMPTY = Dendrogram(
    n=3, pairs=np.empty((0, 2), dtype=np.int64), heights=np.empty(0), peaks=np.empty(0),
    sizes=np.empty(0, dtype=np.int64),
)  # fmt: skip


@pytest.mark.parametrize("n", [2, 5, 30])
def test_members_of_a_node_are_scipys(n):
    X = points(n)
    forest = forest_of(X)
    _, nodes = to_tree(scipy_linkage(X, "average"), rd=True)
    for node in nodes:
        assert forest.members(node.id).tolist() == sorted(node.pre_order())
        assert forest.size(node.id) == node.get_count()
        assert forest.height(node.id) == pytest.approx(node.dist)


def test_ancestors_of_a_point_are_all_nodes_that_hold_it():
    forest = forest_of(points(20))
    for point in range(20):
        holding = [node for node in range(39) if point in forest.members(node)]
        assert forest.ancestors(point) == holding


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_roots_below_a_height_part_points_as_scipy_does(share):
    X = points(40)
    forest, table = forest_of(X), scipy_linkage(X, "average")
    tau = share * table[-1, 2]
    roots = forest.roots(forest.below(tau))
    theirs = fcluster(table, tau, criterion="distance")
    assert np.array_equal(np.equal.outer(roots, roots), np.equal.outer(theirs, theirs))


def test_a_merge_at_the_height_of_the_cut_is_below_it():
    forest = forest_of(np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]]))
    assert forest.below(1.0).tolist() == [0]
    assert forest.below(np.nextafter(1.0, 0.0)).tolist() == []


def test_before_any_merge_each_point_is_its_own_root():
    assert EMPTY.roots(np.arange(0)).tolist() == [0, 1, 2]
    assert EMPTY.ancestors(1) == [1]
    assert len(EMPTY) == 0
    diagram = dendrogram_diagram(EMPTY, {}, None, "start")
    assert [node.y for node in diagram.nodes] == [0.0, 0.0, 0.0]
    assert diagram.links == ()
    assert diagram.cut is None


def by_id(diagram):
    return {int(node.id): node for node in diagram.nodes}


@pytest.mark.parametrize("n", [2, 9, MAX_LEAVES])
def test_every_node_of_a_small_tree_is_drawn_over_the_middle_of_its_children(n):
    forest = forest_of(points(n))
    nodes = by_id(dendrogram_diagram(forest, {}, None, ""))
    assert sorted(nodes) == list(range(2 * n - 1))
    for node in range(n, 2 * n - 1):
        a, b = forest.children(node)
        assert nodes[node].x == pytest.approx((nodes[a].x + nodes[b].x) / 2)
        assert nodes[node].y > max(nodes[a].y, nodes[b].y)
    ends = sorted(nodes[i].x for i in range(n))
    assert np.allclose(ends, (np.arange(n) + 0.5) / n)


def test_heights_are_drawn_to_scale_with_room_above():
    forest = forest_of(points(12))
    diagram = dendrogram_diagram(forest, {}, 0.5, "")
    nodes = by_id(diagram)
    scale = diagram.cut.high
    assert scale == pytest.approx(forest.heights.max() * HEADROOM)
    for node in range(12, 23):
        assert nodes[node].y * scale == pytest.approx(forest.height(node))
    assert diagram.cut.y * scale == pytest.approx(0.5)
    assert (diagram.cut.sets, dict(diagram.cut.also)) == ("tau", {"cut": "tau"})


def test_no_branches_cross():
    forest = forest_of(points(30))
    nodes = by_id(dendrogram_diagram(forest, {}, None, ""))
    for node in range(30, 59):
        inside = forest.members(node)
        places = sorted(nodes[i].x for i in inside)
        assert places[-1] - places[0] == pytest.approx((len(inside) - 1) / 30)


def test_the_larger_branch_is_on_the_right():
    forest = forest_of(points(30))
    nodes = by_id(dendrogram_diagram(forest, {}, None, ""))
    for node in range(30, 59):
        left, right = sorted(forest.children(node), key=lambda child: nodes[child].x)
        assert forest.size(left) <= forest.size(right)


def test_a_cut_above_the_root_stays_within_the_diagram():
    assert dendrogram_diagram(forest_of(points(5)), {}, 1e9, "").cut.y == 1.0


def test_a_dendrogram_of_coincident_points_has_a_height():
    diagram = dendrogram_diagram(forest_of(np.zeros((4, 2))), {}, 0.0, "")
    assert diagram.cut.high == 1.0
    assert {node.y for node in diagram.nodes} == {0.0}


def test_a_colour_goes_down_the_tree_and_not_up():
    forest = forest_of(np.array([[0.0, 0.0], [0.1, 0.0], [9.0, 0.0], [9.3, 0.0]]))
    left, right, top = 4, 5, 6
    diagram = dendrogram_diagram(forest, {left: 0, right: 1}, None, "")
    inks = {int(node.id): node.ink for node in diagram.nodes}
    assert [inks[i] for i in (0, 1, left)] == [0, 0, 0]
    assert [inks[i] for i in (2, 3, right)] == [1, 1, 1]
    assert inks[top] == "muted"
    links = {(int(link.start), int(link.end)): link.ink for link in diagram.links}
    assert links[top, left] == links[top, right] == "muted"
    assert links[left, 0] == links[left, 1] == 0
    assert links[right, 2] == links[right, 3] == 1


def test_of_a_large_tree_the_upper_part_is_drawn_and_its_ends_count_all_points():
    forest = forest_of(points(200))
    diagram = dendrogram_diagram(forest, {}, None, "")
    ends = [node for node in diagram.nodes if node.y == 0.0]
    assert len(ends) == MAX_LEAVES
    assert len(diagram.nodes) == 2 * MAX_LEAVES - 1
    held = np.concatenate([forest.members(int(node.id)) for node in ends])
    assert sorted(held.tolist()) == list(range(200))
    for node in ends:
        size = forest.size(int(node.id))
        assert node.texts == ((str(size),) if size > 1 else ())
    drawn_heights = [forest.height(int(node.id)) for node in diagram.nodes if node.y > 0]
    assert sorted(drawn_heights) == sorted(forest.heights)[-(MAX_LEAVES - 1) :]


def test_of_a_forest_of_many_points_the_largest_trees_are_drawn_first():
    forest = first_merges(forest_of(points(200)), 20)
    diagram = dendrogram_diagram(forest, {}, None, "")
    shown = {int(node.id) for node in diagram.nodes if node.y == 0.0}
    assert len(shown) == MAX_LEAVES
    roots = set(forest.roots(np.arange(20)).tolist())
    made = {node for node in roots if node >= 200}
    assert made <= {int(node.id) for node in diagram.nodes}
