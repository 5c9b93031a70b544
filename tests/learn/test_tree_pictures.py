"""Marks, focus, trail, probe, diagram and metrics of trees."""

import itertools

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn import CLASSIFY, REGRESS

NAMES = ("tree", "c45", "id3")
every = pytest.mark.parametrize("name", NAMES)
PROBES = np.random.default_rng(7).normal(scale=2, size=(40, 2))


def states(name, X, y, **values):
    return list(learn.steps(learn.create(name, CLASSIFY, **values), X, y))


def curves(**values):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, 60)
    return list(learn.steps(learn.create("tree", REGRESS, **values), x, np.sin(x) + rng.normal(size=60) / 5))


def layer(marks, name):
    return next(mark for mark in marks if mark.layer == name)


def inside(corners, points):
    low, high = corners.min(axis=0), corners.max(axis=0)
    return ((points > low) & (points <= high)).all(axis=1)


@every
def test_the_last_of_the_trail_is_the_leaf_whose_box_holds_the_point(name):
    for state in states(name, *blobs(60))[:: 5 if name != "id3" else 1]:
        for probe in PROBES[:10]:
            trail = state.on().trail(probe)
            assert trail[0] == "0"
            for node in trail:
                assert inside(state.on().focus(node).marks[0].lines[0], probe[None]).all()
            ids = {node.id for node in state.diagram().nodes}
            assert set(trail) <= ids


@every
def test_the_trail_follows_links_of_the_diagram(name):
    state = states(name, *blobs(60))[-1]
    links = {(link.start, link.end) for link in state.diagram().links}
    for probe in PROBES:
        trail = state.on().trail(probe)
        assert set(itertools.pairwise(trail)) <= links


@every
def test_the_diagram_is_a_tree_without_nodes_on_one_another(name):
    diagram = states(name, *moons(80))[-1].diagram()
    ends = [link.end for link in diagram.links]
    assert sorted([*ends, "0"]) == sorted(node.id for node in diagram.nodes), "each but the root hangs on one"
    assert len({(round(node.x, 9), round(node.y, 9)) for node in diagram.nodes}) == len(diagram.nodes)
    at = {node.id: node for node in diagram.nodes}
    assert all(at[link.start].y > at[link.end].y for link in diagram.links)
    for first, second in itertools.pairwise(diagram.links):
        assert first.start != second.start or at[first.end].x < at[second.end].x, "in the order of the links"
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in diagram.nodes)


@every
def test_leaves_in_the_diagram_are_as_many_as_the_metrics_say(name):
    for state in states(name, *moons(80))[::4]:
        diagram = state.diagram()
        starts = {link.start for link in diagram.links}
        assert sum(node.id not in starts for node in diagram.nodes) == state.metrics()["leaves"]


@every
def test_a_leaf_in_the_diagram_has_the_ink_of_its_prediction(name):
    state = states(name, *blobs(60))[-1]
    nodes = {node.id: node for node in state.diagram().nodes}
    for probe, label in zip(PROBES, state.predict(PROBES), strict=True):
        assert nodes[state.on().trail(probe)[-1]].ink == label


@every
def test_the_training_error_is_the_share_of_points_it_gets_wrong(name):
    X, y = moons(80, noise=0.4)
    for state in states(name, X, y)[::3]:
        assert state.metrics()["training error"] == pytest.approx((state.predict(X) != y).mean())


@every
def test_the_probe_shows_the_counts_of_its_box(name):
    X, y = blobs(60)
    state = states(name, X, y, max_depth=2)[-1]
    for probe in X[:8]:
        box = state.on().focus(state.on().trail(probe)[-1]).marks[0].lines[0]
        own = np.bincount(y[inside(box, X)], minlength=3)
        (text,) = layer([m for m in state.on().probe(probe) if hasattr(m, "texts")], "Leaf").texts
        said = text.split(" (")[0]
        assert [part.rsplit(" ", 1)[1] for part in said.split(", ")] == [str(n) for n in own if n]


@every
def test_the_drawn_splits_are_where_answers_change(name):
    """No boundary of the shares lies anywhere but on a drawn line."""
    state = states(name, *moons(80), max_depth=2)[-1]
    ends = layer(state.marks(), "Splits").ends
    grid = np.linspace(-2.5, 3, 400)
    for axis in (0, 1):
        across = np.unique(ends[ends[:, 0, axis] == ends[:, 1, axis], 0, axis])
        for other in (-0.9, 0.1, 0.8):
            line = np.full((400, 2), other)
            line[:, axis] = grid
            changes = np.flatnonzero((np.diff(state.scores(line), axis=0) != 0).any(axis=1))
            for at in changes:
                assert ((across >= grid[at]) & (across <= grid[at + 1])).any()


