"""Batches of trees, their sums, and out-of-bag errors."""

import numpy as np
import pytest

from tests.learn.boosting_data import every_data, rasters
from tests.learn.datasets import moons
from vizml import learn
from vizml.data import Dataset
from vizml.field import Raster
from vizml.learn.ensembles.out_of_bag import (
    OutOfBagMeans,
    OutOfBagVotes,
    bootstrap_counts,
    decompose_variance,
)
from vizml.learn.ensembles.tree_batch import StepBatch, TreeBatch, join_batches
from vizml.learn.ensembles.tree_sum import add_diagonals
from vizml.learn.ensembles.views import variance_chart
from vizml.learn.trees.grower import GrowthLimits, TreeGrower, TreeSamples, argsort_features, one_hot
from vizml.learn.trees.grower_1d import TreeGrower1D, TreeSamples1D, tree_from_splits
from vizml.learn.trees.structure import descend

X, Y = moons(60, noise=0.4)


def forest(trees=3, seed=0, kind=TreeGrower, m=2, points=X, depth=0):
    """Trees of samples, with as many random values in each leaf."""
    rng = np.random.default_rng(seed)
    drawn = bootstrap_counts(len(points), 1.0, trees, rng)
    entries = TreeSamples.of(points, drawn > 0, argsort_features(points))
    sums = one_hot(Y, np.arange(2))[:, entries.rows] * drawn[drawn > 0]
    grower = kind(entries, sums, "gini", GrowthLimits(max_depth=depth, features=m), rng)
    while grower.level():
        pass
    tree = grower.tree()
    return TreeBatch.of(tree, np.random.default_rng(seed + 1).normal(size=(len(tree), 2)), points)


def said(grown, tree, probes):
    """The values of one tree, walked by itself."""
    root = int(grown.roots[tree])
    return grown.values[descend(grown.tree, probes, grown.tree.splits, root)]


PROBES = np.random.default_rng(9).normal(scale=2, size=(70, 2))


def test_a_sum_is_that_of_its_trees_walked_one_by_one():
    grown = forest(5)
    expected = said(grown, 1, PROBES) + said(grown, 2, PROBES)
    assert np.allclose(grown.sums(PROBES, 1, 3), expected)
    assert (grown.sums(PROBES, 2, 2) == 0).all()


@pytest.mark.parametrize("points", [X, X[:, :1].copy()], ids=["two features", "one feature"])
def test_sums_at_its_own_points_are_kept_for_every_number_of_trees(points):
    grown = forest(5, points=points)
    assert grown.training_sums.shape == (5, len(X), 2)
    for trees in range(1, 6):
        assert np.allclose(grown.training_sums[trees - 1], grown.sums(points, 0, trees))


@pytest.mark.parametrize("id", ["random_forest", "extra_trees", "adaboost", "gradient_boosting", "xgboost"])
def test_cached_predictions_equal_those_of_a_copy_of_the_points(id):
    for state in list(learn.run(learn.create(id), Dataset(X, Y)))[::17]:
        assert np.allclose(state.scores(state.X), state.scores(X.copy()), rtol=1e-12, atol=1e-12)


def test_many_points_are_sent_in_chunks():
    grown = forest(5, depth=2)
    many = np.tile(PROBES, (4000, 1))
    assert np.allclose(grown.sums(many, 0, 5), np.tile(grown.sums(PROBES, 0, 5), (4000, 1)))


def test_every_node_belongs_to_the_tree_of_its_root():
    grown = forest(4)
    for node in range(len(grown.tree)):
        root = node
        while grown.tree.depth[root]:
            root = int(grown.tree.parent[root])
        assert grown.roots[grown.owner[node]] == root


def test_leaves_come_tree_by_tree():
    grown = forest(4)
    assert (np.diff(grown.owner[grown.leaves]) >= 0).all()
    for tree in range(4):
        own = grown.leaves_of(tree, tree + 1)
        assert set(own) == set(np.flatnonzero((grown.owner == tree) & ~grown.tree.splits))
        assert len(grown.splits_of(tree)) == len(own) - 1
        assert grown.summary(tree).depth == grown.tree.depth[own].max()
    assert np.array_equal(grown.leaves_of(0, 4), grown.leaves)


