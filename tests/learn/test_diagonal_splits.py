"""Boundaries of trees that split diagonals too, against the classes on both sides of them."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.learn.ensembles.diagonal_splits import OFFSETS, REACH, SLOPES, diagonal_boundary
from vizml.learn.ensembles.forest_state import leaf_classes
from vizml.learn.ensembles.tree_sum import add_diagonals
from vizml.learn.trees.structure import descend

DATA = {"moons": moons(120, noise=0.3), "three blobs": blobs(120)}
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def forest(X, y, **values):
    return learn.fit(learn.create("random_forest", trees=4, derived=True, m=2, **values), X, y)


def edges_of(state, place=0):
    batch = state.batches[0]
    wins = leaf_classes(batch.values)
    return batch, wins, diagonal_boundary(batch.tree, batch.splits_of(place), wins, state.X)


def classes(batch, wins, points, place=0):
    wide = add_diagonals(points) if batch.features == 4 else points
    return wins[descend(batch.tree, wide, batch.splits, int(batch.roots[place]))]


@pytest.mark.parametrize("feature", range(4))
def test_along_a_split_every_feature_is_linear(feature):
    t, s = 0.7, np.array([-1.0, 0.2, 3.0])
    x, y = (OFFSETS[feature, g] * t + SLOPES[feature, g] * s for g in (0, 1))
    for g, values in enumerate(add_diagonals(np.column_stack([x, y])).T):
        assert np.allclose(values, OFFSETS[feature, g] * t + SLOPES[feature, g] * s)
    assert np.allclose(add_diagonals(np.column_stack([x, y]))[:, feature], t)


@every_data
@pytest.mark.parametrize("place", [0, 3])
def test_classes_differ_across_every_piece_and_nowhere_along_it(X, y, place):
    batch, wins, ends = edges_of(forest(X, y), place)
    assert len(ends) > 5
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    ends, along, length = (each[length[:, 0] > 1e-6] for each in (ends, along, length))
    across = 1e-9 * np.column_stack([-along[:, 1], along[:, 0]]) / length
    sides = []
    for share in (0.1, 0.5, 0.9):
        middle = ends[:, 0] + share * along
        sides.append([classes(batch, wins, middle + sign * across, place) for sign in (1, -1)])
        assert (sides[-1][0] != sides[-1][1]).all()
    assert all(np.array_equal(sides[0], each) for each in sides)


@every_data
def test_every_change_of_class_along_a_line_is_on_a_piece(X, y):
    batch, wins, ends = edges_of(forest(X, y))
    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.uniform(X.min(axis=0), X.max(axis=0), size=(2, 2))
        at = np.linspace(0, 1, 4001)
        line = a + at[:, None] * (b - a)
        found = classes(batch, wins, line)
        changes = line[1:][found[1:] != found[:-1]]
        along = ends[:, 1] - ends[:, 0]
        square = np.maximum((along**2).sum(axis=1), 1e-300)
        for place in changes:
            share = np.clip(((place - ends[:, 0]) * along).sum(axis=1) / square, 0, 1)
            away = np.linalg.norm(ends[:, 0] + share[:, None] * along - place, axis=1).min()
            assert away < 2 * np.linalg.norm(b - a) / 4000


def test_a_tree_of_one_split_has_its_whole_line():
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    state = forest(X, [0, 0, 1, 1], max_depth=1)
    batch = state.batches[0]
    _, _, ends = edges_of(state)
    feature = batch.tree.feature[batch.splits_of(0)[0]]
    assert ends.shape == (1, 2, 2)
    on_it = add_diagonals(ends[0])[:, feature]
    assert on_it[0] == pytest.approx(on_it[1])
    assert np.abs(ends).max() == pytest.approx(3.0 + 3.0 * REACH, rel=0.2)


def test_a_tree_of_one_class_has_none():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 4.0]])
    state = forest(X, [0, 0, 1], max_depth=1)
    for place in range(4):
        batch, wins, ends = edges_of(state, place)
        own = wins[batch.leaves_of(place, place + 1)]
        assert len(ends) == (0 if len(set(own)) == 1 else 1)


@pytest.mark.parametrize("derived_too", [True, False])
def test_members_are_drawn_and_kept_for_the_next_moment(derived_too):
    X, y = DATA["moons"]
    run = list(learn.steps(learn.create("random_forest", trees=30, derived=derived_too), X, y))
    (faint,) = run[-1].marks()
    assert faint.quiet
    assert len(faint.ends) > 25
    known = run[-1].boundaries
    assert len(known) == 25, "the latest of them"
    assert run[-2].marks()[0].ends is not None
    assert len(known) == 26
    assert len(run[-1].focus("29").marks[0].ends) == len(known[29])


def test_members_that_vote_with_the_forest_are_its_trail():
    X, y = DATA["moons"]
    state = learn.fit(learn.create("random_forest", trees=24, max_depth=2), X, y)
    for point in X[:20]:
        win = int(state.scores(point[None])[0].argmax())
        agree = [
            str(t)
            for t in range(24)
            if classes(state.batches[0], leaf_classes(state.batches[0].values), point[None], t)[0] == win
        ]
        assert list(state.trail(point)) == agree