def test_a_split_line_ends_at_the_edges_of_its_box():
    state = states("tree", *moons(80))[-1]
    tree = state.tree
    for line, node in zip(layer(state.marks(), "Splits").ends, np.flatnonzero(state.splits), strict=True):
        axis = int(tree.feature[node])
        assert (line[:, axis] == tree.threshold[node]).all()
        assert line[:, 1 - axis].tolist() == tree.box[node, 1 - axis].tolist()


def test_links_are_wide_where_many_points_go():
    state = states("tree", *moons(80))[-1]
    for link in state.diagram().links:
        share = state.tree.count[int(link.end)] / 80
        assert link.width == pytest.approx(1 + 4 * share, abs=0.051)


def test_pruned_splits_are_no_longer_drawn_anywhere():
    run = states("tree", *moons(80, noise=0.4), prune="alpha", alpha=0.02)
    full = max(run, key=lambda state: state.shown)
    last = run[-1]
    assert last.collapsed > 0
    assert len(layer(last.marks(), "Splits").ends) == last.metrics()["leaves"] - 1
    assert last.metrics()["leaves"] < full.metrics()["leaves"]
    assert last.metrics()["training error"] > 0


def test_pure_leaves_are_filled_more_than_mixed_ones():
    X, y = moons(80, noise=0.4)
    state = states("tree", X, y, max_depth=3)[-1]
    sure = {node.id: node.fill for node in state.diagram().nodes}
    leaves = state.leaves[np.argsort(state.grown.outputs[state.leaves].max(axis=1))]
    fills = [sure[str(leaf)] for leaf in leaves]
    assert fills == sorted(fills)
    assert fills[0] < fills[-1]


def test_id3_reports_features_without_information():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    (state,) = states("id3", X, [0, 1, 0, 1])
    assert "no feature has an information gain" in state.note
    assert state.diagram().nodes[0].texts[1] == "2 of 4"


def test_a_piece_of_a_curve_is_focused_between_its_thresholds_at_its_level():
    state = curves(max_depth=3)[-1]
    for x in (0.5, 2.0, 4.4, 5.9):
        leaf = state.on().trail(np.array([x, 0.0]))[-1]
        across = state.on().focus(leaf).marks[1].ends[0]
        assert across[0, 0] < x <= across[1, 0]
        assert (across[:, 1] == state.predict([x])[0]).all()
    upright = state.on().focus("0").marks[0].ends
    assert len(upright) == 0, "the root has no edge"


def test_the_metrics_of_a_curve_are_their_definitions():
    for state in curves(loss="absolute")[::5]:
        y = state.grown.data.y
        apart = y - state.predict(state.grown.data.X)
        found = state.metrics()
        assert found["RSS"] == pytest.approx(apart @ apart, abs=1e-9)
        assert found["mean |residual|"] == pytest.approx(np.abs(apart).mean())
        assert found["R²"] == pytest.approx(1 - (apart @ apart) / (60 * y.var()))
        assert found["leaves"] == len(np.unique(state.predict(np.linspace(-1, 7, 20_000))))


def test_a_curve_has_a_line_for_each_split_and_a_residual_for_each_point():
    state = curves(max_depth=2)[-1]
    splits = layer(state.marks(), "Splits").ends
    assert sorted(splits[:, 0, 0]) == sorted(state.grown.tree.threshold[state.splits])
    sticks = layer(state.marks(), "Residuals").ends
    X, y = state.grown.data.X, state.grown.data.y
    assert np.array_equal(sticks[:, 0], np.column_stack([X, y]))
    assert np.array_equal(sticks[:, 1, 1], state.predict(X))


def test_the_levels_of_a_curves_diagram_are_its_answers():
    state = curves(max_depth=3)[-1]
    nodes = {node.id: node for node in state.diagram().nodes}
    for x in np.linspace(0, 6, 13):
        leaf = nodes[state.on().trail(np.array([x, 0.0]))[-1]]
        assert leaf.texts[0] == f"ŷ = {state.predict([x])[0]:.4g}"