def test_joined_batches_predict_as_before():
    first, second = forest(2), forest(3, seed=5)
    both = join_batches([first, second])
    assert len(both) == 5
    for tree in range(5):
        source = said(first, tree, PROBES) if tree < 2 else said(second, tree - 2, PROBES)
        assert np.array_equal(said(both, tree, PROBES), source)
        assert np.array_equal(both.sums(PROBES, tree, tree + 1), source)
    assert both.summary(4).depth == second.summary(2).depth


@pytest.mark.parametrize("first, stop", [(0, 30), (1, 4), (2, 3), (3, 3)])
def test_painted_trees_are_their_sums_at_every_pixel(first, stop):
    state = learn.fit(learn.create("gradient_boosting", rounds=30), X, Y)
    raster = Raster.over((-2, 3, -2, 2), 21, 13)
    both = join_batches(state.batches)
    expected = state.initial + both.sums(raster.points(), first, stop)
    found = state.on().painted(first, stop, raster)
    assert np.allclose(found.reshape(1, -1).T, expected, atol=1e-5)


@pytest.mark.parametrize("id", ["random_forest", "extra_trees", "adaboost", "gradient_boosting", "xgboost"])
@every_data
def test_fields_are_exact_at_many_zooms_and_on_thresholds(id, X, y):
    state = learn.fit(learn.create(id, max_depth=2), X, y)
    for raster in rasters(state.batches[0].tree, X):
        scores = state.scores(raster.points())
        field = np.moveaxis(state.field(raster), 0, -1).reshape(scores.shape)
        assert np.allclose(field, scores, rtol=1e-6, atol=1e-6)
        lead = np.sort(scores, axis=1)
        clear = lead[:, -1] - lead[:, -2] > 1e-5
        assert np.array_equal(field.argmax(axis=1)[clear], scores.argmax(axis=1)[clear])


@pytest.mark.parametrize("id", ["random_forest", "adaboost", "gradient_boosting", "voting"])
@pytest.mark.parametrize("axes", [(0, 1), (2, 0)])
def test_sections_of_three_inputs_have_marks(id, axes):
    state = learn.fit(learn.create(id), np.column_stack([X, np.sin(3 * X[:, 0])]), Y)
    assert len(state.on(axes=axes).marks()) > 0


def steps(trees=5, seed=0, depth=0):
    """Trees on one feature as step functions, and the same trees with nodes."""
    rng = np.random.default_rng(seed)
    y = rng.normal(size=trees * len(X))
    order = np.argsort(X[:, 0])
    line = TreeSamples1D(np.tile(X[order, 0], trees), len(X) * np.arange(trees + 1))
    limits, sums = GrowthLimits(max_depth=depth), np.stack([np.ones_like(y), y, y * y])
    grower = TreeGrower1D(line, sums, "variance", limits)
    splits = grower.grow()
    values, x = rng.normal(size=len(splits.edges) - 1), X[:, :1].copy()
    tree = tree_from_splits(grower, splits)
    batch = StepBatch.of(splits.level, grower.thresholds[splits.edges], grower.root_gains, values, x)
    nodes = TreeBatch.of(tree, np.zeros((len(tree), 1)), x)
    leaves = nodes.leaves[np.lexsort((tree.box[nodes.leaves, 0, 0], nodes.owner[nodes.leaves]))]
    nodes.values[leaves, 0] = values
    return batch, nodes


@pytest.mark.parametrize("depth", [0, 2])
def test_step_functions_are_trees_on_one_feature(depth):
    batch, nodes = steps(depth=depth)
    at = np.concatenate([PROBES[:, :1], X[:, :1], batch.upper[np.isfinite(batch.upper)][:, None]])
    for start, stop in ((0, 0), (0, 1), (0, 5), (2, 4)):
        assert np.allclose(batch.sums(at, start, stop), nodes.sums(at, start, stop))
    assert np.array_equal(batch.training_values, nodes.training_values)
    for tree in range(5):
        assert batch.summary(tree) == pytest.approx(nodes.summary(tree), nan_ok=True)


def test_a_lone_leaf_is_a_constant():
    batch = StepBatch.of(np.array([-1, -1]), np.full(2, np.inf), np.zeros(1), np.array([2.5]), X[:, :1])
    assert batch.summary(0)[:3] == (1, 0, -1)
    assert (batch.sums(PROBES[:, :1], 0, 1) == 2.5).all()


