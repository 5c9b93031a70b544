"""Losses of boosting and their training: derivatives, leaf values, held-out points, early stopping."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from tests.learn.datasets import moons
from tests.learn.trees import grow_tree
from vizml.learn.ensembles.adaboost_solver import MIN_WEIGHT, reweighted
from vizml.learn.ensembles.boosting_solver import Boosting, BoostingRun, NewtonBoosting, unprofitable_splits
from vizml.learn.ensembles.losses import (
    AbsoluteLoss,
    BinomialLogLoss,
    ExponentialLoss,
    HuberLoss,
    LeafSamples,
    MultinomialLogLoss,
    QuantileLoss,
    SquaredLoss,
)
from vizml.learn.trees.criteria import second_order
from vizml.learn.trees.grower import GrowthLimits

N = 40


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, N).astype(float), rng.integers(0, 4, N), rng.normal(size=N)


def losses():
    two, many, level = drawn()
    return {
        "two classes": BinomialLogLoss(two), "exponential": ExponentialLoss(two),
        "many classes": MultinomialLogLoss(many, 4), "squared": SquaredLoss(level),
        "absolute": AbsoluteLoss(level), "quantile": QuantileLoss(level, 0.8),
    }  # fmt: skip


LOSSES = losses()
SMOOTH = {name: LOSSES[name] for name in ("two classes", "exponential", "many classes")}
every = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
smooth = pytest.mark.parametrize("loss", SMOOTH.values(), ids=SMOOTH)


def anywhere(loss, seed=1):
    return np.random.default_rng(seed).normal(size=(N, len(loss.initial())))


@every
def test_the_negative_gradient_is_that_of_the_loss(loss):
    F, h = anywhere(loss), 1e-6
    for column, aside in enumerate(h * np.eye(F.shape[1])):
        change = (loss.values(F - aside) - loss.values(F + aside)) / (2 * h)
        factor = 2 if type(loss) is SquaredLoss else 1
        assert np.allclose(factor * loss.negative_gradient(F)[:, column], change, atol=1e-6)


def test_the_gradient_of_the_huber_loss_is_that_of_its_values():
    loss = HuberLoss(drawn()[2], 0.7)
    F, h = anywhere(loss), 1e-6
    loss.adapt(F, np.ones(N, dtype=bool))
    assert np.mean(np.abs(loss.y - F) <= loss.delta) == pytest.approx(0.7)
    change = (loss.values(F - h) - loss.values(F + h)) / (2 * h)
    assert loss.negative_gradient(F)[:, 0] == pytest.approx(change, abs=1e-6)
    assert HuberLoss(drawn()[2]).values(F) == pytest.approx(SquaredLoss(drawn()[2]).values(F) / 2)


@smooth
def test_the_bend_is_the_derivative_of_the_slope(loss):
    F, h = anywhere(loss), 1e-5
    bend = loss.second_derivative(F, loss.negative_gradient(F))
    for column in range(F.shape[1]):
        aside = np.zeros(F.shape[1])
        aside[column] = h
        change = (loss.negative_gradient(F - aside) - loss.negative_gradient(F + aside))[:, column] / (2 * h)
        assert np.allclose(bend[:, column], change, atol=1e-8)


@every
def test_no_other_constant_has_less_loss_than_the_start(loss):
    start = loss.initial()
    least = loss.values(np.tile(start, (N, 1))).mean()
    for column in range(len(start)):

        def moved(by, column=column):
            other = start.copy()
            other[column] += by
            return loss.values(np.tile(other, (N, 1))).mean()

        assert minimize_scalar(moved, bounds=(-2, 2), method="bounded").fun >= least - 1e-9


@every
def test_the_loss_of_a_subset_is_the_subset_of_the_losses(loss):
    rows = np.array([3, 1, 30])
    F = anywhere(loss)
    some = loss.take(rows)
    assert np.allclose(some.values(F[rows]), loss.values(F)[rows])
    assert np.allclose(some.negative_gradient(F[rows]), loss.negative_gradient(F)[rows])
    assert type(some) is type(loss)


@smooth
def test_a_step_lowers_the_loss_of_its_node(loss):
    F = np.tile(loss.initial(), (N, 1))
    slope, rows = loss.negative_gradient(F), np.arange(N)
    bend, nodes = loss.second_derivative(F, slope), rows % 3
    for column in range(F.shape[1]):
        step = loss.leaf_steps(LeafSamples(nodes, 3, slope[:, column], bend[:, column], rows, F[:, column]))
        after = F.copy()
        after[:, column] += step[nodes]
        before, now = loss.values(F), loss.values(after)
        for node in range(3):
            assert now[nodes == node].sum() <= before[nodes == node].sum() + 1e-12


def test_a_step_of_squares_is_the_mean_and_of_absolutes_the_median():
    _, _, y = drawn()
    nodes, rows, F = np.arange(N) % 3, np.arange(N), np.full(N, 0.5)
    squared, absolute = SquaredLoss(y), AbsoluteLoss(y)
    slope = (y - F)[:, None]
    leaves = nodes, 4
    means = squared.leaf_steps(LeafSamples(*leaves, slope[:, 0], np.ones(N), rows, F))
    middles = absolute.leaf_steps(LeafSamples(*leaves, np.sign(slope[:, 0]), np.ones(N), rows, F))
    for node in range(3):
        assert means[node] == pytest.approx((y - F)[nodes == node].mean())
        assert middles[node] == pytest.approx(np.median((y - F)[nodes == node]))
    assert means[3] == middles[3] == 0, "nobody is there"


def test_a_leaf_with_a_zero_gradient_does_not_move():
    loss = BinomialLogLoss(np.ones(2))
    leaves = np.zeros(2, int), 1
    step = loss.leaf_steps(LeafSamples(*leaves, np.full(2, 1e-200), np.zeros(2), np.arange(2), np.zeros(2)))
    assert step.tolist() == [0.0]


@pytest.mark.parametrize("size", [700.0, -700.0])
def test_large_log_odds_do_not_overflow(size):
    loss = BinomialLogLoss(np.array([0.0, 1.0]))
    F = np.full((2, 1), size)
    assert np.isfinite(loss.negative_gradient(F)).all()
    assert sorted(loss.values(F)) == pytest.approx([0.0, 700.0])


def test_classes_may_all_gain_the_same_without_a_change():
    loss = LOSSES["many classes"]
    F = anywhere(loss)
    assert np.allclose(loss.values(F), loss.values(F + 500.0))
    assert np.allclose(loss.negative_gradient(F), loss.negative_gradient(F + 500.0))
    assert np.allclose(loss.negative_gradient(F).sum(axis=1), 0)
    assert loss.initial().sum() == pytest.approx(0)


@given(st.lists(st.booleans(), min_size=2, max_size=30), st.floats(0.01, 5))
def test_weights_stay_one_together_and_the_wrong_rise_by_e_to_the_alpha(wrong, alpha):
    mask = np.array(wrong)
    weights = np.arange(1.0, len(mask) + 1)
    weights /= weights.sum()
    after = reweighted(weights, mask, alpha)
    assert after.sum() == pytest.approx(1)
    ratio = after / weights
    if mask.any() and not mask.all():
        assert np.allclose(ratio[mask], np.exp(alpha) * ratio[~mask][0])


def test_no_sample_weight_becomes_zero():
    after = reweighted(np.array([1.0, 1e-300]), np.array([True, False]), 3.0)
    assert after.min() >= MIN_WEIGHT * 0.01


def run_of(how, seed=0):
    X, y = moons(N)
    return BoostingRun(how, X, BinomialLogLoss(y.astype(float)), y, np.random.default_rng(seed))


PLAIN = {"rounds": 20, "rate": 0.3, "limits": GrowthLimits(max_depth=2)}


def plain(**values):
    return Boosting(**PLAIN | values)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_each_class_holds_its_share_out(share):
    run, (_, y) = run_of(plain(hold=share)), moons(N)
    for label in (0, 1):
        assert run.held[y == label].sum() == round(share * (y == label).sum())


def test_a_class_never_watches_with_all_its_points():
    y = np.array([0, 0, 0, 0, 1])
    X = np.column_stack([np.arange(5.0), np.zeros(5)])
    run = BoostingRun(plain(hold=0.9), X, BinomialLogLoss(y.astype(float)), y, np.random.default_rng(0))
    assert not run.held[4]
    assert run.held[:4].sum() == 3


def test_a_part_of_the_points_grows_each_tree():
    *_, (batches, _) = run_of(plain(subsample=0.5)).blocks()
    counts = np.concatenate([batch.tree.count[batch.roots] for batch in batches])
    assert counts.tolist() == [N // 2] * 20


@pytest.mark.parametrize("how", [plain(), plain(subsample=0.6), NewtonBoosting(**PLAIN, gamma=1.5)], ids=str)
def test_where_points_end_is_where_the_trees_send_them(how):
    # F has grown by the leaf that each point ended in: the same as walking down all trees
    run, (X, y) = run_of(how), moons(N)
    *_, (batches, last) = run.blocks()
    F = run.initial + sum(batch.sums(X, 0, len(batch)) for batch in batches)
    assert last[-1].train == pytest.approx(BinomialLogLoss(y.astype(float)).values(F).mean(), rel=1e-12)


def test_a_leaf_of_second_order_is_the_slope_over_bend_and_lambda():
    how = NewtonBoosting(rounds=1, rate=1.0, limits=GrowthLimits(), lam=2.0, min_child_weight=1.0)
    nodes, slope, bend = np.array([0, 0, 1]), np.array([1.0, 2.0, 5.0]), np.array([1.0, 3.0, 0.5])
    steps = how.leaf_steps(SquaredLoss(slope), LeafSamples(nodes, 3, slope, bend, np.arange(3), np.zeros(3)))
    assert steps.tolist() == [3 / 6, 0.0, 0.0], "the second is too light, the third empty"


def test_cheap_splits_go_from_the_bottom_up():
    rng = np.random.default_rng(0)
    X, slope = rng.normal(size=(N, 2)), rng.normal(size=N)
    tree = grow_tree(X, np.stack([np.ones(N), slope]), second_order(1.0, 0.0), GrowthLimits(max_depth=4))
    gammas = [0.0, 0.5, 1.0, 2.0, 5.0, 1e9]
    gone = [unprofitable_splits(tree, gamma) for gamma in gammas]
    assert not gone[0].any()
    assert (gone[-1] == tree.splits).all()
    for fewer, more, gamma in zip(gone, gone[1:], gammas[1:], strict=False):
        assert (more | ~fewer).all(), "a higher price takes what a lower one took"
        stays = np.flatnonzero(tree.splits & ~more)
        ends = [node for node in stays if not {int(tree.left[node]), int(tree.right[node])} & set(stays)]
        assert (tree.gain[ends] >= gamma / 2).all()
