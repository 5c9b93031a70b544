"""Losses to boost and the run that follows them: derivatives, steps, held-out points, patience."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from tests.learn.datasets import moons
from vizml.learn.ensembles.adaboost import LEAST, reweighted
from vizml.learn.ensembles.boosting import Boosting, Run, rounds_at_once
from vizml.learn.ensembles.leaves import Scattered
from vizml.learn.ensembles.losses import Absolute, Exponential, ManyClasses, Squared, TwoClasses
from vizml.learn.ensembles.second_order import SecondOrder, cheap
from vizml.learn.trees.criteria import second_order
from vizml.learn.trees.grower import GrowthLimits, grow_tree

N = 40


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, N).astype(float), rng.integers(0, 4, N), rng.normal(size=N)


def losses():
    two, many, level = drawn()
    return {
        "two classes": TwoClasses(two),
        "exponential": Exponential(two),
        "many classes": ManyClasses(many, 4),
        "squared": Squared(level),
        "absolute": Absolute(level),
    }


LOSSES = losses()
SMOOTH = {name: LOSSES[name] for name in ("two classes", "exponential", "many classes")}
every = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
smooth = pytest.mark.parametrize("loss", SMOOTH.values(), ids=SMOOTH)


def anywhere(loss, seed=1):
    return np.random.default_rng(seed).normal(size=(N, len(loss.start())))


@smooth
def test_the_bend_is_the_derivative_of_the_slope(loss):
    F, h = anywhere(loss), 1e-5
    bend = loss.bend(F, loss.slope(F))
    for column in range(F.shape[1]):
        aside = np.zeros(F.shape[1])
        aside[column] = h
        change = (loss.slope(F - aside) - loss.slope(F + aside))[:, column] / (2 * h)
        assert np.allclose(bend[:, column], change, atol=1e-8)


@every
def test_no_other_constant_has_less_loss_than_the_start(loss):
    start = loss.start()
    least = loss.each(np.tile(start, (N, 1))).mean()
    for column in range(len(start)):

        def moved(by, column=column):
            other = start.copy()
            other[column] += by
            return loss.each(np.tile(other, (N, 1))).mean()

        assert minimize_scalar(moved, bounds=(-2, 2), method="bounded").fun >= least - 1e-9


@every
def test_some_of_the_points_lose_what_they_lose_among_all(loss):
    rows = np.array([3, 1, 30])
    F = anywhere(loss)
    some = loss.take(rows)
    assert np.allclose(some.each(F[rows]), loss.each(F)[rows])
    assert np.allclose(some.slope(F[rows]), loss.slope(F)[rows])
    assert type(some) is type(loss)


@smooth
def test_a_step_lowers_the_loss_of_its_node(loss):
    F = np.tile(loss.start(), (N, 1))
    slope, rows = loss.slope(F), np.arange(N)
    bend, nodes = loss.bend(F, slope), rows % 3
    for column in range(F.shape[1]):
        step = loss.steps(Scattered(nodes, 3), slope[:, column], bend[:, column], rows, F[:, column])
        after = F.copy()
        after[:, column] += step[nodes]
        before, now = loss.each(F), loss.each(after)
        for node in range(3):
            assert now[nodes == node].sum() <= before[nodes == node].sum() + 1e-12


def test_a_step_of_squares_is_the_mean_and_of_absolutes_the_median():
    _, _, y = drawn()
    nodes, rows, F = np.arange(N) % 3, np.arange(N), np.full(N, 0.5)
    squared, absolute = Squared(y), Absolute(y)
    slope = (y - F)[:, None]
    leaves = Scattered(nodes, 4)
    means = squared.steps(leaves, slope[:, 0], np.ones(N), rows, F)
    middles = absolute.steps(leaves, np.sign(slope[:, 0]), np.ones(N), rows, F)
    for node in range(3):
        assert means[node] == pytest.approx((y - F)[nodes == node].mean())
        assert middles[node] == pytest.approx(np.median((y - F)[nodes == node]))
    assert means[3] == middles[3] == 0, "nobody is there"


def test_where_the_loss_is_flat_a_leaf_stays():
    loss = TwoClasses(np.ones(2))
    leaves = Scattered(np.zeros(2, int), 1)
    step = loss.steps(leaves, np.full(2, 1e-200), np.zeros(2), np.arange(2), np.zeros(2))
    assert step.tolist() == [0.0]


@pytest.mark.parametrize("size", [700.0, -700.0])
def test_certain_log_odds_overflow_nothing(size):
    loss = TwoClasses(np.array([0.0, 1.0]))
    F = np.full((2, 1), size)
    assert np.isfinite(loss.slope(F)).all()
    assert sorted(loss.each(F)) == pytest.approx([0.0, 700.0])


def test_classes_may_all_gain_the_same_without_a_change():
    loss = LOSSES["many classes"]
    F = anywhere(loss)
    assert np.allclose(loss.each(F), loss.each(F + 500.0))
    assert np.allclose(loss.slope(F), loss.slope(F + 500.0))
    assert np.allclose(loss.slope(F).sum(axis=1), 0)
    assert loss.start().sum() == pytest.approx(0)


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


def test_no_weight_falls_to_nothing():
    after = reweighted(np.array([1.0, 1e-300]), np.array([True, False]), 3.0)
    assert after.min() >= LEAST * 0.01


def run_of(how, seed=0):
    X, y = moons(N)
    return Run(how, X, TwoClasses(y.astype(float)), y, np.random.default_rng(seed))


def moments_of(how, seed=0):
    return [moment for _, moments in run_of(how, seed).blocks() for moment in moments]


PLAIN = {"rounds": 20, "rate": 0.3, "limits": GrowthLimits(max_depth=2)}


def plain(**values):
    return Boosting(**PLAIN | values)


def test_rounds_come_one_after_the_other_whatever_the_block():
    moments = moments_of(plain())
    assert [moment.round for moment in moments] == list(range(21))
    assert all(after.train < before.train for before, after in itertools.pairwise(moments))
    assert all(np.isnan(moment.held) for moment in moments)


def test_a_rate_of_next_to_nothing_learns_next_to_nothing():
    slow, fast = (moments_of(plain(rate=rate))[-1].train for rate in (1e-6, 0.3))
    start = moments_of(plain())[0].train
    assert start - slow < 1e-4 < start - fast


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_each_class_holds_its_share_out(share):
    run, (_, y) = run_of(plain(hold=share)), moons(N)
    for label in (0, 1):
        assert run.held[y == label].sum() == round(share * (y == label).sum())


def test_a_class_never_watches_with_all_its_points():
    y = np.array([0, 0, 0, 0, 1])
    X = np.column_stack([np.arange(5.0), np.zeros(5)])
    run = Run(plain(hold=0.9), X, TwoClasses(y.astype(float)), y, np.random.default_rng(0))
    assert not run.held[4]
    assert run.held[:4].sum() == 3


def test_patience_ends_a_run_so_many_rounds_after_its_best():
    moments = moments_of(plain(rounds=200, rate=1.0, hold=0.3, patience=4))
    held = [moment.held for moment in moments]
    assert len(moments) < 201, "it did stop"
    assert len(held) - 1 - int(np.argmin(held)) == 4


def test_without_patience_all_rounds_are_run():
    assert len(moments_of(plain(rounds=60, rate=1.0, hold=0.3))) == 61


def test_a_part_of_the_points_grows_each_tree():
    *_, (stands, _) = run_of(plain(subsample=0.5)).blocks()
    counts = np.concatenate([stand.tree.count[stand.roots] for stand in stands])
    assert counts.tolist() == [N // 2] * 20


@pytest.mark.parametrize("how", [plain(), plain(subsample=0.6), SecondOrder(**PLAIN, gamma=1.5)], ids=str)
def test_where_points_end_is_where_the_trees_send_them(how):
    # F has grown by the leaf that each point ended in: the same as walking down all trees
    run = run_of(how)
    *_, (stands, last) = run.blocks()
    F = run.start + sum(stand.sums(run._points, 0, len(stand)) for stand in stands)
    assert last[-1].train == pytest.approx(run._loss.each(F).mean(), rel=1e-12)


def test_blocks_shrink_with_points_trees_and_depth_but_never_to_nothing():
    assert rounds_at_once(100, 1, 3) > rounds_at_once(50_000, 1, 3) >= 1
    assert rounds_at_once(1000, 1, 3) > rounds_at_once(1000, 8, 3) >= rounds_at_once(1000, 8, 10)
    assert rounds_at_once(10**9, 8, 10) == 1


def test_a_leaf_of_second_order_is_the_slope_over_bend_and_lambda():
    how = SecondOrder(rounds=1, rate=1.0, limits=GrowthLimits(), lam=2.0, min_child_weight=1.0)
    nodes, slope, bend = np.array([0, 0, 1]), np.array([1.0, 2.0, 5.0]), np.array([1.0, 3.0, 0.5])
    steps = how.leaves(Squared(slope), Scattered(nodes, 3), slope, bend, np.arange(3), np.zeros(3))
    assert steps.tolist() == [3 / 6, 0.0, 0.0], "the second is too light, the third empty"


def test_cheap_splits_go_from_the_bottom_up():
    rng = np.random.default_rng(0)
    X, slope = rng.normal(size=(N, 2)), rng.normal(size=N)
    tree = grow_tree(X, np.stack([np.ones(N), slope]), second_order(1.0, 0.0), GrowthLimits(max_depth=4))
    gammas = [0.0, 0.5, 1.0, 2.0, 5.0, 1e9]
    gone = [cheap(tree, gamma) for gamma in gammas]
    assert not gone[0].any()
    assert (gone[-1] == tree.splits).all()
    for fewer, more, gamma in zip(gone, gone[1:], gammas[1:], strict=False):
        assert (more | ~fewer).all(), "a higher price takes what a lower one took"
        stays = np.flatnonzero(tree.splits & ~more)
        ends = [node for node in stays if not {int(tree.left[node]), int(tree.right[node])} & set(stays)]
        assert (tree.gain[ends] >= gamma / 2).all()
