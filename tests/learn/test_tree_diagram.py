"""The diagram of a tree says what the tree does, and each node knows its place on the plane."""

from itertools import pairwise

import numpy as np
import pytest

from vizml import data, learn


@pytest.fixture(scope="module")
def states():
    moons = data.generate("moons", n=120, noise=0.3, seed=1)
    return list(learn.steps(learn.create("tree", max_depth=5), moons.points, moons.labels))


def linked(diagram):
    children = {}
    for link in diagram.links:
        children.setdefault(link.start, []).append(link.end)
    return children


def test_there_is_a_node_for_each_split_and_leaf_of_the_moment(states):
    for state in (states[0], states[3], states[-1]):
        diagram = state.diagram()
        assert len(diagram.nodes) == 2 * state.shown + 1
        assert len(linked(diagram)) == state.shown
        assert len(diagram.nodes) - len(linked(diagram)) == state.metrics()["leaves"]


def test_children_are_below_their_parent_the_left_one_to_the_left(states):
    diagram = states[-1].diagram()
    nodes = {node.id: node for node in diagram.nodes}
    for parent, (left, right) in linked(diagram).items():
        assert nodes[left].y < nodes[parent].y
        assert nodes[left].x < nodes[parent].x < nodes[right].x
    assert len({(node.x, node.y) for node in diagram.nodes}) == len(nodes)
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in diagram.nodes)


def test_the_trail_of_a_point_ends_in_the_leaf_that_answers(states):
    state = states[-1]
    nodes = {node.id: node for node in state.diagram().nodes}
    children = linked(state.diagram())
    for point in np.random.default_rng(0).normal(size=(30, 2)):
        trail = state.trail(point)
        assert trail[0] == "0"
        assert all(child in children[parent] for parent, child in pairwise(trail))
        assert trail[-1] not in children
        assert nodes[trail[-1]].ink == state.predict(point[None, :])[0]


def test_the_focus_of_a_node_is_the_box_that_its_points_lie_in(states):
    state = states[-1]
    point = np.array([0.1, 0.2])
    for node in state.trail(point):
        (box,) = state.focus(node).marks
        corners = box.lines[0]
        low, high = corners.min(axis=0), corners.max(axis=0)
        assert (low < point).all()
        assert (point <= high).all()
