"""A tree of thousands of nodes keeps its top, says what is missing, and is quick to lay out."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSizeF

from tests.events import cpu_seconds
from vizml import data, learn
from vizml.learn import REGRESS
from vizml.scene import CutLine, Diagram, Link, Node
from vizml.ui.charts.diagram_layout import lay_out_diagram
from vizml.ui.charts.diagram_panel import MOST_NODES, diagram_of, pruned


def heap(count, shuffled=None):
    """A complete binary tree, the children of i at 2 i + 1 and 2 i + 2."""
    depth = int(np.log2(count))
    order = np.arange(count) if shuffled is None else np.random.default_rng(shuffled).permutation(count)
    nodes = tuple(Node(id=str(i), x=0.5, y=1 - int(np.log2(i + 1)) / depth) for i in order)
    links = tuple(Link(start=str((i - 1) // 2), end=str(i)) for i in order if i)
    return Diagram(title="Tree", nodes=nodes, links=links, note="depth 9")


def ids(diagram):
    return {int(node.id) for node in diagram.nodes}


@pytest.mark.parametrize("shuffled", [None, 0, 1])
def test_the_nodes_nearest_to_the_root_stay(shuffled):
    found = pruned(heap(1023, shuffled), 63)
    assert ids(found) == set(range(63))
    assert {(int(link.start), int(link.end)) for link in found.links} == {
        ((i - 1) // 2, i) for i in range(1, 63)
    }
    assert found.note == "depth 9; 63 of 1,023 nodes, those nearest to the root"


def test_what_is_left_fills_the_height():
    found = pruned(heap(1023), 63)
    assert {node.id: node.y for node in found.nodes}["0"] == 1.0
    assert min(node.y for node in found.nodes) == 0.0


def test_where_heights_mean_something_they_stay():
    whole = replace(heap(1023), cut=CutLine(sets="distance", y=0.5, low=0.0, high=2.0))
    assert {node.y for node in pruned(whole, 63).nodes} < {node.y for node in whole.nodes}


def test_few_nodes_are_left_alone():
    diagram = heap(63)
    assert pruned(diagram, 63) is diagram


def test_what_no_root_leads_to_is_kept_last():
    round_about = tuple(Link(start=str(i), end=str((i - 100 + 1) % 3 + 100)) for i in range(100, 103))
    nodes = tuple(Node(id=str(i), x=0.0, y=0.0) for i in range(100, 103))
    tree = heap(7)
    whole = replace(tree, nodes=(*nodes, *tree.nodes), links=(*round_about, *tree.links))
    assert ids(pruned(whole, 8)) == {*range(7), 100}


def test_a_tree_of_thousands_of_leaves_is_quick_to_lay_out(qapp):
    points = data.generate("sine", n=2000, noise=0.3, seed=0)
    state = learn.fit_data(learn.create("tree", REGRESS), points)
    assert len(state.diagram().nodes) > 3000
    found = diagram_of(state)
    assert len(found.nodes) == MOST_NODES
    assert cpu_seconds(lambda: lay_out_diagram(found, QSizeF(900, 220), 1.0).placed) < 0.2