def test_slanted_features_are_sums_and_differences():
    assert add_diagonals([[3.0, 1.0], [0.0, -2.0]]).tolist() == [[3, 1, 4, 2], [0, -2, -2, 2]]


def test_votes_count_only_where_a_member_has_not_seen_the_point():
    truth = np.array([0, 1, 1])
    out = np.array([[True, True, False], [False, True, False]])
    shares = np.array([[[0.9, 0.1], [0.8, 0.2], [1, 0]], [[0, 1], [0.1, 0.9], [1, 0]]], dtype=float)
    bag = OutOfBagVotes(truth, 2).add(out, shares)
    assert bag.voted.tolist() == [2, 2]
    assert bag.errors.tolist() == [0.5, 0.0], "the second member outvotes the first at the second point"
    assert np.allclose(bag.residuals, [[0.1, 0.8, 0], [0, 0.1, 0]])


def test_votes_accumulate_over_batches():
    rng = np.random.default_rng(0)
    truth, out, shares = rng.integers(0, 3, 20), rng.random((6, 20)) < 0.4, rng.random((6, 20, 3))
    whole, parts = OutOfBagVotes(truth, 3).add(out, shares), OutOfBagVotes(truth, 3)
    bags = [parts.add(out[:2], shares[:2]), parts.add(out[2:], shares[2:])]
    assert np.allclose(np.concatenate([bag.errors for bag in bags]), whole.errors)
    assert np.concatenate([bag.voted for bag in bags]).tolist() == whole.voted.tolist()
    for count in range(1, 7):
        votes = (shares * out[:, :, None])[:count].sum(axis=0)
        asked = out[:count].any(axis=0)
        assert whole.errors[count - 1] == pytest.approx((votes.argmax(axis=1) != truth)[asked].mean())


def test_means_accumulate_over_batches():
    rng = np.random.default_rng(1)
    truth, out, values = rng.normal(size=20), rng.random((6, 20)) < 0.4, rng.normal(size=(6, 20))
    tally = OutOfBagMeans(truth)
    bags = [tally.add(out[:3], values[:3]), tally.add(out[3:], values[3:])]
    errors = np.concatenate([bag.errors for bag in bags])
    for count in range(1, 7):
        asked = out[:count].any(axis=0)
        means = np.array([values[:count, i][out[:count, i]].mean() for i in np.flatnonzero(asked)])
        assert errors[count - 1] == pytest.approx(((truth[asked] - means) ** 2).mean())


def test_without_an_out_of_bag_point_there_is_no_error():
    bag = OutOfBagVotes(np.array([0, 1]), 2).add(np.zeros((1, 2), bool), np.ones((1, 2, 2)))
    assert np.isnan(bag.errors).all()


def test_members_that_err_alike_have_a_correlation_of_one_and_others_none():
    rng = np.random.default_rng(0)
    n, members = 3000, 4
    everyone = np.ones((members, n), dtype=bool)
    error = rng.normal(size=n)
    alike = OutOfBagMeans(np.zeros(n)).add(everyone, np.tile(error, (members, 1)))
    apart = OutOfBagMeans(np.zeros(n)).add(everyone, rng.normal(size=(members, n)))
    same, other = decompose_variance([alike], members), decompose_variance([apart], members)
    assert same.rho[-1] == pytest.approx(1, abs=1e-5)
    assert abs(other.rho[-1]) < 0.05
    assert other.measured[-1] == pytest.approx(1 / members, rel=0.1)
    assert np.allclose(other.predicted[-1], other.measured[-1])
    chart = variance_chart(other)
    assert [len(line.x) for line in chart.series] == [members] * 3
    assert np.allclose(chart.series[2].y, other.rho * other.sigma2)


def test_the_error_is_a_share_or_a_mean_square():
    bagging = learn.fit(learn.create("bagging", base="knn", members=3), X, Y)
    (error, _), last = bagging.charts(), bagging.loss
    assert (error.note, error.y.title, error.cursor) == (f"{last:.1%} with 3", "error", "")
    assert (error.sets, error.choices) == (("members",), ((1, 2, 3),))
    forest = learn.fit(learn.create("random_forest", "regress", trees=2), X[:, 0], X[:, 1])
    (error, _), last = forest.charts(), forest.loss
    assert (error.note, error.y.title, error.cursor) == (f"{last:.4g} with 2", "mean squared error", "step")
