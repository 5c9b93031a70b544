"""ID3 against a plain recursion on binned axes, and the entropies of the textbook."""

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from tests.learn.datasets import FEW_POINTS, blobs, moons
from vizml import learn
from vizml.field import Raster
from vizml.learn.trees.id3_solver import ID3Tree

DATA = {"moons": moons(200), "three blobs": blobs(120)} | FEW_POINTS
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("id3", **values), X, y)


def binned(X, bins):
    inner = [
        np.linspace(low, high, bins + 1)[1:-1] for low, high in zip(X.min(axis=0), X.max(axis=0), strict=True)
    ]
    return np.column_stack([np.searchsorted(cuts, column) for cuts, column in zip(inner, X.T, strict=True)])


def recursion(cells, y, open_axes, depth, shares):
    """What each point is told, by textbook ID3 with scikit-learn's mutual information as the gain."""
    classes = np.arange(y.max() + 1)
    if len(y):
        shares = (y[:, None] == classes).mean(axis=0)
    gains = {axis: mutual_info_score(cells[:, axis], y) for axis in open_axes} if len(y) else {}
    best = max(gains, key=gains.get, default=None)
    out = np.tile(shares, (len(y), 1))
    if best is None or gains[best] < 1e-12 or depth == 0:
        return out
    for value in np.unique(cells[:, best]):
        rows = cells[:, best] == value
        out[rows] = recursion_part(cells[rows], y[rows], open_axes - {best}, depth - 1, len(classes))
    return out


def recursion_part(cells, y, open_axes, depth, count):
    padded = recursion(cells, np.append(y, count - 1)[:-1], open_axes, depth, np.full(count, 1 / count))
    return np.pad(padded, ((0, 0), (0, count - padded.shape[1])))


@every_data
@pytest.mark.parametrize("bins", [2, 5, 9])
@pytest.mark.parametrize("depth", [1, 2])
def test_points_are_told_what_the_recursion_tells_them(X, y, bins, depth):
    expected = recursion(binned(X, bins), y, {0, 1}, depth, None)
    assert np.allclose(fit(X, y, bins=bins, max_depth=depth).proba(X), expected)


@every_data
def test_the_gain_is_the_mutual_information(X, y):
    cells = binned(X, 6)
    gains = [mutual_info_score(cells[:, axis], y) / np.log(2) for axis in (0, 1)]
    assert np.allclose(ID3Tree(cells, y, 6).nodes[0].gains, gains)


@every_data
def test_the_loss_falls_and_is_the_entropy_of_the_leaves(X, y):
    run = list(learn.steps(learn.create("id3"), X, y))
    assert (np.diff([state.loss for state in run]) < 0).all()
    for state in run:
        shares = state.proba(X)
        mixed = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1).mean()
        assert state.loss == pytest.approx(mixed, abs=1e-9)


def test_children_share_out_the_points_of_their_parent():
    state = fit(*blobs(60))
    for parent in state.growth.parents:
        children = [node for node in state.nodes if node.parent == parent]
        assert len(children) == 5
        assert np.allclose(sum(node.counts for node in children), state.nodes[parent].counts)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_is_the_recursion_for_any_number_of_features(depth):
    rng = np.random.default_rng(0)
    cells, y = rng.integers(0, 3, size=(200, 4)), rng.integers(0, 3, size=200)
    tree = ID3Tree(cells, y, 3, max_depth=depth)
    while tree.split():
        pass
    found = np.array([node.proportions for node in tree.nodes])[tree.apply(cells, len(tree.parents))]
    assert np.allclose(found, recursion(cells, y, {0, 1, 2, 3}, depth, None))


def test_an_edge_belongs_to_the_left_and_empty_bins_to_their_branch():
    state = fit([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [4.0, 0.0]], [0, 0, 0, 1], bins=4)
    assert state.predict([[3.0, 0.0], [3.0001, 0.0]]).tolist() == [0, 1]
    assert state.proba([[2.5, 0.0]]).tolist() == [[0.75, 0.25]]


@every_data
def test_the_field_is_exact_on_edges_and_far_outside(X, y):
    state = fit(X, y, bins=7)
    x, y = (np.clip(edges, -1e6, 1e6) for edges in state.edges)
    raster = Raster(x, y)
    scores = state.scores(raster.points()).reshape(*raster.shape, -1).transpose(2, 0, 1)
    assert np.abs(state.field(raster) - scores).max() < 1e-6


def test_notes_say_the_bits():
    X, y = DATA["moons"]
    notes = [state.note for state in learn.steps(learn.create("id3"), X, y)]
    assert notes[0] == "start: one leaf with all 200 points, entropy 1 bit"
    assert " bit (" in notes[1]
    assert " points where " in notes[2]
